/*
 * A full-duplex session on a bench: a clock that only the test moves, everything that was sent, kept, and the
 * rules for clients and for servers looking on.
 *
 * Every event that goes in is copied to the heap at its exact size first.
 */
#ifndef SERVER_DUPLEX_TESTS_TALK_H
#define SERVER_DUPLEX_TESTS_TALK_H

#include "codec/duplex/messages.h"
#include "codec/rules/server_rules.h"
#include "server/core/session.h"
#include "server/core/worker_pool.h"

enum { TALK_SAID_MAX = 4000, TALK_WORD_MAX = 64, TALK_TEXT_MAX = 400, TALK_FINDINGS_MAX = 64 };

static const uint64_t TALK_EPOCH_MS = 1750000000000;
static const uint64_t TALK_SECOND_US = 1000000;

#define TALK_HEAD(query)                                                                                     \
    "GET /v1/realtime" query " HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"

/* One action. */
struct said {
    uint64_t at_us;
    enum action_kind kind;
    uint16_t code;
    char label[ACTION_LABEL_MAX];
    bool fault;
    enum duplex_message_type type;
    size_t faults;            /* of reading it */
    char word[TALK_WORD_MAX]; /* reason, error code, session id or ticket */
    char text[TALK_TEXT_MAX]; /* of a delta; of others the whole message, cut */
    bool has_audio, end_of_turn, has_kv;
    size_t samples;
    size_t heard_at;    /* of a delta: where its sound begins in `heard`, in samples */
    int64_t kv, number; /* kv_cache_length; prompt_length or position */
    double wait_s;
};

struct talk {
    struct session *session;
    struct session_config config;
    struct duplex_read_options read;
    struct actions actions;
    bool reads_ahead; /* each text is read before its turn, and is not there any more when it comes */
    int64_t slices;   /* of session.update; 0: none said */
    uint64_t now_us;
    uint64_t tick_us; /* between ticks of a late host; 0: it is in time */
    size_t count;
    struct said *said;
    struct buffer heard; /* the sound of all deltas */
    struct rule_set *client_rules;
    struct server_rule_set *server_rules;
    size_t finding_count; /* of the server's */
    struct finding findings[TALK_FINDINGS_MAX];
};

enum talk_sound { TALK_SILENCE, TALK_SPEECH };

struct talk_append {
    enum talk_sound sound;
    size_t samples; /* 0: a second */
    bool no_picture;
    int64_t slices; /* 0: none said */
    bool force;
};

/* Nothing has happened yet. */
void talk_new(struct talk *talk, const char *profile, const char *quirks, struct worker_pool *workers);
void talk_free(struct talk *talk);
/* The upgrade, and the opening when it is let in. */
void talk_request(struct talk *talk, const char *head);
/* let in in the profile's mode, set up and active. */
void talk_begin(struct talk *talk, const char *profile, const char *quirks);

void talk_event(struct talk *talk, enum session_event_kind kind, struct bytes data);
void talk_text(struct talk *talk, const char *json);
void talk_update(struct talk *talk);
void talk_close(struct talk *talk);
void talk_append(struct talk *talk, struct talk_append append);
/* `count` appends, each of a second and a second apart. */
void talk_seconds(struct talk *talk, size_t count, enum talk_sound sound);
void talk_run(struct talk *talk, uint64_t until_us);
static inline void talk_wait(struct talk *talk, uint64_t us)
{
    talk_run(talk, talk->now_us + us);
}
/* Composes a message from options; fails the test when that is refused. */
void talk_compose(struct talk *talk, const char *kind, const struct compose_option *options, size_t count);

size_t talk_count(const struct talk *talk, const char *label);
/* The n-th (from 0) of that label; fails the test when there are fewer. */
const struct said *talk_nth(const struct talk *talk, const char *label, size_t n);
const struct said *talk_last(const struct talk *talk, const char *label);
/* How many errors of that code. */
size_t talk_errors(const struct talk *talk, const char *code);
/* The labels of all that was sent, with spaces between; static storage of the talk's own. */
void talk_labels(const struct talk *talk, char out[TALK_TEXT_MAX]);
/* The verdict on a requirement of servers. */
enum rule_verdict talk_verdict(const struct talk *talk, const char *requirement);
/* No rule for servers found anything. */
void talk_check_sound(const struct talk *talk);
/* Tells the rules that it is over. */
void talk_finish(struct talk *talk);

#endif
