/* Error texts: one form, PATH:LINE:COLUMN: expected X, found Y, and the nearest right word if there is one.
 */
#include "codec/wire/nearest.h"
#include "server/script/parser.h"

enum { PATH_SHOWN_MAX = 120 };

static void error_begin(struct text *text, const struct parser *parser, struct place place,
                        const char *expected)
{
    size_t len = strlen(parser->path);
    /* Of a long path its end says most. */
    if (len > PATH_SHOWN_MAX)
        text_add(text, "...");
    text_add(text, parser->path + (len > PATH_SHOWN_MAX ? len - PATH_SHOWN_MAX : 0));
    text_add(text, ":");
    text_add_u64(text, place.line);
    text_add(text, ":");
    text_add_u64(text, place.column);
    text_add(text, ": expected ");
    text_add(text, expected);
    text_add(text, ", found ");
}

/* Into the list, in the order of places; one error a place is enough. */
static void error_keep(const struct parser *parser, struct place place)
{
    struct script_errors *errors = parser->errors;
    if (errors == NULL)
        return;
    size_t at = errors->count;
    while (at > 0 && (errors->list[at - 1].line > place.line || (errors->list[at - 1].line == place.line &&
                                                                 errors->list[at - 1].column > place.column)))
        at--;
    if (at > 0 && errors->list[at - 1].line == place.line && errors->list[at - 1].column == place.column)
        return;
    if (errors->count == SCRIPT_ERRORS_MAX) {
        errors->more = true;
        return;
    }
    for (size_t i = errors->count++; i > at; i--)
        errors->list[i] = errors->list[i - 1];
    errors->list[at].line = place.line;
    errors->list[at].column = place.column;
    memcpy(errors->list[at].text, parser->error, SCRIPT_ERROR_MAX);
}

bool parser_goes_on(struct parser *parser)
{
    if (parser->errors == NULL || parser->fatal || parser->errors->more)
        return false;
    parser->failed = false;
    return true;
}

bool parser_has_told(const struct parser *parser)
{
    return parser->errors != NULL && parser->errors->count > 0;
}

bool complain(struct parser *parser, struct place place, const char *expected, const char *found)
{
    if (parser->failed)
        return false;
    parser->failed = true;
    struct text text = text_of(parser->error, SCRIPT_ERROR_MAX);
    error_begin(&text, parser, place, expected);
    text_add(&text, found);
    error_keep(parser, place);
    return false;
}

bool complain_word(struct parser *parser, struct place place, const char *expected, const char *word,
                   const char *const *choices)
{
    if (parser->failed)
        return false;
    parser->failed = true;
    struct text text = text_of(parser->error, SCRIPT_ERROR_MAX);
    error_begin(&text, parser, place, expected);
    text_add(&text, "\"");
    text_add_printable(&text, bytes_of_text(word), SCRIPT_FOUND_MAX);
    text_add(&text, "\"");
    struct nearest nearest = nearest_to(bytes_of_text(word));
    for (size_t i = 0; choices != NULL && choices[i] != NULL; i++)
        nearest_offer(&nearest, choices[i]);
    text_add_nearest(&text, &nearest);
    error_keep(parser, place);
    return false;
}

bool complain_memory(struct parser *parser)
{
    parser->fatal = true;
    return complain(parser, parser->place, "enough memory", "none left");
}

void choices_write(char out[SCRIPT_EXPECTED_MAX], const char *before, const char *const *choices)
{
    struct text text = text_of(out, SCRIPT_EXPECTED_MAX);
    text_add(&text, before);
    for (size_t i = 0; choices[i] != NULL; i++) {
        /* A list too long for the line ends in dots; SCRIPTS.md has all of it. */
        if (text.len + strlen(choices[i]) + 8 > SCRIPT_EXPECTED_MAX / 2 + 60) {
            text_add(&text, " ...");
            return;
        }
        text_add(&text, i == 0 ? "" : ", ");
        text_add(&text, choices[i]);
    }
}

bool choices_hold(const char *const *choices, const char *word)
{
    for (size_t i = 0; choices[i] != NULL; i++)
        if (strcmp(choices[i], word) == 0)
            return true;
    return false;
}
