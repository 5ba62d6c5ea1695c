/* Reading the options of a `send` step. */
#include "server/ojin/compose.h"

static bool digits_read(const char *text, uint64_t value_max, uint64_t *out)
{
    if (*text == '\0')
        return false;
    uint64_t value = 0;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (value > (value_max - digit) / 10 || digit > value_max)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool compose_u64(const struct compose_option *option, uint64_t value_max, uint64_t *out,
                 char error[COMPOSE_ERROR_MAX])
{
    if (digits_read(option->value, value_max, out))
        return true;
    char expected[60];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, "an integer from 0 to ");
    text_add_u64(&text, value_max);
    return compose_fail(error, option, expected);
}

bool compose_u32(const struct compose_option *option, uint32_t *out, char error[COMPOSE_ERROR_MAX])
{
    uint64_t value = 0;
    if (!compose_u64(option, UINT32_MAX, &value, error))
        return false;
    *out = (uint32_t)value;
    return true;
}

bool compose_interaction(const struct compose_option *option, struct compose_interaction *out,
                         char error[COMPOSE_ERROR_MAX])
{
    if (strcmp(option->value, "nil") == 0)
        out->kind = COMPOSE_ID_NIL;
    else if (strcmp(option->value, "fresh") == 0)
        out->kind = COMPOSE_ID_FRESH;
    else if (strcmp(option->value, "current") == 0)
        out->kind = COMPOSE_ID_CURRENT;
    else if (uuid_parse(bytes_of_text(option->value), out->id))
        out->kind = COMPOSE_ID_GIVEN;
    else
        return compose_fail(error, option, "nil, fresh, current or a UUID");
    return true;
}

/* One word of payloads=: audio, image, TYPE or TYPE:BYTES. */
static bool entry_read(const char *word, size_t len, struct compose_entry *out)
{
    char copy[24];
    if (len == 0 || len >= sizeof copy)
        return false;
    memcpy(copy, word, len);
    copy[len] = '\0';
    if (strcmp(copy, "audio") == 0) {
        *out = (struct compose_entry){.content = COMPOSE_AUDIO, .type = OJIN_PAYLOAD_AUDIO};
        return true;
    }
    if (strcmp(copy, "image") == 0) {
        *out = (struct compose_entry){.content = COMPOSE_IMAGE, .type = OJIN_PAYLOAD_IMAGE};
        return true;
    }
    uint64_t type = 0;
    uint64_t bytes = COMPOSE_ENTRY_BYTES_DEFAULT;
    char *colon = strchr(copy, ':');
    if (colon != NULL) {
        *colon = '\0';
        if (!digits_read(colon + 1, COMPOSE_ENTRY_BYTES_MAX, &bytes))
            return false;
    }
    if (!digits_read(copy, UINT8_MAX, &type))
        return false;
    *out = (struct compose_entry){.content = COMPOSE_OTHER, .type = (uint8_t)type, .bytes = (uint32_t)bytes};
    return true;
}

static bool payloads_read(const struct compose_option *option, struct compose_frame_options *out,
                          char error[COMPOSE_ERROR_MAX])
{
    out->has_payloads = true;
    out->entry_count = 0;
    if (strcmp(option->value, "none") == 0)
        return true;
    for (const char *at = option->value;;) {
        const size_t len = strcspn(at, ",");
        if (out->entry_count == FRAME_ENTRIES_MAX)
            return compose_fail(error, option, "at most 8 payloads");
        if (!entry_read(at, len, &out->entries[out->entry_count]))
            return compose_fail(error, option, "none, or a list of audio, image, TYPE and TYPE:BYTES");
        out->entry_count++;
        at += len;
        if (*at == '\0')
            return true;
        at++;
    }
}

static bool size_read(const struct compose_option *option, struct compose_size *out,
                      char error[COMPOSE_ERROR_MAX])
{
    const char *digits = option->value;
    out->kind = COMPOSE_SIZE_IS;
    if (*digits == '+' || *digits == '-') {
        out->kind = *digits == '+' ? COMPOSE_SIZE_MORE : COMPOSE_SIZE_LESS;
        digits++;
    }
    uint64_t value = 0;
    if (!digits_read(digits, UINT32_MAX, &value))
        return compose_fail(error, option, "a size in bytes, or +N or -N");
    out->value = (uint32_t)value;
    return true;
}

