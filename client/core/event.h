/*
 * What goes between a client core and its host, the same for all families: events in, actions out, and what a
 * host has to know of a core to drive it. Commands beside the close are the family's own.
 *
 * Actions are added to what the list holds already, so commands may follow a step on the same list; the host
 * carries them out and empties the list before the next step.
 */
#ifndef CLIENT_CORE_EVENT_H
#define CLIENT_CORE_EVENT_H

#include "client/core/observation.h"
#include "codec/family.h"

enum {
    CLIENT_ACTIONS_MAX = 256,
    CLIENT_ACTIONS_SPARE = 32 /* kept free for what an event itself causes */
};

enum client_event_kind {
    CLIENT_OPENED,  /* the upgrade succeeded */
    CLIENT_REFUSED, /* it did not: `code` is the HTTP status (0: no connection at all), `data` the body or a
                       sentence; `retry_after`, `lasting` */
    CLIENT_TEXT,
    CLIENT_BINARY,
    CLIENT_PONG,
    CLIENT_CLOSED, /* `code`: of the close frame, 1006 without one; `data`: the reason */
    CLIENT_TICK
};

struct client_event {
    enum client_event_kind kind;
    uint64_t now_us;
    uint16_t code;
    struct bytes data;
    struct bytes retry_after; /* REFUSED: the header's value, empty when there is none */
    bool lasting;  /* REFUSED with code 0, CLOSED: another attempt would end the same (a bad certificate) */
    size_t unsent; /* of messages that still wait for the connection to take them; 0: there are none */
    /* When the connection took the last of the messages there were; 0: not known, at once. A message may be
     * held up between the step that made it and this. */
    uint64_t taken_us;
};

enum client_action_kind {
    CLIENT_CONNECT, /* a further connection, the first is the host's own doing. The one before is over;
                       nothing of it may be told to the client from now on */
    CLIENT_SEND_TEXT,
    CLIENT_SEND_BINARY,
    CLIENT_SEND_PING,  /* no data */
    CLIENT_SEND_CLOSE, /* close frame with `code`; then CLIENT_CLOSED is awaited */
    CLIENT_OBSERVE /* `observation`; for OBSERVED_PLAYED with `data` and `samples`, what was shown and heard
                    */
};

struct client_action {
    enum client_action_kind kind;
    uint16_t code;
    struct observation observation;
    /* SEND: the message; OBSERVE played: the picture (Ojin), or the sound that was heard at 24 kHz, float32
     * (full-duplex) or PCM16 (interview). Valid until the next step. */
    struct bytes data;
    const int16_t *samples; /* OBSERVE played (Ojin): the frame's samples heard with it, NULL: none (silence).
                             * Valid until the next step */
};

struct client_actions {
    size_t count;
    struct client_action list[CLIENT_ACTIONS_MAX];
};

/* For cores: adds one of that kind, all else zero. That there is room is the core's to see to. */
struct client_action *client_action_add(struct client_actions *actions, enum client_action_kind kind);

/* Is there room for one more that may as well come in the next step? */
static inline bool client_actions_have_room(const struct client_actions *actions)
{
    return actions->count < CLIENT_ACTIONS_MAX - CLIENT_ACTIONS_SPARE;
}

/* Where a core stands, as far as its host is concerned. */
enum client_standing {
    CLIENT_STANDS_UP,      /* it connects, or is connected */
    CLIENT_STANDS_WAITING, /* the connection is lost, the next attempt not yet due */
    CLIENT_STANDS_CLOSING,
    CLIENT_STANDS_OVER /* nothing follows */
};

/* How far it has come, for a plan that waits and for whoever sums up. Members that a family does not know
 * stay zero. */
struct client_progress {
    bool ready;       /* of this session; `readies` counts those before it too */
    uint64_t readies; /* sessionReady, session.created, the status "connected" */
    bool sent;        /* all speech handed over is on the wire */
    uint64_t speech;  /* since the latest speak: speech frames that were played (Ojin), deltas of which the
                         sound began to be played (full-duplex, interview) */
    uint64_t turns;   /* that were over since the latest speak, or the latest commit (interview) */
    uint64_t listens; /* response.listen since the latest speak or force-listen (full-duplex) */
    bool idle;        /* since the latest speak: silence was played after speech (Ojin), a turn was over and
                         nothing is queued (full-duplex) */
    bool final;       /* the final frame, session.closed, a chunk with is_final */
    uint64_t errors;  /* reported */
    uint64_t closed;  /* connections lost, refused or closed */
    bool over;        /* nothing follows */
    uint64_t reconnects; /* connections asked for after the first */
    uint64_t pings_sent;
};

struct client_life; /* client/core/life.h */
struct plan_class;  /* client/plan/plan_runner.h */

/* What a core of any family is made from. Borrowed for its life. */
struct client_making {
    const struct profile *profile; /* of its family */
    uint64_t epoch_ms;             /* Unix time at now_us == 0 */
    const struct bytes *pictures;  /* JPEGs, for a family whose clients show some */
    size_t picture_count;
};

/* A family's core, to whoever drives it. `core` is the family's own client. */
struct client_class {
    bool sends_key;                                      /* its upgrade carries an API key */
    unsigned speech_rate_hz;                             /* of the samples that a plan has it speak */
    void *(*create)(const struct client_making *making); /* NULL when memory runs out */
    void (*destroy)(void *core);                         /* NULL is none */
    void (*step)(void *core, const struct client_event *event, struct client_actions *actions);
    uint64_t (*deadline_us)(const void *core);           /* UINT64_MAX: none; in the past: step again */
    const struct client_life *(*life)(const void *core); /* where it stands; valid as long as the core */
    /* For good: no attempt follows. */
    void (*close)(void *core, uint64_t now_us, struct client_actions *actions);
    const struct plan_class *plan;
};

/* The registry (library client_families): the class of a family; NULL when none is built for it. */
const struct client_class *client_class_by_family(const char *family);

/* A client around another, which sees all that goes in and comes out of it. Its class makes and destroys
 * nothing: the core stays its maker's, and has to live as long. */
struct client_shell {
    const struct client_class *class;
    void *self; /* the core of that class, once it encloses another */
    void (*enclose)(void *self, const struct client_class *class, void *core);
};

/* The core as its host is to drive it: itself, or within the shell (NULL: none), which changes both. */
static inline void client_enclose(const struct client_shell *shell, const struct client_class **class,
                                  void **core)
{
    if (shell == NULL)
        return;
    shell->enclose(shell->self, *class, *core);
    *class = shell->class;
    *core = shell->self;
}

/* What gives a core its commands, such as a plan: called after each of its steps, with the same list. */
struct client_driver {
    /* True when it gave a command: the core is to be stepped again. */
    bool (*step)(void *driver, uint64_t now_us, struct client_actions *actions);
    uint64_t (*deadline_us)(const void *driver); /* UINT64_MAX: none */
};

#endif
