#define _GNU_SOURCE
#include "conformance/options/server_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/family.h"
#include "codec/media/jpeg.h"
#include "codec/rules/requirements.h"
#include "codec/wire/http_head.h"
#include "codec/wire/nearest.h"
#include "conformance/options/option_values.h"
#include "conformance/options/option_words.h"
#include "conformance/process/provoke.h"

enum { PATIENCE_MAX = 100, SPEED_MAX = 100000 };

static const char HELP[] =
    "Usage: ojin-conform server --url URL [OPTION]…\n"
    "\n"
    "Tests the server at URL over the socket alone, and judges it by the documents. Each case makes its\n"
    "own connections.\n"
    "\n"
    "Where\n"
    "      --url URL         ws:// or wss://, as clients get it (default $OJIN_URL, of duplex $DUPLEX_URL)\n"
    "      --family NAME     ojin (default) or duplex\n"
    "      --key KEY         the right API key (default $OJIN_API_KEY, which other users do not see)\n"
    "      --config ID       a config_id that the server knows (default $OJIN_CONFIG_ID, or persona-1)\n"
    "      --ca FILE         CA certificates to trust in place of the system's (PEM)\n"
    "      --size WxH        size of the config's pictures (default: that of the first one)\n"
    "\n"
    "What is run\n"
    "      --profile NAME    oris-1.0, oris-1.0-earlier or flashhead-lite-1.0: what the server is held to;\n"
    "                        or auto (default): what it says in sessionReady (parameters.profile), else\n"
    "                        oris-1.0-earlier when frames come before any input, else oris-1.0.\n"
    "                        Of duplex video or audio (duplex-later, duplex-later-audio); auto is both\n"
    "                        modes, or the one that the URL names: mode=audio\n"
    "      --run PATTERN     run only cases that match (may be repeated): ojin/cancel/*\n"
    "      --skip PATTERN    leave out cases that match (may be repeated)\n"
    "      --requirement ID  run only cases about this requirement (may be repeated)\n"
    "      --cases DIR       folder of the case files\n"
    "      --provoke CMD     command that brings about a condition that no client can, such as no-backend:\n"
    "                        called as CMD CONDITION URL and, afterwards, CMD restore URL; exit 0 done,\n"
    "                        77 cannot. `ojin-conform list --server` has the conditions;\n"
    "                        conformance/server-cases/README.md says what each has to bring about\n"
    "\n"
    "How it is judged\n"
    "      --inferred        a broken MUST that the documents only imply fails the run too\n"
    "      --strict          a broken SHOULD fails the run too\n"
    "      --limit N         multiply waits and the limit of each case by N, for a server that is far or\n"
    "                        slow (default 1)\n"
    "      --speed N         the server divides the documented limits of minutes by N, as does\n"
    "                        ojin-mock --speed N (default 1)\n"
    "\n"
    "Reports\n"
    "      --json FILE       the whole result as JSON (conformance/report.schema.json)\n"
    "      --junit FILE      JUnit XML\n"
    "      --tap FILE        TAP version 14, a point a case\n"
    "      --tap13 FILE      TAP version 13, for Perl's prove\n"
    "      --html FILE       one page for a browser: requirements, and each case as a picture of its "
    "session\n"
    "      --markdown FILE   a summary; with GITHUB_STEP_SUMMARY set it is added to that file too\n"
    "                        (FILE - is standard output; what people read then goes to standard error)\n"
    "      --verbose         also list what passed and what was not judged\n"
    "      --out DIR         folder for failing cases: wire journal, script, repro.sh (default conform-out)\n"
    "      --keep            keep the folders of passing cases too\n"
    "\n"
    "Other\n"
    "  -j, --jobs N          cases, and so sessions, at the same time (default 4)\n"
    "      --seed N          seed of masks and nonces (default 1)\n"
    "  -h, --help            print this help and exit\n"
    "\n"
    "Exit: 0 all is well; 1 a MUST broken or not reached; 2 wrong usage or script; 3 our own error, or\n"
    "nothing to judge (no server there, a wrong key or config); 130 interrupted.\n";

enum option_code {
    OPTION_URL = 256,
    OPTION_FAMILY,
    OPTION_KEY,
    OPTION_CONFIG,
    OPTION_CA,
    OPTION_SIZE,
    OPTION_PROFILE,
    OPTION_RUN,
    OPTION_SKIP,
    OPTION_REQUIREMENT,
    OPTION_CASES,
    OPTION_PROVOKE,
    OPTION_INFERRED,
    OPTION_STRICT,
    OPTION_LIMIT,
    OPTION_SPEED,
    OPTION_OUT,
    OPTION_KEEP,
    OPTION_SEED
};

