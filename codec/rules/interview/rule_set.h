/*
 * Inside of the rules for clients of the interview family: what a rule is, what it is shown of an event, and
 * the state the rules keep. Used by the files of this folder only.
 */
#ifndef CODEC_RULES_INTERVIEW_RULE_SET_H
#define CODEC_RULES_INTERVIEW_RULE_SET_H

#include "codec/rules/finding_book.h"
#include "codec/rules/interview/watch.h"

enum interview_rule { INTERVIEW_RULE_IN_01, INTERVIEW_RULE_IN_04, INTERVIEW_RULE_COUNT };

struct rule_set {
    struct rule_context context;
    struct interview_watch watch;
    struct finding_book book;
};

/* The rules: each is shown every event. */
typedef void interview_rule_handler(struct rule_set *rules, enum interview_rule rule,
                                    const struct interview_seen *seen);
interview_rule_handler interview_rule_chunk;
interview_rule_handler interview_rule_size;

/* Rules that wait decide: the connection is over at `now_us`, or the case is. */
typedef void interview_rule_ending(struct rule_set *rules, enum interview_rule rule, uint64_t now_us);

#endif
