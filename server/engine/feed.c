/* Events to the session core, and what the engine itself learns from them. */
#include "server/engine/engine_state.h"

bool step_serves(const struct server_step *step)
{
    return step->kind == STEP_SERVE || step->kind == STEP_ALT;
}

bool feed_is_serving(const struct engine *engine)
{
    return engine->step != NULL && step_serves(engine->step) && engine->state.begun;
}

static void feed_count(struct engine *engine, const struct action *action)
{
    if (!action_is_send(action))
        return;
    engine->counts.sent++;
    engine->counts.errors += strcmp(action->label, "error") == 0;
    engine->counts.fades += strcmp(action->label, "fade") == 0;
}

/* The pipes of serve on=, on the message at `n`. */
static void feed_pipes(struct engine *engine, struct actions *actions, size_t n)
{
    const struct server_step *step = engine->step;
    char why_data[ENGINE_WHY_MAX];
    struct text why = text_of(why_data, sizeof why_data);
    if (step->on.name[0] == '\0' || !action_is_send(&actions->list[n]) ||
        !message_is_meant(&step->on, actions->list[n].label))
        return;
    const uint64_t number = engine->state.matched++;
    if ((step->on.count != 0 && number + 1 != step->on.count) ||
        message_finish(engine, step, number, actions, n, &why) || engine->state.pipe_failed)
        return;
    const size_t count = actions->count;
    step_fail(engine, &why, actions);
    engine->state.pipe_failed = actions->count > count;
}

/* What the session did to the connection. */
static void feed_notice_end(struct engine *engine, const struct action *action)
{
    if (action->kind == ACTION_CLOSE && engine->connection == CONNECTION_OPEN)
        engine->connection = CONNECTION_CLOSING;
    if (action->kind == ACTION_RESET || action->kind == ACTION_DROP || action->delivery.end_at != 0)
        connection_forget(engine);
}

void feed_session(struct engine *engine, const struct session_event *event, struct actions *actions)
{
    if (engine->session == NULL)
        return;
    bool serving = feed_is_serving(engine);
    size_t from = actions->count;
    actions_clear(&engine->discarded);
    engine->config.session_class->step(engine->session, event, serving ? actions : &engine->discarded);
    const size_t to = serving ? actions->count : from;
    for (size_t n = from; n < to; n++) {
        feed_count(engine, &actions->list[n]);
        feed_pipes(engine, actions, n);
        feed_notice_end(engine, &actions->list[n]);
    }
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
    quirks_in_force(engine, &config.quirks);
    if (engine->session != NULL)
        engine->config.session_class->destroy(engine->session);
    engine->session = engine->config.session_class->create(&config);
    return engine->session != NULL;
}

/* Adds the header lines of the accept step to its response, which is the latest action. */
static bool response_as_asked(const struct server_step *step, struct actions *actions)
{
    struct action *action = &actions->list[actions->count - 1];
    action->delivery.joined = (uint32_t)step->count;
    for (size_t i = 0; i < step->option_count; i++) {
        if (strcmp(step->options[i].name, "header") != 0)
            continue;
        const size_t at = action->len;
        const size_t len = strlen(step->options[i].value);
        uint8_t *out = actions_rewrite(actions, action, at + len + 2);
        if (out == NULL)
            return false;
        memcpy(out + at, step->options[i].value, len);
        memcpy(out + at + len, "\r\n", 2);
        action->fault = true;
    }
    return true;
}

static enum request_answer request_ask(struct engine *engine, const struct session_event *event,
                                       struct actions *actions)
{
    const struct session_class *session_class = engine->config.session_class;
    const size_t from = actions->count;
    session_class->step(engine->session, event, actions);
    for (size_t i = from; i < actions->count; i++) {
        if (actions->list[i].kind == ACTION_ACCEPT)
            return response_as_asked(engine->step, actions) ? REQUEST_LET_IN : REQUEST_REFUSED;
    }
    const bool waits = actions->count == from && session_class->deadline_us(engine->session) != UINT64_MAX;
    return waits ? REQUEST_WAITS : REQUEST_REFUSED;
}

enum request_answer feed_waiting(struct engine *engine, struct actions *actions)
{
    const struct session_event event = {.kind = SESSION_TICK, .now_us = engine->now_us};
    return request_ask(engine, &event, actions);
}

enum request_answer feed_request(struct engine *engine, struct bytes head, struct actions *actions)
{
    struct http_head parsed;
    if (!http_head_parse(head, &parsed)) {
        refusal_add(engine->config.session_class->messages, actions, 400, NULL, 0, 0);
        return REQUEST_REFUSED;
    }
    if (!session_fresh(engine)) {
        refusal_add(engine->config.session_class->messages, actions, 503, NULL, 0, 0);
        return REQUEST_REFUSED;
    }
    /* `accept any` does not ask: a session that is told of no request lets anybody in. */
    if (strcmp(engine->step->word, "any") == 0) {
        const bool let_in = actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL) != NULL &&
                            response_as_asked(engine->step, actions);
        return let_in ? REQUEST_LET_IN : REQUEST_REFUSED;
    }
    const struct session_event event = {.kind = SESSION_REQUEST, .now_us = engine->now_us, .head = &parsed};
    return request_ask(engine, &event, actions);
}

static void feed_message(struct engine *engine, const struct engine_event *event, struct actions *actions)
{
    bool binary = event->kind == ENGINE_BINARY;
    const struct session_event message = {
        .kind = binary ? SESSION_BINARY : SESSION_TEXT,
        .now_us = engine->now_us,
        .data = event->data,
        .message_bytes = event->message_bytes,
        .came_us = event->came_us,
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

uint64_t feed_deadline_us(const struct engine *engine)
{
    bool there = engine->connection == CONNECTION_OPEN || engine->connection == CONNECTION_CLOSING;
    const bool due = engine->connection == CONNECTION_ASKED || (there && feed_is_serving(engine));
    if (!due || engine->session == NULL)
        return UINT64_MAX;
    return engine->config.session_class->deadline_us(engine->session);
}
