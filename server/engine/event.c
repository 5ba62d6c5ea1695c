/* The client's events: what they do to the connection, to the session, and to a step that waits for them. */
#include "server/engine/engine_state.h"

static void feed_message(struct engine *engine, const struct engine_event *event, struct actions *actions)
{
    bool binary = event->kind == ENGINE_BINARY;
    const struct session_event message = {
        .kind = binary ? SESSION_BINARY : SESSION_TEXT,
        .now_us = engine->now_us,
        .data = event->data,
        .message_bytes = event->message_bytes,
        .came_us = event->came_us,
        .ahead = event->ahead,
    };
    feed_session(engine, &message, actions);
}

/* The client closes or is gone: told to the session once. */
static void feed_leave(struct engine *engine, enum connection_state state, struct actions *actions)
{
    bool told = engine->connection == CONNECTION_NONE || engine->connection == CONNECTION_LEFT;
    if (!told)
        feed_simple(engine, SESSION_CLOSED, actions);
    if (engine->connection != CONNECTION_NONE)
        engine->connection = state;
}

/* What recv calls the event; NULL: nothing it waits for. */
static const char *event_type(const struct engine *engine, const struct engine_event *event)
{
    switch (event->kind) {
    case ENGINE_TEXT:
    case ENGINE_BINARY:
        return engine->config.session_class->classify(event->kind == ENGINE_BINARY, event->data);
    case ENGINE_PING:
        return "ping";
    case ENGINE_PONG:
        return "pong";
    case ENGINE_CLOSE:
    case ENGINE_GONE:
        return "close";
    case ENGINE_REQUEST:
    case ENGINE_OPENED:
    case ENGINE_SHUTDOWN:
    case ENGINE_TICK:
        return NULL;
    }
    return NULL;
}

static void recv_notice(const struct server_step *step, struct step_state *state, const char *type,
                        bool message)
{
    if (step == NULL || step->kind != STEP_RECV || !state->begun)
        return;
    if (strcmp(step->word, type) == 0 || (message && strcmp(step->word, "any") == 0))
        state->received = true;
}

static void feed_receive(struct engine *engine, const struct engine_event *event)
{
    const char *type = event_type(engine, event);
    bool message = event->kind == ENGINE_TEXT || event->kind == ENGINE_BINARY;
    if (type == NULL)
        return;
    engine->counts.received += message;
    engine->counts.other += message && strcmp(type, "other") == 0;
    engine->counts.pings += event->kind == ENGINE_PING;
    engine->counts.pongs += event->kind == ENGINE_PONG;
    recv_notice(engine->step, &engine->state, type, message);
    /* A recv that injected steps hold up misses nothing. */
    if (engine->suspended.steps != NULL)
        recv_notice(engine->suspended.step, &engine->suspended.state, type, message);
}

void event_take(struct engine *engine, const struct engine_event *event, struct actions *actions)
{
    bool there = engine->connection == CONNECTION_OPEN || engine->connection == CONNECTION_CLOSING;
    feed_receive(engine, event);
    if (there && engine->put_out.len > 0) /* a replay: nothing in the session says that it is due */
        feed_simple(engine, SESSION_TICK, actions);
    switch (event->kind) {
    case ENGINE_REQUEST:
        steps_take_request(engine, event, actions);
        break;
    case ENGINE_OPENED:
        if (engine->connection == CONNECTION_REQUESTED) {
            engine->connection = CONNECTION_OPEN;
            engine->opening = true;
            engine->paused = false;
        }
        break;
    case ENGINE_TEXT:
    case ENGINE_BINARY:
        if (there)
            feed_message(engine, event, actions);
        break;
    case ENGINE_CLOSE:
        feed_leave(engine, CONNECTION_LEFT, actions);
        break;
    case ENGINE_GONE:
        feed_leave(engine, CONNECTION_NONE, actions);
        break;
    case ENGINE_SHUTDOWN:
        if (!there)
            break;
        feed_simple(engine, SESSION_SHUTDOWN, actions);
        if (feed_is_serving(engine))
            feed_simple(engine, SESSION_TICK, actions);
        break;
    case ENGINE_PING:
    case ENGINE_PONG:
    case ENGINE_TICK:
        break;
    }
}
