#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "codec/rules/duplex/classes.h"
#include "codec/rules/duplex/rule_set.h"

/* One row a rule. */
static const struct {
    const char *requirement;
    duplex_rule_handler *handle; /* NULL: another rule's judges it as well */
    duplex_rule_ending *end;     /* NULL: it waits for nothing */
} RULES[DUPLEX_RULE_COUNT] = {
    [DUPLEX_RULE_CON_01] = {"DX-CON-01", duplex_rule_request, NULL},
    [DUPLEX_RULE_CON_02] = {"DX-CON-02", duplex_rule_quiet_in_queue, NULL},
    [DUPLEX_RULE_CON_03] = {"DX-CON-03", duplex_rule_prompt_start, duplex_rule_prompt_start_ending},
    [DUPLEX_RULE_CON_04] = {"DX-CON-04", duplex_rule_update_first, NULL},
    [DUPLEX_RULE_CON_06] = {"DX-CON-06", duplex_rule_pong, duplex_rule_pong_ending},
    [DUPLEX_RULE_CON_07] = {"DX-CON-07", duplex_rule_framing, NULL},
    [DUPLEX_RULE_SES_01] = {"DX-SES-01", duplex_rule_update, NULL},
    [DUPLEX_RULE_SES_02] = {"DX-SES-02", duplex_rule_shocks, NULL},
    [DUPLEX_RULE_APP_01] = {"DX-APP-01", duplex_rule_audio, NULL},
    [DUPLEX_RULE_APP_02] = {"DX-APP-02", duplex_rule_audio_length, NULL},
    [DUPLEX_RULE_APP_03] = {"DX-APP-03", duplex_rule_pace, duplex_rule_pace_ending},
    [DUPLEX_RULE_APP_04] = {"DX-APP-04", duplex_rule_pictures_present, NULL},
    [DUPLEX_RULE_APP_05] = {"DX-APP-05", duplex_rule_pictures_absent, NULL},
    [DUPLEX_RULE_APP_06] = {"DX-APP-06", duplex_rule_append_members, NULL},
    [DUPLEX_RULE_APP_07] = {"DX-APP-07", duplex_rule_source, NULL},
    [DUPLEX_RULE_APP_08] = {"DX-APP-08", duplex_rule_pictures, NULL},
    [DUPLEX_RULE_OUT_05] = {"DX-OUT-05", NULL, NULL}, /* judged with SES-02 */
    [DUPLEX_RULE_OUT_07] = {"DX-OUT-07", duplex_rule_interrupt, NULL},
    [DUPLEX_RULE_OUT_08] = {"DX-OUT-08", NULL, NULL}, /* judged with SES-02 */
    [DUPLEX_RULE_CLS_01] = {"DX-CLS-01", duplex_rule_close, duplex_rule_close_ending},
    [DUPLEX_RULE_CLS_02] = {"DX-CLS-02", duplex_rule_after_closed, duplex_rule_after_closed_ending},
    [DUPLEX_RULE_ERR_01] = {"DX-ERR-01", NULL, NULL}, /* judged with SES-02 */
    [DUPLEX_RULE_ERR_04] = {"DX-ERR-04", NULL, NULL}, /* judged with SES-02 */
    [DUPLEX_RULE_FLD_02] = {"DX-FLD-02", duplex_rule_one_update, NULL},
    [DUPLEX_RULE_FLD_03] = {"DX-FLD-03", NULL, NULL}, /* judged with SES-02 */
};

