#include "client/app/duplex/talk_options.h"

#include <stdio.h>

#include "codec/duplex/constants.h"

static const char HELP[] =
    "Usage: ojin-client talk --mode video|audio --audio FILE.wav [options]\n"
    "\n"
    "Talks to a full-duplex server: every second it sends one second of a sound file, then\n"
    "of silence, in video mode with a picture. It plays the answers in real time, and ends\n"
    "once they were heard.\n"
    "\n"
    "  --mode MODE        video (default) or audio\n"
    "  --audio FILE.wav   speech to send; converted to 16 kHz mono  [DUPLEX_AUDIO]\n"
    "  --video FOLDER     JPEGs to send in the order of their names, again and again\n"
    "                     (default: a grey picture)                 [DUPLEX_VIDEO]\n"
    "  --url URL          ws:// or wss:// URL of the server         [DUPLEX_URL]\n"
    "  --out FILE.wav     write what was heard since session.created (24 kHz float)\n"
    "  --transcript FILE  write the turns with their times\n"
    "  --json FILE        write the summary as JSON\n"
    "  --instructions TEXT  the system prompt\n"
    "  --voice FILE.wav   reference voice, a WAV at 16 kHz\n"
    "  --slices N         max_slice_nums of the session, 1 to 9 (video mode)\n"
    "  --later            speak the later version of the protocol (session.init, input.append)\n"
    "  --ca FILE          CA certificates to trust for wss:// (PEM)\n"
    "  --timeout S        give up after S seconds\n"
    "  --reconnect[=N]    try again when the connection is lost or refused, up to N times\n"
    "                     in a row (default 5), with growing delays\n"
    "  --ping S           ping every S seconds (default 30), and wait S/3 seconds for the pong\n"
    "  --no-deflate       offer no compressed messages (permessage-deflate)\n"
    "  --quiet            print no progress, no turns and no summary\n"
    "  --help             print this help and exit\n"
    "\n"
    "Exit: 0 done; 1 the server refused, failed, never came or said nothing; 2 wrong usage\n"
    "or an unusable file; 130 interrupted.\n";

/* The words of the command line that are not yet anything else. */
struct given {
    const char *mode;
    const char *slices;
    const char *timeout;
    bool later;
};

static bool fail(const char *what, const char *word)
{
    (void)usage_error("talk", what, word);
    return false;
}

static bool parse_words(int argc, char **argv, struct talk_options *options, struct given *given,
                        int *exit_code)
{
    const struct string_option strings[] = {
        {"--mode", &given->mode},     {"--audio", &options->audio},
        {"--video", &options->video}, {"--url", &options->url},
        {"--out", &options->out},     {"--transcript", &options->transcript},
        {"--json", &options->json},   {"--instructions", &options->instructions},
        {"--voice", &options->voice}, {"--slices", &given->slices},
        {"--ca", &options->ca_file},  {"--timeout", &given->timeout},
    };
    for (int i = 0; i < argc; i++) {
        enum option_result taken = session_option_take("talk", argc, argv, &i, &options->session);
        if (taken == OPTION_UNKNOWN)
            taken = string_option_take("talk", argc, argv, &i, strings, sizeof strings / sizeof strings[0]);
        if (taken == OPTION_WRONG)
            return false;
        if (taken == OPTION_TAKEN)
            continue;
        if (strcmp(argv[i], "--help") == 0) {
            fputs(HELP, stdout);
            *exit_code = EXIT_DONE;
            return false;
        }
        if (strcmp(argv[i], "--quiet") == 0)
            options->quiet = true;
        else if (strcmp(argv[i], "--later") == 0)
            given->later = true;
        else if (argv[i][0] == '-')
            return usage_no_option("talk", argv[i], HELP), false;
        else
            return fail("the sound file is named by --audio, not by", argv[i]);
    }
    return true;
}

static bool take_given(struct talk_options *options, const struct given *given)
{
    const struct duplex_profile *version =
        &DUPLEX_PROFILES[given->later ? DUPLEX_PROFILE_LATER : DUPLEX_PROFILE_VIDEO];
    options->profile = duplex_profile_of_mode(version, bytes_of_text(given->mode));
    if (options->profile == NULL)
        return fail("--mode is video or audio, not", given->mode);
    if (given->slices != NULL &&
        !number_parse(given->slices, DUPLEX_SLICES_MIN, DUPLEX_SLICES_MAX, &options->slices))
        return fail("--slices takes 1 to 9, not", given->slices);
    if (given->timeout != NULL && !number_parse(given->timeout, 1, 86400, &options->timeout_s))
        return fail("--timeout takes 1 to 86400 seconds, not", given->timeout);
    if (options->slices != 0 && !options->profile->slices)
        return fail("--slices belongs to video mode", NULL);
    if (options->video != NULL && !options->profile->pictures)
        return fail("--video belongs to video mode", NULL);
    if (options->session.ready_wait_s != 0)
        return usage_no_option("talk", "--ready-timeout", HELP), false;
    return true;
}

bool talk_options_parse(int argc, char **argv, struct talk_options *out, int *exit_code)
{
    struct given given = {.mode = "video"};
    *out = (struct talk_options){0};
    *exit_code = EXIT_USAGE;
    if (!parse_words(argc, argv, out, &given, exit_code) || !take_given(out, &given))
        return false;
    if (out->audio == NULL)
        out->audio = environment("DUPLEX_AUDIO", NULL);
    if (out->video == NULL && out->profile->pictures)
        out->video = environment("DUPLEX_VIDEO", NULL);
    if (out->url == NULL)
        out->url = environment("DUPLEX_URL", NULL);
    if (out->audio == NULL)
        return fail("no sound file is named: --audio or DUPLEX_AUDIO", NULL);
    if (out->url == NULL)
        return fail("no server is named: --url or DUPLEX_URL", NULL);
    return true;
}
