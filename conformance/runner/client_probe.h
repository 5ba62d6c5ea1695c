/*
 * The probe: what can this client do? Two short sessions at the start of a run. In one it is asked for a case
 * that does not exist, whose plan has a step that no client knows: a client that obeys plans declines it with
 * exit 77. In the other it is seen whether it says what it saw.
 */
#ifndef CONFORMANCE_RUNNER_CLIENT_PROBE_H
#define CONFORMANCE_RUNNER_CLIENT_PROBE_H

#include <signal.h>

#include "conformance/options/options.h"
#include "conformance/runner/pool.h"

/*
 * Without `tier_known` options->tier is found out. With it the wire tier has the second session alone, which
 * shows that the client can start, and the plan tier the first alone. False when the run cannot go on, which
 * is said once on standard error: the client cannot be started, fails at once in each session, ends the TLS
 * handshake, says that it is broken, or observes, or is said to, but does not answer 77. A process that takes
 * many cases has both sessions, and is in `clients` then, to go on with the run's; NULL: it ends.
 */
bool client_probe(struct run_options *options, const volatile sig_atomic_t *interrupted,
                  struct pool_clients *clients);

/* On standard error, behind `before`: a line to try the client with by hand, where all that it writes is
 * seen. Nothing with --persistent. */
void client_tell_how_to_try(const struct run_options *options, const char *before);

#endif
