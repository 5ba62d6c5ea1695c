/*
 * The listener: puts engines behind a real port. libwebsockets on a libuv loop that the caller owns; the tap
 * in front owns TCP, sees the client's raw bytes and slices ours.
 */
#ifndef SERVER_NET_MOCK_SERVER_H
#define SERVER_NET_MOCK_SERVER_H

#include <uv.h>

#include "server/engine/engine.h"
#include "server/journal/recorder.h"

enum { MOCK_ERROR_MAX = 300, MOCK_SESSIONS_MAX = 1024 };

struct mock_server_options {
    const char *address;         /* numeric; default "127.0.0.1" when NULL */
    unsigned port;               /* 0: any free one */
    const char *path;            /* of the endpoint: "/realtime"; others get 404 */
    struct engine_config engine; /* epoch_ms is taken at start; strings are borrowed for the server's life.
                                    With a script: one engine for all connections, in the order of its
                                    accepts; a connection the script does not wait for is refused with 503 and
                                    recorded. Without: an engine a connection, seeds following each other. */
    struct recorder_config recorder; /* `journal` and the speech are the caller's; epoch_ms is filled in */
    bool no_tap; /* for load: the library has the client's socket itself once the request head is read. What
                    is wrong with a client's framing is not seen, pings are not recorded, and our bytes are
                    not sliced. */
    /* Of a request that is not a script's: may change what its engine is made with (quirks, a script for this
     * connection alone, whose strings and script live as long as the server). May be NULL. */
    void (*choose)(void *context, const struct http_head *head, struct engine_config *config);
    void (*script_done)(void *context,
                        uint64_t now_us); /* the script ended and its last connection is over */
    bool script_again;                    /* once the script is over, the next request runs it afresh */
    void (*log)(void *context, const char *line); /* a sentence about the life of a connection, no newline;
                                                     may be NULL */
    void *context;
};

struct mock_server;

/* NULL with a sentence in `error` ("cannot listen on 127.0.0.1:80: address already in use"). */
struct mock_server *mock_server_start(uv_loop_t *loop, const struct mock_server_options *options,
                                      char error[MOCK_ERROR_MAX]);
unsigned mock_server_port(const struct mock_server *server);
/* Unix time in milliseconds at the server's time 0, and its time now in microseconds (uv_hrtime based). */
uint64_t mock_server_epoch_ms(const struct mock_server *server);
uint64_t mock_server_now_us(const struct mock_server *server);
/* How many microseconds late the latest and the worst timer tick were: tells a late machine. */
uint64_t mock_server_lateness_worst_us(const struct mock_server *server);
size_t mock_server_connections(const struct mock_server *server); /* open now */
/* Connections that asked to come in so far, refused ones included. */
uint64_t mock_server_requests(const struct mock_server *server);
/* With a script: the line of the step in progress (0: none), and whether it has ended. */
unsigned mock_server_script_line(const struct mock_server *server);
bool mock_server_script_is_done(const struct mock_server *server);
/* The rules' verdicts so far; finishes the connection in progress. Borrowed for the server's life. */
struct recorder *mock_server_recorder(struct mock_server *server);
/* Closes every connection with 1001, stops listening, frees all; `stopped` (may be NULL) is called from the
 * loop when that is done, within a second. The server must not be used after it. */
void mock_server_stop(struct mock_server *server, void (*stopped)(void *context), void *context);

#endif
