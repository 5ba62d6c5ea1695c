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
    /* The sound of a delta before it is held for playing: what is held in its place, valid until the next
     * call. `held`: samples that wait to be played. */
    struct bytes (*hold)(void *context, const struct duplex_message *message, struct bytes audio,
                         uint64_t held);

    /* Numbers in place of the client's own; 0: its own. */
    uint64_t append_us;      /* between two appends */
    uint32_t append_samples; /* in each */
    uint32_t append_burst;   /* at once, each time one is due */

    /* Opening a session. */
    bool no_queue_wait;     /* sends session.update once it is connected */
    bool update_again;      /* and again with each queue_done */
    bool no_created_wait;   /* appends once session.update is sent */
    uint64_t queue_wait_us; /* gives up so long after it was connected, whatever repeats */

    /* The stream. */
    bool listens_first; /* appends nothing while the server speaks */
    bool keeps_backlog; /* hands over what is due though the server does not read */

    /* Playing. */
    bool keep_queue_on_listen;
    bool keep_playing_on_interrupt;
    bool play_before_listen; /* what comes after an interruption, before the response.listen */
    uint64_t start_us;       /* the loudspeaker starts so much later */
    bool force_for_good;     /* force_listen in every append from then on */
    bool reverse;            /* plays the newest first */

    /* The end. */
    bool no_closed_wait;      /* a close frame right behind session.close */
    bool no_closed_timeout;   /* waits for session.closed for ever */
    bool no_turn_timeout;     /* and for the end of a turn that began, before it ends */
    bool append_after_closed; /* and does not close for a while */
    bool flush_at_closed;     /* an append in answer to session.closed */
    bool answer_closed;       /* session.close in answer to it */
    bool error_is_end;        /* any error ends the session */
    bool unknown_is_end;      /* an unknown message does */
};

#endif
