/* Steps from outside: the script's own place is kept while they run, and taken up again after them. */
#include "server/engine/engine_state.h"

bool engine_inject(struct engine *engine, struct script *steps)
{
    struct suspended *suspended = &engine->suspended;
    if (engine->done || suspended->steps != NULL || engine->connection != CONNECTION_OPEN ||
        !captures_grow(engine, steps->steps, steps->step_count))
        return false;
    suspended->steps = steps;
    suspended->begun = false;
    suspended->capture_count = engine->capture_count;
    suspended->depth = engine->depth;
    memcpy(suspended->stack, engine->stack, sizeof suspended->stack);
    suspended->step = engine->step;
    suspended->state = engine->state;
    cursor_start(engine, steps->steps, steps->step_count);
    engine->deadline_us = steps_deadline_us(engine);
    return true;
}

void inject_begin(struct engine *engine, uint64_t now_us)
{
    struct suspended *suspended = &engine->suspended;
    if (suspended->steps == NULL || suspended->begun)
        return;
    suspended->begun = true;
    if (now_us > engine->now_us)
        engine->now_us = now_us;
    suspended->since_us = engine->now_us;
}

/* A serve that was under way goes on: at its own pace when no time has passed, else with a frame at once. */
static void inject_resume(struct engine *engine, struct actions *actions)
{
    const bool serving = feed_is_serving(engine);
    if (!serving || !engine->paused)
        return;
    engine->paused = false;
    if (engine->now_us > engine->suspended.since_us && !client_has_left(engine))
        feed_simple(engine, SESSION_RESUMED, actions);
}

void inject_finish(struct engine *engine, struct actions *actions)
{
    struct suspended *suspended = &engine->suspended;
    script_free(suspended->steps);
    suspended->steps = NULL;
    engine->capture_count = suspended->capture_count;
    engine->depth = suspended->depth;
    memcpy(engine->stack, suspended->stack, sizeof suspended->stack);
    engine->step = suspended->step;
    engine->state = suspended->state;
    quirks_apply(engine);
    inject_resume(engine, actions);
}
