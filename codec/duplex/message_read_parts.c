#include "codec/duplex/message_read_parts.h"

#include "codec/duplex/wav.h"
#include "codec/wire/base64.h"
#include "codec/wire/json.h"

/* --- faults --- */

static void write_member(struct text *out, const struct member_reader *reader, const char *name)
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

bool member_fail(const struct member_reader *reader, enum duplex_fault_kind kind, const char *name,
                 const char *expected, const char *found)
{
    struct duplex_message *message = reader->message;
    if (message->fault_count++ >= DUPLEX_FAULTS_MAX)
        return false;
    struct duplex_fault *fault = &message->faults[message->fault_count - 1];
    *fault = (struct duplex_fault){.kind = kind, .expected = expected};
    struct text member = text_of(fault->member, sizeof fault->member);
    write_member(&member, reader, name);
    struct text text = text_of(fault->found, sizeof fault->found);
    text_add(&text, found);
    return false;
}

/* Sets the offset of the fault just added, where it was kept. */
static void fail_at(const struct member_reader *reader, size_t offset)
{
    if (reader->message->fault_count <= DUPLEX_FAULTS_MAX)
        reader->message->faults[reader->message->fault_count - 1].offset = offset;
}

static const char *value_description(const cJSON *value)
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

bool member_fail_type(const struct member_reader *reader, const char *name, const char *expected,
                      const cJSON *value)
{
    return member_fail(reader, value == NULL ? DUPLEX_FAULT_MISSING : DUPLEX_FAULT_WRONG_TYPE, name, expected,
                       value_description(value));
}

/* --- plain values --- */

static const cJSON *member_value(const struct member_reader *reader, const char *name)
{
    return json_member(reader->object, name);
}

/* The member, or NULL when it is absent or null: many write null for what they do not send. */
static const cJSON *optional_value(const struct member_reader *reader, const char *name)
{
    const cJSON *value = member_value(reader, name);
    return cJSON_IsNull(value) ? NULL : value;
}

/* True when there is nothing to read; a fault is told when there should be. */
static bool member_is_absent(const struct member_reader *reader, const char *name, enum member_need need,
                             const char *expected)
{
    if ((need == MEMBER_REQUIRED ? member_value(reader, name) : optional_value(reader, name)) != NULL)
        return false;
    if (need == MEMBER_REQUIRED)
        member_fail_type(reader, name, expected, NULL);
    return true;
}

bool member_text(const struct member_reader *reader, const char *name, enum member_need need,
                 struct bytes *out)
{
    const cJSON *value = member_value(reader, name);
    if (member_is_absent(reader, name, need, "a string"))
        return false;
    if (!cJSON_IsString(value))
        return member_fail_type(reader, name, "a string", value);
    *out = bytes_of_text(value->valuestring);
    return true;
}

bool member_bool(const struct member_reader *reader, const char *name, enum member_need need, bool *out)
{
    const cJSON *value = member_value(reader, name);
    if (member_is_absent(reader, name, need, "true or false"))
        return false;
    if (!cJSON_IsBool(value))
        return member_fail_type(reader, name, "true or false", value);
    *out = cJSON_IsTrue(value);
    return true;
}

static const char *integer_expected(int64_t min, int64_t max)
{
    if (min == DUPLEX_SLICES_MIN && max == DUPLEX_SLICES_MAX)
        return "an integer from 1 to 9";
    return "an integer that is not negative";
}

bool member_integer(const struct member_reader *reader, const char *name, enum member_need need, int64_t min,
                    int64_t max, int64_t *out)
{
    const char *expected = integer_expected(min, max);
    const cJSON *value = member_value(reader, name);
    int64_t integer = 0;
    if (member_is_absent(reader, name, need, expected))
        return false;
    const enum wire_status status = json_integer_read(value, &integer);
    if (!cJSON_IsNumber(value))
        return member_fail_type(reader, name, expected, value);
    char found[DUPLEX_FOUND_MAX];
    struct text text = text_of(found, sizeof found);
    text_add_double(&text, value->valuedouble, 3);
    if (status == WIRE_OUT_OF_RANGE || (status == WIRE_OK && (integer < min || integer > max)))
        return member_fail(reader, DUPLEX_FAULT_RANGE, name, expected, found);
    if (status != WIRE_OK)
        return member_fail(reader, DUPLEX_FAULT_WRONG_TYPE, name, expected, found);
    *out = integer;
    return true;
}

bool member_number(const struct member_reader *reader, const char *name, double *out)
{
    const cJSON *value = optional_value(reader, name);
    if (value == NULL)
        return false;
    if (!cJSON_IsNumber(value))
        return member_fail_type(reader, name, "a number", value);
    *out = value->valuedouble;
    return true;
}

bool member_object(const struct member_reader *reader, const char *name, enum member_need need,
                   struct member_reader *out)
{
    const cJSON *value = member_value(reader, name);
    if (member_is_absent(reader, name, need, "an object"))
        return false;
    if (!cJSON_IsObject(value))
        return member_fail_type(reader, name, "an object", value);
    *out = *reader;
    out->object = value;
    out->within = name;
    return true;
}

void member_note_unknown(const struct member_reader *reader, const char *const *names)
{
    const cJSON *child = reader->object == NULL ? NULL : reader->object->child;
    for (; child != NULL && reader->message->unknown_member.len == 0; child = child->next) {
        const char *const *name = names;
        while (*name != NULL && strcmp(*name, child->string) != 0)
            name++;
        if (*name == NULL)
            reader->message->unknown_member = bytes_of_text(child->string);
    }
}

/* --- base64 and what is in it --- */

