/*
 * What the files of this folder share: the server, its seats and its connections. Private to server/net.
 *
 * One thread, one loop. A connection lives until its transport is over; nothing frees it from within a call
 * that still uses it.
 */
#ifndef SERVER_NET_NET_H
#define SERVER_NET_NET_H

#include <uv.h>

#include "codec/family.h"
#include "codec/ws/endpoint.h"
#include "server/net/mock_server.h"
#include "server/net/outbox.h"
#include "server/net/transport.h"
#include "server/net/wheel.h"

enum {
    EARLY_BYTES_MAX = 128 * 1024,             /* that messages take which come before a request is answered */
    CONNECTIONS_MAX = MOCK_SESSIONS_MAX + 64, /* with those that are only told to come again later */
    CONTROL_PLACES = 32,                      /* besides, for options.http alone */
    OUT_BYTES_MAX = TRANSPORT_OUT_BYTES_MAX + ACTIONS_BYTES_MAX +
                    2 * WS_OUT_FRAMES_MAX * WS_FRAME_HEADER_BYTES_MAX, /* that wait for one client */
    UNPACKED_TIMES = 4,             /* the limit: of a compressed message; what is longer is not counted */
    HANDSHAKE_WAIT_US = 10000000,   /* for the request head; divided by the speed, but not below … */
    HANDSHAKE_WAIT_MIN_US = 500000, /* … this: a client takes its time on a busy machine */
    CONTROL_HEAD_WAIT_US = 1000000, /* the same in one of the CONTROL_PLACES */
    UNREAD_WAIT_US = 30000000, /* with much waiting for a client that takes nothing; divided by the speed */
    HELD_WAIT_US = 4000000,    /* a next connection waits as long for the one before it to be over */
    NEWCOMER_WAIT_US = 100000, /* more, for one that is not late but waits for its turn */
    CLOSE_WAIT_US = 2000000,
    STOP_WAIT_US = 800000,
    ACCEPTS_MAX = 16,    /* in a row, before others get their turn … */
    ACCEPTS_US = 1000,   /* … or for this long */
    NEWCOMERS_MAX = 8,   /* heads read in one round of the loop … */
    NEWCOMERS_US = 1000, /* … or for this long */
    FREES_US = 1000,     /* that a pass spends on freeing connections */
    ACCEPT_PAUSE_US = 100000,
    TURN_FRAMES = 32,    /* read of one client in one round of the loop; then the client rests … */
    TURN_REST_US = 1000, /* … for this long */
    SEAT_STEPS_MAX = 16, /* in a row, before others get their turn … */
    SEAT_US = 1000,      /* … or for this long */
    SEAT_REST_US = 10000 /* then a script that has more waits, or it would take the whole core */
};

struct connection;

/* An engine and whom it serves. */
struct seat {
    struct engine *engine;
    struct connection *connection; /* NULL: nobody now */
    bool has_more;                 /* when its latest step was over, the next was due already */
    bool begun;                    /* the engine has been told something */
    uint64_t asked;                /* actions that the engine has asked for so far */
    uint64_t seed;                 /* of the engine */
    unsigned steps;                /* in a row, over several rounds where they take long */
    uint64_t rests_until_us;       /* after SEAT_STEPS_MAX of them */
    bool is_changed; /* from outside, or when it was made: its next tick is an entry whatever it does */
};

/* A recorder and the connection it watches. */
struct recording {
    struct mock_service *service;
    struct recorder *recorder;
    uint32_t number;          /* of the connection, over the whole server; 0: none yet */
    struct connection *owner; /* NULL: free for the next */
};

enum connection_phase {
    PHASE_HEAD,   /* the request head has not come whole */
    PHASE_HTTP,   /* a request for options.http: nothing of it is recorded, and no engine sees it */
    PHASE_HELD,   /* waits for the script's connection before it to be over */
    PHASE_ASKING, /* the engine has the request */
    PHASE_JOINED, /* accepted; the engine does not know yet that the session is open */
    PHASE_OPEN,
    PHASE_CLOSING, /* a close frame went out, or came in */
    PHASE_OVER     /* nothing goes out any more */
};

/* The mock's own pings on a connection. */
struct own_ping {
    uint64_t next_us;
    uint64_t answer_by_us; /* UINT64_MAX: none is waited for */
    uint64_t sent;
    bool others_since; /* a script's ping went out after the newest of these */
};

