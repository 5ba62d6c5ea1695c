/* The sessions of `ojin-conform splits`: a client is put through all ways of a family, and its reports
 * compared. */
#ifndef CONFORMANCE_CLI_SPLIT_RUN_H
#define CONFORMANCE_CLI_SPLIT_RUN_H

#include "conformance/options/options.h"
#include "conformance/splits/splits.h"

struct split_run;

/* Takes the ways whose case names match `options->run` (all without a pattern), and the references. Borrows
 * both. NULL with a sentence on standard error: memory ran out, or a script is wrong. */
struct split_run *split_run_new(const struct run_options *options, const struct splits *splits);
void split_run_free(struct split_run *run);

/* False when it was interrupted. */
bool split_run_all(struct split_run *run);

struct split_outcome {
    bool compared;    /* the reference was reported well enough */
    bool fails_whole; /* ... it was not, and the client did not even end well */
    size_t sessions, points;
    size_t failed; /* ways */
};
/* Compares, tells what differs on standard output, and removes the folders of what does not. `command`: the
 * client's, for the line that repeats a way. */
void split_run_tell(struct split_run *run, const char *command, struct split_outcome *out);

#endif
