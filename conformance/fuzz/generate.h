/*
 * The sessions of a fuzzer: the N-th of a seed is the same on any machine, whatever was played before it.
 * Each begins as a right one of the family and is then changed: in its messages (codec/mutate), their order,
 * how their bytes leave, in what is no message, and how it ends. No I/O.
 */
#ifndef CONFORMANCE_FUZZ_GENERATE_H
#define CONFORMANCE_FUZZ_GENERATE_H

#include "codec/mutate/mutate.h"
#include "conformance/fuzz/fuzz_seeds.h"
#include "conformance/fuzz/fuzz_session.h"

/* All borrowed. */
struct fuzz_maker {
    const struct session_class *class;
    const struct fuzz_seeds *seeds;
    const struct mutate_class *mutations;
};

/* Makes one; `out` is to be freed. False when memory runs out. */
bool fuzz_generate(const struct fuzz_maker *maker, uint64_t seed, uint64_t number, struct fuzz_session *out);
/* A right one, in which a right client sees nothing wrong: the first flow of the seeds. */
bool fuzz_generate_good(const struct fuzz_maker *maker, struct fuzz_session *out);

#endif
