/* The tables of faults and cards, as a family's class has them. */
#include "server/behaviour/behaviour.h"

const struct fault_kind *faults_of(const struct session_class *class)
{
    static const struct fault_kind NONE = {.name = NULL};
    return class->faults == NULL ? &NONE : class->faults;
}

const struct card_alias *card_aliases_of(const struct session_class *class)
{
    static const struct card_alias NONE = {.name = NULL};
    return class->cards == NULL ? &NONE : class->cards;
}

const struct fault_kind *fault_find(const struct session_class *class, struct bytes name)
{
    for (const struct fault_kind *kind = faults_of(class); kind->name != NULL; kind++)
        if (bytes_equal_text(name, kind->name))
            return kind;
    return NULL;
}
