/* Defects of the request, and of coming back: IV-CON, IV-FLD. */
#include "conformance/defects/interview/tables.h"

static const uint64_t PATIENCE_US = 3000000;

/* ---- refusals ---- */

static bool is_refusal(const struct client_event *event)
{
    return event->kind == CLIENT_REFUSED ||
           (event->kind == CLIENT_CLOSED && event->code == INTERVIEW_CLOSE_POLICY);
}

static void retry_refused(struct defect_state *state, struct client_event *event)
{
    if (is_refusal(event))
        defect_come_back_after_any(state, event);
}

static void note_refusal(struct defect_state *state, struct client_event *event)
{
    state->seen = state->seen || is_refusal(event);
}

/* It tells that something is over: who says nothing at all was not there. */
static bool tell_no_refusal(struct defect_state *state, struct observation *observation)
{
    if (state->seen && observation->kind == OBSERVED_ERROR) {
        struct text code = text_of(observation->code, sizeof observation->code);
        observation->kind = OBSERVED_STATE;
        observation->text[0] = '\0';
        text_add(&code, "over");
    }
    return !state->seen || observation->kind != OBSERVED_CLOSED;
}

static void note_refused_upgrade(struct defect_state *state, struct client_event *event)
{
    state->seen = state->seen || event->kind == CLIENT_REFUSED;
}

static bool tell_no_error(struct defect_state *state, struct observation *observation)
{
    return !state->seen || observation->kind != OBSERVED_ERROR;
}

/* ---- coming back ---- */

static void take_for_failure(struct defect_state *state, struct client_event *event, uint16_t code,
                             bool has_reason)
{
    if (event->kind != CLIENT_CLOSED || event->code != code || (event->data.len > 0) != has_reason)
        return;
    event->code = INTERVIEW_CLOSE_INTERNAL;
    defect_come_back_unasked(state, event);
}

static void overlook_restart(struct defect_state *state, struct client_event *event)
{
    take_for_failure(state, event, INTERVIEW_CLOSE_RESTART, true);
}

static void overlook_end(struct defect_state *state, struct client_event *event)
{
    take_for_failure(state, event, INTERVIEW_CLOSE_NORMAL, false);
}

static void fight_back(struct defect_state *state, struct client_event *event)
{
    take_for_failure(state, event, INTERVIEW_CLOSE_NORMAL, true);
}

static void count_ups(struct defect_state *state, struct client_event *event)
{
    state->count += event->kind == CLIENT_OPENED;
}

static bool say_nothing_when_back(struct defect_state *state, struct buffer *message)
{
    return state->count < 2;
}

static void be_impatient(struct defect_state *state, struct client_event *event)
{
    if (event->kind == CLIENT_OPENED && !state->seen)
        state->due_us = event->now_us + PATIENCE_US;
}

static void open_second(struct defect_state *state)
{
    if (state->now_us < state->due_us)
        return;
    state->due_us = UINT64_MAX;
    state->seen = true;
    if (state->life->stage == INTERVIEW_CLIENT_JOINING)
        (void)client_action_add(state->actions, CLIENT_CONNECT);
}

static bool answer_first_ping(struct defect_state *state, struct ws_frame *frame)
{
    return frame->opcode != WS_OPCODE_PONG || state->count++ == 0;
}

/* ---- what was committed ---- */

static bool keep_answer(struct defect_state *state, const struct client_plan_step *step)
{
    if (step->what == DO_SPEAK)
        (void)buffer_append(&state->bytes,
                            bytes_of(step->samples, step->sample_count * sizeof *step->samples));
    return true;
}

static void count_sessions(struct defect_state *state, struct client_event *event)
{
    state->count += event->kind == CLIENT_OPENED;
    defect_come_back_unasked(state, event);
}

static void say_again(struct defect_state *state)
{
    struct interview_client *client = defect_interview_client(state);
    state->due_us = UINT64_MAX;
    if (state->said || state->count < 2 || state->life->stage != INTERVIEW_CLIENT_TALKING ||
        !answers_are_empty(&client->answers))
        return;
    state->said = true;
    state->due_us = state->now_us; /* to begin */
    (void)interview_client_answer(client, (const int16_t *)(const void *)state->bytes.data,
                                  state->bytes.len / sizeof(int16_t));
}

