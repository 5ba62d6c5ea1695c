/* Size and rate of what the client sends: OJ-IN-07, OJ-IN-08. 000 Rate Limits & Constraints. */
#include "codec/ojin/constants.h"
#include "codec/rules/ojin/rule_set.h"

static void describe_size(struct finding_draft *draft, uint64_t bytes)
{
    text_add(&draft->expected, "at most ");
    text_add_u64(&draft->expected, OJIN_MESSAGE_BYTES_MAX);
    text_add(&draft->expected, " bytes in a message, header included");
    text_add(&draft->actual, "a message of ");
    text_add_u64(&draft->actual, bytes);
    text_add(&draft->actual, " bytes");
}

void rule_message_size(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    uint64_t bytes = seen->event->message_bytes;
    if (!seen->client_message)
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    describe_size(&draft, bytes);
    if (bytes > OJIN_MESSAGE_BYTES_MAX) {
        finding_end(rules, rule, &draft, seen->event->at_us, false);
        return;
    }
    rule_kept(rules, rule);
    if (bytes > OJIN_MESSAGE_BYTES_NOTED && !rules->noted_size) {
        text_add(&draft.actual, ": some servers stop at ");
        text_add_u64(&draft.actual, OJIN_MESSAGE_BYTES_NOTED);
        finding_end(rules, rule, &draft, seen->event->at_us, true);
        rules->noted_size = true;
    }
}

void rule_message_rate(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    struct rate_state *rate = &rules->rate;
    if (!seen->client_message)
        return;
    uint64_t now_us = seen->event->at_us;
    rate->times[rate->count++ % RATE_MESSAGES] = now_us;
    rule_kept(rules, rule);
    if (rate->count < RATE_MESSAGES)
        return;
    uint64_t spread_us = now_us - rate->times[rate->count % RATE_MESSAGES];
    bool too_fast = spread_us <= OJIN_RATE_WINDOW_JUDGED_US;
    if (too_fast && !rate->in_burst) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, "at most ");
        text_add_u64(&draft.expected, OJIN_REQUESTS_PER_SECOND);
        text_add(&draft.expected, " messages in any second");
        text_add_u64(&draft.actual, RATE_MESSAGES);
        text_add(&draft.actual, " messages within ");
        text_add_u64(&draft.actual, spread_us / 1000);
        text_add(&draft.actual, " ms");
        draft.finding.excuse_us = OJIN_RATE_WINDOW_JUDGED_US - spread_us;
        finding_end(rules, rule, &draft, now_us, false);
    }
    rate->in_burst = too_fast;
}
