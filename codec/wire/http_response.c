#include "codec/wire/http_response.h"

/* Longer bodies than this are read to the end of the transport. */
static const uint64_t BODY_BYTES_DECLARED_MAX = UINT32_MAX;

/* False when the head does not begin with "HTTP/1.x NNN". */
static bool read_status(struct bytes head, uint16_t *status)
{
    enum { STATUS_AT = 9, STATUS_DIGITS = 3, STATUS_END = STATUS_AT + STATUS_DIGITS };
    if (head.len <= STATUS_END || memcmp(head.data, "HTTP/1.", 7) != 0 || head.data[STATUS_AT - 1] != ' ')
        return false;
    uint16_t value = 0;
    for (size_t i = STATUS_AT; i < STATUS_END; i++) {
        if (head.data[i] < '0' || head.data[i] > '9')
            return false;
        value = (uint16_t)(value * 10 + (head.data[i] - '0'));
    }
    *status = value;
    return value >= 100 && (head.data[STATUS_END] == ' ' || head.data[STATUS_END] == '\r');
}

/* `name` in lower case and with a colon at its end. RFC 9110 5.1: names ignore case. */
static bool line_names(struct bytes line, const char *name)
{
    size_t name_len = strlen(name);
    if (line.len < name_len)
        return false;
    for (size_t i = 0; i < name_len; i++) {
        uint8_t c = line.data[i];
        if (c >= 'A' && c <= 'Z')
            c = (uint8_t)(c + ('a' - 'A'));
        if (c != (uint8_t)name[i])
            return false;
    }
    return true;
}

/* Finds the line that begins with `name` and gives what follows, without white space in front. */
static bool find_header(struct bytes head, const char *name, struct bytes *value)
{
    for (;;) {
        const uint8_t *feed = head.len == 0 ? NULL : memchr(head.data, '\n', head.len);
        if (feed == NULL)
            return false;
        struct bytes line = bytes_of(head.data, (size_t)(feed - head.data));
        head = bytes_of(feed + 1, head.len - line.len - 1);
        if (line.len > 0 && line.data[line.len - 1] == '\r')
            line.len--;
        if (!line_names(line, name))
            continue;
        size_t from = strlen(name);
        while (from < line.len && (line.data[from] == ' ' || line.data[from] == '\t'))
            from++;
        *value = bytes_of(line.data + from, line.len - from);
        return true;
    }
}

static bool read_length(struct bytes value, uint64_t *out)
{
    while (value.len > 0 && (value.data[value.len - 1] == ' ' || value.data[value.len - 1] == '\t'))
        value.len--;
    uint64_t length = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.data[i] < '0' || value.data[i] > '9' || length > BODY_BYTES_DECLARED_MAX)
            return false;
        length = length * 10 + (uint64_t)(value.data[i] - '0');
    }
    *out = length;
    return value.len > 0;
}

bool http_response_parse(struct bytes head, struct http_response *out)
{
    struct http_response parsed = {.status = 0};
    struct bytes value;
    if (!read_status(head, &parsed.status))
        return false;
    if (parsed.status < 200 || parsed.status == 204 || parsed.status == 304)
        parsed.has_length = true;
    else if (!find_header(head, "transfer-encoding:", &value) && find_header(head, "content-length:", &value))
        parsed.has_length = read_length(value, &parsed.body_bytes);
    *out = parsed;
    return true;
}
