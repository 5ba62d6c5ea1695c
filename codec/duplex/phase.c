#include "codec/duplex/phase.h"

const char *duplex_phase_name(enum duplex_phase phase)
{
    switch (phase) {
    case DUPLEX_PHASE_QUEUED:
        return "queued";
    case DUPLEX_PHASE_CONNECTED:
        return "connected";
    case DUPLEX_PHASE_ACTIVE:
        return "active";
    case DUPLEX_PHASE_CLOSED:
        return "closed";
    }
    return "?";
}

enum { CLIENT_TYPES = DUPLEX_MESSAGE_CLOSE + 1, PHASES = DUPLEX_PHASE_CLOSED + 1 };

/* What is allowed when: 002 State Machine. All that is not gets not_ready. */
static const bool ALLOWED[PHASES][CLIENT_TYPES] = {
    [DUPLEX_PHASE_CONNECTED] = {[DUPLEX_MESSAGE_UPDATE] = true},
    [DUPLEX_PHASE_ACTIVE] = {[DUPLEX_MESSAGE_APPEND] = true, [DUPLEX_MESSAGE_CLOSE] = true},
};

static struct duplex_answer refuse(enum duplex_error_code error, const struct json_fault *fault)
{
    return (struct duplex_answer){.take = DUPLEX_REFUSE, .error = error, .fault = fault};
}

struct duplex_answer duplex_phase_answer(enum duplex_phase phase, const struct duplex_message *message)
{
    const struct json_fault *fault = message->faults.count > 0 ? &message->faults.list[0] : NULL;
    const bool is_event = duplex_message_is_clients(message->type);
    if (phase == DUPLEX_PHASE_CLOSED)
        return (struct duplex_answer){.take = DUPLEX_IGNORE};
    if (message->type == DUPLEX_MESSAGE_NOT_JSON)
        return (struct duplex_answer){.take = DUPLEX_DISCONNECT, .fault = fault};
    if (phase == DUPLEX_PHASE_QUEUED || (is_event && !ALLOWED[phase][message->type]))
        return refuse(DUPLEX_ERROR_NOT_READY, NULL);
    if (message->type < DUPLEX_MESSAGE_OTHER && !is_event)
        return refuse(DUPLEX_ERROR_UNKNOWN_EVENT, NULL);
    return fault == NULL ? (struct duplex_answer){.take = DUPLEX_TAKE}
                         : refuse(duplex_fault_error(fault), fault);
}

void duplex_answer_write(struct text *out, const struct duplex_dialect *dialect, enum duplex_phase phase,
                         const struct duplex_answer *answer)
{
    if (answer->fault != NULL) {
        json_fault_write(out, answer->fault);
        return;
    }
    if (answer->error == DUPLEX_ERROR_UNKNOWN_EVENT) {
        text_add(out, "this event is the server's to send");
        return;
    }
    switch (phase) {
    case DUPLEX_PHASE_QUEUED:
        text_add(out, "wait for session.queue_done");
        break;
    case DUPLEX_PHASE_CONNECTED:
        text_add(out, dialect->update);
        text_add(out, " comes first");
        break;
    case DUPLEX_PHASE_ACTIVE:
        text_add(out, dialect->update);
        text_add(out, " is sent once");
        break;
    case DUPLEX_PHASE_CLOSED:
        text_add(out, "the session is closed");
        break;
    }
}

bool duplex_session_ends(const struct duplex_profile *profile, uint64_t session_us, uint32_t cache_tokens,
                         enum duplex_reason *reason)
{
    const bool full = cache_tokens >= DUPLEX_CONTEXT_TOKENS;
    if (!full && session_us < profile->session_us)
        return false;
    *reason = full ? DUPLEX_REASON_CONTEXT_FULL : DUPLEX_REASON_TIMEOUT;
    return true;
}
