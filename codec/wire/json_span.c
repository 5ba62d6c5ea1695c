#include "codec/wire/json_span.h"

#include <cjson/cJSON.h>

#include "codec/wire/json_plain.h"

/* The text is well-formed, so each token ends where it must; `at` never passes its end. */
struct span_reader {
    struct bytes text;
    size_t at;
};

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static uint8_t peek(const struct span_reader *reader)
{
    return reader->at < reader->text.len ? reader->text.data[reader->at] : '\0';
}

static void skip_space(struct span_reader *reader)
{
    while (reader->at < reader->text.len && is_space(peek(reader)))
        reader->at++;
}

/* Past the quote that ends the string whose first quote is here. */
static void skip_string(struct span_reader *reader)
{
    reader->at++;
    while (reader->at < reader->text.len && peek(reader) != '"') {
        const size_t plain = json_skip_plain(reader->text, reader->at);
        if (plain > reader->at)
            reader->at = plain;
        else
            reader->at += peek(reader) == '\\' ? 2 : 1;
    }
    reader->at++;
}

/* Past a value: to the comma or the bracket that follows it, or white space before them. */
static void skip_value(struct span_reader *reader)
{
    size_t depth = 0;
    for (;;) {
        const uint8_t byte = peek(reader);
        if (byte == '"') {
            skip_string(reader);
        } else if (byte == '{' || byte == '[') {
            depth++;
            reader->at++;
        } else if (byte == '}' || byte == ']') {
            if (depth == 0)
                return;
            depth--;
            reader->at++;
        } else if (reader->at >= reader->text.len || (depth == 0 && (byte == ',' || is_space(byte)))) {
            return;
        } else {
            reader->at++;
        }
    }
}

/* Is the string token, with its quotes, that name? One with escapes is decoded. */
static bool is_name(struct bytes token, const char *name)
{
    const size_t len = strlen(name);
    if (token.len == len + 2 && memcmp(token.data + 1, name, len) == 0)
        return true;
    if (memchr(token.data, '\\', token.len) == NULL)
        return false;
    cJSON *decoded = cJSON_ParseWithLength((const char *)token.data, token.len);
    const bool same = cJSON_IsString(decoded) && strcmp(decoded->valuestring, name) == 0;
    cJSON_Delete(decoded);
    return same;
}

static struct bytes span_from(const struct span_reader *reader, size_t start)
{
    return bytes_of(reader->text.data + start, reader->at - start);
}

bool json_member_span(struct bytes text, const char *name, struct bytes *out)
{
    struct span_reader reader = {.text = text};
    bool found = false;
    skip_space(&reader);
    reader.at++; /* the brace */
    for (skip_space(&reader); peek(&reader) == '"'; skip_space(&reader)) {
        size_t start = reader.at;
        skip_string(&reader);
        const bool is_it = is_name(span_from(&reader, start), name);
        skip_space(&reader);
        reader.at++; /* the colon */
        skip_space(&reader);
        start = reader.at;
        skip_value(&reader);
        if (is_it)
            *out = span_from(&reader, start);
        found = found || is_it;
        skip_space(&reader);
        if (peek(&reader) == ',')
            reader.at++;
    }
    return found;
}
