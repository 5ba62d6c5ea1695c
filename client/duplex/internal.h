/* The full-duplex client core's own state, shared by its source files and nobody else. */
#ifndef CLIENT_DUPLEX_INTERNAL_H
#define CLIENT_DUPLEX_INTERNAL_H

#include "client/core/reconnect.h"
#include "client/duplex/client.h"
#include "client/duplex/microphone.h"
#include "client/duplex/player.h"

enum {
    DUPLEX_CLIENT_ACTIONS_SPARE = 32, /* actions kept free for what an event itself causes */
    DUPLEX_CLIENT_LINGER_US = 500000, /* after session.closed, how long the server's own close is awaited */
    DUPLEX_CLIENT_BACKLOG_POLL_US = 50000,                    /* how soon a held append is tried again */
    DUPLEX_CLIENT_APPEND_LATE_US = 200000,                    /* later than that, the schedule begins anew */
    DUPLEX_CLIENT_APPEND_SAMPLES_MAX = 60 * DUPLEX_INPUT_RATE /* that a seam may ask for */
};

/* A message on its way out, kept until the next step. */
struct duplex_outgoing {
    struct duplex_outgoing *next;
    struct buffer message;
};

struct duplex_client {
    struct duplex_client_config config;
    const struct duplex_profile *profile;
    struct duplex_client_seams seams;
    enum duplex_client_phase phase;
    struct duplex_client_summary summary;
    struct duplex_client_progress progress;
    struct duplex_outgoing *outgoing;

    struct reconnect reconnect;
    uint64_t retry_at_us; /* BACKING_OFF */
    bool user_closed;
    bool end_asked;
    bool lasting; /* what ended the session would end the next one too */

    /* of this session */
    bool opened;
    bool lost;             /* the connection is gone; what is queued is still played */
    bool updated;          /* session.update was sent */
    bool closed_came;      /* session.closed */
    uint64_t unsent;       /* bytes that wait for the connection */
    uint64_t deadline_us;  /* for what the phase waits for; UINT64_MAX: nothing */
    uint64_t close_at_us;  /* CLOSING, and the close frame is still to be sent; UINT64_MAX: it is sent */
    uint64_t next_ping_us; /* UINT64_MAX: none */
    uint64_t pong_deadline_us;
    uint16_t close_code;

    struct microphone microphone;
    bool sent_speech; /* in this session */
    bool talked;      /* something was handed over, in whichever session */
    uint64_t next_append_us;
    uint64_t append_samples;
    uint8_t *waiting;      /* sound of an append, room for append_samples */
    bool is_waiting;       /* it holds some that the server does not take yet */
    size_t waiting_speech; /* samples of it that are speech */
    uint64_t poll_us;      /* it holds some: when it is tried again */
    bool not_reading;      /* told */
    size_t next_picture;
    bool force_due;          /* the next append interrupts */
    uint64_t muted_until_us; /* deltas are not played before; 0: they are */

    struct duplex_player player;
    char turn_text[OBSERVATION_TEXT_MAX]; /* of the turn that is being played */
    size_t turn_text_len;

    uint64_t empty_at_us; /* end asked: since when there is nothing to say */
    uint64_t quiet_at_us; /* since when nothing is played */
};

/* reporting.c */
void duplex_client_observe(struct duplex_client *client, struct observation *observation,
                           struct client_actions *actions);
void duplex_client_report(struct duplex_client *client, const char *code, struct bytes text,
                          struct client_actions *actions);
void duplex_client_report_text(struct duplex_client *client, const char *code, const char *text,
                               struct client_actions *actions);

/* session.c */
/* All that belongs to one session and not to the next, as it is before the upgrade. */
void duplex_client_reset_session(struct duplex_client *client, uint64_t now_us);
/* From session.created on. */
void duplex_client_stream(struct duplex_client *client, uint64_t now_us);

/* sending.c */
void duplex_client_send(struct duplex_client *client, struct duplex_message *message,
                        struct client_actions *actions);
void duplex_client_send_update(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
void duplex_client_send_due(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t duplex_client_send_deadline_us(const struct duplex_client *client);
/* All that was handed over is sent. */
bool duplex_client_is_sent(const struct duplex_client *client);
void duplex_client_release_outgoing(struct duplex_client *client);

/* receiving.c */
void duplex_client_receive(struct duplex_client *client, uint64_t now_us, struct bytes text,
                           struct client_actions *actions);

/* playing.c */
void duplex_client_play_due(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
/* Drops what is queued, and reports it as `kind` (LISTEN, CANCELLED); `cache` NULL: not told. */
void duplex_client_drop(struct duplex_client *client, uint64_t now_us, enum observation_kind kind,
                        const uint32_t *cache, struct client_actions *actions);
/* The same without a word but for the turn's. */
void duplex_client_cut(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t duplex_client_play_deadline_us(const struct duplex_client *client);
bool duplex_client_is_played_out(const struct duplex_client *client);

/* waiting.c: what does not come in time. */
void duplex_client_wait_for_pongs(struct duplex_client *client, uint64_t now_us);
void duplex_client_check_waits(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t duplex_client_waits_deadline_us(const struct duplex_client *client);

/* ending.c: how a session ends, and what follows. */
/* session.close, or a close frame where there is no session yet. */
void duplex_client_stop(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
/* The WebSocket closes with `code` at `at_us`: in the past for at once. `lasting`: another session would end
 * the same. */
void duplex_client_begin_close(struct duplex_client *client, uint64_t now_us, uint64_t at_us, uint16_t code,
                               bool lasting);
void duplex_client_finish(struct duplex_client *client);
void duplex_client_refused(struct duplex_client *client, const struct client_event *event,
                           struct client_actions *actions);
void duplex_client_connection_closed(struct duplex_client *client, const struct client_event *event,
                                     struct client_actions *actions);
/* Without a connection that a close frame could go to. */
void duplex_client_hang_up(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
void duplex_client_check_closing(struct duplex_client *client, uint64_t now_us,
                                 struct client_actions *actions);
void duplex_client_check_retry(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);

static inline bool duplex_client_has_room(const struct client_actions *actions)
{
    return actions->count < CLIENT_ACTIONS_MAX - DUPLEX_CLIENT_ACTIONS_SPARE;
}

static inline uint64_t duplex_client_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
