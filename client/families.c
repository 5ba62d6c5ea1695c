#include <string.h>

#include "client/core/event.h"

#define FAMILY(name, prefix) extern const struct client_class prefix##_CLIENT_CLASS;
#include "client/families.inc"
#undef FAMILY

static const struct {
    const char *family;
    const struct client_class *class;
} CLASSES[] = {
#define FAMILY(name, prefix) {#name, &prefix##_CLIENT_CLASS},
#include "client/families.inc"
#undef FAMILY
};

const struct client_class *client_class_by_family(const char *family)
{
    for (size_t i = 0; i < sizeof CLASSES / sizeof CLASSES[0]; i++)
        if (strcmp(CLASSES[i].family, family) == 0)
            return CLASSES[i].class;
    return NULL;
}
