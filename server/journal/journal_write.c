/* Entries as lines of JSON. */
#include "codec/wire/base64.h"
#include "codec/wire/text.h"
#include "codec/wire/utf8.h"
#include "server/core/session.h"
#include "server/journal/journal_lines.h"

enum { NUMBER_TEXT_MAX = 24, JSON_ESCAPE_MAX = 6, ESCAPED_SHARE = 8 };

static const uint64_t JSON_INTEGER_MAX = (uint64_t)1 << 53;

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

static bool add_string_within(struct buffer *out, struct bytes value, size_t room)
{
    uint8_t *at = buffer_reserve(out, room);
    if (at == NULL)
        return false;
    struct text text = text_of((char *)at, room);
    text_add_json_string(&text, value);
    out->len += text.cut ? 0 : text.len;
    return !text.cut;
}

/* What is escaped is little, as a rule: only for a text that is nothing else all of the room is asked for. */
static bool add_string(struct buffer *out, struct bytes value)
{
    return add_string_within(out, value, value.len + value.len / ESCAPED_SHARE + NUMBER_TEXT_MAX) ||
           add_string_within(out, value, JSON_ESCAPE_MAX * value.len + sizeof "\"\"");
}

/* `,"name":` */
static bool add_name(struct buffer *out, const char *name)
{
    return add(out, ",\"") && add(out, name) && add(out, "\":");
}

static bool add_member_text(struct buffer *out, const char *name, const char *value)
{
    return add_name(out, name) && add_string(out, bytes_of_text(value));
}

/* What a double cannot hold exactly is written as a string of digits. */
static bool add_member_u64(struct buffer *out, const char *name, uint64_t value)
{
    char digits[NUMBER_TEXT_MAX];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, value);
    const bool quoted = value > JSON_INTEGER_MAX;
    return add_name(out, name) && (!quoted || add(out, "\"")) && add(out, digits) &&
           (!quoted || add(out, "\""));
}

static bool add_member_true(struct buffer *out, const char *name)
{
    return add_name(out, name) && add(out, "true");
}

static bool add_member_uuid(struct buffer *out, const char *name, const uint8_t uuid[UUID_BYTES])
{
    char id[UUID_TEXT_BYTES + 1];
    struct text text = text_of(id, sizeof id);
    text_add_uuid(&text, uuid);
    return add_member_text(out, name, id);
}

/* Texts without secrets. What is quoted in a finding, or by the server, may be cut. */
static bool add_member_redacted(struct buffer *out, const char *name, struct bytes value,
                                const struct journal_entry *entry, bool is_head, bool quotes)
{
    struct buffer redacted;
    const struct secrets secrets = journal_entry_secrets(entry);
    buffer_init(&redacted, JOURNAL_LINE_BYTES_MAX);
    bool done = is_head  ? redact_head(value, entry, &redacted)
                : quotes ? journal_told(entry, value, &redacted)
                         : redact_secrets(value, &secrets, &redacted);
    /* JSON readers, ours among them, do not take a NUL. */
    for (uint8_t *nul = redacted.len == 0 ? NULL : memchr(redacted.data, 0, redacted.len); nul != NULL;
         nul = memchr(nul, 0, (size_t)(redacted.data + redacted.len - nul)))
        *nul = '?';
    done = done && add_name(out, name) && add_string(out, buffer_bytes(&redacted));
    buffer_free(&redacted);
    return done;
}

static bool add_hex(struct buffer *out, struct bytes bytes)
{
    const size_t room = 2 * bytes.len + 1;
    uint8_t *at = buffer_reserve(out, room);
    if (at == NULL)
        return false;
    struct text text = text_of((char *)at, room);
    text_add_hex(&text, bytes);
    out->len += text.len;
    return !text.cut;
}

static bool is_plain_text(struct bytes data)
{
    return utf8_valid_prefix(data) == data.len && (data.len == 0 || memchr(data.data, 0, data.len) == NULL);
}

/* Text where it is text, else base64. A request head is redacted even when it is no UTF-8: base64 would show
 * the key. */
