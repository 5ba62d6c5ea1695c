#define _GNU_SOURCE
#include "conformance/options/server_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "codec/family.h"
#include "codec/media/jpeg.h"
#include "codec/program/data_path.h"
#include "codec/rules/requirements.h"
#include "codec/wire/http_head.h"
#include "codec/wire/nearest.h"
#include "conformance/options/option_values.h"
#include "conformance/options/report_rows.h"
#include "conformance/process/provoke.h"
#include "server/core/session.h"

enum { PATIENCE_MAX = 100, SPEED_MAX = 100000, VARIABLE_MAX = 64 };
/* In the query of a profile, and in the variables of a family. */
static const char KEY[] = "{key}", CONFIG[] = "{config}";

static bool read_number(struct option_given *given, void *out)
{
    char expected[80];
    if (option_count(given, out))
        return true;
    snprintf(expected, sizeof expected, "a whole number from %llu to %llu",
             (unsigned long long)given->row->min, (unsigned long long)given->row->max);
    return option_wrong(given, expected);
}

static bool read_key(struct option_given *given, void *context)
{
    struct server_options *out = context;
    if (strlen(given->value) > SERVER_KEY_BYTES_MAX || strpbrk(given->value, "\r\n") != NULL)
        return option_wrong_of("server", "--key", "…", "a key in one line of at most 16384 bytes");
    option_conceal(given, out->key_given);
    return option_text(given, out);
}

static bool read_jwt_secret(struct option_given *given, void *context)
{
    struct server_options *out = context;
    const size_t len = strlen(given->value);
    if (len == 0 || len > TOKEN_SECRET_BYTES_MAX)
        return option_wrong_of("server", "--jwt-secret", "…", "1 to 4095 bytes");
    option_conceal(given, out->secret_given);
    return option_text(given, out);
}

static bool read_candidate(struct option_given *given, void *out)
{
    const size_t len = strlen(given->value);
    return option_text(given, out) &&
           ((len > 0 && len <= TOKEN_NAME_BYTES_MAX) || option_wrong(given, "1 to 255 bytes"));
}

static bool read_config(struct option_given *given, void *out)
{
    return option_text(given, out) && (given->value[0] != '\0' || option_wrong(given, "a config id"));
}

static bool read_size(struct option_given *given, void *context)
{
    struct server_options *out = context;
    char *end = NULL;
    const unsigned long width = strtoul(given->value, &end, 10);
    const unsigned long height = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;
    if (*end != '\0' || width == 0 || height == 0 || width > JPEG_SIDE_MAX || height > JPEG_SIDE_MAX)
        return option_wrong(given, "WIDTHxHEIGHT, each from 1 to 4096, such as 1280x720");
    out->width = (unsigned)width;
    out->height = (unsigned)height;
    return true;
}

static bool wrong_requirement(struct option_given *given)
{
    char expected[OPTION_EXPECTED_MAX];
    struct text sentence = text_of(expected, sizeof expected);
    struct nearest nearest = nearest_to(bytes_of_text(given->value));
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (REQUIREMENTS[i].party == REQUIREMENT_SERVER)
            nearest_offer(&nearest, REQUIREMENTS[i].id);
    text_add(&sentence, "the id of a requirement of servers, such as OJ-SRV-09");
    text_add_nearest(&sentence, &nearest);
    return option_wrong(given, expected);
}

static bool read_requirement(struct option_given *given, void *context)
{
    struct server_options *out = context;
    const struct requirement *requirement = requirement_by_id(given->value);
    if (requirement == NULL || requirement->party != REQUIREMENT_SERVER)
        return wrong_requirement(given);
    if (out->requirement_count == RUN_PATTERNS_MAX)
        return option_wrong(given, "at most 32 of them");
    out->requirements[out->requirement_count++] = requirement->id;
    return true;
}

#define AT(member)                 OPTION_INTO(struct server_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct server_options, member, least, most)

