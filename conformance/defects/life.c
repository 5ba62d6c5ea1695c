/* Defects of what the clients of all families share: pings, closing, and coming back. */
#include "conformance/defects/defect.h"

enum { HTTP_UNAVAILABLE = 503, LEAVES_SECOND_US = 1500000 };

/* ---- pings and closing ---- */

bool defect_send_no_ping(struct defect_state *state, struct client_action *action)
{
    (void)defect_await_no_pong(state, action);
    return action->kind != CLIENT_SEND_PING;
}

bool defect_await_no_pong(struct defect_state *state, struct client_action *action)
{
    if (action->kind == CLIENT_SEND_PING)
        state->life->pong_deadline_us = UINT64_MAX;
    return true;
}

bool defect_leave_unmasked(struct defect_state *state, struct ws_frame *frame)
{
    frame->masked = false;
    return true;
}

bool defect_drop_pong(struct defect_state *state, struct ws_frame *frame)
{
    return frame->opcode != WS_OPCODE_PONG;
}

bool defect_empty_pong(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode == WS_OPCODE_PONG)
        frame->payload.len = 0;
    return true;
}

bool defect_overlook_ping_inside(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode < WS_OPCODE_CLOSE)
        state->seen = !frame->fin;
    return !(frame->opcode == WS_OPCODE_PING && state->seen);
}

static bool is_opening(const struct client_life *life)
{
    return life->standing == CLIENT_STANDS_UP && !life->progress.ready;
}

bool defect_stay_until_ready(struct defect_state *state, const struct client_plan_step *step)
{
    return step->what != DO_CLOSE || !is_opening(state->life);
}

void defect_wait_for_ready(struct defect_state *state)
{
    if (is_opening(state->life))
        state->life->deadline_us = UINT64_MAX;
}

bool defect_ignore_close_while_waiting(struct defect_state *state, const struct client_plan_step *step)
{
    return step->what != DO_CLOSE || state->life->standing != CLIENT_STANDS_WAITING;
}

void defect_leave(struct defect_state *state, bool for_good)
{
    client_life_begin_close(state->life, state->now_us, state->now_us, WS_CLOSE_NORMAL, for_good);
}

/* ---- coming back ---- */

/* For a third one. */
void defect_leave_second(struct defect_state *state)
{
    const struct client_life *life = state->life;
    if (life->progress.reconnects != 1 || life->ready_at_us == UINT64_MAX)
        return;
    state->due_us = life->ready_at_us + LEAVES_SECOND_US;
    if (state->now_us < state->due_us)
        return;
    state->due_us = UINT64_MAX;
    defect_leave(state, false);
}

void defect_overlook_retry_after(struct defect_state *state, struct client_event *event)
{
    event->retry_after = (struct bytes){0};
}

void defect_come_back_never(struct defect_state *state, struct client_event *event)
{
    state->life->reconnect.times = 0;
}

void defect_come_back_unasked(struct defect_state *state, struct client_event *event)
{
    if (state->life->reconnect.times == 0)
        state->life->reconnect.times = 3;
}

void defect_come_back_for_ever(struct defect_state *state, struct client_event *event)
{
    if (state->life->reconnect.times != 0)
        state->life->reconnect.times = UINT32_MAX;
}

void defect_come_back_nine_times(struct defect_state *state, struct client_event *event)
{
    state->life->reconnect.times = 9;
    defect_overlook_retry_after(state, event);
}

/* A refusal that stays is to the core one that can pass. */
void defect_come_back_after_any(struct defect_state *state, struct client_event *event)
{
    struct client_life *life = state->life;
    life->reconnect.times = 4;
    life->lasting = false;
    life->told_why = life->told_why || event->kind == CLIENT_CLOSED; /* the code says nothing more */
    event->lasting = false;
    state->kept[0].close_code = event->code;
    if (event->kind == CLIENT_REFUSED && !reconnect_status_can_pass(event->code))
        event->code = HTTP_UNAVAILABLE;
}

bool defect_tell_true_status(struct defect_state *state, struct observation *observation)
{
    if (observation->kind != OBSERVED_ERROR || strcmp(observation->code, "503") != 0)
        return true;
    struct text code = text_of(observation->code, sizeof observation->code);
    text_add_u64(&code, state->kept[0].close_code);
    return true;
}

void defect_come_back_always(struct defect_state *state, struct client_event *event)
{
    defect_come_back_after_any(state, event);
    state->life->reconnect.times = 9;
    state->life->user_closed = false;
}

void defect_come_back_at_once(struct defect_state *state)
{
    if (state->life->standing == CLIENT_STANDS_WAITING)
        state->life->retry_at_us = client_earlier(state->life->retry_at_us, state->now_us);
}

void defect_come_back_at_once_first(struct defect_state *state)
{
    if (state->life->reconnect.tried == 1)
        defect_come_back_at_once(state);
}

/* To the core each attempt that it has left is the first one. */
void defect_forget_attempts(struct defect_state *state, struct client_event *event)
{
    struct reconnect *reconnect = &state->life->reconnect;
    state->count = reconnect->tried < reconnect->times ? reconnect->tried : 0;
    reconnect->tried -= (uint32_t)state->count;
}

void defect_remember_attempts(struct defect_state *state)
{
    state->life->reconnect.tried += (uint32_t)state->count;
    state->count = 0;
}
