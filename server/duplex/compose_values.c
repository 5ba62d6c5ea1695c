/* Reading the options of a `send` step. */
#include "server/duplex/compose.h"

static const char ABSENT[] = "absent";
static const int64_t INTEGER_MAX = INT64_C(1) << 53;

bool duplex_compose_fail(const struct duplex_call *call, const char *sentence)
{
    struct text text = text_of(call->error, DUPLEX_COMPOSE_ERROR_MAX);
    text_add(&text, sentence);
    return false;
}

bool duplex_compose_fail_value(const struct duplex_call *call, const char *name, const char *value,
                               const char *expected)
{
    struct text text = text_of(call->error, DUPLEX_COMPOSE_ERROR_MAX);
    text_add(&text, name);
    text_add(&text, ": expected ");
    text_add(&text, expected);
    text_add(&text, ", found \"");
    text_add_printable(&text, bytes_of_text(value), 40);
    text_add(&text, "\"");
    return false;
}

const char *duplex_compose_value(const struct duplex_call *call, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < call->option_count; i++)
        if (strcmp(call->options[i].name, name) == 0)
            value = call->options[i].value;
    return value;
}

void duplex_compose_text(const struct duplex_call *call, const char *name, bool *has, struct bytes *out)
{
    const char *value = duplex_compose_value(call, name);
    if (value == NULL)
        return;
    *has = strcmp(value, ABSENT) != 0;
    *out = *has ? bytes_of_text(value) : bytes_of(NULL, 0);
}

static bool integer_read(const char *text, int64_t *out)
{
    const bool negative = *text == '-';
    int64_t value = 0;
    text += negative ? 1 : 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || value > INTEGER_MAX / 10)
            return false;
        value = value * 10 + (*text - '0');
    }
    *out = negative ? -value : value;
    return value <= INTEGER_MAX;
}

bool duplex_compose_integer(const struct duplex_call *call, const char *name, bool *has, int64_t *out)
{
    const char *value = duplex_compose_value(call, name);
    if (value == NULL)
        return true;
    *has = strcmp(value, ABSENT) != 0;
    return !*has || integer_read(value, out) ||
           duplex_compose_fail_value(call, name, value, "a whole number up to 2^53, or absent");
}

bool duplex_compose_bool(const struct duplex_call *call, const char *name, bool *has, bool *out)
{
    const char *value = duplex_compose_value(call, name);
    if (value == NULL)
        return true;
    *has = strcmp(value, ABSENT) != 0;
    *out = strcmp(value, "true") == 0;
    return !*has || *out || strcmp(value, "false") == 0 ||
           duplex_compose_fail_value(call, name, value, "true, false or absent");
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool duplex_compose_hex(const struct duplex_call *call, const char *name, uint8_t *out, size_t capacity,
                        size_t *len)
{
    const char *value = duplex_compose_value(call, name);
    const size_t digits = value == NULL ? 0 : strlen(value);
    *len = digits / 2;
    if (digits % 2 != 0 || digits / 2 > capacity)
        return duplex_compose_fail_value(call, name, value, "pairs of hex digits, at most 4096");
    for (size_t i = 0; i < digits / 2; i++) {
        const int high = hex_digit(value[2 * i]);
        const int low = hex_digit(value[2 * i + 1]);
        if (high < 0 || low < 0)
            return duplex_compose_fail_value(call, name, value, "pairs of hex digits");
        out[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}

bool duplex_compose_choice(const struct duplex_call *call, const char *name, const char *const *words,
                           size_t otherwise, size_t *out)
{
    const char *value = duplex_compose_value(call, name);
    char expected[120];
    struct text text = text_of(expected, sizeof expected);
    *out = otherwise;
    if (value == NULL)
        return true;
    for (size_t i = 0; words[i] != NULL; i++) {
        *out = i;
        if (strcmp(words[i], value) == 0)
            return true;
        text_add(&text, i == 0 ? "" : ", ");
        text_add(&text, words[i]);
    }
    return duplex_compose_fail_value(call, name, value, expected);
}
