/*
 * What the stages of a parse share: the text, where in it we are, the first error, and the memory of the
 * tree. Private to server/script and to conformance/script, which reads the lines of a suite.
 *
 * The stages: lexer (bytes to tokens), tree (tokens to lines and blocks), line (a line against its row of a
 * table), and one builder for each block, which fills `struct script` (or a suite's). Every function returns
 * false once an error is latched; the first one stands. Where all errors are wanted (`errors`), whoever goes
 * through lines asks parser_goes_on after a line that failed, and goes on with the next.
 */
#ifndef SERVER_SCRIPT_PARSER_H
#define SERVER_SCRIPT_PARSER_H

#include "codec/wire/text.h"
#include "server/script/arena.h"
#include "server/script/script.h"

enum {
    SCRIPT_STRING_MAX = 8192,
    SCRIPT_FOUND_MAX = 60,
    SCRIPT_EXPECTED_MAX = 300,
    SCRIPT_CAPTURES_MAX = 128
};

/* Both from 1; the column counts bytes. */
struct place {
    unsigned line;
    unsigned column;
};

/* A name that a step defines with `as`, or a mark. */
struct defined_name {
    char name[ACTION_LABEL_MAX];
    bool is_mark;
};

/* A vary line; the first of its values holds. */
struct vary_value {
    const char *text; /* in the arena */
    bool is_string;
};

struct vary {
    const char *name;
    unsigned line;
    size_t count;
    struct vary_value *values;
};

struct parser {
    const char *path;
    const struct session_class *class;
    struct script *script; /* what the server block says goes there */
    char *error;           /* SCRIPT_ERROR_MAX */
    bool failed;
    struct script_errors *errors; /* NULL: only the first is wanted */
    bool fatal;                   /* nothing more can be said after this error */
    bool broken;                  /* lines are missing from the tree */
    struct script_arena arena;    /* the tree; freed at the end of the parse */
    struct script_arena *kept;    /* texts that stay with what is made of it; NULL: nothing is kept so */

    struct bytes text;
    size_t offset;
    struct place place; /* of `offset` */

    size_t vary_count;
    struct vary varies[SCRIPT_VARIES_MAX];
    size_t variant_count; /* what they make together; 1 without any */

    bool injected;     /* the steps are for a connection that is open already */
    bool aside;        /* so are those of the block of an aside */
    size_t step_count; /* of the server block, inner steps counted */
    size_t name_count;
    struct defined_name names[SCRIPT_CAPTURES_MAX];
    size_t counter_count; /* of the repeats around the step */
    const struct server_step *counters[SCRIPT_DEPTH_MAX + 1];
};

/* ---- script.c ---- */

/*
 * A parse from `given` (its text, class, path, error and script): true when `build` has found no error. The
 * tree is gone then.
 */
bool parser_run(const struct parser *given, bool (*build)(struct parser *parser, void *context),
                void *context);
/* Frees what it owns. */
void script_clear(struct script *script);

/* ---- complain.c ---- */

/* "PATH:LINE:COLUMN: expected EXPECTED, found FOUND". Always returns false. */
bool complain(struct parser *parser, struct place place, const char *expected, const char *found);
/* The same, FOUND being `word` in quotes, with the nearest of `choices` (NULL-ended) as a suggestion. */
bool complain_word(struct parser *parser, struct place place, const char *expected, const char *word,
                   const char *const *choices);
bool complain_memory(struct parser *parser);
/* After an error in a line: is there to be a look at the next? */
bool parser_goes_on(struct parser *parser);
/* Has an error been told already? Then what is missing may be what was told. */
bool parser_has_told(const struct parser *parser);
/* "one of a, b, c", cut at SCRIPT_EXPECTED_MAX. */
void choices_write(char out[SCRIPT_EXPECTED_MAX], const char *before, const char *const *choices);
bool choices_hold(const char *const *choices, const char *word);

/* ---- lexer.c ---- */

enum lexeme_kind {
    TOKEN_WORD,
    TOKEN_STRING,
    TOKEN_OPTION, /* name=value */
    TOKEN_PIPE,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_NEWLINE,
    TOKEN_END
};

struct token {
    enum lexeme_kind kind;
    struct place place;
    size_t offset;    /* of its first byte */
    const char *text; /* WORD, STRING: it; OPTION: the name. In the arena */
    const char *value;
    struct place value_place;
    bool value_is_string;
};

/* Is the text UTF-8, and not too long? */
bool text_check(struct parser *parser);
bool lexer_next(struct parser *parser, struct token *out);

/* ---- tree.c ---- */

struct item {
    struct item *next;
    struct token token; /* WORD, STRING, OPTION or PIPE */
};

/* A line: its items, and the lines of its block. The first item is a word. */
struct node {
    struct node *next;
    bool broken; /* it was not read to its end; taken out of the tree before anyone sees it */
    struct item *items;
    struct node *children;
    bool has_block;
    struct place open; /* of the "{" */
    struct place end;  /* where the line ended */
    const char *found_at_end;
};

/* Reads the whole text. `end` gets the place of the end of the file. */
bool tree_read(struct parser *parser, struct node **lines, struct place *end);

/* ---- builders ---- */

bool server_build(struct parser *parser, const struct node *block);
/* The lines of a server block alone; `end` is the place of the end of the text. */
bool server_build_lines(struct parser *parser, const struct node *lines, struct place end);

/* Has a step been named so? With `mark`: was such a mark set? */
bool name_is_defined(const struct parser *parser, struct bytes name, bool mark);

#endif
