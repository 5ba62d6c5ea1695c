#include "codec/wire/http_head.h"

enum { NOT_HEX = 16 };

static bool is_alphanumeric(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* RFC 9110 5.6.2: what a method or a header name is made of. */
static bool is_token(struct bytes word)
{
    for (size_t i = 0; i < word.len; i++) {
        uint8_t c = word.data[i];
        if (!is_alphanumeric(c) && (c == 0 || strchr("!#$%&'*+-.^_`|~", c) == NULL))
            return false;
    }
    return word.len > 0;
}

static uint8_t lower_case(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + ('a' - 'A')) : c;
}

/* Index of the first `c` in `span`, or span.len. */
static size_t index_of(struct bytes span, uint8_t c)
{
    const uint8_t *found = span.len == 0 ? NULL : memchr(span.data, c, span.len);
    return found == NULL ? span.len : (size_t)(found - span.data);
}

static struct bytes first_of(struct bytes span, size_t len)
{
    return bytes_of(span.data, len);
}

/* Takes one line that ends in CR LF off `head`; false when there is none or it holds a bare CR, LF or NUL. */
static bool take_line(struct bytes *head, struct bytes *line)
{
    size_t end = index_of(*head, '\n');
    if (end == head->len || end == 0 || head->data[end - 1] != '\r')
        return false;
    *line = first_of(*head, end - 1);
    *head = bytes_behind(*head, end + 1);
    return index_of(*line, '\r') == line->len && index_of(*line, 0) == line->len;
}

static struct bytes trimmed(struct bytes value)
{
    while (value.len > 0 && (value.data[0] == ' ' || value.data[0] == '\t'))
        value = bytes_behind(value, 1);
    while (value.len > 0 && (value.data[value.len - 1] == ' ' || value.data[value.len - 1] == '\t'))
        value.len--;
    return value;
}

static bool is_version(struct bytes version)
{
    return version.len == 8 && memcmp(version.data, "HTTP/1.", 7) == 0 && version.data[7] >= '0' &&
           version.data[7] <= '9';
}

/* The target is all between the first and the last space, so that one with a bare space in it can be judged.
 */
static bool parse_request_line(struct bytes line, struct http_head *out)
{
    size_t method_len = index_of(line, ' ');
    out->method = first_of(line, method_len);
    if (method_len == line.len || !is_token(out->method))
        return false;
    struct bytes rest = bytes_behind(line, method_len + 1);
    size_t target_len = rest.len;
    while (target_len > 0 && rest.data[target_len - 1] != ' ')
        target_len--;
    if (target_len < 2 || !is_version(bytes_behind(rest, target_len)))
        return false;
    out->target = first_of(rest, target_len - 1);
    out->version = bytes_behind(rest, target_len);
    size_t path_len = index_of(out->target, '?');
    out->path = first_of(out->target, path_len);
    out->query = path_len == out->target.len ? bytes_of(NULL, 0) : bytes_behind(out->target, path_len + 1);
    return true;
}

static bool parse_header(struct bytes line, struct http_header *out)
{
    size_t name_len = index_of(line, ':');
    if (name_len == line.len || !is_token(first_of(line, name_len)))
        return false;
    out->name = first_of(line, name_len);
    out->value = trimmed(bytes_behind(line, name_len + 1));
    return true;
}

bool http_head_parse(struct bytes head, struct http_head *out)
{
    struct http_head parsed = {.header_count = 0};
    struct bytes line;
    if (!take_line(&head, &line) || !parse_request_line(line, &parsed))
        return false;
    for (;;) {
        if (!take_line(&head, &line))
            return false;
        if (line.len == 0)
            break;
        if (parsed.header_count == HTTP_HEADERS_MAX ||
            !parse_header(line, &parsed.headers[parsed.header_count]))
            return false;
        parsed.header_count++;
    }
    if (head.len > 0)
        return false;
    *out = parsed;
    return true;
}

bool http_head_header(const struct http_head *head, const char *name, size_t n, struct bytes *value)
{
    for (size_t i = 0; i < head->header_count; i++) {
        if (!bytes_equal_text_ignoring_case(head->headers[i].name, name))
            continue;
        if (n == 0) {
            *value = head->headers[i].value;
            return true;
        }
        n--;
    }
    return false;
}

