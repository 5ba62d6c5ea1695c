/*
 * What the library says by itself once a connection is open: the 101 and the answer to a close frame go
 * through here to the client, so that the journal has them; pongs are ours in place of its own.
 */
#include "codec/wire/http_lines.h"
#include "codec/ws/frame.h"
#include "server/net/delivery.h"

static const struct delivery PLAIN = {0};

/* Takes bytes up to the empty line; returns how many. */
static size_t head_take(struct echo *echo, struct bytes data)
{
    static const char end[] = "\r\n\r\n";
    size_t n = 0;
    while (n < data.len && !echo->head_over) {
        uint8_t c = data.data[n++];
        if (c == (uint8_t)end[echo->head_matched])
            echo->head_matched++;
        else
            echo->head_matched = c == '\r' ? 1 : 0;
        echo->head_over = echo->head_matched == sizeof end - 1;
    }
    return n;
}

/* A head that a script has lines for leaves when it is whole. */
static void head_pass(struct connection *connection, struct bytes piece)
{
    struct echo *echo = &connection->echo;
    struct buffer changed;
    if (echo->lines.len == 0) {
        tap_send(connection->tap, piece, 0, &PLAIN);
        return;
    }
    bool good = buffer_append(&echo->head, piece);
    buffer_init(&changed, ECHO_HEAD_BYTES_MAX);
    if (good && echo->head_over) {
        good = http_lines_rewrite(buffer_bytes(&echo->head), buffer_bytes(&echo->lines), &changed);
        if (good)
            tap_send(connection->tap, buffer_bytes(&changed), 0, &PLAIN);
    }
    buffer_free(&changed);
    if (!good)
        tap_close(connection->tap, true);
}

void connection_record_own(struct connection *connection, enum wire_event_kind kind, uint16_t code,
                           struct bytes data)
{
    struct wire_event event = {.at_us = mock_server_now_us(connection->server),
                               .direction = WIRE_FROM_SERVER,
                               .kind = kind,
                               .code = code,
                               .message_bytes = data.len,
                               .data = data};
    if (connection->recording != NULL)
        recorder_host_event(connection->recording->recorder, &event);
}

void connection_record_end(struct connection *connection, bool reset, uint64_t sent_bytes)
{
    struct wire_event event = {.at_us = mock_server_now_us(connection->server),
                               .direction = WIRE_FROM_SERVER,
                               .kind = WIRE_EVENT_END,
                               .code = reset ? 1 : 0,
                               .fault = true,
                               .message_bytes = sent_bytes};
    if (connection->recording != NULL)
        recorder_host_event(connection->recording->recorder, &event);
}

void echo_pong(struct connection *connection, struct bytes data)
{
    if (connection->half_closed || connection_quirk(connection, HOST_QUIRK_NO_PONG) != 0)
        return;
    connection_record_own(connection, WIRE_EVENT_PONG, 0, data);
    frames_write_control(connection, WS_OPCODE_PONG, data);
}

/* A whole frame of the library's. */
static void frame_pass(struct connection *connection, const uint8_t *frame, size_t len)
{
    struct bytes payload = bytes_of(frame + WS_FRAME_HEADER_BYTES_MIN, len - WS_FRAME_HEADER_BYTES_MIN);
    if (connection->half_closed)
        return;
    if (ws_frame_opcode(frame) == WS_OPCODE_PONG)
        return; /* of several pings it answers the first alone: see echo_pong */
    if (ws_frame_opcode(frame) == WS_OPCODE_CLOSE) {
        bool coded = payload.len >= WS_CLOSE_CODE_BYTES;
        unsigned code = coded ? (unsigned)payload.data[0] << 8 | payload.data[1] : WS_CLOSE_NO_CODE;
        connection_record_own(
            connection, WIRE_EVENT_CLOSE, (uint16_t)code,
            coded ? bytes_of(payload.data + WS_CLOSE_CODE_BYTES, payload.len - WS_CLOSE_CODE_BYTES)
                  : bytes_of(NULL, 0));
    }
    tap_send(connection->tap, bytes_of(frame, len), WS_FRAME_HEADER_BYTES_MIN, &PLAIN);
    /* The library waits for an answer to what is the answer, where it did not like the client's. */
    if (ws_frame_opcode(frame) == WS_OPCODE_CLOSE && connection->client_has_closed)
        tap_finish(connection->tap);
}

void echo_feed(struct connection *connection, struct bytes data)
{
    struct echo *echo = &connection->echo;
    if (!echo->head_over) {
        size_t head = head_take(echo, data);
        head_pass(connection, bytes_of(data.data, head));
        data = bytes_of(data.data + head, data.len - head);
    }
    while (data.len > 0) {
        echo->frame[echo->len++] = *data.data;
        data = bytes_of(data.data + 1, data.len - 1);
        if (echo->len >= WS_FRAME_HEADER_BYTES_MIN &&
            echo->len == WS_FRAME_HEADER_BYTES_MIN + (size_t)(echo->frame[1] & 0x7f)) {
            frame_pass(connection, echo->frame, echo->len);
            echo->len = 0;
        }
    }
}
