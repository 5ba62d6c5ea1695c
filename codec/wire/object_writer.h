/*
 * A JSON object as it is written into a buffer: members separated by commas, objects within it. What does not
 * fit latches, and what is written after that is dropped; object_writer_end tells.
 */
#ifndef CODEC_WIRE_OBJECT_WRITER_H
#define CODEC_WIRE_OBJECT_WRITER_H

#include "codec/wire/buffer.h"

struct object_writer {
    struct buffer *out;
    size_t start; /* of the object in `out` */
    bool fits;
    bool first; /* no member yet in the object that is open */
};

/* Opens an object behind what is in `out`. */
struct object_writer object_writer_of(struct buffer *out);
/* Closes it. False, with `out` as it was before, when something did not fit. */
bool object_writer_end(struct object_writer *writer);

/* Members, each only when `has`. */
void object_put_text(struct object_writer *writer, bool has, const char *name, struct bytes value);
void object_put_bool(struct object_writer *writer, bool has, const char *name, bool value);
void object_put_integer(struct object_writer *writer, bool has, const char *name, int64_t value);
/* To the thousandth. */
void object_put_number(struct object_writer *writer, bool has, const char *name, double value);
/* The base64 of `data`; where `encoded` is not empty it is that, made ahead, and goes in as it is. */
void object_put_base64(struct object_writer *writer, bool has, const char *name, struct bytes data,
                       struct bytes encoded);
/* JSON that is there already. */
void object_put_raw(struct object_writer *writer, bool has, const char *name, struct bytes json);
/* A list of base64. */
void object_put_list_begin(struct object_writer *writer, const char *name);
void object_put_list_item(struct object_writer *writer, struct bytes data);
void object_put_list_end(struct object_writer *writer);
/* An object within; nothing for a name that is NULL, whose members go into the one that is open. */
void object_put_inner_begin(struct object_writer *writer, const char *name);
void object_put_inner_end(struct object_writer *writer, const char *name);

#endif
