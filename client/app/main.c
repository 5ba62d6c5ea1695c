#include <signal.h>
#include <stdio.h>

#include "client/app/conform.h"
#include "client/app/inspect_commands.h"
#include "client/app/options.h"
#include "client/app/speak.h"
#include "client/app/talk.h"
#include "codec/wire/help_words.h"

enum { NEAR_BYTES_MAX = 80 };

static const char HELP[] =
    "Usage: ojin-client COMMAND [options]\n"
    "\n"
    "A client of the Ojin realtime speech protocol and of the full-duplex one.\n"
    "\n"
    "  speak FILE.wav   speak a sound file, play and record what comes back\n"
    "  talk             talk full-duplex: send a sound file, play and record the answers\n"
    "  conform          run as a client under test of the conformance suite\n"
    "  decode FILE      print a message, or the messages of a journal, as JSON\n"
    "  encode FILE      turn the JSON of decode back into the same bytes\n"
    "\n"
    "  --help           print this help and exit; ojin-client COMMAND --help tells more\n"
    "  --version        print the version and exit\n";

static int no_command(const char *word)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    text_add_near_command(&text, word, HELP);
    fprintf(stderr, "ojin-client: no such command: '%s'%s (try: ojin-client --help)\n", word, near);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2)
        return usage_error("", "no command: expected speak, talk, conform, decode or encode", NULL);
    if (strcmp(argv[1], "--help") == 0) {
        fputs(HELP, stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("ojin-client " PROJECT_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "speak") == 0)
        return speak_command(argc - 2, argv + 2);
    if (strcmp(argv[1], "talk") == 0)
        return talk_command(argc - 2, argv + 2);
    if (strcmp(argv[1], "conform") == 0)
        return conform_command(argc - 2, argv + 2);
    if (strcmp(argv[1], "decode") == 0)
        return decode_command(argc - 2, argv + 2);
    if (strcmp(argv[1], "encode") == 0)
        return encode_command(argc - 2, argv + 2);
    return no_command(argv[1]);
}
