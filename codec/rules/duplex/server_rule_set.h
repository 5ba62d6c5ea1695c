/*
 * Inside of the rules for servers of the full-duplex family: what a rule is, what it is shown of an event,
 * and the state they keep. Used by the server_….c files of this folder only.
 */
#ifndef CODEC_RULES_DUPLEX_SERVER_RULE_SET_H
#define CODEC_RULES_DUPLEX_SERVER_RULE_SET_H

#include "codec/rules/duplex/watch.h"
#include "codec/rules/finding_book.h"
#include "codec/rules/server_rules.h"

enum duplex_server_rule {
    DUPLEX_SERVER_RULE_01,
    DUPLEX_SERVER_RULE_02,
    DUPLEX_SERVER_RULE_03,
    DUPLEX_SERVER_RULE_04,
    DUPLEX_SERVER_RULE_05,
    DUPLEX_SERVER_RULE_06,
    DUPLEX_SERVER_RULE_07,
    DUPLEX_SERVER_RULE_08,
    DUPLEX_SERVER_RULE_09,
    DUPLEX_SERVER_RULE_10,
    DUPLEX_SERVER_RULE_11,
    DUPLEX_SERVER_RULE_12,
    DUPLEX_SERVER_RULE_13,
    DUPLEX_SERVER_RULE_14,
    DUPLEX_SERVER_RULE_15,
    DUPLEX_SERVER_RULE_16,
    DUPLEX_SERVER_RULE_17,
    DUPLEX_SERVER_RULE_18,
    DUPLEX_SERVER_RULE_19,
    DUPLEX_SERVER_RULE_20,
    DUPLEX_SERVER_RULE_COUNT
};

enum {
    /* How long an answer is waited for: it takes no inference, but a loaded machine is slow. */
    DUPLEX_ANSWER_WAIT_US = 3000000,
    DUPLEX_AWAITED_MAX = 32,
    DUPLEX_TURN_DELTAS_MAX = 64 /* of which text and sound are compared */
};

/* A message of the client's whose answer is awaited, or life after it. */
struct duplex_awaited {
    enum duplex_server_rule rule;
    enum duplex_error_code code; /* DUPLEX_ERROR_COUNT: any of a client's errors */
    bool is_update;              /* a right session.update, sent too early: it may come to be taken */
    uint64_t at_us;
    uint64_t event; /* finding_book_event */
    bool answered;
    char fault[120];
};

struct duplex_turn_state {
    bool open;
    bool interrupted; /* force_listen was sent since it began */
    bool broken;
    size_t deltas;
    uint64_t samples, chars; /* so far */
    uint64_t samples_after[DUPLEX_TURN_DELTAS_MAX];
    uint64_t chars_after[DUPLEX_TURN_DELTAS_MAX];
};

/* What was appended since the latest listen. */
struct duplex_growth {
    bool has_listen;
    int64_t listened;           /* kv_cache_length of the latest listen */
    uint64_t appends, pictures; /* since */
    bool disturbed;             /* by deltas, other lengths of sound, or messages that were cut */
    bool lagging;               /* ... so that a listen need not count all that came before it */
    int64_t slices;             /* of the latest append */
    int64_t other;              /* that hold if an override is not kept: the session's, or the one before */
    bool overridden;            /* ... which are not the session's */
    bool after_override;        /* ... which is the first after one that was */
    bool override_before;       /* the append before the latest one was overridden */
    bool right_1, right_4;      /* pictures cost what they should */
    bool right_override, right_after;
};