static bool add_data(struct buffer *out, const struct journal_entry *entry)
{
    const struct wire_event *wire = &entry->wire;
    const bool is_head = entry->kind == JOURNAL_WIRE && wire->kind == WIRE_EVENT_REQUEST;
    const bool raw = entry->kind == JOURNAL_TRANSPORT;
    const bool binary = entry->kind == JOURNAL_WIRE && wire->kind == WIRE_EVENT_BINARY;
    if (wire->data.len == 0)
        return true;
    if (is_head || (!binary && !raw && is_plain_text(wire->data)))
        return add_member_redacted(out, "text", wire->data, entry, is_head,
                                   wire->direction == WIRE_FROM_SERVER);
    struct buffer masked;
    buffer_init(&masked, JOURNAL_LINE_BYTES_MAX);
    const struct secrets secrets = journal_entry_secrets(entry);
    const bool done =
        secrets_mask(wire->data, &secrets, &masked) && add_name(out, raw ? "hex" : "base64") &&
        add(out, "\"") &&
        (raw ? add_hex(out, buffer_bytes(&masked)) : base64_encode(buffer_bytes(&masked), out)) &&
        add(out, "\"");
    buffer_free(&masked);
    return done;
}

static bool add_frame(struct buffer *out, const struct frame_summary *frame)
{
    if (!add_name(out, "frame") || !add(out, frame->decodes ? "{\"decodes\":true" : "{\"decodes\":false"))
        return false;
    if (frame->decodes &&
        !(add_member_u64(out, "final", frame->is_final) && add_member_u64(out, "index", frame->index) &&
          add_member_uuid(out, "interaction", frame->interaction)))
        return false;
    if (frame->has_audio && !(add_member_u64(out, "audio_bytes", frame->audio_bytes) &&
                              (!frame->has_checksums || add_member_u64(out, "audio_crc", frame->audio_crc))))
        return false;
    if (frame->has_image && !(add_member_u64(out, "image_bytes", frame->image_bytes) &&
                              (!frame->has_checksums || add_member_u64(out, "image_crc", frame->image_crc))))
        return false;
    return add(out, "}");
}

/* The params in force for an input's speech: the session's defaults, overridden by its own. Worked out from
 * the message for whoever reads the line. */
static bool add_params(struct buffer *out, const struct journal_entry *entry)
{
    const struct wire_event *wire = &entry->wire;
    const bool binary = wire->kind == WIRE_EVENT_BINARY;
    char data[SESSION_PARAMS_TEXT_MAX];
    struct text text = text_of(data, sizeof data);
    if (entry->class == NULL || wire->direction != WIRE_FROM_CLIENT || wire->data.len == 0 ||
        (!binary && wire->kind != WIRE_EVENT_TEXT) ||
        !entry->class->messages->input_params(binary, wire->data, &text))
        return true;
    return text.cut || (add_name(out, "params") && add(out, data));
}

static bool add_wire(struct buffer *out, const struct journal_entry *entry)
{
    const struct wire_event *wire = &entry->wire;
    if (!add_member_text(out, "from", wire->direction == WIRE_FROM_CLIENT ? "client" : "server") ||
        !add_member_text(out, "event", journal_event_name(wire->kind)))
        return false;
    if (wire->code != 0 && !add_member_u64(out, "code", wire->code))
        return false;
    if (wire->fault && !add_member_true(out, "fault"))
        return false;
    if (entry->by_host && !add_member_true(out, "host"))
        return false;
    if (wire->message_bytes != 0 && !add_member_u64(out, "bytes", wire->message_bytes))
        return false;
    if (!add_params(out, entry))
        return false;
    return !entry->has_frame || add_frame(out, &entry->frame);
}

static bool add_finding(struct buffer *out, const struct journal_entry *entry)
{
    const struct finding *finding = &entry->finding;
    return add_member_text(out, "requirement", finding->requirement) &&
           (!finding->note || add_member_true(out, "note")) &&
           add_member_u64(out, "found_at_us", finding->at_us) &&
           add_member_u64(out, "found_in", finding->event) &&
           add_member_redacted(out, "expected", bytes_of_text(finding->expected), entry, false, true) &&
           add_member_redacted(out, "actual", bytes_of_text(finding->actual), entry, false, true);
}

/* When the engine was told something, or which of its actions is none of the wire's. */
static bool add_order(struct buffer *out, const struct journal_entry *entry)
{
    if (!add_member_u64(out, "order", entry->order))
        return false;
    if (entry->kind == JOURNAL_DROPPED)
        return true;
    if (entry->wire.code != 0 && !add_member_u64(out, "code", entry->wire.code))
        return false;
    if (entry->wire.message_bytes != 0 && !add_member_u64(out, "bytes", entry->wire.message_bytes))
        return false;
    return !entry->begins || (add_member_true(out, "begins") && add_member_u64(out, "seed", entry->seed));
}

