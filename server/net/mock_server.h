/*
 * The listener: puts engines behind a real port, on a libuv loop that the caller owns. Each connection is a
 * socket, with TLS or without, and a WebSocket endpoint (codec/ws/endpoint.h).
 */
#ifndef SERVER_NET_MOCK_SERVER_H
#define SERVER_NET_MOCK_SERVER_H

#include <uv.h>

#include "codec/wire/http_head.h"
#include "server/engine/engine.h"
#include "server/journal/recorder.h"
#include "server/tls/tls.h"

enum { MOCK_ERROR_MAX = 300, MOCK_SESSIONS_MAX = 2048 };
/* Of all answers over HTTP together that wait to be read: one as large as any, and some. Past it the next
 * of more than 64 KB is 503. */
enum { MOCK_ANSWERS_BYTES_MAX = 96 * 1024 * 1024 };
/* Of all messages of clients together that have not come whole, beside 256 KB that each connection has for
 * itself: thirty of the longest. A message that finds no room closes its session with 1013. */
enum { MOCK_MESSAGES_BYTES_MAX = 256 * 1024 * 1024 };

struct mock_server_options {
    const char *address;         /* numeric; default "127.0.0.1" when NULL */
    unsigned port;               /* 0: any free one */
    const char *path;            /* of the endpoint: "/realtime"; what is no service's gets 404 */
    struct engine_config engine; /* epoch_ms is taken at start; strings are borrowed for the server's life.
                                    With a script: one engine for all connections, in the order of its
                                    accepts; a connection the script does not wait for is refused with 503 and
                                    recorded. Without: an engine a connection, seeds following each other. */
    struct recorder_config recorder; /* `journal` and the speech are the caller's; epoch_ms is filled in */
    /* Of a request that is not a script's: may change what its engine is made with (quirks, a script for this
     * connection alone). Its strings live as long as the server, its script until chosen_is_over. May be
     * NULL. */
    void (*choose)(void *context, const struct http_head *head, struct engine_config *config);
    /* The connection is over for which `choose` gave that script: it may be freed. May be NULL. */
    void (*chosen_is_over)(void *context, const struct script *script);
    struct tls_options tls;    /* `on`: wss */
    uint64_t ping_interval_us; /* between pings on an open connection, divided by the speed; 0: none … */
    uint64_t ping_timeout_us;  /* … and a client that answers none for this long is dropped; 0: never */
    unsigned sessions_max; /* open at once; the next is refused with 503. 0: MOCK_SESSIONS_MAX, the most */
    void (*script_done)(void *context,
                        uint64_t now_us); /* the script ended and its last connection is over */
    bool script_again;                    /* once the script is over, the next request runs it afresh */
    /* HTTP beside the WebSocket, for paths that begin with `http_prefix`: see below. NULL: none. */
    const struct mock_http_handler *http;         /* borrowed for the server's life */
    void (*log)(void *context, const char *line); /* a sentence about the life of a connection, no newline;
                                                     may be NULL */
    void (*crowd_left)(void *context); /* half of the connections that there were are over, and those were
                                          many; may be NULL */
    void *context;
};

struct mock_server;
struct mock_service;
struct mock_http;

/* NULL with a sentence in `error` ("cannot listen on 127.0.0.1:80: address already in use"). */
struct mock_server *mock_server_start(uv_loop_t *loop, const struct mock_server_options *options,
                                      char error[MOCK_ERROR_MAX]);
unsigned mock_server_port(const struct mock_server *server);
/* With TLS and a certificate made on the spot: the file to trust, for the server's life; else NULL. */
const char *mock_server_ca_file(const struct mock_server *server);
/* Unix time in milliseconds at the server's time 0 (it moves when the clock is set or the machine sleeps),
 * and its time now in microseconds (uv_hrtime based). */
uint64_t mock_server_epoch_ms(const struct mock_server *server);
uint64_t mock_server_now_us(const struct mock_server *server);
/* Its time is 0 now, as when it was started: for one that was made ready before it is needed, whose loop has
 * not run yet. */
void mock_server_begin_again(struct mock_server *server);
/* How many microseconds late the latest and the worst timer tick were: tells a late machine. */
uint64_t mock_server_lateness_worst_us(const struct mock_server *server);
size_t mock_server_connections(const struct mock_server *server); /* open now, without those of `http` */
/* Of these the sessions: from the request that an engine has to the end of the closing handshake. */
size_t mock_server_sessions(const struct mock_server *server);
bool mock_server_is_stopping(const struct mock_server *server);
/* Connections that asked to come in so far, refused ones included, of all services. */
uint64_t mock_server_requests(const struct mock_server *server);
/* TLS handshakes that came to nothing: most often the client does not trust the certificate. */
uint64_t mock_server_tls_refusals(const struct mock_server *server);
/* With a script: the line of the step in progress (0: none), and whether it has ended. */
unsigned mock_server_script_line(const struct mock_server *server);
bool mock_server_script_is_done(const struct mock_server *server);
/* The rules' verdicts so far; finishes the connection in progress. Borrowed for the server's life. */
struct recorder *mock_server_recorder(struct mock_server *server);

