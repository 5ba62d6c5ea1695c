/*
 * Messages as the frames that are put on the wire: whole, in fragments, or broken off. All frames are made
 * here.
 */
#include "codec/ws/frame.h"
#include "server/net/delivery.h"

enum {
    FIN = 0x80,
    RSV1 = 0x40,
    LENGTH_16 = 126,
    LENGTH_64 = 127,
    PIECES_MAX = 4096 /* fragments of one message; the last holds the rest */
};

static const struct delivery PLAIN = {0};

/* The header in front of a payload, where there are bytes for it. Returns how long it is. */
static size_t header_put(uint8_t *payload, uint8_t first, uint64_t len)
{
    size_t extra = len < LENGTH_16 ? 0 : len <= UINT16_MAX ? 2 : 8;
    uint8_t *at = payload - 2 - extra;
    at[0] = first;
    at[1] = (uint8_t)(extra == 0 ? len : extra == 2 ? LENGTH_16 : LENGTH_64);
    for (size_t i = 0; i < extra; i++)
        at[2 + i] = (uint8_t)(len >> 8 * (extra - 1 - i));
    return 2 + extra;
}

static void bytes_out(struct connection *connection, uint8_t *data, size_t len, size_t header_bytes,
                      const struct delivery *delivery)
{
    connection->progress_us = mock_server_now_us(connection->server); /* all before it was taken */
    tap_send(connection->tap, bytes_of(data, len), header_bytes,
             slicer_has_room(&connection->tap->slicer, 1) ? delivery : &PLAIN);
}

void frames_write_control(struct connection *connection, unsigned opcode, struct bytes payload)
{
    uint8_t frame[SERVER_MESSAGE_HEADROOM + CONTROL_PAYLOAD_MAX];
    uint8_t *at = frame + SERVER_MESSAGE_HEADROOM;
    if (payload.len > CONTROL_PAYLOAD_MAX)
        payload.len = CONTROL_PAYLOAD_MAX;
    if (payload.len > 0)
        memcpy(at, payload.data, payload.len);
    size_t header = header_put(at, (uint8_t)(FIN | opcode), payload.len);
    bytes_out(connection, at - header, header + payload.len, header, &PLAIN);
}

static uint8_t opcode_of(enum action_kind kind)
{
    return kind == ACTION_SEND_TEXT   ? WS_OPCODE_TEXT
           : kind == ACTION_SEND_PING ? WS_OPCODE_PING
                                      : WS_OPCODE_BINARY;
}

/* Where the fragment that begins at `from` ends. */
static size_t piece_end(const struct delivery *delivery, size_t from, size_t len, size_t count)
{
    size_t end = len;
    if (delivery->fragment_every > 0 && count + 1 < PIECES_MAX && delivery->fragment_every < len - from)
        end = from + delivery->fragment_every;
    if (delivery->fragment_at > from && delivery->fragment_at < end)
        end = delivery->fragment_at;
    return end;
}

/* The slices of the fragment that holds the payload from `from` to `end`. */
static struct delivery piece_delivery(const struct delivery *delivery, size_t from, size_t end)
{
    struct delivery piece = *delivery;
    bool here = delivery->slice_at > from && delivery->slice_at < end;
    piece.slice_at = here ? delivery->slice_at - (uint32_t)from : 0;
    return piece;
}

static void ping_between(struct connection *connection)
{
    const struct bytes payload = bytes_of_text("between");
    connection_record_own(connection, WIRE_EVENT_PING, 0, payload);
    frames_write_control(connection, WS_OPCODE_PING, payload);
}

/* The header of a fragment overwrites the end of the one before it, which is out or copied. Of more fragments
 * than the slicer can keep in mind only the first are cut. */
bool frames_write_message(struct connection *connection, struct actions *actions, const struct action *action)
{
    const struct delivery *delivery = &action->delivery;
    (void)actions_bytes(actions, action); /* all of them are needed in place */
    uint8_t *data = actions->arena.data + action->offset;
    size_t len = action->len, from = connection->begun_bytes, count = connection->begun_pieces;
    uint64_t now_us = mock_server_now_us(connection->server);
    bool rsv1 = false;
    connection->begun_bytes = connection->begun_pieces = 0;
    if (action->kind != ACTION_SEND_PING)
        data = deflate_message(connection, data, &len, &rsv1);
    if (from > 0 && connection->compresses && !rsv1) { /* no memory for what it was before */
        tap_close(connection->tap, true);
        return true;
    }
    do {
        size_t end = piece_end(delivery, from, len, count);
        struct delivery piece = count < SLICER_FRAMES_MAX ? piece_delivery(delivery, from, end) : PLAIN;
        unsigned first = count == 0 ? opcode_of(action->kind) | (rsv1 ? RSV1 : 0U) : WS_OPCODE_CONTINUATION;
        size_t header = header_put(data + from, (uint8_t)(first | (end == len ? FIN : 0)), end - from);
        bool last = delivery->end_at > 0 && delivery->end_at <= end;
        size_t sent = last ? delivery->end_at - from : end - from;
        bytes_out(connection, data + from - header, header + sent, header, &piece);
        if (last)
            return true;
        if (delivery->fragment_pings && end < len)
            ping_between(connection);
        from = end;
        count++;
        if (from < len)
            round_spend(connection->server, &now_us);
    } while (from < len && connection->phase == PHASE_OPEN && !round_is_over(connection->server));
    if (from == len || connection->phase != PHASE_OPEN)
        return true;
    connection->begun_bytes = from;
    connection->begun_pieces = count;
    return false;
}

void frames_write_raw(struct connection *connection, struct actions *actions, const struct action *action)
{
    const struct delivery *delivery = &action->delivery;
    size_t len = action->len;
    if (delivery->end_at > 0 && delivery->end_at < len)
        len = delivery->end_at;
    if (len > 0)
        bytes_out(connection, actions->arena.data + action->offset, len, 0, delivery);
}

void frames_write_close(struct connection *connection, struct actions *actions, const struct action *action)
{
    uint8_t payload[CONTROL_PAYLOAD_MAX];
    size_t len = 0;
    struct bytes bytes = actions_bytes(actions, action);
    if (action->raw_close) {
        uint8_t *at = actions->arena.data + action->offset;
        size_t header = header_put(at, FIN | WS_OPCODE_CLOSE, bytes.len);
        bytes_out(connection, at - header, header + bytes.len, header, &action->delivery);
        return;
    }
    if (action->code != 0) {
        payload[len++] = (uint8_t)(action->code >> 8);
        payload[len++] = (uint8_t)action->code;
        if (bytes.len > sizeof payload - len)
            bytes.len = sizeof payload - len;
        if (bytes.len > 0)
            memcpy(payload + len, bytes.data, bytes.len);
        len += bytes.len;
    }
    frames_write_control(connection, WS_OPCODE_CLOSE, bytes_of(payload, len));
}
