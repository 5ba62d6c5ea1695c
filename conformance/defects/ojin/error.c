/* Defects of errors and stalls: OJ-ERR, OJ-FLD-02, OJ-FLD-04. */
#include "codec/ojin/messages.h"
#include "conformance/defects/ojin/tables.h"

enum { EARLY_STALL_US = 1000000 };

static bool is_error(const struct defect_state *state, struct bytes message)
{
    return !state->binary && defect_holds(message, "\"errorResponse\"");
}

/* ---- what comes in ---- */

static bool want_no_null(struct defect_state *state, struct bytes message)
{
    return is_error(state, message) && defect_holds(message, "\"interaction_id\":null");
}

static bool want_members(struct defect_state *state, struct bytes message)
{
    const bool absent = !defect_holds(message, "\"interaction_id\"") && defect_holds(message, "\"too late\"");
    return is_error(state, message) && absent;
}

static bool want_no_details(struct defect_state *state, struct bytes message)
{
    return is_error(state, message) && defect_holds(message, "\"details\":{");
}

/* Is deaf from `hears` on, which it still hears. */
static enum defect_taking be_deaf(struct defect_state *state, bool hears)
{
    if (state->seen)
        return DEFECT_HIDE;
    state->seen = !state->binary && hears;
    return DEFECT_TAKE;
}

static enum defect_taking be_deaf_after_text(struct defect_state *state, struct bytes message)
{
    return be_deaf(state, message.len > 0 && message.data[0] != '{' && message.data[0] >= 'A');
}

static enum defect_taking be_deaf_after_nothing(struct defect_state *state, struct bytes message)
{
    return be_deaf(state, message.len == 0);
}

static enum defect_taking be_deaf_after_size(struct defect_state *state, struct bytes message)
{
    return be_deaf(state, defect_holds(message, "FRAME_SIZE_EXCEEDED"));
}

static enum defect_taking be_deaf_after_bad_message(struct defect_state *state, struct bytes message)
{
    return be_deaf(state, defect_holds(message, "INVALID_MESSAGE"));
}

static bool hide_rate_limited(struct defect_state *state, struct bytes message)
{
    return is_error(state, message) && defect_holds(message, "\"RATE_LIMITED\"");
}

static bool leave_at_no_object(struct defect_state *state, struct bytes message)
{
    return !state->binary && message.len > 0 && message.data[0] == '[';
}

static bool leave_at_unknown_type(struct defect_state *state, struct bytes message)
{
    return !state->binary && defect_holds(message, "\"webrtcStatus\"");
}

static bool leave_at_text(struct defect_state *state, struct bytes message)
{
    return !state->binary && defect_client(state)->life.progress.ready &&
           (message.len == 0 || message.data[0] == 'S');
}

/* ---- what it makes of that ---- */

static void forget_pause(struct defect_state *state)
{
    defect_client(state)->sender.paused_until_us = 0;
}

static void await_no_speech(struct defect_state *state)
{
    defect_client(state)->stall_wait_us = DEFECT_FOR_EVER_US;
}

static void await_speech_at_once(struct defect_state *state)
{
    defect_client(state)->stall_wait_us = EARLY_STALL_US;
}

/* The turn as it was before it failed. */
static enum defect_taking note_failure(struct defect_state *state, struct bytes message)
{
    state->seen = is_error(state, message) &&
                  (defect_holds(message, "\"INTERNAL_ERROR\"") || defect_holds(message, "\"TIMEOUT\""));
    state->count = defect_client(state)->turn.state;
    return DEFECT_TAKE;
}

static void wait_on(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    if (!state->seen)
        return;
    state->seen = false;
    client->turn.state = (enum turn_state)state->count;
    client->spoke = client->spoke && client->turn.state == TURN_IDLE;
    client->life.progress.idle = client->life.progress.idle && client->turn.state == TURN_IDLE;
}

/* ---- what is told ---- */

