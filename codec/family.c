#include "codec/family.h"

#include <string.h>

const struct family FAMILIES[] = {
    {
        .name = "ojin",
        .title = "Ojin realtime API",
        .id_prefix = "OJ-",
        .path = "/realtime",
        .url_variable = "OJIN_URL",
    },
};

const size_t FAMILY_COUNT = sizeof FAMILIES / sizeof FAMILIES[0];

const struct family *family_by_name(const char *name)
{
    for (size_t i = 0; i < FAMILY_COUNT; i++)
        if (strcmp(FAMILIES[i].name, name) == 0)
            return &FAMILIES[i];
    return NULL;
}
