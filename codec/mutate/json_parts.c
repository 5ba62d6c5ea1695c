#include "codec/mutate/json_parts.h"

struct walk {
    struct bytes text;
    size_t at;
    struct json_parts *out;
    size_t open[JSON_PARTS_DEPTH_MAX]; /* parts whose end was not seen yet */
    size_t depth;
    size_t name_at, name_len; /* of the next value */
};

/* Past the string that begins here. */
static size_t string_end(struct bytes text, size_t at)
{
    for (at++; at < text.len && text.data[at] != '"'; at++)
        if (text.data[at] == '\\' && at + 1 < text.len)
            at++;
    return at < text.len ? at + 1 : text.len;
}

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_punctuation(uint8_t c)
{
    return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':' || c == '"';
}

static size_t plain_end(struct bytes text, size_t at)
{
    while (at < text.len && !is_space(text.data[at]) && !is_punctuation(text.data[at]))
        at++;
    return at;
}

static bool add(struct walk *walk, enum json_part_kind kind, size_t at, size_t len)
{
    struct json_parts *parts = walk->out;
    const bool fits = parts->count < JSON_PARTS_MAX;
    if (fits)
        parts->list[parts->count++] = (struct json_part){.kind = kind,
                                                         .at = at,
                                                         .len = len,
                                                         .name_at = walk->name_at,
                                                         .name_len = walk->name_len,
                                                         .depth = walk->depth};
    walk->name_len = 0;
    return fits;
}

static void take_string(struct walk *walk)
{
    const size_t from = walk->at;
    walk->at = string_end(walk->text, from);
    size_t next = walk->at;
    while (next < walk->text.len && is_space(walk->text.data[next]))
        next++;
    if (next < walk->text.len && walk->text.data[next] == ':') {
        walk->name_at = from;
        walk->name_len = walk->at - from;
        walk->at = next + 1;
        return;
    }
    (void)add(walk, JSON_PART_STRING, from, walk->at - from);
}

static void close_one(struct walk *walk)
{
    walk->at++;
    if (walk->depth == 0)
        return;
    struct json_part *part = &walk->out->list[walk->open[--walk->depth]];
    part->len = walk->at - part->at;
}

static bool open_one(struct walk *walk, enum json_part_kind kind)
{
    const size_t left = walk->text.len - walk->at;
    if (!add(walk, kind, walk->at, left) || walk->depth == JSON_PARTS_DEPTH_MAX)
        return false;
    walk->open[walk->depth++] = walk->out->count - 1;
    walk->at++;
    return true;
}

/* One token; false: no more is looked at. */
static bool take(struct walk *walk)
{
    const uint8_t c = walk->text.data[walk->at];
    if (c == '{' || c == '[')
        return open_one(walk, c == '{' ? JSON_PART_OBJECT : JSON_PART_LIST);
    if (c == '}' || c == ']') {
        close_one(walk);
    } else if (c == '"') {
        take_string(walk);
    } else if (is_space(c) || is_punctuation(c)) {
        walk->at++;
    } else {
        const size_t from = walk->at;
        walk->at = plain_end(walk->text, from);
        const bool is_number = c == '-' || (c >= '0' && c <= '9');
        (void)add(walk, is_number ? JSON_PART_NUMBER : JSON_PART_WORD, from, walk->at - from);
    }
    return walk->out->count < JSON_PARTS_MAX;
}

void json_parts_read(struct bytes text, struct json_parts *out)
{
    struct walk walk = {.text = text, .out = out};
    out->count = 0;
    while (walk.at < text.len && take(&walk))
        continue;
}
