#include <string.h>

#include "client/inspect/inspect_class.h"

#define FAMILY(name, prefix) extern const struct inspect_class prefix##_INSPECT_CLASS;
#include "client/inspect/families.inc"
#undef FAMILY

const struct inspect_class *const INSPECT_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_INSPECT_CLASS,
#include "client/inspect/families.inc"
#undef FAMILY
    NULL};

const struct inspect_class *inspect_class_by_family(const char *family)
{
    for (size_t i = 0; INSPECT_CLASSES[i] != NULL; i++)
        if (strcmp(INSPECT_CLASSES[i]->family, family) == 0)
            return INSPECT_CLASSES[i];
    return NULL;
}
