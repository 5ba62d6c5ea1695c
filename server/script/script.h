/*
 * A script: what a mock plays, the server block of a file. What else stands in a file is a suite's, and is
 * left to it: what a client under test is asked to do, what must hold (conformance/script).
 *
 * The block is parsed and checked whole before anything runs. An error names file, line, column and what was
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

enum {
    SCRIPT_BYTES_MAX = 262144,
    SCRIPT_DEPTH_MAX = 8,
    SCRIPT_STEPS_MAX = 1024,
    SCRIPT_OPTIONS_MAX = 24,
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

struct script_error {
    unsigned line, column;
    char text[SCRIPT_ERROR_MAX]; /* as script_parse has it */
};

/* All errors of a text, by place. */
struct script_errors {
    size_t count;
    bool more; /* there may be more than are told */
    struct script_error list[SCRIPT_ERRORS_MAX];
};

/* "cancel" or "speech:10": something to wait for, with a count (1 when none is given). */
struct script_condition {
    char name[SCRIPT_NAME_MAX]; /* empty: none */
    uint64_t count;
};

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
    const char *counter; /* what `as` of the repeat has; NULL: `number` */
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
    struct script_quirk *quirks;
    size_t child_count; /* REPEAT, BRANCH; ALT: its branches */
    struct server_step *children;
};

struct script {
    struct bytes source;               /* of script_parse_steps: the text; owned */
    const struct session_class *class; /* that it was parsed with: its family's */
    char name[SCRIPT_NAME_MAX];        /* of the case: "ojin/cancel/late-speech"; with vary
                                          "ojin/split/fragments[4]", its first variant. Of steps alone: none */
    bool transport;                    /* a step or pipe of it needs a real transport */
    size_t step_count;
    struct server_step *steps;
};

/*
 * Parses `text`, a file with a server block. NULL with an error of the form "PATH:LINE:COLUMN: expected …,
 * found …" when it is no right script. Lines and blocks of a suite are left out, so long as braces and
 * strings in them are closed. `class` checks the send steps. `path` is only a name here; nothing is opened.
 * Free with script_free.
 */
struct script *script_parse(const char *path, struct bytes text, const struct session_class *class,
                            char error[SCRIPT_ERROR_MAX]);
/*
 * The same for the lines of a server block alone, without braces and without a head. Where it is to be
 * injected (`injected`), accept, refuse and ignore are no steps.
 */
struct script *script_parse_steps(const char *path, struct bytes text, bool injected,
                                  const struct session_class *class, char error[SCRIPT_ERROR_MAX]);

/* Does a step of it stop reading? Then as little as can be is to be held between the client and the listener.
 */
bool script_stops_reading(const struct script *script);
void script_free(struct script *script);

#endif
