/*
 * A population of clients in one loop, each of which sends something once in a while, spread evenly over that
 * while, and how late the events come that this allows. What they say, and when an event of theirs is due, is
 * the manner of a family.
 */
#ifndef SERVER_BENCH_TALK_H
#define SERVER_BENCH_TALK_H

#include "codec/wire/buffer.h"
#include "server/bench/bench.h"

enum {
    TALK_REQUEST_MAX = 2048,
    TALK_HEAD_BYTES = 64 /* of a message, by which it is known */
};

struct talkers;

struct talker {
    struct reader_session in;
    uint8_t head[TALK_HEAD_BYTES]; /* of the message that came latest */
    size_t head_len;
    struct bytes out; /* still to be sent */
    bool active;      /* the session has begun */
    bool over;        /* it is over, or the server goes */
    bool wants_end;   /* what ends it waits until what is sent is out */
    uint64_t sent_us; /* when what was sent latest was out */
    bool owed;        /* what that allows has not come yet */
    size_t turn;      /* how often it has sent, from the client's number on */

    /* For the manner: */
    int latest; /* the latest event … */
    uint64_t latest_us;
    bool commits; /* what is on its way out ends a turn … */
    uint64_t committed_us;
    size_t chunks; /* of the reply that came */
};

struct talk_manner {
    const char *const *mock_words; /* ended by NULL */
    uint64_t every_us;             /* each client sends once in that time */
    void (*request)(const void *messages, size_t n, char out[TALK_REQUEST_MAX]); /* of client `n` */
    /* A message came: its first bytes are `head`. */
    void (*heard)(struct talkers *talkers, struct talker *talker);
    /* What it sends now; sets `owed`, which it was before when that is missing. `missing`: by one more. */
    struct bytes (*next)(const void *messages, struct talker *talker, bool *missing);
    struct bytes (*last)(const void *messages); /* ends a session as the protocol has it */
};

/* ---- what a manner tells ---- */

bool talker_head_has(const struct talker *talker, const char *text);
/* An event, due at that time (0: it is not known); `delta`: a piece of a reply. Sets `latest_us`. */
void talkers_event(struct talkers *talkers, struct talker *talker, uint64_t due_us, bool delta);
void talkers_active(struct talkers *talkers, struct talker *talker);
/* Nothing that is due now: it fails, or once the sessions end it is their end. */
void talkers_other(struct talkers *talkers, struct talker *talker);
const void *talkers_messages(const struct talkers *talkers);

/* ---- a trial ---- */

struct talk_trial {
    const struct talk_manner *manner;
    const void *messages; /* of the manner */
    size_t sessions;
    uint64_t measure_us;
    const char *const *words; /* another server than the mock; NULL: the mock */
};

struct talk_result {
    uint64_t sent;    /* while it was measured */
    uint64_t events;  /* that came */
    uint64_t deltas;  /* of them */
    uint64_t judged;  /* events that were due at a known time */
    uint64_t missing; /* what was owed and had not come before the next */
    uint64_t unsent;  /* what was due while the one before was not even taken in */
    double p50_ms, p99_ms, max_ms;
    double cpu_us;      /* a message that was sent, of the server's process */
    double core;        /* share of it that the server used */
    double talker_core; /* and the clients of theirs */
    double waited;      /* share of the time in which one of both wanted its core and others had it */
    double session_kb;
};

/* False, with a line told, when a session was not let in or was lost. */
bool talk_run(const struct bench *bench, const struct talk_trial *trial, struct talk_result *result);
void talk_tell(const struct talk_trial *trial, const struct talk_result *result, const char *how);
/* Is what `verdict` says undone, as too little of the core was theirs? */
enum bench_verdict talk_verdict(enum bench_verdict verdict, const struct talk_result *result);
/* Rounds of two results each, the mock's and another server's: the middle one by the ratio of their CPU. */
const struct talk_result *talk_middle(struct talk_result (*rounds)[2], size_t count);
double talk_ratio(const struct talk_result results[2]);

/* As a client sends it: one frame, masked. False when memory runs out. */
bool talk_frame_make(struct bytes text, bool close, struct buffer *out);

#endif
