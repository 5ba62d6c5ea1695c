/* One case in memory while it runs; private to this folder. */
#ifndef CONFORMANCE_MEMORY_SESSION_H
#define CONFORMANCE_MEMORY_SESSION_H

#include "conformance/memory/memory.h"
#include "conformance/memory/message_queue.h"
#include "conformance/memory/track.h"
#include "server/journal/recorder.h"

enum {
    MEMORY_STEPS_MAX = 4000000,  /* of either side; beyond it something turns in a circle */
    MEMORY_HEAD_BYTES_MAX = 8192 /* request head */
};

struct memory_result {
    struct journal *journal;
    enum rule_verdict *rule_verdicts;
    size_t speeches_said;
    struct observation *observations;
    size_t observation_count;
    size_t observation_capacity;
    enum client_end end;
    char end_text[JUDGE_TEXT_MAX];
    unsigned script_line;
    char own_error[JUDGE_TEXT_MAX];
};

struct memory_session {
    const struct memory_case *given;
    struct memory_result *result;
    struct engine *engine;
    struct recorder *recorder;
    void *made;                        /* the client of the family … */
    const struct client_class *client; /* … and as it is driven, within its shell: its class */
    void *core;                        /* … and its core */
    struct plan_runner runner;
    struct actions *actions;               /* of the mock */
    struct client_actions *client_actions; /* of the client */
    struct message_queue queue;
    uint64_t now_us;
    uint64_t steps;
    bool begun;            /* the engine has been told something */
    uint64_t action_count; /* that the engine has asked for so far */
    uint32_t connection;   /* that the client is in, or was in last: 1, 2 … */
    bool client_joined;    /* the client's end of the connection is open */
    bool server_joined;    /* the mock's end is */
    bool client_closed;    /* the client sent a close frame */
    bool server_closed;    /* the mock did */
    bool no_memory;
    uint64_t client_us; /* the client was stepped last */
    /* A client that is compared with another: no mock, no recorder. */
    const struct memory_track *followed; /* the session of the other; NULL: there is none */
    size_t heard, said;                  /* how much of it this one had so far */
    bool strayed;                        /* it has said something else */
};

/* Into one that is all zero. False: out of memory; to be freed all the same. The result stays the caller's.
 */
bool session_build(struct memory_session *session, const struct memory_case *given);
/* The same for a client without a mock. */
bool session_build_client(struct memory_session *session, const struct memory_case *given);
void session_free(struct memory_session *session);
/* The first thing to go wrong on our side stands. */
void session_own_error(struct memory_session *session, const char *sentence);
void session_send(struct memory_session *session, enum message_to to, enum message_kind kind, uint16_t code,
                  struct bytes data);

/* The client's observation, as the line it wrote. */
void session_observed(struct memory_session *session, struct bytes line);

/* memory_server.c */
void session_server_takes(struct memory_session *session, const struct message *message);
void session_server_tick(struct memory_session *session);

/* memory_client.c */
void session_client_asks(struct memory_session *session);
void session_client_takes(struct memory_session *session, const struct message *message);
void session_client_tick(struct memory_session *session);

#endif