static const struct defect ROWS[] = {
    {.name = "other-token-name",
     .requirement = "IV-CON-01",
     .wrong = "sends its token as access_token",
     .swap = {"?token=", "?access_token="},
     .request = defect_swap_in_head},
    {.name = "token-twice",
     .requirement = "IV-CON-01",
     .wrong = "sends two tokens, of which the first is none",
     .swap = {"?token=", "?token=again&token="},
     .request = defect_swap_in_head},
    {.name = "token-with-scheme",
     .requirement = "IV-CON-01",
     .wrong = "puts a scheme before its token",
     .swap = {"?token=", "?token=Bearer%20"},
     .request = defect_swap_in_head},
    {.name = "other-interview",
     .requirement = "IV-CON-01",
     .wrong = "asks for another interview than the one it was given",
     .swap = {"/interviews/3d2c1a70", "/interviews/00000000"},
     .request = defect_swap_in_head},
    {.name = "retries-when-refused",
     .requirement = "IV-CON-02",
     .wrong = "tries again with the same token when it was refused",
     .event = retry_refused,
     .tell = defect_tell_true_status},
    {.name = "hides-refusal",
     .requirement = "IV-CON-02",
     .wrong = "says nothing of a refusal",
     .implies = {"IV-ERR-01"},
     .cases = "interview/connect/refused-*",
     .event = note_refusal,
     .tell = tell_no_refusal},
    {.name = "takes-refusal-for-an-end",
     .requirement = "IV-CON-02",
     .wrong = "tells of a refused upgrade that the session is over, and not why",
     .cases = "interview/connect/refused-status*",
     .event = note_refused_upgrade,
     .tell = tell_no_error},
    {.name = "interview-comes-back-at-once",
     .requirement = "IV-CON-03",
     .wrong = "tries again at once",
     .after = defect_come_back_at_once},
    {.name = "interview-comes-back-unasked",
     .requirement = "IV-CON-03",
     .wrong = "tries again at once where nobody asked it to",
     .cases = "interview/close/*-for-any-client",
     .event = defect_come_back_unasked,
     .after = defect_come_back_at_once},
    {.name = "interview-waits-the-same",
     .requirement = "IV-CON-03",
     .wrong = "waits as long before each attempt",
     .event = defect_forget_attempts,
     .after = defect_remember_attempts},
    {.name = "interview-comes-back-for-ever",
     .requirement = "IV-CON-03",
     .wrong = "never gives up",
     .ends_badly = true,
     .event = defect_come_back_for_ever},
    {.name = "interview-comes-back-never",
     .requirement = "IV-CON-03",
     .wrong = "takes it that it is to reconnect, and never does",
     .cases = "interview/close/restart",
     .event = defect_come_back_never},
    {.name = "mute-when-back",
     .requirement = "IV-CON-03",
     .wrong = "says nothing once it has come back after a restart",
     .cases = "interview/close/restart",
     .say = say_nothing_when_back,
     .event = count_ups},
    {.name = "overlooks-restart",
     .requirement = "IV-CON-03",
     .wrong = "comes back after 1012 as soon as after any other loss",
     .implies = {"IV-ERR-01"},
     .event = overlook_restart},
    {.name = "comes-back-after-the-end",
     .requirement = "IV-CON-03",
     .wrong = "comes back after 1000",
     .event = overlook_end},
    {.name = "opens-a-second",
     .requirement = "IV-CON-04",
     .wrong = "opens a second connection when the status connected does not come in three seconds",
     .ends_badly = true,
     .event = be_impatient,
     .after = open_second},
    {.name = "interview-no-pong",
     .requirement = "IV-CON-05",
     .wrong = "answers no ping",
     .up = defect_drop_pong},
    {.name = "interview-pongs-once",
     .requirement = "IV-CON-05",
     .wrong = "answers the first ping and no other",
     .cases = "interview/pause/*",
     .up = answer_first_ping},
    {.name = "interview-empty-pong",
     .requirement = "IV-CON-05",
     .wrong = "answers pings without their data",
     .up = defect_empty_pong},
    {.name = "interview-no-pong-inside",
     .requirement = "IV-CON-05",
     .wrong = "answers no ping that comes between the fragments of a message",
     .cases = "interview/connect/ping-inside",
     .down = defect_overlook_ping_inside},
    {.name = "interview-unmasked",
     .requirement = "IV-CON-06",
     .wrong = "leaves the mask off its frames",
     .up = defect_leave_unmasked},
    {.name = "fights-back",
     .requirement = "IV-FLD-01",
     .wrong = "comes back when a newer connection took its place",
     .implies = {"IV-ERR-01"},
     .event = fight_back},
    {.name = "says-it-again",
     .requirement = "IV-FLD-02",
     .wrong = "sends an answer again that it committed before the connection was lost",
     .event = count_sessions,
     .command = keep_answer,
     .after = say_again},
};

const struct defect_table INTERVIEW_DEFECTS_CONNECT = DEFECT_TABLE(ROWS);
