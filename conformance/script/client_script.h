/*
 * client { }: what a client does that puts a server to the test. The block stands in place of server { } in a
 * case about a server; conformance/server plays it. What a family's client sends and what its server says is
 * in client_side.h.
 *
 * Whatever comes is read at all times: a step that waits looks for what came since the latest send, connect
 * or recv; what is sent by the clock (every=) begins nothing new. Messages are held back as their family has
 * it, but for those with pace=off.
 */
#ifndef CONFORMANCE_SCRIPT_CLIENT_SCRIPT_H
#define CONFORMANCE_SCRIPT_CLIENT_SCRIPT_H

#include "codec/wire/bytes.h"

struct line_rule;

enum {
    CLIENT_NAME_MAX = 64,
    CLIENT_TEXT_MAX = 512,
    CLIENT_WATCHES_MAX = 4,
    CLIENT_TAKES_MAX = 4,
    CLIENT_FEEDS_MAX = 2 /* messages that are sent by the clock at the same time */
};

enum client_step_kind {
    CLIENT_STEP_BEGIN,   /* connects as told, and does what a session of its family begins with */
    CLIENT_STEP_CONNECT, /* asks for the upgrade; the connection before it is dropped */
    CLIENT_STEP_RECV,    /* the count-th such message must come within= */
    CLIENT_STEP_NONE,    /* no such message may come for= */
    CLIENT_STEP_SEND,
    CLIENT_STEP_REST, /* what every= began is sent no more */
    CLIENT_STEP_WAIT,
    CLIENT_STEP_CLOSE, /* the closing handshake, with code= */
    CLIENT_STEP_DROP,  /* ends the transport without a word */
    CLIENT_STEP_HOLD,  /* the connection stays open, unread, beside those that follow; one a case */
    CLIENT_STEP_WATCH, /* from here on the pictures of speech frames are measured under a name; the same name
                          again is one more take */
    CLIENT_STEP_COMPARE,
    CLIENT_STEP_REPEAT
};

/* What a recv or none step looks for; from RECEIVE_FAMILY on, the row of client_side.receives. */
enum step_receive {
    RECEIVE_OPEN,    /* the upgrade is answered with 101 */
    RECEIVE_REFUSAL, /* an HTTP status other than 101; without status= an error, or a plain text unless code=
                        leaves it out, after the upgrade too */
    RECEIVE_ERROR,   /* the family's error message, code= */
    RECEIVE_TEXT,    /* a plain text */
    RECEIVE_PING,
    RECEIVE_PONG,  /* data= */
    RECEIVE_CLOSE, /* a close frame */
    RECEIVE_END,   /* the end of the transport */
    RECEIVE_ANY,
    RECEIVE_FAMILY
};

/* What a send step sends; less than these, what the family's table has. */
enum step_send {
    STEP_SEND_TEXT = 100, /* any text */
    STEP_SEND_BINARY,     /* any bytes */
    STEP_SEND_PING
};

/* An option as a step has it. */
struct client_value {
    bool set;
    bool is_string; /* it stood in quotes */
    uint64_t number;
    const char *text; /* as written */
};

struct client_step {
    enum client_step_kind kind;
    unsigned line;
    int receive;                 /* RECV, NONE */
    int send;                    /* SEND: the id of its rule */
    uint64_t count;              /* RECV, REPEAT; COMPARE: at-most= percent */
    uint64_t duration_us;        /* within=, for=, WAIT; 0 where none was given */
    bool is_limit;               /* RECV due=: `duration_us` is a limit that a server divides by its speed */
    const char *clause_id;       /* static; NULL: the case's first clause */
    uint16_t code;               /* RECV status=, CLOSE code=; 0: any */
    char codes[CLIENT_TEXT_MAX]; /* RECV, NONE code=: with commas between them, "plain-text" for a refusal in
                                    plain text; empty: any */
    char text[CLIENT_TEXT_MAX];  /* SEND text: it; RECV pong: data=; WATCH and COMPARE: the name */
    char other[CLIENT_NAME_MAX]; /* COMPARE: the name to compare with; RECV unless=, as `codes` */
    bool has_text;
    bool unpaced;                 /* SEND pace=off */
    uint64_t every_us;            /* SEND every=; 0: once */
    const struct line_rule *rule; /* SEND, CONNECT, BEGIN: its options; NULL: none are given */
    struct client_value *options; /* in the order of the rule's; in one block with their texts */
    size_t child_count;           /* REPEAT */
    struct client_step *children;
};

#endif
