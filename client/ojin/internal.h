/* The client core's own state, shared by its source files and nobody else. */
#ifndef CLIENT_OJIN_INTERNAL_H
#define CLIENT_OJIN_INTERNAL_H

#include "client/ojin/client.h"
#include "client/ojin/frame_buffer.h"
#include "client/ojin/sender.h"
#include "client/ojin/speech.h"
#include "client/ojin/turn.h"
#include "codec/ojin/profile.h"

enum {
    OJIN_CLIENT_PLAYS_PER_STEP_MAX = 32, /* frames shown in one step; more are due at once in the next */
    OJIN_CLIENT_OUTGOING_MAX = OJIN_MESSAGE_BYTES_MAX
};

struct ojin_client {
    const struct ojin_profile *profile;
    struct client_life life;
    struct ojin_client_summary summary;
    struct sender fresh_sender; /* as a session begins with */

    enum ojin_played_audio played_audio;
    uint64_t ready_wait_us; /* for the upgrade, and for sessionReady */
    uint64_t stall_wait_us; /* for speech, once some was sent */
    uint64_t final_wait_us; /* for the final frame, or the next sign of it */
    uint64_t stall_at_us;   /* UINT64_MAX: nothing is due, or its stall was reported */

    bool sent_speech; /* in this session */
    struct speech speech;
    struct sender sender;
    struct turn turn;
    bool opening_due;
    bool cancel_due;
    bool end_asked;
    bool end_sent;
    bool final_waived; /* cancelled after the end was sent: no final frame will come */

    struct frame_buffer buffer;
    bool playing; /* the clock runs */
    bool starved; /* it runs, and waits for a frame */
    bool flush;   /* a final frame came: what is held is played without waiting for more */
    uint64_t next_play_us;
    bool heard_turn; /* a speech frame was played, of `heard` */
    uint8_t heard[UUID_BYTES];
    size_t plays; /* in this step */
    int16_t sounds[OJIN_CLIENT_PLAYS_PER_STEP_MAX][OJIN_FRAME_SAMPLES];

    bool awaits_final;
    uint64_t final_deadline_us; /* UINT64_MAX: none */
    bool spoke; /* a speech frame was played, or the speech cancelled, since the latest speak */
};

/* session.c: as it begins, and what it waits for. */
/* For its life. */
void ojin_client_begin(void *owner, uint64_t now_us);
void ojin_client_wait_for_final(struct ojin_client *client, uint64_t now_us);
void ojin_client_wait_for_speech(struct ojin_client *client, uint64_t now_us, const int16_t *samples,
                                 size_t count);
void ojin_client_frame_came(struct ojin_client *client, uint64_t now_us, bool speech);

/* ending.c: for its life */
bool ojin_client_is_done(const void *owner);
bool ojin_client_plays_on(const void *owner);
void ojin_client_closing(void *owner);
void ojin_client_leave(void *owner, uint64_t now_us, struct client_actions *actions);
bool ojin_client_read_refusal(const void *owner, struct bytes body, struct text *out);
/* Everything held was shown. */
bool ojin_client_is_played_out(const struct ojin_client *client);

/* waiting.c: what does not come in time. */
void ojin_client_overdue(void *owner, struct client_actions *actions); /* for its life */
void ojin_client_check_waits(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t ojin_client_waits_deadline_us(const struct ojin_client *client);

/* sending.c: sends what is due. */
void ojin_client_send_due(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t ojin_client_send_deadline_us(const struct ojin_client *client);

/* receiving.c */
/* Speech may go out from now on. */
void ojin_client_become_ready(struct ojin_client *client);
void ojin_client_receive_text(struct ojin_client *client, uint64_t now_us, struct bytes text,
                              struct client_actions *actions);
void ojin_client_receive_frame(struct ojin_client *client, uint64_t now_us, struct bytes message,
                               struct client_actions *actions);

/* player.c */
void ojin_client_play_due(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t ojin_client_play_deadline_us(const struct ojin_client *client);
/* A frame was added to the buffer. */
void ojin_client_play_arrived(struct ojin_client *client, uint64_t now_us);

static inline uint64_t ojin_client_now_ms(const struct ojin_client *client, uint64_t now_us)
{
    return client->life.epoch_ms + now_us / 1000;
}

#endif
