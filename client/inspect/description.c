#include "client/inspect/description.h"

#include <stdlib.h>

#include "codec/wire/base64.h"
#include "codec/wire/crc32.h"
#include "codec/wire/text.h"
#include "codec/wire/utf8.h"
#include "codec/wire/uuid.h"

static const uint64_t JSON_INTEGER_MAX = (uint64_t)1 << 53;

enum { NUMBER_TEXT_MAX = 24, HEX32_DIGITS = 8, BITS_IN_DIGIT = 4 };

struct description description_new(bool with_data)
{
    cJSON *object = cJSON_CreateObject();
    return (struct description){
        .object = object, .failed = object == NULL, .with_data = with_data, .good = true};
}

cJSON *description_end(struct description *description)
{
    if (description->failed) {
        cJSON_Delete(description->object);
        description->object = NULL;
    }
    return description->object;
}

void describe_item(struct description *description, const char *name, cJSON *item)
{
    if (item != NULL && !description->failed && cJSON_AddItemToObject(description->object, name, item))
        return;
    cJSON_Delete(item);
    description->failed = true;
}

void describe_u64(struct description *description, const char *name, uint64_t value)
{
    if (value <= JSON_INTEGER_MAX) {
        describe_item(description, name, json_number_new(value));
        return;
    }
    char digits[NUMBER_TEXT_MAX];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, value);
    describe_string(description, name, digits);
}

void describe_string(struct description *description, const char *name, const char *value)
{
    describe_item(description, name, cJSON_CreateString(value));
}

void describe_bool(struct description *description, const char *name, bool value)
{
    describe_item(description, name, cJSON_CreateBool(value));
}

void describe_uuid(struct description *description, const char *name, const uint8_t uuid[UUID_BYTES])
{
    char id[UUID_TEXT_BYTES + 1];
    struct text text = text_of(id, sizeof id);
    text_add_uuid(&text, uuid);
    describe_string(description, name, id);
}

void describe_text(struct description *description, const char *name, struct bytes text)
{
    char *copy = calloc(text.len + 1, 1);
    if (copy == NULL) {
        description->failed = true;
        return;
    }
    if (text.len > 0)
        memcpy(copy, text.data, text.len);
    describe_string(description, name, copy);
    free(copy);
}

void describe_base64(struct description *description, const char *name, struct bytes data)
{
    struct buffer encoded;
    buffer_init(&encoded, 2 * data.len + sizeof "====");
    if (base64_encode(data, &encoded) && buffer_append(&encoded, bytes_of("", 1)))
        describe_string(description, name, (const char *)encoded.data);
    else
        description->failed = true;
    buffer_free(&encoded);
}

void describe_crc32(struct description *description, const char *name, uint32_t crc)
{
    char digits[HEX32_DIGITS + 1] = {0};
    for (unsigned i = 0; i < HEX32_DIGITS; i++)
        digits[i] = "0123456789abcdef"[crc >> (BITS_IN_DIGIT * (HEX32_DIGITS - 1 - i)) & 0xf];
    describe_string(description, name, digits);
}

void describe_span(struct description *description, struct bytes data)
{
    describe_u64(description, "bytes", data.len);
    describe_crc32(description, "crc32", crc32_of(data));
    if (description->with_data)
        describe_base64(description, "base64", data);
}

void describe_part(struct description *description, const char *name, struct description *part)
{
    cJSON *object = description_end(part);
    description->good = description->good && part->good;
    describe_item(description, name, object);
}

void describe_error(struct description *description, struct wire_error error)
{
    if (error.status == WIRE_OK || !description->good)
        return;
    struct description part = description_new(false);
    describe_string(&part, "status", wire_status_name(error.status));
    describe_u64(&part, "offset", error.offset);
    if (error.field != NULL)
        describe_string(&part, "field", error.field);
    describe_string(&part, "sentence", wire_status_sentence(error.status));
    describe_part(description, "error", &part);
    description->good = false;
}

bool describe_read_number(const cJSON *object, const char *name, uint64_t *out)
{
    int64_t value;
    const cJSON *member = json_member(object, name);
    if (member == NULL || !json_integer(member, &value) || value < 0)
        return false;
    *out = (uint64_t)value;
    return true;
}

bool describe_is_plain(struct bytes text)
{
    return utf8_valid_prefix(text) == text.len && (text.len == 0 || memchr(text.data, 0, text.len) == NULL);
}

void describe_json(struct description *description, const char *name, struct bytes text)
{
    /* As many members as any description has beside it. */
    static const char before[] =
        "{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0,"
        "\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"json\":";
    struct buffer within;
    cJSON *value = NULL;
    buffer_init(&within, text.len + sizeof before + 1);
    const bool has_room = buffer_append(&within, bytes_of_text(before)) && buffer_append(&within, text) &&
                          buffer_append(&within, bytes_of_text("}"));
    const bool fits = has_room && json_check(buffer_bytes(&within)).status == WIRE_OK;
    description->failed = description->failed || !has_room;
    if (fits && json_parse(text, &value).status == WIRE_OK)
        describe_item(description, name, value);
    buffer_free(&within);
}
