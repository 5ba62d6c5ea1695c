/*
 * A message that is being changed, and the draws that decide how. For the folders of codec/mutate alone.
 *
 * Every function that changes the message gives false, and changes nothing, when the result would not fit or
 * would be what was there before; else it notes the place.
 */
#ifndef CODEC_MUTATE_EDIT_H
#define CODEC_MUTATE_EDIT_H

#include "codec/mutate/mutate.h"

struct mutate_edit {
    const struct mutate_form *form;
    struct seeded *seeded;
    struct bytes other;
    uint8_t *data;
    size_t len;
    size_t capacity;
    struct mutation told;
};

/* From 0 to n - 1; 0 when n is 0. Two draws never stand in one expression whose order a compiler may choose.
 */
size_t mutate_below(struct mutate_edit *edit, size_t n);
bool mutate_one_in(struct mutate_edit *edit, size_t n);

static inline struct bytes mutate_bytes(const struct mutate_edit *edit)
{
    return bytes_of(edit->data, edit->len);
}

/* Puts `with`, which lies elsewhere, in the place of `len` bytes at `at`, which are there. */
bool mutate_replace(struct mutate_edit *edit, size_t at, size_t len, struct bytes with);
/* Makes room for `len` bytes at `at` and tells where they go, to be written by the caller; NULL: it does not
 * fit. */
uint8_t *mutate_insert(struct mutate_edit *edit, size_t at, size_t len);
/* Inserts a copy of the message's own bytes at `to`, which is not inside of them. */
bool mutate_repeat(struct mutate_edit *edit, size_t from, size_t len, size_t to);
/* Exchanges two spans, the first of which ends before the second begins. */
bool mutate_exchange(struct mutate_edit *edit, size_t a, size_t a_len, size_t b, size_t b_len);
bool mutate_cut(struct mutate_edit *edit, size_t len);
/* Overwrites a big-endian integer of `width` bytes, 8 at most. */
bool mutate_put(struct mutate_edit *edit, size_t at, size_t width, uint64_t value);
/* One of the values at which integers of that width go wrong, drawn. */
uint64_t mutate_limit(struct mutate_edit *edit, size_t width);

/* A kind of change. */
struct mutate_row {
    const char *what;
    unsigned weight;
    bool is_media;
    bool (*change)(struct mutate_edit *edit, const void *parts);
};
/* Draws rows by their weights until one succeeds; false when some dozen did not. `parts`: what they are
 * told. */
bool mutate_by_rows(struct mutate_edit *edit, const struct mutate_row *rows, size_t count, const void *parts);

/* What any bytes can suffer: for what is not of its form. */
bool mutate_any_bytes(struct mutate_edit *edit);

#endif
