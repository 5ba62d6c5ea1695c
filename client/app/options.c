#include "client/app/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/core/reconnect.h"
#include "codec/ojin/profile.h"
#include "codec/wire/help_words.h"

enum { NEAR_BYTES_MAX = 80 };

static const char SPEAK_HELP[] =
    "Usage: ojin-client speak FILE.wav --url URL --key KEY --config ID [options]\n"
    "\n"
    "Speaks a sound file to an Ojin server, plays what comes back in real time and\n"
    "writes it as a video with its sound.\n"
    "\n"
    "  --url URL        ws:// or wss:// URL of the server   [OJIN_URL, OJIN_WS_URL]\n"
    "  --key KEY        API key                             [OJIN_API_KEY]\n"
    "  --config ID      config id                           [OJIN_CONFIG_ID]\n"
    "  --profile NAME   oris-1.0 (default), oris-1.0-earlier, flashhead-lite-1.0\n"
    "  --video FILE     file for the video                  [FILE.avi in this directory]\n"
    "  --out DIR        directory for the video\n"
    "  --no-video       write no video\n"
    "  --json FILE      write the summary as JSON too\n"
    "  --ca FILE        CA certificates to trust for wss:// (PEM)\n"
    "  --timeout S      give up after S seconds\n"
    "  --reconnect[=N]  try again when the connection is lost or refused, up to N times in\n"
    "                   a row (default 5), with growing delays; speech cut off is not sent again\n"
    "  --ready-timeout S\n"
    "                   wait S seconds for the upgrade, and again for sessionReady (default 10)\n"
    "  --ping S         ping every S seconds (default 30), and wait S/3 seconds for the pong\n"
    "  --no-deflate     offer no compressed messages (permessage-deflate)\n"
    "  --quiet          print no progress and no summary\n"
    "  --help           print this help and exit\n"
    "\n"
    "FILE.wav is not needed when OJIN_AUDIO names a file.\n"
    "Exit: 0 done; 1 the server refused, failed, never came or sent no speech;\n"
    "2 wrong usage or an unusable sound file.\n";

const char *environment(const char *name, const char *other_name)
{
    const char *value = getenv(name);
    if (value != NULL && value[0] != '\0')
        return value;
    value = other_name != NULL ? getenv(other_name) : NULL;
    return value != NULL && value[0] != '\0' ? value : NULL;
}

int usage_error(const char *command, const char *what, const char *word)
{
    fprintf(stderr, "ojin-client: %s%s%s%s (try: ojin-client %s%s--help)\n", what, word != NULL ? " '" : "",
            word != NULL ? word : "", word != NULL ? "'" : "", command, command[0] != '\0' ? " " : "");
    return EXIT_USAGE;
}

int usage_no_option(const char *command, const char *word, const char *help)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    text_add_near_option(&text, word, help);
    fprintf(stderr, "ojin-client: no such option: '%s'%s (try: ojin-client %s --help)\n", word, near,
            command);
    return EXIT_USAGE;
}

bool number_parse(const char *text, unsigned min, unsigned max, unsigned *out)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9')
        return false;
    unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' || value < min || value > max)
        return false;
    *out = (unsigned)value;
    return true;
}

static enum option_result wrong(const char *command, const char *what, const char *word)
{
    (void)usage_error(command, what, word);
    return OPTION_WRONG;
}

enum option_result session_option_take(const char *command, int argc, char **argv, int *at,
                                       struct session_options *out)
{
    static const char RECONNECT[] = "--reconnect";
    const char *word = argv[*at];
    size_t len = sizeof RECONNECT - 1;
    if (strncmp(word, RECONNECT, len) == 0 && (word[len] == '\0' || word[len] == '=')) {
        unsigned times = RECONNECT_TIMES_DEFAULT;
        if (word[len] == '=' && !number_parse(word + len + 1, 0, RECONNECT_TIMES_MAX, &times))
            return wrong(command, "--reconnect takes 0 to 100 times, not", word + len + 1);
        out->reconnect_times = times;
        return OPTION_TAKEN;
    }
    if (strcmp(word, "--no-deflate") == 0) {
        out->no_deflate = true;
        return OPTION_TAKEN;
    }
    const bool is_ready = strcmp(word, "--ready-timeout") == 0;
    if (!is_ready && strcmp(word, "--ping") != 0)
        return OPTION_UNKNOWN;
    if (++*at == argc)
        return wrong(command, "a value is missing after", word);
    if (is_ready && !number_parse(argv[*at], 1, 3600, &out->ready_wait_s))
        return wrong(command, "--ready-timeout takes 1 to 3600 seconds, not", argv[*at]);
    if (!is_ready && !number_parse(argv[*at], 1, 3600, &out->ping_s))
        return wrong(command, "--ping takes 1 to 3600 seconds, not", argv[*at]);
    return OPTION_TAKEN;
}

