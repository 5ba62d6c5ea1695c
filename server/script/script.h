/*
 * A script: what a session does, what the client under test is asked to do, and what must hold. Or, with a
 * client block: how a server is put to the test.
 *
 * The text is parsed and checked whole before anything runs. An error names file, line, column and what was
 * expected. The grammar is in server/SCRIPTS.md. A script owns everything it points to.
 *
 * Numbers: durations are in microseconds ("200ms", "2s", "40us"), sizes in bytes ("512KB" is 524,288).
 */
#ifndef SERVER_SCRIPT_SCRIPT_H
#define SERVER_SCRIPT_SCRIPT_H

#include "codec/wire/buffer.h"
#include "codec/wire/bytes.h"
#include "codec/ws/frame.h"
#include "server/core/actions.h"
#include "server/core/session.h"
#include "server/script/client_script.h"

enum {
    SCRIPT_BYTES_MAX = 262144,
    SCRIPT_DEPTH_MAX = 8,
    SCRIPT_STEPS_MAX = 1024,
    SCRIPT_OPTIONS_MAX = 24,
    SCRIPT_CHECKS_MAX = 32,
    SCRIPT_CLAUSES_MAX = 8,
    SCRIPT_FILTERS_MAX = 8,
    SCRIPT_NAME_MAX = 64,
    SCRIPT_TEXT_MAX = 512,
    SCRIPT_REPEAT_MAX = 100000,
    SCRIPT_QUIRKS_MAX = 32,                /* of one step */
    SCRIPT_CHANGES_MAX = 8,                /* of one step */
    SCRIPT_BRANCHES_MAX = 8,               /* of one alt */
    SCRIPT_VARIES_MAX = 4,                 /* vary lines */
    SCRIPT_VARIANTS_MAX = 256,             /* of one file, all its vary lines together */
    SCRIPT_ERRORS_MAX = 20,                /* that are told at once */
    SCRIPT_PAYLOAD_MAX = 16 * 1024 * 1024, /* of a raw step */
    SCRIPT_ERROR_MAX = 400
};

/* "cancel" or "speech:10": something to wait for, with a count (1 when none is given). */
struct script_condition {
    char name[SCRIPT_NAME_MAX]; /* empty: none */
    uint64_t count;
};

/* ---- plan { }: what the client under test is asked to do ---- */

enum plan_step_kind {
    PLAN_CONNECT,
    PLAN_SPEAK,
    PLAN_CANCEL,
    PLAN_END,
    PLAN_WAIT,
    PLAN_CLOSE,
    PLAN_RECONNECT,
    PLAN_FORCE_LISTEN /* of the full-duplex family alone */
};

struct plan_step {
    enum plan_step_kind kind;
    unsigned line, file_column;    /* SPEAK: where the file is named */
    char file[SCRIPT_TEXT_MAX];    /* SPEAK: a sound file, relative to fixtures/speech */
    char params[SCRIPT_TEXT_MAX];  /* SPEAK: a JSON object, the params of its messages; empty: none */
    uint64_t wait_us;              /* WAIT: how long; 0 with `after` set: until that */
    uint32_t times;                /* RECONNECT: attempts in a row at most */
    struct script_condition after; /* the step is due once this has happened, as the client itself sees it:
                                      ready, ready:N (the Nth sessionReady), speech:N (N speech frames played
                                      since the latest speak), sent (all speech handed over is on the wire),
                                      idle (a silence frame was played after speech), final, error, closed */
};

/* ---- server { }: what the mock does ---- */

enum server_step_kind {
    STEP_ACCEPT, /* admit the next upgrade as the service does; `any`: whatever it brings */
    STEP_REFUSE, /* status=, error=, body=, header= */
    STEP_SERVE,  /* normal service, for=, until= */
    STEP_SEND,
    STEP_RECV,  /* wait for a client message of a type, within= */
    STEP_WAIT,  /* send nothing for a while; what the client sends is taken in */
    STEP_CLOSE, /* code=, reason= */
    STEP_RESET,
    STEP_IGNORE,       /* takes a request and never answers it; for=: then ends the connection with FIN */
    STEP_RAW,          /* bytes on the wire as they are, or as the payload of one frame with its bits said */
    STEP_DROP,         /* FIN without a close frame */
    STEP_HALF_CLOSE,   /* FIN, and reads on */
    STEP_STOP_READING, /* for=; what is sent goes on being sent */
    STEP_QUIRK,        /* NAME[=VALUE] …: from here on, for this session and those after it */
    STEP_MARK,
    STEP_ALT,    /* the normal service until the condition of one of its branches comes, within= */
    STEP_BRANCH, /* `on CONDITION` with a block: a child of an ALT */
    STEP_REPEAT, /* count or from= to= as NAME, with a block */
    STEP_ASIDE   /* the connection goes on by itself with the block, the script without it */
};

