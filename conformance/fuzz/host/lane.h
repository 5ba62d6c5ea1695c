/*
 * A lane of a fuzzer: a client and a mock of its own, which play sessions one after another; what comes of
 * them tried again, made small and kept. Private to this folder.
 */
#ifndef CONFORMANCE_FUZZ_HOST_LANE_H
#define CONFORMANCE_FUZZ_HOST_LANE_H

#include "conformance/fuzz/generate.h"
#include "conformance/fuzz/host/ledger.h"

enum { LANE_TURN = 20 /* sessions between two right ones, in one process */ };

/* Plays what the ledger has, until there is no more or it is stopped; a failure of our own stands in the
 * ledger then. `good` is a right session. */
void lane_run(const struct fuzzer_options *options, const struct fuzz_maker *maker,
              const struct fuzz_session *good, struct fuzz_ledger *ledger);

#endif
