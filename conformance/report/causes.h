/*
 * The causes of a run: what is wrong, each told once, however many cases show it. Every report begins with
 * them (the terminal ends with them), in the same order and with the same numbers.
 *
 * A cause is one of
 *  - a requirement that was broken: whatever its verdict, with all the ways in which it was. Rules that find
 *    the same words, numbers and quoted messages aside, are one cause (a clock in seconds shows in every kind
 *    of message);
 *  - a way in which the client ended badly: a crash by an exception that was raised, or a sanitizer's
 *    report that was made, in the same place, whatever they say; any other crash, a timeout, no connection,
 *    with the same words;
 *  - what was not reached for a reason that none of these explains, grouped by that reason;
 *  - an error of our own.
 * What was not reached, and a hang, belongs to the cause that the judge names; else to the bad end of its
 * client; else to a MUST that the same case breaks.
 *
 * Every case that fails, and every requirement that fails the run, is of at least one cause that `fails`.
 */
#ifndef CONFORMANCE_REPORT_CAUSES_H
#define CONFORMANCE_REPORT_CAUSES_H

#include "conformance/report/run_result.h"

enum {
    CAUSE_SENTENCE_MAX = 2 * JUDGE_TEXT_MAX + 64,
    CAUSE_WAYS_MAX = 5,
    CAUSE_REQUIREMENTS_MAX = 64,
    CAUSE_CASES_MAX = 4
};

enum cause_kind {
    CAUSE_OWN,       /* an error that is not of the party judged */
    CAUSE_BROKEN,    /* a requirement, or several in the same words */
    CAUSE_LISTED,    /* XPASS: it passes, and the baseline says that it fails */
    CAUSE_END,       /* how the client ended */
    CAUSE_UNREACHED, /* for no other cause */
    CAUSE_KIND_COUNT
};

/* Another way in which it was broken. */
struct cause_way {
    const struct run_case *run_case;
    const struct check_result *check;
};

struct cause {
    enum cause_kind kind;
    const char *word; /* its worst verdict, or how the client ended: "FAIL", "CRASH"; static */
    bool fails;       /* the run fails by it */
    char sentence[CAUSE_SENTENCE_MAX]; /* what is wrong */
    size_t requirement_count;          /* that it breaks; of END often, of UNREACHED always none */
    const struct requirement *requirements[CAUSE_REQUIREMENTS_MAX];
    const struct run_case *first;                  /* the first case that shows it at its worst */
    const struct check_result *check;              /* what shows it there; NULL: only how the case ended */
    const struct evidence_item *evidence;          /* of that check; NULL: nothing was kept */
    size_t session_count;                          /* cases in which it could have shown … */
    size_t broken_count;                           /* … and in which it did */
    size_t case_count;                             /* that fail by it */
    const struct run_case *cases[CAUSE_CASES_MAX]; /* the first of these */
    const char *answer; /* how the mock acted on it: "closed the connection with 1008: …"; "": it did not */
    size_t unreached_count; /* cases in which something was not reached, as the mock acted on it … */
    size_t hung_count;      /* … and in which the client hung then */
    size_t way_count;       /* that are not the first's */
    struct cause_way ways[CAUSE_WAYS_MAX]; /* the first of these */
    size_t blocked_count;                  /* requirements that are NOTREACHED or PARTIAL because of it */
    const struct requirement **blocked;
};

struct causes {
    size_t count, failing_count; /* those that fail the run come first */
    struct cause *list;          /* what fails the run, then by how much it explains */
    bool whole;                  /* false: memory ran out, and some are missing */
};

/* To be freed; it borrows from `run`. */
void causes_init(const struct run_result *run, struct causes *out);
void causes_free(struct causes *causes);

/* One line over all of them: "1 cause: timestamp 17…: seconds, not milliseconds (OJ-IN-02); 17 requirements
 * not reached". Nothing when nothing fails. */
void causes_headline(const struct causes *causes, struct text *out);
/* "in 172 of 200 sessions, first in ojin/a/b" */
void cause_where(const struct cause *cause, struct text *out);
/* "ojin/a/b the-check: 3, the first: …" */
void cause_way_write(const struct cause_way *way, struct text *out);
/* "answered with an error: {…}; 45 cases were not reached, or in part; the client then hung in 12": what the
 * mock did; of a hang by itself, "stood in line 24: serve until=close": what it waited for. Nothing where
 * there is nothing to say. */
void cause_answer(const struct cause *cause, struct text *out);
/* Does it break that requirement, or keep it from being judged? */
bool cause_is_of(const struct cause *cause, const struct requirement *requirement);
/* What went on in the first case that shows it, and what was to be done then; "" where a rule found it, which
 * holds in any session. */
const char *cause_situation(const struct cause *cause);
const char *cause_task(const struct cause *cause);
/* The requirements that it breaks: "OJ-IN-02, OJ-END-01"; at most `most` of them from number `from` on, and
 * how many more. */
void cause_requirements(const struct cause *cause, size_t from, size_t most, struct text *out);
/* "broken", "listed", "end", "unreached" or "own"; static. */
const char *cause_kind_name(enum cause_kind kind);
/* The last observations until what shows it, a line each; else the last of all; "" of a silent client. */
const char *cause_said(const struct cause *cause);
/* The last `lines` lines that the client wrote in the first case; "" when none was kept. */
const char *cause_wrote(const struct cause *cause, size_t lines);
/* The message that shows it, with its fields or lines; else the last things on the wire. */
const char *cause_wire(const struct cause *cause);
/* Is it that message? */
bool cause_shows_message(const struct cause *cause);
/* "OJ-IN-02, OJ-END-01"; what is left out is counted. */
void cause_blocked(const struct cause *cause, size_t most, struct text *out);

#endif
