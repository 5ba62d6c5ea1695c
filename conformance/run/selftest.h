/*
 * The suite under test itself: clients that break one requirement each (conformance/defects) are put through
 * the cases, and so is the correct one. See `ojin-conform selftest --help`.
 */
#ifndef CONFORMANCE_RUN_SELFTEST_H
#define CONFORMANCE_RUN_SELFTEST_H

#include "conformance/defects/defect.h"
#include "conformance/judge/judge.h"
#include "conformance/run/selection.h"
#include "server/launch/scratch.h"

enum { SELFTEST_DEFECTS_MAX = 400, SELFTEST_TRIPS_MAX = 32 };

/* What the selftest is made to object to, to see that it does. */
enum selftest_trial {
    TRIAL_NONE,
    TRIAL_DEFECTS,       /* defects that break nothing, too much, or another requirement */
    TRIAL_BROKEN_CLIENT, /* the client that passes for the correct one is broken */
};

/* Which cases a defect goes through in processes. */
enum selftest_extent {
    EXTENT_OWN,   /* all of its requirement */
    EXTENT_QUICK, /* of those a few that caught it in memory, and those that are for a real transport */
    EXTENT_FULL,  /* all of its family that are not slow, and all of its requirement */
};

struct selftest_options {
    struct run_options run; /* how cases are run; its family may be NULL: all. Its own --run patterns are not
                               used */
    enum selftest_extent extent;
    enum selftest_trial trial;
    const char *json; /* "-": standard output; NULL: nowhere */
    size_t pattern_count;
    const char *patterns[RUN_PATTERNS_MAX]; /* of requirements and defects; none: all */
};

/* Breaks what it should not: this requirement, first seen in that case. */
struct selftest_trip {
    const struct requirement *requirement;
    size_t at; /* of the selection's cases */
    bool in_memory;
};

/* A client that was put through cases: a defect, or the correct client. Plain data, in memory that processes
 * share. */
struct selftest_subject {
    const struct defect *defect;      /* NULL: the correct client */
    bool wanted[RUN_CASE_FILES_MAX];  /* cases it is put through, in processes */
    bool catches[RUN_CASE_FILES_MAX]; /* those in which its requirement failed */
    bool shown[RUN_CASE_FILES_MAX];   /* the same of those in memory */
    size_t catch_count;
    size_t case_count; /* that it went through, in processes */
    size_t trip_count;
    struct selftest_trip trips[SELFTEST_TRIPS_MAX];
    size_t own_errors; /* cases that say nothing, over a fault of our own */
    char own_error[JUDGE_TEXT_MAX];
};

struct selftest {
    struct selftest_options options;
    struct case_set set;
    struct selection selection;
    bool *asked;  /* for each of REQUIREMENTS: is it part of this test? */
    bool partial; /* not all of its families are */
    struct selftest_subject *client;
    size_t defect_count;
    struct selftest_subject *defects; /* in the order of the table */
    struct scratch scratch;           /* for what cases of defects leave while they run */
    uint64_t duration_ms;
};

/* ---- selftest_plan.c ---- */

/* Reads the cases and decides who goes through which. False with what is wrong on standard error. `out` is
 * zero but for its options. */
bool selftest_plan(struct selftest *out);
/* Once all that can be said in memory is known: leaves those of a defect's cases out that a quick test does
 * not need, and decides what the correct client goes through. */
void selftest_narrow(struct selftest *selftest);
void selftest_free(struct selftest *selftest);
/* Is the case about the requirement that the defect breaks? */
bool selftest_is_own(const struct defect *defect, const struct script *script);
/* Is the case of the defect's family? */
bool selftest_is_of(const struct defect *defect, const struct script *script);

/* ---- selftest_run.c, selftest_memory.c ---- */

/* False when it was interrupted, or something of ours failed (which is told on standard error). */
bool selftest_run_processes(struct selftest *selftest);
bool selftest_run_memory(struct selftest *selftest);

/* ---- selftest_result.c ---- */

/* Does the case fail for a MUST that the defect neither breaks nor declares? */
bool selftest_trips(const struct defect *defect, const struct case_result *result);
/* Takes what a case said of a client. */
void selftest_take(struct selftest_subject *subject, const struct selftest *selftest, size_t at,
                   const struct case_result *result, bool in_memory);
bool selftest_is_caught(const struct selftest_subject *defect);
/* Caught, and it trips nothing and no case failed for a reason of ours. */
bool selftest_is_good(const struct selftest_subject *subject);
/* The requirement has a defect, and all of its defects are good. */
/* Is the whole family part of this test? */
bool selftest_is_about(const struct selftest *selftest, const struct family *family);
/* Of that family; NULL: of all. */
bool selftest_is_met(const struct selftest *selftest, const struct family *family);
bool selftest_requirement_is_met(const struct selftest *selftest, const struct requirement *requirement);

/* ---- selftest_report.c, selftest_json.c ---- */

void selftest_report(const struct selftest *selftest, FILE *out);
/* What is said of the requirements of that family; NULL: of all. */
bool selftest_write_json(const struct selftest *selftest, const struct family *family, const char *build,
                         FILE *out);

/* ---- selftest_file.c: what the last one of this build saw ---- */

enum { BUILD_ID_MAX = 65 };

/* A name of this build: of its program and its cases. False when they cannot be read. */
bool build_identify(const struct case_set *set, char id[BUILD_ID_MAX]);
/* The file beside the program, one a family. */
void selftest_file_path(const char *program, const struct family *family, char path[OPTIONS_PATH_MAX]);

#endif
