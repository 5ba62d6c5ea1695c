/*
 * Memory that runs out on purpose: the n-th allocation from now on fails, and all that were made are counted,
 * so that a test can let each of them fail in turn and see what is left over. For programs that are linked
 * with ${SCARCE_LINK} (codec/tests/CMakeLists.txt): malloc, calloc, realloc and free of all that is linked
 * into them statically come here, and so do those of cJSON. One thread.
 */
#ifndef CODEC_TESTS_SCARCE_H
#define CODEC_TESTS_SCARCE_H

#include <stdbool.h>
#include <stddef.h>

/* The n-th from now on fails, from 1 on; and all after it, where `all`. */
void scarce_begin(size_t n, bool all);
/* Memory is there again. True: an allocation failed since scarce_begin. */
bool scarce_end(void);
/* Blocks that were allocated and not freed, in all. */
long scarce_blocks(void);

#endif
