/*
 * A seed corpus for fuzzers, with a folder and a dictionary for each form of a family: ojin-frame/,
 * ojin-frame.dict. Of the vectors it takes the shortest of each situation: what the message is, which fields
 * it has, or what is wrong with it where.
 */
#ifndef CONFORMANCE_CLI_CORPUS_FILES_H
#define CONFORMANCE_CLI_CORPUS_FILES_H

#include "codec/mutate/mutate.h"
#include "conformance/vectors/vectors.h"

enum { CORPUS_SEEDS_MAX = 1024, CORPUS_WORDS_MAX = 512, CORPUS_WORD_MAX = 48, CORPUS_SEED_BYTES_MAX = 4096 };

struct corpus_seed {
    uint32_t situation;
    size_t len;
    uint8_t *data;
};

struct corpus {
    const struct mutate_class *mutate_class;
    const struct mutate_form *form; /* whose messages are taken */
    size_t seed_count;
    struct corpus_seed seeds[CORPUS_SEEDS_MAX];
    size_t word_count;
    char words[CORPUS_WORDS_MAX][CORPUS_WORD_MAX];
};

/* NULL when memory runs out. Freed by corpus_free. */
struct corpus *corpus_new(const struct mutate_class *mutate_class, const struct mutate_form *form);
void corpus_free(struct corpus *corpus);
/* A vector_sink; `context` is a struct corpus. */
bool corpus_add(void *context, const struct vector *vector);
/* Writes both below `folder`, which is there. False: errno tells why. */
bool corpus_write(const struct corpus *corpus, const char *folder);

#endif
