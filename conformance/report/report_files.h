/*
 * What a run ends in: the files that were asked for, and the report for people. The options that name the
 * files are the same for every command that reports.
 */
#ifndef CONFORMANCE_REPORT_REPORT_FILES_H
#define CONFORMANCE_REPORT_REPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct run_result;

enum report_kind {
    REPORT_JSON,
    REPORT_JUNIT,
    REPORT_TAP,
    REPORT_TAP13,
    REPORT_HTML,
    REPORT_MARKDOWN,
    REPORT_COUNT
};

/* Where each goes; "-": standard output; NULL: nowhere. */
struct report_paths {
    const char *of[REPORT_COUNT];
    bool verbose; /* the report for people shows what passed and what was not judged, too */
};

/* Can each be written, as far as that can be told without touching it? Else says so on standard error. To be
 * asked before a run, whose result would be lost. */
bool report_paths_check(const struct report_paths *paths);

/* Is a picture of each session asked for: for a page, or for that of the run that a shard is a part of? */
bool report_paths_picture(const struct report_paths *paths, bool of_shard);

/* How far a run is, on the terminal that standard error is. */
void report_progress(size_t done, size_t count, size_t failed, const char *case_name);

/*
 * Writes them, then the report for people: on standard output, or on standard error when a file is standard
 * output. What CI services ask for by their environment is served too: a summary added to the file
 * GITHUB_STEP_SUMMARY, and annotations on standard output where that is set or GITHUB_ACTIONS is "true". The
 * date and the load of the machine are taken for them, unless `run` has a date. The exit status of the run; 3
 * when a file could not be written.
 */
int report_files_write(struct run_result *run, const struct report_paths *paths, bool colour);

#endif
