/*
 * The result of a run as the reporters take it: cases, and what they say of each requirement. Plain data;
 * strings are borrowed and outlive it.
 */
#ifndef CONFORMANCE_REPORT_RUN_RESULT_H
#define CONFORMANCE_REPORT_RUN_RESULT_H

#include "codec/wire/text.h"
#include "conformance/judge/judge.h"
#include "conformance/report/evidence.h"

enum {
    RUN_PATH_MAX = 1024,
    RUN_COMMAND_MAX = 4096,
    RUN_OUTPUT_MAX = 4096,       /* of the end of what the client wrote */
    RUN_PICTURE_MAX = 96 * 1024, /* of JSON */
    RUN_DATE_MAX = 32
};

struct cJSON;

struct run_case {
    const struct case_script *script;
    const struct profile *profile; /* it was run with */
    bool ran;                      /* false: above the client's tier, or (in memory) transport only */
    bool is_new;                   /* newer than the suite that was asked for */
    uint64_t duration_ms;
    uint64_t lateness_us; /* the worst of the machine's own timer meanwhile */
    uint64_t session_us;  /* from the first to the last thing on the wire; 0: nothing was there */
    struct case_result result;
    char folder[RUN_PATH_MAX];        /* what a failing case left; empty: nothing */
    char repro[RUN_COMMAND_MAX];      /* one line that repeats it; empty: none */
    char wire_tail[4096];             /* the last wire events, a line each, for people */
    char output_tail[RUN_OUTPUT_MAX]; /* the end of what the client wrote, for people; without the key */
    struct evidence evidence;         /* what shows the breaches; empty: none, or it was not kept */
    char picture[RUN_PICTURE_MAX];    /* of the session (case_picture.h); empty: not asked for, or not run */
};

/* When, with what and on what kind of machine it ran. */
struct run_host {
    char date[RUN_DATE_MAX]; /* of its begin, RFC 3339 in UTC; empty: not known */
    const char *version;     /* of this program; NULL: not known */
    unsigned cpu_count;      /* that may be used; 0: not known */
    double load[3];          /* the load average over 1, 5 and 15 minutes, at its end */
};

/* That a requirement was judged in part, and what would judge the rest: a sentence for people. */
struct run_note {
    const char *requirement_id;
    const char *sentence;
};

struct run_result {
    const char *command;   /* the client's command line, or the server's URL, for people */
    const char *transport; /* "sockets", "memory" or "journal" */
    bool recorded; /* a journal was judged: the cases are its connections, and what the wire does not show
                      is not judged */
    enum requirement_party party; /* whom it judges */
    enum client_tier tier;
    bool inferred, strict;
    bool interrupted;
    const char *suite; /* the frozen list that was asked for ("1.0"); NULL: none */
    size_t judged_min; /* --min-judged; 0: any number will do */
    uint64_t duration_ms;
    struct run_host host;
    size_t case_count;
    struct run_case *cases;
    bool empty_shard;     /* no case fell to it: that is no error, since the other shards judge */
    bool narrowed;        /* cases were left out by choice: what has no case here may have one */
    size_t profile_count; /* profiles the run covered */
    const struct profile *const *profiles;
    const char *profile_note; /* how the profile was come by, a sentence for people; NULL: nothing to say */
    size_t note_count;
    const struct run_note *notes;
    const struct cJSON *part; /* of a shard: its cases for the run that it is a part of (run_part.h), which
                                 the JSON report has; NULL: none */
};

/*
 * What the run says of one requirement. Its checks are those of cases that name it as a clause, and its rule:
 * once for each such case, and once for all sessions of the others together. A breach stands; else PASS means
 * that all were judged and kept, PARTIAL that some were; else none was, and it says what they are.
 */
struct requirement_result {
    const struct requirement *requirement;
    bool judged; /* some case had something to say of it */
    enum verdict verdict;
    size_t case_count;   /* cases that judged it */
    size_t check_count;  /* checks of it that this tier and the reports of this client allow */
    size_t judged_count; /* of those: judged */
    size_t not_reached_count, inconclusive_count, unsupported_count; /* of those: not judged */
    size_t beyond_count; /* checks besides, for a client of a higher tier or that reports more: a PASS is one
                            in part */
    size_t session_count,
        broken_session_count; /* cases in which its rule was judged; in which it was broken */
    bool binding;             /* NOT_REACHED or PARTIAL: a check that was not reached fails the run */
    bool unheard;             /* what it asks to be played, nobody heard */
};

