/* Events to the session core, and what it does with them. */
#include "server/engine/engine_state.h"

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
    const struct session_class *session_class = engine->config.session_class;
    session_class->step(engine->session, event, serving ? actions : &engine->discarded);
    const char *put_out = session_class->put_out == NULL ? NULL : session_class->put_out(engine->session);
    if (put_out != NULL)
        engine->refusal = put_out;
    const size_t to = serving ? actions->count : from;
    for (size_t n = from; n < to; n++) {
        feed_count(engine, &actions->list[n]);
        feed_pipes(engine, actions, n);
        feed_notice_end(engine, &actions->list[n]);
    }
}

void feed_simple(struct engine *engine, enum session_event_kind kind, struct actions *actions)
{
    const struct session_event event = {.kind = kind, .now_us = engine->now_us, .put_out = engine->put_out};
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

enum request_answer feed_request(struct engine *engine, const struct engine_event *request,
                                 struct actions *actions)
{
    struct http_head parsed;
    if (!http_head_parse(request->data, &parsed)) {
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
    const struct session_event event = {
        .kind = SESSION_REQUEST, .now_us = engine->now_us, .head = &parsed, .refusal = request->refusal};
    const struct session_class *session_class = engine->config.session_class;
    const enum request_answer answer = request_ask(engine, &event, actions);
    engine->refusal = session_class->refusal == NULL ? NULL : session_class->refusal(engine->session);
    return answer;
}
