/* The client core's own state, shared by its source files and nobody else. */
#ifndef CLIENT_OJIN_INTERNAL_H
#define CLIENT_OJIN_INTERNAL_H

#include "client/core/reconnect.h"
#include "client/ojin/client.h"
#include "client/ojin/frame_buffer.h"
#include "client/ojin/sender.h"
#include "client/ojin/speech.h"
#include "client/ojin/turn.h"
#include "codec/ojin/profile.h"

enum {
    OJIN_CLIENT_PLAYS_PER_STEP_MAX = 32, /* frames shown in one step; more are due at once in the next */
    OJIN_CLIENT_ACTIONS_SPARE = 16,      /* actions kept free for what an event itself causes */
    OJIN_CLIENT_OUTGOING_MAX = 16 * 1024 * 1024, /* bytes a seam may make of a message */
    OJIN_CLIENT_LINGER_US = 500000 /* after a refusal, how long the server's own close is awaited */
};

/* A message on its way out, kept until the next step. */
struct outgoing {
    struct outgoing *next;
    struct buffer message;
};

struct ojin_client {
    const struct ojin_profile *profile;
    struct ojin_client_seams seams;
    uint64_t epoch_ms;
    enum ojin_client_phase phase;
    struct ojin_client_summary summary;
    struct sender fresh_sender; /* as a session begins with */

    struct reconnect reconnect;
    uint64_t retry_at_us; /* BACKING_OFF */
    uint64_t ready_at_us; /* of this session's sessionReady; 0: not yet */
    bool user_closed;
    bool lasting; /* what ended the session would end the next one too */

    uint64_t ready_wait_us;
    uint64_t ping_interval_us;
    uint64_t next_ping_us;     /* UINT64_MAX: none */
    uint64_t pong_deadline_us; /* UINT64_MAX: none is awaited */
    uint64_t stall_at_us;      /* UINT64_MAX: nothing is due, or its stall was reported */
    uint64_t give_up_at_us;    /* a defect: without a frame until then; UINT64_MAX: never */

    bool sent_speech; /* in this session */
    struct speech speech;
    struct sender sender;
    struct turn turn;
    bool opening_due;
    bool cancel_due;
    bool end_asked;
    bool end_sent;
    bool final_missed; /* a defect: nothing is said before a final frame comes */
    bool final_waived; /* cancelled after the end was sent: no final frame will come */
    struct outgoing *outgoing;

    struct frame_buffer buffer;
    bool playing; /* the clock runs */
    bool starved; /* it runs, and waits for a frame */
    bool flush;   /* a final frame came: what is held is played without waiting for more */
    uint64_t next_play_us;
    bool heard_turn; /* a speech frame was played, of `heard` */
    uint8_t heard[UUID_BYTES];
    size_t plays; /* in this step */
    int16_t sounds[OJIN_CLIENT_PLAYS_PER_STEP_MAX][OJIN_FRAME_SAMPLES];

    uint64_t ready_deadline_us;
    uint64_t final_deadline_us; /* UINT64_MAX: none */
    uint64_t close_at_us;       /* CLOSING and the close frame is still to be sent; UINT64_MAX: it is sent */
    uint64_t close_deadline_us;
    uint16_t close_code;
    bool opened;
    bool closed; /* the connection is gone; what is held is still played */

    struct ojin_client_progress progress;
    bool spoke; /* a speech frame was played, or the speech cancelled, since the latest speak */
};

/* reporting.c */
void ojin_client_observe(struct ojin_client *client, struct observation *observation,
                         struct client_actions *actions);
void ojin_client_report(struct ojin_client *client, const char *code, const char *text,
                        struct client_actions *actions);
void ojin_client_report_bytes(struct ojin_client *client, const char *code, struct bytes text,
                              struct client_actions *actions);

/* session.c: as it begins, and what it waits for. */
/* All that belongs to one session and not to the next, as it is before the upgrade. */
void ojin_client_reset_session(struct ojin_client *client, uint64_t now_us);
void ojin_client_wait_for_ready(struct ojin_client *client,
                                uint64_t now_us); /* from connecting, or from the upgrade */
void ojin_client_wait_for_pongs(struct ojin_client *client, uint64_t now_us); /* from the upgrade on */
void ojin_client_wait_for_final(struct ojin_client *client, uint64_t now_us);
void ojin_client_wait_for_speech(struct ojin_client *client, uint64_t now_us, const int16_t *samples,
                                 size_t count);
void ojin_client_frame_came(struct ojin_client *client, uint64_t now_us, bool speech);
void ojin_client_wait_for_frames(struct ojin_client *client,
                                 uint64_t now_us); /* defects that leave a good session */

/* ending.c: how a session ends, and what follows. */
/* Begins to close with `code` at `at_us`: in the past for at once. `lasting`: another session would end the
 * same. */
void ojin_client_begin_close(struct ojin_client *client, uint64_t now_us, uint64_t at_us, uint16_t code,
                             bool lasting);
void ojin_client_finish(struct ojin_client *client);
void ojin_client_refused(struct ojin_client *client, const struct client_event *event,
                         struct client_actions *actions);
void ojin_client_connection_closed(struct ojin_client *client, const struct client_event *event,
                                   struct client_actions *actions);
void ojin_client_check_closing(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
/* Closing, without a connection that a close frame could go to. */
void ojin_client_hang_up(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
/* The final frame has come and everything held was shown. */
bool ojin_client_is_played_out(const struct ojin_client *client);
void ojin_client_check_retry(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);

/* waiting.c: what does not come in time. */
void ojin_client_check_waits(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t ojin_client_waits_deadline_us(const struct ojin_client *client);

/* sending.c: sends what is due. */
void ojin_client_send_due(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t ojin_client_send_deadline_us(const struct ojin_client *client);
void ojin_client_release_outgoing(struct ojin_client *client);

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

static inline bool ojin_client_has_room(const struct client_actions *actions)
{
    return actions->count < CLIENT_ACTIONS_MAX - OJIN_CLIENT_ACTIONS_SPARE;
}

static inline uint64_t ojin_client_now_ms(const struct ojin_client *client, uint64_t now_us)
{
    return client->epoch_ms + now_us / 1000;
}

#endif
