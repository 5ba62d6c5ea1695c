#include "client/inspect/builder.h"

#include "client/inspect/inspect.h"
#include "codec/wire/base64.h"

void builder_fail(struct builder *builder, const char *where, const char *name, const char *expected)
{
    if (builder->failed)
        return;
    builder->failed = true;
    text_add(&builder->error, where);
    text_add(&builder->error, where[0] != '\0' && name[0] != '\0' ? "." : "");
    text_add(&builder->error, name);
    text_add(&builder->error, ": expected ");
    text_add(&builder->error, expected);
}

void builder_append(struct builder *builder, struct bytes bytes)
{
    if (!builder->failed && !buffer_append(builder->out, bytes))
        builder_fail(builder, "", "message", "at most 16 MiB");
}

static bool digits_read(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    if (text[0] == '\0')
        return false;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '9')
            return false;
        const uint64_t digit = (uint64_t)(*c - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

uint64_t builder_number(struct builder *builder, const cJSON *object, const char *name, uint64_t absent,
                        uint64_t max)
{
    const cJSON *member = json_member(object, name);
    uint64_t value = absent;
    int64_t integer = 0;
    if (member == NULL)
        return absent;
    bool good = false;
    if (cJSON_IsString(member)) {
        good = digits_read(member->valuestring, &value);
    } else if (json_integer(member, &integer) && integer >= 0) {
        good = true;
        value = (uint64_t)integer;
    }
    if (good && value <= max)
        return value;
    builder_fail(builder, "", name,
                 max == UINT8_MAX    ? "a whole number up to 255"
                 : max == UINT32_MAX ? "a whole number up to 4294967295"
                                     : "a whole number, above 2^53 as a string of digits");
    return absent;
}

bool builder_span(struct builder *builder, const cJSON *object, const char *where, struct buffer *out)
{
    const cJSON *base64 = json_member(object, "base64");
    const cJSON *hex = json_member(object, "hex");
    if (base64 == NULL && hex == NULL)
        return false;
    if (base64 != NULL && !(cJSON_IsString(base64) && base64_decode(bytes_of_text(base64->valuestring), out)))
        builder_fail(builder, where, "base64", "canonical base64 of at most 16 MiB");
    else if (base64 == NULL && !(cJSON_IsString(hex) && inspect_hex_decode(hex->valuestring, out)))
        builder_fail(builder, where, "hex", "pairs of hex digits, of at most 16 MiB");
    return true;
}

void builder_span_member(struct builder *builder, const cJSON *object, const char *name, struct buffer *out)
{
    const cJSON *member = json_member(object, name);
    if (member != NULL && !builder_span(builder, member, name, out))
        builder_fail(builder, name, "", "an object with \"base64\" or \"hex\"");
}

/* Appends the member `json` as compact text. */
static void printed(struct builder *builder, const cJSON *json, struct buffer *out)
{
    char *text = json_print(json);
    if (text == NULL || !buffer_append(out, bytes_of_text(text)))
        builder_fail(builder, "", "json", "less of it");
    cJSON_free(text);
}

bool builder_text_or_json(struct builder *builder, const cJSON *object, const char *text_name,
                          const char *json_name, struct buffer *out)
{
    const cJSON *text = json_member(object, text_name);
    const cJSON *json = json_member(object, json_name);
    if (text != NULL && !cJSON_IsString(text))
        builder_fail(builder, "", text_name, "a string");
    else if (text != NULL && !buffer_append(out, bytes_of_text(text->valuestring)))
        builder_fail(builder, "", text_name, "at most 16 MiB");
    else if (text == NULL && json != NULL)
        printed(builder, json, out);
    return text != NULL || json != NULL;
}
