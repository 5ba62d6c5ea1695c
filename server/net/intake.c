/* What has come of the client, on its way to the engine: through the library, or past it. */
#include "codec/ws/frame.h"
#include "server/net/net.h"

void intake_arrived(struct connection *connection, uint64_t at_us)
{
    struct arrivals *arrivals = &connection->arrivals;
    arrivals->at_us[arrivals->seen++ % ARRIVALS_KEPT] = at_us;
}

uint64_t intake_next_arrival_us(struct connection *connection)
{
    struct arrivals *arrivals = &connection->arrivals;
    if (arrivals->taken == arrivals->seen)
        return 0;
    const uint64_t n = arrivals->taken++;
    return arrivals->seen - n <= ARRIVALS_KEPT ? arrivals->at_us[n % ARRIVALS_KEPT] : 0;
}

void intake_message(struct connection *connection, bool is_binary, struct bytes data, uint64_t message_bytes,
                    uint64_t came_us)
{
    if (connection->seat == NULL)
        return;
    seat_step(connection->service, connection->seat,
              &(struct engine_event){.kind = is_binary ? ENGINE_BINARY : ENGINE_TEXT,
                                     .now_us = mock_server_now_us(connection->server),
                                     .data = data,
                                     .message_bytes = message_bytes,
                                     .came_us = came_us});
}

void intake_pong(struct connection *connection, struct bytes data)
{
    if (ping_is_answered_by(connection, data) || connection->seat == NULL)
        return;
    seat_step(connection->service, connection->seat,
              &(struct engine_event){
                  .kind = ENGINE_PONG, .now_us = mock_server_now_us(connection->server), .data = data});
}

/* The frame as it came, or as wrong as it came: it is the library that answers it. */
static void close_pass_on(struct connection *connection, uint16_t code, struct bytes reason)
{
    enum { MASKED = 0x80, CLOSE_FRAME = 0x80 | WS_OPCODE_CLOSE };
    uint8_t frame[2 + WS_FRAME_MASK_BYTES + 127] = {CLOSE_FRAME, MASKED};
    uint8_t *payload = frame + 2 + WS_FRAME_MASK_BYTES; /* masked with 0, which changes nothing */
    size_t len = 0;
    if (code != WS_CLOSE_NO_CODE || reason.len > 0) {
        payload[0] = (uint8_t)(code >> 8);
        payload[1] = (uint8_t)code;
        if (reason.len > 0)
            memcpy(payload + WS_CLOSE_CODE_BYTES, reason.data, reason.len);
        len = WS_CLOSE_CODE_BYTES + reason.len;
    } else if (connection->close_is_bad) {
        len = 1;
    }
    frame[1] = (uint8_t)(MASKED | len);
    tap_forward(connection->tap, bytes_of(frame, 2 + WS_FRAME_MASK_BYTES + len));
}

void intake_past_library(struct connection *connection, const struct wire_event *event)
{
    if (!connection->compresses || connection->deaf)
        return;
    if (event->kind == WIRE_EVENT_VIOLATION && event->code == WS_VIOLATION_BAD_CLOSE)
        connection->close_is_bad = true;
    if (event->kind == WIRE_EVENT_CLOSE)
        close_pass_on(connection, event->code, event->data);
    if (connection->phase != PHASE_OPEN)
        return;
    if (event->kind == WIRE_EVENT_VIOLATION && event->code == WS_VIOLATION_DEFLATE_TOO_MUCH)
        intake_message(connection, true, bytes_of(NULL, 0),
                       UNPACKED_TIMES * service_message_bytes_max(connection->service) + 1, event->at_us);
    if (event->kind == WIRE_EVENT_TEXT || event->kind == WIRE_EVENT_BINARY)
        intake_message(connection, event->kind == WIRE_EVENT_BINARY, event->data, event->message_bytes,
                       event->at_us);
    if (event->kind == WIRE_EVENT_PONG)
        intake_pong(connection, event->data);
}
