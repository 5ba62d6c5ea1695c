#include "server/core/session.h"

#define FAMILY(name, prefix) extern const struct session_class prefix##_SESSION_CLASS;
#include "server/families.inc"
#undef FAMILY

const struct session_class *const SESSION_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_SESSION_CLASS,
#include "server/families.inc"
#undef FAMILY
    NULL};

const struct session_class *session_class_by_family(const char *family)
{
    for (size_t i = 0; SESSION_CLASSES[i] != NULL; i++)
        if (strcmp(SESSION_CLASSES[i]->family->name, family) == 0)
            return SESSION_CLASSES[i];
    return NULL;
}

const struct session_class *session_class_of_script(struct bytes text)
{
    const struct bytes name = script_family(text);
    for (size_t i = 0; SESSION_CLASSES[i] != NULL; i++)
        if (bytes_equal_text(name, SESSION_CLASSES[i]->family->name))
            return SESSION_CLASSES[i];
    return SESSION_CLASSES[0];
}
