/* Values of a JSON text that become others. */
#include "codec/mutate/json_view.h"

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])

enum { CODED_MIN = 16 /* characters; shorter strings are taken for words */ };

static bool put_text(struct mutate_edit *edit, const struct json_part *part, const char *text)
{
    return mutate_replace(edit, part->at, part->len, bytes_of_text(text));
}

bool json_change_value(struct mutate_edit *edit, const void *parts)
{
    static const char *const VALUES[] = {
        "null",  "true",   "false",      "0",        "1",       "-1",        "0.5",  "\"\"",
        "\" \"", "\"0\"",  "\"true\"",   "\"null\"", "[]",      "{}",        "[[]]", "[null]",
        "[0]",   "[\"\"]", "{\"a\":{}}", "{\"\":0}", "NaN",     "-Infinity", "tru",  "undefined",
        "'a'",   "\"",     "-",          "",         "{\"a\"}", "[,]",
    };
    const struct json_part *part = json_view_draw(edit, parts);
    return part != NULL && put_text(edit, part, VALUES[mutate_below(edit, COUNT_OF(VALUES))]);
}

bool json_change_number(struct mutate_edit *edit, const void *parts)
{
    static const char *const NUMBERS[] = {
        "-0",
        "01",
        "1.",
        ".5",
        "+1",
        "0x10",
        "1e",
        "1e3",
        "1.0",
        "1e400",
        "-1e400",
        "1e-400",
        "127",
        "128",
        "255",
        "256",
        "32768",
        "65536",
        "2147483647",
        "2147483648",
        "-2147483649",
        "4294967295",
        "4294967296",
        "9007199254740991",
        "9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "1000000000000000000000000000000000000000000000000000000000000000000000000000",
        "0.1000000000000000055511151231257827021181583404541015625",
    };
    const struct json_part *part = json_view_draw_kind(edit, parts, JSON_PART_NUMBER);
    return part != NULL && put_text(edit, part, NUMBERS[mutate_below(edit, COUNT_OF(NUMBERS))]);
}

bool json_change_string(struct mutate_edit *edit, const void *parts)
{
    static const char *const STRINGS[] = {
        "\"\\u0000\"",
        "\"a\\u0000b\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud83d\\ude00\"",
        "\"\\u12\"",
        "\"\\x41\"",
        "\"\\\"",
        "\"\n\"",
        "\"\x7f\"",
        "\"\x01\"",
        "\"\xff\"",
        "\"\xc0\x80\"",
        "\"\xed\xa0\x80\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\xe2\x82\"",
        "\"\xe2\x80\xae\"",
        "\"%s%n\"",
        "\"../../x\"",
        "\"\\u001b[2J\"",
        "\"\\/\"",
        "\"<b>&amp;\"",
        "\"\xef\xbb\xbf\"",
        "\"\\b\\f\\n\\r\\t\"",
        "\"__proto__\"",
    };
    const struct json_part *part = json_view_draw_kind(edit, parts, JSON_PART_STRING);
    return part != NULL && put_text(edit, part, STRINGS[mutate_below(edit, COUNT_OF(STRINGS))]);
}

/* One character of a name or of a string, written as an escape: the text means the same. */
bool json_change_escapes(struct mutate_edit *edit, const void *parts)
{
    static const char digits[] = "0123456789abcdef";
    const struct json_part *part = json_view_draw(edit, parts);
    if (part == NULL || (part->name_len == 0 && part->kind != JSON_PART_STRING))
        return false;
    const bool name = part->kind != JSON_PART_STRING || (part->name_len > 0 && mutate_one_in(edit, 2));
    const size_t at = name ? part->name_at : part->at, len = name ? part->name_len : part->len;
    if (len < 3)
        return false;
    const size_t place = at + 1 + mutate_below(edit, len - 2);
    const uint8_t c = edit->data[place];
    if (c == '\\' || c >= 0x80 || edit->data[place - 1] == '\\')
        return false;
    const char escape[] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    return mutate_replace(edit, place, 1, bytes_of(escape, sizeof escape));
}

