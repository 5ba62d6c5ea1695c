/* Lines of JSON back to entries. */
#include <stdlib.h>

#include "codec/rules/requirements.h"
#include "codec/wire/base64.h"
#include "codec/wire/json.h"
#include "codec/wire/text.h"
#include "server/core/session.h"
#include "server/journal/journal_lines.h"

enum { JOURNAL_ERROR_MAX = 200 };

/* One line being read. */
struct line {
    const cJSON *object;
    struct bytes key;
    const char *wrong; /* static: what is wrong with it; NULL while nothing is */
};

static void wrong(struct line *line, const char *what)
{
    if (line->wrong == NULL)
        line->wrong = what;
}

static bool digits_read(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

/* 0 when the member is absent; a number up to `value_max`, or a string of digits for the large ones. */
static uint64_t read_u64(struct line *line, const cJSON *object, const char *name, uint64_t value_max)
{
    const cJSON *value = json_member(object, name);
    int64_t integer = 0;
    uint64_t read = 0;
    if (value == NULL)
        return 0;
    if (json_integer(value, &integer) && integer >= 0)
        read = (uint64_t)integer;
    else if (!cJSON_IsString(value) || !digits_read(value->valuestring, &read))
        wrong(line, "a member that should be a number is none");
    if (read > value_max) {
        wrong(line, "a number is out of range");
        read = 0;
    }
    return read;
}

static uint32_t read_u32(struct line *line, const cJSON *object, const char *name)
{
    return (uint32_t)read_u64(line, object, name, UINT32_MAX);
}

static bool read_bool(struct line *line, const cJSON *object, const char *name)
{
    const cJSON *value = json_member(object, name);
    if (value != NULL && !cJSON_IsBool(value))
        wrong(line, "a member that should be true or false is neither");
    return cJSON_IsTrue(value);
}

/* NULL when it is absent. */
static const char *read_string(struct line *line, const cJSON *object, const char *name)
{
    const cJSON *value = json_member(object, name);
    if (value == NULL)
        return NULL;
    if (!cJSON_IsString(value)) {
        wrong(line, "a member that should be a string is none");
        return NULL;
    }
    return value->valuestring;
}

static void read_text(struct line *line, const cJSON *object, const char *name, char *out, size_t capacity)
{
    const char *value = read_string(line, object, name);
    const size_t len = value == NULL ? 0 : strlen(value);
    if (len >= capacity) {
        wrong(line, "a string is too long");
        return;
    }
    if (len > 0)
        memcpy(out, value, len);
    out[len] = '\0';
}

static bool read_uuid(struct line *line, const cJSON *object, const char *name, uint8_t out[UUID_BYTES])
{
    const char *value = read_string(line, object, name);
    if (value == NULL)
        return false;
    if (!uuid_parse(bytes_of_text(value), out))
        wrong(line, "an interaction is no UUID");
    return true;
}

/* "{key}" back to the key, where the writer put it. */
static bool restore(const struct line *line, const char *text, bool is_head, struct buffer *out)
{
    const struct bytes mark = line->key.len >= REDACTED_KEY_BYTES_MIN || (is_head && line->key.len > 0)
                                  ? bytes_of_text("{key}")
                                  : (struct bytes){0};
    return redact_replace(bytes_of_text(text), mark, line->key, out);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex_read(const char *text, struct buffer *out)
{
    for (; text[0] != '\0'; text += 2) {
        const int high = hex_digit(text[0]);
        const int low = high < 0 ? -1 : hex_digit(text[1]);
        const uint8_t byte = (uint8_t)(high * 16 + low);
        if (low < 0 || !buffer_append(out, bytes_of(&byte, 1)))
            return false;
    }
    return true;
}

static void read_data(struct line *line, const struct journal_entry *entry, struct buffer *out)
{
    const char *text = read_string(line, line->object, "text");
    const char *base64 = read_string(line, line->object, "base64");
    const char *hex = read_string(line, line->object, "hex");
    const bool is_head = entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_REQUEST;
    if (text != NULL && !restore(line, text, is_head, out))
        wrong(line, "the text is too long");
    if (base64 != NULL && !base64_decode(bytes_of_text(base64), out))
        wrong(line, "base64 holds no base64");
    if (hex != NULL && !hex_read(hex, out))
        wrong(line, "hex holds no pairs of hex digits");
}

static void read_restored(struct line *line, const char *name, char *out, size_t capacity)
{
    const char *value = read_string(line, line->object, name);
    struct buffer restored;
    if (value == NULL)
        return;
    buffer_init(&restored, JOURNAL_LINE_BYTES_MAX);
    struct text text = text_of(out, capacity);
    if (restore(line, value, false, &restored))
        text_add_bytes(&text, buffer_bytes(&restored));
    if (text.cut)
        wrong(line, "a finding's text is too long");
    buffer_free(&restored);
}

static void read_finding(struct line *line, struct finding *finding)
{
    const char *id = read_string(line, line->object, "requirement");
    const struct requirement *requirement = id == NULL ? NULL : requirement_by_id(id);
    if (requirement == NULL) {
        wrong(line, "the requirement is not known");
        return;
    }
    finding->requirement = requirement->id;
    finding->note = read_bool(line, line->object, "note");
    finding->at_us = read_u64(line, line->object, "found_at_us", UINT64_MAX);
    finding->event = read_u64(line, line->object, "found_in", UINT64_MAX);
    read_restored(line, "expected", finding->expected, sizeof finding->expected);
    read_restored(line, "actual", finding->actual, sizeof finding->actual);
}

static void read_frame(struct line *line, const cJSON *object, struct frame_summary *frame)
{
    if (!cJSON_IsObject(object)) {
        wrong(line, "frame is no object");
        return;
    }
    frame->decodes = read_bool(line, object, "decodes");
    frame->is_final = (uint8_t)read_u64(line, object, "final", UINT8_MAX);
    frame->index = read_u32(line, object, "index");
    (void)read_uuid(line, object, "interaction", frame->interaction);
    frame->has_checksums =
        json_member(object, "audio_crc") != NULL || json_member(object, "image_crc") != NULL;
    frame->has_audio = json_member(object, "audio_bytes") != NULL;
    frame->audio_bytes = read_u32(line, object, "audio_bytes");
    frame->audio_crc = frame->has_checksums ? read_u32(line, object, "audio_crc") : 0;
    frame->has_image = json_member(object, "image_bytes") != NULL;
    frame->image_bytes = read_u32(line, object, "image_bytes");
    frame->image_crc = frame->has_checksums ? read_u32(line, object, "image_crc") : 0;
}

static void read_wire(struct line *line, struct journal_entry *entry)
{
    const char *from = read_string(line, line->object, "from");
    const char *event = read_string(line, line->object, "event");
    const cJSON *frame = json_member(line->object, "frame");
    if (from == NULL || (strcmp(from, "client") != 0 && strcmp(from, "server") != 0))
        wrong(line, "from is neither client nor server");
    else
        entry->wire.direction = strcmp(from, "client") == 0 ? WIRE_FROM_CLIENT : WIRE_FROM_SERVER;
    if (event == NULL || !journal_event_by_name(event, &entry->wire.kind))
        wrong(line, "the event is not known");
    entry->wire.at_us = entry->at_us;
    entry->wire.code = (uint16_t)read_u64(line, line->object, "code", UINT16_MAX);
    entry->wire.fault = read_bool(line, line->object, "fault");
    entry->by_host = read_bool(line, line->object, "host");
    entry->wire.message_bytes = read_u64(line, line->object, "bytes", UINT64_MAX);
    entry->has_frame = frame != NULL;
    if (frame != NULL)
        read_frame(line, frame, &entry->frame);
}

static void read_order(struct line *line, struct journal_entry *entry)
{
    if (json_member(line->object, "order") == NULL)
        wrong(line, "order is missing");
    entry->order = read_u64(line, line->object, "order", UINT64_MAX);
    entry->wire.code = (uint16_t)read_u64(line, line->object, "code", UINT16_MAX);
    entry->wire.message_bytes = read_u64(line, line->object, "bytes", UINT64_MAX);
    entry->begins = read_bool(line, line->object, "begins");
    if (entry->begins && json_member(line->object, "seed") == NULL)
        wrong(line, "seed is missing");
    entry->seed = read_u64(line, line->object, "seed", UINT64_MAX);
}

static void read_transport(struct line *line, struct journal_entry *entry)
{
    entry->wire.at_us = entry->at_us;
    entry->wire.direction = WIRE_FROM_SERVER;
    entry->wire.kind = WIRE_EVENT_TRANSPORT;
    entry->wire.code = (uint16_t)journal_act_of(entry->label);
    entry->wire.fault = true;
    entry->wire.message_bytes = read_u64(line, line->object, "bytes", UINT64_MAX);
    entry->duration_us = read_u64(line, line->object, "duration_us", UINT64_MAX);
}

static const struct session_class *class_of(const struct session_class *const *classes, const char *family)
{
    while (*classes != NULL && strcmp((*classes)->family->name, family) != 0)
        classes++;
    return *classes;
}

/* Whose entry it is, when it is not of the header's family. */
static void read_family(struct line *line, const struct session_class *const *classes,
                        struct journal_entry *entry)
{
    const char *family = read_string(line, line->object, "family");
    if (family == NULL)
        return;
    entry->is_of_other = true;
    entry->class = class_of(classes, family);
    if (entry->class == NULL)
        wrong(line, "the family of an entry is not known");
}

static void read_entry(struct line *line, const struct session_class *const *classes,
                       struct journal_entry *entry, struct buffer *data)
{
    const char *kind = read_string(line, line->object, "kind");
    *entry = (struct journal_entry){0};
    if (kind == NULL || !journal_kind_by_name(kind, &entry->kind)) {
        wrong(line, "the kind is not known");
        return;
    }
    entry->at_us = read_u64(line, line->object, "at_us", UINT64_MAX);
    entry->connection = read_u32(line, line->object, "connection");
    entry->line = read_u32(line, line->object, "line");
    read_family(line, classes, entry);
    read_text(line, line->object, "label", entry->label, sizeof entry->label);
    read_text(line, line->object, "step", entry->step, sizeof entry->step);
    entry->has_interaction = read_uuid(line, line->object, "interaction", entry->interaction);
    if (entry->kind == JOURNAL_WIRE)
        read_wire(line, entry);
    if (entry->kind == JOURNAL_FINDING)
        read_finding(line, &entry->finding);
    if (entry->kind == JOURNAL_TAKEN || entry->kind == JOURNAL_DROPPED)
        read_order(line, entry);
    if (entry->kind == JOURNAL_TRANSPORT)
        read_transport(line, entry);
    buffer_clear(data);
    read_data(line, entry, data);
    entry->wire.data = buffer_bytes(data);
}

/* An unknown name is of another version, and makes other sessions. */
static void read_quirks(struct line *line, const cJSON *object, const struct session_class *class,
                        struct quirks *out)
{
    const cJSON *quirks = json_member(object, "quirks");
    const cJSON *quirk = NULL;
    if (quirks != NULL && !cJSON_IsObject(quirks))
        wrong(line, "quirks is no object");
    cJSON_ArrayForEach(quirk, quirks)
    {
        const int row = class == NULL || class->quirks == NULL
                            ? -1
                            : quirk_row(class->quirks, bytes_of_text(quirk->string));
        if (row < 0)
            wrong(line, "a quirk is not known");
        else
            out->value[row] = read_u64(line, quirks, quirk->string, UINT64_MAX);
    }
}

static void read_others(struct line *line, const struct session_class *const *classes,
                        struct journal_header *header)
{
    const cJSON *others = json_member(line->object, "others");
    const cJSON *object = NULL;
    if (others != NULL && !cJSON_IsArray(others))
        wrong(line, "others is no array");
    cJSON_ArrayForEach(object, others)
    {
        if (header->other_count == JOURNAL_OTHERS_MAX || !cJSON_IsObject(object)) {
            wrong(line, "others holds too many families, or what is none");
            return;
        }
        struct journal_other *other = &header->others[header->other_count++];
        read_text(line, object, "family", other->family, sizeof other->family);
        read_text(line, object, "profile", other->profile, sizeof other->profile);
        other->class = class_of(classes, other->family);
        read_quirks(line, object, other->class, &other->quirks);
    }
}

static void read_header(struct line *line, const struct session_class *const *classes,
                        struct journal_header *header)
{
    *header = (struct journal_header){0};
    if (read_u64(line, line->object, "journal", UINT64_MAX) != JOURNAL_VERSION) {
        wrong(line, "this is no journal of version 1");
        return;
    }
    read_text(line, line->object, "family", header->family, sizeof header->family);
    header->class = class_of(classes, header->family);
    read_text(line, line->object, "profile", header->profile, sizeof header->profile);
    header->epoch_ms = read_u64(line, line->object, "epoch_ms", UINT64_MAX);
    header->seed = read_u64(line, line->object, "seed", UINT64_MAX);
    header->picture_width = read_u32(line, line->object, "picture_width");
    header->picture_height = read_u32(line, line->object, "picture_height");
    header->silence_percent = read_u32(line, line->object, "silence_percent");
    header->speech_percent = read_u32(line, line->object, "speech_percent");
    header->speed = read_u32(line, line->object, "speed");
    header->key_known = read_bool(line, line->object, "key_known");
    read_text(line, line->object, "config", header->config, sizeof header->config);
    read_quirks(line, line->object, header->class, &header->quirks);
    read_text(line, line->object, "script", header->script, sizeof header->script);
    read_others(line, classes, header);
}

/* The first line makes *journal, each further one an entry of it. */
static const char *read_line(struct bytes text, const struct session_class *const *classes, struct bytes key,
                             struct journal **journal, struct buffer *data)
{
    cJSON *object = NULL;
    if (json_parse(text, &object).status != WIRE_OK || !cJSON_IsObject(object)) {
        cJSON_Delete(object);
        return "this is no JSON object";
    }
    struct line line = {.object = object, .key = key};
    if (*journal == NULL) {
        struct journal_header header;
        read_header(&line, classes, &header);
        if (line.wrong == NULL && (*journal = journal_new(&header, key)) == NULL)
            wrong(&line, "out of memory");
    } else {
        struct journal_entry entry;
        read_entry(&line, classes, &entry, data);
        if (line.wrong == NULL && !journal_append(*journal, &entry))
            wrong(&line, "the journal is larger than its limit");
    }
    cJSON_Delete(object);
    return line.wrong;
}

static void say(char error[JOURNAL_ERROR_MAX], uint64_t number, const char *what)
{
    struct text text = text_of(error, JOURNAL_ERROR_MAX);
    text_add(&text, "line ");
    text_add_u64(&text, number);
    text_add(&text, ": ");
    text_add(&text, what);
}

static size_t line_length(struct bytes text)
{
    const uint8_t *newline = text.len == 0 ? NULL : memchr(text.data, '\n', text.len);
    return newline == NULL ? text.len : (size_t)(newline - text.data);
}

struct journal *journal_read(struct bytes text, const struct session_class *const *classes, struct bytes key,
                             char error[200])
{
    struct journal *journal = NULL;
    struct buffer data;
    error[0] = '\0';
    const char *what = text.len == 0 ? "this is no journal" : NULL;
    uint64_t number = text.len == 0 ? 1 : 0;
    buffer_init(&data, JOURNAL_LINE_BYTES_MAX);
    while (what == NULL && text.len > 0) {
        const size_t len = line_length(text);
        const size_t taken = len < text.len ? len + 1 : len;
        number++;
        const struct bytes line = bytes_of(text.data, len);
        what = read_line(line, classes, key, &journal, &data);
        if (what != NULL && taken == len && journal != NULL && json_check(line).status != WIRE_OK) {
            buffer_free(&data);
            say(error, number, "it is cut off, as on a full disk: the journal is read up to there");
            return journal;
        }
        text = bytes_of(text.data + taken, text.len - taken);
    }
    buffer_free(&data);
    if (what == NULL)
        return journal;
    say(error, number, what);
    journal_free(journal);
    return NULL;
}
