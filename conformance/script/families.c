#include <string.h>

#include "conformance/script/case_family.h"

#define FAMILY(name, prefix)                                                                                 \
    extern const struct script_words prefix##_SCRIPT_WORDS;                                                  \
    extern const struct client_side prefix##_CLIENT_SIDE;
#include "conformance/script/families.inc"
#undef FAMILY

static const struct {
    const char *family;
    const struct script_words *words;
    const struct client_side *client_side;
} TABLES[] = {
#define FAMILY(name, prefix) {#name, &prefix##_SCRIPT_WORDS, &prefix##_CLIENT_SIDE},
#include "conformance/script/families.inc"
#undef FAMILY
};

static struct case_family family_of(const struct session_class *class)
{
    struct case_family family = {.class = class};
    for (size_t i = 0; class != NULL && i < sizeof TABLES / sizeof TABLES[0]; i++) {
        if (strcmp(TABLES[i].family, class->family->name) != 0)
            continue;
        family.words = TABLES[i].words;
        family.client_side = TABLES[i].client_side;
    }
    return family;
}

struct case_family case_family_by_name(const char *name)
{
    return family_of(session_class_by_family(name));
}

struct case_family case_family_of_script(struct bytes text)
{
    return family_of(session_class_of_script(text));
}
