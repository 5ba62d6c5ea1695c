/*
 * A session made as small as it can be while it still fails: steps, settings and bytes are taken away one
 * after another, and what can be zero becomes zero. No I/O; who plays the sessions is the caller.
 */
#ifndef CONFORMANCE_FUZZ_SHRINK_H
#define CONFORMANCE_FUZZ_SHRINK_H

#include "conformance/fuzz/fuzz_session.h"

/* Does it still fail in the same way? False also when there is no more time to try. */
typedef bool fuzz_still_fails(void *context, const struct fuzz_session *session);

/* `session` fails, and is replaced by each smaller one that does. At most `tries_max` are asked about; how
 * many were is returned. */
unsigned fuzz_shrink(struct fuzz_session *session, fuzz_still_fails *still_fails, void *context,
                     unsigned tries_max);
/* The same where a try takes long: whole steps, settings, and halves of what a step sends; nothing finer. */
unsigned fuzz_shrink_coarse(struct fuzz_session *session, fuzz_still_fails *still_fails, void *context,
                            unsigned tries_max);

#endif
