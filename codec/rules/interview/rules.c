#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "codec/rules/interview/classes.h"
#include "codec/rules/interview/rule_set.h"

/* One row a rule. */
static const struct {
    const char *requirement;
    interview_rule_handler *handle; /* NULL: another rule's judges it as well */
    interview_rule_ending *end;     /* NULL: it waits for nothing */
} RULES[INTERVIEW_RULE_COUNT] = {
    [INTERVIEW_RULE_CON_01] = {"IV-CON-01", interview_rule_request, NULL},
    [INTERVIEW_RULE_CON_05] = {"IV-CON-05", interview_rule_pong, interview_rule_pong_ending},
    [INTERVIEW_RULE_CON_06] = {"IV-CON-06", interview_rule_framing, NULL},
    [INTERVIEW_RULE_IN_01] = {"IV-IN-01", interview_rule_chunk, NULL},
    [INTERVIEW_RULE_IN_02] = {"IV-IN-02", interview_rule_source, NULL},
    [INTERVIEW_RULE_IN_03] = {"IV-IN-03", interview_rule_pace, NULL},
    [INTERVIEW_RULE_IN_04] = {"IV-IN-04", interview_rule_size, NULL},
    [INTERVIEW_RULE_IN_05] = {"IV-IN-05", interview_rule_commit, interview_rule_commit_ending},
    [INTERVIEW_RULE_OUT_04] = {"IV-OUT-04", NULL, NULL}, /* judged with OUT-06 */
    [INTERVIEW_RULE_OUT_05] = {"IV-OUT-05", NULL, NULL}, /* judged with OUT-06 */
    [INTERVIEW_RULE_OUT_06] = {"IV-OUT-06", interview_rule_shocks, NULL},
    [INTERVIEW_RULE_ERR_01] = {"IV-ERR-01", NULL, NULL}, /* judged with OUT-06 */
};

static const struct rule_condition CONDITIONS[] = {
    {.requirement = "IV-CON-01", .enforced = true},
    {.requirement = "IV-CON-06", .enforced = true},
    {.requirement = "IV-CON-05",
     .timing = REQUIREMENT_TIMED_BY_SECONDS, /* a pong within 3 s */
     .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "IV-IN-01", .enforced = true},
    {.requirement = "IV-IN-02", .spared = RULE_SPARED_UNREAD}, /* what a full queue drops is no fault of it */
    {.requirement = "IV-IN-03",
     .timing = REQUIREMENT_TIMED, /* ten chunks a second */
     .spared = RULE_SPARED_UNREAD},
    {.requirement = "IV-IN-04", .enforced = true},
    {.requirement = "IV-IN-05",
     .timing = REQUIREMENT_TIMED_BY_SECONDS, /* no chunk for 3 s */
     .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "IV-IN-06",
     .timing = REQUIREMENT_TIMED_BY_SECONDS, /* the reply goes on for seconds when it is interrupted */
     .left_out = "the client cancels no reply"},
    {.requirement = "IV-OUT-04", .spared = RULE_SPARED_BROKEN},
    {.requirement = "IV-OUT-05", .spared = RULE_SPARED_BROKEN},
    {.requirement = "IV-OUT-06", .spared = RULE_SPARED_BROKEN},
    {.requirement = "IV-ERR-01", .spared = RULE_SPARED_BROKEN},
    {.requirement = "IV-CON-03", .timing = REQUIREMENT_TIMED}, /* delays that grow */
    {.requirement = "IV-OUT-02", .timing = REQUIREMENT_TIMED}, /* heard without gaps, by the client's clock */
    {.requirement = NULL}};

static_assert(offsetof(struct rule_set, book) == 0, "a set begins with its book");
static_assert((size_t)INTERVIEW_RULE_COUNT <= (size_t)RULES_MAX, "the book has a record for every rule");
static_assert((size_t)FINDINGS_PENDING_MAX > (size_t)INTERVIEW_RULE_COUNT,
              "every rule may find something in the same event");

static const char *requirement_of(size_t n)
{
    return RULES[n].requirement;
}

static struct rule_set *set_new(const struct rule_context *context)
{
    struct rule_set *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return NULL;
    rules->context = *context;
    if (rules->context.speech_count > RULE_SPEECHES_MAX)
        rules->context.speech_count = RULE_SPEECHES_MAX;
    interview_watch_init(&rules->watch, interview_profile_of(context->profile));
    finding_book_open(&rules->book, INTERVIEW_RULE_COUNT, requirement_of, context->profile);
    return rules;
}

static void set_epoch_ms(struct rule_set *rules, uint64_t epoch_ms)
{
    rules->context.epoch_ms = epoch_ms;
}

static size_t speeches_said(const struct rule_set *rules)
{
    const struct source_state *source = &rules->source;
    return !source_is_exact(&rules->context) || source->broken || source->lost ? RULE_SPEECHES_UNKNOWN
                                                                               : source->place.speech;
}

/* --- events --- */

static void set_finish(struct rule_set *rules, uint64_t now_us)
{
    if (rules->watch.over)
        return;
    for (size_t i = 0; i < INTERVIEW_RULE_COUNT; i++) {
        if (RULES[i].end != NULL)
            RULES[i].end(rules, (enum interview_rule)i, now_us);
    }
    rules->watch.over = true;
}

static void set_event(struct rule_set *rules, const struct wire_event *event)
{
    struct interview_seen seen;
    rules->book.event_count++;
    if (event->kind == WIRE_EVENT_TRANSPORT) {
        finding_book_spare(&rules->book, &INTERVIEW_RULES, event);
        return;
    }
    interview_watch_observe(&rules->watch, event, &seen);
    if (json_faults_no_memory(&seen.message.faults))
        finding_book_blind(&rules->book);
    for (size_t i = 0; i < INTERVIEW_RULE_COUNT && !rules->watch.over; i++) {
        /* Those that judge for several look after each of them. */
        if (RULES[i].handle != NULL)
            RULES[i].handle(rules, (enum interview_rule)i, &seen);
    }
    if (seen.ends) {
        rules->watch.server_left = event->direction == WIRE_FROM_SERVER;
        set_finish(rules, event->at_us);
    }
    interview_watch_settle(&rules->watch, &seen);
}

const struct rule_class INTERVIEW_RULES = {.count = INTERVIEW_RULE_COUNT,
                                           .requirement = requirement_of,
                                           .create = set_new,
                                           .destroy = rule_set_free,
                                           .set_epoch_ms = set_epoch_ms,
                                           .event = set_event,
                                           .finish = set_finish,
                                           .take_finding = rule_set_take_finding,
                                           .verdict = rule_set_verdict,
                                           .speeches_said = speeches_said,
                                           .conditions = CONDITIONS};
