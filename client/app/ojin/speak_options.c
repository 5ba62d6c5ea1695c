#include "client/app/ojin/speak_options.h"

#include <stdio.h>
#include <string.h>

#include "codec/ojin/profile.h"

static const char HELP[] =
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
            fputs(HELP, stdout);
            *exit_code = EXIT_DONE;
            return false;
        }
        if (parse_flag(argv[i], options)) {
            continue;
        } else if (argv[i][0] == '-' && argv[i][1] != '\0') {
            return usage_no_option("speak", argv[i], HELP), false;
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
