#include "codec/wire/object_writer.h"

#include "codec/wire/base64.h"
#include "codec/wire/text.h"

/* A wait of a millisecond is finer than any queue knows. */
enum { NUMBER_DECIMALS = 3, NUMBER_ROOM = 64 };

static void put(struct object_writer *writer, struct bytes bytes)
{
    writer->fits = writer->fits && buffer_append(writer->out, bytes);
}

static void put_text(struct object_writer *writer, const char *text)
{
    put(writer, bytes_of_text(text));
}

static void put_name(struct object_writer *writer, const char *name)
{
    put_text(writer, writer->first ? "\"" : ",\"");
    put_text(writer, name);
    put_text(writer, "\":");
    writer->first = false;
}

static void put_string(struct object_writer *writer, struct bytes value)
{
    /* Each byte may become six characters; and the quotes and the terminator. */
    const size_t room = 6 * value.len + 3;
    uint8_t *to = writer->fits ? buffer_reserve(writer->out, room) : NULL;
    if (to == NULL) {
        writer->fits = false;
        return;
    }
    struct text text = text_of((char *)to, room);
    text_add_json_string(&text, value);
    writer->out->len += text.len;
}

static void put_encoded(struct object_writer *writer, struct bytes data)
{
    put_text(writer, "\"");
    writer->fits = writer->fits && base64_encode(data, writer->out);
    put_text(writer, "\"");
}

struct object_writer object_writer_of(struct buffer *out)
{
    struct object_writer writer = {.out = out, .start = out->len, .fits = true, .first = true};
    put_text(&writer, "{");
    return writer;
}

bool object_writer_end(struct object_writer *writer)
{
    put_text(writer, "}");
    if (!writer->fits)
        writer->out->len = writer->start;
    return writer->fits;
}

void object_put_text(struct object_writer *writer, bool has, const char *name, struct bytes value)
{
    if (!has)
        return;
    put_name(writer, name);
    put_string(writer, value);
}

void object_put_bool(struct object_writer *writer, bool has, const char *name, bool value)
{
    object_put_raw(writer, has, name, bytes_of_text(value ? "true" : "false"));
}

void object_put_integer(struct object_writer *writer, bool has, const char *name, int64_t value)
{
    char number[NUMBER_ROOM];
    struct text text = text_of(number, sizeof number);
    text_add_i64(&text, value);
    object_put_raw(writer, has, name, bytes_of_text(number));
}

void object_put_number(struct object_writer *writer, bool has, const char *name, double value)
{
    char number[NUMBER_ROOM];
    struct text text = text_of(number, sizeof number);
    text_add_double(&text, value, NUMBER_DECIMALS);
    object_put_raw(writer, has, name, bytes_of_text(number));
}

void object_put_base64(struct object_writer *writer, bool has, const char *name, struct bytes data,
                       struct bytes encoded)
{
    if (!has)
        return;
    put_name(writer, name);
    if (encoded.len == 0) {
        put_encoded(writer, data);
        return;
    }
    put_text(writer, "\"");
    put(writer, encoded);
    put_text(writer, "\"");
}

void object_put_raw(struct object_writer *writer, bool has, const char *name, struct bytes json)
{
    if (!has)
        return;
    put_name(writer, name);
    put(writer, json);
}

void object_put_list_begin(struct object_writer *writer, const char *name)
{
    put_name(writer, name);
    put_text(writer, "[");
    writer->first = true;
}

void object_put_list_item(struct object_writer *writer, struct bytes data)
{
    if (!writer->first)
        put_text(writer, ",");
    put_encoded(writer, data);
    writer->first = false;
}

void object_put_list_end(struct object_writer *writer)
{
    put_text(writer, "]");
    writer->first = false;
}

void object_put_inner_begin(struct object_writer *writer, const char *name)
{
    if (name == NULL)
        return;
    put_name(writer, name);
    put_text(writer, "{");
    writer->first = true;
}

void object_put_inner_end(struct object_writer *writer, const char *name)
{
    if (name != NULL)
        put_text(writer, "}");
    writer->first = false;
}