struct early;     /* a message that came before the session was open */
struct ahead_job; /* a message that another thread reads */

struct connection {
    struct wheel_entry due; /* first, so that the connection is found by it: connection_of_due */
    struct connection *next;
    struct connection *restless_next;
    bool is_on_restless;
    struct mock_server *server;
    struct mock_service *service; /* until the head is there: the server's own */
    uint32_t number;              /* of the service; 0 until the first thing of it is recorded */
    uint64_t progress_us;         /* when the client last took something */
    enum connection_phase phase;
    uint64_t phase_by_us; /* when the phase has lasted too long; UINT64_MAX: never */
    struct transport *transport;
    struct ws_endpoint *endpoint;
    struct buffer request; /* its head; of a request for options.http the body behind it */
    size_t head_bytes;     /* 0: not whole yet */
    bool has_place;        /* one of the CONNECTIONS_MAX, until it is freed */
    bool has_spoken;       /* something has come of the client */
    bool head_is_upgrade;
    bool head_is_bad;
    bool head_is_long;
    bool is_hasty;       /* something came behind the head before it was answered */
    uint64_t turn_round; /* in which something was read of it */
    /* Of newcomers.c: it waits for its turn to be read, before that one. */
    bool is_queued;
    struct connection *queued_next;
    struct recording *recording;
    struct recording own_recording;
    struct seat *seat; /* NULL: no engine has it */
    struct seat own_seat;
    const struct script *chosen_script; /* of own_seat, to be given back to the service's owner */
    struct mock_http *http;             /* NULL: not in PHASE_HTTP */
    bool left;                          /* nothing is said or taken in any more */
    bool transport_is_over;             /* and may be freed */
    bool gone_is_told;                  /* to the engine */
    bool slow_is_told;                  /* to the log */
    struct early *early_first;
    struct early *early_last;
    size_t early_bytes;
    struct ahead_job *ahead; /* what follows that message waits; NULL: nothing is read ahead */
    struct outbox outbox;
    size_t begun_bytes; /* of the first message in the outbox that are queued, and in how many fragments … */
    size_t begun_frames; /* … as it is too long for one round. 0: none has begun */
    bool goes_on;        /* with the outbox, in the next round */
    uint32_t joined;     /* how many more messages the response waits for */
    struct own_ping ping;
    bool half_closed; /* our side has ended, or is about to */
    bool failed;      /* the session is closed for what the client sent: of what follows nothing counts */
    bool has_pinged;  /* which the engine is told once it is answered */
    uint64_t pinged_at_us;
    size_t pinged_bytes;
    uint8_t pinged[WS_CONTROL_BYTES_MAX];
};

/* The quirks that the listener sees to, not the session. */
enum host_quirk { HOST_QUIRK_ANY_PATH, HOST_QUIRK_NO_PONG, HOST_QUIRK_DEFLATE, HOST_QUIRK_COUNT };

/* Numbers given out. */
struct numbering {
    uint32_t connections;
    uint64_t sequence; /* of entries, without a journal */
};

/* An endpoint with engines and a recorder of its own. */
struct mock_service {
    struct mock_service *next;
    struct mock_server *server;
    struct mock_service_options options; /* `path` is owned */
    struct quirks quirks_at_first;       /* as it was made: those of its journal's header */
    int quirk_rows[HOST_QUIRK_COUNT];    /* in the family's table; -1: there is none of that name */
    uint64_t requests;
    struct numbering own_numbering;
    struct numbering *numbering; /* that one, or of the service it stands beside */
    size_t connections;
    struct recording recording;
    struct seat script_seat;
    bool script_is_told; /* script_done was called */
    bool is_removed;     /* and is freed with its last connection */
    void (*removed)(void *context);
};

