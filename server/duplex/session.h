/*
 * The inside of a full-duplex session core: what its files share. Not for hosts; see server/core/session.h.
 *
 *   admission   is the upgrade let in, and in which mode                 admission.c
 *   queue       waiting for a worker, and the messages about the place   queue.c
 *   receive     what a client's message does                             receive.c, deployed.c
 *   hear        taking in what was appended; speech and pauses           hear.c
 *   speak       which event is due when: listen, or the next delta       speak.c
 *   send        the messages it sends, and what quirks make of them      send.c
 *   run         what is due next, and doing it in order of time          run.c
 *   compose     messages that a script asks for                          compose*.c
 *
 * The model hears what was appended chunk by chunk, and each second of it allows one event: the next delta
 * of a turn, or a listen. A turn begins after speech and a pause. Its first delta is shorter than a second
 * and leaves DUPLEX_THINK_US after its second was there, so that the next comes before it has been played.
 *
 * Client messages only change state and may be answered by an error; everything else leaves in SESSION_TICK
 * and SESSION_RESUMED alone.
 */
#ifndef SERVER_DUPLEX_SESSION_H
#define SERVER_DUPLEX_SESSION_H

#include <assert.h>

#include "codec/duplex/cache.h"
#include "codec/duplex/messages.h"
#include "codec/duplex/phase.h"
#include "codec/duplex/turn.h"
#include "codec/duplex/waiting.h"
#include "codec/media/energy.h"
#include "server/core/session.h"
#include "server/core/worker_pool.h"
#include "server/duplex/quirk.h"
#include "server/duplex/utterance.h"

enum {
    /* house: how long it thinks before it speaks, and what its first delta holds */
    DUPLEX_THINK_US = 400000,
    DUPLEX_FIRST_SAMPLES = 20000,
    /* house: a client plays later than it could: one that waits for the second delta, by more than half a
       second, and one that fills a buffer first, by a second more */
    DUPLEX_PLAYOUT_MARGIN_US = 2000000,
    /* house: what came too fast and is not heard yet; above it the oldest is dropped (002 Silent Drop) */
    DUPLEX_BACKLOG_SAMPLES = 3 * DUPLEX_INPUT_RATE,
    DUPLEX_BACKLOG_MAX = 16, /* chunks: DUPLEX_BACKLOG_SAMPLES of the shortest, and one more */
    /* house: hearing takes half as long as what is heard, events are half a second apart */
    DUPLEX_HEAR_DIVISOR = 2,
    DUPLEX_EVENT_SPACING_US = DUPLEX_APPEND_US / 2,
    /* house: how often one that waits looks at its place */
    DUPLEX_LOOK_US = 50000,
    /* house: the time that a client has to close after session.closed */
    DUPLEX_CLOSE_WAIT_US = 1000000,
    /* quirks: texts that are kept while queueing, and their bytes together */
    DUPLEX_EARLY_MAX = 8,
    DUPLEX_EARLY_BYTES_MAX = 1024 * 1024,
    DUPLEX_SENTENCE_MAX = 300
};

static_assert((int)DUPLEX_BACKLOG_SAMPLES / (int)DUPLEX_APPEND_SAMPLES_MIN + 2 <= (int)DUPLEX_BACKLOG_MAX,
              "there is a place for every chunk");

enum duplex_stage {
    DUPLEX_STAGE_NEW,      /* nobody has asked to come in */
    DUPLEX_STAGE_ADMITTED, /* accepted, not open yet */
    DUPLEX_STAGE_OPEN,     /* `phase` says more */
    DUPLEX_STAGE_LINGERS,  /* quirk: session.closed is out, and the client is still listened to */
    DUPLEX_STAGE_ENDED,    /* session.closed is out; the close is due */
    DUPLEX_STAGE_CLOSED,
    DUPLEX_STAGE_COUNT
};

/* Something appended that is not heard yet. */
struct duplex_chunk {
    uint64_t at_us;
    uint8_t *pcm; /* owned */
    size_t samples;
    size_t pictures;
    int64_t slices;
};

struct duplex_turn_state {
    bool active;
    bool coded;
    uint16_t source; /* of the coded signal: counts from 1 */
    struct duplex_utterance utterance;
    struct duplex_turn turn;
    size_t next; /* delta */
    size_t said; /* samples */
};

