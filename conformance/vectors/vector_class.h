/* A family's vectors, as its folder defines them: PREFIX_VECTORS. Private to conformance/vectors. */
#ifndef CONFORMANCE_VECTORS_VECTOR_CLASS_H
#define CONFORMANCE_VECTORS_VECTOR_CLASS_H

#include "codec/wire/buffer.h"
#include "codec/wire/json_fault.h"
#include "conformance/vectors/vectors.h"

struct vector_maker;

struct vector_class {
    const char *family;
    /* Adds all of them. */
    void (*make)(struct vector_maker *maker);
    /* Sets valid, error, field, sentence, decoded and, unless it is set, requirement of a vector that has all
     * else. */
    void (*judge)(struct vector *vector);
};

extern const struct vector_class *const VECTOR_CLASSES[];

/* Adds one: named, of a kind, of a profile (NULL: of all) and a side. `requirement`: NULL when the family's
 * judge says. */
void vectors_add(struct vector_maker *maker, const char *name, const char *kind, const char *profile,
                 bool from_client, struct bytes message, const char *requirement);
/* A right message in JSON, and all that follow from it by rule; `what` begins their names. */
void vectors_add_text(struct vector_maker *maker, const char *what, const char *profile, bool from_client,
                      struct bytes text);
/* What is no message of any family, once for a side. */
void vectors_add_strange_texts(struct vector_maker *maker, const char *profile, bool from_client);

/* For judges: the first of these faults becomes the error; none: valid. */
void vector_set_faults(struct vector *vector, const struct json_faults *faults);
/* Members of `decoded`, which is made when there is none: a span as bytes and crc32, in samples as well where
 * `sample_bytes` is not 0. */
void vector_put_text(struct vector *vector, const char *name, struct bytes text);
void vector_put_number(struct vector *vector, const char *name, double value);
void vector_put_bool(struct vector *vector, const char *name, bool value);
/* As digits in a string: many readers lose digits above 2^53. */
void vector_put_u64(struct vector *vector, const char *name, uint64_t value);
void vector_put_null(struct vector *vector, const char *name);
void vector_put_span(struct vector *vector, const char *name, struct bytes data, size_t sample_bytes);

/* Samples that differ from each other: `bytes` of little-endian PCM16, or of float32. */
void vector_fill_pcm16(uint8_t *out, size_t samples);
void vector_fill_float32(uint8_t *out, size_t samples);
/* A baseline JPEG, 8 x 8 pixels, grey. */
extern const struct bytes VECTOR_JPEG;

#endif
