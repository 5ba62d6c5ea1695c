/* Defects of messages whose members have another JSON type than documented: OJ-RDY-09, OJ-ERR. */
#include "codec/ojin/messages.h"
#include "conformance/defects/ojin/tables.h"

/* Is it a message of that type whose first fault is in that member? NULL: in any. */
static bool is_odd(const struct defect_state *state, struct bytes message, enum ojin_message_type type,
                   const char *member)
{
    struct ojin_message read;
    if (state->binary)
        return false;
    ojin_message_read(message, &read);
    return read.type == type && read.error.status != WIRE_OK &&
           (member == NULL || strcmp(read.error.field, member) == 0);
}

static bool finds_odd(struct defect_state *state, struct bytes message)
{
    const struct defect_odd *odd = &state->defect->odd;
    return is_odd(state, message, (enum ojin_message_type)odd->type, odd->member);
}

static bool has_odd_type(struct defect_state *state, struct bytes message)
{
    return is_odd(state, message, OJIN_MESSAGE_OTHER, "type") && defect_holds(message, "\"payload\"") &&
           !defect_holds(message, "\"type\":\"");
}

static bool want_error_time(struct defect_state *state, struct bytes message)
{
    /* A null is none to ojin_message_read. */
    const bool none = !state->binary && defect_holds(message, "\"errorResponse\"") &&
                      defect_holds(message, "\"timestamp\":null");
    return none || is_odd(state, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.timestamp");
}

static bool want_typed_details(struct defect_state *state, struct bytes message)
{
    return is_odd(state, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.details") ||
           is_odd(state, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.interaction_id");
}

static bool want_code_text(struct defect_state *state, struct bytes message)
{
    return is_odd(state, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.code") ||
           is_odd(state, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload");
}

static const struct defect ROWS[] = {
    {.name = "ready-of-documented-types-only",
     .requirement = "OJ-RDY-09",
     .wrong = "does not take a sessionReady in which a member has another type than documented",
     .odd = {OJIN_MESSAGE_SESSION_READY, NULL},
     .hides = finds_odd},
    {.name = "leaves-at-odd-ready",
     .requirement = "OJ-RDY-09",
     .wrong = "leaves when a member of sessionReady has another type than documented",
     .odd = {OJIN_MESSAGE_SESSION_READY, NULL},
     .leaves_at = finds_odd},
    {.name = "error-message-as-text-only",
     .requirement = "OJ-ERR-01",
     .wrong = "does not report an error whose message is no string",
     .odd = {OJIN_MESSAGE_ERROR_RESPONSE, "payload.message"},
     .hides = finds_odd},
    {.name = "error-timestamp-as-number-only",
     .requirement = "OJ-ERR-01",
     .wrong = "does not report an error whose timestamp is no number",
     .hides = want_error_time},
    {.name = "error-details-as-object-only",
     .requirement = "OJ-ERR-02",
     .wrong = "does not report an error whose details or interaction_id have another type than documented",
     .hides = want_typed_details},
    {.name = "error-code-as-text-only",
     .requirement = "OJ-ERR-03",
     .wrong = "does not report an error whose code is no string",
     .hides = want_code_text},
    {.name = "leaves-at-odd-error",
     .requirement = "OJ-ERR-09",
     .wrong = "leaves when a member of errorResponse has another type than documented",
     .implies = {"OJ-ERR-01", "OJ-ERR-02", "OJ-ERR-03"},
     .odd = {OJIN_MESSAGE_ERROR_RESPONSE, NULL},
     .leaves_at = finds_odd},
    {.name = "leaves-at-odd-type",
     .requirement = "OJ-ERR-06",
     .wrong = "leaves when the type of a message is no string",
     .leaves_at = has_odd_type},
};

const struct defect_table OJIN_DEFECTS_TYPES = DEFECT_TABLE(ROWS);
