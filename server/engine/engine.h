/*
 * The script engine: runs a script over one connection at a time, and the session core inside its `serve`
 * steps. A core like the session's: events in, actions out, no I/O. Without a script it admits and serves.
 *
 * One engine serves one connection; with a script, the next connections too, as its further accept and refuse
 * steps come up (ENGINE_REQUEST begins each); a client that the script turned away, and that comes again when
 * no such step is left, is turned away the same way. Outside `serve` the client's messages still reach the
 * session core, and what it would send is discarded. When the script has ended the engine closes with 1000.
 * The step `aside` parts with a connection, for an engine of its own: engine_take_aside.
 *
 * Time goes from deadline to deadline: a host that steps late gets the same actions in the same order. After
 * ACTION_REFUSE and ACTION_RESET the connection is over; ENGINE_GONE may follow but need not, and must not
 * come once the next ENGINE_REQUEST has. After ACTION_CLOSE the engine waits for ENGINE_GONE. Pings and the
 * client's close frame are answered by the transport.
 */
#ifndef SERVER_ENGINE_ENGINE_H
#define SERVER_ENGINE_ENGINE_H

#include "server/core/actions.h"
#include "server/core/session.h"
#include "server/script/script.h"

enum engine_event_kind {
    ENGINE_REQUEST, /* `data`: the request head as it came */
    ENGINE_OPENED,  /* the 101 is out */
    ENGINE_TEXT,
    ENGINE_BINARY,
    ENGINE_PING,
    ENGINE_PONG,
    ENGINE_CLOSE,    /* the client's close frame: `code` */
    ENGINE_GONE,     /* the transport ended */
    ENGINE_SHUTDOWN, /* the host closes the connection now, as it goes: the last word is the session's */
    ENGINE_TICK
};

struct engine_event {
    enum engine_event_kind kind;
    uint64_t now_us;
    uint16_t code;
    struct bytes data;
    uint64_t message_bytes; /* true size when data was cut at a bound */
    uint64_t came_us;       /* TEXT, BINARY: when the message came, where it is taken later; 0: now */
    const void *ahead;      /* TEXT: see struct wire_event */
    struct bytes refusal;   /* as `refusal` (REQUEST) and `put_out` (any other) of struct session_event */
};

/* "request", "opened", "text", "binary", "ping", "pong", "close", "gone", "shutdown", "tick": static; and
 * back, false for a name that is none. */
const char *engine_event_name(enum engine_event_kind kind);
bool engine_event_by_name(const char *name, enum engine_event_kind *out);

struct engine_config {
    const struct session_class *session_class;
    struct session_config session;
    const struct script *script; /* borrowed; NULL: admit and serve */
};

struct engine;

struct engine *engine_new(const struct engine_config *config); /* NULL when memory runs out */
void engine_free(struct engine *engine);
void engine_step(struct engine *engine, const struct engine_event *event, struct actions *actions);
/* When to step with ENGINE_TICK at the latest; in the past when there is more to do at once; UINT64_MAX:
 * never. */
uint64_t engine_deadline_us(const struct engine *engine);
/* After a step: why its request is turned away or its session was ended, as `refusal` and `put_out` of the
 * class have it; NULL: it is not, or none was judged. */
const char *engine_refusal(const struct engine *engine);
/* It is about to be stepped: asks for the memory of it, or then of its session (server/core/warm.h). */
void engine_warm(const struct engine *engine);
void engine_warm_session(const struct engine *engine);
/*
 * After a step: an engine that has taken the connection over, with its session, by the step `aside`; NULL:
 * there is none. It is the caller's, to be fed with the events of that connection from now on, and is done
 * when its steps are; `engine` has no connection then, and waits for its next. It borrows the script too.
 */
struct engine *engine_take_aside(struct engine *engine);
/* Can a further connection come in now? With a script: it waits at accept, refuse or ignore, or it has turned
 * the latest connection away and does that once more (at most 20 times), though it may be done. */
bool engine_wants_connection(const struct engine *engine);
/* The script ran to its end (without a script: the client has gone). */
bool engine_is_done(const struct engine *engine);
/* From now on these quirks hold for the session in progress and for those after it; steps of the script that
 * set others come on top. */
void engine_set_quirks(struct engine *engine, const struct quirks *quirks);
/* Those in force, with what the script has set on top. */
void engine_quirks(const struct engine *engine, struct quirks *out);
/* One of them, by its row in the table. */
uint64_t engine_quirk(const struct engine *engine, size_t row);
/* The clock was set: Unix time at now_us == 0, for what is sent from now on. */
void engine_set_epoch_ms(struct engine *engine, uint64_t epoch_ms);
/*
 * Steps from outside, for the connection that is open: they run at once, in front of the step in progress,
 * which then goes on (the service is resumed where it was a serve). `steps` was parsed by script_parse_steps
 * and is the engine's from now on. False, and then it stays the caller's, when no connection is open, or when
 * other injected steps are still running. ACTION_STEP and ACTION_STEP_FAILED tell of them as of a script's.
 */
bool engine_inject(struct engine *engine, struct script *steps);
/* The line of the step in progress, 0 when there is none. */
unsigned engine_line(const struct engine *engine);

#endif
