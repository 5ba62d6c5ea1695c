/* The life of a connection, from the first byte to the last handle. */
#include "server/net/net.h"

#include <stdlib.h>
#include <unistd.h>

#include "server/core/warm.h"

/* ---- what its transport tells ---- */

static void head_refuse(struct connection *connection)
{
    if (connection->head_is_long)
        connection_refuse(connection, 431, "", "The request head is too large.");
    else
        connection_refuse(connection, 400, "", "That is no HTTP request.");
}

/* Reads frames as long as it is this client's turn: they cost time by their number more than by their size.
 * One that had all of its turn rests; one that was cut short because of others goes before them in the next
 * round. A frame that is longer than what is read of a socket at once takes several calls: in a round that is
 * over, one. Returns how many bytes were read. */
static size_t turn_take(struct connection *connection, struct bytes data, uint64_t *again_us)
{
    struct mock_server *server = connection->server;
    uint64_t now_us = mock_server_now_us(server);
    size_t taken = 0;
    unsigned frames = 0;
    bool has_first = connection->turn_round != server->round_number;
    connection->turn_round = server->round_number;
    while (taken < data.len && frames < TURN_FRAMES && (has_first || !round_is_over(server)) &&
           connection->phase != PHASE_HTTP && connection->phase != PHASE_HELD && connection->ahead == NULL) {
        struct ws_budget budget = {.frames = 1, .bytes = SIZE_MAX};
        taken += ws_endpoint_feed(connection->endpoint, now_us, bytes_of(data.data + taken, data.len - taken),
                                  &budget);
        intake_fed(connection);
        round_spend(server, &now_us);
        frames++;
        has_first = false;
        connection->is_hasty = connection->is_hasty || (connection->phase < PHASE_JOINED &&
                                                        connection->head_bytes > 0 && taken < data.len);
    }
    if (frames == 0)
        server->moves++;          /* in the next round, at once */
    connection_flush(connection); /* what the endpoint has answered by itself */
    *again_us = now_us + (frames < TURN_FRAMES ? 0 : TURN_REST_US);
    return taken;
}

static size_t data_take(struct connection *connection, struct bytes data, uint64_t *again_us)
{
    const size_t taken = connection->phase == PHASE_HTTP ? 0 : turn_take(connection, data, again_us);
    if (connection->phase == PHASE_HTTP) {
        http_received(connection, bytes_of(data.data + taken, data.len - taken));
        return data.len;
    }
    if (connection->phase == PHASE_HEAD && connection->head_bytes > 0)
        admission_decide(connection);
    else if (connection->phase == PHASE_HEAD && connection->head_is_bad)
        head_refuse(connection);
    return taken;
}

static size_t on_received(void *context, struct bytes data, uint64_t *again_us)
{
    struct connection *connection = context;
    const bool is_new = connection->phase == PHASE_HEAD;
    const uint64_t since_us = is_new ? mock_server_now_us(connection->server) : 0;
    connection->has_spoken = true;
    if (is_new && newcomer_must_wait(connection)) {
        *again_us = UINT64_MAX; /* once it is not held any more */
        return 0;
    }
    const size_t taken = data_take(connection, data, again_us);
    if (is_new)
        newcomer_spend(connection, since_us);
    return taken;
}

static void on_ended(void *context, bool reset)
{
    struct connection *connection = context;
    if (connection->phase == PHASE_HTTP) {
        http_ended(connection, reset);
        return;
    }
    if (connection->recording != NULL)
        ws_endpoint_end(connection->endpoint, mock_server_now_us(connection->server), reset);
    connection_left(connection);
}

static void on_refused(void *context, const char *words)
{
    const struct connection *connection = context;
    connection->server->tls_refusals++;
    server_log(connection->server, connection, words);
}

static void on_progressed(void *context)
{
    struct connection *connection = context;
    connection->progress_us = mock_server_now_us(connection->server);
    connection->server->moves++;
    if (connection->phase == PHASE_HTTP)
        http_progressed(connection);
    else
        connection_pump(connection);
}

static void on_over(void *context)
{
    struct connection *connection = context;
    connection->transport_is_over = true;
    connection->server->something_over = true;
    /* Nothing that the engine makes from now on would leave. */
    connection->left = true;
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    connection_pump(connection);
    seat_leave(connection);
    connection_wake(connection, mock_server_now_us(connection->server));
}

static uint64_t on_now(void *context)
{
    const struct connection *connection = context;
    return mock_server_now_us(connection->server);
}

static void on_due(void *context, uint64_t at_us)
{
    struct connection *connection = context;
    connection_wake(connection, at_us);
}

/* ---- its life ---- */

