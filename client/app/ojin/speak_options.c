#include "client/app/ojin/speak_options.h"

#include "client/core/reconnect.h"
#include "codec/ojin/family.h"
#include "codec/ojin/profile.h"

enum { PROFILES_MAX = 16 };

static bool read_key(struct option_given *given, void *context)
{
    struct speak_options *out = context;
    return client_secret(given, out, out->key_given);
}

static bool read_profile(struct option_given *given, void *context)
{
    struct speak_options *out = context;
    const char *names[PROFILES_MAX + 1] = {NULL};
    for (size_t i = 0; OJIN_FAMILY.profiles[i] != NULL && i < PROFILES_MAX; i++)
        names[i] = OJIN_FAMILY.profiles[i]->name;
    out->profile = ojin_profile_by_name(given->value);
    return out->profile != NULL || (usage_error_of("speak", "no such profile:", given->value, names), false);
}

#define AT(member)                 OPTION_INTO(struct speak_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct speak_options, member, least, most)

static const struct option_row ROWS[] = {
    {"url", "URL", "ws:// or wss:// URL of the server   [OJIN_URL, OJIN_WS_URL]", option_text, AT(url)},
    {"key", "KEY", "API key                             [OJIN_API_KEY]", read_key, AT(key)},
    {"config", "ID", "config id                           [OJIN_CONFIG_ID]", option_text, AT(config)},
    {"profile", "NAME", "oris-1.0 (default), oris-1.0-earlier, flashhead-lite-1.0", read_profile, AT(profile),
     .words = "oris-1.0 oris-1.0-earlier flashhead-lite-1.0"},
    {"video", "FILE", "file for the video                  [FILE.avi in this directory]", option_text,
     AT(video)},
    {"out", "DIR", "directory for the video", option_text, AT(out_directory)},
    {"no-video", NULL, "write no video", option_flag, AT(no_video)},
    {"json", "FILE", "write the summary as JSON too", option_text, AT(json)},
    {"ca", "FILE", "CA certificates to trust for wss:// (PEM)", option_text, AT(ca_file)},
    {"timeout", "S", "give up after S seconds", client_number, RANGE(timeout_s, 1, TIMEOUT_S_MAX)},
    {"reconnect", "[=N]",
     "try again when the connection is lost or refused, up to N times in\n"
     "a row (default 5), with growing delays; speech cut off is not sent again",
     client_reconnect, RANGE(session.reconnect_times, 0, RECONNECT_TIMES_MAX)},
    {"ready-timeout", "S", "wait S seconds for the upgrade, and again for sessionReady (default 10)",
     client_number, RANGE(session.ready_wait_s, 1, READY_TIMEOUT_S_MAX)},
    {"ping", "S", "ping every S seconds (default 30), and wait S/3 seconds for the pong", client_number,
     RANGE(session.ping_s, 1, PING_S_MAX)},
    {"no-deflate", NULL, "offer no compressed messages (permessage-deflate)", option_flag,
     AT(session.no_deflate)},
    {"quiet", NULL, "print no progress and no summary", option_flag, AT(quiet)},
    OPTION_HELP_ROW_WITHOUT_LETTER,
};

const struct option_page SPEAK_PAGE = {
    .command = "speak",
    .operands = "FILE.wav",
    .brief = "speak a sound file to an Ojin server, play and record what comes back",
    .before = "Usage: ojin-client speak FILE.wav --url URL --key KEY --config ID [options]\n"
              "\n"
              "Speaks a sound file to an Ojin server, plays what comes back in real time and\n"
              "writes it as a video with its sound.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 19,
    .after = "\n"
             "FILE.wav is not needed when OJIN_AUDIO names a file.\n"
             "Exit: 0 done; 1 the server refused, failed, never came or sent no speech;\n"
             "2 wrong usage or an unusable sound file.\n",
};

bool speak_options_parse(int argc, char **argv, struct speak_options *out, int *exit_code)
{
    char **words;
    *out = (struct speak_options){.profile = ojin_profile_by_name("oris-1.0")};
    if (!client_options_parse(&SPEAK_PAGE, argc, argv, out, &words, exit_code))
        return false;
    *exit_code = EXIT_USAGE;
    if (words[0] != NULL && words[1] != NULL)
        return usage_error("speak", "one sound file at a time, not also", words[1]), false;
    out->file = words[0];
    if (out->file == NULL)
        out->file = environment("OJIN_AUDIO", NULL);
    if (out->url == NULL)
        out->url = environment("OJIN_URL", "OJIN_WS_URL");
    if (out->key == NULL)
        out->key = environment("OJIN_API_KEY", NULL);
    if (out->config == NULL)
        out->config = environment("OJIN_CONFIG_ID", NULL);
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
