/* Clients that report transcripts, results and statuses wrongly: IV-OUT-03, IV-OUT-04, IV-OUT-05. */
#include "conformance/defects/interview/tables.h"

enum { LONG_RESULT = 256, DEPTH_MAX = 16 };

/* ---- transcripts ---- */

static bool tell_of_candidate_alone(struct defect_state *state, struct observation *observation)
{
    return observation->kind != OBSERVED_TRANSCRIPT || strcmp(observation->code, "ai") != 0 ||
           !observation->is_final;
}

static bool tell_of_ai_alone(struct defect_state *state, struct observation *observation)
{
    return observation->kind != OBSERVED_TRANSCRIPT || strcmp(observation->code, "candidate") != 0;
}

static bool tell_no_partials(struct defect_state *state, struct observation *observation)
{
    return observation->kind != OBSERVED_TRANSCRIPT || observation->is_final;
}

static bool take_partials_for_complete(struct defect_state *state, struct observation *observation)
{
    observation->is_final = observation->is_final || observation->kind == OBSERVED_TRANSCRIPT;
    return true;
}

static bool take_complete_for_partial(struct defect_state *state, struct observation *observation)
{
    observation->is_final = observation->is_final && observation->kind != OBSERVED_TRANSCRIPT;
    return true;
}

static bool swap_speakers(struct defect_state *state, struct observation *observation)
{
    const bool is_ai = strcmp(observation->code, "ai") == 0;
    if (observation->kind == OBSERVED_TRANSCRIPT) {
        struct text code = text_of(observation->code, sizeof observation->code);
        text_add(&code, is_ai ? "candidate" : "ai");
    }
    return true;
}

static bool cut_transcripts(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_TRANSCRIPT && observation->is_final)
        observation->text[strcspn(observation->text, ",(\"\x80\xc3\xe4")] = '\0';
    return true;
}

static void tell_transcripts_twice(struct defect_state *state)
{
    for (size_t i = 0, count = state->actions->count; i < count; i++) {
        const struct client_action *action = &state->actions->list[i];
        if (action->kind == CLIENT_OBSERVE && action->observation.kind == OBSERVED_TRANSCRIPT) {
            struct observation again = action->observation;
            client_life_observe(state->life, &again, state->actions);
        }
    }
}

static bool want_right_time(struct defect_state *state, struct bytes text)
{
    return defect_interview_is_odd(state, text, INTERVIEW_MESSAGE_TRANSCRIPT, "timestamp");
}

static bool leave_at_transcript(struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_TRANSCRIPT);
}

/* ---- results ---- */

static bool is_result(const struct observation *observation)
{
    return observation->kind == OBSERVED_RESULT;
}

static bool tell_no_results(struct defect_state *state, struct observation *observation)
{
    return !is_result(observation);
}

static bool tell_of_objects_alone(struct defect_state *state, struct observation *observation)
{
    return !is_result(observation) || observation->text[0] == '{';
}

static bool tell_of_full_results_alone(struct defect_state *state, struct observation *observation)
{
    static const char *const EMPTY[] = {"null", "false", "{}", "[]", "\"\""};
    for (size_t i = 0; i < sizeof EMPTY / sizeof EMPTY[0]; i++)
        if (is_result(observation) && strcmp(observation->text, EMPTY[i]) == 0)
            return false;
    return true;
}

static bool tell_of_known_functions_alone(struct defect_state *state, struct observation *observation)
{
    return !is_result(observation) || strcmp(observation->code, "evaluate_candidate_answer") == 0;
}

static bool tell_names_alone(struct defect_state *state, struct observation *observation)
{
    if (is_result(observation))
        observation->text[0] = '\0';
    return true;
}

static bool tell_of_shallow_results_alone(struct defect_state *state, struct observation *observation)
{
    size_t depth = 0;
    while (depth < DEPTH_MAX && (observation->text[depth] == '[' || observation->text[depth] == '{'))
        depth++;
    return !is_result(observation) || depth < DEPTH_MAX;
}

static bool cut_results(struct defect_state *state, struct observation *observation)
{
    if (is_result(observation) && strlen(observation->text) > LONG_RESULT)
        observation->text[LONG_RESULT] = '\0';
    return true;
}

static bool leave_at_result(struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_FUNCTION_RESULT);
}

/* ---- statuses ---- */

static bool is_status(const struct observation *observation, const char *status)
{
    return observation->kind == OBSERVED_STATUS && strcmp(observation->code, status) == 0;
}

static bool hide_connecting(struct defect_state *state, struct observation *observation)
{
    return !is_status(observation, "connecting");
}

static bool hide_disconnected(struct defect_state *state, struct observation *observation)
{
    return !is_status(observation, "disconnected");
}

static bool hide_later_statuses(struct defect_state *state, struct observation *observation)
{
    const bool hides = state->seen && observation->kind == OBSERVED_STATUS;
    state->seen = state->seen || observation->kind == OBSERVED_READY;
    return !hides;
}

static bool hide_status_message(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_STATUS)
        observation->text[0] = '\0';
    return true;
}

