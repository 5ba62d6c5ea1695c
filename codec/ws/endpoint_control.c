/* Control frames: pings, the answers to the peer's, and the close frame. */
#include "codec/wire/utf8.h"
#include "codec/wire/writer.h"
#include "codec/ws/endpoint_parts.h"

/* In a block of its own, as it may wait long. */
static bool control_add(struct ws_endpoint *endpoint, enum ws_out_kind kind, enum ws_opcode opcode,
                        struct bytes payload)
{
    struct ws_block *block = ws_block_new(payload);
    if (block == NULL)
        return false;
    const struct ws_part part = ws_part_of(block);
    const struct ws_frame_bits bits = {.opcode = (uint8_t)opcode, .fin = true, .length = payload.len};
    const bool good = endpoint_add_frame(endpoint, kind, bits, &part, 1);
    ws_block_drop(block);
    return good;
}

/* ---- pings ---- */

bool ws_endpoint_ping(struct ws_endpoint *endpoint, struct bytes payload)
{
    return endpoint_may_send(endpoint) && payload.len <= WS_CONTROL_BYTES_MAX &&
           ws_out_has_room(&endpoint->out, payload.len, 1) &&
           control_add(endpoint, WS_OUT_DATA, WS_OPCODE_PING, payload);
}

bool ws_endpoint_pong(struct ws_endpoint *endpoint, struct bytes payload)
{
    return endpoint_may_send(endpoint) && payload.len <= WS_CONTROL_BYTES_MAX &&
           ws_out_has_room(&endpoint->out, payload.len, 1) &&
           control_add(endpoint, WS_OUT_DATA, WS_OPCODE_PONG, payload);
}

/* What the endpoint says by itself, to whom it may concern. */
static void tell_own(struct ws_endpoint *endpoint, enum wire_event_kind kind, uint16_t code,
                     struct bytes data, uint64_t begin)
{
    const struct ws_event event = {.wire = {.at_us = endpoint->now_us,
                                            .direction = endpoint_direction(endpoint, true),
                                            .kind = kind,
                                            .code = code,
                                            .message_bytes = data.len,
                                            .data = data},
                                   .span = {.begin = begin, .end = ws_endpoint_queued(endpoint)}};
    endpoint->options.sink(endpoint->options.context, &event);
}

void endpoint_answer_ping(struct ws_endpoint *endpoint, struct bytes payload)
{
    if (!endpoint->answers_pings || !endpoint_may_send(endpoint))
        return;
    const uint64_t begin = ws_endpoint_queued(endpoint);
    endpoint->ping_waits = endpoint->out.pongs >= WS_PONGS_MAX;
    if (endpoint->ping_waits) {
        endpoint->ping_len = payload.len;
        if (payload.len > 0)
            memcpy(endpoint->ping, payload.data, payload.len);
    } else if (control_add(endpoint, WS_OUT_PONG, WS_OPCODE_PONG, payload)) {
        tell_own(endpoint, WIRE_EVENT_PONG, 0, payload, begin);
    }
}

void ws_endpoint_sent(struct ws_endpoint *endpoint, uint64_t now_us, size_t len)
{
    uint8_t ping[WS_CONTROL_BYTES_MAX];
    endpoint->now_us = now_us;
    ws_out_sent(&endpoint->out, len);
    if (!endpoint->ping_waits || endpoint->out.pongs >= WS_PONGS_MAX || endpoint->message_open)
        return;
    const size_t ping_len = endpoint->ping_len;
    memcpy(ping, endpoint->ping, ping_len);
    endpoint_answer_ping(endpoint, bytes_of(ping, ping_len));
}

/* ---- closing ---- */

static bool close_add(struct ws_endpoint *endpoint, uint64_t now_us, struct bytes payload)
{
    if (!endpoint_may_send(endpoint) || !control_add(endpoint, WS_OUT_CONTROL, WS_OPCODE_CLOSE, payload))
        return false;
    endpoint->ping_waits = false;
    endpoint->state = endpoint->peer_has_closed ? WS_CLOSED : WS_CLOSING;
    endpoint->due_us = endpoint_later(now_us, endpoint->options.close_wait_us);
    return true;
}

bool ws_endpoint_close(struct ws_endpoint *endpoint, uint64_t now_us, uint16_t code, struct bytes reason)
{
    uint8_t payload[WS_CONTROL_BYTES_MAX];
    struct writer writer = writer_of(payload, sizeof payload);
    endpoint->now_us = now_us;
    if (utf8_valid_prefix(reason) != reason.len)
        return false;
    if (code == WS_CLOSE_NO_CODE)
        return reason.len == 0 && close_add(endpoint, now_us, reason);
    if (!ws_close_code_is_legal(code))
        return false;
    if (reason.len > WS_CLOSE_REASON_BYTES_MAX)
        reason.len = utf8_valid_prefix(bytes_of(reason.data, WS_CLOSE_REASON_BYTES_MAX));
    writer_u16(&writer, code);
    writer_bytes(&writer, reason);
    return close_add(endpoint, now_us, bytes_of(payload, writer.len));
}

bool ws_endpoint_close_with(struct ws_endpoint *endpoint, uint64_t now_us, struct bytes payload)
{
    endpoint->now_us = now_us;
    return payload.len <= WS_CLOSE_WITH_BYTES_MAX && close_add(endpoint, now_us, payload);
}

void endpoint_close_by_itself(struct ws_endpoint *endpoint, uint16_t code, struct bytes reason)
{
    const uint64_t begin = ws_endpoint_queued(endpoint);
    if (ws_endpoint_close(endpoint, endpoint->now_us, code, reason))
        tell_own(endpoint, WIRE_EVENT_CLOSE, code, reason, begin);
}
