/*
 * Where a defect hooks into the client core: each member changes one thing that the client does, and all zero
 * changes nothing. The suite's own test (conformance/defects) breaks the client with them, so that each
 * requirement is seen to fail.
 */
#ifndef CLIENT_OJIN_SEAMS_H
#define CLIENT_OJIN_SEAMS_H

#include "client/core/life.h"
#include "codec/ojin/frame.h"
#include "codec/wire/buffer.h"

/* What the client waits for, each for a while. */
enum ojin_client_wait {
    OJIN_WAIT_READY,  /* the upgrade, then sessionReady */
    OJIN_WAIT_SPEECH, /* back, once speech was sent */
    OJIN_WAIT_FINAL,  /* the final frame, or the next sign of it */
    OJIN_WAIT_FRAME,  /* any frame, whatever is due: the correct client does not */
    OJIN_WAITS
};

struct turn; /* client/ojin/turn.h */

struct ojin_client_seams {
    struct client_life_seams life;

    /* Every message before it leaves; may change it in place, replace it (the buffer is the client's) or
     * return false to drop it. */
    bool (*outgoing)(void *context, bool binary, struct buffer *message);
    /* Every message as it comes in; may take it for the other kind. */
    enum client_taking (*incoming)(void *context, bool *binary, struct bytes message);
    /* Decodes a frame in place of ojin_frame_decode. */
    struct wire_error (*decode)(void *context, struct bytes message, struct ojin_frame *out);
    /* Every frame before it is held for playing; false: it is not. */
    bool (*hold)(void *context, const struct ojin_frame *frame);
    /* After a cancel (`frame` NULL) and after each frame: what the client thinks of the turn; may change it.
     */
    void (*turn)(void *context, struct turn *turn, const struct ojin_frame *frame);

    /* Numbers in place of the client's own; 0: its own. */
    uint32_t buffer_target;       /* frames */
    uint32_t chunk_samples;       /* speech a message */
    uint64_t frame_us;            /* between one frame played and the next */
    uint64_t wait_us[OJIN_WAITS]; /* UINT64_MAX: without end */
    uint64_t hold_speech_us;      /* that it was handed last, unless the end was asked for */

    /* Opening a session. */
    bool no_opening_silence;
    bool opening_silence_always; /* whatever the profile says */
    bool no_ready_wait;          /* is ready once it is connected */

    /* Sending. */
    bool no_rate_limit;
    bool no_pause;   /* RATE_LIMITED does not slow it down */
    bool keep_alive; /* sends silence as often as it may while there is nothing to say */

    /* Playing. */
    bool no_silence_dropping;
    bool skip_all_silence;    /* above the target, not one of two */
    bool speech_at_once;      /* own speech is played with any frame, silence too */
    bool play_response_audio; /* whatever the profile says */
    bool play_own_speech;     /* the same */
    bool forget_at_silence;   /* a silence frame ends the speech that is played, whatever follows */

    /* Cancelling and ending. */
    bool keep_buffer_on_cancel;
    bool keep_speech_on_cancel;  /* speech not yet sent is still sent */
    bool cancel_in_line;         /* the cancel waits until all speech is sent that came before it */
    bool no_settling;            /* new speech does not wait for the server to settle */
    bool final_after_cancel;     /* speaks again only after a final frame */
    bool forget_idle_cancel;     /* cancels when nothing is due as well, and awaits no CANCELLED for it */
    bool cancelled_ends_session; /* a CANCELLED that is taken for a failure ends the session */
    bool no_end_message;         /* plays out and closes, without endInteraction */
    bool close_at_end;           /* closes right behind endInteraction */
    bool ignore_final;

    /* Reconnecting; they do nothing in a client that was not told to reconnect. */
    bool keep_speech_on_reconnect; /* speech of the old session that can still be had is sent again */
    bool keep_buffer_on_reconnect; /* frames of the old session are played in the new one */
    bool no_opening_silence_again; /* only the first session is opened with silence */
    bool no_ready_again;           /* only the first sessionReady is awaited */
    uint64_t leaves_second_us; /* so long after its sessionReady it leaves the second session for a third */

    bool wait_after_error; /* INTERNAL_ERROR and TIMEOUT end no interaction */
};

#endif
