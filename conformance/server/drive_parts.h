/* The state of a drive, shared by its parts. Private to conformance/server. */
#ifndef CONFORMANCE_SERVER_DRIVE_PARTS_H
#define CONFORMANCE_SERVER_DRIVE_PARTS_H

#include "conformance/server/drive.h"
#include "conformance/server/link.h"

enum { DRIVE_LEVELS_MAX = SCRIPT_DEPTH_MAX + 2 };

/* A block of steps being played. */
struct level {
    const struct client_step *steps;
    size_t count;
    size_t next;
    uint64_t rounds_left; /* after this one */
    bool prelude;         /* the steps that begin stands for */
};

struct watch {
    const char *name;
    struct motion motion;
};

/* A message that is sent by the clock. */
struct feed {
    const struct client_step *step;
    uint64_t number; /* of the next one */
    uint64_t due_us;
};

enum transport { TRANSPORT_NONE, TRANSPORT_WANTED, TRANSPORT_UP, TRANSPORT_ENDING, TRANSPORT_HOLDING };

enum drive_phase { DRIVE_PLAYING, DRIVE_CLOSING, DRIVE_OVER };

struct drive {
    struct drive_options options;
    enum drive_phase phase;
    uint64_t began_us, now_us;
    uint64_t rescue_us; /* what waiting for a start that did not come took: it is not the case's time */
    bool begun;

    struct level levels[DRIVE_LEVELS_MAX];
    size_t depth; /* levels in use */
    bool entered; /* the step at hand has begun */
    uint64_t entered_us;
    unsigned begin_line; /* of the begin whose prelude is played */

    enum transport transport;
    bool linked; /* `link` is set up */
    struct link link;
    uint32_t connections;
    char not_connected[DRIVE_TEXT_MAX]; /* why the transport did not come about; empty: it did */

    struct seen *seen;
    size_t seen_count, seen_capacity;
    bool flooded;  /* more came than is kept */
    size_t cursor; /* what a recv looks at begins here */
    size_t scanned;
    uint64_t matches;

    uint64_t sent_us[CLIENT_PACE_MESSAGES_MAX]; /* when the latest that are paced went out, a ring */
    uint64_t sent_count;
    size_t feed_count;
    struct feed feeds[CLIENT_FEEDS_MAX];
    struct buffer message; /* the one being made */

    struct watch watches[CLIENT_WATCHES_MAX];
    size_t watch_count;
    struct watch *watching;
    bool picture_before; /* of this take */

    size_t outcome_count;
    struct drive_outcome outcomes[DRIVE_OUTCOMES_MAX];
    enum rule_verdict *verdicts;
    unsigned blur;         /* by the family's rules: what could not be read */
    const char *violation; /* the first of RFC 6455 by the server; NULL: none */
    unsigned broken_line;
    char broken_why[DRIVE_TEXT_MAX];
};

/* STOPPED: it has broken the case off itself. */
enum step_status { STEP_STATUS_DONE, STEP_STATUS_WAITS, STEP_STATUS_FAILED, STEP_STATUS_STOPPED };

/* ---- drive_steps.c ---- */

/* Begins the step at hand, or goes on with it. */
enum step_status drive_play(struct drive *drive, const struct client_step *step);
/* When the step at hand is to be looked at again. */
uint64_t drive_step_deadline_us(const struct drive *drive, const struct client_step *step);
/* Sends what is due by the clock; when the next is. */
void drive_feed(struct drive *drive);
uint64_t drive_feed_deadline_us(const struct drive *drive);

/* ---- drive_connection.c ---- */

/* Ends the connection in progress, for the rules too, which decide what they waited for. */
void drive_unlink(struct drive *drive);
/* The same, and asks for another. */
void drive_reconnect(struct drive *drive);

/* ---- drive_outcomes.c ---- */

void drive_outcome_add(struct drive *drive, const struct client_step *step, bool held, const char *expected,
                       const char *actual);
/* Of what was just added: it was waited for in vain. */
void drive_outcome_waited(struct drive *drive, const struct client_step *step);
/* The case stops here. */
void drive_break_off(struct drive *drive, unsigned line, const char *why);
void drive_watch_picture(struct drive *drive, struct bytes message);
/* The watch of that name; NULL. */
struct watch *drive_watch_of(struct drive *drive, const char *name);
enum step_status drive_compare(struct drive *drive, const struct client_step *step);

static inline const struct server_rule_class *drive_rules(const struct drive *drive)
{
    return drive->options.script->class->family->server_rules;
}

static inline const struct client_side *drive_side(const struct drive *drive)
{
    return drive->options.script->client_side;
}

static inline bool drive_is_prelude(const struct drive *drive)
{
    return drive->depth > 0 && drive->levels[drive->depth - 1].prelude;
}

#endif
