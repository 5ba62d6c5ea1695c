/*
 * The connector: the WebSocket connections of the client core, one after another, over libwebsockets on a
 * libuv loop that the caller owns. It opens them, turns what comes into client events, carries out client
 * actions, and keeps the clock.
 */
#ifndef CLIENT_NET_CONNECTOR_H
#define CLIENT_NET_CONNECTOR_H

#include <uv.h>

#include "client/core/event.h"
#include "client/net/seams.h"

enum { CONNECTOR_ERROR_MAX = 300 };

struct connector_options {
    const char
        *url; /* ws:// or wss:// host[:port]/path, without query (one with a config_id is taken as it is) */
    const char *key;                    /* for the Authorization header, raw; NULL: none is sent */
    const char *config_id;              /* for the query; NULL: none */
    const char *ca_file;                /* NULL: the system's */
    const struct channel_seams *seams;  /* borrowed; NULL: none */
    bool no_deflate;                    /* offers no compressed messages (permessage-deflate) */
    const struct client_class *client;  /* of `core`; borrowed */
    void *core;                         /* borrowed; created with epoch_ms from connector_epoch_ms() */
    const struct client_driver *driver; /* of `plan`; NULL: the caller gives the commands itself */
    void *plan;
    /* Called for each CLIENT_OBSERVE action. */
    void (*observe)(void *context, uint64_t now_us, const struct client_action *action);
    /* Called after every step, for progress; may be NULL. */
    void (*stepped)(void *context, uint64_t now_us);
    /* The connection is over and nothing more will be called. */
    void (*over)(void *context, uint64_t now_us);
    void *context;
};

struct connector;

/* Unix time in milliseconds now: the client's now_us counts from there when the connector is started right
 * after. */
uint64_t connector_epoch_ms(void);
/* Begins to connect. NULL with a sentence in `error` for a URL that is none. A server that is not there is an
 * event (CLIENT_REFUSED with code 0 and a sentence that names the address), not an error here. */
struct connector *connector_start(uv_loop_t *loop, const struct connector_options *options,
                                  char error[CONNECTOR_ERROR_MAX]);
/* Carries out what a command of the caller's added. */
void connector_perform(struct connector *connector, struct client_actions *actions);
uint64_t connector_now_us(const struct connector *connector);
/* Frees it. Runs the loop until the connector's handles are closed, so not from within a callback of the
 * loop. */
void connector_stop(struct connector *connector);

#endif