static bool image_read(const struct compose_option *option, enum compose_image *out,
                       char error[COMPOSE_ERROR_MAX])
{
    if (strcmp(option->value, "jpeg") == 0)
        *out = COMPOSE_IMAGE_JPEG;
    else if (strcmp(option->value, "damaged") == 0)
        *out = COMPOSE_IMAGE_DAMAGED;
    else if (strcmp(option->value, "png") == 0)
        *out = COMPOSE_IMAGE_PNG;
    else
        return compose_fail(error, option, "jpeg, damaged or png");
    return true;
}

/* `header` cuts within the header, `entry` within the first entry's. */
static bool truncate_read(const struct compose_option *option, size_t *out, char error[COMPOSE_ERROR_MAX])
{
    uint64_t bytes = 0;
    if (strcmp(option->value, "header") == 0)
        bytes = OJIN_FRAME_HEADER_BYTES / 2;
    else if (strcmp(option->value, "entry") == 0)
        bytes = OJIN_FRAME_HEADER_BYTES + OJIN_ENTRY_HEADER_BYTES / 2;
    else if (!digits_read(option->value, UINT32_MAX, &bytes))
        return compose_fail(error, option, "a number of bytes, header or entry");
    *out = (size_t)bytes;
    return true;
}

static bool final_read(const struct compose_option *option, uint8_t *out, char error[COMPOSE_ERROR_MAX])
{
    uint64_t value = 0;
    if (!compose_u64(option, UINT8_MAX, &value, error))
        return false;
    *out = (uint8_t)value;
    return true;
}

/* `pad` and `image_bytes` */
static bool pad_read(const struct compose_option *option, uint32_t *out, char error[COMPOSE_ERROR_MAX])
{
    uint64_t value = 0;
    if (!compose_u64(option, COMPOSE_PAD_MAX, &value, error))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool frame_option(const struct compose_option *option, struct compose_frame_options *out,
                         char error[COMPOSE_ERROR_MAX])
{
    const char *name = option->name;
    if (strcmp(name, "index") == 0)
        return (out->has_index = true) && compose_u32(option, &out->index, error);
    if (strcmp(name, "usage") == 0)
        return (out->has_usage = true) && compose_u32(option, &out->usage, error);
    if (strcmp(name, "timestamp") == 0)
        return (out->has_timestamp = true) && compose_u64(option, UINT64_MAX, &out->timestamp, error);
    if (strcmp(name, "interaction") == 0)
        return compose_interaction(option, &out->interaction, error);
    if (strcmp(name, "final") == 0)
        return (out->has_final = true) && final_read(option, &out->final, error);
    if (strcmp(name, "payloads") == 0)
        return payloads_read(option, out, error);
    if (strcmp(name, "payload_count") == 0)
        return (out->has_payload_count = true) && compose_u32(option, &out->payload_count, error);
    if (strcmp(name, "size_audio") == 0)
        return size_read(option, &out->size_audio, error);
    if (strcmp(name, "size_image") == 0)
        return size_read(option, &out->size_image, error);
    if (strcmp(name, "image") == 0)
        return image_read(option, &out->image, error);
    if (strcmp(name, "truncate") == 0)
        return truncate_read(option, &out->truncate, error);
    if (strcmp(name, "trailing") == 0)
        return compose_hex(option, out->trailing, sizeof out->trailing, &out->trailing_len, error);
    if (strcmp(name, "image_bytes") == 0)
        return pad_read(option, &out->image_bytes, error);
    return pad_read(option, &out->pad, error); /* the last name there is */
}

bool compose_frame_options(const struct compose_option *options, size_t count,
                           struct compose_frame_options *out, char error[COMPOSE_ERROR_MAX])
{
    *out = (struct compose_frame_options){.truncate = SIZE_MAX};
    for (size_t i = 0; i < count; i++) {
        if (!frame_option(&options[i], out, error))
            return false;
    }
    return true;
}
