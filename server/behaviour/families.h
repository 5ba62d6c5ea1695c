/*
 * What is asked for by name where several families are served: "NAME" or "NAME=VALUE" is looked up in each of
 * them, and holds in all that know the name and whose values it fits; "FAMILY:NAME=VALUE" in that one alone.
 *
 * No I/O; a family is what its class says.
 */
#ifndef SERVER_BEHAVIOUR_FAMILIES_H
#define SERVER_BEHAVIOUR_FAMILIES_H

#include "server/behaviour/behaviour.h"

enum { BEHAVIOUR_FAMILIES_MAX = 8 };

/* One of the families that are asked. */
struct family_behaviour {
    const struct session_class *class;
    struct behaviour behaviour; /* what was asked for before is in it */
    bool is_set;                /* the latest call below has changed something of it */
};

/* Sets quirks, separated by spaces or commas. False with a sentence in `error` that names what was expected,
 * and the nearest name; nothing is changed then. */
bool families_set_quirks(struct family_behaviour *list, size_t count, struct bytes text,
                         char error[BEHAVIOUR_ERROR_MAX]);
/* Adds a fault, as behaviour_add does: the first name decides whose it is. The same. */
bool families_add_fault(struct family_behaviour *list, size_t count, struct bytes text,
                        char error[BEHAVIOUR_ERROR_MAX]);

/* The names that the families have for what `text` asks for: is its first one a quirk, a fault in any? */
bool families_know_quirk(const struct family_behaviour *list, size_t count, struct bytes text);
bool families_know_fault(const struct family_behaviour *list, size_t count, struct bytes text);
/* The nearest name there is to that first one; NULL: none is near. *is_fault: it is a fault's. */
const char *families_nearest(const struct family_behaviour *list, size_t count, struct bytes text,
                             bool *is_fault);

#endif