struct script_option {
    char *name;
    char *value; /* may hold $NAME of a repeat around it, or $NAME.interaction of an earlier capture */
    unsigned line;
    unsigned column;
};

/* A number of the script: itself, or what the counter of a repeat around the step is when it runs. */
struct script_number {
    uint64_t number;
    char counter[ACTION_LABEL_MAX]; /* empty: `number` */
};

/* The bits of one WebSocket frame, of a raw step or a `| bits` pipe. */
struct script_frame {
    bool set;
    bool has_opcode; /* else the message's own */
    bool has_length; /* else the true one */
    bool fin;
    enum ws_mask mask;
    enum ws_length_form form;
    struct script_number opcode, rsv, length;
};

enum change_kind {
    CHANGE_CORRUPT,  /* the byte at `at` is XORed with `mask` */
    CHANGE_MUTATE,   /* `count` bytes of `seed`'s choice are changed */
    CHANGE_TRUNCATE, /* only the first `at` bytes stay */
    CHANGE_PATCH,    /* `data` is written over the bytes from `at` on */
    CHANGE_APPEND    /* `data` comes behind */
};

/* What a pipe does to the bytes of a message. Offsets count from 0. */
struct script_change {
    enum change_kind kind;
    uint8_t mask;
    uint64_t count;
    struct script_number at, seed;
    struct bytes data; /* owned by the script */
};

/* One quirk set: a row of the class's table, and its value. */
struct script_quirk {
    size_t row;
    uint64_t value;
};

struct server_step {
    enum server_step_kind kind;
    unsigned line;
    char word[SCRIPT_NAME_MAX]; /* SEND: the kind; RECV: the type; MARK: the name; ACCEPT: "" or "any" */
    char
        as[SCRIPT_NAME_MAX]; /* `as NAME`: names the step and captures its interaction; REPEAT: the counter */
    uint64_t count;          /* SEND count=, default 1; ACCEPT joined= */
    uint64_t from, to;       /* REPEAT, both included */
    uint64_t duration_us;    /* SERVE for=, RECV within=, WAIT, IGNORE for=, STOP_READING for=; 0: none */
    struct script_condition until; /* SERVE, BRANCH: ready, audio:N (bytes), messages:N, speech:N, silence:N,
                                      idle, cancel, end, final, close …; counted from the start of the step */
    struct script_condition on;    /* SERVE: the service's messages that the pipes hang on, by their label
                                      ("frame": any frame, "any"); count 0: every one, else the N-th since the
                                      step began */
    uint16_t code;                 /* REFUSE status, CLOSE code … */
    struct script_number code_counter; /* … unless this has a counter */
    size_t option_count;               /* what the family's compose takes, and REFUSE and CLOSE options */
    struct script_option *options;
    struct delivery delivery; /* of the pipes, but for slice_at, fragment_at and end_at … */
    struct script_number slice_at, fragment_at, end_at; /* … which are here */
    uint32_t jitter_max_us;                             /* `| jitter`: on top of delivery.delay_us */
    struct script_number jitter_seed;
    bool fault; /* the message breaks the protocol (word `fault` among the pipes, or pipes that do) */
    struct script_frame frame; /* RAW with an opcode; `| bits` */
    size_t change_count;
    struct script_change *changes; /* `| corrupt`, `| mutate` …, in the order of the line */
    struct bytes payload;          /* RAW, and CLOSE hex= (`raw_close`); owned by the script */
    bool raw_close;
    size_t quirk_count; /* QUIRK, SERVE quirk=; options hold them as text, name "quirk" */
    struct script_quirk quirks[SCRIPT_QUIRKS_MAX];
    size_t child_count; /* REPEAT, BRANCH; ALT: its branches */
    struct server_step *children;
};

/* ---- checks ---- */

