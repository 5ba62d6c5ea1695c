#include "codec/wire/json_members.h"

#include <math.h>

#include "codec/wire/base64.h"

enum { WORD_SHOWN_MAX = 40, FOUND_DECIMALS = 3 };

/* --- faults --- */

static void write_member(struct text *out, const struct json_reader *reader, const char *name)
{
    if (reader->within != NULL) {
        text_add(out, reader->within);
        if (name != NULL)
            text_add_char(out, '.');
    }
    if (name != NULL)
        text_add(out, name);
    else if (reader->within == NULL)
        text_add(out, "message");
}

bool json_fail(const struct json_reader *reader, enum json_fault_kind kind, const char *name,
               const char *expected, const char *found)
{
    struct json_faults *faults = reader->faults;
    if (faults->count++ >= JSON_FAULTS_MAX)
        return false;
    struct json_fault *fault = &faults->list[faults->count - 1];
    *fault = (struct json_fault){.kind = kind, .expected = expected};
    struct text member = text_of(fault->member, sizeof fault->member);
    write_member(&member, reader, name);
    struct text text = text_of(fault->found, sizeof fault->found);
    text_add(&text, found);
    return false;
}

void json_fail_at(const struct json_reader *reader, size_t offset)
{
    if (reader->faults->count <= JSON_FAULTS_MAX)
        reader->faults->list[reader->faults->count - 1].offset = offset;
}

