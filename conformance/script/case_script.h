/*
 * A case: what a mock plays (server/script), what the client under test is asked to do, and what must hold.
 * Or, with a client block: how a server is put to the test.
 *
 * The text is parsed and checked whole before anything runs. An error names file, line, column and what was
 * expected. The grammar is in conformance/SCRIPTS.md. A case owns everything it points to.
 */
#ifndef CONFORMANCE_SCRIPT_CASE_SCRIPT_H
#define CONFORMANCE_SCRIPT_CASE_SCRIPT_H

#include "codec/wire/buffer.h"
#include "conformance/script/case_family.h"
#include "conformance/script/client_script.h"
#include "server/script/arena.h"
#include "server/script/script.h"

enum { SCRIPT_CHECKS_MAX = 32, SCRIPT_CLAUSES_MAX = 8, SCRIPT_FILTERS_MAX = 8 };

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
    const char *file;              /* SPEAK: a sound file, relative to fixtures/speech; the script's */
    const char *params;            /* SPEAK: a JSON object, the params of its messages; NULL: none */
    uint64_t wait_us;              /* WAIT: how long; 0 with `after` set: until that */
    uint32_t times;                /* RECONNECT: attempts in a row at most */
    struct script_condition after; /* the step is due once this has happened, as the client itself sees it:
                                      ready, ready:N (the Nth sessionReady), speech:N (N speech frames played
                                      since the latest speak), sent (all speech handed over is on the wire),
                                      idle (a silence frame was played after speech), final, error, closed */
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
    FILTER_TIMESTAMP,
    FILTER_OWN
};

struct event_filter {
    enum filter_kind kind;
    const char *name;  /* as written; static */
    const char *value; /* literal, or $NAME.interaction; the script's */
};

/* `seen:played kind=speech interaction=$cancelled.interaction`; several types by commas: `seen:error,closed`;
 * of if=, given=, after= and until= also the N-th that matches: `received:upgrade:2` */
struct event_pattern {
    bool set;
    enum event_side side;
    size_t type_count;
    const char *types[4]; /* the script's */
    uint64_t occurrence;  /* from 1 */
    size_t filter_count;
    struct event_filter *filters; /* the script's */
    const char *text;             /* as written; the script's */
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

struct case_script {
    const struct session_class *class; /* these three are its family's */
    const struct script_words *words;
    const struct client_side *client_side;
    struct script played; /* what the mock does; empty in a case about a server */
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
    size_t check_count;
    struct script_check *checks;
    struct script_arena texts; /* of them, and the filters of their patterns */
    /* A case about a server has these in place of a plan, server steps and checks. */
    size_t client_step_count;
    struct client_step *client_steps;
    char condition[SCRIPT_NAME_MAX]; /* `condition no-backend`: what the server is to be brought into first;
                                        empty: nothing */
};

/*
 * Parses `text`. NULL with an error of the form "PATH:LINE:COLUMN: expected …, found …" when it is no right
 * case. `family` checks what is its own. `path` is only a name here; nothing is opened. Free with
 * case_script_free.
 */
struct case_script *case_script_parse(const char *path, struct bytes text, struct case_family family,
                                      char error[SCRIPT_ERROR_MAX]);
/* The same, but all errors are told at once, by place: after an error it goes on with the next line. What
 * would only follow from another error is left out as far as that can be known. */
struct case_script *case_script_check(const char *path, struct bytes text, struct case_family family,
                                      struct script_errors *errors);
/*
 * Appends the text of one variant (from 0) of a right case: each vary line holds only the value that is
 * meant, all others are as they were. It parses to that variant, under its own name. The last vary line
 * changes quickest. False when there is no such variant, or no room.
 */
bool case_script_variant_text(struct bytes text, size_t variant, struct buffer *out);

/* The clause for the requirement of that id; NULL when the case names none. */
const struct script_clause *case_script_clause_of(const struct case_script *script, const char *id);
void case_script_free(struct case_script *script);

#endif
