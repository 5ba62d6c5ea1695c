/* What the families' makers and judges share. */
#include <stdlib.h>
#include <string.h>

#include "codec/mutate/mutate.h"
#include "codec/wire/crc32.h"
#include "codec/wire/float32.h"
#include "conformance/vectors/vector_maker.h"

static const uint8_t JPEG[] = {
    0xff, 0xd8,
    /* one table of sixteens */
    0xff, 0xdb, 0x00, 0x43, 0x00, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
    /* one component of 8 x 8 */
    0xff, 0xc0, 0x00, 0x0b, 0x08, 0x00, 0x08, 0x00, 0x08, 0x01, 0x01, 0x11, 0x00,
    /* a code for "no change", and one for "end of block" */
    0xff, 0xc4, 0x00, 0x14, 0x00, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xff, 0xc4, 0x00,
    0x14, 0x10, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xff, 0xda, 0x00, 0x08, 0x01, 0x01,
    0x00, 0x00, 0x3f, 0x00, 0x3f, 0xff, 0xd9};

const struct bytes VECTOR_JPEG = {JPEG, sizeof JPEG};

void vector_fill_pcm16(uint8_t *out, size_t samples)
{
    for (size_t i = 0; i < samples; i++) {
        const uint16_t value = (uint16_t)(i * 401);
        out[2 * i] = (uint8_t)value;
        out[2 * i + 1] = (uint8_t)(value >> 8);
    }
}

void vector_fill_float32(uint8_t *out, size_t samples)
{
    for (size_t i = 0; i < samples; i++)
        float32_put(out + i * FLOAT32_BYTES, (float)(int)(i % 129) / 128.0f - 0.5f);
}

enum {
    CHANGES_MAX = 3,
    CHANGE_ROOM = 4096, /* by which a change may make a message longer */
    DIGITS_MAX = 15,    /* that every reader keeps of a number in JSON */
    GROWN_BYTES_MAX = 100
};

static void judge_and_hand_on(struct vector_maker *maker, struct vector *vector)
{
    maker->vector_class->judge(vector);
    /* What is legal JSON, and refused by a limit of ours alone, is nobody else's measure. */
    if (vector->valid || strcmp(vector->error, wire_status_name(WIRE_UNREADABLE_JSON)) != 0)
        maker->failed = !maker->sink(maker->context, vector);
    cJSON_Delete(vector->decoded);
}

static bool has_long_number(struct bytes text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len && digits <= DIGITS_MAX; i++)
        digits = text.data[i] >= '0' && text.data[i] <= '9' ? digits + 1 : 0;
    return digits > DIGITS_MAX;
}

/* "changed 7, frame, no payload (entry size)" */
static void add_changed(struct vector_maker *maker, const struct vector *from, const struct mutate_form *form,
                        uint32_t number, uint8_t *room, size_t capacity)
{
    struct vector vector = {.family = from->family,
                            .profile = from->profile,
                            .kind = from->kind,
                            .from_client = from->from_client,
                            .valid = true};
    struct text name = text_of(vector.name, sizeof vector.name);
    struct seeded seeded = {.state = maker->wanted->seed};
    size_t len = from->message.len;
    seeded.state = seeded_next(&seeded) ^ (maker->count << 32 | number);
    text_add(&name, "changed ");
    text_add_u64(&name, number);
    text_add(&name, ", ");
    text_add(&name, from->name);
    if (len > 0)
        memcpy(room, from->message.data, len);
    for (uint64_t left = 1 + seeded_next(&seeded) % CHANGES_MAX; left > 0; left--) {
        struct mutation mutation = {.what = NULL};
        len = mutate_message(form, &seeded, bytes_of(NULL, 0), room, len, capacity, &mutation);
        if (mutation.what == NULL)
            continue;
        text_add(&name, " (");
        text_add(&name, mutation.what);
        text_add(&name, ")");
    }
    vector.message = bytes_of(room, len);
    /* Of long strings and numbers in JSON readers keep different parts. */
    const bool has_json = strcmp(from->kind, "frame") != 0;
    if (!has_json || (len <= from->message.len + GROWN_BYTES_MAX && !has_long_number(vector.message)))
        judge_and_hand_on(maker, &vector);
}

static void add_all_changed(struct vector_maker *maker, const struct vector *from)
{
    const struct mutate_class *mutate_class = mutate_class_by_family(from->family);
    const struct mutate_form *form = mutate_form_by_name(mutate_class, from->kind);
    const size_t capacity = from->message.len + CHANGE_ROOM;
    uint8_t *room = malloc(capacity);
    if (room == NULL)
        maker->failed = true;
    for (uint32_t n = 1; n <= maker->wanted->changed && !maker->failed; n++)
        add_changed(maker, from, form, n, room, capacity);
    free(room);
}

