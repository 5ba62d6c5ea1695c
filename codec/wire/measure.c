#include "codec/wire/measure.h"

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit NUMBER_UNITS[] = {{"", 1}, {NULL, 0}};
static const struct unit DURATION_UNITS[] = {{"us", 1}, {"ms", 1000}, {"s", 1000000}, {NULL, 0}};
static const struct unit SIZE_UNITS[] = {{"", 1}, {"B", 1}, {"KB", 1024}, {"MB", 1048576}, {NULL, 0}};

static const struct unit *units_of(enum measure measure)
{
    switch (measure) {
    case MEASURE_NUMBER:
        return NUMBER_UNITS;
    case MEASURE_DURATION:
        return DURATION_UNITS;
    case MEASURE_SIZE:
        return SIZE_UNITS;
    }
    return NUMBER_UNITS;
}

/* The digits that `text` begins with; how many they are, 0 when there are none or too many. */
static size_t digits_read(struct bytes text, uint64_t *out)
{
    uint64_t number = 0;
    size_t digits = 0;
    for (; digits < text.len && text.data[digits] >= '0' && text.data[digits] <= '9'; digits++) {
        const uint64_t digit = (uint64_t)(text.data[digits] - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return 0;
        number = number * 10 + digit;
    }
    *out = number;
    return digits;
}

bool measure_read(struct bytes text, enum measure measure, uint64_t *out)
{
    uint64_t number = 0;
    const size_t digits = digits_read(text, &number);
    if (digits == 0)
        return false;
    const struct bytes name = bytes_of(text.data + digits, text.len - digits);
    for (const struct unit *unit = units_of(measure); unit->name != NULL; unit++) {
        if (!bytes_equal_text(name, unit->name) || number > UINT64_MAX / unit->factor)
            continue;
        *out = number * unit->factor;
        return true;
    }
    return false;
}

void text_add_duration(struct text *text, uint64_t us)
{
    const size_t n = us % 1000 != 0 ? 0 : us % 1000000 != 0 ? 1 : 2;
    text_add_u64(text, us / DURATION_UNITS[n].factor);
    text_add(text, DURATION_UNITS[n].name);
}
