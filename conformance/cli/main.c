/*
 * ojin-conform: puts clients and servers through scripted sessions and judges them by the documents.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/help_words.h"
#include "conformance/cli/commands.h"

enum { NEAR_BYTES_MAX = 80 };

static const char HELP[] =
    "Usage: ojin-conform COMMAND [OPTION]…\n"
    "\n"
    "  run       tests a client: ojin-conform run -- CMD ARG…\n"
    "  server    tests a server: ojin-conform server --url URL\n"
    "  list      lists the cases\n"
    "  explain   explains a requirement or a case: ojin-conform explain OJ-CAN-03\n"
    "  check     checks script files, and prints all errors at once\n"
    "  fmt       formats script files\n"
    "  judge     judges a recorded journal\n"
    "  replay    replays a recorded journal, and compares what the mock sends\n"
    "  selftest  tests the suite itself, with clients that break one requirement each\n"
    "  coverage  lists each requirement with its cases and the defects that were caught\n"
    "  defect    runs one of those clients: ojin-conform run -- ojin-conform defect NAME\n"
    "  help      prints this help, or that of a command: ojin-conform help run\n"
    "\n"
    "  -h, --help      print this help and exit\n"
    "      --version   print the version and exit\n"
    "\n"
    "Example: ojin-conform run -- python3 my_client.py {full_url} {audio}\n"
    "         ojin-conform server --url ws://127.0.0.1:7700/realtime\n";

struct command {
    const char *name;
    int (*run)(int argc, char *argv[]);
};

static const struct command COMMANDS[] = {
    {"run", command_run},           {"server", command_server},   {"list", command_list},
    {"check", command_check},       {"fmt", command_fmt},         {"judge", command_judge},
    {"replay", command_replay},     {"explain", command_explain}, {"selftest", command_selftest},
    {"coverage", command_coverage}, {"defect", command_defect}};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++) {
        if (strcmp(COMMANDS[i].name, name) == 0)
            return &COMMANDS[i];
    }
    return NULL;
}

/* Also of an option, or of a client, whose command is left out. */
static void say_unknown(const char *name)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    text_add_near_command(&text, name, HELP);
    fprintf(
        stderr,
        "ojin-conform: no command '%s'%s\n"
        "Expected run, server, list, explain, check, fmt, selftest, coverage, defect, judge or replay: try "
        "'ojin-conform --help'.\n",
        name, near);
}

int main(int argc, char *argv[])
{
    if (argc < 2) {
        fputs(HELP, stderr);
        return CONFORM_EXIT_USAGE;
    }
    const bool help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc == 2)) {
        fputs(HELP, stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("ojin-conform " PROJECT_VERSION);
        return 0;
    }
    const char *name = help ? argv[2] : argv[1];
    const struct command *command = find_command(name);
    if (command == NULL) {
        say_unknown(name);
        return CONFORM_EXIT_USAGE;
    }
    if (help) {
        char word[] = "--help";
        char *words[] = {argv[2], word, NULL};
        return command->run(2, words);
    }
    return command->run(argc - 1, argv + 1);
}
