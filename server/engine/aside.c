/*
 * A connection that goes on by itself: `aside` hands it, with its session, to an engine of its own that runs
 * the block, while the script is without a connection and may take the next one. So two connections of a
 * client can be there at a time, each with its own steps.
 */
#include <stdlib.h>

#include "server/engine/engine_state.h"

static bool captures_copy(const struct engine *from, struct engine *to)
{
    if (from->capture_max == 0)
        return true;
    to->captures = calloc(from->capture_max, sizeof *to->captures);
    if (to->captures == NULL)
        return false;
    memcpy(to->captures, from->captures, from->capture_count * sizeof *to->captures);
    to->capture_count = from->capture_count;
    to->capture_max = from->capture_max;
    return true;
}

static struct engine *engine_part(struct engine *engine)
{
    struct engine *aside = calloc(1, sizeof *aside);
    if (aside == NULL)
        return NULL;
    aside->config = engine->config;
    aside->scripted = true;
    aside->is_aside = true;
    aside->started = true;
    aside->now_us = engine->now_us;
    aside->accepted = engine->accepted;
    aside->counts = engine->counts;
    aside->opening = engine->opening;
    aside->paused = engine->paused;
    aside->quirks = engine->quirks;
    memcpy(aside->quirk_is_set, engine->quirk_is_set, sizeof aside->quirk_is_set);
    aside->quirks_set = engine->quirks_set;
    actions_init(&aside->discarded);
    if (!captures_copy(engine, aside)) {
        engine_free(aside);
        return NULL;
    }
    aside->connection = engine->connection;
    aside->session = engine->session;
    engine->connection = CONNECTION_NONE;
    engine->session = NULL;
    engine->opening = false;
    engine->paused = false;
    return aside;
}

enum step_result aside_run(struct engine *engine, struct text *why)
{
    if (engine->connection != CONNECTION_OPEN) {
        text_add(why, "the client is not there any more");
        return STEP_RESULT_GONE;
    }
    const struct server_step *step = engine->step;
    struct engine *aside = engine_part(engine);
    if (aside == NULL) {
        text_add(why, "no memory for a connection of its own");
        return STEP_RESULT_FAILED;
    }
    cursor_start(aside, step->children, step->child_count);
    aside->deadline_us = steps_deadline_us(aside);
    engine_free(engine->aside); /* its host has no use for it */
    engine->aside = aside;
    return STEP_RESULT_ENDED;
}

struct engine *engine_take_aside(struct engine *engine)
{
    struct engine *aside = engine->aside;
    engine->aside = NULL;
    return aside;
}
