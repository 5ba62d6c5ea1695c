/* Defects of errors and stalls: OJ-ERR, OJ-FLD-02, OJ-FLD-04. */
#include "codec/ojin/messages.h"
#include "conformance/defects/ojin/tables.h"

static bool is_error(bool binary, struct bytes message)
{
    return !binary && defect_holds(message, "\"errorResponse\"");
}

/* ---- what comes in ---- */

static enum client_taking want_no_null(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_error(*binary, message) && defect_holds(message, "\"interaction_id\":null") ? CLIENT_HIDE
                                                                                          : CLIENT_TAKE;
}

static enum client_taking want_members(void *context, bool *binary, struct bytes message)
{
    (void)context;
    const bool absent = !defect_holds(message, "\"interaction_id\"") && defect_holds(message, "\"too late\"");
    return is_error(*binary, message) && absent ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking want_no_details(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_error(*binary, message) && defect_holds(message, "\"details\":{") ? CLIENT_HIDE : CLIENT_TAKE;
}

/* Is deaf from `hears` on, which it still hears. */
static enum client_taking be_deaf(struct defect_state *state, bool binary, bool hears)
{
    if (state->seen)
        return CLIENT_HIDE;
    state->seen = !binary && hears;
    return CLIENT_TAKE;
}

static enum client_taking be_deaf_after_text(void *context, bool *binary, struct bytes message)
{
    return be_deaf(context, *binary, message.len > 0 && message.data[0] != '{' && message.data[0] >= 'A');
}

static enum client_taking be_deaf_after_nothing(void *context, bool *binary, struct bytes message)
{
    return be_deaf(context, *binary, message.len == 0);
}

static enum client_taking be_deaf_after_size(void *context, bool *binary, struct bytes message)
{
    return be_deaf(context, *binary, defect_holds(message, "FRAME_SIZE_EXCEEDED"));
}

static enum client_taking be_deaf_after_bad_message(void *context, bool *binary, struct bytes message)
{
    return be_deaf(context, *binary, defect_holds(message, "INVALID_MESSAGE"));
}

static enum client_taking hide_rate_limited(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_error(*binary, message) && defect_holds(message, "\"RATE_LIMITED\"") ? CLIENT_HIDE
                                                                                   : CLIENT_TAKE;
}

static enum client_taking leave_at_no_object(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return !*binary && message.len > 0 && message.data[0] == '[' ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static enum client_taking leave_at_unknown_type(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return !*binary && defect_holds(message, "\"webrtcStatus\"") ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

/* ---- what is told ---- */

static bool is_documented(const struct observation *observation)
{
    enum ojin_error_code code = OJIN_ERROR_COUNT;
    return observation->kind == OBSERVED_ERROR && ojin_error_by_name(bytes_of_text(observation->code), &code);
}

static bool hide_message(void *context, struct observation *observation)
{
    (void)context;
    if (is_documented(observation))
        observation->text[0] = '\0';
    return true;
}

static bool hide_timeout(void *context, struct observation *observation)
{
    (void)context;
    return !(is_documented(observation) && strcmp(observation->code, "TIMEOUT") == 0);
}

/* Known are those of the documents and the client's own. */
static bool hide_unknown(void *context, struct observation *observation)
{
    (void)context;
    return !(observation->kind == OBSERVED_ERROR && strcmp(observation->code, "FLUX_CAPACITOR_EMPTY") == 0);
}

static bool hide_text_before_ready(void *context, struct observation *observation)
{
    struct defect_state *state = context;
    state->seen = state->seen || observation->kind == OBSERVED_READY;
    return !(observation->kind == OBSERVED_ERROR && observation->code[0] == '\0' && !state->seen);
}

static bool hide_text_after_ready(void *context, struct observation *observation)
{
    struct defect_state *state = context;
    state->seen = state->seen || observation->kind == OBSERVED_READY;
    return !(observation->kind == OBSERVED_ERROR && observation->code[0] == '\0' && state->seen);
}

/* Knows seconds alone. */
static void hide_date(void *context, struct buffer *head)
{
    static const char NAME[] = "\r\nRetry-After: ";
    const size_t len = sizeof NAME - 1;
    (void)context;
    for (size_t i = 0; i + len < head->len; i++)
        if (memcmp(head->data + i, NAME, len) == 0 && head->data[i + len] > '9')
            head->data[i + 2] = 'X';
}

static const struct defect ROWS[] = {
    {.name = "code-without-message",
     .requirement = "OJ-ERR-01",
     .wrong = "reports errors without their message",
     .seams.ojin.life.observe = hide_message},
    {.name = "hides-timeout",
     .requirement = "OJ-ERR-01",
     .wrong = "does not report TIMEOUT",
     .implies = {"OJ-ERR-10"},
     .seams.ojin.life.observe = hide_timeout},
    {.name = "deaf-to-rate-limited",
     .requirement = "OJ-ERR-01",
     .wrong = "neither reports RATE_LIMITED nor sends again what was refused",
     .cases = "ojin/error/code-rate-limited",
     .seams.ojin.incoming = hide_rate_limited},
    {.name = "error-without-null",
     .requirement = "OJ-ERR-02",
     .wrong = "does not read an error with a null in it",
     .seams.ojin.incoming = want_no_null},
    {.name = "error-needs-interaction",
     .requirement = "OJ-ERR-02",
     .wrong = "does not read an error without an interaction_id",
     .seams.ojin.incoming = want_members},
    {.name = "error-without-details",
     .requirement = "OJ-ERR-02",
     .wrong = "does not read an error with details",
     .seams.ojin.incoming = want_no_details},
    {.name = "hides-unknown-code",
     .requirement = "OJ-ERR-03",
     .wrong = "does not report a code it does not know",
     .seams.ojin.life.observe = hide_unknown},
    {.name = "hides-text-for-ready",
     .requirement = "OJ-ERR-04",
     .wrong = "says nothing of a plain text in place of sessionReady",
     .seams.ojin.life.observe = hide_text_before_ready},
    {.name = "hides-text-in-stream",
     .requirement = "OJ-ERR-05",
     .wrong = "says nothing of a plain text in mid-stream",
     .seams.ojin.life.observe = hide_text_after_ready},
    {.name = "deaf-after-text",
     .requirement = "OJ-ERR-05",
     .wrong = "reads nothing after a plain text",
     .seams.ojin.incoming = be_deaf_after_text},
    {.name = "deaf-after-empty-text",
     .requirement = "OJ-ERR-05",
     .wrong = "reads nothing after a text without a byte",
     .seams.ojin.incoming = be_deaf_after_nothing},
    {.name = "leaves-at-no-object",
     .requirement = "OJ-ERR-06",
     .wrong = "leaves when JSON comes that is no object",
     .seams.ojin.incoming = leave_at_no_object},
    {.name = "leaves-at-unknown-type",
     .requirement = "OJ-ERR-06",
     .wrong = "leaves when a message of an unknown type comes",
     .implies = {"OJ-OUT-14"},
     .seams.ojin.incoming = leave_at_unknown_type},
    {.name = "does-not-slow-down",
     .requirement = "OJ-ERR-07",
     .wrong = "sends on when it is told to slow down",
     .seams.ojin.no_pause = true},
    {.name = "reconnects-at-once",
     .requirement = "OJ-ERR-08",
     .wrong = "reconnects without a delay",
     .seams.ojin.life.reconnect.no_delay = true},
    {.name = "reconnects-evenly",
     .requirement = "OJ-ERR-08",
     .wrong = "waits as long before each attempt",
     .seams.ojin.life.reconnect.no_growth = true},
    {.name = "reconnects-for-ever",
     .requirement = "OJ-ERR-08",
     .wrong = "reconnects without a limit",
     .ends_badly = true,
     .seams.ojin.life.reconnect.no_limit = true},
    {.name = "never-tries-again",
     .requirement = "OJ-ERR-08",
     .wrong = "takes the task to reconnect and never does",
     .cases = "ojin/reconnect/[bd]*",
     .seams.ojin.life.never_reconnects = true},
    {.name = "deaf-after-frame-size",
     .requirement = "OJ-ERR-09",
     .wrong = "reads nothing after FRAME_SIZE_EXCEEDED",
     .seams.ojin.incoming = be_deaf_after_size},
    {.name = "deaf-after-invalid-message",
     .requirement = "OJ-ERR-09",
     .wrong = "reads nothing after INVALID_MESSAGE",
     .seams.ojin.incoming = be_deaf_after_bad_message},
    {.name = "waits-after-error",
     .requirement = "OJ-ERR-10",
     .wrong = "waits for the end of an interaction that failed",
     .ends_badly = true,
     .seams.ojin = {.wait_after_error = true, .wait_us[OJIN_WAIT_FINAL] = UINT64_MAX}},
    {.name = "ignores-retry-after",
     .requirement = "OJ-FLD-02",
     .wrong = "does not look at Retry-After",
     .seams.ojin.life.ignore_retry_after = true},
    {.name = "retry-after-in-seconds-only",
     .requirement = "OJ-FLD-02",
     .wrong = "does not read a Retry-After that is a date",
     .cases = "ojin/reconnect/retry-after-date",
     .response = hide_date},
    {.name = "no-stall-report",
     .requirement = "OJ-FLD-04",
     .wrong = "says nothing when no speech comes back",
     .seams.ojin.wait_us[OJIN_WAIT_SPEECH] = UINT64_MAX},
    {.name = "stall-too-early",
     .requirement = "OJ-FLD-04",
     .wrong = "takes a second without speech for a stall",
     .implies = {"OJ-ERR-01"},
     .ends_badly = true,
     .seams.ojin.wait_us[OJIN_WAIT_SPEECH] = 1000000},
};

const struct defect_table OJIN_DEFECTS_ERROR = DEFECT_TABLE(ROWS);