enum event_side {
    EVENT_RECEIVED, /* the mock got it: upgrade, audio, endInteraction, cancelInteraction, other, ping, pong,
                       close, any */
    EVENT_SENT, /* the mock sent it: ready, silence, speech, fade, final, frame (any of these four), error,
                   text, ping, close, refusal, binary, any */
    EVENT_SEEN, /* the client reported it: ready, error, closed, state, the family's own, any */
    EVENT_MARK, /* the script passed it */
    EVENT_STEP  /* a named step began */
};

/* In the order of FILTER_RULES, which says how each is written. */
enum filter_kind {
    FILTER_KIND,
    FILTER_INDEX,
    FILTER_INTERACTION,
    FILTER_CODE,
    FILTER_TEXT,
    FILTER_TELLS,
    FILTER_STEP,
    FILTER_FINAL,
    FILTER_CLEAN,
    FILTER_BYTES,
    FILTER_HEARD,
    FILTER_PICTURED,
    FILTER_LOAD,
    FILTER_POSITION,
    FILTER_SAMPLES,
    FILTER_CACHE,
    FILTER_INTERRUPTS,
    FILTER_TIMESTAMP
};

struct event_filter {
    enum filter_kind kind;
    char name[SCRIPT_NAME_MAX];  /* as written */
    char value[SCRIPT_TEXT_MAX]; /* literal, or $NAME.interaction */
};

/* `seen:played kind=speech interaction=$cancelled.interaction`; several types by commas: `seen:error,closed`;
 * of if=, given=, after= and until= also the N-th that matches: `received:upgrade:2` */
struct event_pattern {
    bool set;
    enum event_side side;
    size_t type_count;
    char types[4][SCRIPT_NAME_MAX];
    uint64_t occurrence; /* from 1 */
    size_t filter_count;
    struct event_filter filters[SCRIPT_FILTERS_MAX];
    char text[SCRIPT_TEXT_MAX]; /* as written */
};

/* False when no filter has that name. */
bool filter_kind_of(const char *name, enum filter_kind *out);

enum check_expect {
    CHECK_NONE,      /* no such event */
    CHECK_SOME,      /* at least one */
    CHECK_COUNT,     /* between min and max */
    CHECK_BYTES,     /* the messages that match add up to between min and max bytes */
    CHECK_DELIVERED, /* every frame or delta sent that matches was seen, whole and in order */
    CHECK_SHOWN,     /* every frame sent that matches was played with its picture, in order */
    CHECK_HEARD, /* ... with its picture and its sound; where speech comes as texts: every sample of it was */
    CHECK_SOUNDED,  /* the sound of every frame sent that matches was played, in order */
    CHECK_TOGETHER, /* ... with its picture and a sound that is at most one frame off */
    CHECK_SEAMLESS, /* what was sent was heard without a gap, an overlap, a repeat, or out of order */
    CHECK_SAMPLES, /* between min and max samples of what was sent were heard, or of what was received came */
    CHECK_ONLY,    /* nothing was heard but what was sent */
    CHECK_TIMED,   /* the texts of what was sent were told where their sound was heard */
    CHECK_GROWING, /* the times between one that matches and the next grow */
    CHECK_SLOWER   /* one of these times, after `after`, is longer than any before it */
};

struct script_check {
    char name[SCRIPT_NAME_MAX];
    const struct requirement *clause; /* clause=ID, default the script's first clause */
    char level[8];                    /* MUST, SHOULD, INFO */
    struct event_pattern only_if; /* where it never happened, the check drops out, whichever clock it is on */
    struct event_pattern unless;  /* where it happened, the check holds, whichever clock it is on */
    struct event_pattern given;   /* must have happened at all, whichever clock it is on */
    struct event_pattern after;   /* only events after its first occurrence count; same clock as `pattern`:
                                     seen: is on the client's, all others are on the mock's */
    struct event_pattern until;   /* only events before its first occurrence after `after` */
    enum check_expect expect;
    struct event_pattern pattern;
    uint64_t min, max; /* COUNT */
    unsigned line;
};

/* Of `samples received:...`: the samples of audio in what the client sent, headers left out. */
bool check_counts_input(const struct script_check *check);
/* Of a check whose pattern is what was sent, judged by what the client observed of it. */
bool check_is_delivery(const struct script_check *check);
/* Of one of those that looks at what was played, in a family whose speech comes as texts: after= and until=
 * may then be what the client reported, by its place in that. */
bool check_is_sound(const struct session_class *class, const struct script_check *check);

struct script_clause {
    const struct requirement *requirement;
    char level[8];
    unsigned line;
};