static const struct option_row ROWS[] = {
    {.value = "Where"},
    {"url", "URL",
     "ws:// or wss://, as clients get it (default $OJIN_URL, of duplex $DUPLEX_URL,\n"
     "of interview $INTERVIEW_URL)",
     option_text, AT(url_text)},
    {"family", "NAME", "ojin (default), duplex or interview", option_family, AT(family), OPTION_FAMILY_WORDS},
    {"key", "KEY",
     "the right API key (default $OJIN_API_KEY, which other users do not see); of\n"
     "interview the candidate's token (default: token= of the URL, $INTERVIEW_TOKEN,\n"
     "or one made with --jwt-secret)",
     read_key, AT(key)},
    {"config", "ID",
     "a config_id that the server knows (default $OJIN_CONFIG_ID, or persona-1); of\n"
     "interview the id of an interview (default: that of the URL, or $INTERVIEW_ID)",
     read_config, AT(config)},
    {"jwt-secret", "SECRET",
     "of interview: what tokens are signed with (HS256), so that cases can make\n"
     "wrong ones; without it those cases are UNSUPPORTED (default\n"
     "$INTERVIEW_JWT_SECRET, which other users do not see)",
     read_jwt_secret, AT(jwt_secret)},
    {"candidate", "ID",
     "of interview: whose the tokens are that are made (default\n" TOKEN_CANDIDATE_DEFAULT ")",
     read_candidate, AT(candidate)},
    {"ca", "FILE", "CA certificates to trust in place of the system's (PEM)", option_text, AT(ca_file)},
    {"size", "WxH", "size of the config's pictures (default: that of the first one)", read_size, AT(width)},
    {.value = "What is run"},
    {"profile", "NAME",
     "oris-1.0, oris-1.0-earlier or flashhead-lite-1.0: what the server is held to;\n"
     "or auto (default): what it says in sessionReady (parameters.profile), else\n"
     "oris-1.0-earlier when frames come before any input, else oris-1.0.\n"
     "Of duplex video or audio (duplex-later, duplex-later-audio); auto is both\n"
     "modes, or the one that the URL names: mode=audio.\n"
     "Of interview interview-1.0 or interview-deployed; auto is how it says connected",
     option_text, AT(profile_name), .words = OPTION_PROFILES " auto"},
    {"run", "PATTERN", "run only cases that match (may be repeated): ojin/cancel/*", option_pattern, AT(run)},
    {"skip", "PATTERN", "leave out cases that match (may be repeated)", option_pattern, AT(skip)},
    {"requirement", "ID", "run only cases about this requirement (may be repeated)", read_requirement,
     AT(requirements)},
    {"cases", "DIR", "folder of the case files", option_text, AT(cases_folder)},
    {"provoke", "CMD",
     "command that brings about a condition that no client can, such as no-backend:\n"
     "called as CMD CONDITION URL and, afterwards, CMD restore URL; exit 0 done,\n"
     "77 cannot. `ojin-conform list --server` has the conditions;\n"
     "conformance/server-cases/README.md says what each has to bring about",
     option_text, AT(provoke)},
    {.value = "How it is judged"},
    {"inferred", NULL, "a broken MUST that the documents only imply fails the run too", option_flag,
     AT(inferred)},
    {"strict", NULL, "a broken SHOULD fails the run too", option_flag, AT(strict)},
    {"limit", "N",
     "multiply waits and the limit of each case by N, for a server that is far or\n"
     "slow (default 1)",
     read_number, RANGE(patience, 1, PATIENCE_MAX)},
    {"speed", "N",
     "the server divides the documented limits of minutes by N, as does\n"
     "ojin-mock --speed N (default 1)",
     read_number, RANGE(speed, 1, SPEED_MAX)},
    {.value = "Reports"},
    REPORT_ROWS(struct server_options, reports),
    {"out", "DIR", "folder for failing cases: wire journal, script, repro.sh (default conform-out)",
     option_text, AT(out_folder)},
    {"keep", NULL, "keep the folders of passing cases too", option_flag, AT(keep)},
    {.value = "Other"},
    {"jobs", "N", "cases, and so sessions, at the same time (default 4)", read_number,
     RANGE(jobs, 1, RUN_JOBS_MAX), .letter = 'j'},
    {"seed", "N", "seed of masks and nonces (default 1)", read_number, RANGE(seed, 0, UINT64_MAX)},
    OPTION_HELP_ROW,
};

const struct option_page SERVER_PAGE = {
    .command = "server",
    .brief = "tests a server: ojin-conform server --url URL",
    .stops = true,
    .indented = true,
    .before =
        "Usage: ojin-conform server --url URL [OPTION]…\n"
        "\n"
        "Tests the server at URL over the socket alone, and judges it by the documents. Each case makes its\n"
        "own connections.\n",
    OPTION_ROWS(ROWS),
    .column = 24,
    .after =
        "\n"
        "Exit: 0 all is well; 1 a MUST broken or not reached; 2 wrong usage or script; 3 our own error, or\n"
        "nothing to judge (no server there, a wrong key or config); 130 interrupted.\n",
};

