#include "server/mock/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "codec/program/version.h"
#include "codec/wire/nearest.h"
#include "server/core/worker_pool.h"
#include "server/mock/lists.h"
#include "server/mock/option_values.h"
#include "server/mock/token_command.h"
#include "server/net/mock_server.h"
#include "server/token/token.h"

/* ---- readers ---- */

/* Read before the others, which mean what the family makes of them. */
static bool family_is_read(struct option_given *given, void *out)
{
    (void)given;
    (void)out;
    return true;
}

static bool read_key(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    return option_secret(given, out, option_key_fault(given->value), out->key_given);
}

static bool read_jwt_secret(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    return option_secret(given, out, option_jwt_secret_fault(given->value), out->secret_given);
}

static bool read_queue(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    out->queue_given = true;
    return mock_number(given, out);
}

static bool read_ping_timeout(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    out->ping_timeout_given = true;
    return mock_number(given, out);
}

static bool read_cert(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    out->tls.on = true;
    return option_text(given, out);
}

/* What it means is known once all options are. */
static bool read_fault(struct option_given *given, void *context)
{
    struct mock_options *out = context;
    return out->fault == NULL ? option_text(given, out)
                              : option_complain("fault", "expected one fault: a session breaks in one way");
}

#define AT(member)                 OPTION_INTO(struct mock_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct mock_options, member, least, most)

