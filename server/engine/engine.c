/* Events in, time passing, steps run. */
#include "server/engine/engine.h"

#include "server/core/warm.h"
#include "server/engine/engine_state.h"

/* What a pass of the loop below can change. */
struct progress_mark {
    uint64_t now_us;
    size_t actions;
    const struct server_step *step;
};

static bool mark_equals(struct progress_mark a, struct progress_mark b)
{
    return a.now_us == b.now_us && a.actions == b.actions && a.step == b.step;
}

/*
 * Goes from deadline to deadline up to `now_us`, each at its own time: a host that comes late gets the same
 * actions as one that is on time. A session that wants to be called but does nothing ends the loop.
 */
static void engine_pass_time(struct engine *engine, uint64_t now_us, struct actions *actions)
{
    steps_run(engine, actions);
    for (uint64_t due = steps_deadline_us(engine); !engine->more && due <= now_us;
         due = steps_deadline_us(engine)) {
        struct progress_mark before = {engine->now_us, actions->count, engine->step};
        if (due > engine->now_us)
            engine->now_us = due;
        if (feed_deadline_us(engine) <= engine->now_us)
            steps_tick(engine, actions);
        steps_run(engine, actions);
        if (mark_equals(before, (struct progress_mark){engine->now_us, actions->count, engine->step}))
            return;
    }
}

static void take(struct engine *engine, const struct engine_event *event, struct actions *actions)
{
    /* The script begins when the host first comes. */
    if (!engine->started)
        engine->now_us = event->now_us;
    engine->started = true;
    inject_begin(engine, event->now_us);
    engine_pass_time(engine, event->now_us, actions);
    /* With more to do, time stands until the host comes again; a message waits for nothing. */
    if (!engine->more && event->now_us > engine->now_us)
        engine->now_us = event->now_us;
    if (event->kind == ENGINE_REQUEST && again_is_wanted(engine)) {
        again_begin(engine);
        steps_run(engine, actions);
    }
    if (engine->done)
        return;
    event_take(engine, event, actions);
    steps_run(engine, actions);
}

void engine_step(struct engine *engine, const struct engine_event *event, struct actions *actions)
{
    engine->refusal = NULL;
    engine->put_out = event->kind == ENGINE_REQUEST ? bytes_of(NULL, 0) : event->refusal;
    take(engine, event, actions);
    engine->deadline_us = steps_deadline_us(engine);
}

const char *engine_refusal(const struct engine *engine)
{
    return engine->refusal;
}

void engine_warm(const struct engine *engine)
{
    warm(engine, WARM_LINE_BYTES);
    warm(&engine->config.script, offsetof(struct engine, stack) - offsetof(struct engine, config.script));
    warm(&engine->step, WARM_LINE_BYTES);
}

void engine_warm_session(const struct engine *engine)
{
    if (engine->session != NULL && engine->config.session_class->warm != NULL)
        engine->config.session_class->warm(engine->session);
}

uint64_t engine_deadline_us(const struct engine *engine)
{
    return engine->deadline_us;
}

void engine_set_epoch_ms(struct engine *engine, uint64_t epoch_ms)
{
    engine->config.session.epoch_ms = epoch_ms;
    if (engine->session != NULL && engine->config.session_class->set_epoch_ms != NULL)
        engine->config.session_class->set_epoch_ms(engine->session, epoch_ms);
}

bool engine_is_done(const struct engine *engine)
{
    return engine->done;
}

unsigned engine_line(const struct engine *engine)
{
    return engine->step == NULL ? 0 : engine->step->line;
}
