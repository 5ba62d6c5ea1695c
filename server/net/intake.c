/*
 * What comes of the client: into the journal at once, and to the engine, which may not be there yet. What
 * comes before the answer to the request waits for it.
 */
#include <stdlib.h>

#include "server/net/delivery.h"

/* ---- to the engine ---- */

static void message_step(struct connection *connection, const struct wire_event *event)
{
    const bool is_binary = event->kind == WIRE_EVENT_BINARY;
    seat_step(connection->service, connection->seat,
              &(struct engine_event){.kind = is_binary ? ENGINE_BINARY : ENGINE_TEXT,
                                     .now_us = mock_server_now_us(connection->server),
                                     .data = event->data,
                                     .message_bytes = event->message_bytes,
                                     .came_us = event->at_us,
                                     .ahead = event->ahead});
}

static void close_step(struct connection *connection, const struct wire_event *event)
{
    seat_step(connection->service, connection->seat,
              &(struct engine_event){.kind = ENGINE_CLOSE,
                                     .now_us = mock_server_now_us(connection->server),
                                     .code = event->code});
}

/* The client has closed a session: what waits does not go out any more. */
static void close_settle(struct connection *connection)
{
    if (connection->phase != PHASE_OPEN)
        return;
    connection_drop_all(connection);
    connection_enter(connection, PHASE_CLOSING, CLOSE_WAIT_US);
}

static void engine_tell(struct connection *connection, const struct wire_event *event)
{
    switch (event->kind) {
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
        if (connection->seat != NULL)
            message_step(connection, event);
        break;
    case WIRE_EVENT_PONG:
        if (!ping_is_answered_by(connection, event->data) && connection->seat != NULL)
            seat_step(connection->service, connection->seat,
                      &(struct engine_event){.kind = ENGINE_PONG,
                                             .now_us = mock_server_now_us(connection->server),
                                             .data = event->data});
        break;
    case WIRE_EVENT_CLOSE:
        if (connection->seat != NULL)
            close_step(connection, event);
        close_settle(connection);
        break;
    case WIRE_EVENT_VIOLATION: /* a compressed message: how long it gets nobody knows */
        if (event->code == WS_VIOLATION_DEFLATE_TOO_MUCH && connection->seat != NULL)
            message_step(connection,
                         &(struct wire_event){.at_us = event->at_us,
                                              .kind = WIRE_EVENT_BINARY,
                                              .message_bytes = connection_inflated_max(connection) + 1});
        break;
    case WIRE_EVENT_PING: /* when it is answered: intake_fed */
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_RESPONSE:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        break;
    }
}

/* ---- what came early ---- */

struct early {
    struct early *next;
    struct wire_event event; /* its data lie below */
    uint8_t data[];
};

static void early_keep(struct connection *connection, const struct wire_event *event)
{
    const size_t len = event->data.len;
    const size_t left = EARLY_BYTES_MAX - connection->early_bytes;
    struct early *early =
        left < sizeof *early || len > left - sizeof *early ? NULL : malloc(sizeof *early + len);
    if (early == NULL) {
        server_log(connection->server, connection,
                   "is ended: it sent too much before the answer to its request");
        transport_close(connection->transport, true);
        return;
    }
    *early = (struct early){.event = *event};
    if (len > 0)
        memcpy(early->data, event->data.data, len);
    early->event.data = bytes_of(early->data, len);
    connection->early_bytes += sizeof *early + len;
    *(connection->early_last == NULL ? &connection->early_first : &connection->early_last->next) = early;
    connection->early_last = early;
}

static struct early *early_take(struct connection *connection)
{
    struct early *early = connection->early_first;
    if (early == NULL)
        return NULL;
    connection->early_first = early->next;
    if (early->next == NULL)
        connection->early_last = NULL;
    return early;
}

static void early_tell(struct connection *connection)
{
    for (struct early *early; (early = early_take(connection)) != NULL; free(early))
        if (!connection->failed)
            engine_tell(connection, &early->event);
}

void intake_open(struct connection *connection)
{
    const bool is_open = ws_endpoint_state(connection->endpoint) == WS_OPEN;
    buffer_free(&connection->request); /* it was answered */
    connection_enter(connection, is_open ? PHASE_OPEN : PHASE_CLOSING, is_open ? UINT64_MAX : CLOSE_WAIT_US);
    server_log(connection->server, connection, "is open");
    ping_begin(connection);
    if (connection->seat != NULL)
        seat_step(
            connection->service, connection->seat,
            &(struct engine_event){.kind = ENGINE_OPENED, .now_us = mock_server_now_us(connection->server)});
    connection_pump(connection);
    early_tell(connection);
}

void intake_free(struct connection *connection)
{
    for (struct early *early; (early = early_take(connection)) != NULL;)
        free(early);
}

/* ---- from the endpoint ---- */

