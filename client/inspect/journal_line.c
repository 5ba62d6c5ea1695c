#include "client/inspect/describe_parts.h"
#include "codec/wire/base64.h"
#include "codec/wire/reader.h"
#include "codec/wire/text.h"

static const char OWN_FAMILY[] = "ojin";

static const cJSON *string_member(const cJSON *object, const char *name)
{
    const cJSON *value = json_member(object, name);
    return cJSON_IsString(value) ? value : NULL;
}

static bool string_is(const cJSON *object, const char *name, const char *expected)
{
    const cJSON *value = string_member(object, name);
    return value != NULL && strcmp(value->valuestring, expected) == 0;
}

static bool number_member(const cJSON *object, const char *name, uint64_t *out)
{
    int64_t value;
    const cJSON *member = json_member(object, name);
    if (member == NULL || !json_integer(member, &value) || value < 0)
        return false;
    *out = (uint64_t)value;
    return true;
}

/* NULL: it is none. */
static cJSON *first_line(struct bytes text)
{
    const uint8_t *end = text.len == 0 ? NULL : memchr(text.data, '\n', text.len);
    const struct bytes first = bytes_of(text.data, end == NULL ? text.len : (size_t)(end - text.data));
    cJSON *line = NULL;
    return json_parse(first, &line).status == WIRE_OK ? line : NULL;
}

void inspect_journal_family(struct bytes journal, char family[INSPECT_FAMILY_MAX])
{
    struct text text = text_of(family, INSPECT_FAMILY_MAX);
    cJSON *line = first_line(journal);
    const cJSON *name = json_member(line, "journal") == NULL ? NULL : string_member(line, "family");
    text_add(&text, name == NULL ? OWN_FAMILY : name->valuestring);
    cJSON_Delete(line);
}

bool inspect_is_journal(struct bytes text)
{
    cJSON *line = first_line(text);
    if (line == NULL)
        return false;
    const bool is_header = json_member(line, "journal") != NULL && string_member(line, "family") != NULL;
    const bool is_entry = json_member(line, "n") != NULL && json_member(line, "at_us") != NULL &&
                          string_member(line, "kind") != NULL;
    cJSON_Delete(line);
    return is_header || is_entry;
}

/* ---- frames of which only the head was kept ---- */

static void describe_kept(struct description *description, cJSON *list, const cJSON *frame, uint8_t type)
{
    const bool is_audio = type == OJIN_PAYLOAD_AUDIO;
    uint64_t bytes, crc;
    if (!number_member(frame, is_audio ? "audio_bytes" : "image_bytes", &bytes) ||
        !number_member(frame, is_audio ? "audio_crc" : "image_crc", &crc))
        return;
    struct description part = description_new(false);
    describe_u64(&part, "type", type);
    describe_string(&part, "name", payload_type_name(type));
    describe_u64(&part, "bytes", bytes);
    describe_crc32(&part, "crc32", (uint32_t)crc);
    cJSON *object = description_end(&part);
    if (object == NULL || !cJSON_AddItemToArray(list, object)) {
        cJSON_Delete(object);
        description->failed = true;
    }
}

/* The header, and what the journal says of the last audio and the last picture. */
static void describe_head(struct description *description, struct bytes head, uint64_t bytes,
                          const cJSON *frame)
{
    uint8_t header[OJIN_FRAME_HEADER_BYTES];
    struct ojin_frame decoded;
    describe_string(description, "kind", "frame");
    describe_u64(description, "bytes", bytes);
    describe_bool(description, "whole", false);
    if (head.len < sizeof header) {
        describe_error(description, ojin_frame_decode(head, &decoded));
        return;
    }
    /* With a count of 0 the header alone is a frame. */
    static const size_t count_at = OJIN_FRAME_HEADER_BYTES - 4;
    memcpy(header, head.data, sizeof header);
    memset(header + count_at, 0, 4);
    if (ojin_frame_decode(bytes_of(header, sizeof header), &decoded).status == WIRE_OK) {
        struct reader reader = reader_of(bytes_of(head.data + count_at, 4));
        decoded.payload_count = reader_u32(&reader, "payload count");
        describe_frame_header(description, &decoded);
    }
    cJSON *list = description->failed ? NULL : cJSON_AddArrayToObject(description->object, "payloads");
    if (list == NULL) {
        description->failed = true;
        return;
    }
    describe_kept(description, list, frame, OJIN_PAYLOAD_AUDIO);
    describe_kept(description, list, frame, OJIN_PAYLOAD_IMAGE);
    if (cJSON_IsFalse(json_member(frame, "decodes")))
        describe_error(description,
                       (struct wire_error){.status = WIRE_SIZE_PAST_END, .field = "payload data"});
}

/* ---- messages of another family ---- */