static uint64_t handshake_wait_us(const struct connection *connection)
{
    uint32_t speed = connection->service->options.engine.session.speed;
    const bool has_place = connection->has_place;
    const uint64_t wait_us =
        (has_place ? HANDSHAKE_WAIT_US : CONTROL_HEAD_WAIT_US) / (speed == 0 ? 1 : speed);
    return has_place && wait_us < HANDSHAKE_WAIT_MIN_US ? HANDSHAKE_WAIT_MIN_US : wait_us;
}

void connection_new(struct mock_server *server, int fd)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        close(fd);
        return;
    }
    connection->server = server;
    service_join(server->service, connection);
    wheel_entry_init(&connection->due);
    connection->progress_us = mock_server_now_us(server);
    buffer_init(&connection->request,
                HTTP_HEAD_BYTES_MAX + TRANSPORT_READ_BYTES); /* and what comes with it */
    const struct transport_events events = {.received = on_received,
                                            .ended = on_ended,
                                            .refused = on_refused,
                                            .progressed = on_progressed,
                                            .over = on_over,
                                            .now_us = on_now,
                                            .due = on_due,
                                            .context = connection};
    /* How long things may last is the phases' to say. */
    const struct ws_options options = {.role = WS_SERVER,
                                       .message_bytes_max = message_kept_max(connection),
                                       .room = &server->messages,
                                       .inflated_bytes_max = connection_inflated_max(connection),
                                       .out_bytes_max = OUT_BYTES_MAX,
                                       .handshake_wait_us = UINT64_MAX,
                                       .close_wait_us = UINT64_MAX,
                                       .sink = intake_event,
                                       .context = connection};
    connection->endpoint = ws_endpoint_new(&options, connection->progress_us);
    if (connection->endpoint == NULL)
        close(fd);
    else
        connection->transport = transport_new(server->loop, fd, server->tls, connection->endpoint, &events);
    if (connection->transport == NULL) {
        service_leave(connection);
        ws_endpoint_free(connection->endpoint);
        free(connection);
        return;
    }
    connection->next = server->connections;
    server->connections = connection;
    server->connection_count++;
    if (server->connection_most < server->connection_count)
        server->connection_most = server->connection_count;
    admission_take_place(connection);
    connection_enter(connection, PHASE_HEAD, handshake_wait_us(connection));
}

bool connection_is_free(const struct connection *connection)
{
    return connection->transport_is_over;
}

void connection_free(struct connection *connection)
{
    struct mock_server *server = connection->server;
    connection_pump(connection);
    seat_leave(connection);
    if (connection->number != 0)
        server_log(server, connection, "is over");
    recording_end(connection, mock_server_now_us(server));
    if (connection->own_seat.engine != NULL)
        engine_free(connection->own_seat.engine);
    connection_drop_all(connection);
    intake_free(connection);
    ahead_leave(connection);
    buffer_free(&connection->request);
    transport_free(connection->transport);
    ws_endpoint_free(connection->endpoint);
    http_free(connection);
    newcomer_leave(connection);
    server->place_count -= connection->has_place ? 1 : 0;
    service_leave(connection);
    wheel_set(&server->wheel, &connection->due, UINT64_MAX);
    free(connection);
}

void connection_dismiss(struct connection *connection, uint16_t code)
{
    struct mock_server *server = connection->server;
    struct action *action;
    if (connection->transport_is_over)
        return;
    connection_drop_all(connection);
    switch (connection->phase) {
    case PHASE_OPEN:
        if (code == WS_CLOSE_GOING_AWAY && connection->seat != NULL)
            seat_step(connection->service, connection->seat,
                      &(struct engine_event){.kind = ENGINE_SHUTDOWN, .now_us = mock_server_now_us(server)});
        actions_clear(&server->scratch);
        if (actions_add(&server->scratch, ACTION_CLOSE, "close", 0, &action) != NULL) {
            action->code = code;
            action->by_host = true;
            connection_perform(connection, &server->scratch, action);
        }
        break;
    case PHASE_HEAD:
    case PHASE_HELD:
    case PHASE_ASKING:
        connection->left = true;
        transport_close(connection->transport, false);
        break;
    case PHASE_JOINED:
        connection_left(connection);
        break;
    case PHASE_HTTP: /* has a time limit of its own */
    case PHASE_CLOSING:
    case PHASE_OVER:
        break;
    }
}

/* When a client that has much to read and takes nothing is given up; UINT64_MAX: it reads. */
static uint64_t unread_by_us(const struct connection *connection)
{
    uint32_t speed = connection->service->options.engine.session.speed;
    bool much = connection->outbox.bytes > OUTBOX_SILENCE_BYTES_MAX;
    if ((!much && (connection->seat == NULL || !seat_is_waiting(connection->seat))) ||
        connection_delayed_until_us(connection) != UINT64_MAX)
        return UINT64_MAX;
    return connection->progress_us + UNREAD_WAIT_US / (speed == 0 ? 1 : speed);
}

