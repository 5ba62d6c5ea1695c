#include "codec/wire/json_names.h"

bool json_names_add(struct json_names *names, struct bytes name)
{
    if (names->count == JSON_MEMBERS_MAX)
        return false;
    names->names[names->count++] = name;
    return true;
}

static uint32_t name_hex4(const uint8_t *digits)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4; i++) {
        uint8_t c = digits[i];
        value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

static uint32_t name_short_escape(uint8_t letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return letter;
    }
}

/* Half a pair is a code point of its own. */
static bool name_low_follows(struct bytes name)
{
    if (name.len < 12 || name.data[6] != '\\' || name.data[7] != 'u')
        return false;
    const uint32_t low = name_hex4(name.data + 8);
    return low >= 0xdc00 && low <= 0xdfff;
}

uint32_t json_escape_take(struct bytes *text)
{
    size_t len = 2;
    uint32_t point;
    if (text->data[1] != 'u') {
        point = name_short_escape(text->data[1]);
    } else {
        len = 6;
        point = name_hex4(text->data + 2);
        if (point >= 0xd800 && point <= 0xdbff && name_low_follows(*text)) {
            point = 0x10000 + ((point - 0xd800) << 10) + (name_hex4(text->data + 8) - 0xdc00);
            len = 12;
        }
    }
    *text = bytes_of(text->data + len, text->len - len);
    return point;
}

/* Takes one code point off the front of `name`, which is not empty. */
static uint32_t name_next(struct bytes *name)
{
    uint8_t lead = name->data[0];
    if (lead == '\\')
        return json_escape_take(name);
    size_t len = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t point = lead < 0x80 ? lead : lead & (0xffU >> (len + 1));
    for (size_t i = 1; i < len; i++)
        point = point << 6 | (name->data[i] & 0x3fU);
    *name = bytes_of(name->data + len, name->len - len);
    return point;
}

/* Negative, 0 or positive by the decoded names. */
static int name_compare(struct bytes a, struct bytes b)
{
    while (a.len > 0 && b.len > 0) {
        uint32_t point_a = name_next(&a);
        uint32_t point_b = name_next(&b);
        if (point_a != point_b)
            return point_a < point_b ? -1 : 1;
    }
    return (a.len > 0) - (b.len > 0);
}

/* By name, then by place in the text. */
static bool name_before(struct bytes a, struct bytes b)
{
    int order = name_compare(a, b);
    return order < 0 || (order == 0 && a.data < b.data);
}

static void names_sift(struct bytes *names, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && name_before(names[child], names[child + 1]))
            child++;
        if (!name_before(names[root], names[child]))
            return;
        struct bytes swap = names[root];
        names[root] = names[child];
        names[child] = swap;
        root = child;
    }
}

/* Heapsort: in place, no recursion, and no input that makes it slow. */
static void names_sort(struct bytes *names, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        names_sift(names, i - 1, count);
    for (size_t end = count; end > 1; end--) {
        struct bytes swap = names[0];
        names[0] = names[end - 1];
        names[end - 1] = swap;
        names_sift(names, 0, end - 1);
    }
}

bool json_names_close(struct json_names *names, size_t first, struct bytes *repeated)
{
    struct bytes *mine = names->names + first;
    size_t count = names->count - first;
    names->count = first;
    names_sort(mine, count);
    const uint8_t *earliest = NULL;
    for (size_t i = 1; i < count; i++) {
        if (name_compare(mine[i - 1], mine[i]) != 0)
            continue;
        if (earliest == NULL || mine[i].data < earliest) {
            earliest = mine[i].data;
            *repeated = mine[i];
        }
    }
    return earliest == NULL;
}
