/*
 * The reference client of the interview family, without I/O: 004 Realtime API.
 *
 * Connects, waits for the status "connected", and says the answers it is given, one after another, as a
 * microphone would: a chunk of 100 to 200 ms is sent when the last of it would have been spoken, and
 * commit_audio once behind the last chunk. What the server does not take yet waits, and nothing is made up
 * for in a burst.
 *
 * The loudspeaker's clock counts samples at 24 kHz from the first upgrade on, over reconnects. The sound of a
 * reply is played in order and without gaps, and starts a little late (INTERVIEW_CLIENT_MARGIN_US). A reply
 * is over with is_final. Words are told when they come: those of a chunk as a partial transcript of the ai.
 *
 * An interruption (cancel_response) drops what is queued at once; of the reply that was under way nothing
 * more is played until its is_final or the next commit.
 *
 * Ends with a close with 1000, once the reply to the last answer was heard. Pings every 30 s. When the
 * connection is lost and it was told to reconnect, it does so after the delays of client/core/reconnect.h,
 * after 1012 not before 5 s, and never after 1000, which is also what an older connection is closed with when
 * a newer one comes, nor after 1008 or a refusal that cannot pass. A committed answer is never said again;
 * one that was broken off before its commit, of which the server keeps nothing, is said from its beginning.
 *
 * Codes of error observations that are the client's own: "NO_CONNECTION", an HTTP status ("403"), "" (plain
 * text of the server), "BAD_CHUNK" (sound that cannot be played; the session goes on), "CONNECTED_TIMEOUT",
 * "PONG_TIMEOUT", "NOT_READING" (the server), "NO_REPLY" (in time, or not to its is_final; the session goes
 * on), "REPLY_LOST", "GAVE_UP", "BUFFER_FULL", "OUT_OF_MEMORY". Any other is the code of an error message.
 */
#ifndef CLIENT_INTERVIEW_CLIENT_H
#define CLIENT_INTERVIEW_CLIENT_H

#include "client/core/life.h"
#include "codec/interview/messages.h"

enum {
    INTERVIEW_CLIENT_ANSWER_SAMPLES_MAX = 3600 * INTERVIEW_RATE, /* handed over and not yet committed */
    INTERVIEW_CLIENT_HELD_SAMPLES_MAX = 300 * INTERVIEW_RATE, /* beyond it the session ends with an error */
    INTERVIEW_CLIENT_HELD_CHUNKS_MAX = 16384,
    INTERVIEW_CLIENT_PIECE_SAMPLES_MAX = INTERVIEW_RATE / 10, /* played at once */
    INTERVIEW_CLIENT_CHUNK_SAMPLES = 3600, /* 150 ms, the middle of what the document recommends */
    INTERVIEW_CLIENT_MARGIN_US = 200000,
    INTERVIEW_CLIENT_UPGRADE_WAIT_US = 10000000,
    INTERVIEW_CLIENT_CONNECTED_WAIT_US = 10000000,
    INTERVIEW_CLIENT_TAKE_WAIT_US = 10000000,       /* a server that takes nothing of what is sent */
    INTERVIEW_CLIENT_REPLY_WAIT_US = 20000000,      /* for the reply, and for each next chunk of it */
    INTERVIEW_CLIENT_REPLY_ERROR_WAIT_US = 5000000, /* the same, once an error came in its place */
    INTERVIEW_CLIENT_SETTLE_US = 1000000 /* when it is to end, how long it listens after the last that came */
};

struct interview_client_config {
    const struct interview_profile *profile; /* borrowed */
    struct client_life_options life;
};

/* What it does while it is up. */
enum interview_client_stage {
    INTERVIEW_CLIENT_JOINING = 1, /* until the status "connected" */
    INTERVIEW_CLIENT_TALKING
};

struct interview_client_summary {
    uint64_t chunks_sent;
    uint64_t samples_sent;
    uint64_t answers; /* committed */
    uint64_t chunks;  /* received */
    uint64_t samples; /* of sound, received */
    uint64_t samples_heard;
    uint64_t samples_dropped; /* by an interruption, or with the connection */
    uint64_t chunks_ignored;  /* of a reply that was interrupted */
    uint64_t replies;         /* heard to the end */
    uint64_t replies_cut;     /* the others of which something was heard or queued */
    uint64_t gaps;            /* the next chunk came too late */
    uint64_t results;
    uint64_t unknown;      /* messages that are not known, or no JSON objects */
    uint64_t connected_us; /* of the first status "connected"; 0: never */
    uint64_t committed_us; /* of the latest commit; 0: none */
    uint64_t reply_us;     /* from the latest commit that was replied to until the first sound of its reply */
};

struct interview_client;

/* For a host that drives cores of any family; its `core` is a struct interview_client. */
extern const struct client_class INTERVIEW_CLIENT_CLASS;
extern const struct plan_class INTERVIEW_PLAN_CLASS; /* its part of that: see client/plan/plan_runner.h */

struct interview_client *
interview_client_new(const struct interview_client_config *config); /* NULL: no memory */
void interview_client_free(struct interview_client *client);

/* Commands. Each may add actions. */
/* An answer at 24 kHz: copied, and said once those before it are. False when
 * INTERVIEW_CLIENT_ANSWER_SAMPLES_MAX would be passed, or without memory. */
bool interview_client_answer(struct interview_client *client, const int16_t *samples, size_t count);
/* Interrupts the reply: see above. Only while it talks. */
void interview_client_cancel(struct interview_client *client, uint64_t now_us,
                             struct client_actions *actions);
/* Once all answers are committed and the last reply was heard, or none came: closes. */
void interview_client_end(struct interview_client *client, uint64_t now_us, struct client_actions *actions);
/* Closes at once, for good; what is queued is not played any more. */
void interview_client_close(struct interview_client *client, uint64_t now_us, struct client_actions *actions);
/* From now on a lost connection is tried again up to `times` times in a row; 0: not at all. */
void interview_client_set_reconnect(struct interview_client *client, uint32_t times);

void interview_client_step(struct interview_client *client, const struct client_event *event,
                           struct client_actions *actions);
uint64_t interview_client_deadline_us(const struct interview_client *client);           /* UINT64_MAX: none */
const struct client_life *interview_client_life(const struct interview_client *client); /* where it stands */
const struct interview_client_summary *interview_client_summary(const struct interview_client *client);
void interview_client_progress(const struct interview_client *client, struct client_progress *out);

/* The chunk that was sent in the latest step: PCM16, said from sample `at` of the clock on. False: none was.
 * Valid until the next step. */
bool interview_client_said(const struct interview_client *client, uint64_t *at, struct bytes *pcm);

#endif
