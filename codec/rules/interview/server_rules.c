#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "codec/rules/interview/classes.h"
#include "codec/rules/interview/server_rule_set.h"

enum { FORM = INTERVIEW_BLUR_FORM };

/* One row a rule. */
static const struct {
    const char *requirement;
    interview_server_handler *handle; /* NULL: another rule's judges it as well */
    interview_server_clock *clock;    /* NULL: it waits for nothing */
    unsigned blur;                    /* what it reads: enum interview_blur values */
    bool timed;                       /* it holds times against each other */
    bool of_messages;                 /* the server's messages alone break it */
} RULES[INTERVIEW_SERVER_RULE_COUNT] = {
    [INTERVIEW_SERVER_RULE_01] = {"IV-SRV-01", interview_server_refusal, interview_server_refusal_clock, 0,
                                  false, false},
    [INTERVIEW_SERVER_RULE_03] = {"IV-SRV-03", interview_server_opening, interview_server_opening_clock, FORM,
                                  false, true},
    [INTERVIEW_SERVER_RULE_04] = {"IV-SRV-04", interview_server_reply, interview_server_reply_clock, FORM,
                                  false, false},
    [INTERVIEW_SERVER_RULE_05] = {"IV-SRV-05", interview_server_cancel, interview_server_cancel_clock, FORM,
                                  true, false},
    [INTERVIEW_SERVER_RULE_06] = {"IV-SRV-06", interview_server_answers, interview_server_answers_clock, FORM,
                                  false, false},
    [INTERVIEW_SERVER_RULE_08] = {"IV-SRV-08", interview_server_ending, NULL, 0, false, false},
    [INTERVIEW_SERVER_RULE_09] = {"IV-SRV-09", interview_server_form, NULL, 0, false, true},
};

static_assert(offsetof(struct server_rule_set, book) == 0, "a set begins with its book");
static_assert((size_t)INTERVIEW_SERVER_RULE_COUNT <= (size_t)RULES_MAX,
              "the book has a record for every rule");
static_assert((size_t)FINDINGS_PENDING_MAX > (size_t)INTERVIEW_SERVER_RULE_COUNT,
              "every rule may find something in the same event");

static const char *requirement_of(size_t n)
{
    return RULES[n].requirement;
}

static struct server_rule_set *set_new(const struct server_rule_context *context)
{
    struct server_rule_set *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return NULL;
    rules->context = *context;
    interview_watch_init(&rules->watch, interview_profile_of(context->profile));
    finding_book_open(&rules->book, INTERVIEW_SERVER_RULE_COUNT, requirement_of, context->profile);
    return rules;
}

static unsigned set_blur(const struct server_rule_set *rules)
{
    return rules->blur;
}

static struct server_rule_traits traits_of(size_t n)
{
    return (struct server_rule_traits){RULES[n].blur, RULES[n].timed, RULES[n].of_messages};
}

static const char *blur_requirement(unsigned blur)
{
    (void)blur;
    return "IV-SRV-09";
}

/* --- events --- */

static void look_at_clock(struct server_rule_set *rules, uint64_t now_us)
{
    rules->book.by_clock = true;
    for (size_t i = 0; i < INTERVIEW_SERVER_RULE_COUNT; i++) {
        if (RULES[i].clock != NULL)
            RULES[i].clock(rules, (enum interview_server_rule)i, now_us);
    }
    rules->book.by_clock = false;
}

static void set_finish(struct server_rule_set *rules, uint64_t now_us)
{
    if (!rules->watch.over)
        look_at_clock(rules, now_us);
    rules->watch.over = true;
}

static void set_event(struct server_rule_set *rules, const struct wire_event *event)
{
    struct interview_seen seen;
    rules->book.event_count++;
    interview_watch_observe(&rules->watch, event, &seen);
    if (json_faults_no_memory(&seen.message.faults))
        finding_book_blind(&rules->book);
    if (!rules->watch.over) /* what is overdue when it ends is overdue */
        look_at_clock(rules, event->at_us);
    for (size_t i = 0; i < INTERVIEW_SERVER_RULE_COUNT && !rules->watch.over; i++) {
        if (RULES[i].handle != NULL)
            RULES[i].handle(rules, (enum interview_server_rule)i, &seen);
    }
    interview_watch_settle(&rules->watch, &seen);
}

const struct server_rule_class INTERVIEW_SERVER_RULES = {.count = INTERVIEW_SERVER_RULE_COUNT,
                                                         .requirement = requirement_of,
                                                         .create = set_new,
                                                         .destroy = server_rule_set_free,
                                                         .event = set_event,
                                                         .finish = set_finish,
                                                         .take_finding = server_rule_set_take_finding,
                                                         .verdict = server_rule_set_verdict,
                                                         .blur_requirement = blur_requirement,
                                                         .blur = set_blur,
                                                         .traits = traits_of};