struct session {
    struct session_config config;
    bool has_quirks;
    struct session_progress progress;
    const struct duplex_profile *profile; /* by the mode that was asked for */
    enum duplex_stage stage;
    enum duplex_phase phase;
    uint64_t opened_us;
    uint64_t seen_us;  /* of the latest event */
    uint64_t clock_us; /* the time limit counts from here */

    /* queue */
    bool refused;
    enum duplex_error_code refusal;
    struct worker_seat seat;
    uint32_t queue_first; /* quirk: the first place of it */
    bool queued_told;
    bool done_again; /* quirk: queue_done is due once more */
    struct duplex_place told;
    uint64_t told_us;
    uint64_t looked_us;
    struct buffer early; /* quirk: texts sent too early, each with its length in front */
    size_t early_count;

    /* setting up */
    bool updated;
    uint64_t created_due_us;
    uint64_t created_us;
    int64_t slices;
    uint32_t prompt_tokens;
    struct duplex_cache cache;

    /* hearing */
    size_t chunk_count;
    struct duplex_chunk chunks[DUPLEX_BACKLOG_MAX];
    uint64_t hear_free_us;
    uint64_t appended_us; /* when the latest append came */
    struct energy energy;

    /* speaking */
    int64_t credit;    /* samples heard for which no event has come yet */
    uint64_t event_us; /* the next does not leave before */
    uint64_t delta_us; /* when the latest delta left */
    bool answer_due;   /* speech and a pause were heard */
    uint64_t answer_us;
    bool greeted;
    bool forced; /* a listen is due whatever the credit */
    uint64_t forced_us;
    uint64_t force_deltas; /* quirk: of the turn that force_listen stops, still to come */
    bool listen_owed;      /* a turn was said, and no listen came since */
    struct duplex_playout playout;
    struct duplex_turn_state turn;
    uint64_t turns;
    uint64_t deltas, events; /* sent */

    /* the end */
    bool ending;
    enum duplex_reason reason;
    uint64_t end_us;
    uint16_t close_code; /* without session.closed; 0: none is due */
    uint64_t close_us;
    uint64_t after_closed; /* quirk: deltas that are still to come */
    uint64_t listens_due;  /* LINGERS: that are still to come */
};

/* The value of a quirk; 0: off. Durations of quirks are as said, whatever the session's speed. */
static inline uint64_t duplex_quirk(const struct session *session, enum duplex_quirk quirk)
{
    return session->has_quirks ? session->config.quirks.value[quirk] : 0;
}

/* The profile that a session of this configuration has when it asks for no mode. */
static inline const struct duplex_profile *duplex_session_profile(const struct session_config *config)
{
    return duplex_profile_of(config->profile);
}

/* ---- admission.c ---- */

/* By the mode that the request asks for; the profile itself when it asks for none that there is. */
const struct profile *duplex_profile_of_request(const struct profile *configured,
                                                const struct http_head *head);

void duplex_admit(struct session *session, const struct session_event *event, struct actions *actions);

/* ---- queue.c ---- */

/* The connection is open: asks for a worker. */
void duplex_queue_enter(struct session *session, uint64_t now_us);
/* When the next word about the queue is due; UINT64_MAX: none. */
uint64_t duplex_queue_due_us(const struct session *session);
/* Says it. */
void duplex_queue_tell(struct session *session, uint64_t now_us, struct actions *actions);
/* The client may set the session up from now on. */
void duplex_queue_finish(struct session *session, uint64_t now_us);

/* ---- receive.c ---- */

void duplex_receive_text(struct session *session, const struct session_event *event, struct actions *actions);
void duplex_receive_binary(struct session *session, const struct session_event *event,
                           struct actions *actions);
/* What came too early and was kept is done now. */
void duplex_receive_early(struct session *session, uint64_t now_us, struct actions *actions);
/* As struct session_class has them. */
void *duplex_read_ahead(const struct profile *profile, struct bytes text);
void duplex_free_ahead(void *ahead);

/* ---- deployed.c ---- */

/* What the quirks of a deployed server make of the answer to a message. */
struct duplex_answer duplex_deployed_answer(const struct session *session,
                                            const struct duplex_message *message,
                                            struct duplex_answer answer);
/* session.closed is out at the context limit, but the connection stays until the client closes the session,
 * or the time limit. */
