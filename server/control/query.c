#include "server/control/query.h"

bool query_text(const struct http_head *head, const char *name, char out[QUERY_VALUE_MAX], bool *wrong)
{
    struct bytes value;
    uint8_t decoded[QUERY_VALUE_MAX];
    size_t len = 0;
    if (!http_head_parameter(head, name, 0, &value))
        return false;
    if (value.len >= QUERY_VALUE_MAX || !form_decode(value, decoded, &len) ||
        (len > 0 && memchr(decoded, 0, len) != NULL)) {
        *wrong = true;
        return false;
    }
    if (len > 0)
        memcpy(out, decoded, len);
    out[len] = '\0';
    return true;
}

bool query_number(const char *text, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (max - digit) / 10 || digit > max)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool query_duration(const char *text, uint64_t max_ms, uint64_t *out_ms)
{
    static const struct {
        const char *name;
        uint64_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}};
    char digits[QUERY_VALUE_MAX];
    size_t len = strspn(text, "0123456789");
    uint64_t value = 0;
    if (len >= sizeof digits)
        return false;
    memcpy(digits, text, len);
    digits[len] = '\0';
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++) {
        if (strcmp(text + len, units[n].name) != 0)
            continue;
        if (!query_number(digits, max_ms / units[n].ms, &value))
            return false;
        *out_ms = value * units[n].ms;
        return true;
    }
    return false;
}

bool query_unknown(const struct http_head *head, const char *const *names, struct bytes *out)
{
    struct bytes rest = head->query;
    while (rest.len > 0) {
        const uint8_t *end = memchr(rest.data, '&', rest.len);
        struct bytes pair = bytes_of(rest.data, end == NULL ? rest.len : (size_t)(end - rest.data));
        const uint8_t *equals = pair.len == 0 ? NULL : memchr(pair.data, '=', pair.len);
        struct bytes name = bytes_of(pair.data, equals == NULL ? pair.len : (size_t)(equals - pair.data));
        size_t n = 0;
        while (names[n] != NULL && !bytes_equal_text(name, names[n]))
            n++;
        if (name.len > 0 && names[n] == NULL) {
            *out = name;
            return true;
        }
        size_t used = pair.len + (end == NULL ? 0 : 1);
        rest = bytes_of(rest.data + used, rest.len - used);
    }
    return false;
}
