/*
 * Finding a secret in bytes that are to be shown: as it is, or spelled with percent-escapes, JSON's \uXXXX
 * and short escapes, or \xNN; from SECRET_BYTES_MIN bytes on also in hex, and in base64 of either alphabet,
 * whatever stands in front of it there. One level of escapes is seen through, and ASCII alone in \uXXXX.
 */
#ifndef CODEC_WIRE_SECRET_H
#define CODEC_WIRE_SECRET_H

#include "codec/wire/buffer.h"

enum {
    SECRET_BYTES_MIN = 8,   /* what is shorter stands in innocent texts too, so it is not looked for there */
    SECRET_SPELLING_MAX = 6 /* bytes that a spelling takes for one of the secret's, at most */
};

/* The first place in `text` that spells the whole of `secret`: *at and *len. False when there is none, and
 * for an empty secret. It may take as many steps as both have bytes, multiplied: for secrets of our own. */
bool secret_find(struct bytes text, struct bytes secret, size_t *at, size_t *len);

/* ---- several ---- */

/* Others than a key stand one after another, each with a NUL behind it. */
enum { SECRETS_OF_QUERY_MAX = 64 /* parameters that are looked at */ };

/* Adds a value, percent-decoded, unless it is too short or the key. False when memory runs out. */
bool secrets_add(struct bytes value, struct bytes key, struct buffer *others);
/* Adds the values of parameters whose names speak of a key, a token or a secret. */
bool secrets_of_query(struct bytes query, struct bytes key, struct buffer *others);
/* Does it? */
bool secret_name(struct bytes name);
/* `word` in small letters; any case in `name`. */
bool secret_name_contains(struct bytes name, const char *word);

struct secrets {
    struct bytes key; /* empty: none */
    struct bytes others;
    bool cut; /* their beginnings count too, from 8 bytes on, at the end of a text and before "..." */
};

/*
 * A search for all of them at once, from place to place of one text. What it costs is bounded, as who sends
 * the text may have brought the secrets too: where more than SECRETS_MAX are to be looked for, or the text
 * makes the search take more than SECRETS_STEPS_MIN and SECRETS_STEPS_A_BYTE for each of its bytes, all the
 * rest of it counts as the first secret. Ordinary text takes one step a byte or two.
 */
enum { SECRETS_MAX = 64, SECRETS_STEPS_A_BYTE = 16, SECRETS_STEPS_MIN = 100000, SECRETS_BYTE_VALUES = 256 };

struct secret_search {
    struct bytes secret;
    uint8_t begins[SECRETS_BYTE_VALUES]; /* a bit for each spelling that begins with that byte */
};

struct secrets_scan {
    struct secret_search of[SECRETS_MAX];
    uint64_t begins[SECRETS_BYTE_VALUES]; /* a bit for each of them */
    size_t count;
    size_t least; /* bytes that the shortest of them takes */
    bool cut, too_many;
    uint64_t steps_left;
};

/* For a text of that many bytes. Borrows the secrets. */
void secrets_scan_init(struct secrets_scan *scan, const struct secrets *secrets, size_t bytes);
/* The first place in `text`, what is left of it, of any of them: where, how long, and which. */
bool secrets_scan_next(struct secrets_scan *scan, struct bytes text, struct bytes *found, size_t *at,
                       size_t *len);
/* Appends `data` with as many '*' where one of them stands: lengths stay true. */
bool secrets_mask(struct bytes data, const struct secrets *secrets, struct buffer *out);
/* `data`, or where one of them stands in it (a key from 8 bytes on) or the beginning of one, a copy with '*'
 * in its place, in `room`, which is emptied first; empty when memory runs out. */
struct bytes secret_masked(struct bytes data, struct bytes key, struct bytes others, struct buffer *room);

#endif
