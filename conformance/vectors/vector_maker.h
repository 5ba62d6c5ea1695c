/* Where vectors go while they are made. Private to conformance/vectors. */
#ifndef CONFORMANCE_VECTORS_VECTOR_MAKER_H
#define CONFORMANCE_VECTORS_VECTOR_MAKER_H

#include "conformance/vectors/vector_class.h"

struct vector_maker {
    const struct vector_class *vector_class;
    vector_sink *sink;
    void *context;
    bool failed; /* the sink wants no more, or memory ran out */
};

#endif
