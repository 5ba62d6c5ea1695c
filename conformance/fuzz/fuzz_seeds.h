/*
 * What sessions are made of before anything is wrong with them: the right messages of a family, and the
 * orders in which a right server sends them. Made by the family's session core, so they are those of the
 * mock. No I/O; the same on any machine.
 */
#ifndef CONFORMANCE_FUZZ_FUZZ_SEEDS_H
#define CONFORMANCE_FUZZ_FUZZ_SEEDS_H

#include "codec/wire/buffer.h"
#include "server/core/session.h"

enum { FUZZ_SEEDS_MAX = 40, FUZZ_FLOWS_MAX = 8, FUZZ_FLOW_LENGTH_MAX = 12 };

struct fuzz_seed {
    char kind[ACTION_LABEL_MAX]; /* "speech", "delta" */
    bool is_binary;
    struct bytes data;
};

struct fuzz_seeds {
    size_t count;
    struct fuzz_seed of[FUZZ_SEEDS_MAX];
    size_t flow_count;
    size_t flow_lengths[FUZZ_FLOWS_MAX];
    size_t flows[FUZZ_FLOWS_MAX][FUZZ_FLOW_LENGTH_MAX]; /* indices of seeds */
    struct buffer bytes;                                /* what they borrow from */
};

/* NULL when memory runs out or the family has none; free with fuzz_seeds_free. `persona` draws the pictures,
 * as in struct session_config. The first flow is that of a good session. */
struct fuzz_seeds *fuzz_seeds_new(const struct session_class *class, const struct profile *profile,
                                  struct persona *persona);
void fuzz_seeds_free(struct fuzz_seeds *seeds);

#endif
