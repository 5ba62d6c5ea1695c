/* A send step: references filled in, the message made by the family's class, then the script's own marks on
 * it. */
#include "codec/wire/buffer.h"
#include "server/engine/engine_state.h"
#include "server/script/expand.h"

struct send_values {
    size_t count;
    struct compose_option options[SCRIPT_OPTIONS_MAX];
    struct buffer buffers[SCRIPT_OPTIONS_MAX];
};

static bool value_counter(void *context, struct bytes name, uint64_t *out)
{
    const struct engine *engine = context;
    return cursor_counter(engine, name, out);
}

static bool value_interaction(void *context, struct bytes name, uint8_t out[16])
{
    const struct engine *engine = context;
    return capture_get(engine, name, out);
}

static void values_free(struct send_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        buffer_free(&values->buffers[i]);
}

/* A new interaction is new once: the further messages of the step go on with it. */
static void interaction_go_on(struct send_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->options[i].name, "interaction") == 0 &&
            strcmp(values->options[i].value, "fresh") == 0)
            values->options[i].value = "current";
}

static bool values_fill(struct engine *engine, struct send_values *values, struct text *why)
{
    const struct expand_source source = {value_counter, value_interaction, engine};
    const struct server_step *step = engine->step;
    values->count = 0;
    for (size_t i = 0; i < step->option_count; i++) {
        struct buffer *buffer = &values->buffers[values->count];
        const char *unknown = NULL;
        buffer_init(buffer, EXPANDED_BYTES_MAX);
        values->count++;
        if (!expand_references(step->options[i].value, &source, buffer, &unknown)) {
            text_add(why, unknown == NULL ? "no room for the value of " : "the script captured nothing for ");
            text_add(why, unknown == NULL ? step->options[i].name : unknown);
            return false;
        }
        values->options[i] = (struct compose_option){step->options[i].name, (const char *)buffer->data};
    }
    return true;
}

static void send_capture(struct engine *engine, const struct action *action, struct actions *actions)
{
    uint8_t interaction[UUID_BYTES];
    if (engine->step->as[0] == '\0' || engine->state.captured || !action->has_interaction)
        return;
    engine->state.captured = true;
    memcpy(interaction, action->interaction, UUID_BYTES);
    capture_set(engine, engine->step->as, interaction, actions);
}

static bool send_one(struct engine *engine, const struct send_values *values, struct actions *actions,
                     struct text *why)
{
    char error[200] = "";
    size_t from = actions->count;
    if (!engine->config.session_class->compose(engine->session, engine->now_us, engine->step->word,
                                               values->options, values->count, actions, error)) {
        text_add(why, error[0] == '\0' ? "the message could not be made" : error);
        return false;
    }
    /* What the step asks for hangs on the message it names, the last; what goes in front of it is the
     * family's own. */
    size_t made = actions->count, named = made;
    for (size_t i = from; i < made; i++)
        named = action_is_send(&actions->list[i]) ? i : named;
    for (size_t i = named; i < made; i++) {
        if (!action_is_send(&actions->list[i]))
            continue;
        if (!message_finish(engine, engine->step, engine->state.sent, actions, i, why)) {
            actions->count = from; /* it does not leave without what was asked for */
            return false;
        }
        send_capture(engine, &actions->list[i], actions);
        if (actions->list[i].delivery.end_at != 0)
            connection_forget(engine);
    }
    return true;
}

static bool connection_is_open(const struct engine *engine, struct text *why)
{
    if (engine->connection == CONNECTION_OPEN)
        return true;
    text_add(why, engine->connection == CONNECTION_CLOSING ? "our side of the connection is closed"
                                                           : "the client is not there any more");
    return false;
}

enum step_result raw_step_run(struct engine *engine, struct actions *actions, struct text *why)
{
    const struct server_step *step = engine->step;
    struct action *action = NULL;
    const size_t n = actions->count;
    if (!connection_is_open(engine, why))
        return STEP_RESULT_GONE;
    uint8_t *out = actions_add(actions, ACTION_SEND_RAW, "raw", step->payload.len, &action);
    if (out == NULL) {
        text_add(why, "no room for the bytes");
        return STEP_RESULT_FAILED;
    }
    if (step->payload.len > 0)
        memcpy(out, step->payload.data, step->payload.len);
    if (!message_finish(engine, step, 0, actions, n, why)) {
        actions->count = n;
        return STEP_RESULT_FAILED;
    }
    if (action->delivery.end_at != 0)
        connection_forget(engine);
    return STEP_RESULT_ENDED;
}

enum step_result send_step_run(struct engine *engine, struct actions *actions, struct text *why)
{
    struct send_values values;
    enum step_result result = STEP_RESULT_ENDED;
    if (!connection_is_open(engine, why))
        return STEP_RESULT_GONE;
    if (!values_fill(engine, &values, why)) {
        values_free(&values);
        return STEP_RESULT_FAILED;
    }
    while (engine->state.sent < engine->step->count && result == STEP_RESULT_ENDED) {
        if (engine->state.sent > 0)
            interaction_go_on(&values);
        if (!engine_has_room(actions))
            result = STEP_RESULT_MORE;
        else if (send_one(engine, &values, actions, why))
            engine->state.sent++;
        else
            result = STEP_RESULT_FAILED;
    }
    values_free(&values);
    return result;
}
