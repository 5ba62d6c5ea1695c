#define _GNU_SOURCE /* getopt_long */
#include "server/mock/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/ojin/constants.h"
#include "server/core/session.h"
#include "server/persona/persona.h"

static const char HELP[] =
    "Usage: ojin-mock [OPTION]...\n"
    "       ojin-mock exec [OPTION]... -- COMMAND [ARGUMENT]...\n"
    "Stands in for the Ojin realtime service: sends pictures and speech at the true pace, offline.\n"
    "\n"
    "      --port N            port to listen on, 0 for any free one (default 7700)\n"
    "      --listen ADDRESS    numeric address to listen on (default 127.0.0.1)\n"
    "      --profile NAME      revision of the protocol (default oris-1.0; see --list profiles)\n"
    "      --key KEY           the only right API key (default: any key; better given in OJIN_MOCK_KEY,\n"
    "                          where other users of the machine do not see it)\n"
    "      --config ID         the only known config_id (default: any)\n"
    "      --size WxH          size of the pictures (default 1280x720)\n"
    "      --seed N            where ids come from: same seed, same ids (default 1)\n"
    "      --speed N           divides the documented limits and waits, never the pace (default 1)\n"
    "      --silence-pace PERCENT\n"
    "                          pace of silence frames, of 25 a second (default 104)\n"
    "      --speech-pace PERCENT\n"
    "                          pace of speech frames, of real time (default 200)\n"
    "      --script FILE       play a script in place of the normal service; when it is over, the next\n"
    "                          connection runs it afresh\n"
    "      --journal FILE      write what crosses the wire as JSON lines, live; an old FILE is replaced\n"
    "      --log LEVEL         quiet: findings only; info: sessions too; debug: each message\n"
    "                          (default info)\n"
    "      --no-tap            for load: leave a client's socket to the library once its request is read;\n"
    "                          breaches of its framing are not found then, and nothing is sent in slices\n"
    "      --list WHAT         list \"profiles\" and leave\n"
    "      --help              show this and leave\n"
    "      --version           show the version and leave\n"
    "\n"
    "When it listens it prints one line of JSON on standard output, with the URL to connect to. What a\n"
    "client does against the documents shows as a finding on standard error. SIGINT and SIGTERM stop it.\n"
    "Exit status: 0 stopped, 1 could not run, 2 wrong usage or a script with a mistake.\n"
    "\n"
    "exec starts a mock on a free port for as long as COMMAND runs, and exits with its status. COMMAND\n"
    "finds the mock in OJIN_URL (and OJIN_WS_URL), OJIN_API_KEY and OJIN_CONFIG_ID, or where {url},\n"
    "{full_url}, {origin}, {key} or {config} stands in its words. Only findings are shown unless --log says\n"
    "otherwise.\n"
    "      --findings          exit with 1 when COMMAND succeeded but there were findings\n"
    "Exit status of exec: that of COMMAND, 128 + N when signal N ended it, 126 or 127 when it cannot be\n"
    "started.\n"
    "\n"
    "Example: ojin-mock exec --findings -- ojin-client speak hello.wav --no-video\n";

enum option_code {
    OPTION_PORT = 256,
    OPTION_LISTEN,
    OPTION_PROFILE,
    OPTION_SEED,
    OPTION_SPEED,
    OPTION_KEY,
    OPTION_CONFIG,
    OPTION_SIZE,
    OPTION_JOURNAL,
    OPTION_SCRIPT,
    OPTION_LOG,
    OPTION_SILENCE_PACE,
    OPTION_SPEECH_PACE,
    OPTION_NO_TAP,
    OPTION_LIST,
    OPTION_FINDINGS,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option OPTIONS[] = {
    {"port", required_argument, NULL, OPTION_PORT},
    {"listen", required_argument, NULL, OPTION_LISTEN},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"speed", required_argument, NULL, OPTION_SPEED},
    {"key", required_argument, NULL, OPTION_KEY},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"journal", required_argument, NULL, OPTION_JOURNAL},
    {"script", required_argument, NULL, OPTION_SCRIPT},
    {"log", required_argument, NULL, OPTION_LOG},
    {"silence-pace", required_argument, NULL, OPTION_SILENCE_PACE},
    {"speech-pace", required_argument, NULL, OPTION_SPEECH_PACE},
    {"no-tap", no_argument, NULL, OPTION_NO_TAP},
    {"list", required_argument, NULL, OPTION_LIST},
    {"findings", no_argument, NULL, OPTION_FINDINGS},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static enum options_result wrong(const char *option, const char *expected, const char *value)
{
    fprintf(stderr, "ojin-mock: --%s: expected %s, got \"%s\"\n", option, expected, value);
    return OPTIONS_WRONG;
}

