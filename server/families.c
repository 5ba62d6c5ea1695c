#include "server/core/session.h"

/* One row a family. */
static const struct session_class *const SESSION_CLASSES[] = {&OJIN_SESSION_CLASS};

const struct session_class *session_class_by_family(const char *family)
{
    for (size_t i = 0; i < sizeof SESSION_CLASSES / sizeof SESSION_CLASSES[0]; i++) {
        if (strcmp(SESSION_CLASSES[i]->family, family) == 0)
            return SESSION_CLASSES[i];
    }
    return NULL;
}
