#include "parts.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE_RATE = 16000 };

void say_string(const char *text, size_t length)
{
    if (length > ERROR_MAX)
        for (length = ERROR_MAX; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte < 0x20 || byte == '"' || byte == '\\')
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

uint32_t crc32_of(const uint8_t *data, size_t length)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

void string_of(const char *text, const char *name, char out[ERROR_MAX + 1])
{
    const char *at = strstr(text, name);
    size_t length = 0;
    at = at == NULL ? "" : at + strlen(name);
    while (*at == ' ' || *at == ':')
        at++;
    for (at += *at == '"' ? 1 : strlen(at); *at != '"' && *at != '\0' && length + 2 <= ERROR_MAX;) {
        const bool escape = *at == '\\' && at[1] != '\0';
        out[length++] = *at++;
        if (escape)
            out[length++] = *at++;
    }
    out[length] = '\0';
}

bool is_utf8(const uint8_t *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const uint8_t lead = text[at];
        const size_t more = lead < 0x80 ? 0 : lead >= 0xc2 && lead < 0xe0 ? 1 : (lead & 0xf0) == 0xe0 ? 2 : 3;
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || length - at <= more)
            return false;
        for (size_t i = 1; i <= more; i++)
            if ((text[at + i] & 0xc0) != 0x80)
                return false;
        const uint8_t second = more > 0 ? text[at + 1] : 0;
        if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
            (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f))
            return false;
        at += more + 1;
    }
    return true;
}

bool looks_like_json(const char *text)
{
    return (text[0] != '\0' && strchr("{[\"-0123456789", text[0]) != NULL) || strcmp(text, "null") == 0 ||
           strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

const uint8_t *read_speech(const char *path, uint8_t *file, size_t *length)
{
    FILE *in = fopen(path, "rb");
    const size_t size = in == NULL ? 0 : fread(file, 1, WAV_MAX, in);
    if (in != NULL)
        fclose(in);
    static const uint8_t FORMAT[16] = {1, 0, 1,  0, SAMPLE_RATE & 255, SAMPLE_RATE >> 8, 0, 0, 0, 125, 0, 0,
                                       2, 0, 16, 0};
    bool right = false;
    if (size < 12 || memcmp(file, "RIFF", 4) != 0)
        return NULL;
    for (size_t at = 12; size - at >= 8;) {
        const uint8_t *chunk = file + at;
        size_t bytes = chunk[4] | (size_t)chunk[5] << 8 | (size_t)chunk[6] << 16 | (size_t)chunk[7] << 24;
        at += 8;
        bytes = bytes < size - at ? bytes : size - at;
        if (memcmp(chunk, "fmt ", 4) == 0 && bytes >= sizeof FORMAT)
            right = memcmp(chunk + 8, FORMAT, sizeof FORMAT) == 0;
        if (memcmp(chunk, "data", 4) == 0) {
            *length = bytes - bytes % 2;
            return right ? chunk + 8 : NULL;
        }
        at += bytes + (bytes % 2 != 0 && bytes < size - at);
    }
    return NULL;
}
