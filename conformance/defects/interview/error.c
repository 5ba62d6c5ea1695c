/* Defects of errors: IV-ERR-01. */
#include "conformance/defects/interview/tables.h"

static bool is_error(const struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_ERROR);
}

/* ---- what comes in ---- */

static bool want_details(struct defect_state *state, struct bytes text)
{
    return is_error(state, text) && !defect_holds(text, "\"details\"");
}

static bool want_no_details(struct defect_state *state, struct bytes text)
{
    return is_error(state, text) && defect_holds(text, "\"details\"");
}

static bool want_object_for_details(struct defect_state *state, struct bytes text)
{
    return want_no_details(state, text) && !defect_holds(text, "\"details\":{");
}

static bool want_message(struct defect_state *state, struct bytes text)
{
    return is_error(state, text) &&
           (!defect_holds(text, "\"message\":\"") || defect_holds(text, "\"message\":\"\""));
}

static bool want_code(struct defect_state *state, struct bytes text)
{
    return is_error(state, text) &&
           (!defect_holds(text, "\"code\":\"") || defect_holds(text, "\"code\":\"\""));
}

static bool want_connected(struct defect_state *state, struct bytes text)
{
    return is_error(state, text) && state->life->stage != INTERVIEW_CLIENT_TALKING;
}

static bool leave_before_connected(struct defect_state *state, struct bytes text)
{
    return want_connected(state, text);
}

static bool leave_in_session(struct defect_state *state, struct bytes text)
{
    return is_error(state, text) && state->life->stage == INTERVIEW_CLIENT_TALKING;
}

/* The code that stands deepest. */
static void take_inner_code(struct defect_state *state, struct buffer *message)
{
    (void)ws_replace(message, "\"code\":", "\"outer\":");
    (void)ws_replace(message, "\"details\":{\"code\":\"OTHER\"}", "\"code\":\"OTHER\"");
}

static enum defect_taking hear_inner_code(struct defect_state *state, struct bytes text)
{
    if (is_error(state, text) && defect_holds(text, "\"details\":{\"code\"") &&
        buffer_append(&state->instead, text))
        take_inner_code(state, &state->instead);
    return DEFECT_TAKE;
}

/* ---- what is told ---- */

static bool is_documented(const struct observation *observation)
{
    enum interview_error_code code = INTERVIEW_ERROR_AUDIO_PROCESSING;
    return observation->kind == OBSERVED_ERROR &&
           interview_error_by_name(bytes_of_text(observation->code), &code);
}

static bool hide_errors(struct defect_state *state, struct observation *observation)
{
    return !is_documented(observation);
}

static bool hide_error_messages(struct defect_state *state, struct observation *observation)
{
    if (is_documented(observation))
        observation->text[0] = '\0';
    return true;
}

/* The client's own are the status of a refusal, and what it says of a chunk. */
static bool is_unknown(const struct observation *observation)
{
    const bool own = (observation->code[0] >= '0' && observation->code[0] <= '9') ||
                     strcmp(observation->code, "BAD_CHUNK") == 0;
    return observation->kind == OBSERVED_ERROR && !own && !is_documented(observation);
}

static bool hide_unknown_errors(struct defect_state *state, struct observation *observation)
{
    return !is_unknown(observation);
}

static bool tell_unknown_codes_as_unknown(struct defect_state *state, struct observation *observation)
{
    if (is_unknown(observation))
        memcpy(observation->code, "UNKNOWN", sizeof "UNKNOWN");
    return true;
}

static bool hide_errors_of_the_service(struct defect_state *state, struct observation *observation)
{
    return !is_documented(observation) || (strcmp(observation->code, "SESSION_NOT_FOUND") != 0 &&
                                           strcmp(observation->code, "RATE_LIMIT_EXCEEDED") != 0);
}