static bool is_documented(const struct observation *observation)
{
    enum ojin_error_code code = OJIN_ERROR_COUNT;
    return observation->kind == OBSERVED_ERROR && ojin_error_by_name(bytes_of_text(observation->code), &code);
}

static bool hide_message(struct defect_state *state, struct observation *observation)
{
    if (is_documented(observation))
        observation->text[0] = '\0';
    return true;
}

static bool hide_closure(struct defect_state *state, struct observation *observation)
{
    return observation->kind != OBSERVED_CLOSED;
}

static bool hide_timeout(struct defect_state *state, struct observation *observation)
{
    return !(is_documented(observation) && strcmp(observation->code, "TIMEOUT") == 0);
}

static bool hide_rate_limit(struct defect_state *state, struct observation *observation)
{
    return !(is_documented(observation) && strcmp(observation->code, "RATE_LIMITED") == 0);
}

/* Known are those of the documents and the client's own. */
static bool hide_unknown(struct defect_state *state, struct observation *observation)
{
    return !(observation->kind == OBSERVED_ERROR && strcmp(observation->code, "FLUX_CAPACITOR_EMPTY") == 0);
}

static bool hide_text_before_ready(struct defect_state *state, struct observation *observation)
{
    state->seen = state->seen || observation->kind == OBSERVED_READY;
    return !(observation->kind == OBSERVED_ERROR && observation->code[0] == '\0' && !state->seen);
}

static bool hide_text_after_ready(struct defect_state *state, struct observation *observation)
{
    state->seen = state->seen || observation->kind == OBSERVED_READY;
    return !(observation->kind == OBSERVED_ERROR && observation->code[0] == '\0' && state->seen);
}

/* Knows seconds alone. */
static void hide_date(struct defect_state *state, struct buffer *head)
{
    static const char NAME[] = "\r\nRetry-After: ";
    const size_t len = sizeof NAME - 1;
    for (size_t i = 0; i + len < head->len; i++)
        if (memcmp(head->data + i, NAME, len) == 0 && head->data[i + len] > '9')
            head->data[i + 2] = 'X';
}

