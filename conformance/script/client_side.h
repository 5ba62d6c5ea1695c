/*
 * A family from the client's end, for cases about its servers: what their client { } blocks can send and look
 * for, the bytes of it, and what comes from a server in short. One table a family,
 * PREFIX_CLIENT_SIDE in conformance/script/NAME. Without I/O, without state.
 */
#ifndef CONFORMANCE_SCRIPT_CLIENT_SIDE_H
#define CONFORMANCE_SCRIPT_CLIENT_SIDE_H

#include "codec/family.h"
#include "codec/wire/buffer.h"
#include "codec/wire/text.h"
#include "codec/wire/wire_event.h"
#include "codec/ws/frame.h"
#include "conformance/script/client_script.h"
#include "server/core/session_messages.h"
#include "server/script/rule.h"

struct client_probe;

/* ---- what came ---- */

enum seen_kind {
    SEEN_OPEN,
    SEEN_REFUSAL,
    SEEN_MESSAGE, /* of the family's, `type` says which */
    SEEN_ERROR,
    SEEN_PLAIN_TEXT,
    SEEN_PING,
    SEEN_PONG,
    SEEN_CLOSE,
    SEEN_VIOLATION,
    SEEN_END
};

enum { SEEN_WORD_MAX = 128 };
#define SEEN_CODE_PLAIN_TEXT "plain-text"

struct seen {
    uint64_t at_us;
    enum seen_kind kind;
    int type;                 /* MESSAGE: the row of client_side.messages */
    uint16_t code;            /* HTTP status, close code; END: 1 for a reset */
    bool is_final;            /* it ends a turn */
    char word[SEEN_WORD_MAX]; /* ERROR: its code; REFUSAL: the code in its body, or "plain-text"; MESSAGE:
                                 what code= is compared with; texts: how they begin; PONG: its data;
                                 VIOLATION: what it is */
};

/* `bytes`, printable and cut. */
void seen_word_set(struct seen *seen, struct bytes bytes);

/* A kind of message that servers send. */
struct seen_message {
    const char *label; /* in the journal */
    const char *noun;  /* for people: "silence frame" */
    bool shows_word;   /* people are told its word too */
};

/* What recv and none take beside what all families have. */
struct client_receive {
    const char *name;
    const char *phrase;   /* "a speech frame" */
    const char *sentence; /* for the reference */
    bool takes_code;      /* code= is compared with the message's word */
};

/* ---- what is sent ---- */

/* Where the server is and who asks. Strings are borrowed. */
struct client_target {
    const char *authority; /* for the Host header */
    const char *path;      /* "/realtime" */
    const char *query;     /* further members of the query, "a=b&c=d"; empty: none */
    const char *key;       /* the right API key */
    const char *config;    /* a config that the server knows */

    /* Of a family with tokens (server/token), for steps that bring another than `key`: */
    const char *secret;    /* what they are signed with; NULL: it is not known */
    const char *candidate; /* whose they are */
    uint64_t now_s;        /* Unix time */
};

/* What the bytes of a message depend on beside its step. */
struct client_writing {
    const struct profile *profile;
    uint64_t now_ms;      /* Unix time */
    uint64_t number;      /* of the messages that every= has sent before */
    struct bytes pcm;     /* of file=: 16-bit little-endian samples; empty: none */
    struct bytes picture; /* a JPEG; empty: none is to be had */
};

/* Messages are held back so that no more than `messages` of those that is_paced go out in `window_us`. */
struct client_pace {
    size_t messages; /* 1 to CLIENT_PACE_MESSAGES_MAX */
    uint64_t window_us;
    bool (*is_paced)(const struct client_step *step);
};
enum { CLIENT_PACE_MESSAGES_MAX = 16 };

/* ---- the table ---- */

struct client_side {
    const struct line_rule *connect;       /* one row: the options of connect and begin */
    const struct line_rule *sends;         /* ended by a NULL word; ids below STEP_SEND_TEXT */
    const struct client_receive *receives; /* ended by a NULL name */
    const struct seen_message *messages;
    bool one_connection; /* a server lets in one for a config at a time: so cases are played one by one */
    const char *error_phrase, *error_noun; /* "an errorResponse", "errorResponse" */
    struct client_pace pace;

    /* What the step asks for and cannot be had of that target: a static sentence; NULL: nothing is lacking.
     * May be NULL. */
    const char *(*lacks)(const struct client_target *target, const struct client_step *step);
    /* The target of the upgrade request, and what its head holds beside what every one does: whole lines. */
    bool (*target)(const struct client_target *target, const struct profile *profile,
                   const struct client_step *step, struct text *out);
    bool (*head)(const struct client_target *target, const struct client_step *step, struct buffer *out);
    /* What begin stands for after the connect. */
    const struct client_step *(*prelude)(const struct profile *profile, size_t *count);
    /* Steps to go on with when that one of a prelude fails; NULL: the case ends with it. May be NULL. */
    const struct client_step *(*rescue)(const struct client_step *step, size_t *count);
    /* Appends the message of one of its own sends. False when it does not fit. */
    bool (*write)(const struct client_step *step, const struct client_writing *with, struct buffer *out);
    bool (*is_binary)(const struct client_step *step); /* of its own sends */
    bool (*needs_picture)(const struct client_step *step, const struct profile *profile);

    /* A text or binary message of the server: kind, type, word and is_final. */
    void (*see)(const struct profile *profile, const struct wire_event *event, struct seen *out,
                struct frame_summary *frame);
    /* The code of the error in the body of a refusal, if it is one: sets the word. */
    void (*see_body)(struct bytes body, struct seen *out);
    /* Is a SEEN_MESSAGE what that row of receives looks for? code= is looked at by the caller. */
    bool (*matches)(const struct seen *seen, int receive);
    /* The picture in a message that watch measures; empty: none. May be NULL: there are none. */
    struct bytes (*picture)(struct bytes message);

    const struct client_probe *probe; /* client_probe.h */
};

enum { CLIENT_RECEIVES_MAX = 40 };
/* All that recv and none take, in their order, into a list that a NULL ends. */
void client_receive_names(const struct client_side *side, const char *names[CLIENT_RECEIVES_MAX]);
/* As scripts spell it. */
const char *client_receive_name(const struct client_side *side, int receive);
/* The option of that name; one that is not set where the step has none. */
const struct client_value *client_option(const struct client_step *step, const char *name);

/* Rows that tables of families share. */
#define CLIENT_HEADER_OPTION                                                                                 \
    {                                                                                                        \
        .name = "header", .type = VALUE_STRING, .sentence = "one more header line, \"Name: value\""          \
    }
#define CLIENT_PACE_OPTION                                                                                   \
    {                                                                                                        \
        .name = "pace", .type = VALUE_CHOICE, .choices = CLIENT_PACES,                                       \
        .sentence = "sent at once, whatever went out before"                                                 \
    }
#define CLIENT_EVERY_OPTION                                                                                  \
    {                                                                                                        \
        .name = "every", .type = VALUE_DURATION, .min = 1000, .max = CLIENT_DURATION_MAX_US,                 \
        .sentence = "repeats it at this interval while the steps after it are played, until rest"            \
    }
enum { CLIENT_DURATION_MAX_US = 1800000000 };
extern const char *const CLIENT_PACES[];
/* Of a kind of message, in each row of sends. */
extern const struct value_rule CLIENT_KIND_ARGS[];

#endif
