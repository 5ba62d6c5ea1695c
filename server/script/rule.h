/*
 * The rows of the language's tables: what words and options a line has, and of which type each value is. The
 * parser reads by them and the reference is printed from them.
 */
#ifndef SERVER_SCRIPT_RULE_H
#define SERVER_SCRIPT_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum value_type {
    VALUE_NONE,
    VALUE_NAME,        /* a word of at most 63 bytes */
    VALUE_LABEL,       /* a word of at most 31 bytes that can stand after "$": letters, digits, "-" and "_" */
    VALUE_STRING,      /* in double quotes */
    VALUE_TEXT,        /* a word, of `choices` where there are some, or a string */
    VALUE_COUNT,       /* a whole number from min to max */
    VALUE_DURATION,    /* with a unit; microseconds, min to max */
    VALUE_SIZE,        /* bytes, with or without a unit, min to max */
    VALUE_HEX,         /* pairs of hex digits, in quotes or not; min to max bytes */
    VALUE_CHOICE,      /* one of `choices` */
    VALUE_CONDITION,   /* one of `conditions`, with its count */
    VALUE_REQUIREMENT, /* an id of requirements.tsv */
    VALUE_PATTERN      /* side:type,type[filter=value]; read by conformance/script/pattern_line.c */
};

/* Something to wait for; `counted`: it may carry ":N". */
struct condition_rule {
    const char *name;
    bool counted;
    const char *sentence; /* for the reference */
};

/* A word that stands for a number. */
struct number_word {
    const char *word;
    uint64_t number;
};

struct value_rule {
    const char *name; /* of an option; of a positional word: what it is, for error texts */
    const char *const *choices;
    const struct condition_rule *conditions;
    const struct number_word *words; /* COUNT: may stand for a number; ended by a NULL word */
    uint64_t min, max;
    enum value_type type;
    bool counter;         /* COUNT, SIZE: may be $NAME, the counter of a repeat around it */
    bool optional;        /* positional words: the line may end before it */
    bool needed;          /* an option of a send step of a client that must be there */
    bool many;            /* an option that may come again; the last positional word: one or more */
    const char *sentence; /* what it means, for the reference; NULL: its name says it */
};

enum { LINE_ARGS_MAX = 5, LINE_OPTIONS_MAX = 18 };

enum line_flag {
    LINE_AS = 1,            /* may end in `as NAME` */
    LINE_PIPES = 2,         /* may have pipes */
    LINE_BLOCK = 4,         /* must have a block */
    LINE_ONCE = 8,          /* comes at most once in its block */
    LINE_OPEN_OPTIONS = 16, /* takes options beyond its table; the builder checks them */
    LINE_FIXED = 32,        /* no $NAME of a vary may stand in it */
    LINE_SKIPPED = 64       /* it is for another reader: nobody looks into it or its block */
};

struct line_rule {
    const char *word;
    int id;
    unsigned flags;
    const struct value_rule *args;    /* ended by a NULL name; NULL: none */
    const struct value_rule *options; /* the same */
    const char *sentence;             /* what it means, for the reference */
};

#endif
