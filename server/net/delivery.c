/* Carrying out what an engine asks for on its connection. */
#include "server/net/delivery.h"

/* ---- on an open connection ---- */

/* How many frames of a message may leave in slices: what it takes in the slicer. Of more fragments than can
 * be kept in mind only the first are cut. */
static size_t frames_of(const struct action *action)
{
    const struct delivery *delivery = &action->delivery;
    size_t frames = delivery->fragment_at > 0 ? 2 : 1;
    if (!slicer_is_needed(delivery))
        return 0;
    if (delivery->fragment_every > 0)
        frames += action->len / delivery->fragment_every;
    return frames < SLICER_FRAMES_MAX ? frames : SLICER_FRAMES_MAX;
}

/* The most frames of a message, with the pings between them. */
static size_t frames_max(const struct delivery *delivery)
{
    return delivery->fragment_every > 0 || delivery->fragment_at > 0 ? 2 * (size_t)WS_FRAGMENTS_MAX : 1;
}

static bool can_take(const struct connection *connection, const struct action *action)
{
    return transport_can_send(connection->transport, frames_of(action)) &&
           ws_endpoint_has_room(connection->endpoint, action->len, frames_max(&action->delivery));
}

bool connection_is_behind(const struct connection *connection)
{
    if (connection->outbox.count > 0)
        return true;
    return connection->phase == PHASE_OPEN && !transport_can_send(connection->transport, 1);
}

/* What is put off waits for its time, and all that follows waits behind it. */
static bool is_due(const struct connection *connection, const struct action *action)
{
    return action->due_us == 0 || action->due_us <= mock_server_now_us(connection->server);
}

static void end_by(struct connection *connection, enum action_kind kind)
{
    connection->half_closed = true;
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    if (kind == ACTION_RESET)
        transport_reset(connection->transport);
    else
        transport_finish(connection->transport);
}

/* False: a part of it is still to be sent. */
static bool send_now(struct connection *connection, struct actions *actions, const struct action *action)
{
    const struct delivery *delivery = &action->delivery;
    if (connection->begun_frames == 0)
        delivery_record(connection, actions, action);
    if (action->kind == ACTION_CLOSE) {
        connection_enter(connection, PHASE_CLOSING, CLOSE_WAIT_US);
        frames_write_close(connection, actions, action);
    } else if (action->kind == ACTION_SEND_RAW) {
        frames_write_raw(connection, actions, action);
    } else if (!frames_write_message(connection, actions, action)) {
        return false;
    } else if (action->kind == ACTION_SEND_PING) {
        connection->ping.others_since = true;
    }
    if (connection->joined > 0 && (--connection->joined == 0 || action->kind == ACTION_CLOSE))
        transport_cork(connection->transport, false); /* nothing follows a close */
    if (delivery->end_at > 0 && connection->phase != PHASE_OVER) {
        connection_record_end(connection, delivery->end_by_reset, delivery->end_at);
        end_by(connection, delivery->end_by_reset ? ACTION_RESET : ACTION_DROP);
    }
    return true;
}

/* What is first to go out will not; of a message that has begun to leave only the rest. */
static void drop(struct connection *connection, const struct action *action)
{
    if (connection->begun_frames == 0)
        delivery_record_dropped(connection, action);
    connection->begun_bytes = connection->begun_frames = 0;
}

/* What needs an open connection on which we still speak. False: it has to wait. */
static bool deliver_open(struct connection *connection, struct actions *actions, const struct action *action)
{
    if (connection->phase > PHASE_OPEN || connection->half_closed) {
        drop(connection, action);
        return true;
    }
    if (connection->phase < PHASE_OPEN || !can_take(connection, action))
        return false;
    if (action->kind != ACTION_HALF_CLOSE)
        return send_now(connection, actions, action);
    delivery_record(connection, actions, action);
    connection->half_closed = true;
    ws_endpoint_mute(connection->endpoint);
    transport_half_close(connection->transport);
    return true;
}

/* RESET and DROP. */
static bool deliver_end(struct connection *connection, const struct actions *actions,
                        const struct action *action)
{
    if (connection->phase == PHASE_OVER) {
        delivery_record_dropped(connection, action);
        return true;
    }
    if (connection->phase == PHASE_JOINED ||
        (connection->phase >= PHASE_OPEN && !can_take(connection, action)))
        return false;
    delivery_record(connection, actions, action);
    end_by(connection, action->kind);
    return true;
}

