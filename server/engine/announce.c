/* What the journal is told of steps: that one began, or failed. */
#include "server/engine/engine_state.h"

static const char *const STEP_WORDS[] = {
    [STEP_ACCEPT] = "accept",
    [STEP_REFUSE] = "refuse",
    [STEP_SERVE] = "serve",
    [STEP_SEND] = "send",
    [STEP_RECV] = "recv",
    [STEP_WAIT] = "wait",
    [STEP_CLOSE] = "close",
    [STEP_RESET] = "reset",
    [STEP_IGNORE] = "ignore",
    [STEP_RAW] = "raw",
    [STEP_DROP] = "drop",
    [STEP_HALF_CLOSE] = "half-close",
    [STEP_STOP_READING] = "stop-reading",
    [STEP_QUIRK] = "quirk",
    [STEP_MARK] = "mark",
    [STEP_ALT] = "alt",
    [STEP_BRANCH] = "on",
    [STEP_REPEAT] = "repeat",
    [STEP_ASIDE] = "aside",
};

static uint16_t step_line(const struct engine *engine)
{
    return (uint16_t)(engine->step->line > UINT16_MAX ? UINT16_MAX : engine->step->line);
}

/* Are the steps those of a script, from the beginning or from outside? */
static bool is_announced(const struct engine *engine)
{
    return engine->scripted || engine->suspended.steps != NULL;
}

/* The quirks of a quirk or serve step as text. */
static struct bytes quirks_text(const struct server_step *step)
{
    for (size_t i = 0; step->quirk_count > 0 && i < step->option_count; i++)
        if (strcmp(step->options[i].name, "quirk") == 0)
            return bytes_of_text(step->options[i].value);
    return bytes_of(NULL, 0);
}

void step_announce(const struct engine *engine, struct actions *actions)
{
    struct action *action = NULL;
    if (!is_announced(engine))
        return;
    const struct bytes quirks = quirks_text(engine->step);
    uint8_t *out = actions_add(actions, ACTION_STEP, STEP_WORDS[engine->step->kind], quirks.len, &action);
    if (out == NULL)
        return;
    if (quirks.len > 0)
        memcpy(out, quirks.data, quirks.len);
    struct text name = text_of(action->step, sizeof action->step);
    action->code = step_line(engine);
    if (engine->step->kind != STEP_REPEAT)
        text_add(&name, engine->step->as);
}

void step_fail(const struct engine *engine, const struct text *why, struct actions *actions)
{
    struct action *action = NULL;
    if (!is_announced(engine))
        return;
    uint8_t *out =
        actions_add(actions, ACTION_STEP_FAILED, STEP_WORDS[engine->step->kind], why->len, &action);
    if (out == NULL)
        return;
    action->code = step_line(engine);
    memcpy(out, why->data, why->len);
}