static bool begins_with(struct bytes text, const char *start)
{
    const size_t len = strlen(start);
    return text.len >= len && memcmp(text.data, start, len) == 0;
}

static bool base64_fail_found(const struct member_reader *reader, const char *name, struct bytes text,
                              const struct base64_fault *fault)
{
    char found[DUPLEX_FOUND_MAX];
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
    member_fail(reader, DUPLEX_FAULT_BASE64, name, fault->expected, found);
    fail_at(reader, fault->offset);
    return false;
}

bool member_base64(const struct member_reader *reader, const char *name, const cJSON *value,
                   struct bytes *out)
{
    struct base64_fault fault;
    size_t len;
    if (!cJSON_IsString(value))
        return member_fail_type(reader, name, "a string of base64", value);
    const struct bytes text = bytes_of_text(value->valuestring);
    if (begins_with(text, "data:"))
        return member_fail(reader, DUPLEX_FAULT_BASE64, name, "base64 alone", "a data: prefix");
    /* The tree is the message's own, and the text of this value is of no more use. */
    if (!base64_read(text, (uint8_t *)value->valuestring, &len, &fault))
        return base64_fail_found(reader, name, text, &fault);
    *out = bytes_of(value->valuestring, len);
    return true;
}

static void found_samples(char found[DUPLEX_FOUND_MAX], uint64_t count, const char *what)
{
    struct text text = text_of(found, DUPLEX_FOUND_MAX);
    text_add_u64(&text, count);
    text_add(&text, what);
}

static void check_finite(const struct member_reader *reader, const char *name, struct bytes audio)
{
    const size_t at = float32_first_not_finite(audio);
    char found[DUPLEX_FOUND_MAX];
    if (at == float32_count(audio))
        return;
    struct text text = text_of(found, sizeof found);
    text_add(&text, "an infinite one or a NaN, sample ");
    text_add_u64(&text, at);
    member_fail(reader, DUPLEX_FAULT_NOT_FINITE, name, "finite samples", found);
    fail_at(reader, at);
}

bool member_audio(const struct member_reader *reader, const char *name)
{
    const cJSON *value = member_value(reader, name);
    struct bytes audio;
    char found[DUPLEX_FOUND_MAX];
    if (!member_base64(reader, name, value, &audio))
        return false;
    const size_t odd = audio.len % DUPLEX_SAMPLE_BYTES;
    if (odd != 0) {
        found_samples(found, audio.len, " bytes");
        member_fail(reader, DUPLEX_FAULT_ODD_AUDIO, name, "whole samples of 4 bytes", found);
        audio.len -= odd;
    }
    check_finite(reader, name, audio);
    reader->message->has_audio = true;
    reader->message->audio = audio;
    return true;
}

static bool is_float32(struct bytes file)
{
    return file.len > 0 && file.len % FLOAT32_BYTES == 0 &&
           float32_first_not_finite(file) == float32_count(file);
}

void member_wav(const struct member_reader *reader, const char *name, struct bytes *out)
{
    const cJSON *value = optional_value(reader, name);
    struct bytes file;
    struct wav wav;
    const char *expected;
    char found[DUPLEX_FOUND_MAX];
    if (value == NULL || !member_base64(reader, name, value, &file))
        return;
    if (!wav_read(file, &wav, &expected)) {
        if (reader->options->float32_voices && is_float32(file)) {
            *out = file;
            return;
        }
        found_samples(found, file.len, " bytes of something else");
        member_fail(reader, DUPLEX_FAULT_NO_WAV, name, expected, found);
        return;
    }
    *out = file;
    if (wav.rate == DUPLEX_INPUT_RATE)
        return;
    found_samples(found, wav.rate, " Hz");
    member_fail(reader, DUPLEX_FAULT_NO_WAV, name, "a WAV file at 16 kHz", found);
}

/* --- pictures --- */

static void read_picture(const struct member_reader *reader, const char *name, const cJSON *value)
{
    const struct duplex_read_options *options = reader->options;
    struct duplex_message *message = reader->message;
    struct duplex_picture picture = {.width = 0};
    char found[DUPLEX_FOUND_MAX];
    if (!member_base64(reader, name, value, &picture.jpeg))
        return;
    found_samples(found, picture.jpeg.len, " bytes that do not decode");
    if (options->picture_size != NULL &&
        (picture.jpeg.len > DUPLEX_PICTURE_BYTES_MAX ||
         !options->picture_size(options->picture_context, picture.jpeg, &picture.width, &picture.height))) {
        picture.width = 0;
        picture.height = 0;
        member_fail(reader, DUPLEX_FAULT_NO_PICTURE, name, "a whole JPEG", found);
    }
    message->pictures[message->picture_count++] = picture;
}

void member_pictures(const struct member_reader *reader, const char *name)
{
    const cJSON *list = optional_value(reader, name);
    char item[DUPLEX_MEMBER_MAX], found[DUPLEX_FOUND_MAX];
    uint64_t count = 0;
    if (list == NULL)
        return;
    if (!cJSON_IsArray(list)) {
        member_fail_type(reader, name, "a list of pictures", list);
        return;
    }
    reader->message->has_pictures = true;
    for (const cJSON *value = list->child; value != NULL; value = value->next, count++) {
        struct text text = text_of(item, sizeof item);
        text_add(&text, name);
        text_add_char(&text, '[');
        text_add_u64(&text, count);
        text_add_char(&text, ']');
        if (count < DUPLEX_PICTURES_MAX)
            read_picture(reader, item, value);
    }
    if (count <= DUPLEX_PICTURES_MAX)
        return;
    found_samples(found, count, " pictures");
    member_fail(reader, DUPLEX_FAULT_RANGE, name, "4 pictures at most", found);
}
