#include "conformance/report/cause_key.h"

static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static bool has_digit(const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (word[i] >= '0' && word[i] <= '9')
            return true;
    return false;
}

void cause_key_write(struct text *out, const char *sentence)
{
    const char *at = sentence;
    while (*at != '\0' && *at != '{' && *at != '"') {
        size_t len = 0;
        while (is_of_word(at[len]))
            len++;
        if (len > 0 && has_digit(at, len))
            text_add_char(out, '#');
        else
            text_add_bytes(out, bytes_of(at, len > 0 ? len : 1));
        at += len > 0 ? len : 1;
    }
    static const char before[] = " in ";
    const size_t words = sizeof before - 1;
    if (*at != '\0' && out->len > words && strcmp(out->data + out->len - words, before) == 0)
        out->data[out->len -= words] = '\0';
}
