/*
 * Where the conversation stands, as the client can tell from what it sent and what came back: whether speech
 * is due from the server, and which interactions were cancelled. 000 How It Works, Interruption Handling.
 * Private to the client core.
 */
#ifndef CLIENT_OJIN_TURN_H
#define CLIENT_OJIN_TURN_H

#include "codec/ojin/frame.h"

enum {
    TURN_CANCELLED_MAX = 16, /* cancelled interactions that are remembered; the oldest is forgotten */
    TURN_QUIET_US = 200000,  /* speech sent within this time joins the turn under way: spec README, bursts */
    TURN_UNANSWERED_US = 5000000, /* speech not answered for this long is not waited for any more */
    TURN_FLIGHT_US = 300000       /* silence this soon after a cancel may have been under way before it */
};

enum turn_state {
    TURN_IDLE,
    TURN_ASKED,   /* speech was sent, no speech frame has come yet */
    TURN_SPEAKING /* speech frames are coming */
};

struct turn {
    enum turn_state state;
    uint64_t last_audio_us; /* of the latest speech sent */
    bool has_interaction;   /* of the latest speech frame */
    uint8_t interaction[UUID_BYTES];

    bool settling;     /* a cancel is under way: new speech waits */
    bool unknown;      /* the cancelled interaction's id was not known: speech frames that come are its own */
    bool unknown_seen; /* and one has come */
    uint64_t cancelled_us;
    uint32_t unconfirmed; /* cancels that may still be answered by CANCELLED */
    size_t cancelled_count;
    size_t cancelled_next;
    uint8_t cancelled[TURN_CANCELLED_MAX][UUID_BYTES];
};

/* Speech is sent. True when it begins a turn. */
bool turn_audio_sent(struct turn *turn, uint64_t now_us);
/* Is speech due from the server? */
bool turn_is_due(const struct turn *turn);
/* A frame came. True when it is speech of a cancelled interaction, which must not be played. */
bool turn_frame(struct turn *turn, uint64_t now_us, const struct ojin_frame *frame);
bool turn_is_cancelled(const struct turn *turn, const uint8_t interaction[UUID_BYTES]);
void turn_add_cancelled(struct turn *turn, const uint8_t interaction[UUID_BYTES]);
/* The client cancels. `asked`: a cancelInteraction goes out, so the server has to settle first. */
void turn_cancel(struct turn *turn, uint64_t now_us, bool asked);
/* A CANCELLED came. True when it answers a cancel of ours. */
bool turn_confirmed(struct turn *turn);
void turn_settle(struct turn *turn);

#endif
