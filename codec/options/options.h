/*
 * The options of a program as tables, from which its parser, its help, its man page and the completion of
 * shells are made.
 *
 * A row is an option: its name, what its value is called, its help, and how its value is read. A page is a
 * command with its rows; a program has a page for itself and one for each command. Tables are static: nothing
 * here is owned, and values are borrowed from `argv`.
 */
#ifndef CODEC_OPTIONS_OPTIONS_H
#define CODEC_OPTIONS_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

#include "codec/wire/text.h"

struct option_given;

/* Takes the value of a row into `out`, which is what the program parses into. False when the value is wrong,
 * which it has said then. */
typedef bool option_reader(struct option_given *given, void *out);

/* Without a name a row is no option: `value` is a heading, or `help` a text that stands between options. */
struct option_row {
    const char *name; /* without its dashes */
    const char
        *value; /* what its value is called, "FILE"; "[=N]" where it may be left out; NULL: it has none */
    const char *help; /* its lines, with "\n" between; NULL: the help does not list it */
    option_reader *read;
    size_t at, bytes; /* the member of `out` that a general reader writes: see OPTION_INTO */
    uint64_t min, max;
    char letter;       /* "-j" for "--jobs"; 0: none */
    bool hidden;       /* for the build: no completion offers it, and no complaint */
    const char *words; /* values that completions offer, with spaces between; NULL: names of files */
};

/* The member of `out` that a row's reader writes, with the range of a number; it may be a pointer. */
#define OPTION_RANGE(type, field, least, most)                                                               \
    .at = offsetof(type, field), .bytes = sizeof((type *)NULL)->field, .min = (least), .max = (most)
#define OPTION_INTO(type, field) OPTION_RANGE(type, field, 0, 0)

/* Rows that are alike everywhere. */
#define OPTION_HELP_ROW                                                                                      \
    {                                                                                                        \
        "help", NULL, "print this help and exit", option_help, .letter = 'h'                                 \
    }
#define OPTION_HELP_ROW_WITHOUT_LETTER                                                                       \
    {                                                                                                        \
        "help", NULL, "print this help and exit", option_help, .letter = 0                                   \
    }
#define OPTION_VERSION_ROW                                                                                   \
    {                                                                                                        \
        "version", NULL, "print the version and exit", option_version, .letter = 0                           \
    }
/* What the build asks for, and no help lists. */
#define OPTION_BUILD_ROWS                                                                                    \
    {.name = "man", .read = option_man, .hidden = true},                                                     \
    {                                                                                                        \
        .name = "completion", .value = "SHELL", .read = option_completion, .hidden = true                    \
    }
#define OPTION_ROWS(table) .rows = (table), .row_count = sizeof(table) / sizeof(table)[0]

struct option_page {
    const char *command;  /* NULL: the program itself */
    const char *operands; /* its words in the program's list of commands, "FILE"; NULL: none */
    const char *brief;    /* in that list */
    const char *before; /* of the help, up to the options: "Usage: …", an empty line, what it does; NULL: the
                           man page does not have this page */
    const struct option_row *rows;
    size_t row_count;
    const char *after;       /* of the help, behind the options; NULL: nothing */
    void (*list)(FILE *out); /* prints what its help lists behind `before`; NULL: nothing */
    unsigned list_column;    /* in which briefs begin, on the program's own page */
    unsigned column;         /* in which what an option does begins */
    bool indented;           /* a name without a letter stands below the names with one */
    bool stops;              /* the first word that is no option ends them, even without "--" */
};

enum option_fault {
    OPTION_IS_SOUND,
    OPTION_IS_UNKNOWN,
    OPTION_IS_AMBIGUOUS,
    OPTION_LACKS_VALUE,
    OPTION_TAKES_NO_VALUE
};

struct option_program {
    const char *name;
    /* Says on standard error what is wrong with the option `word`, as it was given. */
    void (*complain)(const struct option_page *page, enum option_fault fault, const char *word);
    void (*print_version)(FILE *out, const char *name);
    const char *summary;                    /* what it does, in the man page */
    const struct option_page *const *pages; /* its own, then those of its commands, then NULL */
};

/* An option among the words of a command. */
struct option_given {
    const struct option_program *program;
    const struct option_page *page;
    const struct option_row *row; /* NULL with a fault in which none is meant */
    enum option_fault fault;
    const char *word; /* it stands in this one */
    char *value;      /* NULL: none */
    bool done;        /* set by a reader: nothing else is to be read or run, as after --help */
};

enum options_outcome {
    OPTIONS_RUN,
    OPTIONS_DONE, /* --help and the like: printed */
    OPTIONS_WRONG /* said on standard error */
};

/* Reads the words behind argv[0]. `*rest` becomes the words that are no options, ended by NULL, which are
 * moved within `argv` unless the page stops at the first of them. A long name may be cut short as long as it
 * is clear which is meant. */
enum options_outcome options_parse(const struct option_program *program, const struct option_page *page,
                                   int argc, char *argv[], void *out, char ***rest);
/* The same with `visit` for each option, sound or not, in place of its row's reader. */
enum options_outcome options_walk(const struct option_program *program, const struct option_page *page,
                                  int argc, char *argv[], option_reader *visit, void *out, char ***rest);

/* ---- readers for any program ---- */

option_reader option_flag;  /* a bool member becomes true */
option_reader option_text;  /* a member that is a const char * becomes the value */
option_reader option_count; /* an unsigned number from `min` to `max`; false without a word when it is none */
option_reader option_help;
option_reader option_version;
/* For the build, not listed by the help: --man, and --completion bash|zsh|fish. */
option_reader option_man;
option_reader option_completion;

/* Moves a secret value into `copy`, which has room for it; on the command line, which other users can read,
 * are x's from then on. */
void option_conceal(struct option_given *given, char *copy);
/* Decimal digits alone, from `min` to `max`. */
bool option_number(const char *text, uint64_t min, uint64_t max, uint64_t *out);
/* The position of `word` among `names`, ended by NULL; -1: it is none of them. */
int option_word(const char *word, const char *const *names);

/* ---- what is printed ---- */

void options_help(FILE *out, const struct option_program *program, const struct option_page *page);
void options_man(FILE *out, const struct option_program *program);
/* False: there is no such shell. */
bool options_completion(FILE *out, const struct option_program *program, const char *shell);

/* ---- for complaints ---- */

/* Adds `; did you mean "--tls"?` when an option of the page is near to `word`: "--tsl", or "--tsl=expired".
 */
void option_add_near(struct text *out, const struct option_page *page, const char *word);
/* Adds `; did you mean "run"?` when a command is near to `word`. */
void option_add_near_command(struct text *out, const struct option_page *const *pages, const char *word);
/* Adds " --json, --junit or --jobs": those that `word` may stand for. */
void option_add_candidates(struct text *out, const struct option_page *page, const char *word);

#endif
