/* An engine as it is made, and its end. */
#include <stdlib.h>

#include "server/engine/engine_state.h"

/* What runs without a script. */
static const struct server_step SERVICE_STEPS[] = {{.kind = STEP_ACCEPT}, {.kind = STEP_SERVE}};
enum { SERVICE_STEP_COUNT = sizeof SERVICE_STEPS / sizeof SERVICE_STEPS[0] };

struct engine *engine_new(const struct engine_config *config)
{
    struct engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return NULL;
    engine->config = *config;
    engine->scripted = config->script != NULL;
    engine->quirks = config->session.quirks;
    actions_init(&engine->discarded);
    if (!captures_init(engine)) {
        engine_free(engine);
        return NULL;
    }
    if (config->script != NULL)
        cursor_start(engine, config->script->steps, config->script->step_count);
    else
        cursor_start(engine, SERVICE_STEPS, SERVICE_STEP_COUNT);
    engine->deadline_us = steps_deadline_us(engine);
    return engine;
}

void engine_free(struct engine *engine)
{
    if (engine == NULL)
        return;
    if (engine->session != NULL)
        engine->config.session_class->destroy(engine->session);
    engine_free(engine->aside);
    actions_free(&engine->discarded);
    script_free(engine->suspended.steps);
    free(engine->captures);
    free(engine);
}
