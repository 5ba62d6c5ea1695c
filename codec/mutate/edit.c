#include "codec/mutate/edit.h"

#include <assert.h>

enum { TRIES_MAX = 64, LIMIT_NEAR = 3 };

size_t mutate_below(struct mutate_edit *edit, size_t n)
{
    return n == 0 ? 0 : (size_t)(seeded_next(edit->seeded) % n);
}

bool mutate_one_in(struct mutate_edit *edit, size_t n)
{
    return mutate_below(edit, n) == 0;
}

static void note_place(struct mutate_edit *edit, size_t at)
{
    if (at < edit->told.offset)
        edit->told.offset = at;
}

/* Moves what follows `len` bytes at `at`, so that there is room for `room` in their place. */
static bool make_room(struct mutate_edit *edit, size_t at, size_t len, size_t room)
{
    assert(at <= edit->len && len <= edit->len - at);
    const size_t left = edit->len - len;
    if (room > edit->capacity || left > edit->capacity - room)
        return false;
    memmove(edit->data + at + room, edit->data + at + len, edit->len - at - len);
    edit->len = left + room;
    note_place(edit, at);
    return true;
}

bool mutate_replace(struct mutate_edit *edit, size_t at, size_t len, struct bytes with)
{
    if (bytes_equal(bytes_of(edit->data + at, len), with) || !make_room(edit, at, len, with.len))
        return false;
    if (with.len > 0)
        memcpy(edit->data + at, with.data, with.len);
    return true;
}

uint8_t *mutate_insert(struct mutate_edit *edit, size_t at, size_t len)
{
    return len > 0 && make_room(edit, at, 0, len) ? edit->data + at : NULL;
}

bool mutate_repeat(struct mutate_edit *edit, size_t from, size_t len, size_t to)
{
    assert(to <= from || to >= from + len);
    uint8_t *out = mutate_insert(edit, to, len);
    if (out == NULL)
        return false;
    memcpy(out, edit->data + (to <= from ? from + len : from), len);
    return true;
}

static void reverse(uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len / 2; i++) {
        const uint8_t kept = data[i];
        data[i] = data[len - 1 - i];
        data[len - 1 - i] = kept;
    }
}

/* Would all be as it is with the parts in each other's place? Equal parts, or "ab" and "abab" side by side.
 */
static bool is_same_exchanged(const uint8_t *data, size_t a_len, size_t between, size_t b_len)
{
    const size_t b = a_len + between;
    return bytes_equal(bytes_of(data, b_len), bytes_of(data + b, b_len)) &&
           bytes_equal(bytes_of(data + b_len, between), bytes_of(data + a_len, between)) &&
           bytes_equal(bytes_of(data + b_len + between, a_len), bytes_of(data, a_len));
}

bool mutate_exchange(struct mutate_edit *edit, size_t a, size_t a_len, size_t b, size_t b_len)
{
    assert(a + a_len <= b && b + b_len <= edit->len);
    const size_t between = b - a - a_len;
    if (is_same_exchanged(edit->data + a, a_len, between, b_len))
        return false;
    /* All of it reversed, then each part by itself: the parts have changed places. */
    reverse(edit->data + a, b + b_len - a);
    reverse(edit->data + a, b_len);
    reverse(edit->data + a + b_len, between);
    reverse(edit->data + a + b_len + between, a_len);
    note_place(edit, a);
    return true;
}

bool mutate_cut(struct mutate_edit *edit, size_t len)
{
    if (len >= edit->len)
        return false;
    edit->len = len;
    note_place(edit, len);
    return true;
}

bool mutate_put(struct mutate_edit *edit, size_t at, size_t width, uint64_t value)
{
    uint8_t field[8];
    assert(width <= sizeof field);
    if (at > edit->len || width > edit->len - at)
        return false;
    for (size_t i = 0; i < width; i++)
        field[i] = (uint8_t)(value >> (8 * (width - 1 - i)));
    return mutate_replace(edit, at, width, bytes_of(field, width));
}

uint64_t mutate_limit(struct mutate_edit *edit, size_t width)
{
    /* Powers of two and their neighbours: 0, 1, 255, 256, 2^31 - 1, 2^32 - 5 … */
    const size_t bits = 8 * width;
    const size_t power = mutate_below(edit, bits + 1);
    const uint64_t edge = power == 64 ? 0 : (uint64_t)1 << power;
    const uint64_t near = mutate_below(edit, LIMIT_NEAR);
    const uint64_t value = mutate_one_in(edit, 2) ? edge - near : edge + near;
    const uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return (mutate_one_in(edit, 4) ? UINT64_MAX - near : value) & mask;
}

bool mutate_by_rows(struct mutate_edit *edit, const struct mutate_row *rows, size_t count, const void *parts)
{
    size_t weights = 0;
    for (size_t i = 0; i < count; i++)
        weights += rows[i].weight;
    for (unsigned tries = 0; tries < TRIES_MAX; tries++) {
        size_t drawn = mutate_below(edit, weights), at = 0;
        while (drawn >= rows[at].weight)
            drawn -= rows[at++].weight;
        edit->told.offset = SIZE_MAX;
        if (!rows[at].change(edit, parts))
            continue;
        edit->told.what = rows[at].what;
        edit->told.is_media = rows[at].is_media;
        return true;
    }
    return false;
}

/* --- any bytes --- */

static bool change_byte(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const uint8_t value = (uint8_t)mutate_limit(edit, 1);
    return edit->len > 0 && mutate_replace(edit, mutate_below(edit, edit->len), 1, bytes_of(&value, 1));
}

static bool cut_anywhere(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    return mutate_cut(edit, mutate_below(edit, edit->len));
}

static bool drop_some(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const size_t at = mutate_below(edit, edit->len);
    return edit->len > 0 &&
           mutate_replace(edit, at, 1 + mutate_below(edit, edit->len - at), bytes_of(NULL, 0));
}

static bool add_byte(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const uint8_t value = (uint8_t)mutate_limit(edit, 1);
    return mutate_replace(edit, mutate_below(edit, edit->len + 1), 0, bytes_of(&value, 1));
}

static bool repeat_some(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const size_t at = mutate_below(edit, edit->len);
    return edit->len > 0 && mutate_repeat(edit, at, 1 + mutate_below(edit, edit->len - at), at);
}

static bool take_other(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const size_t at = mutate_below(edit, edit->len);
    const size_t from = mutate_below(edit, edit->other.len);
    return edit->other.len > 0 && mutate_replace(edit, at, edit->len - at, bytes_behind(edit->other, from));
}

bool mutate_any_bytes(struct mutate_edit *edit)
{
    static const struct mutate_row ROWS[] = {
        {"a byte", 4, false, change_byte},         {"cut off", 2, false, cut_anywhere},
        {"bytes left out", 2, false, drop_some},   {"a byte more", 2, false, add_byte},
        {"bytes repeated", 1, false, repeat_some}, {"the end of another message", 1, false, take_other},
    };
    return mutate_by_rows(edit, ROWS, sizeof ROWS / sizeof ROWS[0], NULL);
}
