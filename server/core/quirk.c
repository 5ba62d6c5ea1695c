#include "server/core/quirk.h"

#include "codec/wire/measure.h"
#include "codec/wire/nearest.h"

enum { FOUND_SHOWN_MAX = 40 }; /* bytes of what was found that an error shows */

/* ---- names ---- */

static bool fail_name(const struct quirk_kind *kinds, struct bytes name, char error[QUIRK_ERROR_MAX])
{
    struct text text = text_of(error, QUIRK_ERROR_MAX);
    text_add(&text, "there is no quirk \"");
    text_add_printable(&text, name, FOUND_SHOWN_MAX);
    text_add(&text, "\"");
    struct nearest nearest = nearest_to(name);
    for (size_t i = 0; kinds[i].name != NULL; i++)
        nearest_offer(&nearest, kinds[i].name);
    text_add_nearest(&text, &nearest);
    return false;
}

/* ---- values ---- */

/* The position of the word in a list with single spaces, from 1; 0: none of them. */
static uint64_t choice_read(struct bytes word, const char *choices)
{
    uint64_t position = 1;
    for (const char *at = choices; *at != '\0'; position++) {
        const char *end = strchr(at, ' ');
        const size_t len = end == NULL ? strlen(at) : (size_t)(end - at);
        if (bytes_equal(word, bytes_of(at, len)))
            return position;
        at += end == NULL ? len : len + 1;
    }
    return 0;
}

static bool value_read(const struct quirk_kind *kind, struct bytes text, uint64_t *out)
{
    enum measure measure = MEASURE_NUMBER;
    switch (kind->value) {
    case QUIRK_FLAG:
    case QUIRK_SET:
        *out = 1;
        return bytes_equal_text(text, "on");
    case QUIRK_CHOICE:
        *out = choice_read(text, kind->choices);
        return *out != 0;
    case QUIRK_NUMBER:
        break;
    case QUIRK_DURATION:
        measure = MEASURE_DURATION;
        break;
    case QUIRK_SIZE:
        measure = MEASURE_SIZE;
        break;
    }
    return measure_read(text, measure, out) && *out >= kind->min && *out <= kind->max;
}

static void add_range(struct text *text, const struct quirk_kind *kind, const char *what)
{
    text_add(text, what);
    text_add(text, " from ");
    if (kind->value == QUIRK_DURATION)
        text_add_duration(text, kind->min);
    else
        text_add_u64(text, kind->min);
    text_add(text, " to ");
    if (kind->value == QUIRK_DURATION)
        text_add_duration(text, kind->max);
    else
        text_add_u64(text, kind->max);
}

static void add_expected(struct text *text, const struct quirk_kind *kind)
{
    switch (kind->value) {
    case QUIRK_FLAG:
    case QUIRK_SET:
        text_add(text, "no value, on");
        break;
    case QUIRK_NUMBER:
        add_range(text, kind, "a whole number");
        break;
    case QUIRK_DURATION:
        add_range(text, kind, "a duration");
        break;
    case QUIRK_SIZE:
        add_range(text, kind, "a size");
        break;
    case QUIRK_CHOICE:
        text_add(text, "one of ");
        text_add(text, kind->choices);
        break;
    }
    text_add(text, " or off");
}

static bool fail_value(const struct quirk_kind *kind, struct bytes found, char error[QUIRK_ERROR_MAX])
{
    struct text text = text_of(error, QUIRK_ERROR_MAX);
    text_add(&text, "quirk ");
    text_add(&text, kind->name);
    text_add(&text, ": expected ");
    add_expected(&text, kind);
    text_add(&text, ", found \"");
    text_add_printable(&text, found, FOUND_SHOWN_MAX);
    text_add(&text, "\"");
    return false;
}

/* ---- quirks ---- */

int quirk_row(const struct quirk_kind *kinds, struct bytes name)
{
    for (int i = 0; kinds[i].name != NULL; i++) {
        if (bytes_equal_text(name, kinds[i].name))
            return i;
    }
    return -1;
}

