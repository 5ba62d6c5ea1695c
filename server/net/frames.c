/* Messages as what the endpoint sends: whole, in fragments, or broken off, and cut into slices of TCP. */
#include "codec/ws/frame.h"
#include "server/net/delivery.h"

void connection_flush(struct connection *connection)
{
    if (transport_flush(connection->transport))
        connection->progress_us = mock_server_now_us(connection->server);
}

/* The queue is of no use any more: there was no memory for it. */
static void out_of_memory(struct connection *connection)
{
    transport_close(connection->transport, true);
}

/* ---- messages ---- */

/* As one frame, from where its parts lie: what is borrowed never changes. */
static bool whole_write(struct connection *connection, const struct actions *actions,
                        const struct action *action)
{
    const uint8_t *data = actions->arena.data + action->offset;
    struct ws_part parts[ACTIONS_BORROWED_MAX + 2] = {{.bytes = bytes_of(data, action->borrowed_at)}};
    size_t count = 1, tail = action->borrowed_at;
    for (size_t i = 0; i < action->borrowed_count; i++) {
        parts[count] =
            (struct ws_part){.bytes = actions->borrowed[action->borrowed_first + i], .life = WS_PART_LASTING};
        tail += parts[count++].bytes.len;
    }
    parts[count++].bytes = bytes_of(data + tail, action->len - tail);
    return ws_endpoint_send(connection->endpoint, WS_OPCODE_BINARY, parts, count);
}

/* A message that is being cut. */
struct cutting {
    struct connection *connection;
    const struct delivery *delivery;
    uint64_t since_us; /* of the round */
};

static void ping_between(struct connection *connection)
{
    const struct bytes payload = bytes_of_text("between");
    connection_record_own(connection, WIRE_EVENT_PING, 0, payload);
    (void)ws_endpoint_ping(connection->endpoint, payload);
}

static bool on_fragment(void *context, const struct ws_fragment *fragment)
{
    struct cutting *cutting = context;
    struct connection *connection = cutting->connection;
    struct delivery delivery = *cutting->delivery;
    const size_t from = fragment->payload_from, end = from + fragment->payload_bytes;
    const bool cut_here = delivery.slice_at > from && delivery.slice_at < end;
    delivery.slice_at = cut_here ? delivery.slice_at - (uint32_t)from : 0;
    transport_slice(connection->transport, &delivery, fragment->offset, fragment->header_bytes,
                    fragment->payload_bytes);
    if (fragment->last)
        return true;
    if (delivery.fragment_pings)
        ping_between(connection);
    round_spend(connection->server, &cutting->since_us);
    return !round_is_over(connection->server);
}

static bool cut_write(struct connection *connection, const struct actions *actions,
                      const struct action *action)
{
    const struct delivery *delivery = &action->delivery;
    struct cutting cutting = {
        .connection = connection, .delivery = delivery, .since_us = mock_server_now_us(connection->server)};
    struct ws_cut cut = {.at = delivery->fragment_at,
                         .every = delivery->fragment_every,
                         .queued = on_fragment,
                         .context = &cutting,
                         .break_off_at = delivery->end_at,
                         .any_bytes = true,
                         .begun_bytes = connection->begun_bytes,
                         .begun_frames = connection->begun_frames};
    const bool good = ws_endpoint_send_cut(
        connection->endpoint, action->kind == ACTION_SEND_TEXT ? WS_OPCODE_TEXT : WS_OPCODE_BINARY,
        actions_bytes(actions, action), &cut);
    connection->begun_bytes = cut.begun_bytes;
    connection->begun_frames = cut.begun_frames;
    return good;
}

