/* What an engine waits for: a time, a connection. */
#include "server/engine/engine_state.h"

uint64_t feed_deadline_us(const struct engine *engine)
{
    bool there = engine->connection == CONNECTION_OPEN || engine->connection == CONNECTION_CLOSING;
    const bool due = engine->connection == CONNECTION_ASKED || (there && feed_is_serving(engine));
    if (!due || engine->session == NULL)
        return UINT64_MAX;
    return engine->config.session_class->deadline_us(engine->session);
}

uint64_t steps_deadline_us(const struct engine *engine)
{
    if (engine->done)
        return UINT64_MAX;
    if (engine->more || (engine->step != NULL && !engine->state.begun))
        return 0;
    uint64_t session = feed_deadline_us(engine);
    return engine->state.end_us < session ? engine->state.end_us : session;
}

bool engine_wants_connection(const struct engine *engine)
{
    if (again_is_wanted(engine))
        return true;
    if (engine->done || engine->step == NULL || engine->state.received)
        return false;
    return step_takes_connection(engine->step) && engine->connection != CONNECTION_OPEN &&
           engine->connection != CONNECTION_ASKED && engine->connection != CONNECTION_REQUESTED;
}
