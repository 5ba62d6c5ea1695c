/*
 * Where a defect hooks into the client core of the full-duplex family: each member changes one thing that the
 * client does, and all zero changes nothing. See client/ojin/seams.h.
 */
#ifndef CLIENT_DUPLEX_SEAMS_H
#define CLIENT_DUPLEX_SEAMS_H

#include "client/core/life.h"
#include "codec/duplex/messages.h"

struct duplex_client_seams {
    struct client_life_seams life;

    /* Every message before it is written; may change its members, or return false to drop it. */
    bool (*message)(void *context, struct duplex_message *message);
    /* Every message as it is written; may change it or replace it (the buffer is the client's), or return
     * false to drop it. */
    bool (*outgoing)(void *context, enum duplex_message_type type, struct buffer *message);
    /* Every text message as it comes in. */
    enum client_taking (*incoming)(void *context, struct bytes message);
    /* The same, to be read in another form: true when `out` holds what is read in its place. */
    bool (*rewrite)(void *context, struct bytes message, struct buffer *out);
    /* Every message once it is read; may change what the client makes of it. */
    void (*read)(void *context, struct duplex_message *message);

    /* Numbers in place of the client's own; 0: its own. */
    uint64_t append_us;      /* between two appends */
    uint32_t append_samples; /* in each */
    uint32_t append_burst;   /* at once, each time one is due */

    /* Opening a session. */
    bool no_queue_wait;   /* sends session.update once it is connected */
    bool update_again;    /* and again with each queue_done */
    bool no_update;       /* never sends it */
    bool no_created_wait; /* appends once session.update is sent */
    bool no_queue_report;
    uint64_t queue_wait_us; /* gives up so long after it was connected, whatever repeats */

    /* The stream. */
    bool listens_first;    /* appends nothing while the server speaks */
    bool pause_after_talk; /* appends nothing when there is nothing to say */
    bool keeps_backlog;    /* hands over what is due though the server does not read */

    /* Playing. */
    bool keep_queue_on_listen;
    bool keep_playing_on_interrupt;
    bool play_before_listen; /* what comes after an interruption, before the response.listen */
    uint64_t start_us;       /* the loudspeaker starts so much later */
    uint64_t held_samples;   /* drops what comes while so much is held for playing; 0: it does not */
    bool force_for_good;     /* force_listen in every append from then on */
    bool no_force;           /* drops what is queued, and tells the server nothing */
    bool drop_last_delta;    /* the sound that comes with end_of_turn */
    bool wait_for_second;    /* plays nothing of a delta shorter than a second but the last */
    bool reverse;            /* plays the newest first */
    bool stutters;           /* plays the last 20 ms of each delta twice */
    bool no_audio_is_end;    /* a delta without sound ends the session */

    /* The end. */
    bool no_close_message;    /* a close frame in place of session.close */
    bool no_closed_wait;      /* a close frame right after session.close */
    bool no_closed_timeout;   /* waits for session.closed for ever */
    bool no_turn_timeout;     /* and for the end of a turn that began, before it ends */
    bool append_after_closed; /* and does not close for a while */
    bool flush_at_closed;     /* an append in answer to session.closed */
    bool answer_closed;       /* session.close in answer to it */
    bool no_closed_report;    /* neither session.closed nor a lost connection */
    bool error_is_end;        /* any error ends the session */
    bool unknown_is_end;      /* an unknown message does */
};

#endif
