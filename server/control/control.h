/*
 * The control interface: HTTP under "/__mock/" of the mock's own port (server/CONTROL.md is its reference).
 * Looks at sessions and journals, reaches into sessions, and makes scenarios: endpoints with a behaviour and
 * a journal of their own.
 *
 * It stands in front of a mock_server's options: its sink, choose and so on are called first and call those
 * that were there. One thread, the server's loop.
 *
 * Where the server has services beside its own, one a family, all of them are one to who asks: one journal,
 * one list of sessions. What is asked for by name is looked up in each family (server/behaviour/families.h).
 */
#ifndef SERVER_CONTROL_CONTROL_H
#define SERVER_CONTROL_CONTROL_H

#include <uv.h>

#include "server/behaviour/families.h"
#include "server/net/mock_server.h"

#define CONTROL_PREFIX "/__mock/"

enum {
    CONTROL_BODY_BYTES_MAX = 1024 * 1024,
    CONTROL_SCENARIOS_MAX = 200,
    CONTROL_FAMILIES_MAX = BEHAVIOUR_FAMILIES_MAX
};

struct control_options {
    bool any_peer;            /* answers others than those over loopback too */
    const char *const *hosts; /* names that Host may have besides; borrowed */
    size_t host_count;
    bool tls; /* the URLs that are told begin with wss and https */
    /* What a client of a scenario asks for by its config_id, on top of the scenario's behaviour. May be NULL.
     */
    void (*card)(void *context, const struct http_head *head, struct engine_config *config);
    void *card_context;
    /* Lines of the program's log and journal that were dropped so far. May be NULL. */
    void (*lines_dropped)(void *context, uint64_t *log, uint64_t *journal);
    void *lines_context;
};

struct control;

/* Changes `server`, which is about to be given to mock_server_start. NULL when memory runs out. */
struct control *control_new(const struct control_options *options, struct mock_server_options *server);
/* The options of a service beside the server's own, which is about to be given to mock_service_add; then what
 * that gave. Before the loop runs. False: there are CONTROL_FAMILIES_MAX. */
bool control_beside(struct control *control, struct mock_service_options *options);
void control_beside_begin(struct control *control, struct mock_service *service);
/* The server runs; without it nothing is answered but with 503. */
void control_begin(struct control *control, struct mock_server *server, uv_loop_t *loop);
/* The server is about to be stopped: "ready" answers 503, requests that wait are answered. */
void control_drain(struct control *control);
/* Once the server has stopped and the loop has run out. */
void control_free(struct control *control);

#endif
