/* One session of a client core of any family over a connector, from connecting to the end, on a loop of its
 * own. */
#ifndef CLIENT_APP_HOST_H
#define CLIENT_APP_HOST_H

#include "client/net/connector.h"

struct host_options {
    /* Its `observe` and `stepped` are the caller's, `over` and `context` are the host's. The core has to be
     * there. */
    struct connector_options connection;
    unsigned timeout_ms; /* 0: none; then it closes politely */
    unsigned grace_ms;   /* for closing politely, after a signal or the timeout */
    void (*observe)(void *context, uint64_t now_us, const struct client_action *action);
    void (*stepped)(void *context, uint64_t now_us); /* may be NULL */
    void *context;
};

struct host_result {
    bool interrupted; /* by SIGINT or SIGTERM; a second one ends it at once */
    bool timed_out;
};

/* Blocks until the session is over. False with a sentence when it could not begin. */
bool host_run(const struct host_options *options, struct host_result *out, char error[CONNECTOR_ERROR_MAX]);

#endif
