/*
 * The suite under test itself: clients that break one requirement each (conformance/defects) are put through
 * the cases, and so is the correct one. See `ojin-conform selftest --help`.
 */
#ifndef CONFORMANCE_SELFTEST_SELFTEST_H
#define CONFORMANCE_SELFTEST_SELFTEST_H

#include "conformance/defects/defect.h"
#include "conformance/judge/judge.h"
#include "conformance/selection/selection.h"
#include "server/launch/scratch.h"

enum { SELFTEST_DEFECTS_MAX = 600, SELFTEST_TRIPS_MAX = 32, SELFTEST_CHECKS_MAX = 4096 };

/* What the selftest is made to object to, to see that it does. */
enum selftest_trial {
    TRIAL_NONE,
    TRIAL_DEFECTS,       /* defects that break nothing, too much, or another requirement */
    TRIAL_BROKEN_CLIENT, /* the client that passes for the correct one is broken */
};

/* Which cases a defect goes through in processes. */
enum selftest_extent {
    EXTENT_OWN,    /* all of its requirement */
    EXTENT_QUICK,  /* of those a few that caught it in memory, and those that are for a real transport */
    EXTENT_MEMORY, /* none: all is seen in memory, or not looked at */
    EXTENT_FULL,   /* all of its family that are not slow, and all of its requirement */
};

struct selftest_options {
    struct run_options run; /* how cases are run; its family may be NULL: all. Its own --run patterns are not
                               used */
    enum selftest_extent extent;
    enum selftest_trial trial;
    const char *json;         /* "-": standard output; NULL: nowhere */
    struct patterns patterns; /* of requirements and defects; none: all */
};

/* Breaks what it should not: this requirement, first seen in that case. */
struct selftest_trip {
    const struct requirement *requirement;
    size_t at; /* of the selection's cases */
    bool in_memory;
};

/*
 * A check of a case, which a defect has to be seen to fail and the correct client to keep: one that the
 * script has; the rule of a clause that it names ("wire"); "survives", for a first clause that nothing else
 * judges; and "output" and "memory", where the case is about those. All variants of a case have it in common.
 * What asks for nothing (INFO, MAY) is none.
 */
struct selftest_check {
    const struct case_script *script; /* its case; of a varied one the first variant */
    const struct requirement *requirement;
    char name[SCRIPT_NAME_MAX];
};

/* Those of one case among all checks. */
struct selftest_group {
    size_t from, count;
};

/* A client that was put through cases: a defect, or the correct client. Plain data, in memory that processes
 * share. */
struct selftest_subject {
    const struct defect *defect;      /* NULL: the correct client */
    bool wanted[RUN_CASE_FILES_MAX];  /* cases it is put through, in processes */
    bool catches[RUN_CASE_FILES_MAX]; /* those in which its requirement failed */
    bool shown[RUN_CASE_FILES_MAX];   /* the same of those in memory */
    bool breaks[SELFTEST_CHECKS_MAX]; /* checks that failed, in memory or in processes */
    bool keeps[SELFTEST_CHECKS_MAX];  /* checks that passed */
    size_t catch_count;               /* of those, in processes */
    size_t shown_count;               /* in memory */
    size_t case_count;                /* that it went through, in processes */
    size_t trip_count;
    struct selftest_trip trips[SELFTEST_TRIPS_MAX];
    size_t own_errors; /* cases that say nothing, over a fault of our own */
    char own_error[JUDGE_TEXT_MAX];
};

struct selftest {
    struct selftest_options options;
    struct case_set set;
    struct selection selection;
    size_t check_count;
    struct selftest_check checks[SELFTEST_CHECKS_MAX];
    struct selftest_group groups[RUN_CASE_FILES_MAX]; /* of the selection's cases */
    bool *asked;                                      /* for each of REQUIREMENTS: is it part of this test? */
    bool partial;                                     /* not all of its families are */
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
bool selftest_is_own(const struct defect *defect, const struct case_script *script);
/* Is the case of the defect's family? */
bool selftest_is_of(const struct defect *defect, const struct case_script *script);

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
/* Is it one of those that prove that the requirement is seen to fail? */
bool selftest_proves(const struct selftest_subject *defect, const struct requirement *requirement);
/* In processes; of a selftest in memory alone, there. */
bool selftest_is_caught(const struct selftest *selftest, const struct selftest_subject *defect);
/* Caught, and it trips nothing and no case failed for a reason of ours. */
bool selftest_is_good(const struct selftest *selftest, const struct selftest_subject *subject);
/* Is the whole family part of this test? */
bool selftest_is_about(const struct selftest *selftest, const struct family *family);
/* Of that family; NULL: of all. Checks count where the whole family is part of the test, in processes too. */
bool selftest_is_met(const struct selftest *selftest, const struct family *family);
/* The requirement has a defect, and all of its defects are good. */
bool selftest_requirement_is_met(const struct selftest *selftest, const struct requirement *requirement);

/* ---- selftest_checks.c ---- */

/* Lists the checks of the selected cases. False, with what is wrong on standard error, when there are too
 * many. */
bool selftest_list_checks(struct selftest *out);
/* Takes what a case said of them. */
void selftest_take_checks(struct selftest_subject *subject, const struct selftest *selftest, size_t at,
                          const struct case_result *result, bool in_memory);
/* Is check `n` part of this test, and of that family (NULL: of any)? */
bool selftest_check_counts(const struct selftest *selftest, size_t n, const struct family *family);
/* Has that case of the selection any? */
bool selftest_has_checks(const struct selftest *selftest, size_t at);
/* Does the correct client pass it; or, where that gives no occasion to judge it, another? */
bool selftest_check_is_kept(const struct selftest *selftest, size_t n);
/* That, and it was seen to fail with a defect. */
bool selftest_check_is_proven(const struct selftest *selftest, size_t n);
/* All that count. */
bool selftest_checks_are_proven(const struct selftest *selftest, const struct family *family);
/* The name of its case, without what tells variants apart; returns its length. */
size_t selftest_check_name(const struct selftest *selftest, size_t n, char name[SCRIPT_NAME_MAX]);

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
