/* Where the script is: a stack of blocks, one entry a repeat around the step. */
#include "server/engine/engine_state.h"

void cursor_start(struct engine *engine, const struct server_step *steps, size_t count)
{
    engine->stack[0] = (struct position){.steps = steps, .count = count};
    engine->depth = 1;
    cursor_advance(engine);
}

static bool position_again(struct position *position)
{
    if (position->repeat == NULL || position->counter >= position->repeat->to)
        return false;
    position->counter++;
    position->next = 0;
    return true;
}

void cursor_advance(struct engine *engine)
{
    engine->state = (struct step_state){.end_us = UINT64_MAX};
    engine->step = NULL;
    while (engine->depth > 0 && engine->step == NULL) {
        struct position *top = &engine->stack[engine->depth - 1];
        if (top->next < top->count)
            engine->step = &top->steps[top->next++];
        else if (!position_again(top))
            engine->depth--;
    }
}

void cursor_enter(struct engine *engine)
{
    const struct server_step *repeat = engine->step;
    if (engine->depth > SCRIPT_DEPTH_MAX || repeat->child_count == 0)
        return;
    engine->stack[engine->depth++] = (struct position){
        .steps = repeat->children, .count = repeat->child_count, .repeat = repeat, .counter = repeat->from};
}

void cursor_enter_branch(struct engine *engine, const struct server_step *branch)
{
    if (engine->depth <= SCRIPT_DEPTH_MAX)
        engine->stack[engine->depth++] =
            (struct position){.steps = branch->children, .count = branch->child_count};
}

bool step_takes_connection(const struct server_step *step)
{
    return step->kind == STEP_ACCEPT || step->kind == STEP_REFUSE || step->kind == STEP_IGNORE;
}

/* Goes as deep as blocks can be: SCRIPT_DEPTH_MAX. */
static bool block_takes_connection(const struct server_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (step_takes_connection(&steps[i]) ||
            block_takes_connection(steps[i].children, steps[i].child_count))
            return true;
    return false;
}

void cursor_skip_to_connection(struct engine *engine)
{
    /* Rounds of a repeat that waits for no connection are left out, however many there are. */
    while (engine->depth > 1) {
        const struct position *top = &engine->stack[engine->depth - 1];
        if (block_takes_connection(top->steps, top->count))
            break;
        engine->depth--;
    }
    cursor_advance(engine);
    while (engine->step != NULL && !step_takes_connection(engine->step)) {
        if (engine->step->kind == STEP_REPEAT &&
            block_takes_connection(engine->step->children, engine->step->child_count))
            cursor_enter(engine);
        cursor_advance(engine);
    }
}

bool cursor_counter(const struct engine *engine, struct bytes name, uint64_t *out)
{
    for (size_t i = engine->depth; i > 0; i--) {
        const struct position *position = &engine->stack[i - 1];
        if (position->repeat == NULL || !bytes_equal_text(name, position->repeat->as))
            continue;
        *out = position->counter;
        return true;
    }
    return false;
}

uint64_t cursor_number(const struct engine *engine, const struct script_number *number)
{
    uint64_t counter = 0;
    if (number->counter == NULL)
        return number->number;
    return cursor_counter(engine, bytes_of_text(number->counter), &counter) ? counter : 0;
}
