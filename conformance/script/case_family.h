/*
 * What of the language of cases is a family's own: its session class, which a mock plays scripts by, and
 * beside that its tables in conformance/script/NAME.
 */
#ifndef CONFORMANCE_SCRIPT_CASE_FAMILY_H
#define CONFORMANCE_SCRIPT_CASE_FAMILY_H

#include "server/core/session.h"

struct client_side;

/* Beside the words that all families have. Lists ended by NULL. */
struct script_words {
    const char *const *plan;       /* steps of a plan: "cancel" … */
    const char *const *conditions; /* of a plan: "turn" … */
    const char *const *seen;       /* what a client can report: "frame", "delta" … */
    const char *config;            /* the config id of a case that names none; NULL: "persona-1" */
};

struct case_family {
    const struct session_class *class;     /* NULL: the family is not built */
    const struct script_words *words;      /* NULL: those of any family will do */
    const struct client_side *client_side; /* client_side.h; NULL: its servers cannot be put to the test */
};

/* The registry (library conformance_script_families), put together from codec/families.def. */
struct case_family case_family_by_name(const char *name);
/* By the family that the case in `text` is named after, as session_class_of_script has it. */
struct case_family case_family_of_script(struct bytes text);

#endif