/* Decimal digits only, from `min` to `max`. */
static bool number_read(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0 || value < min || value > max)
        return false;
    *out = value;
    return true;
}

static bool size_read(const char *text, struct mock_options *out)
{
    char side[8];
    const char *x = strchr(text, 'x');
    uint64_t width, height;
    if (x == NULL || (size_t)(x - text) >= sizeof side)
        return false;
    memcpy(side, text, (size_t)(x - text));
    side[x - text] = '\0';
    if (!number_read(side, PERSONA_SIDE_MIN, PERSONA_SIDE_MAX, &width) ||
        !number_read(x + 1, PERSONA_SIDE_MIN, PERSONA_SIDE_MAX, &height) || width % PERSONA_SIDE_STEP != 0 ||
        height % PERSONA_SIDE_STEP != 0)
        return false;
    out->width = (unsigned)width;
    out->height = (unsigned)height;
    return true;
}

static bool log_read(const char *text, enum mock_log *out)
{
    static const char *const names[] = {
        [MOCK_LOG_QUIET] = "quiet", [MOCK_LOG_INFO] = "info", [MOCK_LOG_DEBUG] = "debug"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], text) == 0) {
            *out = (enum mock_log)i;
            return true;
        }
    }
    return false;
}

static enum options_result list(const char *what)
{
    if (strcmp(what, "profiles") != 0)
        return wrong("list", "\"profiles\"", what);
    for (size_t i = 0; i < OJIN_PROFILE_COUNT; i++)
        printf("%-20s %s\n", OJIN_PROFILES[i].name, OJIN_PROFILES[i].title);
    return OPTIONS_DONE;
}

static enum options_result profile_read(const char *value, struct mock_options *out)
{
    out->profile = ojin_profile_by_name(value);
    return out->profile == NULL ? wrong("profile", "a name that --list profiles shows", value) : OPTIONS_RUN;
}

