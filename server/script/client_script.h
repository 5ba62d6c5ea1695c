/*
 * client { }: what a client does that puts a server to the test. The block stands in place of server { } in a
 * case about a server; conformance/server plays it.
 *
 * Whatever comes is read at all times: a step that waits looks for what came since the latest send, connect
 * or recv. Messages are held back so that no more than six go out in a second, but for those with pace=off.
 */
#ifndef SERVER_SCRIPT_CLIENT_SCRIPT_H
#define SERVER_SCRIPT_CLIENT_SCRIPT_H

#include "codec/wire/bytes.h"

enum { CLIENT_NAME_MAX = 64, CLIENT_TEXT_MAX = 512, CLIENT_WATCHES_MAX = 4, CLIENT_TAKES_MAX = 4 };

enum client_step_kind {
    CLIENT_STEP_BEGIN,   /* connects as told, waits for sessionReady, and for the stream to start */
    CLIENT_STEP_CONNECT, /* asks for the upgrade; the connection before it is dropped */
    CLIENT_STEP_RECV,    /* the count-th such message must come within= */
    CLIENT_STEP_NONE,    /* no such message may come for= */
    CLIENT_STEP_SEND,
    CLIENT_STEP_WAIT,
    CLIENT_STEP_CLOSE, /* the closing handshake, with code= */
    CLIENT_STEP_DROP,  /* ends the transport without a word */
    CLIENT_STEP_WATCH, /* from here on the pictures of speech frames are measured under a name; the same name
                          again is one more take */
    CLIENT_STEP_COMPARE,
    CLIENT_STEP_REPEAT
};

enum step_receive {
    RECEIVE_OPEN,    /* the upgrade is answered with 101 */
    RECEIVE_REFUSAL, /* an HTTP status other than 101; without status= an errorResponse, or a plain text
                        unless code= leaves it out, after the upgrade too */
    RECEIVE_READY,
    RECEIVE_SILENCE,
    RECEIVE_SPEECH,
    RECEIVE_FRAME, /* silence, speech, and of any other index */
    RECEIVE_FINAL, /* a frame with is_final */
    RECEIVE_ERROR, /* errorResponse, code= */
    RECEIVE_TEXT,  /* a plain text */
    RECEIVE_PING,
    RECEIVE_PONG,  /* data= */
    RECEIVE_CLOSE, /* a close frame */
    RECEIVE_END,   /* the end of the transport */
    RECEIVE_ANY
};

/* As scripts spell it; static. */
const char *step_receive_name(enum step_receive receive);

enum step_send {
    STEP_SEND_SILENCE, /* an input of 640 zero samples */
    STEP_SEND_SPEECH,  /* an input of samples of a sound file */
    STEP_SEND_INPUT,   /* an input whose every part can be said */
    STEP_SEND_END,
    STEP_SEND_CANCEL,
    STEP_SEND_TEXT,   /* any text */
    STEP_SEND_BINARY, /* any bytes */
    STEP_SEND_PING
};

enum step_key { KEY_RIGHT, KEY_NONE, KEY_WRONG, KEY_BEARER, KEY_TEXT };
enum step_config { CONFIG_RIGHT, CONFIG_NONE, CONFIG_UNKNOWN, CONFIG_TEXT };

/* A number of a step that may be left out. */
struct client_number {
    bool set;
    uint64_t value;
};

/* What send input says of itself; what is left out is as it ought to be. */
struct client_input {
    struct client_number type;
    struct client_number timestamp;
    struct client_number params_size;
    struct client_number audio;    /* bytes, all zero */
    struct client_number size;     /* zeros are added until the whole message has so many bytes; speech that
                                      is longer is cut */
    struct client_number truncate; /* only so many bytes of it are sent */
};

struct client_step {
    enum client_step_kind kind;
    unsigned line;
    enum step_receive receive;   /* RECV, NONE */
    enum step_send send;         /* SEND */
    uint64_t count;              /* RECV, REPEAT; COMPARE: at-most= percent */
    uint64_t duration_us;        /* within=, for=, WAIT; 0 where none was given */
    const char *clause_id;       /* static; NULL: the case's first clause */
    uint16_t code;               /* RECV status=, CLOSE code=; 0: any */
    char codes[CLIENT_TEXT_MAX]; /* RECV, NONE code=: error codes with commas between them, "plain-text" for a
                                    refusal in plain text; empty: any */
    char text[CLIENT_TEXT_MAX];  /* SEND: params=, the text, the hex digits, data=; RECV pong: data=; CONNECT:
                                    key=; WATCH and COMPARE: the name */
    char other[CLIENT_TEXT_MAX]; /* SEND speech: file=; CONNECT: config=; COMPARE: the name to compare with */
    char header[CLIENT_TEXT_MAX]; /* CONNECT header=: one line more; empty: none */
    bool has_text;
    bool unpaced;              /* SEND pace=off */
    uint64_t from_us, for_us;  /* SEND speech: which part; for_us 0: to the end */
    enum step_key key;         /* CONNECT, BEGIN */
    enum step_config config;   /* CONNECT, BEGIN */
    struct client_input input; /* SEND input; of speech, `size` */
    size_t child_count;        /* REPEAT */
    struct client_step *children;
};

#endif
