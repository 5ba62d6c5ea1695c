/* The text of a message to its tree: json_members.h. */
#include "codec/wire/json_members.h"

/* A parsed value takes some 64 bytes of memory, so a text of nothing but brackets would grow thirtyfold.
 * Messages have a dozen values; these are the characters that make more of them, wherever they stand. */
enum { STRUCTURE_MAX = 65536 };

static size_t count_byte(struct bytes text, char byte)
{
    const uint8_t *at = text.data, *end = text.data + text.len;
    size_t count = 0;
    while (at < end && count <= STRUCTURE_MAX && (at = memchr(at, byte, (size_t)(end - at))) != NULL) {
        at++;
        count++;
    }
    return count;
}

static bool has_many_values(struct bytes text)
{
    if (text.len <= STRUCTURE_MAX)
        return false;
    return count_byte(text, ',') + count_byte(text, '[') + count_byte(text, '{') > STRUCTURE_MAX;
}

/* What is legal JSON and not read here, by the names of json_check. */
static const struct {
    const char *field, *expected, *found;
} LIMITS[] = {
    {"size", "a message of at most 8 MB", "a longer one"},
    {"values", "at most 65,536 values", "more"},
    {"depth", "at most 64 levels of arrays and objects", "one more"},
    {"NUL", "strings without \\u0000", "one"},
    {"surrogate pair", "both halves of a surrogate pair", "one alone"},
    {"number of members", "at most 4,096 members in an object", "more"},
    {"number length", "numbers of at most 63 bytes", "a longer one"},
};
_Static_assert(JSON_MESSAGE_BYTES_MAX == 8 * 1024 * 1024 && STRUCTURE_MAX == 65536 && JSON_DEPTH_MAX == 64 &&
                   JSON_MEMBERS_MAX == 4096 && JSON_NUMBER_BYTES_MAX == 63,
               "as they are told above");

static enum json_form fail_text(const struct json_reader *reader, const struct wire_error *error)
{
    const enum json_form form = error->status != WIRE_NOT_JSON ? JSON_FORM_UNREADABLE : JSON_FORM_NOT_JSON;
    const char *expected = error->field, *what = "something else";
    char found[JSON_FAULT_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    for (size_t i = 0; i < sizeof LIMITS / sizeof LIMITS[0]; i++) {
        if (form != JSON_FORM_UNREADABLE || strcmp(LIMITS[i].field, error->field) != 0)
            continue;
        expected = LIMITS[i].expected;
        what = LIMITS[i].found;
    }
    text_add(&text, what);
    if (form == JSON_FORM_NOT_JSON || error->offset > 0) { /* of the whole there is no place */
        text_add(&text, " at byte ");
        text_add_u64(&text, error->offset);
    }
    const enum json_fault_kind kind = error->status == WIRE_NO_SPACE ? JSON_FAULT_NO_MEMORY
                                      : form == JSON_FORM_UNREADABLE ? JSON_FAULT_UNREADABLE
                                                                     : JSON_FAULT_NOT_JSON;
    json_fail(reader, kind, NULL, expected, found);
    json_fail_at(reader, error->offset);
    return form;
}

enum json_form json_message_parse(struct bytes text, struct json_faults *faults, cJSON **tree,
                                  struct json_reader *reader)
{
    struct wire_error error = {.status = WIRE_UNREADABLE_JSON};
    *tree = NULL;
    *reader = (struct json_reader){.faults = faults};
    if (text.len > JSON_MESSAGE_BYTES_MAX)
        error.field = "size";
    else if (has_many_values(text))
        error.field = "values";
    else
        error = json_parse_last(text, tree);
    if (error.status != WIRE_OK)
        return fail_text(reader, &error);
    reader->object = *tree;
    if (cJSON_IsObject(*tree))
        return JSON_FORM_OBJECT;
    json_fail(reader, JSON_FAULT_NOT_OBJECT, NULL, "an object", "another value");
    return JSON_FORM_NO_OBJECT;
}
