/*
 * The environment that a client is given beside that of this process: the variables of the command line, and
 * ASAN_OPTIONS. AddressSanitizer keeps 256 MB of what was freed, so that a client that frees all would seem
 * to grow; here it keeps 16 MB, unless ASAN_OPTIONS says otherwise. Private to this folder.
 */
#ifndef CONFORMANCE_FUZZ_HOST_SURROUNDINGS_H
#define CONFORMANCE_FUZZ_HOST_SURROUNDINGS_H

#include <stdbool.h>
#include <stddef.h>

struct surroundings {
    char **list; /* NAME=VALUE; all but the last are borrowed */
    size_t count;
    char *sanitizer;
};

/* `given` is borrowed. False when memory runs out; to be freed even so. */
bool surroundings_make(char *const *given, size_t count, struct surroundings *out);
void surroundings_free(struct surroundings *surroundings);

#endif