void vectors_add(struct vector_maker *maker, const char *name, const char *kind, const char *profile,
                 bool from_client, struct bytes message, const char *requirement)
{
    const char *wanted = maker->wanted->kind;
    struct vector vector = {.family = maker->vector_class->family,
                            .profile = profile,
                            .kind = kind,
                            .from_client = from_client,
                            .message = message,
                            .valid = true,
                            .requirement = requirement};
    struct text text = text_of(vector.name, sizeof vector.name);
    if (maker->failed || (wanted != NULL && strcmp(wanted, kind) != 0))
        return;
    text_add(&text, profile == NULL ? "" : profile);
    text_add(&text, profile == NULL ? "" : ", ");
    text_add(&text, name);
    maker->count++;
    judge_and_hand_on(maker, &vector);
    if (maker->wanted->changed > 0)
        add_all_changed(maker, &vector);
}

/* --- judges --- */

static const char *fault_name(enum json_fault_kind kind)
{
    switch (kind) {
    case JSON_FAULT_NOT_JSON:
        return wire_status_name(WIRE_NOT_JSON);
    case JSON_FAULT_UNREADABLE:
        return wire_status_name(WIRE_UNREADABLE_JSON);
    case JSON_FAULT_NOT_OBJECT:
        return wire_status_name(WIRE_NOT_AN_OBJECT);
    case JSON_FAULT_UNKNOWN_TYPE:
        return wire_status_name(WIRE_UNKNOWN_TYPE);
    case JSON_FAULT_MISSING:
        return wire_status_name(WIRE_MISSING_MEMBER);
    case JSON_FAULT_WRONG_TYPE:
        return wire_status_name(WIRE_WRONG_MEMBER_TYPE);
    case JSON_FAULT_RANGE:
        return wire_status_name(WIRE_OUT_OF_RANGE);
    case JSON_FAULT_ODD_AUDIO:
        return wire_status_name(WIRE_ODD_AUDIO);
    case JSON_FAULT_TOO_LONG:
        return wire_status_name(WIRE_TOO_LARGE);
    case JSON_FAULT_BASE64:
        return "not-base64";
    case JSON_FAULT_NOT_FINITE:
        return "not-finite";
    case JSON_FAULT_TOO_SHORT:
        return "too-short";
    case JSON_FAULT_NO_PICTURE:
        return "no-picture";
    case JSON_FAULT_NO_WAV:
        return "no-wav";
    case JSON_FAULT_NO_MEMORY:
        return wire_status_name(WIRE_NO_SPACE);
    }
    return "";
}

void vector_set_faults(struct vector *vector, const struct json_faults *faults)
{
    vector->valid = faults->count == 0;
    if (vector->valid)
        return;
    const struct json_fault *fault = &faults->list[0];
    struct text field = text_of(vector->field, sizeof vector->field);
    struct text sentence = text_of(vector->sentence, sizeof vector->sentence);
    vector->error = fault_name(fault->kind);
    text_add(&field, fault->member);
    json_fault_write(&sentence, fault);
}

static void put(struct vector *vector, const char *name, cJSON *item)
{
    if (vector->decoded == NULL)
        vector->decoded = cJSON_CreateObject();
    if (vector->decoded == NULL || item == NULL || !cJSON_AddItemToObject(vector->decoded, name, item))
        cJSON_Delete(item);
}

void vector_put_text(struct vector *vector, const char *name, struct bytes text)
{
    char *copy = malloc(text.len + 1);
    if (copy == NULL)
        return;
    if (text.len > 0)
        memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    put(vector, name, cJSON_CreateString(copy));
    free(copy);
}

void vector_put_number(struct vector *vector, const char *name, double value)
{
    put(vector, name, cJSON_CreateNumber(value));
}

void vector_put_bool(struct vector *vector, const char *name, bool value)
{
    put(vector, name, cJSON_CreateBool(value));
}

void vector_put_null(struct vector *vector, const char *name)
{
    put(vector, name, cJSON_CreateNull());
}

void vector_put_u64(struct vector *vector, const char *name, uint64_t value)
{
    char digits[24];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, value);
    put(vector, name, cJSON_CreateString(digits));
}

void vector_put_span(struct vector *vector, const char *name, struct bytes data, size_t sample_bytes)
{
    char digits[12];
    const uint32_t crc = crc32_of(data);
    const uint8_t big_endian[] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8),
                                  (uint8_t)crc};
    struct text text = text_of(digits, sizeof digits);
    cJSON *span = cJSON_CreateObject();
    text_add_hex(&text, bytes_of(big_endian, sizeof big_endian));
    if (span == NULL)
        return;
    if (sample_bytes > 0) {
        const size_t samples = data.len / sample_bytes;
        (void)cJSON_AddNumberToObject(span, "samples", (double)samples);
    }
    (void)cJSON_AddNumberToObject(span, "bytes", (double)data.len);
    (void)cJSON_AddStringToObject(span, "crc32", digits);
    put(vector, name, span);
}
