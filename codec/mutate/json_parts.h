/*
 * Where the values of a JSON text stand, for who changes them. Nothing is checked: what is broken gives the
 * parts that can be told apart. No recursion; what is deeper than JSON_PARTS_DEPTH_MAX is one part.
 */
#ifndef CODEC_MUTATE_JSON_PARTS_H
#define CODEC_MUTATE_JSON_PARTS_H

#include "codec/wire/bytes.h"

enum { JSON_PARTS_MAX = 256, JSON_PARTS_DEPTH_MAX = 32 };

enum json_part_kind {
    JSON_PART_STRING, /* with its quotes */
    JSON_PART_NUMBER,
    JSON_PART_WORD, /* true, false, null, and whatever else is made of letters */
    JSON_PART_OBJECT,
    JSON_PART_LIST
};

struct json_part {
    enum json_part_kind kind;
    size_t at, len;
    size_t name_at, name_len; /* of a member, with the quotes; a length of 0: it is none */
    size_t depth;             /* 0: the whole */
};

struct json_parts {
    struct json_part list[JSON_PARTS_MAX]; /* in the order in which they begin */
    size_t count;
};

void json_parts_read(struct bytes text, struct json_parts *out);

#endif
