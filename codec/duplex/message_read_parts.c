#include "codec/duplex/message_read_parts.h"

#include "codec/duplex/wav.h"

bool member_object(const struct member_reader *reader, const char *name, enum json_need need,
                   struct member_reader *out)
{
    struct json_reader within;
    if (!json_read_object(&reader->json, name, need, &within))
        return false;
    *out = *reader;
    out->json = within;
    return true;
}

/* --- sound --- */

static void check_finite(const struct member_reader *reader, const char *name, struct bytes audio)
{
    const size_t at = float32_first_not_finite(audio);
    char found[JSON_FAULT_FOUND_MAX];
    if (at == float32_count(audio))
        return;
    struct text text = text_of(found, sizeof found);
    text_add(&text, "an infinite one or a NaN, sample ");
    text_add_u64(&text, at);
    json_fail(&reader->json, JSON_FAULT_NOT_FINITE, name, "finite samples", found);
    json_fail_at(&reader->json, at);
}

bool member_audio(const struct member_reader *reader, const char *name)
{
    struct bytes audio;
    if (!json_read_samples(&reader->json, name, DUPLEX_SAMPLE_BYTES, "whole samples of 4 bytes", &audio))
        return false;
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
    const cJSON *value = json_optional(&reader->json, name);
    struct bytes file;
    struct wav wav;
    const char *expected;
    if (value == NULL || !json_read_base64(&reader->json, name, value, &file))
        return;
    if (!wav_read(file, &wav, &expected)) {
        if (reader->options->float32_voices && is_float32(file)) {
            *out = file;
            return;
        }
        json_fail_count(&reader->json, JSON_FAULT_NO_WAV, name, expected, file.len,
                        " bytes of something else");
        return;
    }
    *out = file;
    if (wav.rate != DUPLEX_INPUT_RATE)
        json_fail_count(&reader->json, JSON_FAULT_NO_WAV, name, "a WAV file at 16 kHz", wav.rate, " Hz");
}

/* --- pictures --- */

static void read_picture(const struct member_reader *reader, const char *name, const cJSON *value)
{
    const struct duplex_read_options *options = reader->options;
    struct duplex_message *message = reader->message;
    struct duplex_picture picture = {.width = 0};
    if (!json_read_base64(&reader->json, name, value, &picture.jpeg))
        return;
    if (options->picture_size != NULL &&
        (picture.jpeg.len > DUPLEX_PICTURE_BYTES_MAX ||
         !options->picture_size(options->picture_context, picture.jpeg, &picture.width, &picture.height))) {
        picture.width = 0;
        picture.height = 0;
        json_fail_count(&reader->json, JSON_FAULT_NO_PICTURE, name, "a whole JPEG", picture.jpeg.len,
                        " bytes that do not decode");
    }
    message->pictures[message->picture_count++] = picture;
}

void member_pictures(const struct member_reader *reader, const char *name)
{
    const cJSON *list = json_optional(&reader->json, name);
    char item[JSON_FAULT_MEMBER_MAX];
    uint64_t count = 0;
    if (list == NULL)
        return;
    if (!cJSON_IsArray(list)) {
        json_fail_type(&reader->json, name, "a list of pictures", list);
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
    if (count > DUPLEX_PICTURES_MAX)
        json_fail_count(&reader->json, JSON_FAULT_RANGE, name, "4 pictures at most", count, " pictures");
}
