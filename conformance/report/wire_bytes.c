#include "conformance/report/wire_bytes.h"

#include "codec/wire/utf8.h"

enum { SHOWN_BYTES_MAX = 4096 /* of a message are looked at */, TEXT_BYTES_MAX = 1024 * 1024 };

/* Where the first wrong byte stands; SIZE_MAX: all reads well. */
static size_t wrong_offset(const struct journal_entry *entry)
{
    const struct session_messages *messages = entry->class->messages;
    if (entry->wire.message_bytes > entry->wire.data.len)
        return SIZE_MAX;
    return messages->wrong_offset == NULL ? 0 : messages->wrong_offset(entry->wire.data);
}

static void field_add(struct text *out, const char *name, struct bytes data, bool marked, bool cut)
{
    text_add(out, out->len == 0 ? "" : "  ");
    text_add(out, marked ? ">" : "");
    text_add(out, name);
    text_add_char(out, ' ');
    text_add_hex(out, data);
    text_add(out, cut ? "..." : "");
    text_add(out, marked ? "<" : "");
}

static void fields_add(struct text *out, struct bytes data, const struct message_field *fields,
                       const char *rest_name, size_t wrong)
{
    size_t at = 0;
    for (size_t i = 0; fields != NULL && fields[i].name != NULL && at < data.len; i++) {
        const size_t left = data.len - at;
        const size_t len = fields[i].bytes < left ? fields[i].bytes : left;
        field_add(out, fields[i].name, bytes_of(data.data + at, len),
                  wrong >= at && wrong - at < fields[i].bytes, len < fields[i].bytes);
        at += len;
    }
    const size_t left = data.len - at;
    const size_t len = left < WIRE_BYTES_SHOWN_MAX ? left : WIRE_BYTES_SHOWN_MAX;
    if (left > 0)
        field_add(out, rest_name, bytes_of(data.data + at, len), wrong != SIZE_MAX && wrong >= at,
                  len < left);
}

void wire_bytes_write(struct text *out, const struct journal_entry *entry)
{
    if (entry->kind != JOURNAL_WIRE || entry->wire.kind != WIRE_EVENT_BINARY || entry->class == NULL)
        return;
    struct buffer shown;
    char fields[600];
    struct text text = text_of(fields, sizeof fields);
    buffer_init(&shown, 2 * (size_t)SHOWN_BYTES_MAX);
    if (journal_entry_shown(entry, SHOWN_BYTES_MAX, &shown)) {
        if (entry->wire.direction == WIRE_FROM_CLIENT)
            fields_add(&text, buffer_bytes(&shown), entry->class->messages->client_fields, "data",
                       wrong_offset(entry));
        else
            fields_add(&text, buffer_bytes(&shown), entry->class->messages->server_fields, "data", SIZE_MAX);
    }
    buffer_free(&shown);
    text_add(out, fields);
    text_add(out, "  (");
    text_add_u64(out, entry->wire.message_bytes);
    text_add(out, entry->wire.message_bytes == 1 ? " byte)" : " bytes)");
}

/* Bytes that are no UTF-8, and control characters, become '?'. */
static void readable_add(struct text *out, struct bytes data)
{
    while (data.len > 0) {
        const size_t valid = utf8_valid_prefix(data);
        for (size_t i = 0; i < valid; i++) {
            const uint8_t byte = data.data[i];
            if (byte != '\r')
                text_add_char(out, (byte < 0x20 && byte != '\n') || byte == 0x7f ? '?' : (char)byte);
        }
        if (valid == data.len)
            return;
        text_add_char(out, '?');
        data = bytes_of(data.data + valid + 1, data.len - valid - 1);
    }
}

void wire_text_write(struct text *out, const struct journal_entry *entry, size_t bytes_max)
{
    if (entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_BINARY)
        return;
    struct buffer shown;
    buffer_init(&shown, TEXT_BYTES_MAX);
    if (journal_entry_shown(entry, bytes_max, &shown))
        readable_add(out, buffer_bytes(&shown));
    buffer_free(&shown);
    if (entry->wire.data.len > bytes_max)
        text_add(out, "...");
}