static bool hide_connected(struct defect_state *state, struct observation *observation)
{
    return !is_status(observation, "connected");
}

static bool leave_at_second_connecting(struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_STATUS) &&
           defect_holds(text, "\"connecting\"") && state->count++ > 0;
}

static const struct defect ROWS[] = {
    {.name = "hides-ai-transcripts",
     .requirement = "IV-OUT-03",
     .wrong = "tells no transcript of the ai",
     .tell = tell_of_candidate_alone},
    {.name = "hides-candidate-transcripts",
     .requirement = "IV-OUT-03",
     .wrong = "tells no transcript of the candidate",
     .tell = tell_of_ai_alone},
    {.name = "hides-partials",
     .requirement = "IV-OUT-03",
     .wrong = "says nothing of the transcripts of chunks",
     .cases = "interview/transcript/p*",
     .tell = tell_no_partials},
    {.name = "takes-partials-for-complete",
     .requirement = "IV-OUT-03",
     .wrong = "takes the transcript of a chunk for a complete one",
     .cases = "interview/transcript/p*",
     .tell = take_partials_for_complete},
    {.name = "takes-complete-for-partial",
     .requirement = "IV-OUT-03",
     .wrong = "takes every transcript for a partial one",
     .tell = take_complete_for_partial},
    {.name = "swaps-speakers",
     .requirement = "IV-OUT-03",
     .wrong = "takes the candidate for the ai",
     .tell = swap_speakers},
    {.name = "cuts-transcripts",
     .requirement = "IV-OUT-03",
     .wrong = "tells transcripts up to the first letter that is not plain",
     .tell = cut_transcripts},
    {.name = "tells-transcripts-twice",
     .requirement = "IV-OUT-03",
     .wrong = "tells each transcript twice",
     .cases = "interview/transcript/s*",
     .after = tell_transcripts_twice},
    {.name = "wants-right-times",
     .requirement = "IV-OUT-03",
     .wrong = "says nothing of a transcript whose timestamp is no time in seconds",
     .cases = "interview/transcript/timestamps*",
     .hides = want_right_time},
    {.name = "leaves-at-transcript",
     .requirement = "IV-OUT-03",
     .wrong = "leaves when a transcript comes",
     .implies = {"IV-OUT-06", "IV-IN-05"},
     .leaves_at = leave_at_transcript},
    {.name = "hides-results",
     .requirement = "IV-OUT-04",
     .wrong = "says nothing of results",
     .tell = tell_no_results},
    {.name = "wants-objects-for-results",
     .requirement = "IV-OUT-04",
     .wrong = "says nothing of a result that is no object",
     .tell = tell_of_objects_alone},
    {.name = "overlooks-empty-results",
     .requirement = "IV-OUT-04",
     .wrong = "says nothing of a result in which there is nothing",
     .tell = tell_of_full_results_alone},
    {.name = "wants-the-known-function",
     .requirement = "IV-OUT-04",
     .wrong = "says nothing of the result of a function that no document has",
     .tell = tell_of_known_functions_alone},
    {.name = "tells-functions-alone",
     .requirement = "IV-OUT-04",
     .wrong = "tells the name of the function and not its result",
     .tell = tell_names_alone},
    {.name = "wants-shallow-results",
     .requirement = "IV-OUT-04",
     .wrong = "says nothing of a result that is sixteen deep",
     .cases = "interview/output/result-deep",
     .tell = tell_of_shallow_results_alone},
    {.name = "cuts-results",
     .requirement = "IV-OUT-04",
     .wrong = "tells the first 256 bytes of a result",
     .cases = "interview/output/result-deep",
     .tell = cut_results},
    {.name = "leaves-at-result",
     .requirement = "IV-OUT-04",
     .wrong = "leaves when a function_result comes",
     .implies = {"IV-IN-05", "IV-IN-06"},
     .leaves_at = leave_at_result},
    {.name = "hides-connecting",
     .requirement = "IV-OUT-05",
     .wrong = "says nothing of status connecting",
     .tell = hide_connecting},
    {.name = "hides-connected",
     .requirement = "IV-OUT-05",
     .wrong = "says nothing of status connected",
     .tell = hide_connected},
    {.name = "hides-disconnected",
     .requirement = "IV-OUT-05",
     .wrong = "says nothing of status disconnected",
     .cases = "interview/output/status-disconnected*",
     .tell = hide_disconnected},
    {.name = "hides-later-statuses",
     .requirement = "IV-OUT-05",
     .wrong = "says nothing of a status that comes after connected",
     .tell = hide_later_statuses},
    {.name = "hides-status-messages",
     .requirement = "IV-OUT-05",
     .wrong = "tells the status without its message",
     .tell = hide_status_message},
    {.name = "leaves-at-second-connecting",
     .requirement = "IV-OUT-05",
     .wrong = "leaves when status connecting comes a second time",
     .leaves_at = leave_at_second_connecting},
};

const struct defect_table INTERVIEW_DEFECTS_TOLD = DEFECT_TABLE(ROWS);
