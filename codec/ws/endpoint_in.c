/* What comes: each event of the stream told to the owner, and what the endpoint makes of it. */
#include "codec/wire/http_response.h"
#include "codec/wire/utf8.h"
#include "codec/ws/endpoint_parts.h"

/* Nothing of what comes is taken in any more. */
static bool is_ignored(const struct ws_endpoint *endpoint)
{
    return endpoint->deaf || endpoint->state == WS_CLOSED;
}

static void tell(const struct ws_endpoint *endpoint, const struct wire_event *wire, unsigned flaws)
{
    const struct ws_event event = {.wire = *wire,
                                   .span = ws_stream_span(endpoint->stream),
                                   .flaws = flaws,
                                   .early = endpoint->state == WS_HANDSHAKE,
                                   .ignored = is_ignored(endpoint)};
    endpoint->options.sink(endpoint->options.context, &event);
}

/* ---- the handshake ---- */

static void take_request(struct ws_endpoint *endpoint, const struct wire_event *wire)
{
    struct http_head head;
    struct bytes key;
    unsigned flaws = 0;
    if (http_head_parse(wire->data, &head)) {
        flaws = ws_request_flaws(&head);
        if (http_head_header(&head, "Sec-WebSocket-Key", 0, &key)) {
            endpoint->key_len = key.len < KEY_BYTES_MAX ? key.len : KEY_BYTES_MAX;
            if (endpoint->key_len > 0)
                memcpy(endpoint->key, key.data, endpoint->key_len);
        }
        endpoint->is_offered =
            endpoint->options.inflated_bytes_max > 0 && ws_deflate_negotiate(&head, &endpoint->terms);
    }
    if (endpoint->state == WS_HANDSHAKE)
        endpoint->due_us = UINT64_MAX;
    endpoint->asked = endpoint->state == WS_HANDSHAKE && (flaws & WS_FLAW_UPGRADE) == 0;
    tell(endpoint, wire, flaws);
}

static void take_response(struct ws_endpoint *endpoint, const struct wire_event *wire)
{
    if (endpoint->state != WS_HANDSHAKE || wire->code < HTTP_SWITCHING_PROTOCOLS ||
        (wire->code > HTTP_SWITCHING_PROTOCOLS && wire->code < 200)) {
        tell(endpoint, wire, 0);
        return;
    }
    const bool offered = endpoint->options.inflated_bytes_max > 0;
    const unsigned flaws =
        ws_response_flaws(wire->code, wire->data, bytes_of(endpoint->key, endpoint->key_len), offered);
    const bool is_open = wire->code == HTTP_SWITCHING_PROTOCOLS &&
                         (flaws == 0 || endpoint->options.lenient) && endpoint->asked;
    if (is_open && offered && ws_deflate_taken(wire->data) == WS_DEFLATE_TAKEN) {
        endpoint->compresses = true;
        ws_stream_unpack(endpoint->stream, endpoint->options.inflated_bytes_max);
    }
    tell(endpoint, wire, flaws);
    endpoint->state = is_open ? WS_OPEN : WS_CLOSED;
    endpoint->due_us = UINT64_MAX;
}

/* ---- violations ---- */

/* Strict: nothing more is taken in, and the peer is told why. */
static void take_violation(struct ws_endpoint *endpoint, const struct wire_event *wire)
{
    const enum ws_violation violation = (enum ws_violation)wire->code;
    const uint16_t code = ws_violation_close_code(violation);
    tell(endpoint, wire, 0);
    endpoint->close_is_bad = violation == WS_VIOLATION_BAD_CLOSE;
    if (endpoint->options.lenient || is_ignored(endpoint))
        return;
    /* There is nobody to talk to: a server may still refuse. */
    if (violation == WS_VIOLATION_BAD_HEAD && endpoint->options.role == WS_CLIENT)
        endpoint->state = WS_CLOSED;
    if (code == 0)
        return;
    endpoint->deaf = true;
    if (endpoint->state == WS_HANDSHAKE)
        endpoint->closes_with = code;
    else
        endpoint_close_by_itself(endpoint, code, bytes_of(NULL, 0));
}

/* ---- the peer's close frame ---- */

/* RFC 6455 5.5.1: the code is sent back, with the reason, unless it is one that must not be. */
static uint16_t close_answer(const struct ws_endpoint *endpoint, uint16_t code, struct bytes reason)
{
    if (code == WS_CLOSE_NO_CODE && !endpoint->close_is_bad)
        return WS_CLOSE_NO_CODE;
    if (!ws_close_code_is_legal(code))
        return endpoint->options.lenient ? WS_CLOSE_NO_CODE : WS_CLOSE_PROTOCOL_ERROR;
    if (utf8_valid_prefix(reason) != reason.len && !endpoint->options.lenient)
        return WS_CLOSE_BAD_DATA;
    return code;
}

/* The owner may still send, or close with a code of its own, while it is told. */
static void take_close(struct ws_endpoint *endpoint, const struct wire_event *wire)
{
    const uint16_t answer = close_answer(endpoint, wire->code, wire->data);
    tell(endpoint, wire, 0);
    if (endpoint->state == WS_CLOSED)
        return;
    endpoint->peer_has_closed = true;
    if (endpoint->state == WS_HANDSHAKE) { /* answered behind the 101 */
        endpoint->closes_with = endpoint->closes_with != 0 ? endpoint->closes_with : answer;
        return;
    }
    if (endpoint->state == WS_OPEN)
        endpoint_close_by_itself(endpoint, answer, answer == wire->code ? wire->data : bytes_of(NULL, 0));
    endpoint->state = WS_CLOSED;
}

void endpoint_take(void *context, const struct wire_event *wire)
{
    struct ws_endpoint *endpoint = context;
    switch (wire->kind) {
    case WIRE_EVENT_REQUEST:
        take_request(endpoint, wire);
        break;
    case WIRE_EVENT_RESPONSE:
        take_response(endpoint, wire);
        break;
    case WIRE_EVENT_VIOLATION:
        take_violation(endpoint, wire);
        break;
    case WIRE_EVENT_CLOSE:
        take_close(endpoint, wire);
        break;
    case WIRE_EVENT_PING: {
        const bool answered = endpoint->state == WS_OPEN && !is_ignored(endpoint);
        tell(endpoint, wire, 0);
        if (answered)
            endpoint_answer_ping(endpoint, wire->data);
        break;
    }
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_END:
        tell(endpoint, wire, 0);
        break;
    case WIRE_EVENT_TRANSPORT: /* a stream has none */
        break;
    }
}
