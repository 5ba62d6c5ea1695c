/*
 * A session core: the service's side of one connection, without I/O. One class a protocol family.
 *
 * `step` takes an event with the time and adds actions; nothing else goes in or out. Ids come from the seed,
 * times from the events, so the same events give the same bytes. Ticks may come at any time: a core does what
 * is due by `now_us` and tells by `deadline_us` when it wants to be called next. When the action list is full
 * it stops and its deadline lies in the past, so the host steps again.
 *
 * Messages and ticks: SESSION_TEXT and SESSION_BINARY only change what the session knows, and may be answered
 * by an errorResponse at once. Everything that the service sends by itself (sessionReady, frames, the close)
 * leaves in SESSION_TICK and SESSION_RESUMED, so a host steps with a tick once `deadline_us` has passed, and
 * a session that is to be mute is just not ticked. A host steps with at least two places free in the list.
 *
 * A core never judges by refusing: what a real server lets pass passes; findings are the rules' business.
 */
#ifndef SERVER_CORE_SESSION_H
#define SERVER_CORE_SESSION_H

#include "codec/family.h"
#include "codec/wire/http_head.h"
#include "server/core/actions.h"
#include "server/core/quirk.h"
#include "server/core/session_messages.h"

struct persona;
struct worker_pool;
struct rooms;

/* Strings are borrowed for the session's life. Percentages and speed of 0 are the defaults. */
struct session_config {
    const struct profile *profile;
    const char *key;          /* the only right API key; NULL: any key is right */
    const char *config_id;    /* the only known config; NULL: any is known */
    const char *config_fault; /* why the id that came can be no config: the client is told so; NULL: it can */
    uint64_t seed;
    uint64_t epoch_ms;        /* Unix time at now_us == 0 */
    uint32_t silence_percent; /* pace of silence frames, percent of 25 a second; default 104 */
    uint32_t speech_percent;  /* pace of speech frames, percent of real time; default 200 */
    uint32_t speed;           /* divides documented waits and limits of seconds and more; default 1 */
    struct persona *persona;  /* draws the pictures; borrowed, may be shared by sessions of one thread. NULL:
                                 frames carry no picture (for tests) */
    struct worker_pool *workers; /* shared by the sessions of a server, who wait for one in families that
                                    know queues; borrowed. NULL: there is always one */
    struct rooms *rooms; /* shared by the sessions of a server, in families where they exclude each other;
                            borrowed. NULL: they do not */
    const char *token_secret; /* what clients' tokens are signed with, in families that have them; NULL:
                                 TOKEN_SECRET_DEFAULT of server/token. A token that equals `key` is right
                                 without being looked at */
    const char *candidate;    /* whose tokens are right; NULL: TOKEN_CANDIDATE_DEFAULT */
    struct quirks quirks;     /* by the rows of the class's table */
};

enum { SILENCE_PERCENT_DEFAULT = 104, SPEECH_PERCENT_DEFAULT = 200 };

enum session_event_kind {
    SESSION_REQUEST,  /* an upgrade asks to come in: `head`. Answered by ACTION_ACCEPT or ACTION_REFUSE, at
                         once or, when the session has a deadline in place of an answer, in a later tick */
    SESSION_OPENED,   /* the upgrade is done. Without a SESSION_REQUEST before it anybody is let in */
    SESSION_TEXT,     /* a whole text message: `data` */
    SESSION_BINARY,   /* a whole binary message: `data`; `message_bytes` its true size when it was cut */
    SESSION_TICK,     /* time has passed */
    SESSION_RESUMED,  /* service goes on after a pause: the next frame is due now, nothing is caught up */
    SESSION_SHUTDOWN, /* the server goes; what it says about that leaves in the next tick */
    SESSION_CLOSED    /* the peer closed or is gone */
};

struct session_event {
    enum session_event_kind kind;
    uint64_t now_us;
    struct bytes data;
    uint64_t message_bytes;
    uint64_t came_us;  /* TEXT, BINARY: when the message came, where it is taken later; 0: now */
    const void *ahead; /* TEXT: see struct wire_event */
    const struct http_head *head;
    /* REQUEST, of a replay: what `refusal` of the class said of it, empty for NULL: then a token is good
     * unseen. Without data it is not known, and judged. */
    struct bytes refusal;
    /* TICK, of a replay: what `put_out` of the class said in it; empty for NULL. */
    struct bytes put_out;
};

/* What the script engine can wait for and what progress a session has made. Counts since the connection
 * opened. */
