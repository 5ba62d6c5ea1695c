/*
 * How a server of a family is looked at before any case: is there one that lets us in, and what is it held
 * to? The profile that was asked for; else the one that the server names itself; else one by what it does, or
 * all that the documents have as modes of one server. One table a family, in conformance/script/NAME.
 */
#ifndef CONFORMANCE_SCRIPT_CLIENT_PROBE_H
#define CONFORMANCE_SCRIPT_CLIENT_PROBE_H

#include "codec/family.h"
#include "conformance/script/client_side.h"

#define CLIENT_NO_BACKEND_HINT                                                                               \
    "It has nothing to serve with now: come back when a backend or a slot is free.\n"

/*
 * What tells revisions apart: a session with one `none` step in it, which fails with a server of the one and
 * holds with the other. What was found by it is not judged by it: `note` is told of `requirement`.
 */
struct client_trial {
    const char *steps;  /* lines of a client block; "%ums" in it is the time of the none step */
    unsigned none_line; /* of the script, whose first step is in line 5 */
    const char *(*profile)(bool held);   /* its name */
    const char *held_note, *failed_note; /* how it was recognised */
    const char *requirement, *note;
    /* The name of a profile of the other revision. */
    const char *(*other)(const struct profile *profile);
};

struct client_probe {
    const char *clause;  /* a requirement of servers that a first message is about */
    const char *said_in; /* "in sessionReady" */
    /* The profile that a first message names; NULL: it names none. */
    const struct profile *(*profile_said)(struct bytes message);
    /* What to do when the server begins with that error or plain text. Static. */
    const char *(*refusal_hint)(const struct seen *seen);
    const char *denied_hint; /* ... or with HTTP 401 or 403, or a close with 1008 */

    const struct client_trial *trial; /* NULL: there are no revisions */
    const char *const *modes;         /* profiles that are judged, where there is no trial; ended by NULL */
    const char *modes_note;           /* why */

    /* What is not checked of pictures whose size is not given; NULL: there are none. */
    const char *pictures_requirement, *pictures_note;
};

#endif