static const struct option LONG_OPTIONS[] = {
    {"url", required_argument, NULL, OPTION_URL},
    {"family", required_argument, NULL, OPTION_FAMILY},
    {"key", required_argument, NULL, OPTION_KEY},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"ca", required_argument, NULL, OPTION_CA},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"run", required_argument, NULL, OPTION_RUN},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"requirement", required_argument, NULL, OPTION_REQUIREMENT},
    {"cases", required_argument, NULL, OPTION_CASES},
    {"provoke", required_argument, NULL, OPTION_PROVOKE},
    {"inferred", no_argument, NULL, OPTION_INFERRED},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"speed", required_argument, NULL, OPTION_SPEED},
    REPORT_LONG_OPTIONS,
    {"out", required_argument, NULL, OPTION_OUT},
    {"keep", no_argument, NULL, OPTION_KEEP},
    {"jobs", required_argument, NULL, 'j'},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool wrong(const char *option, const char *value, const char *expected)
{
    fprintf(stderr, "ojin-conform server: %s '%s': expected %s\n", option, value, expected);
    return false;
}

static bool read_number(const char *option, const char *text, unsigned long long min, unsigned long long max,
                        unsigned long long *out)
{
    char expected[80];
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < min || value > max) {
        snprintf(expected, sizeof expected, "a whole number from %llu to %llu", min, max);
        return wrong(option, text, expected);
    }
    *out = value;
    return true;
}

static bool read_size(const char *text, struct server_options *out)
{
    char *end = NULL;
    const unsigned long width = strtoul(text, &end, 10);
    const unsigned long height = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;
    if (*end != '\0' || width == 0 || height == 0 || width > JPEG_SIDE_MAX || height > JPEG_SIDE_MAX)
        return wrong("--size", text, "WIDTHxHEIGHT, each from 1 to 4096, such as 1280x720");
    out->width = (unsigned)width;
    out->height = (unsigned)height;
    return true;
}

static bool read_profile(struct server_options *out)
{
    const char *name = out->profile_name;
    char expected[OPTION_EXPECTED_MAX];
    if (name == NULL || strcmp(name, "auto") == 0)
        return true;
    out->profile = family_profile(out->family, name);
    option_profile_names(out->family, "auto", "", expected);
    return out->profile != NULL || wrong("--profile", name, expected);
}

static bool wrong_requirement(const char *text)
{
    char expected[OPTION_EXPECTED_MAX];
    struct text sentence = text_of(expected, sizeof expected);
    struct nearest nearest = nearest_to(bytes_of_text(text));
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (REQUIREMENTS[i].party == REQUIREMENT_SERVER)
            nearest_offer(&nearest, REQUIREMENTS[i].id);
    text_add(&sentence, "the id of a requirement of servers, such as OJ-SRV-09");
    text_add_nearest(&sentence, &nearest);
    return wrong("--requirement", text, expected);
}

static bool read_requirement(const char *text, struct server_options *out)
{
    const struct requirement *requirement = requirement_by_id(text);
    if (requirement == NULL || requirement->party != REQUIREMENT_SERVER)
        return wrong_requirement(text);
    if (out->requirement_count == RUN_PATTERNS_MAX)
        return wrong("--requirement", text, "at most 32 of them");
    out->requirements[out->requirement_count++] = requirement->id;
    return true;
}

static bool add_pattern(const char *option, const char *text, const char **list, size_t *count)
{
    if (*count == RUN_PATTERNS_MAX)
        return wrong(option, text, "at most 32 patterns");
    list[(*count)++] = text;
    return true;
}

/* Those whose value is taken as it stands. */
static bool take_text(int option, const char *value, struct server_options *out)
{
    switch (option) {
    case OPTION_URL:
        out->url_text = value;
        return true;
    case OPTION_CA:
        out->ca_file = value;
        return true;
    case OPTION_PROFILE:
        out->profile_name = value;
        return true;
    case OPTION_CASES:
        out->cases_folder = value;
        return true;
    case OPTION_PROVOKE:
        out->provoke = value;
        return true;
    case OPTION_OUT:
        out->out_folder = value;
        return true;
    default:
        return false;
    }
}