enum option_result string_option_take(const char *command, int argc, char **argv, int *at,
                                      const struct string_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(argv[*at], options[i].name) != 0)
            continue;
        if (++*at == argc)
            return wrong(command, "a value is missing after", options[i].name);
        *options[i].value = argv[*at];
        return OPTION_TAKEN;
    }
    return OPTION_UNKNOWN;
}

/* True when `word` is one of the options that stand alone. */
static bool parse_flag(const char *word, struct speak_options *options)
{
    if (strcmp(word, "--quiet") == 0)
        options->quiet = true;
    else if (strcmp(word, "--no-video") == 0)
        options->no_video = true;
    else
        return false;
    return true;
}

/* Takes the key from the command line. */
static bool take_key(char *word, struct speak_options *options)
{
    const size_t len = strlen(word);
    if (len > SPEAK_KEY_BYTES_MAX)
        return usage_error("speak", "--key takes at most 4095 bytes", NULL), false;
    memcpy(options->key_given, word, len + 1);
    options->key = options->key_given;
    memset(word, 'x', len);
    return true;
}

static bool parse_words(int argc, char **argv, struct speak_options *options, int *exit_code)
{
    const char *profile = "oris-1.0";
    const char *timeout = NULL;
    const struct string_option strings[] = {
        {"--url", &options->url},   {"--key", &options->key},     {"--config", &options->config},
        {"--profile", &profile},    {"--video", &options->video}, {"--out", &options->out_directory},
        {"--json", &options->json}, {"--ca", &options->ca_file},  {"--timeout", &timeout},
    };
    *exit_code = EXIT_USAGE;
    for (int i = 0; i < argc; i++) {
        enum option_result taken = session_option_take("speak", argc, argv, &i, &options->session);
        if (taken == OPTION_UNKNOWN)
            taken = string_option_take("speak", argc, argv, &i, strings, sizeof strings / sizeof strings[0]);
        if (taken == OPTION_WRONG || (options->key == argv[i] && !take_key(argv[i], options)))
            return false;
        if (taken == OPTION_TAKEN)
            continue;
        if (strcmp(argv[i], "--help") == 0) {
            fputs(SPEAK_HELP, stdout);
            *exit_code = EXIT_DONE;
            return false;
        }
        if (parse_flag(argv[i], options)) {
            continue;
        } else if (argv[i][0] == '-' && argv[i][1] != '\0') {
            return usage_no_option("speak", argv[i], SPEAK_HELP), false;
        } else if (options->file != NULL) {
            return usage_error("speak", "one sound file at a time, not also", argv[i]), false;
        } else {
            options->file = argv[i];
        }
    }
    options->profile = ojin_profile_by_name(profile);
    if (options->profile == NULL)
        return usage_error("speak", "no such profile:", profile), false;
    if (timeout != NULL && !number_parse(timeout, 1, 86400, &options->timeout_s))
        return usage_error("speak", "--timeout takes 1 to 86400 seconds, not", timeout), false;
    return true;
}

bool speak_options_parse(int argc, char **argv, struct speak_options *out, int *exit_code)
{
    *out = (struct speak_options){0};
    if (!parse_words(argc, argv, out, exit_code))
        return false;
    if (out->file == NULL)
        out->file = environment("OJIN_AUDIO", NULL);
    if (out->url == NULL)
        out->url = environment("OJIN_URL", "OJIN_WS_URL");
    if (out->key == NULL)
        out->key = environment("OJIN_API_KEY", NULL);
    if (out->config == NULL)
        out->config = environment("OJIN_CONFIG_ID", NULL);
    *exit_code = EXIT_USAGE;
    if (out->file == NULL)
        return usage_error("speak", "no sound file is named", NULL), false;
    if (out->url == NULL)
        return usage_error("speak", "no server is named: --url or OJIN_URL", NULL), false;
    if (out->key == NULL)
        return usage_error("speak", "no key is given: --key or OJIN_API_KEY", NULL), false;
    if (out->config == NULL || out->config[0] == '\0')
        return usage_error("speak", "no config id is given: --config or OJIN_CONFIG_ID", NULL), false;
    return true;
}