/* In place of a long string, such as sound in base64, how long it is. */
static bool shorten_members(cJSON *parent)
{
    for (cJSON *item = parent->child, *next = NULL; item != NULL; item = next) {
        next = item->next;
        const size_t len = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
        if (len <= INSPECT_BRIEF_MAX)
            continue;
        cJSON *length = cJSON_CreateObject();
        if (length == NULL || cJSON_AddNumberToObject(length, "characters", (double)len) == NULL) {
            cJSON_Delete(length);
            return false;
        }
        /* The name goes over to the member that takes its place. */
        length->string = item->string;
        item->string = NULL;
        if (!cJSON_ReplaceItemViaPointer(parent, item, length))
            return false;
    }
    return true;
}

/* Members of the message and, one level down, of its objects and arrays: no message has payloads deeper. */
static bool shorten(cJSON *json)
{
    bool good = shorten_members(json);
    for (cJSON *item = json->child; good && item != NULL; item = item->next)
        good = shorten_members(item);
    return good;
}

/* Messages that are JSON, of which only that is judged. */
static void describe_foreign(struct description *description, const char *family, bool is_text,
                             struct bytes data, uint64_t bytes)
{
    describe_string(description, "family", family);
    describe_string(description, "kind", is_text ? "text" : "binary");
    describe_u64(description, "bytes", bytes);
    if (bytes > data.len) {
        describe_bool(description, "whole", false);
        return;
    }
    cJSON *json = NULL;
    const struct wire_error error =
        is_text ? json_parse(data, &json) : (struct wire_error){.status = WIRE_OK};
    const cJSON *type = string_member(json, "type");
    if (type != NULL)
        describe_string(description, "type", type->valuestring);
    describe_error(description, error);
    if (json != NULL && !description->with_data && !shorten(json))
        description->failed = true;
    if (json != NULL)
        describe_item(description, "json", json);
    if (!is_text || error.status != WIRE_OK)
        describe_base64(description, "base64", data);
    else if (description->with_data)
        describe_text(description, "text", data);
}

/* ---- lines ---- */

/* The bytes that the line holds of its message. False for broken base64. */
static bool data_read(const cJSON *line, struct buffer *out)
{
    const cJSON *text = string_member(line, "text");
    const cJSON *base64 = string_member(line, "base64");
    if (text != NULL)
        return buffer_append(out, bytes_of_text(text->valuestring));
    return base64 == NULL || base64_decode(bytes_of_text(base64->valuestring), out);
}

static void describe_entry(struct description *description, const cJSON *line, struct bytes data,
                           const char *family)
{
    const cJSON *named = string_member(line, "family");
    const char *own = named == NULL ? family : named->valuestring;
    static const char *const numbers[] = {"n", "at_us", "connection"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint64_t value;
        if (number_member(line, numbers[i], &value))
            describe_u64(description, numbers[i], value);
    }
    const bool from_client = string_is(line, "from", "client");
    describe_string(description, "from", from_client ? "client" : "server");
    uint64_t bytes = data.len;
    number_member(line, "bytes", &bytes);
    if (strcmp(own, OWN_FAMILY) != 0)
        describe_foreign(description, own, string_is(line, "event", "text"), data, bytes);
    else if (string_is(line, "event", "text"))
        describe_message(description, data, INSPECT_TEXT);
    else if (from_client)
        describe_message(description, data, INSPECT_INPUT);
    else if (bytes > data.len)
        describe_head(description, data, bytes, json_member(line, "frame"));
    else
        describe_message(description, data, INSPECT_FRAME);
}

static bool holds_message(const cJSON *line)
{
    return string_is(line, "kind", "wire") &&
           (string_is(line, "event", "text") || string_is(line, "event", "binary"));
}

bool inspect_journal_line(struct bytes line, const char *family, bool with_data, cJSON **out, bool *good)
{
    cJSON *entry = NULL;
    struct buffer data;
    struct description description = description_new(with_data);
    struct wire_error error = json_parse(line, &entry);
    if (error.status == WIRE_OK && !cJSON_IsObject(entry))
        error.status = WIRE_NOT_AN_OBJECT;
    buffer_init(&data, INSPECT_MESSAGE_BYTES_MAX);
    const bool is_message = error.status == WIRE_OK && holds_message(entry);
    if (is_message && !data_read(entry, &data))
        error = (struct wire_error){.status = WIRE_OUT_OF_RANGE, .field = "base64"};
    if (error.status != WIRE_OK) {
        describe_string(&description, "kind", "line");
        describe_error(&description, error);
    } else if (is_message) {
        describe_entry(&description, entry, buffer_bytes(&data), family);
    }
    buffer_free(&data);
    cJSON_Delete(entry);
    *good = description.good;
    const bool done = !description.failed;
    *out = description_end(&description);
    if (done && error.status == WIRE_OK && !is_message) {
        cJSON_Delete(*out);
        *out = NULL;
    }
    return done;
}