static bool take_flag(int option, struct server_options *out)
{
    switch (option) {
    case OPTION_INFERRED:
        return out->inferred = true;
    case OPTION_STRICT:
        return out->strict = true;
    case OPTION_KEEP:
        return out->keep = true;
    default:
        return false;
    }
}

/* False when the option's value is wrong. */
static bool take_option(int option, const char *value, struct server_options *out)
{
    unsigned long long number = 0;
    if (report_option_take(option, value, &out->reports) || take_text(option, value, out) ||
        take_flag(option, out))
        return true;
    switch (option) {
    case OPTION_FAMILY:
        return option_family("server", value, &out->family);
    case OPTION_KEY:
        out->key = value;
        return strpbrk(value, "\r\n") == NULL || wrong("--key", "…", "a key in one line");
    case OPTION_CONFIG:
        out->config = value;
        return value[0] != '\0' || wrong("--config", value, "a config id");
    case OPTION_SIZE:
        return read_size(value, out);
    case OPTION_RUN:
        return add_pattern("--run", value, out->run_patterns, &out->run_count);
    case OPTION_SKIP:
        return add_pattern("--skip", value, out->skip_patterns, &out->skip_count);
    case OPTION_REQUIREMENT:
        return read_requirement(value, out);
    case OPTION_LIMIT:
        if (!read_number("--limit", value, 1, PATIENCE_MAX, &number))
            return false;
        out->patience = (unsigned)number;
        return true;
    case OPTION_SPEED:
        if (!read_number("--speed", value, 1, SPEED_MAX, &number))
            return false;
        out->speed = (unsigned)number;
        return true;
    case OPTION_SEED:
        return read_number("--seed", value, 0, UINT64_MAX, &out->seed);
    case 'j':
        if (!read_number("--jobs", value, 1, RUN_JOBS_MAX, &number))
            return false;
        out->jobs = (unsigned)number;
        return true;
    default: /* option_next has said what is wrong */
        return false;
    }
}

static void find_program(struct server_options *out)
{
    const ssize_t len = readlink("/proc/self/exe", out->program, sizeof out->program - 1);
    if (len <= 0)
        snprintf(out->program, sizeof out->program, "ojin-conform");
    else
        out->program[len] = '\0';
}

static void set_defaults(struct server_options *out)
{
    *out = (struct server_options){
        .family = FAMILIES[0],
        .key = getenv("OJIN_API_KEY"),
        .config = getenv("OJIN_CONFIG_ID"),
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
    find_program(out);
}

/* The member of the query that profiles have, such as "config_id=": each case says it for itself. */
static size_t own_member(const struct family *family, const char *part)
{
    const char *query = family->profiles[0]->query;
    const size_t len = strcspn(query, "=") + 1;
    return query[0] != '\0' && strncmp(part, query, len) == 0 ? len : 0;
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
            size_t decoded = 0;
            if (percent_decode(bytes_of(at + own, part - own), (uint8_t *)out->config_of_url, &decoded))
                out->config_of_url[decoded] = '\0';
            const bool is_mode = strchr(out->family->profiles[0]->query, '{') == NULL;
            const struct profile *named = profile_of_member(out->family, at, part);
            if (is_mode && named == NULL)
                return wrong("--url", out->url_text, "a mode of the family, or none");
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
    if (!split_target(out))
        return false;
    if (out->config == NULL)
        out->config = out->config_of_url[0] != '\0' ? out->config_of_url : "persona-1";
    if (out->key == NULL)
        out->key = "ojin-conform-key"; /* right where any is */
    return true;
}

enum options_outcome server_options_parse(int argc, char *argv[], struct server_options *out)
{
    enum options_outcome outcome = OPTIONS_RUN;
    set_defaults(out);
    optind = 1;
    for (int option = 0; outcome == OPTIONS_RUN &&
                         (option = option_next(argc, argv, "+hj:", LONG_OPTIONS, "server", HELP)) != -1;) {
        if (option == 'h') {
            fputs(HELP, stdout);
            outcome = OPTIONS_DONE;
        } else if (!take_option(option, optarg, out)) {
            outcome = OPTIONS_WRONG;
        }
    }
    if (outcome == OPTIONS_RUN && optind < argc) {
        fprintf(stderr, "ojin-conform server: unexpected '%s'\n", argv[optind]);
        outcome = OPTIONS_WRONG;
    }
    if (outcome == OPTIONS_RUN && !finish(out))
        outcome = OPTIONS_WRONG;
    if (outcome == OPTIONS_WRONG)
        fputs("Try 'ojin-conform server --help'.\n", stderr);
    return outcome;
}
