/* Error texts: one form, PATH:LINE:COLUMN: expected X, found Y, and the nearest right word if there is one.
 */
#include "codec/wire/text.h"
#include "server/script/parser.h"

enum { PATH_SHOWN_MAX = 120, WORD_COMPARED_MAX = 40, DISTANCE_MAX = 2 };

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

bool complain(struct parser *parser, struct place place, const char *expected, const char *found)
{
    if (parser->failed)
        return false;
    parser->failed = true;
    struct text text = text_of(parser->error, SCRIPT_ERROR_MAX);
    error_begin(&text, parser, place, expected);
    text_add(&text, found);
    return false;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* How many letters to change, add or drop to make one word of the other. */
static size_t word_distance(const char *a, const char *b)
{
    size_t row[WORD_COMPARED_MAX + 1];
    size_t a_len = strlen(a);
    size_t b_len = strlen(b);
    if (a_len > WORD_COMPARED_MAX || b_len > WORD_COMPARED_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1));
            diagonal = above;
        }
    }
    return row[b_len];
}

static const char *nearest_choice(const char *word, const char *const *choices)
{
    const char *nearest = NULL;
    size_t best = DISTANCE_MAX + 1;
    for (size_t i = 0; choices != NULL && choices[i] != NULL; i++) {
        size_t distance = word_distance(word, choices[i]);
        if (distance < best && distance < strlen(choices[i])) {
            best = distance;
            nearest = choices[i];
        }
    }
    return nearest;
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
    const char *nearest = nearest_choice(word, choices);
    if (nearest == NULL)
        return false;
    text_add(&text, "; did you mean \"");
    text_add(&text, nearest);
    text_add(&text, "\"?");
    return false;
}

bool complain_memory(struct parser *parser)
{
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