/* Of any length: a script may break RFC 6455 5.5. */
static bool ping_write(struct connection *connection, const struct actions *actions,
                       const struct action *action)
{
    const uint64_t offset = ws_endpoint_queued(connection->endpoint);
    const struct ws_frame_bits bits = {.opcode = WS_OPCODE_PING, .fin = true, .length = action->len};
    struct bytes payload = actions_bytes(actions, action);
    if (action->delivery.end_at > 0 && action->delivery.end_at < payload.len)
        payload.len = action->delivery.end_at;
    if (!ws_endpoint_send_frame(connection->endpoint, &bits, payload))
        return false;
    const uint64_t end = ws_endpoint_queued(connection->endpoint);
    transport_slice(connection->transport, &action->delivery, offset, (size_t)(end - offset) - payload.len,
                    payload.len);
    return true;
}

static bool is_whole(const struct delivery *delivery)
{
    return delivery->fragment_at == 0 && delivery->fragment_every == 0 && delivery->end_at == 0 &&
           !slicer_is_needed(delivery);
}

bool frames_write_message(struct connection *connection, const struct actions *actions,
                          const struct action *action)
{
    const bool good = action->kind == ACTION_SEND_PING ? ping_write(connection, actions, action)
                      : action->kind == ACTION_SEND_BINARY && is_whole(&action->delivery)
                          ? whole_write(connection, actions, action)
                          : cut_write(connection, actions, action);
    if (good)
        connection_flush(connection);
    else
        out_of_memory(connection);
    return !good || connection->begun_frames == 0;
}

void frames_write_raw(struct connection *connection, const struct actions *actions,
                      const struct action *action)
{
    const struct delivery *delivery = &action->delivery;
    const uint64_t offset = ws_endpoint_queued(connection->endpoint);
    struct bytes bytes = actions_bytes(actions, action);
    if (delivery->end_at > 0 && delivery->end_at < bytes.len)
        bytes.len = delivery->end_at;
    if (!ws_endpoint_send_raw(connection->endpoint, bytes)) {
        out_of_memory(connection);
        return;
    }
    transport_slice(connection->transport, delivery, offset, 0, bytes.len);
    connection_flush(connection);
}

/* ---- the close frame ---- */

/* A code or a reason that must not be sent is a fault of the script's, and is sent. */
static bool close_any(struct connection *connection, uint64_t now_us, uint16_t code, struct bytes reason)
{
    uint8_t payload[WS_CONTROL_BYTES_MAX] = {(uint8_t)(code >> 8), (uint8_t)code};
    if (reason.len > WS_CLOSE_REASON_BYTES_MAX)
        reason.len = WS_CLOSE_REASON_BYTES_MAX;
    if (reason.len > 0)
        memcpy(payload + WS_CLOSE_CODE_BYTES, reason.data, reason.len);
    return ws_endpoint_close_with(connection->endpoint, now_us,
                                  bytes_of(payload, WS_CLOSE_CODE_BYTES + reason.len));
}

void frames_write_close(struct connection *connection, const struct actions *actions,
                        const struct action *action)
{
    struct ws_endpoint *endpoint = connection->endpoint;
    const uint64_t now_us = mock_server_now_us(connection->server);
    const uint64_t offset = ws_endpoint_queued(endpoint);
    const struct bytes bytes = actions_bytes(actions, action);
    if (action->raw_close)
        (void)ws_endpoint_close_with(endpoint, now_us, bytes);
    else if (action->code == 0)
        (void)ws_endpoint_close(endpoint, now_us, WS_CLOSE_NO_CODE, bytes_of(NULL, 0));
    else if (action->code == WS_CLOSE_NO_CODE || !ws_endpoint_close(endpoint, now_us, action->code, bytes))
        (void)close_any(connection, now_us, action->code, bytes);
    const size_t len = (size_t)(ws_endpoint_queued(endpoint) - offset);
    const size_t header_bytes =
        action->raw_close ? ws_server_header_bytes(bytes.len) : WS_FRAME_HEADER_BYTES_MIN;
    if (len > 0)
        transport_slice(connection->transport, &action->delivery, offset, header_bytes, len - header_bytes);
    connection_flush(connection);
}
