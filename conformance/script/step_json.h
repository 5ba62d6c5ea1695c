/*
 * A message that is one JSON object, as a step of a client block asks for it: each member as it ought to be,
 * or the JSON that the step's option of its name gives, or left out by without=. For the tables of families.
 */
#ifndef CONFORMANCE_SCRIPT_STEP_JSON_H
#define CONFORMANCE_SCRIPT_STEP_JSON_H

#include "conformance/script/client_side.h"

struct step_json {
    const struct client_step *step;
    struct buffer *out;
    bool fits;
    bool first; /* nothing in the object yet */
};

void step_json_put(struct step_json *json, const char *text);
/* Is it among the names of without=? */
bool step_leaves_out(const struct client_step *step, const char *name);
void step_json_begin(struct step_json *json);
/* An object with its member `type`. */
void step_json_begin_type(struct step_json *json, const char *type);
/* The name of a member, its value to follow; false: it is left out. */
bool step_json_name(struct step_json *json, const char *name);
/* ... in the dialect's spelling, where steps know it by the document's. */
bool step_json_spelled(struct step_json *json, const char *name, const char *documented);
/* As the step's option of the document's name gives it, or else `right`; NULL: not at all. */
void step_json_member(struct step_json *json, const char *name, const char *documented, const char *right);

/* Rows of tables. */
#define STEP_JSON_OPTION(name_, sentence_)                                                                   \
    {                                                                                                        \
        .name = (name_), .type = VALUE_TEXT, .sentence = (sentence_)                                         \
    }
#define STEP_JSON_WITHOUT_OPTION                                                                             \
    STEP_JSON_OPTION("without", "members that are left out, with commas between them")

#endif
