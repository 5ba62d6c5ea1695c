/*
 * The phases of a session, and what a server makes of a client's message in each: 002 State Machine, Error
 * Codes. Pure functions: the session core keeps the phase.
 *
 * An event in the wrong phase gets not_ready; the state machine's invalid_event is in no table of errors
 * (spec README), so it is a quirk's to send.
 */
#ifndef CODEC_DUPLEX_PHASE_H
#define CODEC_DUPLEX_PHASE_H

#include "codec/duplex/messages.h"

enum duplex_phase {
    DUPLEX_PHASE_QUEUED,    /* until session.queue_done: nothing may be sent */
    DUPLEX_PHASE_CONNECTED, /* until session.created: session.update, and nothing else */
    DUPLEX_PHASE_ACTIVE,    /* append and close */
    DUPLEX_PHASE_CLOSED     /* session.closed was sent: nothing is answered any more */
};

/* Static: "queued", "connected", "active", "closed". */
const char *duplex_phase_name(enum duplex_phase phase);

enum duplex_take {
    DUPLEX_TAKE,       /* do what it says */
    DUPLEX_REFUSE,     /* answer with `error`; the session goes on as it was */
    DUPLEX_DISCONNECT, /* close with DUPLEX_CLOSE_INVALID_JSON: 002 Invalid JSON */
    DUPLEX_IGNORE
};

struct duplex_answer {
    enum duplex_take take;
    enum duplex_error_code error;   /* of DUPLEX_REFUSE */
    const struct json_fault *fault; /* of the message, when that is why; else it is the phase. Borrowed. */
};

/* The phase is looked at before the faults of a message. What only a server may send is an unknown event. */
struct duplex_answer duplex_phase_answer(enum duplex_phase phase, const struct duplex_message *message);
/* The sentence for error.message of one that is refused, in the words of its dialect: "audio: expected …",
 * "session.update comes first". */
void duplex_answer_write(struct text *out, const struct duplex_dialect *dialect, enum duplex_phase phase,
                         const struct duplex_answer *answer);

/* Why a session has to end now, by its time and its cache: timeout, or context_full; false: it goes on.
 * `session_us`: since the connection, waiting included, in time that --speed has already divided. */
bool duplex_session_ends(const struct duplex_profile *profile, uint64_t session_us, uint32_t cache_tokens,
                         enum duplex_reason *reason);

#endif