/*
 * Services: further endpoints of the same listener, each with engines, recorder, numbers of connections and
 * count of requests of its own. The one at options.path is the server's own and always there. All members as
 * in mock_server_options.
 *
 * A service may stand beside the server's own, as that of another family does: its connections and entries
 * are numbered on with those of the server's own, so that one journal can hold both, and who asks for a path
 * that is nobody's is told of it.
 */
struct mock_service_options {
    const char *path; /* copied; must not be another service's. A segment in braces stands for any one that is
                         not empty: "/interviews/{id}/connect" */
    bool beside;      /* the server's own */
    struct engine_config engine;
    struct recorder_config recorder;
    void (*choose)(void *context, const struct http_head *head, struct engine_config *config);
    void (*chosen_is_over)(void *context, const struct script *script);
    void (*script_done)(void *context, uint64_t now_us);
    bool script_again;
    void *context;
};

enum { MOCK_SERVICES_MAX = 256, MOCK_SERVICE_PATH_MAX = 128 };

/* NULL with a sentence in `error`. */
struct mock_service *mock_service_add(struct mock_server *server, const struct mock_service_options *options,
                                      char error[MOCK_ERROR_MAX]);
/* Closes its connections with 1001 and serves its path no more. `removed` is called from the loop, with the
 * context of its options, when nothing of it is used any more; not when the server is stopped before that.
 * Not for the server's own. */
void mock_service_remove(struct mock_service *service, void (*removed)(void *context));
/* The server's own. */
struct mock_service *mock_server_service(const struct mock_server *server);
const char *mock_service_path(const struct mock_service *service);
/* The quirks of its next sessions, in place of those in its options; of its script at once, if it has one. */
void mock_service_set_quirks(struct mock_service *service, const struct quirks *quirks);
uint64_t mock_service_requests(const struct mock_service *service);
/* With a script: whether it has ended. */
bool mock_service_script_is_done(const struct mock_service *service);

/* A connection that the recorder has given a number, as it stands. */
struct mock_session {
    uint32_t number;
    const char *state;           /* "asking", "joining", "open", "closing", "over": static */
    char peer[64];               /* "127.0.0.1:40112"; empty: it is gone */
    const struct engine *engine; /* NULL: none has it. Borrowed for the call */
    uint64_t waiting_bytes;      /* for the client to read */
};

/* False: there is none of that number, or it is over. */
bool mock_service_session(const struct mock_service *service, uint32_t number, struct mock_session *out);
/* Those that are not over; at most `max` numbers are written, the count of all is returned. */
size_t mock_service_sessions(const struct mock_service *service, uint32_t *numbers, size_t max);
/* Ends an open session with a close frame; false when there is none open of that number. */
bool mock_session_close(struct mock_service *service, uint32_t number, uint16_t code, struct bytes reason);
/* engine_inject for that session: see there. At once. */
bool mock_session_inject(struct mock_service *service, uint32_t number, struct script *steps);
bool mock_session_set_quirks(struct mock_service *service, uint32_t number, const struct quirks *quirks);

/*
 * HTTP for the mock's own paths, one request a connection. Nothing of it reaches an engine or a recorder. The
 * handler is told of each request once, and answers with mock_http_answer then or later, unless `gone` came
 * before that. A request whose body cannot be had comes with `wrong` set to the status it deserves (400, 408,
 * 411, 413).
 *
 * The handler gets one request in a round of the loop. When one needs more work than fits a round, the
 * handler does a part of it in each call, and gets no other request until it is done.
 */
struct mock_http_request {
    const struct http_head *head; /* borrowed for the call, as all of this */
    struct bytes body;
    uint16_t wrong;
    const char *peer; /* "127.0.0.1:40112" */
    bool peer_is_loopback;
};

struct mock_http_handler {
    const char *prefix; /* of the paths: "/__mock/" */
    size_t body_bytes_max;
    /* True: it is at work on it, and goes on in the next round. */
    bool (*request)(void *context, struct mock_http *http, const struct mock_http_request *request);
    /* It goes on for about a millisecond or two; true: there is more to do. May be NULL when `request` is
     * always false. */
    bool (*go_on)(void *context);
    void (*gone)(void *context, struct mock_http *http); /* the client went away; it is not to be answered */
    void *context;
};

/* `head_lines` each end with CRLF; Content-Length and Connection are added. The body is copied. With
 * `head_only` it is left out (an answer to HEAD). */
void mock_http_answer(struct mock_http *http, uint16_t status, const char *head_lines, struct bytes body,
                      bool head_only);
/* The same with a body that is not copied: its memory is taken, and *body is empty afterwards. */
void mock_http_answer_whole(struct mock_http *http, uint16_t status, const char *head_lines,
                            struct buffer *body, bool head_only);

/* Closes every connection with 1001, stops listening (with `http` once no session is left), frees all;
 * `stopped` (may be NULL) is called from the loop when that is done, within a second. The server must not be
 * used after it. */
void mock_server_stop(struct mock_server *server, void (*stopped)(void *context), void *context);

#endif