struct session_progress {
    uint64_t audio_messages;
    uint64_t audio_bytes;
    uint64_t speech_frames;  /* sent */
    uint64_t silence_frames; /* sent */
    uint64_t cancels;        /* cancelInteraction received */
    uint64_t ends;           /* endInteraction received */
    uint64_t finals;         /* frames with is_final sent */
    uint64_t turns_ended;    /* times it fell back from speech to silence */
    bool ready_sent;
    uint8_t interaction[UUID_BYTES]; /* in progress, or else the latest; nil when there was none */
};

/* One `name=value` of a script's `send` step. Borrowed strings. */
struct compose_option {
    const char *name;
    const char *value;
};

/* How a class checks and makes the messages that scripts send by name. */
struct send_kind {
    const char *name;    /* "ready", "speech", … */
    const char *options; /* space-separated names it takes, beside the common ones */
};

struct fault_kind;
struct card_alias;

struct session; /* opaque; one layout a class */

struct session_class {
    const struct family *family;
    const struct send_kind *send_kinds;      /* ended by a NULL name */
    const char *const *receive_types;        /* "audio", "endInteraction", …; ended by NULL */
    const struct quirk_kind *quirks;         /* ended by a NULL name */
    const struct fault_kind *faults;         /* of server/behaviour; ended by a NULL name. NULL: none */
    const struct card_alias *cards;          /* the same */
    const struct session_messages *messages; /* session_messages.h; NO_MESSAGES: nobody looks into them */

    bool has_tokens; /* clients bring a token (server/token) where others have the API key */
    /* What a request asks for in place of a config id: see session_config_of. NULL: a config id, in the
     * query. */
    bool (*config_of)(const struct http_head *head, uint8_t *out, size_t capacity, size_t *len);
    const char
        *query; /* what a URL to paste ends with: "mode=video"; NULL: a config_id, and there is a key */

    /* The profile of one connection, by what its request asks for; never NULL. NULL: that of the config. */
    const struct profile *(*profile_of)(const struct profile *configured, const struct http_head *head);
    struct session *(*create)(const struct session_config *config); /* NULL when memory runs out */
    void (*destroy)(struct session *session);
    void (*step)(struct session *session, const struct session_event *event, struct actions *actions);
    uint64_t (*deadline_us)(const struct session *session); /* UINT64_MAX: none */
    /* It is about to be stepped: see warm.h. May be NULL. */
    void (*warm)(const struct session *session);
    const struct session_progress *(*progress)(const struct session *session);
    /* Why the request is turned away, by its token or by the connections of others, which its journal does
     * not hold. Static; NULL: it is not. May be NULL. */
    const char *(*refusal)(const struct session *session);
    /* Why the connections of others ended it in the latest step, which its journal does not hold either.
     * Static; NULL: they did not. May be NULL. */
    const char *(*put_out)(const struct session *session);
    /* From now on these hold, in place of those of the config; what is under way already goes on. */
    void (*set_quirks)(struct session *session, const struct quirks *quirks);
    /* The clock was set: Unix time at now_us == 0. May be NULL. */
    void (*set_epoch_ms)(struct session *session, uint64_t epoch_ms);
    /* Adds the message a script asks for, with overrides, at `now_us`. False with a sentence in `error` when
     * an option's value is wrong; with `actions` NULL only the options are checked and `session` may be NULL.
     */
    bool (*compose)(struct session *session, uint64_t now_us, const char *kind,
                    const struct compose_option *options, size_t option_count, struct actions *actions,
                    char error[200]);
    /*
     * Reads a client's text as session and rules of that profile read it, so that they need not do it again:
     * what comes of it stands in their events (`ahead`). Called on any thread, of long messages alone. NULL:
     * no memory, and the text is read in its turn. The two may be NULL: nothing is read ahead.
     */
    void *(*read_ahead)(const struct profile *profile, struct bytes text);
    void (*free_ahead)(void *ahead);
    /* The receive type of a client's message: one of receive_types, or "other". Static string. */
    const char *(*classify)(bool binary, struct bytes message);
};

/* The config id that a request asks for, or what the family has in its place, decoded into `out`. False:
 * there is none, or none of at most `capacity` bytes. */
bool session_config_of(const struct session_class *class, const struct http_head *head, uint8_t *out,
                       size_t capacity, size_t *len);

/* The registry of them (library server_families): ended by NULL, in the order of codec/families.def. */
extern const struct session_class *const SESSION_CLASSES[];
/* The class of a family; NULL when none is built for it. */
const struct session_class *session_class_by_family(const char *family);
/* The family that a script's case is named after ("case FAMILY/AREA/NAME"), built or not; empty when it names
 * no case, or none with a family. */
struct bytes script_family(struct bytes text);
/* The class that a script is to be parsed with: by the family that its case is named after ("case
 * FAMILY/AREA/NAME"); the first of the registry when it names no case, or none of a family that is built. */
const struct session_class *session_class_of_script(struct bytes text);

#endif
