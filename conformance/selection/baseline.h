/*
 * The baseline: what is known to fail, a line each, with the reason.
 *
 *   ojin/cancel/late-speech            # our player cannot take frames back yet, ticket 81
 *   ojin/frame/huge-*:OJ-OUT-09           # believes the size in the header
 *   ojin/input/format:chunk-size       # one check of one case
 *
 * PATTERN[:CHECK] # WHY: a shell pattern over case names (or a case's exact name), then, when only one thing
 * of the case is known to fail, a check's name or a requirement's id, which may be a pattern too. Empty lines
 * and those that begin with # are skipped.
 *
 * What a line covers and fails becomes XFAIL. A line of which everything that was judged passed makes that
 * XPASS: it is to be taken out. An ERROR of ours is never covered.
 */
#ifndef CONFORMANCE_SELECTION_BASELINE_H
#define CONFORMANCE_SELECTION_BASELINE_H

#include "codec/wire/buffer.h"
#include "conformance/report/run_result.h"
#include "conformance/selection/case_set.h"

enum {
    BASELINE_ENTRIES_MAX = 2048,
    BASELINE_BYTES_MAX = 1024 * 1024,
    BASELINE_PATTERN_MAX = 160,
    BASELINE_REASON_MAX = 300
};

struct baseline_entry {
    unsigned line;
    char pattern[BASELINE_PATTERN_MAX];
    char check[BASELINE_PATTERN_MAX]; /* empty: whatever of the case fails */
    char reason[BASELINE_REASON_MAX];
};

struct baseline {
    const char *path;  /* borrowed */
    struct bytes text; /* the file, owned */
    size_t count;
    struct baseline_entry *entries; /* owned */
};

/*
 * Reads the file; a file that is not there is an empty baseline where it `may_be_missing` (it is about to be
 * written). False, with every mistake on standard error as "FILE:LINE:COLUMN: expected …, found …", when a
 * line has no reason or a pattern that fits no case of `set`.
 */
bool baseline_load(const char *path, const struct case_set *set, bool may_be_missing, struct baseline *out);
void baseline_free(struct baseline *baseline);

/* Changes verdicts of cases and checks to XFAIL and XPASS, and says why in the cases' notes. */
void baseline_apply(const struct baseline *baseline, struct run_result *run);

/*
 * Writes the file anew, as the run (to which it has not been applied) makes it: lines that still fail or were
 * not judged stay as they are, comments too; those of what passes are left out; what fails and no line covers
 * is added, with what was seen as its reason. False with errno set.
 */
bool baseline_update(const struct baseline *baseline, const struct run_result *run);

#endif
