/* Interactions that the script keeps by name. */
#include <stdlib.h>

#include "server/engine/engine_state.h"

/* Goes as deep as blocks can be: SCRIPT_DEPTH_MAX. */
static size_t names_count(const struct server_step *steps, size_t count)
{
    size_t names = 0;
    for (size_t i = 0; i < count; i++)
        names += (steps[i].as[0] != '\0' ? 1U : 0U) + names_count(steps[i].children, steps[i].child_count);
    return names;
}

bool captures_grow(struct engine *engine, const struct server_step *steps, size_t count)
{
    const size_t max = engine->capture_count + names_count(steps, count);
    if (max <= engine->capture_max)
        return true;
    struct capture *captures = realloc(engine->captures, max * sizeof *captures);
    if (captures == NULL)
        return false;
    engine->captures = captures;
    engine->capture_max = max;
    return true;
}

bool captures_init(struct engine *engine)
{
    const struct script *script = engine->config.script;
    return script == NULL || captures_grow(engine, script->steps, script->step_count);
}

static struct capture *capture_find(const struct engine *engine, struct bytes name)
{
    for (size_t i = 0; i < engine->capture_count; i++)
        if (bytes_equal_text(name, engine->captures[i].name))
            return &engine->captures[i];
    return NULL;
}

void capture_set(struct engine *engine, const char *name, const uint8_t interaction[UUID_BYTES],
                 struct actions *actions)
{
    struct capture *capture = capture_find(engine, bytes_of_text(name));
    struct action *action = NULL;
    if (capture == NULL && engine->capture_count < engine->capture_max)
        capture = &engine->captures[engine->capture_count++];
    if (capture == NULL)
        return;
    struct text capture_name = text_of(capture->name, sizeof capture->name);
    text_add(&capture_name, name);
    memcpy(capture->interaction, interaction, UUID_BYTES);
    if (actions_add(actions, ACTION_CAPTURE, name, 0, &action) == NULL || action == NULL)
        return;
    action->has_interaction = true;
    memcpy(action->interaction, interaction, UUID_BYTES);
}

bool capture_get(const struct engine *engine, struct bytes name, uint8_t out[UUID_BYTES])
{
    const struct capture *capture = capture_find(engine, name);
    if (capture == NULL)
        return false;
    memcpy(out, capture->interaction, UUID_BYTES);
    return true;
}
