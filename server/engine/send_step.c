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
            text_add(why, unknown == NULL ? "no room for the value of " : "nothing was captured for ");
            text_add(why, unknown == NULL ? step->options[i].name : unknown);
            return false;
        }
        values->options[i] = (struct compose_option){step->options[i].name, (const char *)buffer->data};
    }
    return true;
}

static uint32_t cut_of(const struct engine *engine, const char *name, uint32_t number)
{
    uint64_t counter = 0;
    if (name[0] == '\0')
        return number;
    cursor_counter(engine, bytes_of_text(name + 1), &counter);
    return (uint32_t)counter;
}

static bool action_is_send(const struct action *action)
{
    return action->kind == ACTION_SEND_TEXT || action->kind == ACTION_SEND_BINARY ||
           action->kind == ACTION_SEND_PING;
}

/* Puts the step's delivery, name and fault on what was made. */
static void send_mark(const struct engine *engine, struct action *action)
{
    const struct server_step *step = engine->step;
    struct text name = text_of(action->step, sizeof action->step);
    action->delivery = step->delivery;
    action->delivery.slice_at = cut_of(engine, step->slice_at_text, step->delivery.slice_at);
    action->delivery.fragment_at = cut_of(engine, step->fragment_at_text, step->delivery.fragment_at);
    action->fault = action->fault || step->fault;
    text_add(&name, step->as);
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
    size_t made = actions->count;
    for (size_t i = from; i < made; i++) {
        if (!action_is_send(&actions->list[i]))
            continue;
        send_mark(engine, &actions->list[i]);
        send_capture(engine, &actions->list[i], actions);
    }
    return true;
}

enum step_result send_step_run(struct engine *engine, struct actions *actions, struct text *why)
{
    struct send_values values;
    enum step_result result = STEP_RESULT_ENDED;
    if (engine->connection != CONNECTION_OPEN) {
        text_add(why, "the client is not there any more");
        return STEP_RESULT_GONE;
    }
    if (!values_fill(engine, &values, why)) {
        values_free(&values);
        return STEP_RESULT_FAILED;
    }
    while (engine->state.sent < engine->step->count && result == STEP_RESULT_ENDED) {
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
