/*
 * A folder of vectors: NAME.bin with the bytes, NAME.json with all that is known of it, NAME.fields with what
 * it decodes to as lines "name value", and index.tsv with a line each: file, valid or refused, kind, side,
 * name. For parsers in languages without JSON at hand.
 */
#ifndef CONFORMANCE_CLI_VECTOR_FILES_H
#define CONFORMANCE_CLI_VECTOR_FILES_H

#include <stdio.h>

#include "conformance/vectors/vectors.h"

struct vector_files {
    const char *folder;
    FILE *index;
    unsigned count;
};

/* Makes the folder where there is none. False: errno tells why. */
bool vector_files_open(struct vector_files *files, const char *folder);
/* A vector_sink; `context` is a struct vector_files. */
bool vector_files_add(void *context, const struct vector *vector);
bool vector_files_close(struct vector_files *files);

/* Writes a file whole; false: errno tells why. */
bool vector_file_write(const char *folder, const char *name, const char *suffix, struct bytes content);

#endif