static enum options_result number_option(int option, const char *value, struct mock_options *out)
{
    static const char percent[] = "a percentage from 1 to 1000";
    uint64_t number = 0;
    switch (option) {
    case OPTION_PORT:
        if (!number_read(value, 0, 65535, &number))
            return wrong("port", "a number from 0 to 65535", value);
        out->port = (unsigned)number;
        break;
    case OPTION_SEED:
        if (!number_read(value, 0, UINT64_MAX, &out->seed))
            return wrong("seed", "a whole number", value);
        break;
    case OPTION_SPEED:
        if (!number_read(value, 1, MOCK_SPEED_MAX, &number))
            return wrong("speed", "a whole number from 1 to 100000", value);
        out->speed = (uint32_t)number;
        break;
    case OPTION_SILENCE_PACE:
        if (!number_read(value, MOCK_PACE_PERCENT_MIN, MOCK_PACE_PERCENT_MAX, &number))
            return wrong("silence-pace", percent, value);
        out->silence_percent = (uint32_t)number;
        break;
    case OPTION_SPEECH_PACE:
        if (!number_read(value, MOCK_PACE_PERCENT_MIN, MOCK_PACE_PERCENT_MAX, &number))
            return wrong("speech-pace", percent, value);
        out->speech_percent = (uint32_t)number;
        break;
    default:
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}

static enum options_result key_read(const char *value, struct mock_options *out)
{
    const size_t len = strlen(value);
    if (len == 0 || len > MOCK_KEY_BYTES_MAX)
        return wrong("key", "a key of 1 to 4095 bytes", len == 0 ? value : "a longer one");
    memcpy(out->key_given, value, len + 1);
    out->key = out->key_given;
    return OPTIONS_RUN;
}

static enum options_result option_read(int option, const char *value, struct mock_options *out)
{
    switch (option) {
    case OPTION_LISTEN:
        out->address = value;
        return OPTIONS_RUN;
    case OPTION_PROFILE:
        return profile_read(value, out);
    case OPTION_KEY:
        return key_read(value, out);
    case OPTION_CONFIG:
        out->config_id = value;
        return *value == '\0' ? wrong("config", "a config id", value) : OPTIONS_RUN;
    case OPTION_SIZE:
        return size_read(value, out)
                   ? OPTIONS_RUN
                   : wrong("size", "WIDTHxHEIGHT, each a multiple of 16 from 160 to 2048", value);
    case OPTION_JOURNAL:
        out->journal_path = value;
        return OPTIONS_RUN;
    case OPTION_SCRIPT:
        out->script_path = value;
        return OPTIONS_RUN;
    case OPTION_LOG:
        return log_read(value, &out->log) ? OPTIONS_RUN : wrong("log", "quiet, info or debug", value);
    case OPTION_NO_TAP:
        out->no_tap = true;
        return OPTIONS_RUN;
    case OPTION_LIST:
        return list(value);
    case OPTION_FINDINGS:
        out->findings = true;
        return OPTIONS_RUN;
    case OPTION_HELP:
        fputs(HELP, stdout);
        return OPTIONS_DONE;
    case OPTION_VERSION:
        puts("ojin-mock " PROJECT_VERSION);
        return OPTIONS_DONE;
    default:
        return number_option(option, value, out);
    }
}

static enum options_result not_understood(int option, const char *argument)
{
    fprintf(stderr, "ojin-mock: %s %s; see ojin-mock --help\n", argument,
            option == ':' ? "needs a value" : "is no option of this program");
    return OPTIONS_WRONG;
}

static enum options_result usage(const char *sentence, const char *word)
{
    fprintf(stderr, "ojin-mock: %s%s%s%s; see ojin-mock --help\n", sentence, word == NULL ? "" : " \"",
            word == NULL ? "" : word, word == NULL ? "" : "\"");
    return OPTIONS_WRONG;
}

/* What stands after the options: nothing, or the command of exec. */
static enum options_result rest_read(bool is_exec, char **rest, struct mock_options *out)
{
    if (!is_exec && *rest != NULL)
        return usage("there is no such argument as", *rest);
    if (!is_exec && out->findings)
        return usage("--findings goes with exec", NULL);
    if (is_exec && (*rest == NULL || **rest == '\0'))
        return usage("exec needs a command, after \"--\"", NULL);
    out->command = is_exec ? rest : NULL;
    return OPTIONS_RUN;
}

enum options_result options_read(int argc, char **argv, struct mock_options *out)
{
    const char *key = getenv("OJIN_MOCK_KEY");
    const bool is_exec = argc > 1 && strcmp(argv[1], "exec") == 0;
    *out = (struct mock_options){.address = "127.0.0.1",
                                 .port = is_exec ? 0 : MOCK_PORT_DEFAULT,
                                 .profile = &OJIN_PROFILES[0],
                                 .seed = 1,
                                 .speed = 1,
                                 .key = key == NULL || *key == '\0' ? NULL : key,
                                 .width = OJIN_PICTURE_WIDTH,
                                 .height = OJIN_PICTURE_HEIGHT,
                                 .log = is_exec ? MOCK_LOG_QUIET : MOCK_LOG_INFO,
                                 .silence_percent = SILENCE_PERCENT_DEFAULT,
                                 .speech_percent = SPEECH_PERCENT_DEFAULT};
    int option;
    opterr = 0; /* what is wrong is said here, in one line */
    argc -= is_exec ? 1 : 0;
    argv += is_exec ? 1 : 0;
    /* "+": the words of a command are no options of ours, even without "--". */
    while ((option = getopt_long(argc, argv, "+:", OPTIONS, NULL)) != -1) {
        enum options_result result = option == '?' || option == ':' ? not_understood(option, argv[optind - 1])
                                                                    : option_read(option, optarg, out);
        if (option == OPTION_KEY)
            memset(optarg, 'x', strlen(optarg));
        if (result != OPTIONS_RUN)
            return result;
    }
    return rest_read(is_exec, argv + optind, out);
}
