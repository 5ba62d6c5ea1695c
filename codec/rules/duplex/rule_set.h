/*
 * Inside of the rules for clients of the full-duplex family: what a rule is, what it is shown of an event,
 * and the state the rules keep. Used by the files of this folder only.
 */
#ifndef CODEC_RULES_DUPLEX_RULE_SET_H
#define CODEC_RULES_DUPLEX_RULE_SET_H

#include "codec/rules/duplex/watch.h"
#include "codec/rules/finding_book.h"
#include "codec/rules/framing.h"
#include "codec/rules/pong_wait.h"
#include "codec/rules/source_follow.h"

enum duplex_rule {
    DUPLEX_RULE_CON_01,
    DUPLEX_RULE_CON_02,
    DUPLEX_RULE_CON_03,
    DUPLEX_RULE_CON_04,
    DUPLEX_RULE_CON_06,
    DUPLEX_RULE_CON_07,
    DUPLEX_RULE_SES_01,
    DUPLEX_RULE_SES_02,
    DUPLEX_RULE_APP_01,
    DUPLEX_RULE_APP_02,
    DUPLEX_RULE_APP_03,
    DUPLEX_RULE_APP_04,
    DUPLEX_RULE_APP_05,
    DUPLEX_RULE_APP_06,
    DUPLEX_RULE_APP_07,
    DUPLEX_RULE_APP_08,
    DUPLEX_RULE_OUT_05,
    DUPLEX_RULE_OUT_07,
    DUPLEX_RULE_OUT_08,
    DUPLEX_RULE_CLS_01,
    DUPLEX_RULE_CLS_02,
    DUPLEX_RULE_ERR_01,
    DUPLEX_RULE_ERR_04,
    DUPLEX_RULE_FLD_02,
    DUPLEX_RULE_FLD_03,
    DUPLEX_RULE_COUNT
};

/* Appends, and how fast they come. */
struct pace_state {
    bool started;
    uint64_t first_us; /* of the first since the latest pause */
    uint64_t latest_us;
    uint64_t latest_event; /* finding_book_event */
    uint64_t samples;      /* since first_us */
    bool short_open;       /* the latest append was shorter than a second */
    uint64_t short_samples;
    uint64_t turn_us;        /* when the server's latest turn began */
    bool speaking_all_along; /* the server has been speaking since the latest append */
};

/* The place in the client's speech. */
struct source_state {
    bool lost;   /* audio came in a way that cannot be followed */
    bool broken; /* said once */
    struct source_place place;
};

/* Something came from the server that must not disturb the client. */
struct shock_state {
    bool set[DUPLEX_RULE_COUNT]; /* by the rule that says so */
    uint64_t at_us[DUPLEX_RULE_COUNT];
    uint64_t event[DUPLEX_RULE_COUNT]; /* finding_book_event */
    bool crossed[DUPLEX_RULE_COUNT];   /* an append that may have been on its way has come */
    bool any;
    int64_t kv_cache_length; /* the latest; -1: none */
};

struct rule_set {
    struct finding_book book; /* the first: finding_book.h */
    struct rule_context context;
    struct duplex_watch watch;
    struct duplex_read_options options;
    struct pace_state pace;
    struct source_state source;
    struct pong_state pong;
    struct framing_state framing;
    bool crossed; /* DX-CLS-02: an append that may have been on its way has come */
    struct shock_state shock;
    uint64_t queue_done_event, close_event; /* finding_book_event of the latest */
};

/* The rules: each is shown every event. */
typedef void duplex_rule_handler(struct rule_set *rules, enum duplex_rule rule,
                                 const struct duplex_seen *seen);
duplex_rule_handler duplex_rule_request;
duplex_rule_handler duplex_rule_quiet_in_queue;
duplex_rule_handler duplex_rule_prompt_start;
duplex_rule_handler duplex_rule_update_first;
duplex_rule_handler duplex_rule_pong;
duplex_rule_handler duplex_rule_framing;
duplex_rule_handler duplex_rule_update;
duplex_rule_handler duplex_rule_audio;
duplex_rule_handler duplex_rule_audio_length;
duplex_rule_handler duplex_rule_pace;
duplex_rule_handler duplex_rule_pictures_present;
duplex_rule_handler duplex_rule_pictures_absent;
duplex_rule_handler duplex_rule_append_members;
duplex_rule_handler duplex_rule_source;
duplex_rule_handler duplex_rule_pictures;
duplex_rule_handler duplex_rule_interrupt;
duplex_rule_handler duplex_rule_close;
duplex_rule_handler duplex_rule_after_closed;
duplex_rule_handler duplex_rule_one_update;
duplex_rule_handler duplex_rule_shocks; /* SES-02, OUT-05, OUT-08, ERR-01, ERR-04, FLD-03 */

/* Rules that wait decide: the connection is over at `now_us`, or the case is. */
typedef void duplex_rule_ending(struct rule_set *rules, enum duplex_rule rule, uint64_t now_us);
duplex_rule_ending duplex_rule_prompt_start_ending;
duplex_rule_ending duplex_rule_pong_ending;
duplex_rule_ending duplex_rule_pace_ending;
duplex_rule_ending duplex_rule_close_ending;
duplex_rule_ending duplex_rule_after_closed_ending;

void duplex_kept(struct rule_set *rules, enum duplex_rule rule);
/* The draft was begun by finding_begin. */
void duplex_finding_end(struct rule_set *rules, enum duplex_rule rule, struct finding_draft *draft,
                        uint64_t at_us);
/* All of that for fixed texts. */
void duplex_broken(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, const char *expected,
                   const char *actual);
/* ... and for a fault of a message. */
void duplex_broken_by_fault(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us,
                            const char *expected, const struct json_fault *fault);
/* A fault that breaks nothing of the rule, and is worth a remark there. */
void duplex_remark(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us, const char *expected,
                   const struct json_fault *fault);
/* An append of the client in the phase for it, here whole. */
static inline bool duplex_is_append(const struct rule_set *rules, const struct duplex_seen *seen)
{
    return seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_APPEND) &&
           rules->watch.phase == DUPLEX_PHASE_ACTIVE;
}

/* rule_source.c: is the speech known, and what came of it so far as it was given? */
bool duplex_source_is_followed(const struct rule_set *rules);

/* rule_shock.c: what the client did not get over, when it ends the connection without a word; NULL: nothing.
 * What is told there is not held against it as a missing session.close. */
bool duplex_shock_explains_end(const struct rule_set *rules, uint64_t now_us, enum duplex_rule *rule);

#endif