static const struct rule_condition CONDITIONS[] = {
    {.requirement = "DX-CON-01", .enforced = true},
    {.requirement = "DX-CON-07", .enforced = true},
    {.requirement = "DX-CON-03",
     .timing = REQUIREMENT_TIMED_BY_SECONDS, /* session.update within 5 s */
     .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "DX-CON-06",
     .timing = REQUIREMENT_TIMED_BY_SECONDS, /* a pong within 3 s */
     .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "DX-SES-02", .spared = RULE_SPARED_BROKEN},
    {.requirement = "DX-APP-03",
     .timing = REQUIREMENT_TIMED_BY_SECONDS, /* a second of sound a second, two of them early or late */
     .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "DX-APP-07", .spared = RULE_SPARED_UNREAD}, /* older sound is dropped: DX-FLD-04 */
    {.requirement = "DX-OUT-05", .spared = RULE_SPARED_BROKEN},
    {.requirement = "DX-OUT-08", .spared = RULE_SPARED_BROKEN},
    {.requirement = "DX-CLS-01",
     .timing = REQUIREMENT_TIMED_BY_SECONDS, /* session.closed is waited for a second at least */
     .spared = RULE_SPARED_BROKEN},
    {.requirement = "DX-CLS-02",
     .timing = REQUIREMENT_TIMED, /* what crossed session.closed on the way came within 0.5 s */
     .spared = RULE_SPARED_UNREAD},
    {.requirement = "DX-ERR-01", .spared = RULE_SPARED_BROKEN},
    {.requirement = "DX-ERR-04", .spared = RULE_SPARED_BROKEN},
    {.requirement = "DX-FLD-03", .spared = RULE_SPARED_BROKEN},
    {.requirement = "DX-CON-02", .enforced = true},
    {.requirement = "DX-CON-04", .enforced = true},
    {.requirement = "DX-SES-01", .enforced = true},
    {.requirement = "DX-APP-01", .enforced = true},
    {.requirement = "DX-APP-02", .enforced = true},
    {.requirement = "DX-APP-08", .left_out = "the client sends no pictures", .enforced = true},
    {.requirement = "DX-APP-06",
     .enforced = true,
     .left_out = "the client sends neither max_slice_nums nor force_listen"},
    {.requirement = "DX-OUT-02", .timing = REQUIREMENT_TIMED}, /* heard without gaps, by the client's clock */
    {.requirement = "DX-OUT-03",
     .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* the turn is over before the next one comes */
    {.requirement = "DX-OUT-04", .timing = REQUIREMENT_TIMED}, /* what was still queued when listen came */
    {.requirement = "DX-OUT-07",
     .timing = REQUIREMENT_TIMED}, /* the next append, and what was heard until then */
    {.requirement = "DX-ERR-05", .timing = REQUIREMENT_TIMED}, /* delays that grow */
    {.requirement = "DX-FLD-02",
     .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* no end while the queue repeats itself */
    {.requirement = "DX-FLD-04",
     .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* what was due while the server did not read */
    {.requirement = NULL}};

static_assert(offsetof(struct rule_set, book) == 0, "a set begins with its book");
static_assert((size_t)DUPLEX_RULE_COUNT <= (size_t)RULES_MAX, "the book has a record for every rule");
static_assert((size_t)FINDINGS_PENDING_MAX > (size_t)DUPLEX_RULE_COUNT,
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
    duplex_watch_init(&rules->watch, duplex_profile_of(context->profile));
    rules->options = (struct duplex_read_options){.profile = rules->watch.profile,
                                                  .picture_size = context->picture_size,
                                                  .picture_context = context->picture_context};
    rules->shock.kv_cache_length = -1;
    finding_book_open(&rules->book, DUPLEX_RULE_COUNT, requirement_of, context->profile);
    return rules;
}

static void set_epoch_ms(struct rule_set *rules, uint64_t epoch_ms)
{
    rules->context.epoch_ms = epoch_ms;
}

static size_t speeches_said(const struct rule_set *rules)
{
    const struct source_state *source = &rules->source;
    return !duplex_source_is_followed(rules) || source->lost ? RULE_SPEECHES_UNKNOWN : source->place.speech;
}

/* --- events --- */

static void set_finish(struct rule_set *rules, uint64_t now_us)
{
    if (rules->watch.over)
        return;
    for (size_t i = 0; i < DUPLEX_RULE_COUNT; i++) {
        if (RULES[i].end != NULL)
            RULES[i].end(rules, (enum duplex_rule)i, now_us);
    }
    rules->watch.over = true;
}

static void set_event(struct rule_set *rules, const struct wire_event *event)
{
    struct duplex_seen seen;
    rules->book.event_count++;
    if (event->kind == WIRE_EVENT_TRANSPORT) {
        finding_book_spare(&rules->book, &DUPLEX_RULES, event);
        rules->watch.may_be_further = rules->watch.may_be_further || event->code == WIRE_ACT_RAW;
        return;
    }
    duplex_watch_observe(&rules->watch, event, &rules->options, &seen);
    if (json_faults_no_memory(&seen.message.faults))
        finding_book_blind(&rules->book);
    for (size_t i = 0; i < DUPLEX_RULE_COUNT && !rules->watch.over; i++) {
        /* Those that judge for several look after each of them. */
        if (RULES[i].handle != NULL)
            RULES[i].handle(rules, (enum duplex_rule)i, &seen);
    }
    if (seen.ends)
        set_finish(rules, event->at_us);
    duplex_watch_settle(&rules->watch, &seen);
}

/* Either step of a plan ends the session. */
static const struct free_act FREE_ACTS[] = {{.requirement = "DX-CLS-01",
                                             .step = "end",
                                             .follows_speech = true,
                                             .message = "session.close",
                                             .form = "",
                                             .brings = "sent:closed"},
                                            {.requirement = "DX-CLS-01",
                                             .step = "close",
                                             .message = "session.close",
                                             .form = "",
                                             .brings = "sent:closed"},
                                            {.requirement = NULL}};

const struct rule_class DUPLEX_RULES = {.count = DUPLEX_RULE_COUNT,
                                        .requirement = requirement_of,
                                        .create = set_new,
                                        .destroy = rule_set_free,
                                        .set_epoch_ms = set_epoch_ms,
                                        .event = set_event,
                                        .finish = set_finish,
                                        .take_finding = rule_set_take_finding,
                                        .verdict = rule_set_verdict,
                                        .speeches_said = speeches_said,
                                        .conditions = CONDITIONS,
                                        .free_acts = FREE_ACTS};
