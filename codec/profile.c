#include <string.h>

#include "codec/family.h"

const struct profile *family_profile(const struct family *family, const char *name)
{
    for (const struct profile *const *profile = family->profiles; *profile != NULL; profile++)
        if (strcmp((*profile)->name, name) == 0)
            return *profile;
    return NULL;
}

bool profile_matches(const struct profile *profile, const char *cell)
{
    if (strcmp(cell, profile->name) == 0)
        return true;
    const size_t len = strlen(cell);
    for (const char *word = profile->groups; *word != '\0';) {
        const size_t word_len = strcspn(word, " ");
        if (word_len == len && strncmp(word, cell, len) == 0)
            return true;
        word += word_len;
        word += strspn(word, " ");
    }
    return false;
}

bool family_has_requirement(const struct family *family, const char *id)
{
    return strncmp(id, family->id_prefix, strlen(family->id_prefix)) == 0;
}
