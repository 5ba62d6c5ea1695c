/* One session of a full-duplex client over a connector, from connecting to the end. */
#ifndef CLIENT_APP_DUPLEX_RUN_H
#define CLIENT_APP_DUPLEX_RUN_H

#include "client/duplex/client.h"
#include "client/net/connector.h"
#include "client/plan/plan_runner.h"

struct duplex_run_options {
    const char *url; /* the mode is added to its query, and DUPLEX_PATH where it has no path */
    const char *ca_file;
    const struct client_plan *plan;
    struct duplex_client_config client;        /* but for its epoch */
    unsigned timeout_ms;                       /* 0: none */
    bool no_deflate;                           /* offers no compressed messages */
    const struct client_shell *shell;          /* around the client; NULL: none */
    const struct channel_seams *channel_seams; /* borrowed; NULL: none */
    void (*observe)(void *context, uint64_t now_us, const struct client_action *action);
    void (*stepped)(void *context, uint64_t now_us, const struct duplex_client *client); /* may be NULL */
    void *context;
};

struct duplex_run_result {
    bool interrupted; /* by SIGINT or SIGTERM */
    bool timed_out;
    struct duplex_client_summary summary;
    struct client_progress progress;
};

/* Blocks until the session is over. False with a sentence when it could not begin. */
bool duplex_run_session(const struct duplex_run_options *options, struct duplex_run_result *out,
                        char error[CONNECTOR_ERROR_MAX]);

#endif