uint64_t connection_deadline_us(const struct connection *connection)
{
    /* connection_tick does nothing any more, so nothing may ask for it. */
    if (connection->transport_is_over)
        return UINT64_MAX;
    if (connection->goes_on || connection->phase == PHASE_JOINED)
        return 0;
    uint64_t deadline = earlier(connection->phase_by_us, unread_by_us(connection));
    deadline = earlier(deadline, ping_deadline_us(connection));
    deadline = earlier(deadline, connection_delayed_until_us(connection));
    deadline = earlier(deadline, transport_deadline_us(connection->transport));
    return connection->seat == NULL ? deadline : earlier(deadline, seat_deadline_us(&connection->own_seat));
}

/* The request that was held back is seen now. */
static void held_is_due(struct connection *connection, uint64_t now_us)
{
    connection->phase = PHASE_HEAD;
    connection->phase_by_us = UINT64_MAX;
    transport_hold(connection->transport, false);
    if (!recording_begin(connection, now_us))
        return;
    struct wire_event event = {.at_us = now_us,
                               .direction = WIRE_FROM_CLIENT,
                               .kind = WIRE_EVENT_REQUEST,
                               .data = buffer_bytes(&connection->request)};
    recorder_client_event(connection->recording->recorder, &event);
    admission_decide(connection);
}

/* A client can answer our close frame once it has gone out, behind all that waits and the gaps in that. */
static uint64_t close_by_us(const struct connection *connection)
{
    const uint64_t gap_until_us = connection->transport->gap_until_us;
    return (gap_until_us != 0 ? gap_until_us : connection->progress_us) + CLOSE_WAIT_US;
}

/* The phase has lasted too long. */
static void phase_is_over(struct connection *connection, uint64_t now_us)
{
    connection->phase_by_us = UINT64_MAX;
    switch (connection->phase) {
    case PHASE_HEAD:
        if (connection->is_queued) {
            connection_enter(connection, PHASE_HEAD, NEWCOMER_WAIT_US);
        } else if (connection->has_spoken) {
            connection_refuse(connection, 408, "", "The request head did not come whole in time.");
        } else {
            connection->left = true;
            transport_close(connection->transport, false);
        }
        break;
    case PHASE_HTTP:
        http_is_late(connection);
        break;
    case PHASE_HELD:
        held_is_due(connection, now_us);
        break;
    case PHASE_CLOSING:
        if (close_by_us(connection) > now_us) {
            connection_enter(connection, PHASE_CLOSING, close_by_us(connection) - now_us);
            break;
        }
        server_log(connection->server, connection, "is ended: the closing handshake was not completed");
        connection_enter(connection, PHASE_OVER, UINT64_MAX);
        transport_finish(connection->transport);
        break;
    case PHASE_JOINED: /* opened by the next tick, or by what comes before that */
    case PHASE_ASKING:
    case PHASE_OPEN:
    case PHASE_OVER:
        break;
    }
}

void connection_warm(const struct connection *connection, enum warm_part part)
{
    const struct engine *engine = connection->own_seat.engine;
    switch (part) {
    case WARM_CONNECTION:
        warm(connection, offsetof(struct connection, has_pinged));
        break;
    case WARM_ENGINE:
        warm(&connection->transport->interest,
             offsetof(struct transport, slicer) - offsetof(struct transport, interest));
        if (engine != NULL)
            engine_warm(engine);
        if (connection->own_recording.recorder != NULL)
            recorder_warm(connection->own_recording.recorder);
        break;
    case WARM_SESSION:
        if (engine != NULL)
            engine_warm_session(engine);
        break;
    case WARM_PARTS:
        break;
    }
}

void connection_tick(struct connection *connection, uint64_t now_us)
{
    if (connection->transport_is_over)
        return;
    if (connection->phase == PHASE_HELD && connection->service->script_seat.connection == NULL)
        held_is_due(connection, now_us);
    if (connection->phase == PHASE_JOINED) {
        intake_open(connection);
        intake_fed(connection);
    }
    if (connection->phase_by_us <= now_us)
        phase_is_over(connection, now_us);
    if (connection->outbox.count > 0 && outbox_action(connection->outbox.first)->due_us != 0 &&
        connection_delayed_until_us(connection) == UINT64_MAX) {
        connection->progress_us = now_us; /* it was we who waited */
        connection_pump(connection);
    }
    if (connection->goes_on && connection->phase == PHASE_HTTP)
        http_progressed(connection);
    else if (connection->goes_on)
        connection_pump(connection);
    if (unread_by_us(connection) <= now_us)
        connection_give_up(connection);
    ping_tick(connection, now_us);
    if (connection->left)
        seat_leave(connection);
    if (connection->seat == &connection->own_seat)
        seat_tick(connection->service, &connection->own_seat, now_us);
    if (transport_is_ending(connection->transport) || transport_deadline_us(connection->transport) <= now_us)
        transport_tick(connection->transport, now_us);
}
