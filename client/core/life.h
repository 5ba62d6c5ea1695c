/*
 * The life of a client, the same for all families: it connects, is up, closes, waits and tries again, is
 * over. A family's core embeds one and adds what its protocol says, as stages of being up and in a struct
 * client_life_family. The life answers the connection (pings, close frames, refusals), watches how long the
 * family waits, decides after a loss whether to try again (see reconnect.h), and keeps what is reported.
 *
 * A step of a core begins with client_life_release, hands the event to client_life_event, and ends with
 * client_life_check_waits and client_life_check_end, the family's own waits between the two.
 */
#ifndef CLIENT_CORE_LIFE_H
#define CLIENT_CORE_LIFE_H

#include "client/core/event.h"
#include "client/core/reconnect.h"
#include "codec/wire/buffer.h"

enum {
    CLIENT_PING_INTERVAL_US = 30000000, /* 000; a missing pong is waited for a third of it */
    CLIENT_CLOSE_WAIT_US = 2000000,     /* for the peer's close frame */
    CLIENT_LINGER_US = 500000           /* after the server's last word, how long its own close is awaited */
};

struct client_life_options {
    uint64_t epoch_ms;         /* Unix time at now_us == 0 */
    uint32_t reconnect_times;  /* attempts in a row after a loss; 0: none. See client_life_set_reconnect */
    uint64_t reconnect_seed;   /* of the jitter of their delays; 0: no jitter */
    uint64_t ping_interval_us; /* 0: CLIENT_PING_INTERVAL_US */
};

/* What a family adds. `owner` is its core. */
struct client_life_family {
    const char *const *stages; /* what it does in each stage, for people: "speaking" */
    /* All that belongs to one session is to be as it is before the upgrade; sets `deadline_us` for that. */
    void (*begin)(void *owner, uint64_t now_us);
    /* The upgrade succeeded: sets the first stage. */
    void (*opened)(void *owner, uint64_t now_us, struct client_actions *actions);
    /* CLIENT_TEXT, CLIENT_BINARY; also while it closes. */
    void (*message)(void *owner, const struct client_event *event, struct client_actions *actions);
    /* What the stage (0: the upgrade) waits for did not come until `deadline_us`: reports that, and the life
     * closes. */
    void (*overdue)(void *owner, struct client_actions *actions);
    /* It begins to close. NULL: nothing to do. */
    void (*closing)(void *owner);
    /* The connection is lost. Has it had all that it wanted? NULL: another session is always of use. */
    bool (*is_done)(const void *owner);
    /* The connection is gone for good. Does it still play what it holds? */
    bool (*plays_on)(const void *owner);
    /* Another session follows: drops what belongs to the old one, and reports what is lost with it. */
    void (*leave)(void *owner, uint64_t now_us, struct client_actions *actions);
    /* How long that close code of the server asks to wait before another attempt. NULL: none does. */
    uint64_t (*retry_wait_us)(const void *owner, uint16_t close_code);
    /* The body of a refusal: false when it is no error message of the family, else its words. */
    bool (*read_refusal)(const void *owner, struct bytes body, struct text *out);
};

/* A message on its way out, kept until the next step. */
struct client_outgoing;

struct client_life {
    const struct client_life_family *family;
    void *owner;
    uint64_t epoch_ms;
    uint64_t now_us; /* of the latest event */
    uint64_t ping_interval_us;
    struct client_outgoing *outgoing;
    struct client_progress progress;

    enum client_standing standing;
    unsigned stage; /* of the family's enum while it is up; 0: it is not, or is not yet connected */
    struct reconnect reconnect;
    uint64_t retry_at_us; /* STANDS_WAITING */
    bool user_closed;

    /* of this session */
    bool opened;
    bool lost;             /* the connection is gone; what is held may still be played */
    bool lasting;          /* what ended the session would end the next one too */
    bool told_why;         /* the server said why it ends: its close code says no more */
    uint64_t ready_at_us;  /* UINT64_MAX: not yet */
    uint64_t deadline_us;  /* of what the stage waits for, or the closing; UINT64_MAX: none */
    uint64_t close_at_us;  /* it closes, and its close frame is still to be sent; UINT64_MAX: it is sent */
    uint64_t next_ping_us; /* UINT64_MAX: none */
    uint64_t pong_deadline_us; /* UINT64_MAX: none is awaited */
    uint16_t close_code;
};

/* Connects. What is pointed to is borrowed for its life. */
void client_life_init(struct client_life *life, const struct client_life_family *family, void *owner,
                      const struct client_life_options *options);
/* Frees what was sent in the step before; at the end, too. */
void client_life_release(struct client_life *life);

/* ---- what comes ---- */

void client_life_event(struct client_life *life, const struct client_event *event,
                       struct client_actions *actions);
/* What is due while it is up: the deadline of the stage, pings and pongs … */
void client_life_check_waits(struct client_life *life, uint64_t now_us, struct client_actions *actions);
/* … and else: the close frame and the end of the closing, the next attempt. */
void client_life_check_end(struct client_life *life, uint64_t now_us, struct client_actions *actions);
uint64_t client_life_deadline_us(const struct client_life *life); /* UINT64_MAX: none */

/* ---- what it does ---- */

/* The server says that the session is ready. */
void client_life_ready(struct client_life *life, uint64_t now_us);
/* It is near its end, and pings no more. */
void client_life_stop_pings(struct client_life *life);
/* Takes the message over. False: no memory. */
bool client_life_send(struct client_life *life, enum client_action_kind kind, struct buffer *message,
                      struct client_actions *actions);
/* Begins to close with `code` at `at_us`: in the past for at once. `lasting`: another session would end the
 * same. */
void client_life_begin_close(struct client_life *life, uint64_t now_us, uint64_t at_us, uint16_t code,
                             bool lasting);
/* Its user closes it, for good. True: it is connected or connects, and has to say so. */
bool client_life_leave(struct client_life *life);
/* From now on a lost connection is tried again up to `times` times in a row; 0: not at all. */
void client_life_set_reconnect(struct client_life *life, uint32_t times);

/* ---- what its user is told ---- */

void client_life_observe(struct client_life *life, struct observation *observation,
                         struct client_actions *actions);
void client_life_report(struct client_life *life, const char *code, const char *text,
                        struct client_actions *actions);
/* There is no memory for what `text` says: reports OUT_OF_MEMORY and begins to close. Who leaves out one of
 * its own messages would be in breach, and who cannot read one would wait for it. */
void client_life_no_memory(struct client_life *life, const char *text, struct client_actions *actions);
void client_life_report_bytes(struct client_life *life, const char *code, struct bytes text,
                              struct client_actions *actions);
/* What it is doing, for people: "connecting"; static. */
const char *client_life_name(const struct client_life *life);

/* It closes or is over: nobody hears what it is told. */
static inline bool client_life_is_ending(const struct client_life *life)
{
    return life->standing == CLIENT_STANDS_OVER || (life->standing == CLIENT_STANDS_CLOSING && !life->lost);
}

static inline uint64_t client_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
