/* What is agreed on about compressed messages: RFC 7692 7.1 and the extension lists of RFC 6455 9.1. */
#include "codec/wire/text.h"
#include "codec/ws/deflate.h"

enum { OFFERS_MAX = 32 };

enum parameter {
    SERVER_NO_CONTEXT_TAKEOVER,
    CLIENT_NO_CONTEXT_TAKEOVER,
    SERVER_MAX_WINDOW_BITS,
    CLIENT_MAX_WINDOW_BITS,
    PARAMETERS
};

static const char *const NAMES[PARAMETERS] = {
    [SERVER_NO_CONTEXT_TAKEOVER] = "server_no_context_takeover",
    [CLIENT_NO_CONTEXT_TAKEOVER] = "client_no_context_takeover",
    [SERVER_MAX_WINDOW_BITS] = "server_max_window_bits",
    [CLIENT_MAX_WINDOW_BITS] = "client_max_window_bits",
};

static struct bytes trim(struct bytes text)
{
    while (text.len > 0 && (*text.data == ' ' || *text.data == '\t'))
        text = bytes_of(text.data + 1, text.len - 1);
    while (text.len > 0 && (text.data[text.len - 1] == ' ' || text.data[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* What stands in front of the next `separator`, which is taken off too; a quoted one does not count. */
static struct bytes part_take(struct bytes *text, uint8_t separator)
{
    size_t n = 0;
    bool quoted = false;
    while (n < text->len && (quoted || text->data[n] != separator)) {
        quoted = quoted != (text->data[n] == '"');
        n++;
    }
    struct bytes part = bytes_of(text->data, n);
    size_t taken = n < text->len ? n + 1 : n;
    *text = bytes_of(text->data + taken, text->len - taken);
    return trim(part);
}

/* 8 to 15, without a sign or a leading 0; else 0. The value may stand in quotes. */
static unsigned window_bits(struct bytes value)
{
    if (value.len >= 2 && value.data[0] == '"' && value.data[value.len - 1] == '"')
        value = bytes_of(value.data + 1, value.len - 2);
    if (value.len == 1 && (value.data[0] == '8' || value.data[0] == '9'))
        return (unsigned)(value.data[0] - '0');
    if (value.len == 2 && value.data[0] == '1' && value.data[1] >= '0' && value.data[1] <= '5')
        return 10 + (unsigned)(value.data[1] - '0');
    return 0;
}

static enum parameter parameter_of(struct bytes name)
{
    size_t n = 0;
    while (n < PARAMETERS && !bytes_equal_text_ignoring_case(name, NAMES[n]))
        n++;
    return (enum parameter)n;
}

/* False when the offer cannot be taken for it. */
static bool parameter_take(struct bytes text, unsigned *seen, struct ws_deflate_terms *out)
{
    bool has_value = text.len > 0 && memchr(text.data, '=', text.len) != NULL;
    enum parameter parameter = parameter_of(part_take(&text, '='));
    unsigned bits = window_bits(trim(text));
    unsigned bit = 1U << parameter;
    if ((*seen & bit) != 0)
        return false;
    *seen |= bit;
    switch (parameter) {
    case SERVER_NO_CONTEXT_TAKEOVER:
    case CLIENT_NO_CONTEXT_TAKEOVER:
        return !has_value;
    case SERVER_MAX_WINDOW_BITS:
        out->server_window_bits = bits;
        out->server_window_was_asked_for = true;
        return bits != 0;
    case CLIENT_MAX_WINDOW_BITS: /* a hint: the whole window is read, whatever the client uses of it */
        return !has_value || bits != 0;
    case PARAMETERS:
        break;
    }
    return false;
}

static bool offer_take(struct bytes offer, struct ws_deflate_terms *out)
{
    struct ws_deflate_terms terms = {.server_window_bits = WS_DEFLATE_WINDOW_BITS_MAX};
    unsigned seen = 0;
    if (!bytes_equal_text_ignoring_case(part_take(&offer, ';'), "permessage-deflate"))
        return false;
    while (offer.len > 0)
        if (!parameter_take(part_take(&offer, ';'), &seen, &terms))
            return false;
    *out = terms;
    return true;
}

bool ws_deflate_negotiate(const struct http_head *request, struct ws_deflate_terms *out)
{
    struct bytes list;
    size_t offers = 0;
    for (size_t n = 0; http_head_header(request, "Sec-WebSocket-Extensions", n, &list); n++)
        while (list.len > 0 && offers++ < OFFERS_MAX)
            if (offer_take(part_take(&list, ','), out))
                return true;
    return false;
}

size_t ws_deflate_answer(const struct ws_deflate_terms *terms, char out[WS_DEFLATE_ANSWER_BYTES_MAX])
{
    struct text text = text_of(out, WS_DEFLATE_ANSWER_BYTES_MAX);
    text_add(&text, "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
                    "client_no_context_takeover");
    if (terms->server_window_was_asked_for) {
        text_add(&text, "; server_max_window_bits=");
        text_add_u64(&text, terms->server_window_bits);
    }
    text_add(&text, "\r\n");
    return text.len;
}

const char *ws_deflate_offer(void)
{
    return "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
           "client_no_context_takeover\r\n";
}

/* One extension of the answer. RFC 7692 7.1: client_max_window_bits is no answer to an offer without it. */
static bool answer_take(struct bytes answer)
{
    struct ws_deflate_terms terms;
    unsigned seen = 0;
    if (!bytes_equal_text_ignoring_case(part_take(&answer, ';'), "permessage-deflate"))
        return false;
    while (answer.len > 0)
        if (!parameter_take(part_take(&answer, ';'), &seen, &terms))
            return false;
    return (seen & 1U << SERVER_NO_CONTEXT_TAKEOVER) != 0 && (seen & 1U << CLIENT_MAX_WINDOW_BITS) == 0;
}

enum ws_deflate_answered ws_deflate_taken(struct bytes response_head)
{
    struct bytes list;
    size_t taken = 0;
    for (size_t n = 0; http_response_header(response_head, "Sec-WebSocket-Extensions", n, &list); n++)
        while (list.len > 0) {
            if (taken++ > 0 || !answer_take(part_take(&list, ',')))
                return WS_DEFLATE_TAKEN_WRONGLY;
        }
    return taken > 0 ? WS_DEFLATE_TAKEN : WS_DEFLATE_DECLINED;
}