static const struct defect ROWS[] = {
    {.name = "code-without-message",
     .requirement = "OJ-ERR-01",
     .wrong = "reports errors without their message",
     .tell = hide_message},
    {.name = "hides-timeout",
     .requirement = "OJ-ERR-01",
     .wrong = "does not report TIMEOUT",
     .implies = {"OJ-ERR-10"},
     .tell = hide_timeout},
    {.name = "deaf-to-rate-limited",
     .requirement = "OJ-ERR-01",
     .wrong = "neither reports RATE_LIMITED nor sends again what was refused",
     .cases = "ojin/error/code-rate-limited",
     .hides = hide_rate_limited},
    {.name = "error-without-null",
     .requirement = "OJ-ERR-02",
     .wrong = "does not read an error with a null in it",
     .hides = want_no_null},
    {.name = "error-needs-interaction",
     .requirement = "OJ-ERR-02",
     .wrong = "does not read an error without an interaction_id",
     .hides = want_members},
    {.name = "error-without-details",
     .requirement = "OJ-ERR-02",
     .wrong = "does not read an error with details",
     .hides = want_no_details},
    {.name = "hides-unknown-code",
     .requirement = "OJ-ERR-03",
     .wrong = "does not report a code it does not know",
     .tell = hide_unknown},
    {.name = "hides-text-for-ready",
     .requirement = "OJ-ERR-04",
     .wrong = "says nothing of a plain text in place of sessionReady",
     .tell = hide_text_before_ready},
    {.name = "hides-text-in-stream",
     .requirement = "OJ-ERR-05",
     .wrong = "says nothing of a plain text in mid-stream",
     .tell = hide_text_after_ready},
    {.name = "deaf-after-text",
     .requirement = "OJ-ERR-05",
     .wrong = "reads nothing after a plain text",
     .hear = be_deaf_after_text},
    {.name = "deaf-after-empty-text",
     .requirement = "OJ-ERR-05",
     .wrong = "reads nothing after a text without a byte",
     .hear = be_deaf_after_nothing},
    {.name = "leaves-at-text-in-silence",
     .requirement = "OJ-ERR-05",
     .wrong = "leaves at a plain text in mid-stream and does not say that it did",
     .cases = "ojin/error/*text*",
     .leaves_at = leave_at_text,
     .tell = hide_closure},
    {.name = "leaves-at-no-object",
     .requirement = "OJ-ERR-06",
     .wrong = "leaves when JSON comes that is no object",
     .leaves_at = leave_at_no_object},
    {.name = "leaves-at-unknown-type",
     .requirement = "OJ-ERR-06",
     .wrong = "leaves when a message of an unknown type comes",
     .implies = {"OJ-OUT-14"},
     .leaves_at = leave_at_unknown_type},
    {.name = "loses-what-was-refused",
     .requirement = "OJ-ERR-07",
     .wrong = "slows down at RATE_LIMITED, and neither reports it nor sends again what was refused",
     .implies = {"OJ-ERR-01"},
     .cases = "ojin/error/code-rate-limited",
     .tell = hide_rate_limit},
    {.name = "does-not-slow-down",
     .requirement = "OJ-ERR-07",
     .wrong = "sends on when it is told to slow down",
     .after = forget_pause},
    {.name = "reconnects-at-once",
     .requirement = "OJ-ERR-08",
     .wrong = "reconnects without a delay",
     .after = defect_come_back_at_once},
    {.name = "reconnects-evenly",
     .requirement = "OJ-ERR-08",
     .wrong = "waits as long before each attempt",
     .event = defect_forget_attempts,
     .after = defect_remember_attempts},
    {.name = "reconnects-for-ever",
     .requirement = "OJ-ERR-08",
     .wrong = "reconnects without a limit",
     .ends_badly = true,
     .event = defect_come_back_for_ever},
    {.name = "never-tries-again",
     .requirement = "OJ-ERR-08",
     .wrong = "takes the task to reconnect and never does",
     .cases = "ojin/reconnect/[bd]*",
     .event = defect_come_back_never},
    {.name = "deaf-after-frame-size",
     .requirement = "OJ-ERR-09",
     .wrong = "reads nothing after FRAME_SIZE_EXCEEDED",
     .hear = be_deaf_after_size},
    {.name = "deaf-after-invalid-message",
     .requirement = "OJ-ERR-09",
     .wrong = "reads nothing after INVALID_MESSAGE",
     .hear = be_deaf_after_bad_message},
    {.name = "waits-after-error",
     .requirement = "OJ-ERR-10",
     .wrong = "waits for the end of an interaction that failed",
     .ends_badly = true,
     .begin = defect_wait_for_final_for_ever,
     .hear = note_failure,
     .after = wait_on},
    {.name = "ignores-retry-after",
     .requirement = "OJ-FLD-02",
     .wrong = "does not look at Retry-After",
     .event = defect_overlook_retry_after},
    {.name = "retry-after-in-seconds-only",
     .requirement = "OJ-FLD-02",
     .wrong = "does not read a Retry-After that is a date",
     .cases = "ojin/reconnect/retry-after-date",
     .response = hide_date},
    {.name = "no-stall-report",
     .requirement = "OJ-FLD-04",
     .wrong = "says nothing when no speech comes back",
     .begin = await_no_speech},
    {.name = "stall-too-early",
     .requirement = "OJ-FLD-04",
     .wrong = "takes a second without speech for a stall",
     .implies = {"OJ-ERR-01"},
     .ends_badly = true,
     .begin = await_speech_at_once},
};

const struct defect_table OJIN_DEFECTS_ERROR = DEFECT_TABLE(ROWS);