static const struct option_row ROWS[] = {
    {"port", "N", "port to listen on, 0 for any free one (default 7700)", mock_number,
     RANGE(port, 0, UINT16_MAX)},
    {"listen", "ADDRESS", "numeric address to listen on (default 127.0.0.1)", option_text, AT(address)},
    {"allow-host", "NAME", "also accept requests for host NAME (no port), as containers use it (up to 16)",
     option_host, AT(hosts)},
    {"tls", "[=FAULT]",
     "serve wss:// with a certificate made at the start; the ready line names the\n"
     "CA file. FAULT makes the certificate wrong: expired, not-yet-valid,\n"
     "self-signed or wrong-host",
     option_tls, AT(tls)},
    {"cert", "FILE",
     "serve wss:// with the certificate in FILE (PEM), also without --tls. The\n"
     "client has to trust it by itself: exec names no CA file",
     read_cert, AT(tls.cert_file)},
    {"key-file", "FILE", "private key of --cert, when it is not in the same file", option_text,
     AT(tls.key_file)},
    {"family", "NAMES",
     "protocols to serve, separated by commas: ojin at /realtime, duplex at\n"
     "/v1/realtime?mode=video and ?mode=audio, interview at\n"
     "/api/v1/interviews/UUID/realtime/connect (default: all)",
     family_is_read, AT(families), .words = "ojin duplex interview"},
    {"profile", "NAME",
     "revision or mode of a protocol, once for each family (default oris-1.0, video\n"
     "and interview-1.0; see --list profiles)",
     option_profile, AT(profiles),
     .words = "oris-1.0 oris-1.0-earlier flashhead-lite-1.0 video audio duplex-later duplex-later-audio "
              "interview-1.0 interview-deployed"},
    {"key", "KEY",
     "the only API key to accept (default: any). In OJIN_MOCK_KEY other users of\n"
     "this machine do not see it. Full-duplex clients need no key, interview\n"
     "clients a token",
     read_key, AT(key)},
    {"config", "ID", "the only config_id to accept (default: any)", option_config, AT(config_id)},
    {"jwt-secret", "SECRET",
     "secret that the tokens of interview clients are signed with (HS256). In\n"
     "OJIN_MOCK_JWT_SECRET other users of this machine do not see it. Default: a\n"
     "public one, " TOKEN_SECRET_DEFAULT,
     read_jwt_secret, AT(jwt_secret)},
    {"candidate", "ID",
     "whose the interviews are: the only sub of a token to accept (default\n" TOKEN_CANDIDATE_DEFAULT ")",
     option_name, AT(candidate)},
    {"interview", "UUID", "the only interview to accept (default: any UUID)", option_name, AT(interview)},
    {"size", "WxH",
     "size of the pictures (default 1280x720): multiples of 16 from 160 to 2048. The\n"
     "least height is 384 at width 160, 192 at 320, 160 from 384 on",
     option_size, AT(width)},
    {"seed", "N",
     "seed of the ids: same seed, same ids (default 1). The ids of full-duplex\n"
     "sessions also hold the time",
     mock_number, RANGE(seed, 0, UINT64_MAX)},
    {"speed", "N", "divide the documented limits and waits by N; the pace stays (default 1)", mock_number,
     RANGE(speed, 1, MOCK_SPEED_MAX)},
    {"silence-pace", "PERCENT", "pace of silence frames, in percent of 25 a second (default 104)",
     mock_number, RANGE(silence_percent, MOCK_PACE_PERCENT_MIN, MOCK_PACE_PERCENT_MAX)},
    {"speech-pace", "PERCENT", "pace of speech frames, in percent of real time (default 200)", mock_number,
     RANGE(speech_percent, MOCK_PACE_PERCENT_MIN, MOCK_PACE_PERCENT_MAX)},
    {"quirk", "NAME[=VALUE]",
     "do what deployed servers do beyond the documents (--list quirks). May be\n"
     "repeated. NAME is set in every family that has it and takes the value,\n"
     "FAMILY:NAME in one family; the same holds for --fault",
     option_quirk, AT(families)},
    {"fault", "NAME[=VALUE]",
     "break every session in this way (--list faults). A client that can only choose\n"
     "its config_id, or the id of its interview, asks for a quirk or fault by\n"
     "mock.NAME (--list cards)",
     read_fault, AT(fault)},
    {"workers", "N",
     "maximum sessions served at once, in a family that has a queue; further ones\n"
     "wait (default: no limit)",
     mock_number, RANGE(workers, 1, WORKER_POOL_MAX)},
    {"queue", "N",
     "with --workers: maximum sessions that wait; further ones are refused\n"
     "(default 100)",
     read_queue, RANGE(queue, 0, WORKER_POOL_MAX)},
    {"ping", "SECONDS", "ping every client every SECONDS (default: never)", mock_number,
     RANGE(ping_s, 1, MOCK_PING_SECONDS_MAX)},
    {"ping-timeout", "SECONDS", "with --ping: drop a client without an answer for SECONDS (default 20)",
     read_ping_timeout, RANGE(ping_timeout_s, 1, MOCK_PING_SECONDS_MAX)},
    {"sessions", "N",
     "maximum concurrent sessions; further ones get 503 (default 2048,\n"
     "the maximum)",
     mock_number, RANGE(sessions_max, 1, MOCK_SESSIONS_MAX)},
    {"script", "FILE",
     "play the server block of a script in place of the normal service, at the\n"
     "endpoint of the family that its case is named after; once it is over, the\n"
     "next connection plays it from the start. Plan and checks are not read:\n"
     "ojin-conform check FILE checks the whole file",
     option_text, AT(script_path)},
    {"journal", "FILE", "write what crosses the wire as JSON lines, live; replaces an old FILE", option_text,
     AT(journal_path)},
    {"log", "LEVEL",
     "quiet: findings only; info: sessions too, and why the mock refused or closed\n"
     "one; debug: each message (default info)",
     option_log, AT(log)},
    {"control-anywhere", NULL, "let other machines reach the control interface (/__mock/) too", option_flag,
     AT(control_anywhere)},
    {"no-control", NULL, "serve no control interface", option_flag, AT(no_control)},
    {"until-stdin-closes", NULL,
     "also stop when standard input, a pipe, is closed: as soon as the process that\n"
     "started the mock is gone, even if it was killed",
     option_flag, AT(until_stdin_closes)},
    {"list", "WHAT", "list profiles, quirks, faults or cards and exit; with --json for scripts", option_list,
     AT(list), .words = "profiles quirks faults cards"},
    {"json", NULL, NULL, option_flag, AT(json)},
    OPTION_HELP_ROW_WITHOUT_LETTER,
    OPTION_VERSION_ROW,
    OPTION_BUILD_ROWS,
    {.help =
         "\n"
         "When it listens it prints one line of JSON with the URL to connect to on standard output. It "
         "prints a\n"
         "finding on standard error for whatever a client does against the documents. SIGINT and SIGTERM "
         "stop it.\n"
         "Exit status: 0 stopped, 1 could not run, 2 wrong usage or a script with a mistake.\n"
         "\n"
         "exec runs COMMAND beside a mock on a free port, and exits with the status of COMMAND. The mock's "
         "URL, key\n"
         "and config are in OJIN_URL (and OJIN_WS_URL), OJIN_API_KEY and OJIN_CONFIG_ID, for full-duplex "
         "clients in\n"
         "DUPLEX_URL, for interview clients in INTERVIEW_URL, INTERVIEW_ID and INTERVIEW_TOKEN. {url}, "
         "{full_url},\n"
         "{origin}, {key} and {config} in the arguments are filled in: those of the first family that is "
         "served; of\n"
         "the interview family the key is the token, and the config the interview. OJIN_AUDIO, "
         "DUPLEX_AUDIO,\n"
         "INTERVIEW_AUDIO and {audio} name a WAV file to speak,\n"
         "DUPLEX_VIDEO and {video} a folder of pictures; variables that are set already stay. With --tls the "
         "CA\n"
         "file is in CONFORM_CA, SSL_CERT_FILE and NODE_EXTRA_CA_CERTS. It prints only findings, unless "
         "--log says\n"
         "otherwise.\n"},
    {"findings", NULL,
     "exit with 1 when COMMAND succeeded but there were findings. Whatever the mock\n"
     "had to answer with an error counts as one; a failed step of a script is\n"
     "printed, and does not count",
     option_flag, AT(findings)},
};

