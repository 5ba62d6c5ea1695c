/* One session of a client core over a connector, from connecting to the end, on a loop of its own. */
#ifndef CLIENT_APP_OJIN_RUN_H
#define CLIENT_APP_OJIN_RUN_H

#include "client/net/connector.h"
#include "client/ojin/client.h"
#include "client/plan/plan_runner.h"

struct run_options {
    const char *url;
    const char *key;
    const char *config;
    const char *ca_file;
    const struct profile *profile;
    const struct client_plan *plan;
    unsigned timeout_ms;              /* 0: none */
    uint32_t reconnect_times;         /* attempts in a row after a loss; 0: none */
    uint64_t reconnect_seed;          /* of the jitter of their delays; 0: none */
    unsigned ready_wait_s;            /* 0: as the documents have it */
    unsigned ping_s;                  /* 0: as the documents have it */
    bool no_deflate;                  /* offers no compressed messages */
    const struct client_shell *shell; /* around the client; NULL: none */
    const struct channel_seams *channel_seams;
    void (*observe)(void *context, uint64_t now_us, const struct client_action *action);
    void (*stepped)(void *context, uint64_t now_us, const struct ojin_client *client); /* may be NULL */
    void *context;
};

struct run_result {
    bool interrupted; /* by SIGINT or SIGTERM */
    bool timed_out;
    struct ojin_client_summary summary;
    struct client_progress progress;
};

/* Blocks until the session is over. False with a sentence when it could not begin. */
bool run_session(const struct run_options *options, struct run_result *out, char error[CONNECTOR_ERROR_MAX]);

#endif
