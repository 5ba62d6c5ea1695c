/*
 * A client that was turned away and comes again. A script turns a connection away when it answers it or ends
 * it without having waited for anything of the client: refuse and ignore; an accept after which come only
 * sends, waits and the like up to close, reset or drop. When no step is left that takes a connection, or none
 * does just now, the steps of the connection that was turned away last are done once more for the next one:
 * what the client hears last is what the script is about. The script's own place is kept meanwhile.
 */
#include "server/engine/engine_state.h"

/* Does it neither wait for the client nor end the connection? */
static bool step_goes_on(const struct server_step *step)
{
    switch (step->kind) {
    case STEP_SEND:
    case STEP_WAIT:
    case STEP_RAW:
    case STEP_HALF_CLOSE:
    case STEP_STOP_READING:
    case STEP_QUIRK:
    case STEP_MARK:
        return true;
    case STEP_REPEAT: /* as deep as blocks can be: SCRIPT_DEPTH_MAX */
        for (size_t i = 0; i < step->child_count; i++)
            if (!step_goes_on(&step->children[i]))
                return false;
        return true;
    case STEP_ACCEPT:
    case STEP_REFUSE:
    case STEP_SERVE:
    case STEP_RECV:
    case STEP_CLOSE:
    case STEP_RESET:
    case STEP_IGNORE:
    case STEP_DROP:
    case STEP_ALT:
    case STEP_BRANCH:
    case STEP_ASIDE:
        return false;
    }
    return false;
}

static bool step_ends_connection(const struct server_step *step)
{
    return step->kind == STEP_CLOSE || step->kind == STEP_RESET || step->kind == STEP_DROP;
}

/* The step with which the connection that the first of these takes is turned away; NULL: it is not. */
static const struct server_step *last_step(const struct server_step *steps, size_t count)
{
    if (steps[0].kind != STEP_ACCEPT)
        return &steps[0];
    for (size_t i = 1; i < count; i++) {
        if (step_ends_connection(&steps[i]))
            return &steps[i];
        if (!step_goes_on(&steps[i]))
            return NULL;
    }
    return NULL;
}

void again_note(struct engine *engine)
{
    struct again *again = &engine->again;
    /* What steps from outside do is not the script's, and what is done again is known already. */
    if (!engine->scripted || engine->suspended.steps != NULL || again->running)
        return;
    const struct position *top = &engine->stack[engine->depth - 1];
    again->last = last_step(engine->step, top->count - top->next + 1);
    again->place.depth = engine->depth;
    memcpy(again->place.stack, engine->stack, sizeof again->place.stack);
    again->place.stack[engine->depth - 1].next--;
}

bool again_is_wanted(const struct engine *engine)
{
    const struct again *again = &engine->again;
    return again->last != NULL && !again->running && again->times < ENGINE_AGAIN_MAX &&
           engine->suspended.steps == NULL && client_has_left(engine) &&
           (engine->step == NULL || !step_takes_connection(engine->step));
}

static void place_swap(struct engine *engine, struct script_place *to)
{
    struct script_place here = {.depth = engine->depth, .step = engine->step, .state = engine->state};
    memcpy(here.stack, engine->stack, sizeof here.stack);
    engine->depth = to->depth;
    memcpy(engine->stack, to->stack, sizeof to->stack);
    engine->step = to->step;
    engine->state = to->state;
    *to = here;
}

void again_begin(struct engine *engine)
{
    struct again *again = &engine->again;
    connection_forget(engine);
    again->running = true;
    again->was_done = engine->done;
    again->times++;
    again->script = again->place;
    place_swap(engine, &again->script);
    engine->done = false;
    cursor_advance(engine);
}

void again_finish(struct engine *engine, struct actions *actions)
{
    struct again *again = &engine->again;
    if (engine->connection == CONNECTION_OPEN)
        close_add(engine, ENGINE_CLOSE_CODE, bytes_of(NULL, 0), actions);
    again->running = false;
    place_swap(engine, &again->script);
    engine->done = again->was_done;
}
