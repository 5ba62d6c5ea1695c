/*
 * The client's process as a fuzzer holds it: started, told what to do, listened to, ended. Private to this
 * folder.
 */
#ifndef CONFORMANCE_FUZZ_HOST_CLIENT_PROCESS_H
#define CONFORMANCE_FUZZ_HOST_CLIENT_PROCESS_H

#include <uv.h>

#include "conformance/process/capture.h"
#include "conformance/process/guard.h"
#include "conformance/runner/strays.h"

enum { CLIENT_READ_BYTES_MAX = 65536 };

struct client_process {
    uv_loop_t *loop;
    void (*changed)(void *context); /* it said something, or ended */
    void *context;
    bool running; /* there is a guard */
    struct guard guard;
    struct strays strays; /* of clients that killed their guard */
    uv_pipe_t out, err;
    uv_poll_t status;
    unsigned handles; /* of these three that are open */
    bool out_open, err_open, status_open;
    bool ended; /* by itself: end_status tells */
    struct guard_status end_status;
    struct capture out_capture, err_capture; /* since client_process_listen */
    char space[CLIENT_READ_BYTES_MAX];
};

/* The process that calls this has no children but those that come of it. */
void client_process_init(struct client_process *client, uv_loop_t *loop, void (*changed)(void *context),
                         void *context);
/* False with errno set. */
bool client_process_start(struct client_process *client, char *const words[], char *const environment[],
                          bool has_input);
/* What it says from now on is new. */
void client_process_listen(struct client_process *client);
/* A line on its standard input. That it is gone is seen by how it ended. */
void client_process_tell(struct client_process *client, struct bytes line);
/* Ends it and all that it started, and closes the handles. */
void client_process_stop(struct client_process *client);
/* All it wrote has come: it has ended, and so have its pipes. */
bool client_process_is_over(const struct client_process *client);
void client_process_free(struct client_process *client);

#endif
