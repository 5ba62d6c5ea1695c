#include "codec/options/options.h"

#include <assert.h>

/* A walk through the words of a command. */
struct walk {
    struct option_given given;
    int argc, at; /* `at`: the word that is read */
    char **argv;
    option_reader *visit;
    void *out;
};

/* ---- which option is meant ---- */

static const struct option_row *row_by_letter(const struct option_page *page, char letter)
{
    for (size_t i = 0; i < page->row_count; i++)
        if (page->rows[i].letter == letter)
            return &page->rows[i];
    return NULL;
}

/* A whole name, or the beginning of one alone. */
static const struct option_row *row_by_name(const struct option_page *page, struct bytes name,
                                            bool *ambiguous)
{
    const struct option_row *found = NULL;
    *ambiguous = false;
    for (size_t i = 0; i < page->row_count; i++) {
        const struct option_row *row = &page->rows[i];
        if (row->name == NULL || strncmp(row->name, (const char *)name.data, name.len) != 0)
            continue;
        if (row->name[name.len] == '\0') {
            *ambiguous = false;
            return row;
        }
        *ambiguous = found != NULL;
        found = row;
    }
    return *ambiguous ? NULL : found;
}

/* ---- words ---- */

static enum options_outcome visit(struct walk *walk, enum option_fault fault)
{
    walk->given.fault = fault;
    if (!walk->visit(&walk->given, walk->out))
        return OPTIONS_WRONG;
    return walk->given.done ? OPTIONS_DONE : OPTIONS_RUN;
}

/* With what stands in the same word (NULL: nothing), or else in the next one, when it needs a value. */
static enum options_outcome visit_with(struct walk *walk, char *value)
{
    const char *form = walk->given.row->value;
    const bool needs = form != NULL && form[0] != '[';
    if (form == NULL && value != NULL)
        return visit(walk, OPTION_TAKES_NO_VALUE);
    if (needs && value == NULL && walk->at + 1 == walk->argc)
        return visit(walk, OPTION_LACKS_VALUE);
    walk->given.value = needs && value == NULL ? walk->argv[++walk->at] : value;
    return visit(walk, OPTION_IS_SOUND);
}

/* "--name", "--name=value". */
static enum options_outcome read_long(struct walk *walk, char *word)
{
    const size_t len = strcspn(word + 2, "=");
    bool ambiguous;
    walk->given.row = row_by_name(walk->given.page, bytes_of(word + 2, len), &ambiguous);
    if (walk->given.row == NULL)
        return visit(walk, ambiguous ? OPTION_IS_AMBIGUOUS : OPTION_IS_UNKNOWN);
    return visit_with(walk, word[2 + len] == '=' ? word + 2 + len + 1 : NULL);
}

/* "-h", "-j 4", "-j4". */
static enum options_outcome read_letters(struct walk *walk, char *word)
{
    enum options_outcome outcome = OPTIONS_RUN;
    for (char *at = word + 1; outcome == OPTIONS_RUN && *at != '\0'; at++) {
        walk->given.row = row_by_letter(walk->given.page, *at);
        if (walk->given.row == NULL)
            return visit(walk, OPTION_IS_UNKNOWN);
        if (walk->given.row->value != NULL)
            return visit_with(walk, at[1] == '\0' ? NULL : at + 1);
        outcome = visit_with(walk, NULL);
    }
    return outcome;
}

enum options_outcome options_walk(const struct option_program *program, const struct option_page *page,
                                  int argc, char *argv[], option_reader *visitor, void *out, char ***rest)
{
    struct walk walk = {.given = {.program = program, .page = page},
                        .argc = argc,
                        .argv = argv,
                        .visit = visitor,
                        .out = out};
    int kept = 1; /* up to here stand the words that are no options */
    for (walk.at = 1; walk.at < argc; walk.at++) {
        char *word = argv[walk.at];
        if (word[0] != '-' || word[1] == '\0') {
            if (page->stops)
                break;
            argv[kept++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            walk.at++;
            break;
        }
        walk.given.word = word;
        walk.given.value = NULL;
        const enum options_outcome outcome =
            word[1] == '-' ? read_long(&walk, word) : read_letters(&walk, word);
        if (outcome != OPTIONS_RUN)
            return outcome;
    }
    while (kept > 1 && walk.at < argc)
        argv[kept++] = argv[walk.at++];
    if (kept > 1 && kept < argc)
        argv[kept] = NULL;
    *rest = kept > 1 ? argv + 1 : argv + walk.at;
    return OPTIONS_RUN;
}

static bool take(struct option_given *given, void *out)
{
    if (given->fault == OPTION_IS_SOUND)
        return given->row->read(given, out);
    given->program->complain(given->page, given->fault, given->word);
    return false;
}

enum options_outcome options_parse(const struct option_program *program, const struct option_page *page,
                                   int argc, char *argv[], void *out, char ***rest)
{
    return options_walk(program, page, argc, argv, take, out, rest);
}
