/* The interview client core's own state, shared by its source files and nobody else. */
#ifndef CLIENT_INTERVIEW_INTERNAL_H
#define CLIENT_INTERVIEW_INTERNAL_H

#include "client/core/player.h"
#include "client/interview/answers.h"
#include "client/interview/client.h"

enum {
    INTERVIEW_CLIENT_BACKLOG_POLL_US =
        50000, /* how soon a chunk that the server does not take is tried again */
    INTERVIEW_CLIENT_CHUNK_LATE_US = 100000 /* later than that, the schedule begins anew */
};

struct interview_client {
    struct interview_client_config config;
    const struct interview_dialect *dialect;
    struct client_life life;
    struct interview_client_summary summary;

    bool end_asked;
    struct answers answers;
    struct player player;
    bool clock_runs;
    char reply_text[OBSERVATION_TEXT_MAX]; /* of what is being played, as far as it was told */
    uint64_t said_to;                      /* where on the clock what was said ends */
    struct bytes said;                     /* in this step, from `said_at` on; empty: nothing */
    uint64_t said_at;

    /* of this session */
    uint64_t unsent;            /* bytes that wait for the connection */
    uint64_t due_us;            /* an answer is being said: when its next chunk is; else UINT64_MAX */
    uint64_t poll_us;           /* when what is not taken is tried again */
    uint64_t blocked_us;        /* the chunk that is due is not taken: since then; else UINT64_MAX */
    bool awaits_reply;          /* to the latest commit: its is_final did not come */
    uint64_t reply_deadline_us; /* then */
    bool reply_open;            /* a chunk came that was not the last of its reply */
    bool muted;                 /* what comes belongs to a reply that was interrupted */
    uint64_t quiet_at_us;       /* since when nothing came, was said or was played */
};

/* sending.c */
void interview_client_send(struct interview_client *client, struct interview_message *message,
                           struct client_actions *actions);
void interview_client_send_due(struct interview_client *client, uint64_t now_us,
                               struct client_actions *actions);
uint64_t interview_client_send_deadline_us(const struct interview_client *client);

/* receiving.c */
void interview_client_receive(struct interview_client *client, uint64_t now_us, struct bytes text,
                              struct client_actions *actions);

/* playing.c */
void interview_client_play_due(struct interview_client *client, uint64_t now_us,
                               struct client_actions *actions);
uint64_t interview_client_play_deadline_us(const struct interview_client *client);
bool interview_client_is_played_out(const struct interview_client *client);
/* Drops what is queued, and with `told` reports it as CANCELLED. A reply of which something came is over. */
void interview_client_drop(struct interview_client *client, uint64_t now_us, bool told,
                           struct client_actions *actions);

/* waiting.c: what does not come in time. */
void interview_client_overdue(void *owner, struct client_actions *actions); /* for its life */
void interview_client_check_waits(struct interview_client *client, uint64_t now_us,
                                  struct client_actions *actions);
uint64_t interview_client_waits_deadline_us(const struct interview_client *client);

/* ending.c: for its life. */
bool interview_client_is_done(const void *owner);
bool interview_client_plays_on(const void *owner);
void interview_client_leave(void *owner, uint64_t now_us, struct client_actions *actions);
uint64_t interview_client_retry_wait_us(const void *owner, uint16_t close_code);
bool interview_client_read_refusal(const void *owner, struct bytes body, struct text *out);

#endif