static void on_request(struct connection *connection, const struct wire_event *event)
{
    if (!buffer_append(&connection->request, event->data)) {
        transport_close(connection->transport, true);
        return;
    }
    connection->head_bytes = event->data.len;
    connection->head_is_upgrade = admission_is_upgrade(event->data);
    ws_endpoint_pause(connection->endpoint); /* what comes behind it may be for somebody else */
    if (admission_route(connection)) {
        http_begin(connection);
    } else if (admission_must_wait(connection)) {
        connection_enter(connection, PHASE_HELD, HELD_WAIT_US);
        transport_hold(connection->transport, true);
    }
}

/* The client broke a rule for which the session is closed: nothing more of it counts, and what waits does not
 * go out. */
static void on_failure(struct connection *connection)
{
    connection->failed = true;
    if (connection->phase == PHASE_OPEN)
        connection_drop_all(connection);
}

static void on_ping(struct connection *connection, const struct wire_event *event)
{
    ws_endpoint_answer_pings(connection->endpoint, connection_quirk(connection, HOST_QUIRK_NO_PONG) == 0);
    if (connection->phase != PHASE_OPEN)
        return;
    connection->has_pinged = true;
    connection->pinged_at_us = event->at_us;
    connection->pinged_bytes = event->data.len;
    if (event->data.len > 0)
        memcpy(connection->pinged, event->data.data, event->data.len);
}

/* What the endpoint says by itself. */
static void on_own_event(struct connection *connection, const struct wire_event *event)
{
    if (ws_endpoint_is_starved(connection->endpoint) && !connection->failed) {
        on_failure(connection);
        server_log(connection->server, connection,
                   "is closed: the unfinished messages of all clients take the memory there is for them");
    }
    if (event->kind == WIRE_EVENT_CLOSE && connection->failed)
        delivery_record_close(connection, event->code);
    else
        connection_record_own(connection, event->kind, event->code, event->data);
    if (event->kind == WIRE_EVENT_CLOSE && connection->phase == PHASE_OPEN)
        connection_enter(connection, PHASE_CLOSING, CLOSE_WAIT_US);
}

/* What comes before the answer is kept until the session is open; what comes between the answer and the next
 * tick opens it: a client may send as much as it likes then. */
static void session_tell(struct connection *connection, const struct wire_event *event)
{
    const bool is_of_session = event->kind != WIRE_EVENT_REQUEST && event->kind != WIRE_EVENT_VIOLATION &&
                               event->kind != WIRE_EVENT_END;
    if (connection->phase == PHASE_JOINED && is_of_session)
        intake_open(connection);
    if (connection->phase < PHASE_OPEN && is_of_session)
        early_keep(connection, event);
    else if (connection->phase == PHASE_OPEN || connection->phase == PHASE_CLOSING)
        engine_tell(connection, event);
}

/* A message that was read ahead. */
static void on_turn(struct connection *connection, const struct wire_event *event)
{
    if (!recording_begin(connection, event->at_us))
        return;
    recorder_client_event(connection->recording->recorder, event);
    if (ws_endpoint_state(connection->endpoint) != WS_CLOSED &&
        (connection->phase == PHASE_OPEN || connection->phase == PHASE_CLOSING))
        engine_tell(connection, event);
    intake_fed(connection);
}

void intake_event(void *context, const struct ws_event *event)
{
    struct connection *connection = context;
    const struct wire_event *wire = &event->wire;
    if (wire->direction == WIRE_FROM_SERVER) {
        on_own_event(connection, wire);
        return;
    }
    if (wire->kind == WIRE_EVENT_REQUEST)
        on_request(connection, wire);
    if (wire->kind == WIRE_EVENT_VIOLATION && wire->code == WS_VIOLATION_BAD_HEAD) {
        connection->head_is_bad = true;
        connection->head_is_long = event->span.end - event->span.begin >= HTTP_HEAD_BYTES_MAX;
    }
    if (connection->phase == PHASE_HELD || connection->phase == PHASE_HTTP ||
        !recording_begin(connection, wire->at_us))
        return;
    if (!event->ignored && ahead_begin(connection, wire, on_turn))
        return;
    recorder_client_event(connection->recording->recorder, wire);
    if (event->ignored)
        return;
    if (wire->kind == WIRE_EVENT_VIOLATION && ws_violation_close_code((enum ws_violation)wire->code) != 0)
        on_failure(connection);
    else if (wire->kind == WIRE_EVENT_PING)
        on_ping(connection, wire);
    else
        session_tell(connection, wire);
}

void intake_fed(struct connection *connection)
{
    if (connection->has_pinged && connection->phase == PHASE_OPEN && connection->seat != NULL)
        seat_step(connection->service, connection->seat,
                  &(struct engine_event){.kind = ENGINE_PING,
                                         .now_us = connection->pinged_at_us,
                                         .data = bytes_of(connection->pinged, connection->pinged_bytes)});
    connection->has_pinged = false;
    if (ws_endpoint_state(connection->endpoint) == WS_CLOSED &&
        (connection->phase == PHASE_OPEN || connection->phase == PHASE_CLOSING))
        connection_left(connection);
}
