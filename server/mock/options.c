#define _GNU_SOURCE /* getopt_long */
#include "server/mock/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/wire/nearest.h"
#include "server/core/worker_pool.h"
#include "server/mock/help.h"
#include "server/mock/lists.h"
#include "server/mock/option_values.h"
#include "server/net/mock_server.h"

enum option_code {
    OPTION_PORT = 256,
    OPTION_LISTEN,
    OPTION_FAMILY,
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
    OPTION_SESSIONS,
    OPTION_WORKERS,
    OPTION_QUEUE,
    OPTION_PING,
    OPTION_PING_TIMEOUT,
    OPTION_TLS,
    OPTION_CERT,
    OPTION_KEY_FILE,
    OPTION_ALLOW_HOST,
    OPTION_CONTROL_ANYWHERE,
    OPTION_NO_CONTROL,
    OPTION_QUIRK,
    OPTION_FAULT,
    OPTION_LIST,
    OPTION_JSON,
    OPTION_FINDINGS,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option OPTIONS[] = {
    {"port", required_argument, NULL, OPTION_PORT},
    {"listen", required_argument, NULL, OPTION_LISTEN},
    {"family", required_argument, NULL, OPTION_FAMILY},
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
    {"sessions", required_argument, NULL, OPTION_SESSIONS},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"queue", required_argument, NULL, OPTION_QUEUE},
    {"ping", required_argument, NULL, OPTION_PING},
    {"ping-timeout", required_argument, NULL, OPTION_PING_TIMEOUT},
    {"tls", optional_argument, NULL, OPTION_TLS},
    {"cert", required_argument, NULL, OPTION_CERT},
    {"key-file", required_argument, NULL, OPTION_KEY_FILE},
    {"allow-host", required_argument, NULL, OPTION_ALLOW_HOST},
    {"control-anywhere", no_argument, NULL, OPTION_CONTROL_ANYWHERE},
    {"no-control", no_argument, NULL, OPTION_NO_CONTROL},
    {"quirk", required_argument, NULL, OPTION_QUIRK},
    {"fault", required_argument, NULL, OPTION_FAULT},
    {"list", required_argument, NULL, OPTION_LIST},
    {"json", no_argument, NULL, OPTION_JSON},
    {"findings", no_argument, NULL, OPTION_FINDINGS},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static enum options_result number_option(int option, const char *value, struct mock_options *out)
{
    static const char percent[] = "a percentage from 1 to 1000";
    static const char seconds[] = "whole seconds from 1 to 86400";
    uint64_t number = 0;
    switch (option) {
    case OPTION_PORT:
        if (!option_number(value, 0, 65535, &number))
            return option_wrong("port", "a number from 0 to 65535", value);
        out->port = (unsigned)number;
        break;
    case OPTION_SEED:
        if (!option_number(value, 0, UINT64_MAX, &out->seed))
            return option_wrong("seed", "a whole number", value);
        break;
    case OPTION_SESSIONS:
        if (!option_number(value, 1, MOCK_SESSIONS_MAX, &number))
            return option_wrong("sessions", "a whole number from 1 to 1024", value);
        out->sessions_max = (unsigned)number;
        break;
    case OPTION_WORKERS:
        if (!option_number(value, 1, WORKER_POOL_MAX, &number))
            return option_wrong("workers", "a whole number from 1 to 1000000", value);
        out->workers = (uint32_t)number;
        break;
    case OPTION_QUEUE:
        if (!option_number(value, 0, WORKER_POOL_MAX, &number))
            return option_wrong("queue", "a whole number from 0 to 1000000", value);
        out->queue = (uint32_t)number;
        out->queue_given = true;
        break;
    case OPTION_PING:
        if (!option_number(value, 1, MOCK_PING_SECONDS_MAX, &number))
            return option_wrong("ping", seconds, value);
        out->ping_s = (unsigned)number;
        break;
    case OPTION_PING_TIMEOUT:
        if (!option_number(value, 1, MOCK_PING_SECONDS_MAX, &number))
            return option_wrong("ping-timeout", seconds, value);
        out->ping_timeout_s = (unsigned)number;
        out->ping_timeout_given = true;
        break;
    case OPTION_SPEED:
        if (!option_number(value, 1, MOCK_SPEED_MAX, &number))
            return option_wrong("speed", "a whole number from 1 to 100000", value);
        out->speed = (uint32_t)number;
        break;
    case OPTION_SILENCE_PACE:
        if (!option_number(value, MOCK_PACE_PERCENT_MIN, MOCK_PACE_PERCENT_MAX, &number))
            return option_wrong("silence-pace", percent, value);
        out->silence_percent = (uint32_t)number;
        break;
    case OPTION_SPEECH_PACE:
        if (!option_number(value, MOCK_PACE_PERCENT_MIN, MOCK_PACE_PERCENT_MAX, &number))
            return option_wrong("speech-pace", percent, value);
        out->speech_percent = (uint32_t)number;
        break;
    default:
        return OPTIONS_WRONG;
    }
    return OPTIONS_RUN;
}

static enum options_result key_read(const char *value, struct mock_options *out)
{
    const char *fault = option_key_fault(value);
    if (fault != NULL)
        return option_complain("key", fault);
    memcpy(out->key_given, value, strlen(value) + 1);
    out->key = out->key_given;
    return OPTIONS_RUN;
}

/* Whom it trusts, and who may trust it. */
static enum options_result guard_option(int option, const char *value, struct mock_options *out)
{
    switch (option) {
    case OPTION_TLS:
        out->tls.on = true;
        return value == NULL ? OPTIONS_RUN : option_tls_fault(value, &out->tls.fault);
    case OPTION_CERT:
        out->tls.on = true;
        out->tls.cert_file = value;
        return OPTIONS_RUN;
    case OPTION_KEY_FILE:
        out->tls.key_file = value;
        return OPTIONS_RUN;
    case OPTION_ALLOW_HOST:
        return option_host(value, out);
    case OPTION_CONTROL_ANYWHERE:
        out->control_anywhere = true;
        return OPTIONS_RUN;
    case OPTION_NO_CONTROL:
        out->control = false;
        return OPTIONS_RUN;
    default:
        return number_option(option, value, out);
    }
}

static enum options_result option_read(int option, const char *value, struct mock_options *out)
{
    switch (option) {
    case OPTION_LISTEN:
        out->address = value;
        return OPTIONS_RUN;
    case OPTION_FAMILY: /* read before the others, which mean what the family makes of them */
        return OPTIONS_RUN;
    case OPTION_PROFILE:
        return option_profile(value, out);
    case OPTION_KEY:
        return key_read(value, out);
    case OPTION_CONFIG:
        return option_config(value, out);
    case OPTION_SIZE:
        return option_size(value, &out->width, &out->height)
                   ? OPTIONS_RUN
                   : option_wrong(
                         "size",
                         "WIDTHxHEIGHT, each a multiple of 16 from 160 to 2048, and below 384 wide a "
                         "height for the block code: at least 384 at 160 wide, 192 at 320",
                         value);
    case OPTION_JOURNAL:
        out->journal_path = value;
        return OPTIONS_RUN;
    case OPTION_SCRIPT:
        out->script_path = value;
        return OPTIONS_RUN;
    case OPTION_LOG:
        return option_log(value, &out->log);
    case OPTION_QUIRK:
        return option_quirk(value, out);
    case OPTION_FAULT: /* once the seed is known */
        out->fault = value;
        return out->fault_count++ == 0
                   ? OPTIONS_RUN
                   : option_complain("fault", "expected one fault: a session breaks in one way");
    case OPTION_LIST:
        return option_list(value, &out->list);
    case OPTION_JSON:
        out->json = true;
        return OPTIONS_RUN;
    case OPTION_FINDINGS:
        out->findings = true;
        return OPTIONS_RUN;
    case OPTION_HELP:
        for (size_t i = 0; OPTIONS_HELP[i] != NULL; i++)
            fputs(OPTIONS_HELP[i], stdout);
        return OPTIONS_DONE;
    case OPTION_VERSION:
        puts("ojin-mock " PROJECT_VERSION);
        return OPTIONS_DONE;
    default:
        return guard_option(option, value, out);
    }
}

static enum options_result not_understood(int option, const char *argument)
{
    const char *const name = argument + strspn(argument, "-");
    struct nearest nearest = nearest_to(bytes_of(name, strcspn(name, "=")));
    for (const struct option *known = OPTIONS; option == '?' && known->name != NULL; known++)
        nearest_offer(&nearest, known->name);
    if (nearest.name != NULL) {
        fprintf(stderr,
                "ojin-mock: %s is no option of this program; did you mean \"--%s\"? See ojin-mock --help\n",
                argument, nearest.name);
        return OPTIONS_WRONG;
    }
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

/* --list and --json come in either order, so the list is shown when all options are read. */
static enum options_result list_all(const struct mock_options *options)
{
    if (options->list == MOCK_LIST_NONE)
        return usage("--json goes with --list", NULL);
    list_print(options->list, options->families, options->family_count, options->json);
    return OPTIONS_DONE;
}

/* What options say together. */
static enum options_result settle(struct mock_options *out)
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
    if (out->control_anywhere && !out->control)
        return usage("--control-anywhere and --no-control exclude each other", NULL);
    return out->fault == NULL ? OPTIONS_RUN : option_fault(out->fault, out);
}

/* The words that may stand first are "exec", which starts a command beside the mock, and "token". */
static enum options_result not_an_argument(const char *word)
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
static enum options_result rest_read(bool is_exec, char **rest, struct mock_options *out)
{
    if (!is_exec && *rest != NULL)
        return not_an_argument(*rest);
    if (!is_exec && out->findings)
        return usage("--findings goes with exec", NULL);
    if (is_exec && (*rest == NULL || **rest == '\0'))
        return usage("exec needs a command, after \"--\"", NULL);
    out->command = is_exec ? rest : NULL;
    return OPTIONS_RUN;
}

/* "+": the words of a command are no options of ours, even without "--". */
static int next_option(int argc, char **argv)
{
    return getopt_long(argc, argv, "+:", OPTIONS, NULL);
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

static enum options_result family_read(int argc, char **argv, struct mock_options *out)
{
    enum options_result result = OPTIONS_RUN;
    bool named[MOCK_FAMILIES_MAX] = {false};
    int option;
    while (result == OPTIONS_RUN && (option = next_option(argc, argv)) != -1)
        if (option == OPTION_FAMILY)
            result = option_family(optarg, named);
    optind = 0; /* begins again */
    if (result == OPTIONS_RUN)
        families_take(named, out);
    return result;
}

enum options_result options_read(int argc, char **argv, struct mock_options *out)
{
    const char *key = getenv("OJIN_MOCK_KEY");
    const bool is_exec = argc > 1 && strcmp(argv[1], "exec") == 0;
    *out = (struct mock_options){.address = "127.0.0.1",
                                 .port = is_exec ? 0 : MOCK_PORT_DEFAULT,
                                 .seed = 1,
                                 .speed = 1,
                                 .key = key == NULL || *key == '\0' ? NULL : key,
                                 .log = is_exec ? MOCK_LOG_QUIET : MOCK_LOG_INFO,
                                 .queue = WORKER_QUEUE_DEFAULT,
                                 .ping_timeout_s = MOCK_PING_TIMEOUT_SECONDS_DEFAULT,
                                 .control = true,
                                 .silence_percent = SILENCE_PERCENT_DEFAULT,
                                 .speech_percent = SPEECH_PERCENT_DEFAULT};
    int option;
    opterr = 0; /* what is wrong is said here, in one line */
    argc -= is_exec ? 1 : 0;
    argv += is_exec ? 1 : 0;
    if (family_read(argc, argv, out) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    while ((option = next_option(argc, argv)) != -1) {
        enum options_result result = option == '?' || option == ':' ? not_understood(option, argv[optind - 1])
                                                                    : option_read(option, optarg, out);
        if (option == OPTION_KEY)
            memset(optarg, 'x', strlen(optarg));
        if (result != OPTIONS_RUN)
            return result;
    }
    if (out->list != MOCK_LIST_NONE || out->json)
        return list_all(out);
    if (out->key == key && key != NULL && *key != '\0' && option_key_fault(key) != NULL)
        return usage("OJIN_MOCK_KEY holds no key that a header can hold", NULL);
    const enum options_result rest = rest_read(is_exec, argv + optind, out);
    return rest == OPTIONS_RUN ? settle(out) : rest;
}

void options_free(struct mock_options *options)
{
    for (size_t i = 0; i < options->family_count; i++)
        behaviour_free(&options->families[i].behaviour);
}
