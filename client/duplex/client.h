/*
 * The reference client of the full-duplex family, without I/O: 002 Video Full-Duplex Protocol, in both modes
 * and versions (profiles).
 *
 * Connects and waits in the queue without a word until session.queue_done, sends session.update once, waits
 * for session.created, and from then on appends a second of sound every second, with a picture where the mode
 * has pictures, whether the server listens or speaks: what it was given to say, else silence, as an open
 * microphone does. What the server does not take in time is dropped, the oldest first.
 *
 * The loudspeaker's clock counts samples at 24 kHz from session.created on. The sound of the deltas is played
 * in order and without gaps; it starts a little late (DUPLEX_PLAYER_MARGIN_US), and when a turn's first delta
 * is short, late enough that the second one can follow it. The text of a delta is told when its sound begins.
 * On response.listen what is still queued is dropped. An interruption drops it at once, puts force_listen
 * into the next append, and plays nothing that comes before the listen.
 *
 * Ends with session.close and waits for session.closed, then closes with 1000. What session.closed leaves
 * queued is still played, unless the user ended it. Pings every 30 s. When the connection is lost or refused,
 * a 1013 included, and it was told to reconnect, it backs off with growing delays, and the new session goes
 * through the queue from the start; speech of which a part was sent is not sent again. After timeout,
 * context_full and stopped it is over.
 *
 * Codes of error observations that are the client's own: "NO_CONNECTION", an HTTP status ("403"), "" (plain
 * text of the server), "BAD_DELTA" (sound that cannot be played; the session goes on), "QUEUE_TIMEOUT",
 * "CREATED_TIMEOUT", "CLOSED_TIMEOUT", "PONG_TIMEOUT", "NOT_READING" (the server; older speech was dropped),
 * "NO_ANSWER" (the session goes on to its end), "SPEECH_LOST", "GAVE_UP", "BUFFER_FULL", "OUT_OF_MEMORY",
 * "SESSION_CLOSED" with the reason of a session.closed that is none of timeout, context_full and stopped. Any
 * other is the code of an error event.
 */
#ifndef CLIENT_DUPLEX_CLIENT_H
#define CLIENT_DUPLEX_CLIENT_H

#include "client/core/life.h"
#include "codec/duplex/messages.h"

enum {
    DUPLEX_CLIENT_TALK_SAMPLES_MAX = 3600 * DUPLEX_INPUT_RATE, /* handed over and not yet sent */
    DUPLEX_CLIENT_HELD_SAMPLES_MAX = 300 * DUPLEX_OUTPUT_RATE, /* beyond it the session ends with an error */
    DUPLEX_CLIENT_HELD_DELTAS_MAX = 16384,
    DUPLEX_CLIENT_PIECE_SAMPLES_MAX = DUPLEX_OUTPUT_RATE / 10, /* played at once */
    DUPLEX_CLIENT_UPGRADE_WAIT_US = 10000000,
    /* A server that says nothing at all; once it said session.queued, the session's own length */
    DUPLEX_CLIENT_QUEUE_WAIT_US = 60000000,
    DUPLEX_CLIENT_CREATED_WAIT_US = 60000000,
    DUPLEX_CLIENT_CREATED_ERROR_WAIT_US = 5000000, /* the same, once an error came in its place */
    DUPLEX_CLIENT_CLOSED_WAIT_US = 5000000,        /* for session.closed */
    DUPLEX_CLIENT_LISTEN_WAIT_US = 5000000,  /* after force_listen was sent, how long deltas are not played */
    DUPLEX_CLIENT_ANSWER_WAIT_US = 20000000, /* when it is to end, how long an answer is waited for */
    DUPLEX_CLIENT_SETTLE_US = 3000000        /* and how long after the answer another */
};

