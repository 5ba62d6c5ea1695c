/* The full-duplex client core's own state, shared by its source files and nobody else. */
#ifndef CLIENT_DUPLEX_INTERNAL_H
#define CLIENT_DUPLEX_INTERNAL_H

#include "client/core/player.h"
#include "client/duplex/client.h"
#include "client/duplex/microphone.h"

enum {
    DUPLEX_CLIENT_BACKLOG_POLL_US = 50000, /* how soon a held append is tried again */
    DUPLEX_CLIENT_APPEND_LATE_US = 200000  /* later than that, the schedule begins anew */
};

struct duplex_client {
    struct duplex_client_config config;
    const struct duplex_profile *profile;
    struct client_life life;
    struct duplex_client_summary summary;

    bool end_asked;

    /* of this session */
    uint64_t unsent; /* bytes that wait for the connection */

    struct microphone microphone;
    bool sent_speech; /* in this session */
    bool talked;      /* something was handed over, in whichever session */
    uint64_t next_append_us;
    size_t append_samples;
    uint8_t waiting[DUPLEX_APPEND_SAMPLES * DUPLEX_SAMPLE_BYTES]; /* sound of an append */
    bool is_waiting;       /* it holds some that the server does not take yet */
    size_t waiting_speech; /* samples of it that are speech */
    uint64_t poll_us;      /* it holds some: when it is tried again */
    bool not_reading;      /* told */
    size_t next_picture;
    bool force_due;          /* the next append interrupts */
    uint64_t muted_until_us; /* deltas are not played before; 0: they are */

    struct player player;
    char turn_text[OBSERVATION_TEXT_MAX]; /* of the turn that is being played */
    size_t turn_text_len;

    uint64_t empty_at_us; /* end asked: since when there is nothing to say */
    uint64_t quiet_at_us; /* since when nothing is played */
};

/* session.c */
void duplex_client_begin(void *owner, uint64_t now_us); /* for its life */
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
void duplex_client_overdue(void *owner, struct client_actions *actions); /* for its life */
void duplex_client_check_waits(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
uint64_t duplex_client_waits_deadline_us(const struct duplex_client *client);

/* ending.c */
/* session.close, or at once the close frame: for good. */
void duplex_client_stop(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
/* For its life. */
bool duplex_client_plays_on(const void *owner);
void duplex_client_leave(void *owner, uint64_t now_us, struct client_actions *actions);
bool duplex_client_read_refusal(const void *owner, struct bytes body, struct text *out);

#endif
