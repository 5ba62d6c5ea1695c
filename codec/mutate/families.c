#include <string.h>

#include "codec/mutate/mutate.h"

#define FAMILY(name, prefix) extern const struct mutate_class prefix##_MUTATE_CLASS;
#include "codec/mutate/families.inc"
#undef FAMILY

const struct mutate_class *const MUTATE_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_MUTATE_CLASS,
#include "codec/mutate/families.inc"
#undef FAMILY
    NULL};

const struct mutate_class *mutate_class_by_family(const char *family)
{
    for (size_t i = 0; MUTATE_CLASSES[i] != NULL; i++)
        if (strcmp(MUTATE_CLASSES[i]->family, family) == 0)
            return MUTATE_CLASSES[i];
    return NULL;
}