static bool read_profile(struct server_options *out)
{
    const char *name = out->profile_name;
    char expected[OPTION_EXPECTED_MAX];
    if (name == NULL || strcmp(name, "auto") == 0)
        return true;
    out->profile = family_profile(out->family, name);
    option_profile_names(out->family, "auto", "", expected);
    return out->profile != NULL || option_wrong_of("server", "--profile", name, expected);
}

static void set_defaults(struct server_options *out)
{
    *out = (struct server_options){
        .family = FAMILIES[0],
        .candidate = TOKEN_CANDIDATE_DEFAULT,
        .patience = 1,
        .speed = 1,
        .jobs = SERVER_JOBS_DEFAULT,
        .seed = RUN_SEED_DEFAULT,
        .out_folder = RUN_OUT_FOLDER_DEFAULT,
        .colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL,
        .progress = isatty(STDERR_FILENO),
    };
    out->cases_folder = default_server_cases_folder(out->default_cases);
    out->speech_folder = default_speech_folder(out->default_speech);
    program_path("ojin-conform", out->program, sizeof out->program);
}

/* The member of the query that profiles have, such as "config_id=" or "token=": each case says it for itself.
 */
static size_t own_member(const struct family *family, const char *part)
{
    const char *query = family->profiles[0]->query;
    const size_t len = strcspn(query, "=") + 1;
    return query[0] != '\0' && strncmp(part, query, len) == 0 ? len : 0;
}

static bool is_key_member(const struct family *family)
{
    return strstr(family->profiles[0]->query, KEY) != NULL;
}

/* The profile whose query that member is; NULL: none. */
static const struct profile *profile_of_member(const struct family *family, const char *part, size_t len)
{
    for (size_t i = 0; family->profiles[i] != NULL; i++)
        if (bytes_equal_text(bytes_of(part, len), family->profiles[i]->query))
            return family->profiles[i];
    return NULL;
}

/* False when the URL names a mode that there is not. */
static bool split_target(struct server_options *out)
{
    const char *target = out->url.target;
    const size_t path_len = strcspn(target, "?");
    size_t len = 0;
    snprintf(out->path, sizeof out->path, "%.*s", (int)path_len, target);
    const char *at = target + path_len;
    while (*at != '\0') {
        at++;
        const size_t part = strcspn(at, "&");
        const size_t own = own_member(out->family, at);
        if (own > 0 && own <= part) {
            char *value = is_key_member(out->family) ? out->key_of_url : out->config_of_url;
            size_t decoded = 0;
            if (percent_decode(bytes_of(at + own, part - own), (uint8_t *)value, &decoded))
                value[decoded] = '\0';
            const bool is_mode = strchr(out->family->profiles[0]->query, '{') == NULL;
            const struct profile *named = profile_of_member(out->family, at, part);
            if (is_mode && named == NULL)
                return option_wrong_of("server", "--url", out->url_text, "a mode of the family, or none");
            if (out->profile_name == NULL)
                out->profile = named;
        } else {
            len += (size_t)snprintf(out->query + len, sizeof out->query - len, "%s%.*s", len > 0 ? "&" : "",
                                    (int)part, at);
        }
        at += part;
    }
    return true;
}

/* ---- key and config ---- */

struct bytes server_variable_of(const struct family *family, const char *what)
{
    for (const char *const *row = family->client_variables; *row != NULL; row++) {
        const size_t len = strcspn(*row, "=");
        if (strcmp(*row + len + 1, what) == 0)
            return bytes_of(*row, len);
    }
    return bytes_of(NULL, 0);
}

static const char *environment_of(const struct family *family, const char *what)
{
    char name[VARIABLE_MAX];
    struct text text = text_of(name, sizeof name);
    text_add_bytes(&text, server_variable_of(family, what));
    const char *value = getenv(name);
    return value == NULL || *value == '\0' ? NULL : value;
}

static const struct session_class *class_of(const struct server_options *out)
{
    return session_class_by_family(out->family->name);
}

/* What a report shows, and --provoke and a line that repeats a case are told. */
static void hide_key(struct server_options *out)
{
    if (out->key_of_url[0] == '\0')
        return;
    struct text text = text_of(out->url_without_key, sizeof out->url_without_key);
    text_add(&text, out->url.secure ? "wss://" : "ws://");
    text_add(&text, out->url.authority);
    text_add(&text, out->path);
    text_add(&text, out->query[0] != '\0' ? "?" : "");
    text_add(&text, out->query);
    out->url_text = out->url_without_key;
}