struct server_rule_set {
    struct finding_book book; /* the first: finding_book.h */
    struct server_rule_context context;
    struct duplex_watch watch;
    struct duplex_read_options options;
    unsigned blur; /* enum duplex_blur values */
    size_t awaited_count;
    struct duplex_awaited awaited[DUPLEX_AWAITED_MAX]; /* in the order they were sent */
    bool opening_broken;                               /* DX-SRV-01: said once */
    bool bad_json;                                     /* DX-SRV-05: a close with 1003 is awaited */
    uint64_t bad_json_us;
    bool fatal; /* DX-SRV-06: a close with 1013 is awaited */
    uint64_t fatal_us;
    struct duplex_turn_state turn;
    int64_t cache_length; /* the latest kv_cache_length; -1: none */
    bool cache_full;
    uint64_t cache_full_us;
    struct duplex_growth growth;
    int64_t chunk_tokens;  /* that the pictures of the greatest append cost */
    int64_t untold_tokens; /* and all of those that came since a length was told */
    int64_t session_slices;
    bool time_judged; /* DX-SRV-10 and 15 */
    bool force;       /* DX-SRV-11: a listen is awaited */
    uint64_t force_us;
    unsigned force_deltas;
    uint64_t append_times[3]; /* DX-SRV-12: of the latest, the newest first */
    size_t append_time_count;
    bool burst;
    uint64_t burst_us;
    bool idle_done; /* DX-SRV-16: there was a stretch without appends, and an append after it */
    uint64_t idle_since_us;
    bool close_judged; /* DX-SRV-13 */
    bool inference;    /* DX-SRV-19: life is awaited */
    uint64_t inference_us;
};

/* The rules: each is shown every event. */
typedef void duplex_server_handler(struct server_rule_set *rules, enum duplex_server_rule rule,
                                   const struct duplex_seen *seen);
duplex_server_handler duplex_server_opening;
duplex_server_handler duplex_server_session_id;
duplex_server_handler duplex_server_answers; /* DX-SRV-03 and 04 */
duplex_server_handler duplex_server_invalid_json;
duplex_server_handler duplex_server_fatal;
duplex_server_handler duplex_server_turns; /* DX-SRV-07 and 08 */
duplex_server_handler duplex_server_context;
duplex_server_handler duplex_server_lasting; /* DX-SRV-10 and 15 */
duplex_server_handler duplex_server_force;
duplex_server_handler duplex_server_burst;
duplex_server_handler duplex_server_close;
duplex_server_handler duplex_server_slices; /* DX-SRV-14 and 20 */
duplex_server_handler duplex_server_idle;
duplex_server_handler duplex_server_error_form;
duplex_server_handler duplex_server_output_form;
duplex_server_handler duplex_server_inference;

/* Rules that wait look at the time: before each event, and when the connection is over at `now_us`. */
typedef void duplex_server_clock(struct server_rule_set *rules, enum duplex_server_rule rule,
                                 uint64_t now_us);
duplex_server_clock duplex_server_opening_clock;
duplex_server_clock duplex_server_answers_clock;
duplex_server_clock duplex_server_invalid_json_clock;
duplex_server_clock duplex_server_fatal_clock;
duplex_server_clock duplex_server_context_clock;
duplex_server_clock duplex_server_lasting_clock;
duplex_server_clock duplex_server_force_clock;
duplex_server_clock duplex_server_burst_clock;
duplex_server_clock duplex_server_close_clock;

void duplex_server_kept(struct server_rule_set *rules, enum duplex_server_rule rule);
/* The draft was begun by finding_begin. */
void duplex_server_finding_end(struct server_rule_set *rules, enum duplex_server_rule rule,
                               struct finding_draft *draft, uint64_t at_us);
/* All of that for fixed texts. */
void duplex_server_broken(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t at_us,
                          const char *expected, const char *actual);
/* ... with a number behind the second. */
void duplex_server_broken_number(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t at_us,
                                 const char *expected, const char *actual, uint64_t number, const char *unit);

/* A message of the server's of that type, here whole. */
bool duplex_server_sent(const struct duplex_seen *seen, enum duplex_message_type type);
/* A delta or a listen without a fault. */
bool duplex_server_output(const struct duplex_seen *seen);
/* An append of the client's with nothing wrong, in the phase for it. */
bool duplex_server_right_append(const struct server_rule_set *rules, const struct duplex_seen *seen);
/* Does the event end the session for a reason that may come at any time: its time is over, its context full,
 * the server goes, or the client said so? */
bool duplex_server_ends_lawfully(const struct server_rule_set *rules, const struct duplex_seen *seen);
/* Does the server end it, by session.closed or by the connection? */
bool duplex_server_ends(const struct duplex_seen *seen);

#endif
