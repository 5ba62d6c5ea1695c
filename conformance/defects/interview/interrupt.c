/* Defects of interrupting: IV-IN-06. */
#include "conformance/defects/interview/tables.h"

enum { FORGETS_US = 1000000 };

static bool keep_queue(struct defect_state *state, const struct client_plan_step *step)
{
    if (step->what == DO_CANCEL)
        defect_take_queue(state, &defect_interview_client(state)->player);
    return true;
}

static void put_queue_back(struct defect_state *state)
{
    defect_return_queue(state, &defect_interview_client(state)->player);
}

static void hear_all(struct defect_state *state)
{
    defect_interview_client(state)->muted = false;
}

static bool note_cancel(struct defect_state *state, const struct client_plan_step *step)
{
    state->seen = state->seen || step->what == DO_CANCEL;
    return true;
}

static void stay_muted(struct defect_state *state)
{
    struct interview_client *client = defect_interview_client(state);
    client->muted = client->muted || state->seen;
}

static bool is_chunk(const struct defect_state *state, struct bytes message)
{
    return defect_interview_is(state, message, INTERVIEW_MESSAGE_AI_AUDIO_CHUNK);
}

static bool is_final_chunk(const struct defect_state *state, struct bytes message)
{
    return is_chunk(state, message) && defect_holds(message, "\"is_final\":true");
}

/* ---- what belongs to the reply that was interrupted ---- */

static void ignore_only_what_began(struct defect_state *state)
{
    struct interview_client *client = defect_interview_client(state);
    if (state->step != NULL && state->step->what == DO_CANCEL && !client->reply_open)
        client->muted = false;
}

static bool note_idle_cancel(struct defect_state *state, const struct client_plan_step *step)
{
    const struct interview_client *client = defect_interview_client(state);
    state->seen = state->seen || (step->what == DO_CANCEL && !client->awaits_reply && !client->reply_open);
    return true;
}

static enum defect_taking note_final(struct defect_state *state, struct bytes message)
{
    state->seen = state->seen && !is_final_chunk(state, message);
    return DEFECT_TAKE;
}

static void forget_after_a_second(struct defect_state *state)
{
    if (state->step != NULL && state->step->what == DO_CANCEL)
        state->due_us = state->now_us + FORGETS_US;
    if (state->now_us < state->due_us)
        return;
    state->due_us = UINT64_MAX;
    defect_interview_client(state)->muted = false;
}

/* ---- the reply to the next answer ---- */

static enum defect_taking note_stray_final(struct defect_state *state, struct bytes message)
{
    state->said = state->seen && defect_interview_client(state)->awaits_reply &&
                  is_final_chunk(state, message) && defect_holds(message, "\"audio\":\"\"");
    return DEFECT_TAKE;
}

static void await_next_commit(struct defect_state *state)
{
    struct interview_client *client = defect_interview_client(state);
    client->muted = client->muted || state->said;
    state->said = false;
}

static enum defect_taking note_chunk(struct defect_state *state, struct bytes message)
{
    state->said = state->seen && defect_interview_client(state)->awaits_reply && is_chunk(state, message);
    return DEFECT_TAKE;
}

static void miss_first_chunk(struct defect_state *state)
{
    struct interview_client *client = defect_interview_client(state);
    if (!state->seen || !client->awaits_reply)
        return;
    client->muted = !state->said;
    state->seen = !state->said;
}

static bool send_no_cancel(struct defect_state *state, struct buffer *message)
{
    return !defect_interview_is(state, buffer_bytes(message), INTERVIEW_MESSAGE_CANCEL_RESPONSE);
}

static const struct defect ROWS[] = {
    {.name = "plays-queue-on",
     .requirement = "IV-IN-06",
     .wrong = "plays on what is queued when it interrupts",
     .command = keep_queue,
     .after = put_queue_back},
    {.name = "plays-late-chunks",
     .requirement = "IV-IN-06",
     .wrong = "plays the chunks of an interrupted reply that come later",
     .after = hear_all},
    {.name = "ignores-only-what-began",
     .requirement = "IV-IN-06",
     .wrong = "plays a reply that it interrupted before the first chunk had come",
     .cases = "interview/interrupt/before-first-chunk",
     .after = ignore_only_what_began},
    {.name = "forgets-after-a-second",
     .requirement = "IV-IN-06",
     .wrong = "plays what comes of an interrupted reply more than a second later",
     .cases = "interview/interrupt/final-late",
     .after = forget_after_a_second},
    {.name = "ignores-after-idle-cancel",
     .requirement = "IV-IN-06",
     .wrong = "ignores the next reply when it interrupts where nothing is being said",
     .cases = "interview/interrupt/while-idle",
     .command = note_idle_cancel,
     .hear = note_final,
     .after = stay_muted},
    {.name = "stray-final-mutes",
     .requirement = "IV-IN-06",
     .wrong = "takes a late is_final of an interrupted reply for the end of the next one",
     .cases = "interview/interrupt/stray-final",
     .command = note_cancel,
     .hear = note_stray_final,
     .after = await_next_commit},
    {.name = "misses-the-next-beginning",
     .requirement = "IV-IN-06",
     .wrong = "plays the reply to the answer after an interruption without its first chunk",
     .command = note_cancel,
     .hear = note_chunk,
     .after = miss_first_chunk},
    {.name = "stays-muted",
     .requirement = "IV-IN-06",
     .wrong = "plays nothing any more once it has interrupted",
     .ends_badly = true,
     .command = note_cancel,
     .after = stay_muted},
    {.name = "sends-no-cancel",
     .requirement = "IV-IN-06",
     .wrong = "sends no cancel_response when it interrupts",
     .say = send_no_cancel},
};

const struct defect_table INTERVIEW_DEFECTS_INTERRUPT = DEFECT_TABLE(ROWS);