void duplex_linger(struct session *session, uint64_t at_us);
void duplex_receive_lingering(struct session *session, const struct session_event *event,
                              struct actions *actions);

/* ---- classify.c ---- */

/* Static: one of the class's receive types, or "other". */
const char *duplex_classify(bool binary, struct bytes message);

/* ---- hear.c ---- */

/* Keeps what was appended; the oldest is dropped when there is too much. False when memory runs out. */
bool duplex_hear_add(struct session *session, uint64_t now_us, const struct duplex_message *append);
/* Would the oldest be dropped for it? */
bool duplex_hear_is_full(const struct session *session, const struct duplex_message *append);
void duplex_hear_clear(struct session *session);
uint64_t duplex_hear_due_us(const struct session *session);
/* Hears the oldest. */
void duplex_hear_next(struct session *session, uint64_t at_us);

/* ---- speak.c ---- */

uint64_t duplex_speak_due_us(const struct session *session);
/* The next event: a delta, a listen, or by quirk an error. */
void duplex_speak_next(struct session *session, uint64_t at_us, struct actions *actions);

/* ---- turn.c ---- */

/* force_listen came. */
void duplex_speak_force(struct session *session, uint64_t now_us);
/* A turn, with its first delta next. */
void duplex_speak_begin(struct session *session);
/* The samples of a delta as they go out: 4 bytes each, `part->samples` of them. */
void duplex_speak_samples(const struct session *session, const struct duplex_turn_part *part, uint8_t *out);
/* A delta with that part of the turn is out, at `at_us`. */
void duplex_speak_said(struct session *session, uint64_t at_us, const struct duplex_turn_part *part);
/* A listen is out. */
void duplex_speak_listened(struct session *session);
static inline bool duplex_speak_is_busy(const struct session *session, uint64_t at_us)
{
    return session->turn.active || session->force_deltas > 0 ||
           duplex_playout_left(&session->playout, at_us) > 0;
}

/* ---- send.c ---- */

/* Adds the message; false when there is no room. */
bool duplex_send(struct session *session, const struct duplex_message *message, const char *label, bool fault,
                 struct actions *actions);
/* The same with more members at its end: `,"name":value …`. */
bool duplex_send_with(struct session *session, const struct duplex_message *message, const char *label,
                      struct bytes members, bool fault, struct actions *actions);
bool duplex_send_error(struct session *session, enum duplex_error_code code, const char *sentence,
                       struct actions *actions);
void duplex_send_created(struct session *session, uint64_t now_us, struct actions *actions);
void duplex_send_delta(struct session *session, uint64_t at_us, struct actions *actions);
/* A dialect by kind has the text of a delta in a message of its own, in front. */
void duplex_send_text_of_its_own(struct session *session, const struct duplex_message *delta,
                                 struct actions *actions);
void duplex_send_listen(struct session *session, struct actions *actions);
bool duplex_send_closed(struct session *session, enum duplex_reason reason, struct actions *actions);
/* "rt_1714200000000": the time to a quarter of a second, and no two alike of 256 sessions in a row */
enum { DUPLEX_SESSION_ID_MAX = 32, DUPLEX_SESSION_ID_STEPS = 256 /* ms */ };
void duplex_session_id(const struct session *session, uint64_t now_us, char out[DUPLEX_SESSION_ID_MAX]);

/* ---- ending.c ---- */

/* The session ends at that time, unless it already does. */
void duplex_end(struct session *session, enum duplex_reason reason, uint64_t at_us);
/* The connection closes with that code, without session.closed. */
void duplex_close(struct session *session, uint16_t code, uint64_t at_us);
/* session.closed is out. */
void duplex_ended(struct session *session, uint64_t at_us);

/* ---- run.c ---- */

void duplex_run(struct session *session, uint64_t now_us, struct actions *actions);
uint64_t duplex_run_deadline_us(const struct session *session);
/* session.created is out. */
void duplex_active(struct session *session, uint64_t at_us);

/* ---- compose.c ---- */

extern const struct send_kind DUPLEX_SEND_KINDS[];
bool duplex_compose(struct session *session, uint64_t now_us, const char *kind,
                    const struct compose_option *options, size_t option_count, struct actions *actions,
                    char error[200]);

#endif