static bool is_flag(const struct quirk_kind *kind)
{
    return kind->value == QUIRK_FLAG || kind->value == QUIRK_SET;
}

/* Those that a set stands for, which are quirks and no sets: on, or all off. */
static void members_set(struct quirks *quirks, const struct quirk_kind *kinds, const char *members, bool on)
{
    for (const char *at = members; *at != '\0';) {
        const size_t len = strcspn(at, " ");
        const size_t name_len = strcspn(at, " =");
        const struct quirk_kind *kind = &kinds[quirk_row(kinds, bytes_of(at, name_len))];
        struct bytes value = bytes_of_text(is_flag(kind) ? "on" : kind->unset);
        uint64_t number = 0;
        if (name_len < len)
            value = bytes_of(at + name_len + 1, len - name_len - 1);
        if (on)
            (void)value_read(kind, value, &number);
        quirks->value[kind - kinds] = number;
        at += len + (at[len] == ' ' ? 1 : 0);
    }
}

bool quirk_set(struct quirks *quirks, const struct quirk_kind *kinds, struct bytes text,
               char error[QUIRK_ERROR_MAX])
{
    const uint8_t *equals = text.len == 0 ? NULL : memchr(text.data, '=', text.len);
    const size_t name_len = equals == NULL ? text.len : (size_t)(equals - text.data);
    const struct bytes name = bytes_of(text.data, name_len);
    error[0] = '\0';
    const int row = quirk_row(kinds, name);
    if (row < 0)
        return fail_name(kinds, name, error);
    const struct quirk_kind *kind = &kinds[row];
    struct bytes value = bytes_of_text(is_flag(kind) ? "on" : kind->unset);
    if (equals != NULL)
        value = bytes_of(equals + 1, text.len - name_len - 1);
    uint64_t number = 0;
    if (!bytes_equal_text(value, "off") && !value_read(kind, value, &number))
        return fail_value(kind, value, error);
    if (kind->value == QUIRK_SET)
        members_set(quirks, kinds, kind->choices, number != 0);
    else
        quirks->value[row] = number;
    return true;
}

static bool is_separator(uint8_t c)
{
    return c == ' ' || c == ',';
}

bool quirk_set_all(struct quirks *quirks, const struct quirk_kind *kinds, struct bytes text,
                   char error[QUIRK_ERROR_MAX])
{
    struct quirks changed = *quirks;
    error[0] = '\0';
    for (size_t at = 0; at < text.len;) {
        if (is_separator(text.data[at])) {
            at++;
            continue;
        }
        size_t end = at;
        while (end < text.len && !is_separator(text.data[end]))
            end++;
        if (!quirk_set(&changed, kinds, bytes_of(text.data + at, end - at), error))
            return false;
        at = end;
    }
    *quirks = changed;
    return true;
}

/* ---- written ---- */

static void choice_write(struct text *out, const char *choices, uint64_t position)
{
    const char *at = choices;
    for (uint64_t n = 1; n < position && strchr(at, ' ') != NULL; n++)
        at = strchr(at, ' ') + 1;
    text_add_bytes(out, bytes_of(at, strcspn(at, " ")));
}

void quirk_write_all(struct text *out, const struct quirk_kind *kinds, const struct quirks *quirks)
{
    bool first = true;
    for (size_t row = 0; kinds[row].name != NULL; row++) {
        const uint64_t value = quirks->value[row];
        if (value == 0)
            continue;
        text_add(out, first ? "" : " ");
        text_add(out, kinds[row].name);
        text_add_char(out, '=');
        first = false;
        if (kinds[row].value == QUIRK_FLAG)
            text_add(out, "on");
        else if (kinds[row].value == QUIRK_CHOICE)
            choice_write(out, kinds[row].choices, value);
        else
            text_add_u64(out, value);
        text_add(out, kinds[row].value == QUIRK_DURATION ? "us" : "");
    }
}

bool quirks_any(const struct quirks *quirks)
{
    uint64_t any = 0;
    for (size_t row = 0; row < QUIRKS_MAX; row++)
        any |= quirks->value[row];
    return any != 0;
}
