#include "client/app/duplex/talk_options.h"

#include "client/core/reconnect.h"
#include "codec/duplex/constants.h"

#define AT(member)                 OPTION_INTO(struct talk_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct talk_options, member, least, most)

static const struct option_row ROWS[] = {
    {"mode", "MODE", "video (default) or audio", option_text, AT(mode)},
    {"audio", "FILE.wav", "speech to send; converted to 16 kHz mono  [DUPLEX_AUDIO]", option_text, AT(audio)},
    {"video", "FOLDER",
     "JPEGs to send in the order of their names, again and again\n"
     "(default: a grey picture)                 [DUPLEX_VIDEO]",
     option_text, AT(video)},
    {"url", "URL", "ws:// or wss:// URL of the server         [DUPLEX_URL]", option_text, AT(url)},
    {"out", "FILE.wav", "write what was heard since session.created (24 kHz float)", option_text, AT(out)},
    {"transcript", "FILE", "write the turns with their times", option_text, AT(transcript)},
    {"json", "FILE", "write the summary as JSON", option_text, AT(json)},
    {"instructions", "TEXT", "the system prompt", option_text, AT(instructions)},
    {"voice", "FILE.wav", "reference voice, a WAV at 16 kHz", option_text, AT(voice)},
    {"slices", "N", "max_slice_nums of the session, 1 to 9 (video mode)", client_number,
     RANGE(slices, DUPLEX_SLICES_MIN, DUPLEX_SLICES_MAX)},
    {"later", NULL, "speak the later version of the protocol (session.init, input.append)", option_flag,
     AT(later)},
    {"ca", "FILE", "CA certificates to trust for wss:// (PEM)", option_text, AT(ca_file)},
    {"timeout", "S", "give up after S seconds", client_number, RANGE(timeout_s, 1, TIMEOUT_S_MAX)},
    {"reconnect", "[=N]",
     "try again when the connection is lost or refused, up to N times\n"
     "in a row (default 5), with growing delays",
     client_reconnect, RANGE(session.reconnect_times, 0, RECONNECT_TIMES_MAX)},
    {"ping", "S", "ping every S seconds (default 30), and wait S/3 seconds for the pong", client_number,
     RANGE(session.ping_s, 1, PING_S_MAX)},
    {"no-deflate", NULL, "offer no compressed messages (permessage-deflate)", option_flag,
     AT(session.no_deflate)},
    {"quiet", NULL, "print no progress, no turns and no summary", option_flag, AT(quiet)},
    OPTION_HELP_ROW_WITHOUT_LETTER,
};

const struct option_page TALK_PAGE = {
    .command = "talk",
    .brief = "talk full-duplex: send a sound file, play and record the answers",
    .before = "Usage: ojin-client talk --mode video|audio --audio FILE.wav [options]\n"
              "\n"
              "Talks to a full-duplex server: every second it sends one second of a sound file, then\n"
              "of silence, in video mode with a picture. It plays the answers in real time, and ends\n"
              "once they were heard.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 21,
    .after = "\n"
             "Exit: 0 done; 1 the server refused, failed, never came or said nothing; 2 wrong usage\n"
             "or an unusable file; 130 interrupted.\n",
};

static bool fail(const char *what, const char *word)
{
    (void)usage_error("talk", what, word);
    return false;
}

/* What options say together. */
static bool settle(struct talk_options *out)
{
    static const char *const MODES[] = {"video", "audio", NULL};
    const struct duplex_profile *version =
        &DUPLEX_PROFILES[out->later ? DUPLEX_PROFILE_LATER : DUPLEX_PROFILE_VIDEO];
    out->profile = duplex_profile_of_mode(version, bytes_of_text(out->mode));
    if (out->profile == NULL)
        return usage_error_of("talk", "--mode is video or audio, not", out->mode, MODES), false;
    if (out->slices != 0 && !out->profile->slices)
        return fail("--slices belongs to video mode", NULL);
    return out->video == NULL || out->profile->pictures || fail("--video belongs to video mode", NULL);
}

bool talk_options_parse(int argc, char **argv, struct talk_options *out, int *exit_code)
{
    char **words;
    *out = (struct talk_options){.mode = "video"};
    if (!client_options_parse(&TALK_PAGE, argc, argv, out, &words, exit_code))
        return false;
    *exit_code = EXIT_USAGE;
    if (words[0] != NULL)
        return fail("the sound file is named by --audio, not by", words[0]);
    if (!settle(out))
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
