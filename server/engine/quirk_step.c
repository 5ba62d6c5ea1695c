/* Which quirks hold: those of the host, those that the script has set, those of the serve step in progress.
 */
#include "server/engine/engine_state.h"

static void quirks_add(struct quirks *quirks, const struct server_step *step)
{
    for (size_t i = 0; i < step->quirk_count; i++)
        quirks->value[step->quirks[i].row] = step->quirks[i].value;
}

static void quirks_add_serve(struct quirks *quirks, const struct server_step *step,
                             const struct step_state *state)
{
    if (step != NULL && step->kind == STEP_SERVE && state->begun)
        quirks_add(quirks, step);
}

void quirks_in_force(const struct engine *engine, struct quirks *out)
{
    *out = engine->quirks;
    for (size_t i = 0; i < QUIRKS_MAX; i++)
        if (engine->quirk_is_set[i])
            out->value[i] = engine->quirks_set.value[i];
    if (engine->suspended.steps != NULL)
        quirks_add_serve(out, engine->suspended.step, &engine->suspended.state);
    quirks_add_serve(out, engine->step, &engine->state);
}

void quirks_apply(struct engine *engine)
{
    struct quirks quirks;
    if (engine->session == NULL || engine->config.session_class->set_quirks == NULL)
        return;
    quirks_in_force(engine, &quirks);
    engine->config.session_class->set_quirks(engine->session, &quirks);
}

void quirk_step_run(struct engine *engine)
{
    const struct server_step *step = engine->step;
    for (size_t i = 0; i < step->quirk_count; i++)
        engine->quirk_is_set[step->quirks[i].row] = true;
    quirks_add(&engine->quirks_set, step);
    quirks_apply(engine);
}

void engine_set_quirks(struct engine *engine, const struct quirks *quirks)
{
    engine->quirks = *quirks;
    quirks_apply(engine);
    engine->deadline_us = steps_deadline_us(engine);
}

void engine_quirks(const struct engine *engine, struct quirks *out)
{
    quirks_in_force(engine, out);
}
