/* One session of an interview client over a connector, from connecting to the end. */
#ifndef CLIENT_APP_INTERVIEW_RUN_H
#define CLIENT_APP_INTERVIEW_RUN_H

#include "client/app/interview/url.h"
#include "client/interview/client.h"
#include "client/net/connector.h"

struct interview_run_options {
    const char *url; /* see client/app/interview/url.h */
    const char *id;
    const char *token;
    const char *ca_file;
    struct interview_client_config client;     /* but for its epoch */
    unsigned timeout_ms;                       /* 0: none */
    bool no_deflate;                           /* offers no compressed messages */
    const struct channel_seams *channel_seams; /* borrowed; NULL: none */
    const struct client_shell *shell;          /* around the client; NULL: none */
    /* The client is made, and about to connect: from now on `driver` may give it commands. `core` of `class`
     * is the client as it is driven, within the shell. */
    void (*made)(void *context, struct interview_client *client, const struct client_class *class,
                 void *core);
    const struct client_driver *driver; /* its `driver` is `drive` */
    void *drive;
    void (*observe)(void *context, uint64_t now_us, const struct client_action *action);
    void (*stepped)(void *context, uint64_t now_us); /* may be NULL */
    void *context;
};

struct interview_run_result {
    bool interrupted; /* by SIGINT or SIGTERM */
    bool timed_out;
    struct interview_client_summary summary;
    struct client_progress progress;
};

/* Blocks until the session is over. False with a sentence when it could not begin. */
bool interview_run_session(const struct interview_run_options *options, struct interview_run_result *out,
                           char error[CONNECTOR_ERROR_MAX]);

#endif
