/* The steps by which our side ends the connection, or lets it hang. */
#include "codec/ws/stream.h"
#include "server/engine/engine_state.h"

bool client_has_left(const struct engine *engine)
{
    return engine->connection == CONNECTION_NONE || engine->connection == CONNECTION_LEFT;
}

static const char *option_find(const struct server_step *step, const char *name)
{
    for (size_t i = 0; i < step->option_count; i++)
        if (strcmp(step->options[i].name, name) == 0)
            return step->options[i].value;
    return "";
}

static struct action *close_action(struct engine *engine, struct bytes payload, struct actions *actions)
{
    struct action *action = NULL;
    uint8_t *out = actions_add(actions, ACTION_CLOSE, "close", payload.len, &action);
    if (out == NULL)
        return NULL;
    if (payload.len > 0)
        memcpy(out, payload.data, payload.len);
    engine->connection = CONNECTION_CLOSING;
    return action;
}

void close_add(struct engine *engine, uint16_t code, struct bytes reason, struct actions *actions)
{
    struct action *action = close_action(engine, reason, actions);
    if (action != NULL)
        action->code = code;
}

static void close_raw(struct engine *engine, struct actions *actions)
{
    const struct bytes payload = engine->step->payload;
    struct action *action = close_action(engine, payload, actions);
    if (action == NULL)
        return;
    action->raw_close = true;
    action->fault = true;
    if (payload.len >= 2)
        action->code = (uint16_t)(payload.data[0] << 8 | payload.data[1]);
}

static void close_said(struct engine *engine, struct actions *actions)
{
    const struct script_number *counter = &engine->step->code_counter;
    const uint16_t code =
        counter->counter == NULL ? engine->step->code : (uint16_t)cursor_number(engine, counter);
    const size_t n = actions->count;
    close_add(engine, code, bytes_of_text(option_find(engine->step, "reason")), actions);
    if (actions->count > n)
        actions->list[n].fault = !ws_close_code_is_legal(code);
}

enum step_result close_run(struct engine *engine, struct actions *actions)
{
    if (engine->connection == CONNECTION_OPEN && engine->step->raw_close)
        close_raw(engine, actions);
    else if (engine->connection == CONNECTION_OPEN)
        close_said(engine, actions);
    return engine->connection == CONNECTION_NONE ? STEP_RESULT_ENDED : STEP_RESULT_WAITING;
}

void connection_forget(struct engine *engine)
{
    if (engine->connection == CONNECTION_NONE)
        return;
    if (engine->session != NULL) {
        const struct session_event closed = {.kind = SESSION_CLOSED, .now_us = engine->now_us};
        actions_clear(&engine->discarded);
        engine->config.session_class->step(engine->session, &closed, &engine->discarded);
    }
    engine->connection = CONNECTION_NONE;
}

void end_run(struct engine *engine, enum action_kind kind, struct actions *actions)
{
    if (engine->connection != CONNECTION_NONE)
        actions_add(actions, kind, kind == ACTION_RESET ? "reset" : "drop", 0, NULL);
    connection_forget(engine);
}

enum step_result ignore_run(struct engine *engine, struct actions *actions)
{
    /* One connection at a time: the one before makes way. */
    if (engine->connection == CONNECTION_OPEN && !engine->state.received)
        close_add(engine, ENGINE_CLOSE_CODE, bytes_of(NULL, 0), actions);
    if (!engine->state.received)
        return STEP_RESULT_WAITING;
    if (!client_has_left(engine) && engine->now_us < engine->state.end_us)
        return STEP_RESULT_WAITING;
    if (!client_has_left(engine))
        end_run(engine, ACTION_DROP, actions);
    return STEP_RESULT_ENDED;
}

void half_close_run(struct engine *engine, struct actions *actions)
{
    if (engine->connection != CONNECTION_OPEN && engine->connection != CONNECTION_CLOSING)
        return;
    if (actions_add(actions, ACTION_HALF_CLOSE, "half-close", 0, NULL) != NULL)
        engine->connection = CONNECTION_CLOSING;
}

void stop_reading_run(struct engine *engine, struct actions *actions)
{
    struct action *action = NULL;
    if (engine->connection == CONNECTION_NONE ||
        actions_add(actions, ACTION_STOP_READING, "stop-reading", 0, &action) == NULL)
        return;
    action->duration_us = engine->step->duration_us == 0 ? UINT64_MAX : engine->step->duration_us;
}
