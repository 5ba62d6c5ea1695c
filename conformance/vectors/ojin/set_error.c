#include "conformance/vectors/ojin/parts.h"

void ojin_vectors_set_error(struct vector *vector, struct wire_error error)
{
    struct text field = text_of(vector->field, sizeof vector->field);
    struct text sentence = text_of(vector->sentence, sizeof vector->sentence);
    vector->valid = false;
    vector->error = wire_status_name(error.status);
    text_add(&field, error.field);
    text_add(&sentence, error.field);
    text_add(&sentence, ": ");
    text_add(&sentence, wire_status_sentence(error.status));
}