/* Stops: the words of a command are no options of ours, even without "--". */
static const struct option_page MOCK_PAGE = {
    .stops = true,
    .indented = true,
    .before = "Usage: ojin-mock [OPTION]...\n"
              "       ojin-mock exec [OPTION]... -- COMMAND [ARGUMENT]...\n"
              "\n"
              "Runs a mock of the Ojin realtime service, of a full-duplex speech service and of a realtime "
              "interview\n"
              "service on one port, offline, with pictures and speech at the true pace.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .list_column = 26,
    .column = 26,
    .after =
        "Exit status of exec: that of COMMAND, 128 + N when signal N ended it, 126 or 127 when it cannot be\n"
        "started.\n"
        "\n"
        "token prints a JSON Web Token for a client of the interview protocol; see ojin-mock token --help.\n"
        "\n"
        "Example: ojin-mock exec --findings -- ojin-client speak hello.wav --no-video\n"
        "Example: ojin-mock exec -- ojin-client speak {audio} --url {url} --no-video\n"
        "Example: ojin-mock exec --quirk speech-rate=40 -- ojin-client speak hello.wav --no-video\n"
        "Example: ojin-mock exec --config mock.one-byte-slices -- ojin-client speak hello.wav --no-video\n"
        "Example: ojin-mock exec --tls -- ojin-client speak hello.wav --no-video\n"
        "Example: ojin-mock exec --quirk wait=2s -- ojin-client talk --mode audio --audio hello.wav\n"
        "Example: ojin-mock --family duplex --list faults\n",
};

static const struct option_page EXEC_PAGE = {
    .command = "exec", .brief = "runs a command beside the mock", OPTION_ROWS(ROWS)};
static const struct option_page *const PAGES[] = {&MOCK_PAGE, &EXEC_PAGE, &TOKEN_PAGE, NULL};
static const struct option_program PROGRAM = {.name = "ojin-mock",
                                              .complain = mock_complain,
                                              .print_version = program_version_print,
                                              .summary = "mock of realtime speech services",
                                              .pages = PAGES};

/* ---- what they say together ---- */

static enum options_outcome usage(const char *sentence, const char *word)
{
    fprintf(stderr, "ojin-mock: %s%s%s%s; see ojin-mock --help\n", sentence, word == NULL ? "" : " \"",
            word == NULL ? "" : word, word == NULL ? "" : "\"");
    return OPTIONS_WRONG;
}

/* --list and --json come in either order, so the list is shown when all options are read. */
static enum options_outcome list_all(const struct mock_options *options)
{
    if (options->list == MOCK_LIST_NONE)
        return usage("--json goes with --list", NULL);
    list_print(options->list, options->families, options->family_count, options->json);
    return OPTIONS_DONE;
}

/* What options say together. */
static enum options_outcome settle(struct mock_options *out)
{
    for (size_t i = 0; i < out->family_count; i++)
        out->families[i].behaviour.seed = out->seed;
    if (out->fault != NULL && out->script_path != NULL)
        return usage("--fault and --script exclude each other: a script breaks what it wants itself", NULL);
    if (out->tls.key_file != NULL && out->tls.cert_file == NULL)
        return usage("--key-file goes with --cert", NULL);
    if (out->tls.cert_file != NULL && out->tls.fault != TLS_SOUND)
        return usage("--tls=FAULT and --cert exclude each other: a fault is in a certificate made here",
                     NULL);
    if (out->queue_given && out->workers == 0)
        return usage("--queue goes with --workers", NULL);
    if (out->ping_timeout_given && out->ping_s == 0)
        return usage("--ping-timeout goes with --ping", NULL);
    if (out->control_anywhere && out->no_control)
        return usage("--control-anywhere and --no-control exclude each other", NULL);
    return out->fault == NULL || option_fault(out->fault, out) ? OPTIONS_RUN : OPTIONS_WRONG;
}

