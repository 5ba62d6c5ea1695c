/*
 * The findings of a rule set, kept until somebody takes them, and what came of each rule. For those who write
 * rules: every set of a family begins with one of these.
 */
#ifndef CODEC_RULES_FINDING_BOOK_H
#define CODEC_RULES_FINDING_BOOK_H

#include "codec/rules/server_rules.h"
#include "codec/wire/json_fault.h"

enum { RULES_MAX = 64 }; /* of one set */

struct rule_record {
    const char *requirement; /* static; to be set before the rules see an event */
    bool spared;             /* it is not judged, or no longer: what is said of it is dropped */
    enum rule_verdict verdict;
    unsigned findings;
    unsigned notes;
};

/* All zero but for the requirements is empty. */
struct finding_book {
    uint64_t event_count; /* to be counted up before the rules see an event */
    struct rule_record records[RULES_MAX];
    struct finding pending[FINDINGS_PENDING_MAX];
    size_t pending_first;
    size_t pending_count;
    bool by_clock; /* what is found now did not come in time */
};

/* Sets the requirements of an empty book; those that are not asked of the profile are spared. */
void finding_book_open(struct finding_book *book, size_t count, const char *(*requirement)(size_t n),
                       const struct profile *profile);
/* Spares the rules of `class` that are no longer judged once that WIRE_EVENT_TRANSPORT came. */
void finding_book_spare(struct finding_book *book, const struct rule_class *class,
                        const struct wire_event *event);

/* An event could not be read for want of our own memory: from here on nothing is judged, as nobody knows what
 * was in it. */
void finding_book_blind(struct finding_book *book);

/* A finding is begun, its texts are filled through `expected` and `actual`, and finding_book_end keeps it.
 * What shows it is the event that the rules see then, unless `finding.event` is set to an earlier one. */
struct finding_draft {
    struct finding finding;
    struct text expected;
    struct text actual;
};
void finding_begin(struct finding_draft *draft);
/* The same, with words in both. */
void finding_begin_with(struct finding_draft *draft, const char *expected, const char *actual);

/* The ordinal of the event that the rules see now, for what is found later and is about it. */
uint64_t finding_book_event(const struct finding_book *book);

/* A rule met its occasion and was kept so far. */
void finding_book_kept(struct finding_book *book, size_t rule);
/* The rule is broken (or, with `note`, only remarked on) at `at_us`. */
void finding_book_end(struct finding_book *book, size_t rule, struct finding_draft *draft, uint64_t at_us,
                      bool note);
/* All of that for fixed texts. */
void finding_book_broken(struct finding_book *book, size_t rule, uint64_t at_us, const char *expected,
                         const char *actual);
/* ... with a number behind the second. */
void finding_book_broken_number(struct finding_book *book, size_t rule, uint64_t at_us, const char *expected,
                                const char *actual, uint64_t number, const char *unit);
/* ... and for a fault of a message. */
void finding_book_broken_by_fault(struct finding_book *book, size_t rule, uint64_t at_us,
                                  const char *expected, const struct json_fault *fault);
/* A fault that breaks nothing of the rule, and is worth a remark there. */
void finding_book_remark_on_fault(struct finding_book *book, size_t rule, uint64_t at_us,
                                  const char *expected, const struct json_fault *fault);
bool finding_book_take(struct finding_book *book, struct finding *out);

/* For the classes, of sets that begin with their book; those that own nothing else are freed by the last. */
bool rule_set_take_finding(struct rule_set *rules, struct finding *out);
enum rule_verdict rule_set_verdict(const struct rule_set *rules, size_t n);
void rule_set_free(struct rule_set *rules);
bool server_rule_set_take_finding(struct server_rule_set *rules, struct finding *out);
enum rule_verdict server_rule_set_verdict(const struct server_rule_set *rules, size_t n);
void server_rule_set_free(struct server_rule_set *rules);

#endif
