#include <assert.h>
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

/* Requirements that have to do with time, whether a rule judges them or checks of cases do. */
static const struct {
    const char *requirement;
    enum requirement_timing timing;
} TIMINGS[] = {
    {"IV-CON-03", REQUIREMENT_TIMED},           /* delays that grow */
    {"IV-IN-03", REQUIREMENT_TIMED},            /* ten chunks a second */
    {"IV-IN-05", REQUIREMENT_TIMED_BY_SECONDS}, /* no chunk for 3 s */
    {"IV-IN-06", REQUIREMENT_TIMED_BY_SECONDS}, /* the reply goes on for seconds when it is interrupted */
    {"IV-OUT-02", REQUIREMENT_TIMED},           /* heard without gaps, by the client's clock */
};

static const struct rule_condition CONDITIONS[] = {
    {.requirement = "IV-CON-01", .enforced = true},
    {.requirement = "IV-IN-01", .enforced = true},
    {.requirement = "IV-IN-02", .spared = RULE_SPARED_UNREAD}, /* what a full queue drops is no fault of it */
    {.requirement = "IV-IN-03", .spared = RULE_SPARED_UNREAD},
    {.requirement = "IV-IN-04", .enforced = true},
    {.requirement = "IV-IN-05", .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "IV-IN-06", .left_out = "the client cancels no reply"},
    {.requirement = "IV-OUT-04", .spared = RULE_SPARED_BROKEN},
    {.requirement = "IV-OUT-05", .spared = RULE_SPARED_BROKEN},
    {.requirement = "IV-OUT-06", .spared = RULE_SPARED_BROKEN},
    {.requirement = "IV-ERR-01", .spared = RULE_SPARED_BROKEN},
    {.requirement = NULL}};

static_assert((size_t)INTERVIEW_RULE_COUNT <= (size_t)RULES_MAX, "the book has a record for every rule");
static_assert((size_t)FINDINGS_PENDING_MAX > (size_t)INTERVIEW_RULE_COUNT,
              "every rule may find something in the same event");

static enum requirement_timing timing_of(const char *id)
{
    for (size_t i = 0; i < sizeof TIMINGS / sizeof TIMINGS[0]; i++)
        if (strcmp(TIMINGS[i].requirement, id) == 0)
            return TIMINGS[i].timing;
    return REQUIREMENT_UNTIMED;
}

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

static void set_free(struct rule_set *rules)
{
    free(rules);
}

static void set_epoch_ms(struct rule_set *rules, uint64_t epoch_ms)
{
    rules->context.epoch_ms = epoch_ms;
}

static bool set_take_finding(struct rule_set *rules, struct finding *out)
{
    return finding_book_take(&rules->book, out);
}

static enum rule_verdict set_verdict(const struct rule_set *rules, size_t n)
{
    return rules->book.records[n].verdict;
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
                                           .destroy = set_free,
                                           .set_epoch_ms = set_epoch_ms,
                                           .event = set_event,
                                           .finish = set_finish,
                                           .take_finding = set_take_finding,
                                           .verdict = set_verdict,
                                           .speeches_said = speeches_said,
                                           .timing = timing_of,
                                           .conditions = CONDITIONS};