/* The words that may stand first are "exec", which starts a command beside the mock, and "token". */
static enum options_outcome not_an_argument(const char *word)
{
    struct nearest nearest = nearest_to(bytes_of_text(word));
    nearest_offer(&nearest, "exec");
    nearest_offer(&nearest, "token");
    if (nearest.name == NULL)
        return usage("there is no such argument as", word);
    fprintf(stderr,
            "ojin-mock: there is no such argument as \"%s\"; did you mean \"%s\"? See ojin-mock --help\n",
            word, nearest.name);
    return OPTIONS_WRONG;
}

/* What stands after the options: nothing, or the command of exec. */
static enum options_outcome rest_read(bool is_exec, char **rest, struct mock_options *out)
{
    if (!is_exec && *rest != NULL)
        return not_an_argument(*rest);
    if (!is_exec && out->findings)
        return usage("--findings goes with exec", NULL);
    if (is_exec && (*rest == NULL || **rest == '\0'))
        return usage("exec needs a command, after \"--\"", NULL);
    if (is_exec && out->until_stdin_closes)
        return usage("--until-stdin-closes does not go with exec, which ends with its command", NULL);
    out->command = is_exec ? rest : NULL;
    return OPTIONS_RUN;
}

/* Those that were named, or all; in the registry's order, whatever the order of the names. */
static void families_take(const bool *named, struct mock_options *out)
{
    bool any = false;
    for (size_t i = 0; SESSION_CLASSES[i] != NULL && i < MOCK_FAMILIES_MAX; i++)
        any = any || named[i];
    for (size_t i = 0; SESSION_CLASSES[i] != NULL && i < MOCK_FAMILIES_MAX; i++) {
        if (any && !named[i])
            continue;
        const struct family *family = SESSION_CLASSES[i]->family;
        struct family_behaviour *taken = &out->families[out->family_count];
        *taken = (struct family_behaviour){.class = SESSION_CLASSES[i]};
        behaviour_init(&taken->behaviour);
        out->profiles[out->family_count++] = family->profiles[0];
        if (out->width != 0)
            continue;
        out->width = family->picture_width;
        out->height = family->picture_height;
    }
}

static bool visit_family(struct option_given *given, void *named)
{
    return given->fault != OPTION_IS_SOUND || given->row->read != family_is_read ||
           option_family(given->value, named);
}

enum options_outcome options_read(int argc, char **argv, struct mock_options *out)
{
    const char *key = getenv("OJIN_MOCK_KEY"), *secret = getenv("OJIN_MOCK_JWT_SECRET");
    const bool is_exec = argc > 1 && strcmp(argv[1], "exec") == 0;
    bool named[MOCK_FAMILIES_MAX] = {false};
    char **rest;
    *out = (struct mock_options){.address = "127.0.0.1",
                                 .port = is_exec ? 0 : MOCK_PORT_DEFAULT,
                                 .seed = 1,
                                 .speed = 1,
                                 .key = key == NULL || *key == '\0' ? NULL : key,
                                 .jwt_secret = secret == NULL || *secret == '\0' ? NULL : secret,
                                 .log = is_exec ? MOCK_LOG_QUIET : MOCK_LOG_INFO,
                                 .queue = WORKER_QUEUE_DEFAULT,
                                 .ping_timeout_s = MOCK_PING_TIMEOUT_SECONDS_DEFAULT,
                                 .silence_percent = SILENCE_PERCENT_DEFAULT,
                                 .speech_percent = SPEECH_PERCENT_DEFAULT};
    argc -= is_exec ? 1 : 0;
    argv += is_exec ? 1 : 0;
    if (options_walk(&PROGRAM, &MOCK_PAGE, argc, argv, visit_family, named, &rest) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    families_take(named, out);
    const enum options_outcome outcome = options_parse(&PROGRAM, &MOCK_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (out->list != MOCK_LIST_NONE || out->json)
        return list_all(out);
    if (out->key == key && key != NULL && *key != '\0' && option_key_fault(key) != NULL)
        return usage("OJIN_MOCK_KEY holds no key that a header can hold", NULL);
    if (out->jwt_secret != NULL && option_jwt_secret_fault(out->jwt_secret) != NULL)
        return usage("OJIN_MOCK_JWT_SECRET holds no secret of 1 to 4095 bytes", NULL);
    const enum options_outcome words = rest_read(is_exec, rest, out);
    return words == OPTIONS_RUN ? settle(out) : words;
}

void options_free(struct mock_options *options)
{
    for (size_t i = 0; i < options->family_count; i++)
        behaviour_free(&options->families[i].behaviour);
}
