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

const char *crash_place(const struct case_result *result)
{
    static const char before[] = " at ";
    const char *at = strstr(result->raised, before);
    return at == NULL ? result->raised : at + sizeof before - 1;
}

bool crash_is_same(const struct case_result *a, const struct case_result *b)
{
    if (crash_place(a)[0] != '\0' || crash_place(b)[0] != '\0')
        return strcmp(crash_place(a), crash_place(b)) == 0;
    char words_of_a[CAUSE_KEY_MAX], words_of_b[CAUSE_KEY_MAX];
    struct text of_a = text_of(words_of_a, sizeof words_of_a);
    struct text of_b = text_of(words_of_b, sizeof words_of_b);
    cause_key_write(&of_a, a->end_text);
    cause_key_write(&of_b, b->end_text);
    return strcmp(words_of_a, words_of_b) == 0;
}
