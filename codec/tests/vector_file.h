/*
 * Golden vectors: fixtures/vectors/README.md describes their JSON.
 *
 * Every function aborts the test program when a vector is not as described: that is a fault of ours.
 */
#ifndef CODEC_TESTS_VECTOR_FILE_H
#define CODEC_TESTS_VECTOR_FILE_H

#include "codec/tests/exact_copy.h"
#include "codec/wire/json.h"
#include "codec/wire/wire_status.h"

/* The array of vectors in a file of that folder; owned by the caller (cJSON_Delete). */
cJSON *vector_file_load(const char *name);
/* Members of a vector or of one of its parts. Strings live as long as the array. */
const char *vector_text(const cJSON *object, const char *member);
bool vector_flag(const cJSON *object, const char *member);
uint64_t vector_number(const cJSON *object, const char *member);
/* A whole number written as a string, because a double does not hold all of its values. */
uint64_t vector_u64(const cJSON *object, const char *member);
/* The bytes of its "hex". Freed by the caller. */
struct exact_copy vector_message(const cJSON *vector);

/* Fails the test unless `actual` is what the vector, or one item of its "prefixes", says of the error. */
void vector_assert_error(const cJSON *vector, const cJSON *expected, struct wire_error actual, size_t len);
/* Fails the test unless `actual` has the size and checksum of the member `member` of `decoded`. */
void vector_assert_span(const cJSON *vector, const cJSON *decoded, const char *member, struct bytes actual);
/* The item of "prefixes" that says what the first `len` bytes give; NULL when they are a whole message. */
const cJSON *vector_prefix(const cJSON *vector, size_t len);

#endif
