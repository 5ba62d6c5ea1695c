/* Defects on which the selftest itself is tried. */
#include "conformance/defects/interview/tables.h"

static bool commit_never(struct defect_state *state, struct buffer *message)
{
    return !defect_interview_is(state, buffer_bytes(message), INTERVIEW_MESSAGE_COMMIT_AUDIO);
}

static bool send_fraction(struct defect_state *state, struct buffer *message)
{
    (void)ws_replace(message, "\"timestamp\":", "\"timestamp\":0.5,\"time\":");
    return true;
}

static bool do_both(struct defect_state *state, struct buffer *message)
{
    return send_fraction(state, message) && commit_never(state, message);
}

static const struct defect ROWS[] = {
    {.name = "interview-trial-time",
     .requirement = "IV-IN-01",
     .wrong = "sends a timestamp that is no integer",
     .say = send_fraction},
    {.name = "interview-trial-nothing",
     .requirement = "IV-CON-01",
     .wrong = "does nothing wrong, and cannot be caught"},
    {.name = "interview-trial-too-much",
     .requirement = "IV-IN-01",
     .wrong = "sends a timestamp that is no integer, and never commits",
     .say = do_both},
};

const struct defect_table INTERVIEW_DEFECTS_TRIAL = DEFECT_TABLE(ROWS);
