#include "conformance/vectors/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/vectors/vector_maker.h"

#define FAMILY(name, prefix) extern const struct vector_class prefix##_VECTORS;
#include "conformance/vectors/families.inc"
#undef FAMILY

const struct vector_class *const VECTOR_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_VECTORS,
#include "conformance/vectors/families.inc"
#undef FAMILY
    NULL};

bool vectors_make(const char *family, const struct vectors_wanted *wanted, vector_sink *sink, void *context)
{
    for (size_t i = 0; VECTOR_CLASSES[i] != NULL; i++) {
        if (strcmp(VECTOR_CLASSES[i]->family, family) != 0)
            continue;
        struct vector_maker maker = {
            .vector_class = VECTOR_CLASSES[i], .wanted = wanted, .sink = sink, .context = context};
        VECTOR_CLASSES[i]->make(&maker);
        return !maker.failed;
    }
    return false;
}

static bool put_string(cJSON *object, const char *name, const char *value)
{
    cJSON *item = value == NULL ? cJSON_CreateNull() : cJSON_CreateString(value);
    return item != NULL && cJSON_AddItemToObject(object, name, item);
}

static bool put_hex(cJSON *object, struct bytes bytes)
{
    const size_t room = 2 * bytes.len + 1;
    char *digits = malloc(room);
    if (digits == NULL)
        return false;
    struct text text = text_of(digits, room);
    text_add_hex(&text, bytes);
    const bool good = put_string(object, "hex", digits);
    free(digits);
    return good;
}

static bool put_all(cJSON *object, const struct vector *vector)
{
    const bool wrong = !vector->valid;
    cJSON *decoded = vector->decoded == NULL ? cJSON_CreateNull() : cJSON_Duplicate(vector->decoded, true);
    return put_string(object, "name", vector->name) && put_string(object, "family", vector->family) &&
           put_string(object, "profile", vector->profile) && put_string(object, "kind", vector->kind) &&
           put_string(object, "from", vector->from_client ? "client" : "server") &&
           put_hex(object, vector->message) &&
           cJSON_AddBoolToObject(object, "valid", vector->valid) != NULL &&
           put_string(object, "error", wrong ? vector->error : NULL) &&
           put_string(object, "field", wrong ? vector->field : NULL) &&
           put_string(object, "sentence", wrong ? vector->sentence : NULL) &&
           put_string(object, "requirement", vector->requirement) && decoded != NULL &&
           cJSON_AddItemToObject(object, "decoded", decoded);
}

cJSON *vector_as_json(const struct vector *vector)
{
    cJSON *object = cJSON_CreateObject();
    if (object != NULL && put_all(object, vector))
        return object;
    cJSON_Delete(object);
    return NULL;
}
