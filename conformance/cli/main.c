/*
 * ojin-conform: puts clients and servers through scripted sessions and judges them by the documents.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "codec/options/streams.h"
#include "codec/program/version.h"
#include "conformance/cli/commands.h"
#include "conformance/options/fuzz_options.h"
#include "conformance/options/server_options.h"

enum {
    NEAR_BYTES_MAX = 80,
    /* What is freed stays for the next case, up to this: else its pages would be given back, and asked for
     * again, a thousand times while the cases are read. */
    HEAP_KEPT_BYTES = 16 << 20,
    MAPPED_BYTES_MIN = 1 << 20
};

static const struct option_row ROWS[] = {
    {.help = "\n"},
    OPTION_HELP_ROW,
    OPTION_VERSION_ROW,
    OPTION_BUILD_ROWS,
};

static const struct option_page MAIN_PAGE = {
    .before = "Usage: ojin-conform COMMAND [OPTION]…\n\n",
    OPTION_ROWS(ROWS),
    .column = 18,
    .list_column = 12,
    .indented = true,
    .stops = true,
    .after = "\n"
             "Example: ojin-conform run -- python3 my_client.py {full_url} {audio}\n"
             "         ojin-conform server --url ws://127.0.0.1:7700/realtime\n",
};

static const struct option_page HELP_PAGE = {
    .command = "help", .brief = "prints this help, or that of a command: ojin-conform help run"};

/* In the order of the help. */
static const struct {
    const struct option_page *page;
    int (*run)(int argc, char *argv[]);
} COMMANDS[] = {
    {&RUN_PAGE, command_run},       {&MERGE_PAGE, command_merge},       {&SERVER_PAGE, command_server},
    {&FUZZ_PAGE, command_fuzz},     {&LIST_PAGE, command_list},         {&EXPLAIN_PAGE, command_explain},
    {&CHECK_PAGE, command_check},   {&FMT_PAGE, command_fmt},           {&JUDGE_PAGE, command_judge},
    {&REPLAY_PAGE, command_replay}, {&SELFTEST_PAGE, command_selftest}, {&COVERAGE_PAGE, command_coverage},
    {&DEFECT_PAGE, command_defect}, {&VECTORS_PAGE, command_vectors},   {&CORPUS_PAGE, command_corpus},
    {&SPLITS_PAGE, command_splits}};

static const struct option_page *const PAGES[] = {&MAIN_PAGE,     &RUN_PAGE,    &MERGE_PAGE,   &SERVER_PAGE,
                                                  &FUZZ_PAGE,     &LIST_PAGE,   &EXPLAIN_PAGE, &CHECK_PAGE,
                                                  &FMT_PAGE,      &JUDGE_PAGE,  &REPLAY_PAGE,  &SELFTEST_PAGE,
                                                  &COVERAGE_PAGE, &DEFECT_PAGE, &VECTORS_PAGE, &CORPUS_PAGE,
                                                  &SPLITS_PAGE,   &HELP_PAGE,   NULL};

static void say_unknown(const char *name)
{
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    option_add_near_command(&text, PAGES, name);
    fprintf(stderr,
            "ojin-conform: no command '%s'%s\n"
            "Expected run, merge, server, fuzz, list, explain, check, fmt, selftest, coverage, defect, "
            "vectors, corpus, splits, judge or replay: try "
            "'ojin-conform --help'.\n",
            name, near);
}

/* Of an option, whose command may be left out. */
static void complain(const struct option_page *page, enum option_fault fault, const char *word)
{
    (void)fault;
    char near[NEAR_BYTES_MAX];
    struct text text = text_of(near, sizeof near);
    option_add_near(&text, page, word);
    fprintf(stderr,
            "ojin-conform: no option '%s'%s\n"
            "Try 'ojin-conform --help'.\n",
            word, near[0] != '\0' ? near : ": an option of a command stands behind it");
}

static const struct option_program PROGRAM = {
    .name = "ojin-conform",
    .complain = complain,
    .print_version = program_version_print,
    .summary = "put a client or a server through scripted sessions and judge it by the documents",
    .pages = PAGES,
};

/* `words` begin with the command's name; with `help` only that is printed. */
static int run_command(int argc, char *words[], bool help)
{
    char option[] = "--help";
    char *help_words[] = {words[0], option, NULL};
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
        if (strcmp(COMMANDS[i].page->command, words[0]) == 0)
            return help ? COMMANDS[i].run(2, help_words) : COMMANDS[i].run(argc, words);
    say_unknown(words[0]);
    return CONFORM_EXIT_USAGE;
}

static int run(int argc, char *argv[])
{
    char **words;
    const enum options_outcome outcome = options_parse(&PROGRAM, &MAIN_PAGE, argc, argv, NULL, &words);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    const bool help = words[0] != NULL && strcmp(words[0], "help") == 0;
    if (words[0] == NULL || (help && words[1] == NULL)) {
        options_help(help ? stdout : stderr, &PROGRAM, &MAIN_PAGE);
        return help ? CONFORM_EXIT_MET : CONFORM_EXIT_USAGE;
    }
    return run_command(argc - (int)(words - argv), help ? words + 1 : words, help);
}

int main(int argc, char *argv[])
{
    mallopt(M_TRIM_THRESHOLD, HEAP_KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
    if (!streams_open())
        return CONFORM_EXIT_OWN_ERROR;
    return streams_end("ojin-conform", run(argc, argv), CONFORM_EXIT_OWN_ERROR);
}
