/* Events to the session core, and what the engine itself learns from them. */
#include "server/engine/engine_state.h"

bool feed_is_serving(const struct engine *engine)
{
    return engine->step != NULL && engine->step->kind == STEP_SERVE && engine->state.begun;
}

/* What the session did to the connection. */
static void feed_notice_end(struct engine *engine, const struct actions *actions, size_t from)
{
    for (size_t i = from; i < actions->count; i++) {
        enum action_kind kind = actions->list[i].kind;
        if (kind == ACTION_CLOSE && engine->connection == CONNECTION_OPEN)
            engine->connection = CONNECTION_CLOSING;
        if (kind == ACTION_RESET)
            engine->connection = CONNECTION_NONE;
    }
}

void feed_session(struct engine *engine, const struct session_event *event, struct actions *actions)
{
    if (engine->session == NULL)
        return;
    bool serving = feed_is_serving(engine);
    size_t from = actions->count;
    actions_clear(&engine->discarded);
    engine->config.session_class->step(engine->session, event, serving ? actions : &engine->discarded);
    if (serving)
        feed_notice_end(engine, actions, from);
}

void feed_simple(struct engine *engine, enum session_event_kind kind, struct actions *actions)
{
    const struct session_event event = {.kind = kind, .now_us = engine->now_us};
    feed_session(engine, &event, actions);
}

static bool session_fresh(struct engine *engine)
{
    struct session_config config = engine->config.session;
    config.seed += engine->accepted++;
    if (engine->session != NULL)
        engine->config.session_class->destroy(engine->session);
    engine->session = engine->config.session_class->create(&config);
    return engine->session != NULL;
}

static bool request_answer(struct engine *engine, const struct http_head *head, struct actions *actions)
{
    const struct session_event event = {.kind = SESSION_REQUEST, .now_us = engine->now_us, .head = head};
    size_t from = actions->count;
    engine->config.session_class->step(engine->session, &event, actions);
    for (size_t i = from; i < actions->count; i++)
        if (actions->list[i].kind == ACTION_ACCEPT)
            return true;
    return false;
}

bool feed_request(struct engine *engine, struct bytes head, struct actions *actions)
{
    struct http_head parsed;
    if (!http_head_parse(head, &parsed)) {
        refusal_add(actions, 400, NULL, 0, 0);
        return false;
    }
    if (!session_fresh(engine)) {
        refusal_add(actions, 503, NULL, 0, 0);
        return false;
    }
    /* `accept any` does not ask: a session that is told of no request lets anybody in. */
    if (strcmp(engine->step->word, "any") == 0)
        return actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL) != NULL;
    return request_answer(engine, &parsed, actions);
}

static void feed_message(struct engine *engine, const struct engine_event *event, struct actions *actions)
{
    bool binary = event->kind == ENGINE_BINARY;
    const struct session_event message = {
        .kind = binary ? SESSION_BINARY : SESSION_TEXT,
        .now_us = engine->now_us,
        .data = event->data,
        .message_bytes = event->message_bytes,
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
    case ENGINE_TICK:
        return NULL;
    }
    return NULL;
}

static void feed_receive(struct engine *engine, const struct engine_event *event)
{
    const char *type = event_type(engine, event);
    bool message = event->kind == ENGINE_TEXT || event->kind == ENGINE_BINARY;
    if (type == NULL || engine->step == NULL || engine->step->kind != STEP_RECV || !engine->state.begun)
        return;
    if (strcmp(engine->step->word, type) == 0 || (message && strcmp(engine->step->word, "any") == 0))
        engine->state.received = true;
}

void feed_event(struct engine *engine, const struct engine_event *event, struct actions *actions)
{
    bool there = engine->connection == CONNECTION_OPEN || engine->connection == CONNECTION_CLOSING;
    feed_receive(engine, event);
    switch (event->kind) {
    case ENGINE_REQUEST:
        steps_take_request(engine, event->data, actions);
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
    case ENGINE_PONG:
        engine->pongs++;
        break;
    case ENGINE_CLOSE:
        feed_leave(engine, CONNECTION_LEFT, actions);
        break;
    case ENGINE_GONE:
        feed_leave(engine, CONNECTION_NONE, actions);
        break;
    case ENGINE_PING:
    case ENGINE_TICK:
        break;
    }
}

uint64_t feed_deadline_us(const struct engine *engine)
{
    bool there = engine->connection == CONNECTION_OPEN || engine->connection == CONNECTION_CLOSING;
    if (!there || !feed_is_serving(engine) || engine->session == NULL)
        return UINT64_MAX;
    return engine->config.session_class->deadline_us(engine->session);
}