/* What is borrowed has to live as long as the client. */
struct duplex_client_config {
    const struct duplex_profile *profile;
    struct client_life_options life;
    struct bytes instructions;    /* the system prompt; empty: one of our own. Borrowed */
    int64_t max_slices;           /* of session.update; 0: not sent. Only where the profile has slices */
    struct bytes ref_audio;       /* a WAV at 16 kHz; empty: none. Borrowed */
    struct bytes tts_ref_audio;   /* the same */
    const struct bytes *pictures; /* JPEGs, one an append, from the first again after the last. Borrowed */
    size_t picture_count;         /* none are sent where the profile has no pictures */
};

/* What it does while it is up. */
enum duplex_client_stage {
    DUPLEX_CLIENT_QUEUED = 1, /* until session.queue_done */
    DUPLEX_CLIENT_CREATING,   /* session.update is sent */
    DUPLEX_CLIENT_STREAMING,
    DUPLEX_CLIENT_STOPPING /* session.close is sent */
};

struct duplex_client_summary {
    uint64_t appends;         /* sent */
    uint64_t appends_dropped; /* that the server did not take in time */
    uint64_t samples_sent;    /* of speech, not of the silence between */
    uint64_t pictures_sent;
    uint64_t deltas;  /* received */
    uint64_t samples; /* of sound, received */
    uint64_t samples_heard;
    uint64_t samples_dropped; /* by response.listen or an interruption */
    uint64_t turns;           /* heard to the end */
    uint64_t turns_cut;       /* the others of which something was heard or queued */
    uint64_t gaps;            /* the next delta came too late */
    uint64_t listens;
    uint64_t unknown;  /* messages that are not known, or no JSON objects */
    uint32_t position; /* the latest place in the queue; 0: none, or a worker is there */
    uint32_t cache;    /* the latest kv_cache_length */
    uint32_t cache_max;
    uint64_t created_us;     /* of session.created; 0: never */
    uint64_t talk_sent_us;   /* of the append with the last of the speech so far; 0: none */
    uint64_t first_heard_us; /* of the first sample played; 0: none */
    char session_id[OBSERVATION_CODE_MAX];
    char reason[OBSERVATION_CODE_MAX]; /* of session.closed; empty: none came */
};

struct duplex_client;

/* For a host that drives cores of any family; its `core` is a struct duplex_client. */
extern const struct client_class DUPLEX_CLIENT_CLASS;
extern const struct plan_class DUPLEX_PLAN_CLASS; /* its part of that: see client/plan/plan_runner.h */

struct duplex_client *duplex_client_new(const struct duplex_client_config *config); /* NULL: no memory */
void duplex_client_free(struct duplex_client *client);

/* Commands. Each may add actions. */
/* Speech at 16 kHz, 1.0 being full scale: copied, and put into the next appends. False when
 * DUPLEX_CLIENT_TALK_SAMPLES_MAX would be passed. */
bool duplex_client_talk(struct duplex_client *client, const float *samples, size_t count);
/* Interrupts the server: see above. What is to be said is not dropped. Only while it streams. */
void duplex_client_force_listen(struct duplex_client *client, uint64_t now_us,
                                struct client_actions *actions);
/* Once what was handed over is sent and its answer was heard, or none came: closes. */
void duplex_client_end(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
/* session.close and what follows; what is queued is not played any more. For good: no attempt follows. */
void duplex_client_close(struct duplex_client *client, uint64_t now_us, struct client_actions *actions);
/* From now on a lost connection is tried again up to `times` times in a row; 0: not at all. */
void duplex_client_set_reconnect(struct duplex_client *client, uint32_t times);

void duplex_client_step(struct duplex_client *client, const struct client_event *event,
                        struct client_actions *actions);
uint64_t duplex_client_deadline_us(const struct duplex_client *client);           /* UINT64_MAX: none */
const struct client_life *duplex_client_life(const struct duplex_client *client); /* where it stands */
const struct duplex_client_summary *duplex_client_summary(const struct duplex_client *client);

void duplex_client_progress(const struct duplex_client *client, struct client_progress *out);

#endif
