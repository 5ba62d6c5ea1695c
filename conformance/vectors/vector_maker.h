/* Where vectors go while they are made. Private to conformance/vectors. */
#ifndef CONFORMANCE_VECTORS_VECTOR_MAKER_H
#define CONFORMANCE_VECTORS_VECTOR_MAKER_H

#include "conformance/vectors/vector_class.h"

struct vector_maker {
    const struct vector_class *vector_class;
    const struct vectors_wanted *wanted;
    vector_sink *sink;
    void *context;
    uint64_t count; /* of those that were made by rule */
    bool failed;    /* the sink wants no more, or memory ran out */
};

#endif
