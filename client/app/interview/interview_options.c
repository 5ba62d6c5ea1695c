#include "client/app/interview/interview_options.h"

#include "client/core/reconnect.h"

enum { INTERRUPT_MS_MAX = 3600000 };

static bool read_token(struct option_given *given, void *context)
{
    struct interview_options *out = context;
    return client_secret(given, out, out->token_given);
}

#define AT(member)                 OPTION_INTO(struct interview_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct interview_options, member, least, most)

static const struct option_row ROWS[] = {
    {"audio", "ANSWERS",
     "a sound file, or a folder whose .wav files are the answers, in the\n"
     "order of their names; converted to 24 kHz mono  [INTERVIEW_AUDIO]",
     option_text, AT(audio)},
    {"url", "URL",
     "ws:// or wss:// URL of the server: the host, its base URL, or the\n"
     "whole URL of the interview                     [INTERVIEW_URL]",
     option_text, AT(url)},
    {"id", "ID", "the interview, where the URL does not name it  [INTERVIEW_ID]", option_text, AT(id)},
    {"token", "TOKEN", "the candidate's token                          [INTERVIEW_TOKEN]", read_token,
     AT(token)},
    {"out", "FILE.wav",
     "write the conversation: left what was said, right what was heard\n"
     "(24 kHz, 16 bit)",
     option_text, AT(out)},
    {"transcript", "FILE", "write who said what, with times", option_text, AT(transcript)},
    {"json", "FILE", "write the summary as JSON", option_text, AT(json)},
    {"interrupt", "MS", "interrupt each reply once MS milliseconds of it were heard", client_number,
     RANGE(interrupt_ms, 1, INTERRUPT_MS_MAX)},
    {"deployed", NULL, "speak as a deployed server does beside the document (audio_commit)", option_flag,
     AT(deployed)},
    {"ca", "FILE", "CA certificates to trust for wss:// (PEM)", option_text, AT(ca_file)},
    {"timeout", "S", "give up after S seconds", client_number, RANGE(timeout_s, 1, TIMEOUT_S_MAX)},
    {"reconnect", "[=N]",
     "try again when the connection is lost, up to N times in a row\n"
     "(default 5): 5 s after a restart (1012), else with growing delays.\n"
     "An answer that was sent whole is not sent again",
     client_reconnect, RANGE(session.reconnect_times, 0, RECONNECT_TIMES_MAX)},
    {"ping", "S", "ping every S seconds (default 30), and wait S/3 seconds for the pong", client_number,
     RANGE(session.ping_s, 1, PING_S_MAX)},
    {"no-deflate", NULL, "offer no compressed messages (permessage-deflate)", option_flag,
     AT(session.no_deflate)},
    {"quiet", NULL, "print no progress, no words and no summary", option_flag, AT(quiet)},
    OPTION_HELP_ROW_WITHOUT_LETTER,
};

const struct option_page INTERVIEW_PAGE = {
    .command = "interview",
    .brief = "answer an interviewer: send sound files, play and record the replies",
    .before = "Usage: ojin-client interview --audio ANSWERS [--url URL] [options]\n"
              "\n"
              "Answers an interviewer: sends the sound files as answers, each once the reply to the one\n"
              "before was heard, plays the replies in real time, and ends after the last.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 21,
    .after = "\n"
             "Exit: 0 done; 1 the server refused, failed, never came or did not reply; 2 wrong usage or\n"
             "an unusable file; 130 interrupted.\n",
};

static bool fail(const char *what, const char *word)
{
    (void)usage_error("interview", what, word);
    return false;
}

bool interview_options_parse(int argc, char **argv, struct interview_options *out, int *exit_code)
{
    char **words;
    *out = (struct interview_options){.audio = NULL};
    if (!client_options_parse(&INTERVIEW_PAGE, argc, argv, out, &words, exit_code))
        return false;
    *exit_code = EXIT_USAGE;
    if (words[0] != NULL)
        return fail("the answers are named by --audio, not by", words[0]);
    out->profile =
        &INTERVIEW_PROFILES[out->deployed ? INTERVIEW_PROFILE_DEPLOYED : INTERVIEW_PROFILE_DOCUMENTED];
    if (out->audio == NULL)
        out->audio = environment("INTERVIEW_AUDIO", NULL);
    if (out->url == NULL)
        out->url = environment("INTERVIEW_URL", NULL);
    if (out->id == NULL)
        out->id = environment("INTERVIEW_ID", NULL);
    if (out->token == NULL)
        out->token = environment("INTERVIEW_TOKEN", NULL);
    if (out->audio == NULL)
        return fail("no answers are named: --audio or INTERVIEW_AUDIO", NULL);
    if (out->url == NULL)
        return fail("no server is named: --url or INTERVIEW_URL", NULL);
    return true;
}
