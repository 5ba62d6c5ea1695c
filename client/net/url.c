#include "client/net/url.h"

#include <string.h>

#include "codec/wire/http_head.h"
#include "codec/wire/text.h"

struct url_reader {
    const char *text;
    char *error;
    unsigned error_max;
};

/* Its query may hold a secret, and is not told. */
static bool fail(const struct url_reader *reader, const char *why)
{
    struct text text = text_of(reader->error, reader->error_max);
    text_add(&text, "the URL ");
    text_add_json_string(&text, bytes_of(reader->text, strcspn(reader->text, "?")));
    text_add(&text, " ");
    text_add(&text, why);
    return false;
}

static bool copy(char *out, size_t capacity, const char *from, size_t len)
{
    if (len >= capacity)
        return false;
    memcpy(out, from, len);
    out[len] = '\0';
    return true;
}

static bool is_port(const char *text)
{
    unsigned value = 0;
    size_t len = strlen(text);
    if (len == 0 || len > 5)
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = value * 10 + (unsigned)(*text - '0');
    }
    return value > 0 && value <= 65535;
}

/* What is looked up, and stands in the Host header and in the certificate: ASCII. */
static bool check_host(const struct url_reader *reader, const char *host, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)host[i];
        if (c > 0x7F)
            return fail(reader, "has a host with characters beyond ASCII: write its ASCII form, whose labels "
                                "begin with xn--");
        if (c <= ' ' || c == 0x7F)
            return fail(reader, "has a host with a blank or a control character");
    }
    return true;
}

static bool parse_authority(const struct url_reader *reader, const char *from, size_t len, struct url *out)
{
    if (memchr(from, '@', len) != NULL)
        return fail(reader, "holds user information, which has no place in it");
    const char *end = from + len;
    const char *colon = NULL;
    const char *host = from;
    size_t host_len = len;
    if (len > 0 && from[0] == '[') {
        const char *close = memchr(from, ']', len);
        if (close == NULL || (close + 1 < end && close[1] != ':'))
            return fail(reader, "has a broken IPv6 address");
        host = from + 1;
        host_len = (size_t)(close - host);
        colon = close + 1 < end ? close + 1 : NULL;
    } else {
        colon = memchr(from, ':', len);
        host_len = colon != NULL ? (size_t)(colon - from) : len;
    }
    if (host_len == 0 || !copy(out->host, sizeof out->host, host, host_len))
        return fail(reader, "has no usable host");
    if (!check_host(reader, host, host_len))
        return false;
    const char *standard_port = out->secure ? "443" : "80";
    const char *port = colon != NULL ? colon + 1 : standard_port;
    size_t port_len = colon != NULL ? (size_t)(end - port) : strlen(port);
    if (!copy(out->port, sizeof out->port, port, port_len) || !is_port(out->port))
        return fail(reader, "has a port that is none (1 to 65535)");
    copy(out->authority, sizeof out->authority, from, len);
    return true;
}

/* Does the query hold a member config_id? */
static bool has_config_id(const char *target)
{
    const char *query = strchr(target, '?');
    while (query != NULL) {
        if (strncmp(query + 1, "config_id=", 10) == 0)
            return true;
        query = strchr(query + 1, '&');
    }
    return false;
}

static bool parse_target(const struct url_reader *reader, const char *from, const char *config_id,
                         struct url *out)
{
    if (strchr(from, '#') != NULL)
        return fail(reader, "has a fragment, which a WebSocket URL must not have");
    for (const char *c = from; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7F)
            return fail(reader, "holds a blank or a control character");
    struct text target = text_of(out->target, sizeof out->target);
    text_add(&target, from[0] == '/' ? "" : "/");
    text_add(&target, from);
    if (config_id != NULL && !has_config_id(from)) {
        text_add(&target, strchr(from, '?') == NULL ? "?config_id=" : "&config_id=");
        percent_encode(&target, config_id);
    }
    return !target.cut || fail(reader, "is too long");
}

bool url_parse(const char *text, const char *config_id, struct url *out, char *error, unsigned error_max)
{
    struct url_reader reader = {.text = text, .error = error, .error_max = error_max};
    struct url url = {0};
    const char *rest = NULL;
    if (strncmp(text, "ws://", 5) == 0) {
        rest = text + 5;
    } else if (strncmp(text, "wss://", 6) == 0) {
        rest = text + 6;
        url.secure = true;
    } else {
        return fail(&reader, "does not begin with ws:// or wss://");
    }
    size_t authority_len = strcspn(rest, "/?#");
    if (!parse_authority(&reader, rest, authority_len, &url) ||
        !parse_target(&reader, rest + authority_len, config_id, &url))
        return false;
    *out = url;
    return true;
}