static bool tell_each_error_once(struct defect_state *state, struct observation *observation)
{
    if (observation->kind != OBSERVED_ERROR)
        return true;
    const bool again = state->seen && strcmp(state->kept[0].code, observation->code) == 0;
    state->kept[0] = *observation;
    state->seen = true;
    return !again;
}

static bool tell_close_or_error(struct defect_state *state, struct observation *observation)
{
    state->seen = state->seen || is_documented(observation);
    return observation->kind != OBSERVED_CLOSED || !state->seen;
}

static bool tell_every_close_as_normal(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_CLOSED)
        observation->close_code = INTERVIEW_CLOSE_NORMAL;
    return true;
}

static bool tell_other_closes_as_lost(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_CLOSED && observation->close_code >= 4000)
        observation->close_code = WS_CLOSE_NO_FRAME;
    return true;
}

static const struct defect ROWS[] = {
    {.name = "interview-hides-errors",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of errors whose code is documented",
     .implies = {"IV-OUT-06"},
     .tell = hide_errors},
    {.name = "interview-hides-error-messages",
     .requirement = "IV-ERR-01",
     .wrong = "tells the code of an error and not its message",
     .implies = {"IV-OUT-06"},
     .tell = hide_error_messages},
    {.name = "interview-hides-unknown-errors",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error whose code is not documented",
     .cases = "interview/error/[um]*",
     .tell = hide_unknown_errors},
    {.name = "tells-unknown-codes-as-unknown",
     .requirement = "IV-ERR-01",
     .wrong = "tells an error whose code is not documented by another code",
     .cases = "interview/error/u*",
     .tell = tell_unknown_codes_as_unknown},
    {.name = "knows-three-errors",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of SESSION_NOT_FOUND and RATE_LIMIT_EXCEEDED",
     .tell = hide_errors_of_the_service},
    {.name = "wants-error-details",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error without details",
     .implies = {"IV-OUT-06"},
     .hides = want_details},
    {.name = "wants-no-error-details",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error with details",
     .cases = "interview/error/details*",
     .hides = want_no_details},
    {.name = "wants-objects-for-error-details",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error whose details are no object",
     .cases = "interview/error/details*",
     .hides = want_object_for_details},
    {.name = "tells-code-of-details",
     .requirement = "IV-ERR-01",
     .wrong = "takes the code in the details of an error for its code",
     .cases = "interview/error/details*",
     .hear = hear_inner_code},
    {.name = "wants-error-message",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error without a message",
     .cases = "interview/*/*me*",
     .hides = want_message},
    {.name = "wants-error-code",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error without a code",
     .cases = "interview/error/[um]*",
     .hides = want_code},
    {.name = "hides-errors-before-connected",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error that comes before status connected",
     .hides = want_connected},
    {.name = "leaves-at-error-before-connected",
     .requirement = "IV-ERR-01",
     .wrong = "leaves at an error that comes before status connected",
     .leaves_at = leave_before_connected},
    {.name = "interview-leaves-at-error",
     .requirement = "IV-ERR-01",
     .wrong = "leaves at an error that comes in the session",
     .implies = {"IV-OUT-01", "IV-OUT-06"},
     .leaves_at = leave_in_session},
    {.name = "tells-each-error-once",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error with the code of the one before it",
     .tell = tell_each_error_once},
    {.name = "tells-close-or-error",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of the end of a connection that an error came before",
     .tell = tell_close_or_error},
    {.name = "tells-every-close-as-normal",
     .requirement = "IV-ERR-01",
     .wrong = "tells every close as one with 1000",
     .implies = {"IV-CON-02"},
     .cases = "interview/error/then-close*",
     .tell = tell_every_close_as_normal},
    {.name = "tells-unknown-closes-as-lost",
     .requirement = "IV-ERR-01",
     .wrong = "tells a close with a code above 4000 as a lost connection",
     .cases = "interview/error/then-close*",
     .tell = tell_other_closes_as_lost},
};

const struct defect_table INTERVIEW_DEFECTS_ERROR = DEFECT_TABLE(ROWS);
