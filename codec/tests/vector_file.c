#include "codec/tests/vector_file.h"

#include <check.h>
#include <stdio.h>

#include "codec/wire/crc32.h"
#include "codec/wire/text.h"

enum { VECTOR_PATH_MAX = 1024 };

static _Noreturn void vector_is_broken(const char *what)
{
    fprintf(stderr, "vector: %s\n", what);
    abort();
}

static struct exact_copy file_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        vector_is_broken(path);
    long len = ftell(file);
    if (len <= 0 || fseek(file, 0, SEEK_SET) != 0)
        vector_is_broken(path);
    struct exact_copy copy = {.owned = malloc((size_t)len)};
    if (copy.owned == NULL || fread(copy.owned, 1, (size_t)len, file) != (size_t)len)
        vector_is_broken(path);
    fclose(file);
    copy.bytes = bytes_of(copy.owned, (size_t)len);
    return copy;
}

cJSON *vector_file_load(const char *name)
{
    char path[VECTOR_PATH_MAX];
    struct text text = text_of(path, sizeof path);
    text_add(&text, FIXTURES_DIR "/vectors/");
    text_add(&text, name);
    struct exact_copy file = file_read(path);
    cJSON *vectors = NULL;
    struct wire_error error = json_parse(file.bytes, &vectors);
    exact_copy_free(file);
    if (error.status != WIRE_OK || !cJSON_IsArray(vectors) || cJSON_GetArraySize(vectors) == 0)
        vector_is_broken(path);
    return vectors;
}

const char *vector_text(const cJSON *object, const char *member)
{
    const cJSON *value = json_member(object, member);
    if (!cJSON_IsString(value))
        vector_is_broken(member);
    return value->valuestring;
}

bool vector_flag(const cJSON *object, const char *member)
{
    const cJSON *value = json_member(object, member);
    if (!cJSON_IsBool(value))
        vector_is_broken(member);
    return cJSON_IsTrue(value);
}

uint64_t vector_number(const cJSON *object, const char *member)
{
    int64_t number = -1;
    if (!json_integer(json_member(object, member), &number) || number < 0)
        vector_is_broken(member);
    return (uint64_t)number;
}

uint64_t vector_u64(const cJSON *object, const char *member)
{
    const char *digits = vector_text(object, member);
    bool negative = *digits == '-';
    uint64_t value = 0;
    for (const char *c = digits + negative; *c != '\0'; c++)
        value = value * 10 + (uint64_t)(*c - '0');
    return negative ? 0 - value : value;
}

static uint8_t hex_digit(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

struct exact_copy vector_message(const cJSON *vector)
{
    struct bytes hex = bytes_of_text(vector_text(vector, "hex"));
    if (hex.len % 2 != 0)
        vector_is_broken("hex");
    struct exact_copy copy = exact_copy_of(bytes_of(hex.data, hex.len / 2));
    for (size_t i = 0; i < copy.bytes.len; i++)
        copy.owned[i] =
            (uint8_t)(hex_digit((char)hex.data[2 * i]) << 4 | hex_digit((char)hex.data[2 * i + 1]));
    return copy;
}

void vector_assert_error(const cJSON *vector, const cJSON *expected, struct wire_error actual, size_t len)
{
    const char *name = vector_text(vector, "name");
    const char *status = expected == NULL ? "ok" : vector_text(expected, "error");
    ck_assert_msg(strcmp(wire_status_name(actual.status), status) == 0,
                  "%s, %zu bytes: status %s at %zu (%s), expected %s", name, len,
                  wire_status_name(actual.status), actual.offset, actual.field == NULL ? "" : actual.field,
                  status);
    if (json_member(expected, "field") != NULL) {
        ck_assert_msg(actual.field != NULL, "%s, %zu bytes: no field", name, len);
        ck_assert_msg(strcmp(actual.field, vector_text(expected, "field")) == 0,
                      "%s, %zu bytes: field %s, expected %s", name, len, actual.field,
                      vector_text(expected, "field"));
    }
    if (json_member(expected, "offset") != NULL)
        ck_assert_msg(actual.offset == vector_number(expected, "offset"), "%s: offset %zu", name,
                      actual.offset);
}

void vector_assert_span(const cJSON *vector, const cJSON *decoded, const char *member, struct bytes actual)
{
    char crc[9];
    uint32_t sum = crc32_of(actual);
    uint8_t big_endian[] = {(uint8_t)(sum >> 24), (uint8_t)(sum >> 16), (uint8_t)(sum >> 8), (uint8_t)sum};
    struct text text = text_of(crc, sizeof crc);
    text_add_hex(&text, bytes_of(big_endian, sizeof big_endian));
    const cJSON *span = json_member(decoded, member);
    ck_assert_msg(actual.len == vector_number(span, "bytes"), "%s: %s has %zu bytes",
                  vector_text(vector, "name"), member, actual.len);
    ck_assert_msg(strcmp(crc, vector_text(span, "crc32")) == 0, "%s: %s has CRC-32 %s",
                  vector_text(vector, "name"), member, crc);
}

const cJSON *vector_prefix(const cJSON *vector, size_t len)
{
    const cJSON *prefixes = json_member(vector, "prefixes");
    if (!cJSON_IsArray(prefixes))
        vector_is_broken("prefixes");
    for (const cJSON *item = prefixes->child; item != NULL; item = item->next)
        if (len < vector_number(item, "below"))
            return item;
    return NULL;
}