struct mock_server {
    uv_loop_t *loop;
    struct mock_server_options options;
    uint64_t start_ns;
    uint64_t epoch_ms;
    unsigned port;
    int listen_fd;
    uv_poll_t listen_poll;
    uint64_t accept_again_us;                 /* 0: accepting */
    void (*pass)(struct mock_server *server); /* over what is due */
    uv_timer_t timer;
    uv_idle_t at_once;
    uv_prepare_t round;      /* of the loop: it begins; see round.c */
    unsigned round_frames;   /* in it so far, read and sent … */
    uint64_t round_us;       /* … and the time that took */
    uint64_t due_us;         /* of the next pass; UINT64_MAX: nothing */
    bool sockets_first;      /* that pass is late, and waits for one look at the sockets */
    uint64_t rests_until_us; /* no pass for what is due later before that */
    uint64_t moves;          /* grows with everything that is carried out: a pass has got somewhere */
    bool ticking;
    uint64_t due_while_ticking_us; /* the earliest asked for from within a tick */
    bool something_over;           /* a connection may be free by now */
    uint64_t lateness_worst_us;
    struct tls *tls; /* NULL: plain */
    uint64_t round_number;
    /* Of newcomers.c: heads read in this round, the time that took, the queue, and whose turn it is. */
    unsigned round_newcomers;
    uint64_t round_newcomers_us;
    struct connection *newcomers_first;
    struct connection *newcomers_last;
    struct connection *newcomer_called;
    struct connection *connections;
    struct connection *restless; /* of these those that each pass looks after */
    struct wheel wheel;          /* and when the others are due */
    struct farewell *farewells;  /* sockets without a place, that are told so */
    unsigned farewell_count;
    bool farewells_are_told; /* the log says that some are not */
    size_t connection_count;
    size_t connection_most;  /* since the last crowd left, see `crowd_left` of its options */
    size_t place_count;      /* of them, with a place */
    size_t http_count;       /* of them, in PHASE_HTTP or over after it */
    size_t answer_bytes;     /* of answers that wait to be read: at most MOCK_ANSWERS_BYTES_MAX */
    struct ws_room messages; /* for those of clients that have not come whole, or are read ahead */
    struct ahead *ahead;     /* ahead.c; NULL: nothing was long enough so far */
    /* Of http.c: the requests that wait for their turn; the one told last, while the handler is at work on
     * it; that it is; and that it had its turn in this round. */
    struct mock_http *http_first;
    struct mock_http *http_now;
    bool http_works;
    bool http_had_turn;
    size_t session_count; /* see mock_server_sessions */
    uint64_t tls_refusals;
    uint64_t requests;
    struct mock_service *services; /* the last is the server's own */
    struct mock_service *service;  /* that one */
    bool stepping;                 /* an engine is in a step or its actions are being carried out */
    struct actions actions;        /* of the step in progress */
    struct actions scratch;        /* for one action made here */
    bool stopping;
    uint64_t stop_by_us;
    unsigned handles;
    void (*stopped)(void *context);
    void *stopped_context;
};

static inline struct connection *connection_of_due(struct wheel_entry *entry)
{
    return (struct connection *)(void *)entry;
}

/* wake.c */
/* A pass over what is due comes by then; with a time that has come, in the next round of the loop. */
void server_wake(struct mock_server *server, uint64_t at_us);
/* The same, and the connection is ticked in it. To be called by whatever may make connection_deadline_us
 * earlier, or the connection restless: nobody looks at connections that asked for nothing. */
void connection_wake(struct connection *connection, uint64_t at_us);

/* One line about the life of a connection for options.log. */
void server_log(struct mock_server *server, const struct connection *connection, const char *what);

/* pass.c: looks after all that is due; something of the caller's own is at `due_us`. */
void pass_run(struct mock_server *server, uint64_t now_us, uint64_t due_us);

/* round.c */
void round_begin(struct mock_server *server);
/* Has everybody had enough of this round who has done one frame in it? */
bool round_is_over(const struct mock_server *server);
/* One frame was read or sent since then, and it is now. */
void round_spend(struct mock_server *server, uint64_t *since_us);

/* farewell.c: tells a socket that there is no place for it, in bounded time, and closes it. It keeps what it
 * has to wait for in server->farewells. */
void farewell_say(struct mock_server *server, int fd);
/* Lets go of all; they are gone when server->farewells is NULL. */
void farewells_end(struct mock_server *server);

/* service.c */
struct mock_service *service_new(struct mock_server *server, const struct mock_service_options *options,
                                 char error[MOCK_ERROR_MAX]);
/* The clock was set. */
void service_set_epoch_ms(struct mock_service *service, uint64_t epoch_ms);
/* At the server's end, without a word to anybody. */
void service_free(struct mock_service *service);
/* The service of that path, under which its endpoint is or (any-path) may be. When there is none, the one
 * that has most of the path's beginning, of the server's own and those beside it. */
