/* The types of words and option values in a script, and how each is read. Private to server/script. */
#ifndef SERVER_SCRIPT_VALUE_H
#define SERVER_SCRIPT_VALUE_H

#include "server/script/parser.h"

enum value_type {
    VALUE_NONE,
    VALUE_NAME,        /* a word of at most 63 bytes */
    VALUE_LABEL,       /* a word of at most 31 bytes that can stand after "$": letters, digits, "-" and "_" */
    VALUE_STRING,      /* in double quotes */
    VALUE_TEXT,        /* a word or a string */
    VALUE_COUNT,       /* a whole number from min to max */
    VALUE_DURATION,    /* with a unit; microseconds, min to max */
    VALUE_SIZE,        /* bytes, with or without a unit, min to max */
    VALUE_HEX,         /* pairs of hex digits, in quotes or not; min to max bytes */
    VALUE_CHOICE,      /* one of `choices` */
    VALUE_CONDITION,   /* one of `conditions`, with its count */
    VALUE_REQUIREMENT, /* an id of requirements.tsv */
    VALUE_PATTERN      /* side:type,type[filter=value]; read by check_line.c */
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
    bool many;            /* an option that may come again; the last positional word: one or more */
    const char *sentence; /* what it means, for the reference; NULL: its name says it */
};

struct value {
    bool set;
    struct place place;
    const char *text; /* as written; in the arena */
    bool is_string;
    uint64_t number;
    const char *counter; /* its name, when the value is one; NULL: `number` */
    struct script_condition condition;
    const struct requirement *requirement;
};

/* `text` at `place` as `rule` has it. */
bool value_read(struct parser *parser, const struct value_rule *rule, struct place place, const char *text,
                bool is_string, struct value *out);
/* All of `text` as a whole number from min to max. */
bool number_read(const char *text, uint64_t min, uint64_t max, uint64_t *out);
/* A value that may be a counter, for the step. */
struct script_number value_number(const struct value *value);
/* The bytes of a value that is hex, `malloc`ed; NULL data when memory runs out. */
struct bytes value_hex(const struct value *value);
/* "a whole number from 1 to 9", "one of a, b": what a rule asks for. */
void value_expected(char out[SCRIPT_EXPECTED_MAX], const struct value_rule *rule);

/*
 * The `$` references of a text: $counter of a repeat around it, $NAME.interaction of a step named before, and
 * "$$" for a dollar. False with an error when one of them is unknown. `counters`: may $counter stand here?
 */
bool references_check(struct parser *parser, struct place place, const char *text, bool counters);

#endif
