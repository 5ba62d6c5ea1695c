#include <string.h>

#include "codec/family.h"

#define FAMILY(name, prefix) extern const struct family prefix##_FAMILY;
#include "codec/families.inc"
#undef FAMILY

const struct family *const FAMILIES[] = {
#define FAMILY(name, prefix) &prefix##_FAMILY,
#include "codec/families.inc"
#undef FAMILY
    NULL};

const struct family *family_by_name(const char *name)
{
    for (size_t i = 0; FAMILIES[i] != NULL; i++)
        if (strcmp(FAMILIES[i]->name, name) == 0)
            return FAMILIES[i];
    return NULL;
}

const struct profile *profile_by_name(const char *name)
{
    const struct profile *profile = NULL;
    for (size_t i = 0; FAMILIES[i] != NULL && profile == NULL; i++)
        profile = family_profile(FAMILIES[i], name);
    return profile;
}

const struct family *family_of_requirement(const char *id)
{
    for (size_t i = 0; FAMILIES[i] != NULL; i++)
        if (family_has_requirement(FAMILIES[i], id))
            return FAMILIES[i];
    return NULL;
}
