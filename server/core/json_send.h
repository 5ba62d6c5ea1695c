/*
 * A JSON message on its way into the list of actions: what all families do to theirs that send JSON. The
 * family writes the message itself.
 */
#ifndef SERVER_CORE_JSON_SEND_H
#define SERVER_CORE_JSON_SEND_H

#include "server/core/actions.h"

struct json_send_options {
    struct bytes members; /* ",\"name\":value", put in front of the closing brace; may be empty */
    const char *extra;    /* the same; NULL: nothing */
    bool escaped;         /* with an escape for every character that may have one (json_escape.h) */
    bool fault;
};

/* Begins a message: it is to be appended to the buffer. NULL: there is no room. */
struct buffer *json_send_begin(struct actions *actions, const char *label);
/* Ends it. False when it was not `written` or there is no room; then it is not sent. */
bool json_send_end(struct actions *actions, bool written, const struct json_send_options *options);
/* Sends a text as it is. False: there is no room. */
bool json_send_text(struct actions *actions, const char *label, struct bytes text, bool fault);

#endif
