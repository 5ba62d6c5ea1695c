/*
 * Inside of the rules for servers of the interview family: what a rule is, what it is shown of an event, and
 * the state they keep. Used by the server_….c files of this folder only.
 */
#ifndef CODEC_RULES_INTERVIEW_SERVER_RULE_SET_H
#define CODEC_RULES_INTERVIEW_SERVER_RULE_SET_H

#include "codec/rules/finding_book.h"
#include "codec/rules/interview/watch.h"
#include "codec/rules/server_rules.h"

enum interview_server_rule {
    INTERVIEW_SERVER_RULE_01,
    INTERVIEW_SERVER_RULE_03,
    INTERVIEW_SERVER_RULE_04,
    INTERVIEW_SERVER_RULE_05,
    INTERVIEW_SERVER_RULE_06,
    INTERVIEW_SERVER_RULE_08,
    INTERVIEW_SERVER_RULE_09,
    INTERVIEW_SERVER_RULE_COUNT
};

/* A request that must be refused. */
struct refusal_state {
    bool due;
    uint64_t since_us;
    const char *what; /* static: why */
};

/* What a commit brings. */
struct reply_state {
    bool due;
    uint64_t since_us; /* the commit, or what the server last sent of it */
    bool heard;        /* the candidate's transcript came */
    bool spoken;       /* a chunk with is_final came */
    bool spoken_text;  /* the transcript of the ai came */
    bool result;       /* the function_result came */
};

/* What the client sent that is wrong, and its answer. */
struct answer_state {
    bool due;      /* an error is awaited for the oldest of them */
    bool answered; /* it came; life is awaited */
    uint64_t since_us;
    uint64_t event; /* the message, finding_book_event */
    char fault[120];
};

struct server_rule_set {
    struct finding_book book; /* the first: finding_book.h */
    struct server_rule_context context;
    struct interview_watch watch;
    unsigned blur; /* enum interview_blur values */
    struct refusal_state refusal;
    bool opening_broken; /* IV-SRV-03: said once */
    struct reply_state reply;
    bool cancel_judged; /* IV-SRV-05: of the cancel under way */
    struct answer_state answer;
};

/* The rules: each is shown every event. */
typedef void interview_server_handler(struct server_rule_set *rules, enum interview_server_rule rule,
                                      const struct interview_seen *seen);
interview_server_handler interview_server_refusal;
interview_server_handler interview_server_opening;
interview_server_handler interview_server_reply;
interview_server_handler interview_server_cancel;
interview_server_handler interview_server_answers;
interview_server_handler interview_server_ending;
interview_server_handler interview_server_form;

/* Rules that wait look at the time: before each event, and when the connection is over at `now_us`. */
typedef void interview_server_clock(struct server_rule_set *rules, enum interview_server_rule rule,
                                    uint64_t now_us);
interview_server_clock interview_server_refusal_clock;
interview_server_clock interview_server_opening_clock;
interview_server_clock interview_server_reply_clock;
interview_server_clock interview_server_cancel_clock;
interview_server_clock interview_server_answers_clock;

/* Does the server end the connection? */
static inline bool interview_server_ends(const struct interview_seen *seen)
{
    return seen->ends && seen->event->direction == WIRE_FROM_SERVER;
}

#endif
