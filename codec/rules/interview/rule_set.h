/*
 * Inside of the rules for clients of the interview family: what a rule is, what it is shown of an event, and
 * the state the rules keep. Used by the files of this folder only.
 */
#ifndef CODEC_RULES_INTERVIEW_RULE_SET_H
#define CODEC_RULES_INTERVIEW_RULE_SET_H

#include "codec/rules/finding_book.h"
#include "codec/rules/framing.h"
#include "codec/rules/interview/watch.h"
#include "codec/rules/pong_wait.h"
#include "codec/rules/source_follow.h"

enum interview_rule {
    INTERVIEW_RULE_CON_01,
    INTERVIEW_RULE_CON_05,
    INTERVIEW_RULE_CON_06,
    INTERVIEW_RULE_IN_01,
    INTERVIEW_RULE_IN_02,
    INTERVIEW_RULE_IN_03,
    INTERVIEW_RULE_IN_04,
    INTERVIEW_RULE_IN_05,
    INTERVIEW_RULE_OUT_04,
    INTERVIEW_RULE_OUT_05,
    INTERVIEW_RULE_OUT_06,
    INTERVIEW_RULE_ERR_01,
    INTERVIEW_RULE_COUNT
};

/* Chunks, and how fast they come. */
struct pace_state {
    uint64_t times[INTERVIEW_CHUNKS_PER_SECOND_MAX + 1]; /* of the latest */
    uint64_t count;                                      /* in all */
    bool in_burst;                                       /* said once of several in a row */
    bool short_open;                                     /* the latest is shorter than chunks are */
    size_t short_samples;
};

/* The place in the client's speech. */
struct source_state {
    bool lost;   /* audio came in a way that cannot be followed */
    bool broken; /* said once */
    struct source_place place;
};

/* Something came from the server that must not disturb the client. */
struct shock_state {
    bool set[INTERVIEW_RULE_COUNT]; /* by the rule that says so */
    uint64_t at_us[INTERVIEW_RULE_COUNT];
    uint64_t event[INTERVIEW_RULE_COUNT]; /* finding_book_event */
    bool crossed[INTERVIEW_RULE_COUNT];   /* a message that may have been on its way has come */
};

struct rule_set {
    struct finding_book book; /* the first: finding_book.h */
    struct rule_context context;
    struct interview_watch watch;
    struct pong_state pong;
    struct framing_state framing;
    struct pace_state pace;
    struct source_state source;
    struct shock_state shock;
    uint64_t chunk_event; /* the latest audio_chunk, finding_book_event */
};

/* The rules: each is shown every event. */
typedef void interview_rule_handler(struct rule_set *rules, enum interview_rule rule,
                                    const struct interview_seen *seen);
interview_rule_handler interview_rule_request;
interview_rule_handler interview_rule_pong;
interview_rule_handler interview_rule_framing;
interview_rule_handler interview_rule_chunk;
interview_rule_handler interview_rule_source;
interview_rule_handler interview_rule_pace;
interview_rule_handler interview_rule_size;
interview_rule_handler interview_rule_commit;
interview_rule_handler interview_rule_shocks; /* OUT-04, OUT-05, OUT-06, ERR-01 */

/* Rules that wait decide: the connection is over at `now_us`, or the case is. */
typedef void interview_rule_ending(struct rule_set *rules, enum interview_rule rule, uint64_t now_us);
interview_rule_ending interview_rule_pong_ending;
interview_rule_ending interview_rule_commit_ending;

#endif