/* The word of a fixed place becomes another that the family has, or one that is almost the same. */
bool json_change_type(struct mutate_edit *edit, const void *parts)
{
    const struct json_part *part = json_view_draw_kind(edit, parts, JSON_PART_STRING);
    size_t words = 0;
    while (edit->form->word != NULL && edit->form->word(words) != NULL)
        words++;
    if (part == NULL || part->len < 2 || part->len > CODED_MIN * 4)
        return false;
    if (words > 0 && !mutate_one_in(edit, 3))
        return mutate_replace(edit, part->at + 1, part->len - 2,
                              bytes_of_text(edit->form->word(mutate_below(edit, words))));
    const size_t last = part->at + part->len - 1;
    const uint8_t turned = (uint8_t)(edit->data[part->at + 1] ^ 0x20);
    switch (mutate_below(edit, 4)) {
    case 0:
        return part->len > 2 && mutate_replace(edit, part->at + 1, 1, bytes_of(&turned, 1));
    case 1:
        return mutate_replace(edit, last, 0, bytes_of_text(" "));
    case 2:
        return mutate_replace(edit, last, 0, bytes_of_text("s"));
    default:
        return part->len > 2 && mutate_replace(edit, last - 1, 1, bytes_of(NULL, 0));
    }
}

static const struct json_part *draw_coded(struct mutate_edit *edit, const struct json_view *view)
{
    const struct json_part *part = json_view_draw_kind(edit, view, JSON_PART_STRING);
    return part != NULL && part->len >= CODED_MIN ? part : NULL;
}

/* What stands in base64 loses its form: its end, its padding, its alphabet. */
bool json_change_coding(struct mutate_edit *edit, const void *parts)
{
    static const char *const WRONG[] = {"=", "==", "-", "_", "!", " ", "\\n", "\\u0041", "\xc3\xa9", "A"};
    const struct json_part *part = draw_coded(edit, parts);
    if (part == NULL)
        return false;
    const size_t end = part->at + part->len - 1;
    if (mutate_one_in(edit, 3)) {
        const size_t cut = 1 + mutate_below(edit, 5);
        return mutate_replace(edit, end - cut, cut, bytes_of(NULL, 0));
    }
    const struct bytes wrong = bytes_of_text(WRONG[mutate_below(edit, COUNT_OF(WRONG))]);
    return mutate_replace(
        edit, mutate_one_in(edit, 2) ? end : part->at + 1 + mutate_below(edit, part->len - 2), 0, wrong);
}

/* The content of sound and pictures: other bytes, in the same form. */
bool json_change_coded(struct mutate_edit *edit, const void *parts)
{
    static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const struct json_part *part = draw_coded(edit, parts);
    if (part == NULL)
        return false;
    const size_t at = part->at + 1 + mutate_below(edit, part->len - 4);
    return mutate_replace(edit, at, 1, bytes_of(&ALPHABET[mutate_below(edit, sizeof ALPHABET - 1)], 1));
}

bool json_change_length(struct mutate_edit *edit, const void *parts)
{
    static const size_t LENGTHS[] = {64, 255, 256, 512, 1024, 4096, 65535, 65536};
    static const char *const UNITS[] = {"A", "\\u0041", "\xc3\xa9", "\\\\", "9"};
    const struct json_part *part = json_view_draw(edit, parts);
    const size_t length = LENGTHS[mutate_below(edit, COUNT_OF(LENGTHS))];
    const char *unit = UNITS[mutate_below(edit, COUNT_OF(UNITS))];
    if (part == NULL || part->kind == JSON_PART_OBJECT || part->kind == JSON_PART_LIST)
        return false;
    const char *quote = part->kind == JSON_PART_NUMBER ? "" : "\"";
    return json_view_fill(edit, part->at, part->len, quote, *quote == '\0' ? "9" : unit, length, quote);
}

bool json_change_depth(struct mutate_edit *edit, const void *parts)
{
    static const size_t DEPTHS[] = {1, 2, 16, 63, 64, 65, 128, 512, 1000, 5000, 20000};
    static const struct {
        const char *before, *after;
    } AROUND[] = {{"[", "]"}, {"{\"a\":", "}"}, {"[", ""}, {"", "]"}, {"{\"a\":", ""}, {"[{\"a\":", "}]"}};
    const struct json_part *part = json_view_draw(edit, parts);
    const size_t around = mutate_below(edit, COUNT_OF(AROUND));
    return part != NULL && json_view_wrap(edit, part->at, part->len, AROUND[around].before,
                                          AROUND[around].after, DEPTHS[mutate_below(edit, COUNT_OF(DEPTHS))]);
}
