/*
 * A family's short session, of which every split is tried, as its folder defines it: PREFIX_SPLITS. Private
 * to conformance/splits.
 */
#ifndef CONFORMANCE_SPLITS_SPLIT_CLASS_H
#define CONFORMANCE_SPLITS_SPLIT_CLASS_H

#include <stdbool.h>

/* One message of the server, or in the head a wait for one of the client. */
struct split_message {
    const char *text; /* a text message; NULL: none */
    const char *hex;  /* a binary message, two digits a byte; NULL: none */
    const char *recv; /* the type of the client's message that is waited for; NULL: none */
};

struct split_class {
    const char *family;
    const char *clause; /* the requirement that is about it */
    /* Both ended by one with nothing in it. The head opens the session, once. The body can come any number of
     * times: a client reports each of its messages, the same way each time. */
    const struct split_message *head;
    const struct split_message *body;
};

/* The registry: ended by NULL, in the order of families.def. */
extern const struct split_class *const SPLIT_CLASSES[];

#endif
