/*
 * A family, to ojin-client: its command, and its part of conform. What its folder here defines as
 * PREFIX_APP_CLASS.
 */
#ifndef CLIENT_APP_APP_CLASS_H
#define CLIENT_APP_APP_CLASS_H

#include "client/app/conform.h"
#include "client/app/options.h"
#include "client/core/event.h"
#include "client/plan/plan.h"

/* What conform is to do; all borrowed. */
struct conform_order {
    const struct client_plan *plan; /* its sounds are loaded */
    const struct profile *profile;  /* of the family */
    const struct session_options *session;
    const struct conform_seams *seams;
};

struct app_class {
    const char *family;
    const struct client_class *client;

    /* The command that holds a session with a server of the family. */
    const struct option_page *page;
    int (*run)(int argc, char **argv); /* argv[0] is its name; returns the program's exit code */

    /* Its part of conform. */
    const char *url_variables[2]; /* of the environment; the second may be NULL */
    const char *audio_variable;
    const char *conform_help;                          /* lines on its variables */
    int (*conform)(const struct conform_order *order); /* returns what to exit with */
};

/* The registry: ended by NULL, in the order of families.def. */
extern const struct app_class *const APP_CLASSES[];

#endif