static bool make_token(struct server_options *out)
{
    const struct token_wish wish = {.kind = &TOKEN_KINDS[0],
                                    .secret = out->jwt_secret,
                                    .candidate = out->candidate,
                                    .interview = out->config,
                                    .now_s = (uint64_t)time(NULL),
                                    .seconds = TOKEN_SECONDS_DEFAULT};
    out->key = out->token;
    out->key_made = true;
    return token_make(&wish, out->token, sizeof out->token) ||
           option_wrong_of("server", "--jwt-secret", "…", "a secret that a token can be made with");
}

static bool settle_token(struct server_options *out)
{
    if (out->jwt_secret == NULL)
        out->jwt_secret = getenv(SERVER_JWT_SECRET_VARIABLE);
    if (out->jwt_secret != NULL && *out->jwt_secret == '\0')
        out->jwt_secret = NULL;
    if (out->key == NULL && out->jwt_secret != NULL)
        return make_token(out);
    if (out->key == NULL)
        fputs("ojin-conform server: no token: expected --key TOKEN, token=TOKEN in the URL, INTERVIEW_TOKEN, "
              "or --jwt-secret to make one\n",
              stderr);
    return out->key != NULL;
}

/* The id in the path of the URL; nothing where a family has it in the query. */
static void take_config_of_path(struct server_options *out)
{
    const struct http_head head = {.path = bytes_of_text(out->path)};
    size_t len = 0;
    if (class_of(out)->config_of != NULL &&
        class_of(out)->config_of(&head, (uint8_t *)out->config_of_url, sizeof out->config_of_url - 1, &len))
        out->config_of_url[len] = '\0';
}

static bool settle_key_and_config(struct server_options *out)
{
    if (out->jwt_secret != NULL && !class_of(out)->has_tokens)
        return option_wrong_of("server", "--jwt-secret", "…", "a family whose clients bring tokens");
    take_config_of_path(out);
    hide_key(out);
    if (out->config == NULL && out->config_of_url[0] != '\0')
        out->config = out->config_of_url;
    if (out->config == NULL)
        out->config = environment_of(out->family, CONFIG);
    if (out->config == NULL)
        out->config = "persona-1";
    if (out->key == NULL && out->key_of_url[0] != '\0')
        out->key = out->key_of_url;
    if (out->key == NULL)
        out->key = environment_of(out->family, KEY);
    if (class_of(out)->has_tokens)
        return settle_token(out);
    if (out->key == NULL)
        out->key = "ojin-conform-key"; /* right where any is */
    return true;
}

bool server_options_match(const struct server_options *options, const char *cell)
{
    bool matches = options->profile_count == 0 && options->profile == NULL;
    if (options->profile_count == 0 && options->profile != NULL)
        return profile_matches(options->profile, cell);
    for (size_t i = 0; i < options->profile_count; i++)
        matches = matches || profile_matches(options->profiles[i], cell);
    return matches;
}

static bool finish(struct server_options *out)
{
    char error[URL_TARGET_MAX];
    if (!read_profile(out))
        return false;
    if (out->url_text == NULL)
        out->url_text = getenv(out->family->url_variable);
    if (out->url_text == NULL) {
        fprintf(stderr, "ojin-conform server: no server: expected --url ws://HOST[:PORT]/PATH, or %s\n",
                out->family->url_variable);
        return false;
    }
    if (!url_parse(out->url_text, NULL, &out->url, error, sizeof error)) {
        fprintf(stderr, "ojin-conform server: %s\n", error);
        return false;
    }
    char sentence[PROVOKE_SENTENCE_MAX];
    if (out->provoke != NULL && !provoke_can_start(out->provoke, sentence)) {
        fprintf(stderr, "ojin-conform server: --provoke %s\n", sentence);
        return false;
    }
    if (!report_paths_check(&out->reports))
        return false;
    return split_target(out) && settle_key_and_config(out);
}

enum options_outcome server_options_parse(int argc, char *argv[], struct server_options *out)
{
    char **rest;
    set_defaults(out);
    const enum options_outcome outcome = conform_options_parse(&SERVER_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (*rest != NULL)
        fprintf(stderr, "ojin-conform server: unexpected '%s'\n", *rest);
    return *rest == NULL && finish(out) ? OPTIONS_RUN : option_hint("server");
}