bool http_response_split(struct bytes response, struct bytes *retry_after, struct bytes *body)
{
    struct bytes rest = response;
    struct bytes line;
    struct http_header header;
    struct bytes asked = bytes_of(NULL, 0);
    bool found = false;
    do {
        if (!take_line(&rest, &line))
            return false;
        if (!found && parse_header(line, &header) &&
            bytes_equal_text_ignoring_case(header.name, "Retry-After")) {
            asked = header.value;
            found = true;
        }
    } while (line.len > 0);
    *retry_after = asked;
    *body = rest;
    return true;
}

bool http_response_header(struct bytes head, const char *name, size_t n, struct bytes *value)
{
    struct bytes line;
    struct http_header header;
    while (take_line(&head, &line) && line.len > 0) {
        if (!parse_header(line, &header) || !bytes_equal_text_ignoring_case(header.name, name) || n-- > 0)
            continue;
        *value = header.value;
        return true;
    }
    return false;
}

bool http_head_asks_for_websocket(const struct http_head *head)
{
    struct bytes list;
    for (size_t n = 0; http_head_header(head, "Upgrade", n, &list); n++) {
        while (list.len > 0) {
            size_t item_len = index_of(list, ',');
            if (bytes_equal_text_ignoring_case(trimmed(first_of(list, item_len)), "websocket"))
                return true;
            list = bytes_behind(list, item_len == list.len ? item_len : item_len + 1);
        }
    }
    return false;
}

bool http_head_parameter(const struct http_head *head, const char *name, size_t n, struct bytes *value)
{
    struct bytes query = head->query;
    while (query.len > 0) {
        size_t pair_len = index_of(query, '&');
        struct bytes pair = first_of(query, pair_len);
        query = bytes_behind(query, pair_len == query.len ? pair_len : pair_len + 1);
        size_t name_len = index_of(pair, '=');
        if (!bytes_equal_text(first_of(pair, name_len), name))
            continue;
        if (n == 0) {
            *value = name_len == pair.len ? bytes_of(NULL, 0) : bytes_behind(pair, name_len + 1);
            return true;
        }
        n--;
    }
    return false;
}

static uint8_t hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return (uint8_t)(c - '0');
    c = lower_case(c);
    return c >= 'a' && c <= 'f' ? (uint8_t)(c - 'a' + 10) : NOT_HEX;
}

static bool is_escape(struct bytes at)
{
    return at.len >= 3 && at.data[0] == '%' && hex_value(at.data[1]) != NOT_HEX &&
           hex_value(at.data[2]) != NOT_HEX;
}

static bool decode(struct bytes in, uint8_t plus, uint8_t *out, size_t *out_len)
{
    size_t len = 0;
    while (in.len > 0) {
        if (in.data[0] != '%') {
            out[len++] = in.data[0] == '+' ? plus : in.data[0];
            in = bytes_behind(in, 1);
            continue;
        }
        if (!is_escape(in))
            return false;
        out[len++] = (uint8_t)(hex_value(in.data[1]) << 4 | hex_value(in.data[2]));
        in = bytes_behind(in, 3);
    }
    *out_len = len;
    return true;
}

bool http_value_is_sound(struct bytes value)
{
    for (size_t i = 0; i < value.len; i++)
        if ((value.data[i] < ' ' && value.data[i] != '\t') || value.data[i] == 0x7f)
            return false;
    return value.len == 0 || (value.data[0] > ' ' && value.data[value.len - 1] > ' ');
}

void percent_encode(struct text *out, const char *value)
{
    static const char HEX[] = "0123456789ABCDEF";
    for (; *value != '\0'; value++) {
        const uint8_t byte = (uint8_t)*value;
        if (is_alphanumeric(byte) || strchr("-._~", byte) != NULL) {
            text_add_char(out, (char)byte);
        } else {
            text_add_char(out, '%');
            text_add_char(out, HEX[byte >> 4]);
            text_add_char(out, HEX[byte & 0xF]);
        }
    }
}

bool percent_decode(struct bytes in, uint8_t *out, size_t *out_len)
{
    return decode(in, '+', out, out_len);
}

bool form_decode(struct bytes in, uint8_t *out, size_t *out_len)
{
    return decode(in, ' ', out, out_len);
}

bool percent_encoding_is_clean(struct bytes value)
{
    while (value.len > 0) {
        uint8_t c = value.data[0];
        bool escape = is_escape(value);
        if (!escape && !is_alphanumeric(c) && (c == 0 || strchr("-._~!$'()*,;=:@/?+", c) == NULL))
            return false;
        value = bytes_behind(value, escape ? 3 : 1);
    }
    return true;
}
