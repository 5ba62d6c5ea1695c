/* Reading the options of a `send` step. */
#include "server/core/compose.h"

static const char ABSENT[] = "absent";
static const int64_t INTEGER_MAX = INT64_C(1) << 53;

bool compose_fail_value(const struct compose_call *call, const char *name, const char *value,
                        const char *expected)
{
    const struct compose_option option = {.name = name, .value = value};
    return compose_fail(call->error, &option, expected);
}

void compose_text(const struct compose_call *call, const char *name, bool *has, struct bytes *out)
{
    const char *value = compose_value(call, name);
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

bool compose_integer(const struct compose_call *call, const char *name, bool *has, int64_t *out)
{
    const char *value = compose_value(call, name);
    if (value == NULL)
        return true;
    *has = strcmp(value, ABSENT) != 0;
    return !*has || integer_read(value, out) ||
           compose_fail_value(call, name, value, "a whole number up to 2^53, or absent");
}

bool compose_bool(const struct compose_call *call, const char *name, bool *has, bool *out)
{
    const char *value = compose_value(call, name);
    if (value == NULL)
        return true;
    *has = strcmp(value, ABSENT) != 0;
    *out = strcmp(value, "true") == 0;
    return !*has || *out || strcmp(value, "false") == 0 ||
           compose_fail_value(call, name, value, "true, false or absent");
}

bool compose_choice(const struct compose_call *call, const char *name, const char *const *words,
                    size_t otherwise, size_t *out)
{
    const char *value = compose_value(call, name);
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
    return compose_fail_value(call, name, value, expected);
}
