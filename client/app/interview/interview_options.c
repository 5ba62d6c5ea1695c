#include "client/app/interview/interview_options.h"

#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "Usage: ojin-client interview --audio ANSWERS [--url URL] [options]\n"
    "\n"
    "Answers an interviewer: sends the sound files as answers, each once the reply to the one\n"
    "before was heard, plays the replies in real time, and ends after the last.\n"
    "\n"
    "  --audio ANSWERS    a sound file, or a folder whose .wav files are the answers, in the\n"
    "                     order of their names; converted to 24 kHz mono  [INTERVIEW_AUDIO]\n"
    "  --url URL          ws:// or wss:// URL of the server: the host, its base URL, or the\n"
    "                     whole URL of the interview                     [INTERVIEW_URL]\n"
    "  --id ID            the interview, where the URL does not name it  [INTERVIEW_ID]\n"
    "  --token TOKEN      the candidate's token                          [INTERVIEW_TOKEN]\n"
    "  --out FILE.wav     write the conversation: left what was said, right what was heard\n"
    "                     (24 kHz, 16 bit)\n"
    "  --transcript FILE  write who said what, with times\n"
    "  --json FILE        write the summary as JSON\n"
    "  --interrupt MS     interrupt each reply once MS milliseconds of it were heard\n"
    "  --deployed         speak as a deployed server does beside the document (audio_commit)\n"
    "  --ca FILE          CA certificates to trust for wss:// (PEM)\n"
    "  --timeout S        give up after S seconds\n"
    "  --reconnect[=N]    try again when the connection is lost, up to N times in a row\n"
    "                     (default 5): 5 s after a restart (1012), else with growing delays.\n"
    "                     An answer that was sent whole is not sent again\n"
    "  --ping S           ping every S seconds (default 30), and wait S/3 seconds for the pong\n"
    "  --no-deflate       offer no compressed messages (permessage-deflate)\n"
    "  --quiet            print no progress, no words and no summary\n"
    "  --help             print this help and exit\n"
    "\n"
    "Exit: 0 done; 1 the server refused, failed, never came or did not reply; 2 wrong usage or\n"
    "an unusable file; 130 interrupted.\n";

enum { INTERRUPT_MS_MAX = 3600000, TIMEOUT_S_MAX = 86400 };

/* The words of the command line that are not yet anything else. */
struct given {
    const char *timeout;
    const char *interrupt;
    bool deployed;
};

static bool fail(const char *what, const char *word)
{
    (void)usage_error("interview", what, word);
    return false;
}

/* Takes the token from the command line. */
static bool take_token(char *word, struct interview_options *options)
{
    const size_t len = strlen(word);
    if (len > INTERVIEW_TOKEN_BYTES_MAX)
        return fail("--token takes at most 4095 bytes", NULL);
    memcpy(options->token_given, word, len + 1);
    options->token = options->token_given;
    memset(word, 'x', len);
    return true;
}

static bool parse_words(int argc, char **argv, struct interview_options *options, struct given *given,
                        int *exit_code)
{
    const struct string_option strings[] = {
        {"--audio", &options->audio}, {"--url", &options->url},
        {"--id", &options->id},       {"--token", &options->token},
        {"--out", &options->out},     {"--transcript", &options->transcript},
        {"--json", &options->json},   {"--interrupt", &given->interrupt},
        {"--ca", &options->ca_file},  {"--timeout", &given->timeout},
    };
    for (int i = 0; i < argc; i++) {
        enum option_result taken = session_option_take("interview", argc, argv, &i, &options->session);
        if (taken == OPTION_UNKNOWN)
            taken =
                string_option_take("interview", argc, argv, &i, strings, sizeof strings / sizeof strings[0]);
        if (taken == OPTION_WRONG || (options->token == argv[i] && !take_token(argv[i], options)))
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
        else if (strcmp(argv[i], "--deployed") == 0)
            given->deployed = true;
        else if (argv[i][0] == '-')
            return usage_no_option("interview", argv[i], HELP), false;
        else
            return fail("the answers are named by --audio, not by", argv[i]);
    }
    return true;
}

static bool take_given(struct interview_options *options, const struct given *given)
{
    options->profile =
        &INTERVIEW_PROFILES[given->deployed ? INTERVIEW_PROFILE_DEPLOYED : INTERVIEW_PROFILE_DOCUMENTED];
    if (given->interrupt != NULL &&
        !number_parse(given->interrupt, 1, INTERRUPT_MS_MAX, &options->interrupt_ms))
        return fail("--interrupt takes 1 to 3600000 milliseconds, not", given->interrupt);
    if (given->timeout != NULL && !number_parse(given->timeout, 1, TIMEOUT_S_MAX, &options->timeout_s))
        return fail("--timeout takes 1 to 86400 seconds, not", given->timeout);
    if (options->session.ready_wait_s != 0)
        return usage_no_option("interview", "--ready-timeout", HELP), false;
    return true;
}

bool interview_options_parse(int argc, char **argv, struct interview_options *out, int *exit_code)
{
    struct given given = {.timeout = NULL};
    *out = (struct interview_options){.audio = NULL};
    *exit_code = EXIT_USAGE;
    if (!parse_words(argc, argv, out, &given, exit_code) || !take_given(out, &given))
        return false;
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
