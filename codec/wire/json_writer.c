#include "codec/wire/json_writer.h"

#include "codec/wire/text.h"

enum { NUMBER_TEXT_MAX = 40, JSON_ESCAPE_MAX = 6 };

struct json_writer json_writer_of(struct buffer *out)
{
    return (struct json_writer){.out = out};
}

static void put(struct json_writer *writer, struct bytes bytes)
{
    if (!writer->failed && !buffer_append(writer->out, bytes))
        writer->failed = true;
}

static void put_string(struct json_writer *writer, struct bytes value)
{
    const size_t room = JSON_ESCAPE_MAX * value.len + sizeof "\"\"";
    uint8_t *at = writer->failed ? NULL : buffer_reserve(writer->out, room);
    if (at == NULL) {
        writer->failed = true;
        return;
    }
    struct text text = text_of((char *)at, room);
    text_add_json_string(&text, value);
    writer->out->len += text.len;
}

static void put_name(struct json_writer *writer, const char *name)
{
    if (writer->comma)
        put(writer, bytes_of_text(","));
    if (name != NULL) {
        put_string(writer, bytes_of_text(name));
        put(writer, bytes_of_text(":"));
    }
    writer->comma = true;
}

void json_open(struct json_writer *writer, const char *name, char bracket)
{
    put_name(writer, name);
    put(writer, bytes_of(&bracket, 1));
    writer->comma = false;
}

void json_close(struct json_writer *writer, char bracket)
{
    put(writer, bytes_of(&bracket, 1));
    writer->comma = true;
}

void json_raw(struct json_writer *writer, const char *name, struct bytes json)
{
    put_name(writer, name);
    put(writer, json);
}

void json_bytes(struct json_writer *writer, const char *name, struct bytes value)
{
    put_name(writer, name);
    put_string(writer, value);
}

void json_text(struct json_writer *writer, const char *name, const char *value)
{
    if (value == NULL)
        json_raw(writer, name, bytes_of_text("null"));
    else
        json_bytes(writer, name, bytes_of_text(value));
}

void json_u64(struct json_writer *writer, const char *name, uint64_t value)
{
    char digits[NUMBER_TEXT_MAX];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, value);
    json_raw(writer, name, bytes_of(digits, text.len));
}

void json_i64(struct json_writer *writer, const char *name, int64_t value)
{
    char digits[NUMBER_TEXT_MAX];
    struct text text = text_of(digits, sizeof digits);
    text_add_i64(&text, value);
    json_raw(writer, name, bytes_of(digits, text.len));
}

void json_bool(struct json_writer *writer, const char *name, bool value)
{
    json_raw(writer, name, bytes_of_text(value ? "true" : "false"));
}
