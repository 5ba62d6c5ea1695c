/*
 * Inside of the rules for servers: what a rule is, what it is shown of an event, and the state they keep.
 * Used by the server_….c files of this folder only.
 *
 * An event is looked at once (struct server_seen, server_observe.c) and then shown to every rule of the table
 * in server_rules.c. What several rules need to know stands in `struct server_session`, which
 * server_observe.c alone changes; each rule changes only the part that is its own.
 */
#ifndef CODEC_RULES_OJIN_SERVER_RULE_SET_H
#define CODEC_RULES_OJIN_SERVER_RULE_SET_H

#include "codec/ojin/messages.h"
#include "codec/rules/ojin/classes.h"
#include "codec/rules/ojin/frame_view.h"
#include "codec/rules/ojin/rule_set.h"
#include "codec/rules/ojin/server_speech.h"
#include "codec/rules/server_rules.h"

enum server_rule {
    SERVER_RULE_01,
    SERVER_RULE_02,
    SERVER_RULE_03,
    SERVER_RULE_04,
    SERVER_RULE_05,
    SERVER_RULE_06,
    SERVER_RULE_07,
    SERVER_RULE_08,
    SERVER_RULE_09,
    SERVER_RULE_10,
    SERVER_RULE_11,
    SERVER_RULE_12,
    SERVER_RULE_13,
    SERVER_RULE_14,
    SERVER_RULE_15,
    SERVER_RULE_18,
    SERVER_RULE_19,
    SERVER_RULE_20,
    SERVER_RULE_21,
    SERVER_RULE_22,
    SERVER_RULE_COUNT
};

/* What a message of the client's must be answered with. */
enum answer_due {
    ANSWER_NONE,    /* it is right */
    ANSWER_MAY,     /* INVALID_MESSAGE, or nothing: the documents do not decide */
    ANSWER_INVALID, /* INVALID_MESSAGE: OJ-SRV-12 for a binary, OJ-SRV-13 for a text message */
    ANSWER_TOO_BIG  /* FRAME_SIZE_EXCEEDED */
};

/* A message of the client's, as a server must take it. */
struct client_message {
    bool binary;
    enum answer_due due;
    const char *fault;  /* static: what is wrong, "a header of fewer than 13 bytes" */
    bool is_input;      /* a right InteractionInput */
    bool is_end;        /* a right endInteraction */
    bool is_cancel;     /* a right cancelInteraction */
    bool speaks;        /* ... which holds a sample that is not zero */
    bool no_memory;     /* it could not be read for want of our own memory */
    struct bytes audio; /* of the input */
};

/* One event, as far as it can be understood. */
struct server_seen {
    const struct wire_event *event;
    bool from_client; /* `client` is set: a text or binary message */
    struct client_message client;
    bool from_server; /* a text or binary message of the server */
    bool is_frame;    /* ... a binary one: `frame` and `step` are set */
    struct frame_view frame;
    struct speech_step step;
    bool is_text; /* ... a whole text: `message` is set */
    struct ojin_message message;
    bool is_body;    /* the server refused the upgrade with a JSON body: `message` is that */
    bool is_overdue; /* speech is due that does not come: `overdue` */
    struct speech_overdue overdue;
};

enum request_key { REQUEST_KEY_UNKNOWN, REQUEST_KEY_RIGHT, REQUEST_KEY_MISSING, REQUEST_KEY_WRONG };
enum request_config { REQUEST_CONFIG_RIGHT, REQUEST_CONFIG_MISSING, REQUEST_CONFIG_WRONG };

/* What has happened so far, without the event at hand, which is added after the rules have seen it; only the
 * speech has taken in a frame before they do. */
struct server_session {
    bool asked; /* an upgrade was asked for */
    enum request_key key;
    bool key_empty;  /* the header is there, and empty */
    bool key_bearer; /* the value begins with "Bearer " */
    enum request_config config;
    bool answered; /* the request was */
    bool open;     /* with 101 */

    uint64_t server_messages; /* text and binary */
    uint64_t frames;
    uint64_t first_frame_us;
    uint64_t client_messages;
    uint64_t binary_messages; /* of the client */
    bool ready;
    uint64_t ready_us;
    bool input_sent; /* a right InteractionInput after sessionReady */
    uint64_t input_us;
    bool end_sent; /* endInteraction, and no cancelInteraction since */
    uint64_t end_us;
    uint64_t end_event;      /* finding_book_event */
    uint64_t end_due_frames; /* speech frames that were due then */
    bool end_after_start;    /* there was a stream to end */
    bool cancel_sent;        /* cancelInteraction, and no endInteraction since */
    bool cancel_after_end;   /* ... while a final frame was still due */
    bool final_seen;
    bool failed; /* the server told of a failure by plain text, or of its own: less is asked of it then */
    bool over;   /* closed or ended, by either side: nothing more is waited for */
    struct server_speech speech;
};

enum {
    SERVER_CLOCK_OFF_MS = 60000, /* when the caller does not say */
    /* How long an answer is waited for. An answer takes no rendering, but a loaded machine is slow. */
    SERVER_ANSWER_WAIT_US = 3000000
};

struct server_rate_state {
    uint64_t times[RATE_MESSAGES]; /* of the newest messages, a ring */
    uint64_t count;
    bool crowded; /* seven messages have come close enough to each other at `crowded_us` */
    uint64_t crowded_us;
    bool due; /* RATE_LIMITED must come */
    uint64_t due_us;
    uint64_t spread_us;
};

enum { AWAITED_MAX = 64 };

/* A message whose answer is awaited, or the life after it. */
struct awaited {
    enum server_rule rule;
    enum answer_due due;
    const char *fault;
    uint64_t bytes;
    uint64_t at_us;
    uint64_t event;      /* finding_book_event */
    bool may_be_limited; /* RATE_LIMITED may come for it instead */
    bool speaks;         /* it is of the full size, and the next speech frame is its own */
    bool answered;       /* the session must go on now */
};

