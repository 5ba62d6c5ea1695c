/* Defects of interrupting: IV-IN-06. */
#include "conformance/defects/interview/tables.h"

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
