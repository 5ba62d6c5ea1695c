/* The engine's state, and what its parts share. Private to server/engine. */
#ifndef SERVER_ENGINE_ENGINE_STATE_H
#define SERVER_ENGINE_ENGINE_STATE_H

#include "codec/wire/text.h"
#include "server/engine/engine.h"

enum {
    ENGINE_ROOM_MIN = 6,                 /* actions a step may add before room is looked at again */
    ENGINE_ARENA_MAX = 16 * 1024 * 1024, /* bytes of one step's actions after which the host comes first */
    ENGINE_RECV_WITHIN_US = 5000000,     /* recv without within= */
    ENGINE_CLOSE_CODE = WS_CLOSE_NORMAL, /* when the script ends with the client still there */
    ENGINE_AGAIN_MAX = 20,               /* connections that are turned away once more */
    ENGINE_WHY_MAX = 300
};

enum connection_state {
    CONNECTION_NONE,      /* not yet, or over */
    CONNECTION_ASKED,     /* the session has still to answer the request */
    CONNECTION_REQUESTED, /* let in; the 101 is not out yet */
    CONNECTION_OPEN,
    CONNECTION_CLOSING, /* our close frame is out */
    CONNECTION_LEFT     /* the client's close frame came */
};

/* Where the script is within one block. */
struct position {
    const struct server_step *steps;
    size_t count;
    size_t next;
    const struct server_step *repeat; /* whose block it is; NULL: the server block */
    uint64_t counter;
};

struct capture {
    char name[ACTION_LABEL_MAX];
    uint8_t interaction[UUID_BYTES];
};

/* What came and went since the engine began, as far as the session's progress does not tell. */
struct counts {
    uint64_t pings, pongs; /* the client's */
    uint64_t received;     /* its messages … */
    uint64_t other;        /* … of no type of the family's */
    uint64_t sent;         /* messages of the service … */
    uint64_t errors, fades;
};

/* Of the step in progress, from its beginning. */
struct step_state {
    bool begun;
    bool client_was_there;
    bool received;    /* RECV: the message has come */
    bool captured;    /* SEND: an interaction is captured */
    uint64_t sent;    /* SEND: messages so far */
    uint64_t end_us;  /* SERVE, RECV, WAIT, IGNORE; UINT64_MAX: none */
    uint64_t matched; /* SERVE on=: messages so far that it names */
    bool pipe_failed; /* SERVE on=: told once that a pipe could not do its work */
    struct counts counts;
    struct session_progress progress;
};

/* Where a script is. */
struct script_place {
    size_t depth;
    struct position stack[SCRIPT_DEPTH_MAX + 1];
    const struct server_step *step;
    struct step_state state;
};

/* A connection that was turned away, to be done again: again.c. */
struct again {
    const struct server_step *last; /* the step that ends it; NULL: the latest was not turned away */
    struct script_place place;      /* before the step that takes it */
    uint64_t times;
    bool running;
    bool was_done;
    struct script_place script; /* the script's own place while it runs */
};

/* The script's own place while injected steps run. */
struct suspended {
    struct script *steps; /* that run in front of it; NULL: none, and nothing is suspended */
    bool begun;
    uint64_t since_us;
    size_t capture_count;
    size_t depth;
    struct position stack[SCRIPT_DEPTH_MAX + 1];
    const struct server_step *step;
    struct step_state state;
};

struct engine {
    struct engine_config config;
    bool scripted;
    bool started;
    bool done;
    bool more; /* the action list was full */
    uint64_t now_us;
    uint64_t deadline_us; /* by steps_deadline_us, since the last call that changed anything */
    uint64_t accepted;
    const char *refusal;  /* of the request in this step, or of the session */
    struct bytes put_out; /* in a replay: of what happened in this step */
    struct counts counts;

    enum connection_state connection;
    struct session *session;
    bool opening; /* the session has still to be told that the connection is open */
    bool paused;  /* a step other than serve came since the service last ran */

    size_t depth;
    struct position stack[SCRIPT_DEPTH_MAX + 1];
    const struct server_step *step; /* in progress; NULL: none is left */
    struct step_state state;

    struct suspended suspended;
    struct again again;

    bool is_aside;        /* it runs the block of an aside, for one connection */
    struct engine *aside; /* owned, until the host takes it: the latest that parted from it */

    struct quirks quirks;          /* of the config, or set since … */
    bool quirk_is_set[QUIRKS_MAX]; /* … and these by quirk steps, on top */
    struct quirks quirks_set;

    size_t capture_count;
    size_t capture_max;
    struct capture *captures;
    struct actions discarded;
};

/* ---- cursor.c ---- */

void cursor_start(struct engine *engine, const struct server_step *steps, size_t count);
/* Goes on to the next step. */
void cursor_advance(struct engine *engine);
/* Goes into the block of the repeat step in progress; cursor_advance then gives its first step. */
void cursor_enter(struct engine *engine);
/* Goes into a branch of the alt in progress; the script goes on behind the alt after it. */
void cursor_enter_branch(struct engine *engine, const struct server_step *branch);
/* Goes on to the next step that takes a connection. */
void cursor_skip_to_connection(struct engine *engine);
bool step_takes_connection(const struct server_step *step);
/* The number, or what the counter is now. */
uint64_t cursor_number(const struct engine *engine, const struct script_number *number);
/* The counter of a repeat around the step; false when none has that name. */
bool cursor_counter(const struct engine *engine, struct bytes name, uint64_t *out);

/* ---- captures.c ---- */

bool captures_init(struct engine *engine);
/* Makes room for those of more steps; false when memory runs out. */
bool captures_grow(struct engine *engine, const struct server_step *steps, size_t count);
void capture_set(struct engine *engine, const char *name, const uint8_t interaction[UUID_BYTES],
                 struct actions *actions);