enum client_tier { TIER_WIRE, TIER_PLAN, TIER_OBSERVE };

/* "wire", "plan", "observe"; static. */
const char *client_tier_name(enum client_tier tier);

/* Which runs a case is in: each set holds the ones before it. */
enum script_set { SCRIPT_SET_SMOKE, SCRIPT_SET_DEFAULT, SCRIPT_SET_SLOW };

struct script {
    struct bytes source;               /* of script_parse_steps: the text; owned */
    const struct session_class *class; /* that it was parsed with: its family's */
    char path[SCRIPT_TEXT_MAX];
    char name[SCRIPT_NAME_MAX]; /* "ojin/cancel/late-speech"; with vary "ojin/split/fragments[4]" */
    size_t variant_count;       /* 1, or how many cases the vary lines make; this is the first of them */
    char title[SCRIPT_TEXT_MAX];
    char expect[SCRIPT_TEXT_MAX];
    char profiles[SCRIPT_NAME_MAX]; /* "all" when not given */
    char config[SCRIPT_NAME_MAX]; /* `config "a/b?c"`: the config id the client is given; default "persona-1"
                                   */
    /* `pictures 1280 720`: the size of the config's pictures; 0: what the run has. */
    unsigned picture_width, picture_height;
    uint64_t memory_max;       /* `memory 400MB`: bytes that the client may take; 0: not judged */
    char tls[SCRIPT_NAME_MAX]; /* `tls expired`: wss, with a certificate like that; empty: ws */
    bool transport; /* only a real transport has what it does: `needs transport`, or a step or pipe that
                       implies it */
    enum client_tier tier; /* what the checks and the plan ask of the client */
    uint64_t limit_us;     /* default 10 s */
    enum script_set set;
    size_t clause_count;
    struct script_clause clauses[SCRIPT_CLAUSES_MAX];
    size_t plan_count;
    struct plan_step *plan;
    size_t step_count;
    struct server_step *steps;
    size_t check_count;
    struct script_check *checks;
    /* A case about a server has these in place of a plan, server steps and checks. */
    size_t client_step_count;
    struct client_step *client_steps;
    unsigned client_line, client_column; /* where the client block begins; 0: there is none */
    char condition[SCRIPT_NAME_MAX]; /* `condition no-backend`: what the server is to be brought into first;
                                        empty: nothing */
};

/*
 * Parses `text`. NULL with an error of the form "PATH:LINE:COLUMN: expected …, found …" when it is no right
 * script. `class` checks the send steps. `path` is only a name here; nothing is opened. Free with
 * script_free.
 */
struct script *script_parse(const char *path, struct bytes text, const struct session_class *class,
                            char error[SCRIPT_ERROR_MAX]);
/*
 * The same for the lines of a server block alone, without braces and without a head: the script has no name,
 * checks or plan. Where it is to be injected (`injected`), accept, refuse and ignore are no steps.
 */
struct script *script_parse_steps(const char *path, struct bytes text, bool injected,
                                  const struct session_class *class, char error[SCRIPT_ERROR_MAX]);

/* The clause for the requirement of that id; NULL when the script names none. */
const struct script_clause *script_clause_of(const struct script *script, const char *id);

/* Does a step of it stop reading? Then as little as can be is to be held between the client and the listener.
 */
bool script_stops_reading(const struct script *script);
/* Is there a server block for a mock to play? False, with an error as of script_parse, for a case about a
 * server. */
bool script_can_be_served(const struct script *script, char error[SCRIPT_ERROR_MAX]);

struct script_error {
    unsigned line, column;
    char text[SCRIPT_ERROR_MAX]; /* as script_parse has it */
};

struct script_errors {
    size_t count;
    bool more; /* there may be more than are told */
    struct script_error list[SCRIPT_ERRORS_MAX];
};

/* script_parse, but all errors are told at once, by place: after an error it goes on with the next line. What
 * would only follow from another error is left out as far as that can be known. */
struct script *script_check(const char *path, struct bytes text, const struct session_class *class,
                            struct script_errors *errors);
/*
 * Appends the text of one variant (from 0) of a right script: each vary line holds only the value that is
 * meant, all others are as they were. It parses to that variant, under its own name. The last vary line
 * changes quickest. False when there is no such variant, or no room.
 */
bool script_variant_text(struct bytes text, size_t variant, struct buffer *out);
void script_free(struct script *script);

#endif
