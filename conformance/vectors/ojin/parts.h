/* The two kinds of binary messages. Private to conformance/vectors/ojin. */
#ifndef CONFORMANCE_VECTORS_OJIN_PARTS_H
#define CONFORMANCE_VECTORS_OJIN_PARTS_H

#include "conformance/vectors/vector_class.h"

void ojin_vectors_add_frames(struct vector_maker *maker);
void ojin_vectors_add_inputs(struct vector_maker *maker);
void ojin_vectors_judge_frame(struct vector *vector);
void ojin_vectors_judge_input(struct vector *vector);
/* The error becomes that of the vector. */
void ojin_vectors_set_error(struct vector *vector, struct wire_error error);

#endif
