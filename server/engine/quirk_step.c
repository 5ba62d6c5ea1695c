/* Which quirks hold: those of the host, those that the script has set, those of the serve step in progress.
 */
#include "server/engine/engine_state.h"

static void quirks_add(struct quirks *quirks, const struct server_step *step)
{
    for (size_t i = 0; i < step->quirk_count; i++)
        quirks->value[step->quirks[i].row] = step->quirks[i].value;
}

/* What the step sets of that row, if it does, in *out. */
static void value_take(const struct server_step *step, size_t row, uint64_t *out)
{
    for (size_t i = 0; i < step->quirk_count; i++)
        if (step->quirks[i].row == row)
            *out = step->quirks[i].value;
}

static bool serve_holds(const struct server_step *step, const struct step_state *state)
{
    return step != NULL && step->kind == STEP_SERVE && state->begun;
}

static void quirks_add_serve(struct quirks *quirks, const struct server_step *step,
                             const struct step_state *state)
{
    if (serve_holds(step, state))
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

uint64_t engine_quirk(const struct engine *engine, size_t row)
{
    uint64_t value = engine->quirk_is_set[row] ? engine->quirks_set.value[row] : engine->quirks.value[row];
    if (engine->suspended.steps != NULL && serve_holds(engine->suspended.step, &engine->suspended.state))
        value_take(engine->suspended.step, row, &value);
    if (serve_holds(engine->step, &engine->state))
        value_take(engine->step, row, &value);
    return value;
}