/* False: it has to wait. What can no longer go out is dropped. */
static bool deliver(struct connection *connection, struct actions *actions, const struct action *action)
{
    if (connection->phase <= PHASE_OPEN && !is_due(connection, action))
        return false;
    switch (action->kind) {
    case ACTION_SEND_TEXT:
    case ACTION_SEND_BINARY:
    case ACTION_SEND_PING:
    case ACTION_SEND_RAW:
    case ACTION_CLOSE:
    case ACTION_HALF_CLOSE:
        return deliver_open(connection, actions, action);
    case ACTION_RESET:
    case ACTION_DROP:
        return deliver_end(connection, actions, action);
    case ACTION_STOP_READING:
        if (connection->phase > PHASE_OPEN) {
            delivery_record_dropped(connection, action);
            return true;
        }
        delivery_record(connection, actions, action);
        transport_stop_reading(connection->transport, action->duration_us);
        return true;
    case ACTION_MARK:
    case ACTION_CAPTURE:
    case ACTION_STEP:
    case ACTION_STEP_FAILED:
    case ACTION_SCRIPT_DONE:
        delivery_record(connection, actions, action);
        return true;
    case ACTION_ACCEPT:
    case ACTION_REFUSE:
        return true;
    }
    return true;
}

void connection_give_up(struct connection *connection)
{
    server_log(connection->server, connection, "is ended: it does not read what it gets");
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    connection_drop_all(connection);
    transport_close(connection->transport, true);
}

void connection_drop_all(struct connection *connection)
{
    for (const struct outbox_item *item = connection->outbox.first; item != NULL; item = outbox_next(item))
        drop(connection, outbox_action(item));
    outbox_clear(&connection->outbox);
    connection->goes_on = false;
}

static void wait_in_outbox(struct connection *connection, const struct actions *actions,
                           const struct action *action)
{
    if (connection->outbox.count == 0)
        connection->progress_us = mock_server_now_us(connection->server); /* from now on it is waited for */
    switch (outbox_add(&connection->outbox, actions, action)) {
    case OUTBOX_TAKEN:
        connection->goes_on = connection->goes_on || connection->begun_frames > 0;
        break;
    case OUTBOX_DROPPED:
        if (!connection->slow_is_told)
            server_log(connection->server, connection, "reads too slowly: silence frames are dropped");
        connection->slow_is_told = true;
        delivery_record_dropped(connection, action);
        break;
    case OUTBOX_FULL:
        delivery_record_dropped(connection, action);
        connection_give_up(connection);
        break;
    }
    connection_wake(connection, mock_server_now_us(connection->server)); /* its deadline is another now */
}

void connection_perform(struct connection *connection, struct actions *actions, struct action *action)
{
    if (action->delivery.delay_us > 0) {
        action->due_us = mock_server_now_us(connection->server) + action->delivery.delay_us;
        connection_wake(connection, action->due_us);
    }
    if (action->kind == ACTION_ACCEPT)
        upgrade_accept(connection, actions, action);
    else if (action->kind == ACTION_REFUSE)
        upgrade_refuse(connection, actions, action);
    else if (connection->outbox.count > 0 || !deliver(connection, actions, action))
        wait_in_outbox(connection, actions, action);
}

void connection_pump(struct connection *connection)
{
    struct mock_server *server = connection->server;
    uint64_t now_us = mock_server_now_us(server);
    connection->goes_on = false;
    while (connection->outbox.count > 0) {
        const size_t begun_frames = connection->begun_frames;
        struct action *action = outbox_first(&connection->outbox, &server->scratch);
        const bool done = action != NULL && deliver(connection, &server->scratch, action);
        if (done)
            outbox_drop_first(&connection->outbox);
        if (!done && connection->begun_frames == begun_frames)
            break;
        server->moves++;
        round_spend(server, &now_us);
        connection->goes_on = connection->outbox.count > 0 && (!done || round_is_over(server));
        if (connection->goes_on)
            break;
    }
    if (connection->goes_on)
        connection_wake(connection, now_us);
    if (!connection_is_behind(connection) && connection->seat != NULL && connection->seat->has_more)
        connection_wake(connection, now_us); /* the engine goes on */
}

uint64_t connection_delayed_until_us(const struct connection *connection)
{
    if (connection->outbox.first == NULL || connection->phase > PHASE_OPEN)
        return UINT64_MAX;
    const struct action *first = outbox_action(connection->outbox.first);
    return is_due(connection, first) ? UINT64_MAX : first->due_us;
}
