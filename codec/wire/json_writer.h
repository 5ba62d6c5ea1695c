/*
 * Writing JSON into a buffer: names, commas and escapes. A member is written with its name, an element of an
 * array with NULL in its place. Once the buffer is full or memory has run out `failed` is set, and what was
 * written is of no use.
 */
#ifndef CODEC_WIRE_JSON_WRITER_H
#define CODEC_WIRE_JSON_WRITER_H

#include "codec/wire/buffer.h"

struct json_writer {
    struct buffer *out; /* borrowed */
    bool comma;         /* before what comes next */
    bool failed;
};

struct json_writer json_writer_of(struct buffer *out);
void json_open(struct json_writer *writer, const char *name, char bracket);      /* '{' or '[' */
void json_close(struct json_writer *writer, char bracket);                       /* '}' or ']' */
void json_text(struct json_writer *writer, const char *name, const char *value); /* NULL: null */
void json_bytes(struct json_writer *writer, const char *name, struct bytes value);
void json_u64(struct json_writer *writer, const char *name, uint64_t value);
void json_i64(struct json_writer *writer, const char *name, int64_t value);
void json_bool(struct json_writer *writer, const char *name, bool value);
/* Takes it as it is: it must be JSON. */
void json_raw(struct json_writer *writer, const char *name, struct bytes json);

#endif
