/*
 * ojin-conform corpus: where a fuzzer of a parser begins.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/corpus_files.h"
#include "conformance/options/option_values.h"

struct corpus_options {
    const struct family *family; /* NULL: all */
};

static const struct option_row ROWS[] = {
    {"family", "NAME", "only messages of ojin, duplex or interview (default: all)", option_family,
     OPTION_INTO(struct corpus_options, family), OPTION_FAMILY_WORDS},
    OPTION_HELP_ROW,
};

const struct option_page CORPUS_PAGE = {
    .command = "corpus",
    .brief = "writes a seed corpus and dictionaries for a fuzzer of a parser",
    .before =
        "Usage: ojin-conform corpus [--family NAME] DIR\n"
        "\n"
        "Writes a seed corpus for libFuzzer, AFL++ and others: a folder for each kind of message\n"
        "(DIR/ojin-frame, DIR/ojin-input, DIR/ojin-text, DIR/duplex-text, DIR/interview-text), which holds\n"
        "the shortest vector of each situation, and beside it a dictionary (DIR/ojin-frame.dict).\n"
        "conformance/FUZZING.md shows how they are used, with the mutator of libojin-mutate.so.\n"
        "\n",
    OPTION_ROWS(ROWS),
    .column = 17,
    .after = "\n"
             "Example: ojin-conform corpus --family ojin corpus\n"
             "\n"
             "Exit: 0 done, 2 wrong usage, 3 a file cannot be written, or memory ran out.\n",
};

static bool write_form(const struct mutate_class *mutate_class, const struct mutate_form *form,
                       const char *folder)
{
    struct corpus *corpus = corpus_new(mutate_class, form);
    const struct vectors_wanted wanted = {.kind = form->name};
    const bool good = corpus != NULL && vectors_make(mutate_class->family, &wanted, corpus_add, corpus) &&
                      corpus_write(corpus, folder);
    if (good)
        printf("%s/%s-%s: %zu messages\n", folder, mutate_class->family, form->name, corpus->seed_count);
    corpus_free(corpus);
    return good;
}

static bool write_all(const struct corpus_options *options, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return false;
    for (size_t i = 0; MUTATE_CLASSES[i] != NULL; i++) {
        const struct mutate_class *mutate_class = MUTATE_CLASSES[i];
        if (options->family != NULL && strcmp(options->family->name, mutate_class->family) != 0)
            continue;
        for (const struct mutate_form *form = mutate_class->forms; form->name != NULL; form++)
            if (!write_form(mutate_class, form, folder))
                return false;
    }
    return fflush(stdout) == 0;
}

int command_corpus(int argc, char *argv[])
{
    struct corpus_options options = {.family = NULL};
    char **rest;
    const enum options_outcome outcome = conform_options_parse(&CORPUS_PAGE, argc, argv, &options, &rest);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (rest[0] == NULL || rest[1] != NULL) {
        option_usage(&CORPUS_PAGE, rest[0] == NULL ? "expected a folder" : "expected one folder");
        return CONFORM_EXIT_USAGE;
    }
    errno = 0;
    if (write_all(&options, rest[0]))
        return CONFORM_EXIT_MET;
    fprintf(stderr, "ojin-conform corpus: cannot write %s: %s\n", rest[0],
            errno == 0 ? "out of memory" : strerror(errno));
    return CONFORM_EXIT_OWN_ERROR;
}