struct answer_state {
    size_t count;
    struct awaited list[AWAITED_MAX]; /* in the order they were sent */
    bool biggest_passed;              /* the speech of a message of the full size came back */
    bool too_big_refused;             /* one of a byte more was refused, and the session went on */
    uint64_t largest;                 /* right message so far, bytes */
    char last_code[24];               /* of the latest errorResponse that answered nothing awaited */
};

struct silence_state {
    bool on; /* a stretch of pure silence */
    uint64_t first_us, last_us;
    uint64_t frames;     /* after the first */
    uint64_t settled_us; /* of the frame that the upper bound is counted from; 0: none yet */
    uint64_t settled_frames;
    double rate;  /* the lowest that was measured so far, frames a second; 0: none */
    bool unasked; /* the frame before had index 1, and no speech was sent */
};

struct picture_state {
    unsigned width, height; /* the config's, or the first picture's */
    uint64_t frames;
    bool silence_seen, speech_seen, final_seen; /* one of that kind was decoded */
};

struct clock_state {
    uint64_t latest_ms; /* of all frames' timestamps */
    bool nil_id;        /* the frame before had index 1, and the all-zero id */
};

struct server_rule_set {
    struct finding_book book; /* the first: finding_book.h */
    struct server_rule_context context;
    bool applies[SERVER_RULE_COUNT]; /* by the profile */
    struct server_session session;
    struct pong_state pong;
    struct server_rate_state rate;
    struct answer_state answers;
    struct silence_state silence;
    struct picture_state picture;
    struct clock_state clock;
    unsigned blur;       /* enum server_blur values */
    bool refusal_judged; /* OJ-SRV-01 */
    bool config_refused; /* OJ-SRV-02: the errorResponse came, the close is awaited */
    bool config_judged;
    bool backend_judged; /* OJ-SRV-21 */
    bool ready_judged;   /* OJ-SRV-03: the first message was looked at */
    bool start_judged;   /* OJ-SRV-04 */
    bool final_judged;   /* OJ-SRV-08: a finding was made for this end */
    bool final_good;     /* OJ-SRV-08: the final frame came after all that was due */
    bool cancel_judged;  /* OJ-SRV-09: a finding was made for this cancel */
};

/* A rule met its occasion and was kept so far. */
void server_kept(struct server_rule_set *rules, enum server_rule rule);
/* The rule is broken at `at_us`; the draft was begun by finding_begin. */
void server_finding_end(struct server_rule_set *rules, enum server_rule rule, struct finding_draft *draft,
                        uint64_t at_us);
/* All of that for fixed texts. */
void server_broken(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us, const char *expected,
                   const char *actual);
/* Our clock's Unix time. */
static inline uint64_t server_now_ms(const struct server_rule_set *rules, uint64_t at_us)
{
    return rules->context.epoch_ms + at_us / 1000;
}
/* How far a server's clock may be off. */
static inline uint64_t server_clock_off_ms(const struct server_rule_set *rules)
{
    return rules->context.clock_off_ms == 0 ? SERVER_CLOCK_OFF_MS : rules->context.clock_off_ms;
}

static inline uint64_t server_elapsed_us(uint64_t from_us, uint64_t to_us)
{
    return to_us > from_us ? to_us - from_us : 0;
}

/* server_observe.c: what an event is; then, after the rules have seen it, what it changes. */
void server_observe(struct server_rule_set *rules, struct server_seen *seen);
void server_settle(struct server_rule_set *rules, const struct server_seen *seen);
/*
 * Something is wrong with a frame as it has index 1 (`wrong`). A server that counts its frames in `index` has
 * that in its second frame as well, so the frame after it decides: true when `*held` was set by the frame
 * before and this one's index is 0 or 1; a final frame decides at once.
 */
bool server_index_counts(bool *held, bool wrong, const struct server_seen *seen);
/* server_request.c */
void server_observe_request(struct server_rule_set *rules, const struct wire_event *event);
/* server_rule_rate.c: has the message at hand come so close to six others that it may be refused? */
bool server_rate_is_near(const struct server_rule_set *rules);
/* server_client_message.c */
void client_message_read(const struct wire_event *event, struct client_message *out);

/* The rules: each is shown every event. */
typedef void server_rule_handler(struct server_rule_set *rules, enum server_rule rule,
                                 const struct server_seen *seen);
server_rule_handler server_rule_key;
server_rule_handler server_rule_config;
server_rule_handler server_rule_backend;
server_rule_handler server_rule_ready;
server_rule_handler server_rule_start;
server_rule_handler server_rule_silence;
server_rule_handler server_rule_speech;
server_rule_handler server_rule_payloads;
server_rule_handler server_rule_final;
server_rule_handler server_rule_cancel;
server_rule_handler server_rule_rate;
server_rule_handler server_rule_answers; /* OJ-SRV-11, 12 and 13 */
server_rule_handler server_rule_error_form;
server_rule_handler server_rule_identity;
server_rule_handler server_rule_pong;
server_rule_handler server_rule_layout;
server_rule_handler server_rule_audio;
server_rule_handler server_rule_any_pace;

/* Rules that wait decide: the connection is over at `now_us`, or the case is. */
typedef void server_rule_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us);
server_rule_ending server_rule_start_ending;
server_rule_ending server_rule_silence_ending;
server_rule_ending server_rule_final_ending;
server_rule_ending server_rule_speech_ending;
server_rule_ending server_rule_rate_ending;
server_rule_ending server_rule_answers_ending;
server_rule_ending server_rule_pong_ending;

#endif
