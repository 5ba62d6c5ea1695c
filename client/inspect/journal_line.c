#include "client/inspect/json_message.h"
#include "codec/wire/base64.h"
#include "codec/wire/text.h"

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
    text_add(&text, name == NULL ? INSPECT_CLASSES[0]->family : name->valuestring);
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
    const struct inspect_class *class = inspect_class_by_family(own);
    struct inspect_entry entry = {.line = line,
                                  .data = data,
                                  .bytes = data.len,
                                  .is_text = string_is(line, "event", "text"),
                                  .from_client = string_is(line, "from", "client")};
    static const char *const numbers[] = {"n", "at_us", "connection"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint64_t value;
        if (describe_read_number(line, numbers[i], &value))
            describe_u64(description, numbers[i], value);
    }
    describe_string(description, "from", entry.from_client ? "client" : "server");
    describe_read_number(line, "bytes", &entry.bytes);
    if (class != NULL)
        class->describe_entry(description, &entry);
    else
        json_message_describe(description, own, &entry, NULL);
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
