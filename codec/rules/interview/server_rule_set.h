/*
 * Inside of the rules for servers of the interview family: what a rule is, what it is shown of an event, and
 * the state they keep. Used by the server_….c files of this folder only.
 */
#ifndef CODEC_RULES_INTERVIEW_SERVER_RULE_SET_H
#define CODEC_RULES_INTERVIEW_SERVER_RULE_SET_H

#include "codec/rules/finding_book.h"
#include "codec/rules/interview/watch.h"
#include "codec/rules/server_rules.h"

enum interview_server_rule { INTERVIEW_SERVER_RULE_09, INTERVIEW_SERVER_RULE_COUNT };

struct server_rule_set {
    struct server_rule_context context;
    struct interview_watch watch;
    unsigned blur; /* enum interview_blur values */
    struct finding_book book;
};

/* The rules: each is shown every event. */
typedef void interview_server_handler(struct server_rule_set *rules, enum interview_server_rule rule,
                                      const struct interview_seen *seen);
interview_server_handler interview_server_form;

/* Rules that wait look at the time: before each event, and when the connection is over at `now_us`. */
typedef void interview_server_clock(struct server_rule_set *rules, enum interview_server_rule rule,
                                    uint64_t now_us);

#endif