bool capture_get(const struct engine *engine, struct bytes name, uint8_t out[UUID_BYTES]);

/* ---- feed.c: the session's side ---- */

/* serve and alt: the service speaks. */
static inline bool step_serves(const struct server_step *step)
{
    return step->kind == STEP_SERVE || step->kind == STEP_ALT;
}

static inline bool feed_is_serving(const struct engine *engine)
{
    return engine->step != NULL && step_serves(engine->step) && engine->state.begun;
}

/* Gives an event to the session; what it answers goes out while serving and is discarded otherwise. */
void feed_session(struct engine *engine, const struct session_event *event, struct actions *actions);
/* The same for an event without data, at the engine's time. */
void feed_simple(struct engine *engine, enum session_event_kind kind, struct actions *actions);

enum request_answer { REQUEST_REFUSED, REQUEST_LET_IN, REQUEST_WAITS };

/* A fresh session is asked about the request. */
enum request_answer feed_request(struct engine *engine, const struct engine_event *request,
                                 struct actions *actions);
/* Time has passed for a session that had not answered yet. */
enum request_answer feed_waiting(struct engine *engine, struct actions *actions);

/* ---- event.c ---- */

/* Takes the client's event in: connection, session, what recv waits for. */
void event_take(struct engine *engine, const struct engine_event *event, struct actions *actions);

/* ---- waiting.c ---- */

/* When the session is due again by time. */
uint64_t feed_deadline_us(const struct engine *engine);
/* When the step in progress is. */
uint64_t steps_deadline_us(const struct engine *engine);

/* ---- until.c ---- */

bool until_is_met(const struct engine *engine, const struct script_condition *until);

/* ---- quirk_step.c ---- */

/* What holds now: set by the host, by quirk steps, by the serve step in progress. */
void quirks_in_force(const struct engine *engine, struct quirks *out);
/* Tells the session. */
void quirks_apply(struct engine *engine);
void quirk_step_run(struct engine *engine);

/* ---- message.c ---- */

/*
 * Puts the pipes of a step, its name and its fault on a message that was made, the `number`-th of the step
 * from 0. False with a sentence in `why` when a pipe cannot do its work on this message, which then is as it
 * was.
 */
bool message_finish(struct engine *engine, const struct server_step *step, uint64_t number,
                    struct actions *actions, size_t n, struct text *why);
bool action_is_send(const struct action *action);
/* Do the pipes hang on it? (serve on=) */
bool message_is_meant(const struct script_condition *on, const char *label);

/* ---- inject.c ---- */

/* Steps that have just come begin now, not when something was due the last time. */
void inject_begin(struct engine *engine, uint64_t now_us);
/* Goes back to the script after the last injected step. */
void inject_finish(struct engine *engine, struct actions *actions);

/* ---- again.c: a client that was turned away comes again ---- */

/* The step in progress takes a connection: is it turned away? */
void again_note(struct engine *engine);
/* Would a connection that comes now be turned away once more? */
bool again_is_wanted(const struct engine *engine);
/* It comes. */
void again_begin(struct engine *engine);
/* Back to the script. */
void again_finish(struct engine *engine, struct actions *actions);

/* ---- refusal.c ---- */

/* Adds ACTION_REFUSE with status, header lines and body. */
bool refusal_add(const struct session_messages *messages, struct actions *actions, uint16_t status,
                 const struct script_option *options, size_t option_count, uint64_t now_ms);

/* ---- send_step.c ---- */

enum step_result {
    STEP_RESULT_WAITING,
    STEP_RESULT_ENDED,
    STEP_RESULT_MORE,  /* the action list is full */
    STEP_RESULT_GONE,  /* failed because the client is not there: on to the next connection */
    STEP_RESULT_FAILED /* failed: the script ends */
};

enum step_result send_step_run(struct engine *engine, struct actions *actions, struct text *why);
enum step_result raw_step_run(struct engine *engine, struct actions *actions, struct text *why);

/* ---- aside.c ---- */

enum step_result aside_run(struct engine *engine, struct text *why);

/* ---- ending.c: how the connection ends from our side ---- */

enum step_result close_run(struct engine *engine, struct actions *actions);
enum step_result ignore_run(struct engine *engine, struct actions *actions);
/* reset, drop: at once. */
void end_run(struct engine *engine, enum action_kind kind, struct actions *actions);
void half_close_run(struct engine *engine, struct actions *actions);
void stop_reading_run(struct engine *engine, struct actions *actions);
void close_add(struct engine *engine, uint16_t code, struct bytes reason, struct actions *actions);
/* The connection is over, by an action that is in the list already. */
void connection_forget(struct engine *engine);
/* Is the connection over, as far as the client is concerned? */
bool client_has_left(const struct engine *engine);

/* ---- announce.c ---- */

/* ACTION_STEP, and ACTION_STEP_FAILED, of the step in progress; nothing where no script runs. */
void step_announce(const struct engine *engine, struct actions *actions);
void step_fail(const struct engine *engine, const struct text *why, struct actions *actions);

/* ---- steps.c ---- */

/* Room for one more step's actions? */
static inline bool engine_has_room(const struct actions *actions)
{
    return actions_room(actions) >= ENGINE_ROOM_MIN && actions->arena.len <= ENGINE_ARENA_MAX;
}

/* Runs steps until something must be waited for. */
void steps_run(struct engine *engine, struct actions *actions);
/* The session's turn: what it does on its own, or its answer to the request. */
void steps_tick(struct engine *engine, struct actions *actions);
/* Answers a request at an accept or refuse step. */
void steps_take_request(struct engine *engine, const struct engine_event *request, struct actions *actions);

#endif