struct mock_service *service_find(struct mock_server *server, struct bytes path);
/* Of a client's message, as its family's documents have it. */
size_t service_message_bytes_max(const struct mock_service *service);
/* Is it the server's own, or beside it? */
bool service_is_own(const struct mock_service *service);
/* Is that its endpoint's path? */
bool service_has_path(const struct mock_service *service, struct bytes path);
/* One of the paths that the quirk any-path adds? */
bool service_has_other_path(const struct mock_service *service, struct bytes path);
void service_join(struct mock_service *service, struct connection *connection);
/* The connection is about to be freed. */
void service_leave(struct connection *connection);
/* What is due of the scripts between connections. */
void services_tick(struct mock_server *server, uint64_t now_us);
uint64_t services_deadline_us(const struct mock_server *server);
/* Tells of scripts that have ended and frees what was removed. */
void services_settle(struct mock_server *server, uint64_t now_us);

/* http.c: requests for options.http. */
bool http_is_wanted(const struct mock_server *server, struct bytes path);
void http_begin(struct connection *connection);
/* What comes behind the head. */
void http_received(struct connection *connection, struct bytes data);
void http_progressed(struct connection *connection);
/* Tells the handler of the next request or lets it go on with the last, unless that was done in this round.
 */
void http_turn(struct mock_server *server);
/* The client has ended its side, or its time is up. */
void http_ended(struct connection *connection, bool reset);
void http_is_late(struct connection *connection);
/* The client's address and port; empty when it is gone. */
void http_peer(const struct connection *connection, char *out, size_t out_max);
/* The connection is about to be freed. */
void http_free(struct connection *connection);

/* newcomers.c: connections in the phase of the head. */
/* Something came of it. True: it is not its turn; it is held, and gets one. */
bool newcomer_must_wait(struct connection *connection);
/* It was read since then. */
void newcomer_spend(const struct connection *connection, uint64_t since_us);
/* The connection is about to be freed. */
void newcomer_leave(struct connection *connection);
/* Those that wait, as far as this round's budget goes. */
void newcomers_turn(struct mock_server *server);

/* intake.c: what comes of the client. */
/* The endpoint's sink; the context is a connection. */
ws_sink intake_event;
/* After each ws_endpoint_feed: what could not be done from within. */
void intake_fed(struct connection *connection);
/* It was accepted: its engine learns that the session is open, and what came before. */
void intake_open(struct connection *connection);
void intake_free(struct connection *connection);

/* ahead.c: long messages are read on a thread beside the loop. */
/* Takes a message whose turn it is now. */
typedef void ahead_turn(struct connection *connection, const struct wire_event *event);
/* From within the sink: true when that message is read ahead. It is handed to `turn` after that, and until
 * then nothing more is read of the client. */
bool ahead_begin(struct connection *connection, const struct wire_event *event, ahead_turn *turn);
/* The connection is about to be freed. */
void ahead_leave(struct connection *connection);
/* At the server's end, once no connection is left: ends the thread; its handle is closed as the others. */
void ahead_end(struct mock_server *server, uv_close_cb closed);
void ahead_free(struct mock_server *server);

/* recording.c */
bool recording_init(struct recording *recording, struct mock_service *service);
void recording_free(struct recording *recording);
/* Gives the connection its number and somebody who records it, unless it has them. False when nothing of it
 * is recorded any more. */
bool recording_begin(struct connection *connection, uint64_t now_us);
void recording_end(struct connection *connection, uint64_t now_us);
/* For a replay, also when nothing else of the connection is recorded any more. Without a connection
 * (NULL): of the script. */
void recording_taken(struct mock_service *service, const struct connection *connection,
                     const struct taken_event *taken);
void recording_dropped(struct mock_service *service, const struct connection *connection,
                       const struct action *action);

/* phase.c */
/* The next phase, which may last `for_us` (UINT64_MAX: any time). */
void connection_enter(struct connection *connection, enum connection_phase phase, uint64_t for_us);
/* It may have something to do at a tick before its deadline: each pass looks after it. */
bool connection_is_restless(const struct connection *connection);
/* The value of a quirk of the connection's session; 0 also when its family has none of that name. */
uint64_t connection_quirk(const struct connection *connection, enum host_quirk quirk);