/* Fills `out` (REQUIREMENT_COUNT entries, in table order). */
void run_requirements(const struct run_result *run, struct requirement_result *out);
/* Does it fail the run? */
bool requirement_fails(const struct requirement_result *row);
/* ... and by what was found, or was not reached: not by an error that is not of the party judged? */
bool requirement_is_not_met(const struct requirement_result *row);
/* Is it PASS, with checks left that this client's tier or reports do not allow? */
bool requirement_is_in_part(const struct requirement_result *row);
/* "PASS", or "NOCASE"; static. */
const char *requirement_word(const struct requirement_result *row);
/* Adds what of the requirement was not judged, and why: "3 of 5 judged; not reached: …". False, and nothing,
 * when nothing is left of it. */
bool run_requirement_missing(const struct run_result *run, const struct requirement_result *row,
                             struct text *out);
/* Of a server, what no case reached fails the run, so it fails each case that was to reach it too, though
 * that one found something else which fails nobody: NOTREACHED. To be called before anything is reported. */
void run_fail_unreached(struct run_result *run);
/* What of a server's requirement was not judged, a sentence; NULL: nothing is left, or nothing known. */
const char *run_requirement_note(const struct run_result *run, const struct requirement_result *row);

/* Does it bind the party judged in a profile of this run? */
bool run_requirement_applies(const struct run_result *run, const struct requirement *requirement);
/* What checks of this case look at and the client cannot report: bits of observation_kind. */
unsigned run_case_unsaid(const struct run_case *run_case);
/* Does a check of this case say nothing because the client reports when it plays, but not what? */
bool run_case_is_unheard(const struct run_case *run_case);
/* Did this case judge that requirement? */
bool run_case_judged(const struct run_case *run_case, const struct requirement *requirement);
/* The word for a case: its verdict, or how the client ended where that is the failure ("CRASH", "TIMEOUT",
 * "NOCONNECT"); "SKIPPED" when it was not run. Static. */
const char *run_case_word(const struct run_case *run_case);

/* How a case counts. A run fails on FAILED alone. */
enum run_outcome {
    RUN_PASSED,      /* PASS, INFO, WARN, DISPUTED */
    RUN_TOLERATED,   /* XFAIL, NEW, FLAKY: not met, but it fails nobody */
    RUN_FAILED,      /* FAIL, CRASH, TIMEOUT, NOCONNECT, NOTREACHED, XPASS, ERROR */
    RUN_UNSUPPORTED, /* above the client's tier, or the client declined; of a server: its condition could not
                        be brought about */
    RUN_NOT_RUN /* transport only, in memory; INCONCLUSIVE, or NOTREACHED of what fails nobody: nothing can
                   be said */
};
enum run_outcome run_case_outcome(const struct run_result *run, const struct run_case *run_case);
bool run_case_was_interrupted(const struct run_result *run, const struct run_case *run_case);
/* Did it find what follows from a breach of another requirement (followers.h)? */
bool run_case_is_follower(const struct run_case *run_case);
/* Was what the mock acted on in it no breach, but a note? That note; NULL: it was not. */
const struct check_result *run_case_note(const struct run_case *run_case);
/* Why nothing is said of it; "" where something is. Static. */
const char *run_case_unjudged_reason(const struct run_result *run, const struct run_case *run_case);
/* The check that fails the case; NULL when only its end does, or it does not fail. */
const struct check_result *run_case_failing_check(const struct run_case *run_case);

struct run_totals {
    size_t passed, tolerated, failed, unsupported, not_run;
    size_t disputed; /* of those that passed: they fail with --inferred … */
    size_t warned;   /* … and these with --strict */
    size_t broken;   /* requirements that fail the run, and no case by itself: rules that were broken in cases
                        about something else */
};
void run_count(const struct run_result *run, struct run_totals *out);
/* "38 passed, 0 failed; 18 of the passed disputed": what every report says of the cases; with what is
 * neither, in `rest`, all cases are named. */
void run_totals_write(const struct run_totals *totals, struct text *out);
/* ", 1 unsupported, 2 not judged, 3 known, new or flaky; 1 of the passed with warnings" */
void run_totals_rest_write(const struct run_totals *totals, struct text *out);

/* Requirements that some case reached: judged, and neither UNSUPPORTED, NOTREACHED nor INCONCLUSIVE. 0 when
 * memory runs out. */
size_t run_judged_count(const struct run_result *run);

/* 0: met; 1: a case or a requirement failed, or fewer requirements were reached than judged_min; 3: an error
 * of our own, or nothing was judged: no case came to a verdict, and no breach was found; 130: interrupted. */
int run_exit_code(const struct run_result *run);
enum { RUN_REASON_MAX = 1200 };
/* Why it is that: what of the table of requirements fails, "FAIL OJ-SRV-19; NOTREACHED OJ-SRV-20 (see
 * OJ-SRV-06)" with what was found in its place and fails nobody, and cases that fail without a row of it. */
void run_exit_reason(const struct run_result *run, struct text *out);

#endif
