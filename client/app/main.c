#include <signal.h>
#include <stdio.h>

#include "client/app/app_class.h"
#include "client/app/inspect_commands.h"
#include "codec/wire/help_words.h"
#include "codec/wire/text.h"

enum { NEAR_BYTES_MAX = 80, HELP_BYTES_MAX = 4096 };

/* Commands that are of no family. */
static const struct {
    const char *name;
    const char *help;
    int (*run)(int argc, char **argv);
} COMMANDS[] = {
    {"conform", "  conform          run as a client under test of the conformance suite\n", conform_command},
    {"decode", "  decode FILE      print a message, or the messages of a journal, as JSON\n", decode_command},
    {"encode", "  encode FILE      turn the JSON of decode back into the same bytes\n", encode_command},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void write_help(struct text *out)
{
    text_add(out, "Usage: ojin-client COMMAND [options]\n"
                  "\n"
                  "A client of realtime speech protocols: one command a protocol family, and tools for all.\n"
                  "\n");
    for (size_t i = 0; APP_CLASSES[i] != NULL; i++)
        text_add(out, APP_CLASSES[i]->command_help);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        text_add(out, COMMANDS[i].help);
    text_add(out, "\n"
                  "  --help           print this help and exit; ojin-client COMMAND --help tells more\n"
                  "  --version        print the version and exit\n");
}

static int no_command(const char *word, const char *help)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    text_add_near_command(&text, word, help);
    fprintf(stderr, "ojin-client: no such command: '%s'%s (try: ojin-client --help)\n", word, near);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    char help[HELP_BYTES_MAX];
    struct text text = text_of(help, sizeof help);
    write_help(&text);
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2)
        return usage_error("", "no command is given", NULL);
    if (strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("ojin-client " PROJECT_VERSION);
        return EXIT_DONE;
    }
    for (size_t i = 0; APP_CLASSES[i] != NULL; i++)
        if (strcmp(argv[1], APP_CLASSES[i]->command) == 0)
            return APP_CLASSES[i]->run(argc - 2, argv + 2);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], COMMANDS[i].name) == 0)
            return COMMANDS[i].run(argc - 2, argv + 2);
    return no_command(argv[1], help);
}
