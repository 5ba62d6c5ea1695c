/*
 * A part of a run: what one shard found, as its JSON report carries it in the member "part", and the run that
 * parts are put together into.
 *
 * A part has the cases as they were judged before what one case found was held against the others
 * (followers.h): that is done when all parts are there. So the reports of the whole are those that one run of
 * all cases would have written. Only parts of the same version of the program are read.
 */
#ifndef CONFORMANCE_REPORT_RUN_PART_H
#define CONFORMANCE_REPORT_RUN_PART_H

#include "conformance/report/run_result.h"

struct cJSON;

enum { RUN_PARTS_MAX = 1000, RUN_PART_BYTES_MAX = 512 * 1024 * 1024, RUN_PART_ERROR_MAX = 1200 };

/* Which part of a run it is. Strings are borrowed. */
struct run_part_place {
    unsigned shard, of; /* from 1 */
    const char *family;
    const char *conditions; /* other options that the verdicts hang on, for people: "tls, says ready" */
    bool narrowed;          /* cases were left out otherwise than by the shard */
};

/* The member "part", with what `run` has by now; to be called before run_tell_followers. NULL when memory
 * runs out; owned by the caller. */
struct cJSON *run_part_new(const struct run_result *run, const struct run_part_place *place);
void run_part_free(struct cJSON *part);

/* A report that was read. */
struct run_report {
    const char *path;   /* borrowed */
    struct cJSON *root; /* owned */
};

/* Reads the text of a report, with a part of a run in it. False, and a sentence in `error`, when it is no
 * such report or of another version than `version`. */
bool run_report_read(const char *path, struct bytes text, const char *version, struct run_report *out,
                     struct text *error);
void run_report_free(struct run_report *report);
/* The frozen suite that it was run with; NULL: none. */
const char *run_report_suite(const struct run_report *report);

/* Are they all parts of one run, each once? Else `error` says what differs, or which is missing. */
bool run_reports_agree(const struct run_report *reports, size_t count, struct text *error);

/* The cases that parts may name, and what the whole run is put into. */
struct run_join {
    const struct case_script *const *scripts; /* in the order of a run */
    size_t script_count;
};

/* Fills `out` with the run that the reports are the parts of; they have to agree. The strings of `out` are
 * borrowed from the reports; its cases and profiles are freed by run_join_free. False, with a sentence in
 * `error`, when a case is not among the scripts, is there twice, or memory runs out. */
bool run_reports_join(const struct run_report *reports, size_t count, const struct run_join *join,
                      struct run_result *out, struct text *error);
void run_join_free(struct run_result *run);

#endif