bool json_fail_count(const struct json_reader *reader, enum json_fault_kind kind, const char *name,
                     const char *expected, uint64_t count, const char *unit)
{
    char found[JSON_FAULT_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    text_add_u64(&text, count);
    text_add(&text, unit);
    return json_fail(reader, kind, name, expected, found);
}

bool json_fail_word(const struct json_reader *reader, enum json_fault_kind kind, const char *name,
                    const char *expected, struct bytes word)
{
    char found[JSON_FAULT_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    text_add_char(&text, '"');
    text_add_printable(&text, word, WORD_SHOWN_MAX);
    text_add_char(&text, '"');
    return json_fail(reader, kind, name, expected, found);
}

const char *json_value_description(const cJSON *value)
{
    if (value == NULL)
        return "nothing";
    if (cJSON_IsNull(value))
        return "null";
    if (cJSON_IsBool(value))
        return cJSON_IsTrue(value) ? "true" : "false";
    if (cJSON_IsNumber(value))
        return "a number";
    if (cJSON_IsString(value))
        return "a string";
    return cJSON_IsArray(value) ? "a list" : "an object";
}

bool json_fail_type(const struct json_reader *reader, const char *name, const char *expected,
                    const cJSON *value)
{
    return json_fail(reader, value == NULL ? JSON_FAULT_MISSING : JSON_FAULT_WRONG_TYPE, name, expected,
                     json_value_description(value));
}

/* --- plain values --- */

const cJSON *json_optional(const struct json_reader *reader, const char *name)
{
    const cJSON *value = json_member(reader->object, name);
    return cJSON_IsNull(value) ? NULL : value;
}

/* True when there is nothing to read; a fault is told when there should be. */
static bool is_absent(const struct json_reader *reader, const char *name, enum json_need need,
                      const char *expected)
{
    if ((need == JSON_REQUIRED ? json_member(reader->object, name) : json_optional(reader, name)) != NULL)
        return false;
    if (need == JSON_REQUIRED)
        json_fail_type(reader, name, expected, NULL);
    return true;
}

bool json_read_text(const struct json_reader *reader, const char *name, enum json_need need,
                    struct bytes *out)
{
    const cJSON *value = json_member(reader->object, name);
    if (is_absent(reader, name, need, "a string"))
        return false;
    if (!cJSON_IsString(value))
        return json_fail_type(reader, name, "a string", value);
    *out = bytes_of_text(value->valuestring);
    return true;
}

bool json_read_bool(const struct json_reader *reader, const char *name, enum json_need need, bool *out)
{
    const cJSON *value = json_member(reader->object, name);
    if (is_absent(reader, name, need, "true or false"))
        return false;
    if (!cJSON_IsBool(value))
        return json_fail_type(reader, name, "true or false", value);
    *out = cJSON_IsTrue(value);
    return true;
}

bool json_read_integer(const struct json_reader *reader, const char *name, enum json_need need, int64_t min,
                       int64_t max, const char *expected, int64_t *out)
{
    const cJSON *value = json_member(reader->object, name);
    int64_t integer = 0;
    if (is_absent(reader, name, need, expected))
        return false;
    const enum wire_status status = json_integer_read(value, &integer);
    if (!cJSON_IsNumber(value))
        return json_fail_type(reader, name, expected, value);
    char found[JSON_FAULT_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    text_add_double(&text, value->valuedouble, FOUND_DECIMALS);
    if (status == WIRE_OUT_OF_RANGE || (status == WIRE_OK && (integer < min || integer > max)))
        return json_fail(reader, JSON_FAULT_RANGE, name, expected, found);
    if (status != WIRE_OK)
        return json_fail(reader, JSON_FAULT_WRONG_TYPE, name, expected, found);
    *out = integer;
    return true;
}

bool json_read_number(const struct json_reader *reader, const char *name, double *out)
{
    const cJSON *value = json_optional(reader, name);
    if (value == NULL)
        return false;
    if (!cJSON_IsNumber(value))
        return json_fail_type(reader, name, "a number", value);
    if (!isfinite(value->valuedouble))
        return json_fail(reader, JSON_FAULT_RANGE, name, "a number that a double can hold", "a larger one");
    *out = value->valuedouble;
    return true;
}

bool json_read_object(const struct json_reader *reader, const char *name, enum json_need need,
                      struct json_reader *out)
{
    const cJSON *value = json_member(reader->object, name);
    if (is_absent(reader, name, need, "an object"))
        return false;
    if (!cJSON_IsObject(value))
        return json_fail_type(reader, name, "an object", value);
    *out = *reader;
    out->object = value;
    out->within = name;
    return true;
}

void json_note_unknown(const struct json_reader *reader, const char *const *names)
{
    const cJSON *child = reader->object == NULL ? NULL : reader->object->child;
    for (; child != NULL && reader->faults->unknown_member.len == 0; child = child->next) {
        const char *const *name = names;
        while (*name != NULL && strcmp(*name, child->string) != 0)
            name++;
        if (*name == NULL)
            reader->faults->unknown_member = bytes_of_text(child->string);
    }
}

/* --- base64 and what is in it --- */

static bool base64_fail_found(const struct json_reader *reader, const char *name, struct bytes text,
                              const struct base64_fault *fault)
{
    char found[JSON_FAULT_FOUND_MAX];
    struct text out = text_of(found, sizeof found);
    if (fault->offset < text.len) {
        text_add_char(&out, '\'');
        text_add_printable(&out, bytes_of(text.data + fault->offset, 1), 1);
        text_add(&out, "' at character ");
        text_add_u64(&out, fault->offset + 1);
    } else {
        text_add(&out, "the end after ");
        text_add_u64(&out, text.len);
        text_add(&out, " characters");
    }
    json_fail(reader, JSON_FAULT_BASE64, name, fault->expected, found);
    json_fail_at(reader, fault->offset);
    return false;
}

bool json_read_base64(const struct json_reader *reader, const char *name, const cJSON *value,
                      struct bytes *out)
{
    struct base64_fault fault;
    size_t len;
    if (!cJSON_IsString(value))
        return json_fail_type(reader, name, "a string of base64", value);
    const struct bytes text = bytes_of_text(value->valuestring);
    if (bytes_begin_with(text, "data:"))
        return json_fail(reader, JSON_FAULT_BASE64, name, "base64 alone", "a data: prefix");
    /* The tree is the message's own, and the text of this value is of no more use. */
    if (!base64_read(text, (uint8_t *)value->valuestring, &len, &fault))
        return base64_fail_found(reader, name, text, &fault);
    *out = bytes_of(value->valuestring, len);
    return true;
}

bool json_read_samples(const struct json_reader *reader, const char *name, size_t sample_bytes,
                       const char *expected, struct bytes *out)
{
    struct bytes audio;
    if (!json_read_base64(reader, name, json_member(reader->object, name), &audio))
        return false;
    const size_t odd = audio.len % sample_bytes;
    if (odd != 0)
        json_fail_count(reader, JSON_FAULT_ODD_AUDIO, name, expected, audio.len, " bytes");
    audio.len -= odd;
    *out = audio;
    return true;
}
