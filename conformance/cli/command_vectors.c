/*
 * ojin-conform vectors: messages with what they decode to, for a parser of one's own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/vector_files.h"
#include "conformance/options/option_values.h"

enum { FORMAT_LINES, FORMAT_FOLDER };
static const char *const FORMATS[] = {"jsonl", "dir", NULL};
static const char *const KINDS[] = {"frame", "input", "text", NULL};

struct vectors_options {
    const struct family *family; /* NULL: all */
    struct vectors_wanted wanted;
    int format;
    const char *out; /* NULL: standard output, of lines */
};

static bool read_format(struct option_given *given, void *context)
{
    struct vectors_options *options = context;
    options->format = option_word(given->value, FORMATS);
    return options->format >= 0 || option_wrong(given, "jsonl or dir");
}

static bool read_kind(struct option_given *given, void *context)
{
    struct vectors_options *options = context;
    const int kind = option_word(given->value, KINDS);
    options->wanted.kind = kind < 0 ? NULL : KINDS[kind];
    return kind >= 0 || option_wrong(given, "frame, input or text");
}

#define AT(member)                 OPTION_INTO(struct vectors_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct vectors_options, member, least, most)

static const struct option_row ROWS[] = {
    {"family", "NAME", "only messages of ojin, duplex or interview (default: all)", option_family, AT(family),
     OPTION_FAMILY_WORDS},
    {"kind", "KIND",
     "only frame (InteractionResponse), input (InteractionInput) or text (JSON) (default: all)", read_kind,
     .bytes = sizeof(struct vectors_options), .words = "frame input text"},
    {"changed", "N", "behind each message N more, made from it by random changes (default 0)",
     option_run_number, RANGE(wanted.changed, 0, VECTORS_CHANGED_MAX)},
    {"seed", "N", "seed of the changes (default 1); the same seed gives the same messages", option_run_number,
     RANGE(wanted.seed, 0, UINT64_MAX)},
    {"format", "FORMAT",
     "jsonl: one JSON object a line (default); dir: a folder with the bytes of each, what it\n"
     "decodes to as JSON and as plain lines, and index.tsv",
     read_format, .bytes = sizeof(struct vectors_options), .words = "jsonl dir"},
    {"out", "PATH", "write this file, with dir this folder (default: standard output)", option_text, AT(out)},
    OPTION_HELP_ROW,
};

const struct option_page VECTORS_PAGE = {
    .command = "vectors",
    .brief = "prints messages with what each decodes to, to test a parser",
    .before =
        "Usage: ojin-conform vectors [OPTION]…\n"
        "\n"
        "Prints test vectors: messages of both sides, right ones and wrong ones, with what each decodes\n"
        "to, or why a parser has to refuse it. conformance/FUZZING.md describes the members, and has a\n"
        "few lines each that put a Python, a Node and a C parser through them. With --changed the same\n"
        "lines fuzz a parser in its own process.\n"
        "\n",
    OPTION_ROWS(ROWS),
    .column = 19,
    .after = "\n"
             "Example: ojin-conform vectors --family ojin --out vectors.jsonl\n"
             "         ojin-conform vectors --family ojin --kind frame --changed 200 --out changed.jsonl\n"
             "\n"
             "Exit: 0 done, 2 wrong usage, 3 a file cannot be written, or memory ran out.\n",
};

static bool write_line(void *context, const struct vector *vector)
{
    FILE *out = context;
    cJSON *object = vector_as_json(vector);
    char *text = object == NULL ? NULL : cJSON_PrintUnformatted(object);
    const bool good = text != NULL && fprintf(out, "%s\n", text) > 0;
    cJSON_free(text);
    cJSON_Delete(object);
    return good;
}

static bool each_family(const struct vectors_options *options, vector_sink *sink, void *context)
{
    if (options->family != NULL)
        return vectors_make(options->family->name, &options->wanted, sink, context);
    for (size_t i = 0; FAMILIES[i] != NULL; i++)
        if (!vectors_make(FAMILIES[i]->name, &options->wanted, sink, context))
            return false;
    return true;
}

static bool write_lines(const struct vectors_options *options)
{
    FILE *out = options->out == NULL ? stdout : fopen(options->out, "w");
    if (out == NULL)
        return false;
    const bool good = each_family(options, write_line, out) && fflush(out) == 0;
    return (out == stdout || fclose(out) == 0) && good;
}

static bool write_folder(const struct vectors_options *options)
{
    struct vector_files files;
    if (!vector_files_open(&files, options->out))
        return false;
    const bool good = each_family(options, vector_files_add, &files);
    return vector_files_close(&files) && good;
}

int command_vectors(int argc, char *argv[])
{
    struct vectors_options options = {.format = FORMAT_LINES, .wanted = {.seed = 1}};
    char **rest;
    const enum options_outcome outcome = conform_options_parse(&VECTORS_PAGE, argc, argv, &options, &rest);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (rest[0] != NULL || (options.format == FORMAT_FOLDER && options.out == NULL)) {
        option_usage(&VECTORS_PAGE,
                     rest[0] != NULL ? "expected options alone" : "--format dir: expected --out FOLDER");
        return CONFORM_EXIT_USAGE;
    }
    errno = 0;
    if (options.format == FORMAT_FOLDER ? write_folder(&options) : write_lines(&options))
        return CONFORM_EXIT_MET;
    fprintf(stderr, "ojin-conform vectors: cannot write %s: %s\n",
            options.out == NULL ? "standard output" : options.out,
            errno == 0 ? "out of memory" : strerror(errno));
    return CONFORM_EXIT_OWN_ERROR;
}