static bool add_transport(struct buffer *out, const struct journal_entry *entry)
{
    if (entry->wire.message_bytes != 0 && !add_member_u64(out, "bytes", entry->wire.message_bytes))
        return false;
    return entry->duration_us == 0 || add_member_u64(out, "duration_us", entry->duration_us);
}

static bool add_entry(struct buffer *out, const struct journal_entry *entry)
{
    char sequence[NUMBER_TEXT_MAX];
    struct text text = text_of(sequence, sizeof sequence);
    text_add_u64(&text, entry->sequence);
    if (!add(out, "{\"n\":") || !add(out, sequence) || !add_member_u64(out, "at_us", entry->at_us) ||
        !add_member_u64(out, "connection", entry->connection) ||
        !add_member_text(out, "kind", journal_kind_name(entry->kind)))
        return false;
    if (entry->is_of_other && entry->class != NULL &&
        !add_member_text(out, "family", entry->class->family->name))
        return false;
    if (entry->label[0] != '\0' && !add_member_text(out, "label", entry->label))
        return false;
    if (entry->step[0] != '\0' && !add_member_text(out, "step", entry->step))
        return false;
    if (entry->line != 0 && !add_member_u64(out, "line", entry->line))
        return false;
    if (entry->has_interaction && !add_member_uuid(out, "interaction", entry->interaction))
        return false;
    if (entry->kind == JOURNAL_WIRE && !add_wire(out, entry))
        return false;
    if (entry->kind == JOURNAL_FINDING && !add_finding(out, entry))
        return false;
    if ((entry->kind == JOURNAL_TAKEN || entry->kind == JOURNAL_DROPPED) && !add_order(out, entry))
        return false;
    if (entry->kind == JOURNAL_TRANSPORT && !add_transport(out, entry))
        return false;
    return add_data(out, entry) && add(out, "}");
}

bool journal_write_entry(const struct journal_entry *entry, struct buffer *out)
{
    const size_t len = out->len;
    if (add_entry(out, entry))
        return true;
    out->len = len;
    return false;
}

/* Those that are on, by name; nothing when none is. */
static bool add_quirks(struct buffer *out, const struct session_class *class, const struct quirks *quirks)
{
    bool any = false;
    for (size_t i = 0; class != NULL && class->quirks != NULL && class->quirks[i].name != NULL; i++) {
        if (quirks->value[i] == 0)
            continue;
        char digits[NUMBER_TEXT_MAX];
        struct text text = text_of(digits, sizeof digits);
        text_add_u64(&text, quirks->value[i]);
        if (!(any ? add(out, ",") : add_name(out, "quirks") && add(out, "{")) ||
            !add_string(out, bytes_of_text(class->quirks[i].name)) || !add(out, ":") || !add(out, digits))
            return false;
        any = true;
    }
    return !any || add(out, "}");
}

static bool add_others(struct buffer *out, const struct journal_header *header)
{
    for (size_t i = 0; i < header->other_count; i++) {
        const struct journal_other *other = &header->others[i];
        if (!(i == 0 ? add_name(out, "others") && add(out, "[") : add(out, ",")) ||
            !add(out, "{\"family\":") || !add_string(out, bytes_of_text(other->family)) ||
            !add_member_text(out, "profile", other->profile) ||
            !add_quirks(out, other->class, &other->quirks) || !add(out, "}"))
            return false;
    }
    return header->other_count == 0 || add(out, "]");
}

static bool add_header(struct buffer *out, const struct journal_header *header)
{
    return add(out, "{\"journal\":1") && add_member_text(out, "family", header->family) &&
           add_member_text(out, "profile", header->profile) &&
           add_member_u64(out, "epoch_ms", header->epoch_ms) && add_member_u64(out, "seed", header->seed) &&
           add_member_u64(out, "picture_width", header->picture_width) &&
           add_member_u64(out, "picture_height", header->picture_height) &&
           add_member_u64(out, "silence_percent", header->silence_percent) &&
           add_member_u64(out, "speech_percent", header->speech_percent) &&
           add_member_u64(out, "speed", header->speed) && add_name(out, "key_known") &&
           add(out, header->key_known ? "true" : "false") && add_member_text(out, "config", header->config) &&
           add_quirks(out, header->class, &header->quirks) &&
           (header->script[0] == '\0' || add_member_text(out, "script", header->script)) &&
           add_others(out, header) && add(out, "}");
}

bool journal_write_header(const struct journal *journal, struct buffer *out)
{
    const size_t len = out->len;
    if (add_header(out, journal_header_of(journal)))
        return true;
    out->len = len;
    return false;
}
