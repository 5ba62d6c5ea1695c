/*
 * Vectors: messages of a family with what each decodes to, or why it is to be refused. For who tests a
 * parser.
 *
 * The right ones are written by the codecs, those of JSON in each dialect; of each, wrong ones follow by
 * rule: members left out, of every other type, outside of their range, texts that are cut or no JSON. Our own
 * readers judge them all; legal JSON that only our limits refuse is left out. Of each, any number more can be
 * made by codec/mutate. No I/O.
 */
#ifndef CONFORMANCE_VECTORS_VECTORS_H
#define CONFORMANCE_VECTORS_VECTORS_H

#include "codec/wire/bytes.h"
#include "codec/wire/json.h"

enum { VECTOR_NAME_MAX = 160, VECTOR_FIELD_MAX = 64, VECTOR_SENTENCE_MAX = 240 };

struct vector {
    char name[VECTOR_NAME_MAX]; /* unique in its family */
    const char *family;
    const char *profile; /* whose dialect it is in; NULL: they are the same in all */
    const char *kind;    /* "frame", "input", "text" */
    bool from_client;
    struct bytes message;
    bool valid;
    /* Not valid: what is wrong, as wire_status.def names it where it can; the field or member, and a
     * sentence.
     */
    const char *error;
    char field[VECTOR_FIELD_MAX];
    char sentence[VECTOR_SENTENCE_MAX];
    /* What it decodes to: an object of fields; with `valid` false NULL, or what can be told all the same. */
    cJSON *decoded;
    const char *requirement; /* that tells what is expected of a reader here; NULL: none does */
};

/* Takes one; it is valid during the call. False: no more. */
typedef bool vector_sink(void *context, const struct vector *vector);

/* Which of them. */
struct vectors_wanted {
    const char *kind; /* NULL: every kind */
    uint32_t changed; /* how many more behind each: the message changed at random, in one to three places */
    uint64_t seed;    /* of the changes */
};
enum { VECTORS_CHANGED_MAX = 1000000 };

/* Those of a family, in the same order with the same bytes each time. False: there is no such family, the
 * sink wants no more, or memory ran out. */
bool vectors_make(const char *family, const struct vectors_wanted *wanted, vector_sink *sink, void *context);

/* As one JSON object with the members name, family, profile, kind, from, hex, valid, error, field, sentence,
 * decoded and requirement, null where there is none; NULL when memory runs out. */
cJSON *vector_as_json(const struct vector *vector);

#endif
