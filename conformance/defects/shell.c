#include "conformance/defects/shell.h"

#include <stdlib.h>

#include "codec/ws/frame.h"

enum { MESSAGE_BYTES_MAX = 16 * 1024 * 1024 };

struct defect_message {
    struct defect_message *next;
    struct buffer bytes;
};

void defect_shell_release(struct defect_run *run)
{
    for (struct defect_message *message; (message = run->messages) != NULL;) {
        run->messages = message->next;
        buffer_free(&message->bytes);
        free(message);
    }
}

/* ---- what comes out ---- */

static bool say(struct defect_run *run, struct client_action *action)
{
    struct defect_message *message = malloc(sizeof *message);
    if (message == NULL)
        return false;
    message->next = run->messages;
    run->messages = message;
    buffer_init(&message->bytes, MESSAGE_BYTES_MAX);
    run->state.binary = action->kind == CLIENT_SEND_BINARY;
    const bool good =
        buffer_append(&message->bytes, action->data) && run->state.defect->say(&run->state, &message->bytes);
    action->data = buffer_bytes(&message->bytes);
    return good;
}

static bool comes_out(struct defect_run *run, struct client_action *action)
{
    const struct defect *defect = run->state.defect;
    if (defect->act != NULL && !defect->act(&run->state, action))
        return false;
    if (action->kind == CLIENT_OBSERVE)
        return defect->tell == NULL || defect->tell(&run->state, &action->observation);
    if (action->kind == CLIENT_SEND_TEXT || action->kind == CLIENT_SEND_BINARY)
        return defect->say == NULL || say(run, action);
    return true;
}

/* From the first action that was added; a function may add more. */
static void let_out(struct defect_run *run, size_t from)
{
    struct client_actions *actions = run->state.actions;
    size_t kept = from;
    if (run->state.defect->after != NULL)
        run->state.defect->after(&run->state);
    for (size_t i = from; i < actions->count; i++)
        if (comes_out(run, &actions->list[i]))
            actions->list[kept++] = actions->list[i];
    actions->count = kept;
}

/* ---- what goes in ---- */

static enum defect_taking hearing(struct defect_state *state, struct bytes message)
{
    const struct defect *defect = state->defect;
    if (defect->hides != NULL && defect->hides(state, message))
        return DEFECT_HIDE;
    if (defect->leaves_at != NULL && defect->leaves_at(state, message))
        return DEFECT_LEAVE;
    return defect->hear != NULL ? defect->hear(state, message) : DEFECT_TAKE;
}

static void hear(struct defect_run *run, struct client_event *event)
{
    struct defect_state *state = &run->state;
    state->binary = event->kind == CLIENT_BINARY;
    buffer_clear(&state->instead);
    const enum defect_taking taking = hearing(state, event->data);
    if (taking == DEFECT_LEAVE)
        client_life_begin_close(state->life, event->now_us, event->now_us, WS_CLOSE_NORMAL, true);
    event->kind = taking != DEFECT_TAKE ? CLIENT_TICK : state->binary ? CLIENT_BINARY : CLIENT_TEXT;
    if (state->instead.len > 0)
        event->data = buffer_bytes(&state->instead);
}

static void step(void *self, const struct client_event *given, struct client_actions *actions)
{
    struct defect_run *run = self;
    struct client_event event = *given;
    const struct defect *defect = run->state.defect;
    const size_t from = actions->count;
    defect_shell_release(run);
    run->state.now_us = event.now_us;
    run->state.actions = actions;
    run->state.step = NULL;
    if (defect->event != NULL)
        defect->event(&run->state, &event);
    if (event.kind == CLIENT_TEXT || event.kind == CLIENT_BINARY)
        hear(run, &event);
    run->class->step(run->state.core, &event, actions);
    let_out(run, from);
}

/* True: it is obeyed. */
static bool begin_command(struct defect_run *run, const struct client_plan_step *step, uint64_t now_us,
                          struct client_actions *actions)
{
    run->state.now_us = now_us;
    run->state.actions = actions;
    run->state.step = step;
    return run->state.defect->command == NULL || run->state.defect->command(&run->state, step);
}

static bool perform(void *self, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions)
{
    struct defect_run *run = self;
    const size_t from = actions->count;
    if (!begin_command(run, step, now_us, actions))
        return false;
    const bool commanded = run->class->plan->perform(run->state.core, step, now_us, actions);
    let_out(run, from);
    return commanded;
}

static void close_core(void *self, uint64_t now_us, struct client_actions *actions)
{
    static const struct client_plan_step CLOSE = {.what = DO_CLOSE};
    struct defect_run *run = self;
    const size_t from = actions->count;
    if (!begin_command(run, &CLOSE, now_us, actions))
        return;
    run->class->close(run->state.core, now_us, actions);
    let_out(run, from);
}

/* ---- the class ---- */

static uint64_t deadline_us(const void *self)
{
    const struct defect_run *run = self;
    return client_earlier(run->class->deadline_us(run->state.core), run->state.due_us);
}

static const struct client_life *life(const void *self)
{
    const struct defect_run *run = self;
    return run->state.life;
}

static void progress(const void *self, struct client_progress *out)
{
    const struct defect_run *run = self;
    run->class->plan->progress(run->state.core, out);
}

static void enclose(void *self, const struct client_class *class, void *core)
{
    struct defect_run *run = self;
    run->class = class;
    run->state.core = core;
    run->state.life = (struct client_life *)(uintptr_t) class->life(core);
    if (run->state.defect->begin != NULL)
        run->state.defect->begin(&run->state);
}

/* What a plan asks for is looked at by the class within. */
static const struct plan_class PLAN = {.progress = progress, .perform = perform};
static const struct client_class CLASS = {
    .step = step, .deadline_us = deadline_us, .life = life, .close = close_core, .plan = &PLAN};

void defect_shell_init(struct defect_run *run)
{
    run->shell = (struct client_shell){.class = &CLASS, .self = run, .enclose = enclose};
}
