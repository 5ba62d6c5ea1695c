#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "client/app/app_class.h"
#include "client/app/inspect_commands.h"
#include "codec/options/streams.h"
#include "codec/program/version.h"

enum { NEAR_BYTES_MAX = 80, PAGES_MAX = 16 };

/* Commands that are of no family. */
static const struct {
    const struct option_page *page;
    int (*run)(int argc, char **argv);
} COMMANDS[] = {
    {&CONFORM_PAGE, conform_command}, {&DECODE_PAGE, decode_command}, {&ENCODE_PAGE, encode_command}};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static const struct option_row ROWS[] = {
    {.help = "\n"},
    {"help", NULL, "print this help and exit; ojin-client COMMAND --help tells more", option_help,
     .letter = 0},
    OPTION_VERSION_ROW,
    OPTION_BUILD_ROWS,
};

static const struct option_page MAIN_PAGE = {
    .before = "Usage: ojin-client COMMAND [options]\n"
              "\n"
              "A client of realtime speech protocols: one command a protocol family, and tools for all.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 19,
    .list_column = 19,
    .stops = true,
};

/* An option whose command is left out. */
static void complain(const struct option_page *page, enum option_fault fault, const char *word)
{
    (void)fault;
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    option_add_near(&text, page, word);
    fprintf(stderr, "ojin-client: no such option: '%s'%s (try: ojin-client --help)\n", word,
            near[0] != '\0' ? near : ": an option of a command stands behind it");
}

static int no_command(const struct option_page *const *pages, const char *word)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    option_add_near_command(&text, pages, word);
    fprintf(stderr, "ojin-client: no such command: '%s'%s (try: ojin-client --help)\n", word, near);
    return EXIT_USAGE;
}

/* The program's own page, then those of its commands in the order of the help. */
static void list_pages(const struct option_page *pages[PAGES_MAX])
{
    size_t count = 0;
    pages[count++] = &MAIN_PAGE;
    for (size_t i = 0; APP_CLASSES[i] != NULL && count < PAGES_MAX - COMMAND_COUNT - 1; i++)
        pages[count++] = APP_CLASSES[i]->page;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        pages[count++] = COMMANDS[i].page;
    pages[count] = NULL;
}

static int run(int argc, char **argv)
{
    const struct option_page *pages[PAGES_MAX];
    const struct option_program program = {.name = "ojin-client",
                                           .complain = complain,
                                           .print_version = program_version_print,
                                           .summary = "client of realtime speech protocols",
                                           .pages = pages};
    char **words;
    list_pages(pages);
    signal(SIGPIPE, SIG_IGN);
    const enum options_outcome outcome = options_parse(&program, &MAIN_PAGE, argc, argv, NULL, &words);
    if (outcome != OPTIONS_RUN)
        return outcome == OPTIONS_DONE ? EXIT_DONE : EXIT_USAGE;
    if (words[0] == NULL)
        return usage_error("", "no command is given", NULL);
    argc -= (int)(words - argv);
    for (size_t i = 0; APP_CLASSES[i] != NULL; i++)
        if (strcmp(words[0], APP_CLASSES[i]->page->command) == 0)
            return APP_CLASSES[i]->run(argc, words);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(words[0], COMMANDS[i].page->command) == 0)
            return COMMANDS[i].run(argc, words);
    return no_command(pages, words[0]);
}

int main(int argc, char **argv)
{
    if (!streams_open())
        return EXIT_FAILED;
    return streams_end("ojin-client", run(argc, argv), EXIT_FAILED);
}
