/* Defects of messages whose members have another JSON type than documented: OJ-RDY-09, OJ-ERR. */
#include "codec/ojin/messages.h"
#include "conformance/defects/ojin/tables.h"

/* Is it a message of that type whose first fault is in that member? NULL: in any. */
static bool is_odd(bool binary, struct bytes message, enum ojin_message_type type, const char *member)
{
    struct ojin_message read;
    if (binary)
        return false;
    ojin_message_read(message, &read);
    return read.type == type && read.error.status != WIRE_OK &&
           (member == NULL || strcmp(read.error.field, member) == 0);
}

static bool has_odd_type(bool binary, struct bytes message)
{
    return is_odd(binary, message, OJIN_MESSAGE_OTHER, "type") && defect_holds(message, "\"payload\"") &&
           !defect_holds(message, "\"type\":\"");
}

static enum client_taking want_typed_ready(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_odd(*binary, message, OJIN_MESSAGE_SESSION_READY, NULL) ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking leave_at_odd_ready(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_odd(*binary, message, OJIN_MESSAGE_SESSION_READY, NULL) ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static enum client_taking want_message_text(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_odd(*binary, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.message") ? CLIENT_HIDE
                                                                                    : CLIENT_TAKE;
}

static enum client_taking want_error_time(void *context, bool *binary, struct bytes message)
{
    (void)context;
    /* A null is none to ojin_message_read. */
    const bool none =
        !*binary && defect_holds(message, "\"errorResponse\"") && defect_holds(message, "\"timestamp\":null");
    return none || is_odd(*binary, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.timestamp") ? CLIENT_HIDE
                                                                                              : CLIENT_TAKE;
}

static enum client_taking want_typed_details(void *context, bool *binary, struct bytes message)
{
    (void)context;
    const bool odd = is_odd(*binary, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.details") ||
                     is_odd(*binary, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.interaction_id");
    return odd ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking want_code_text(void *context, bool *binary, struct bytes message)
{
    (void)context;
    const bool odd = is_odd(*binary, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload.code") ||
                     is_odd(*binary, message, OJIN_MESSAGE_ERROR_RESPONSE, "payload");
    return odd ? CLIENT_HIDE : CLIENT_TAKE;
}

static enum client_taking leave_at_odd_error(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return is_odd(*binary, message, OJIN_MESSAGE_ERROR_RESPONSE, NULL) ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static enum client_taking leave_at_odd_type(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return has_odd_type(*binary, message) ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static const struct defect ROWS[] = {
    {.name = "ready-of-documented-types-only",
     .requirement = "OJ-RDY-09",
     .wrong = "does not take a sessionReady in which a member has another type than documented",
     .seams.ojin.incoming = want_typed_ready},
    {.name = "leaves-at-odd-ready",
     .requirement = "OJ-RDY-09",
     .wrong = "leaves when a member of sessionReady has another type than documented",
     .seams.ojin.incoming = leave_at_odd_ready},
    {.name = "error-message-as-text-only",
     .requirement = "OJ-ERR-01",
     .wrong = "does not report an error whose message is no string",
     .seams.ojin.incoming = want_message_text},
    {.name = "error-timestamp-as-number-only",
     .requirement = "OJ-ERR-01",
     .wrong = "does not report an error whose timestamp is no number",
     .seams.ojin.incoming = want_error_time},
    {.name = "error-details-as-object-only",
     .requirement = "OJ-ERR-02",
     .wrong = "does not report an error whose details or interaction_id have another type than documented",
     .seams.ojin.incoming = want_typed_details},
    {.name = "error-code-as-text-only",
     .requirement = "OJ-ERR-03",
     .wrong = "does not report an error whose code is no string",
     .seams.ojin.incoming = want_code_text},
    {.name = "leaves-at-odd-error",
     .requirement = "OJ-ERR-09",
     .wrong = "leaves when a member of errorResponse has another type than documented",
     .implies = {"OJ-ERR-01", "OJ-ERR-02", "OJ-ERR-03"},
     .seams.ojin.incoming = leave_at_odd_error},
    {.name = "leaves-at-odd-type",
     .requirement = "OJ-ERR-06",
     .wrong = "leaves when the type of a message is no string",
     .seams.ojin.incoming = leave_at_odd_type},
};

const struct defect_table OJIN_DEFECTS_TYPES = DEFECT_TABLE(ROWS);
