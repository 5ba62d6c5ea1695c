/*
 * Which cases a run takes, each with which profile.
 */
#ifndef CONFORMANCE_SELECTION_SELECTION_H
#define CONFORMANCE_SELECTION_SELECTION_H

#include "conformance/selection/case_set.h"

struct selected_case {
    const struct case_script *script;
    struct bytes text;
    const struct profile *profile;
};

struct selection {
    size_t count;
    struct selected_case cases[RUN_CASE_FILES_MAX];
};

/* Is it the name itself, or does the shell pattern match it? A pattern that matches what comes before the "["
 * of a varied case means all its variants. */
bool case_name_matches(const char *name, const char *pattern);
/* Does it match one of them? */
bool patterns_hold(const struct patterns *patterns, const char *name);

/* By --run and --skip (patterns over case names), --set, --shard and --profile: with one profile the cases
 * that are for it, with all each case with the first profile it is for. */
void select_cases(const struct case_set *set, const struct run_options *options, struct selection *out);

/* Why a run takes a case, or does not. */
enum left_out {
    LEFT_OUT_NOT,
    LEFT_OUT_NOT_ASKED_FOR, /* it matches none of --run */
    LEFT_OUT_FAMILY,
    LEFT_OUT_PROFILE,
    LEFT_OUT_SET,
    LEFT_OUT_SHARD,
    LEFT_OUT_SKIPPED
};
enum left_out selection_reason(const struct case_script *script, const struct run_options *options);

#endif