/* connection.c */
void connection_new(struct mock_server *server, int fd);
uint64_t connection_deadline_us(const struct connection *connection);
void connection_tick(struct connection *connection, uint64_t now_us);
/* It is about to be ticked: asks for the memory of one of its parts (server/core/warm.h), from the last to
 * the first: a part is found by those behind it. */
enum warm_part { WARM_SESSION, WARM_ENGINE, WARM_CONNECTION, WARM_PARTS };
void connection_warm(const struct connection *connection, enum warm_part part);
/* Asks to end it politely with that code, or ends it where that cannot be. */
void connection_dismiss(struct connection *connection, uint16_t code);
/* Nobody holds it any more: the server may unlink and free it. */
bool connection_is_free(const struct connection *connection);
void connection_free(struct connection *connection);

/* admission.c: the request head is there. */
/* Has it one of the CONNECTIONS_MAX places? First asked when it is accepted, so that those that come first
 * keep theirs; one that found none then takes one that is free by now. */
bool admission_take_place(struct connection *connection);
/* Whose connection is it? True: a request for options.http. */
bool admission_route(struct connection *connection);
bool admission_must_wait(const struct connection *connection);
void admission_decide(struct connection *connection);
/* Is that a request for the endpoint's WebSocket? */
bool admission_is_upgrade(struct bytes head);

/* seat.c */
void seat_step(struct mock_service *service, struct seat *seat, const struct engine_event *event);
/* Its engine has more to do at once, but does not run ahead of what the client reads. */
bool seat_is_waiting(const struct seat *seat);
uint64_t seat_deadline_us(const struct seat *seat); /* UINT64_MAX while it is waiting */
/* Its deadline may have moved. */
void seat_wake(struct mock_server *server, struct seat *seat);
void seat_tick(struct mock_service *service, struct seat *seat, uint64_t now_us);
/* Into the journal, for a replay: with what the seat's engine was made, or to what it is about to be changed
 * (journal.h names the labels). */
void seat_tell(struct mock_service *service, struct seat *seat, const char *label, struct bytes data);
void seat_tell_quirks(struct mock_service *service, struct seat *seat, const struct quirks *quirks);
/* Its connection is over: tells the engine, once, and frees the seat for the next. */
void seat_leave(struct connection *connection);
/* The session is over: the transport ends once all is out. */
void connection_left(struct connection *connection);

/* delivery.c: carries out one action. `actions` holds it; its bytes may be written over. */
void connection_perform(struct connection *connection, struct actions *actions, struct action *action);
/* Of an HTTP status; static. */
const char *reason_phrase(uint16_t status);
/* What waits in the outbox will not be sent. */
void connection_drop_all(struct connection *connection);
/* It has more to read already than it takes. */
bool connection_is_behind(const struct connection *connection);
/* The bytes that are kept of a client's message; the rest is counted. */
static inline size_t message_kept_max(const struct connection *connection)
{
    return family_message_kept_max(connection->service->options.engine.session_class->family);
}
/* A compressed message that grows beyond that is not counted any more. */
static inline uint64_t connection_inflated_max(const struct connection *connection)
{
    return UNPACKED_TIMES * (uint64_t)service_message_bytes_max(connection->service);
}
/* ping.c */
void ping_begin(struct connection *connection);
uint64_t ping_deadline_us(const struct connection *connection);
void ping_tick(struct connection *connection, uint64_t now_us);
/* Is that the pong to one of ours? The engine has asked for none of these. */
bool ping_is_answered_by(struct connection *connection, struct bytes payload);
/* frames.c: what was queued in the endpoint leaves as far as the client takes it. */
void connection_flush(struct connection *connection);
/* recording.c */
/* Into the journal: what the host says by itself. */
void connection_record_own(struct connection *connection, enum wire_event_kind kind, uint16_t code,
                           struct bytes data);
/* The end that follows a message whose payload went out in part. */
void connection_record_end(struct connection *connection, bool reset, uint64_t sent_bytes);
/* When what is first in the outbox may leave; UINT64_MAX: it waits for no time. */
uint64_t connection_delayed_until_us(const struct connection *connection);
/* What waits in the outbox goes out as far as it can. */
void connection_pump(struct connection *connection);
/* Ends a connection whose client does not read. */
void connection_give_up(struct connection *connection);
/* An answer of our own: `head_lines` each end with CRLF. */
void connection_refuse(struct connection *connection, uint16_t status, const char *head_lines,
                       const char *sentence);

#endif
