#include "codec/wire/authorization.h"

static const char *scheme_of(struct bytes word)
{
    static const char *const schemes[] = {"Bearer", "Basic",   "Digest", "Token",
                                          "ApiKey", "Api-Key", "Key",    "JWT"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (bytes_equal_text_ignoring_case(word, schemes[i]))
            return schemes[i];
    }
    return NULL;
}

struct authorization authorization_of(struct bytes value)
{
    struct authorization out = {.scheme = NULL};
    size_t word_len = 0;
    while (word_len < value.len && value.data[word_len] != ' ')
        word_len++;
    out.scheme = scheme_of(bytes_of(value.data, word_len));
    if (word_len == value.len && out.scheme == NULL) {
        out.secret = value;
        return out;
    }
    size_t rest_at = word_len;
    while (rest_at < value.len && value.data[rest_at] == ' ')
        rest_at++;
    out.word = bytes_of(value.data, word_len);
    if (rest_at > word_len)
        out.blanks = bytes_of(value.data + word_len, rest_at - word_len);
    if (rest_at < value.len)
        out.secret = bytes_of(value.data + rest_at, value.len - rest_at);
    return out;
}
