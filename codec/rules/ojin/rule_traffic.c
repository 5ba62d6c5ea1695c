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

/* "7 messages within 940 ms, 60 ms less than a second" */
static void describe_rate(struct finding_draft *draft, uint64_t spread_us)
{
    const uint64_t margin_us = OJIN_RATE_WINDOW_US - spread_us;
    text_add(&draft->expected, "at most ");
    text_add_u64(&draft->expected, OJIN_REQUESTS_PER_SECOND);
    text_add(&draft->expected, " messages in any second");
    text_add_u64(&draft->actual, RATE_MESSAGES);
    text_add(&draft->actual, " messages within ");
    text_add_u64(&draft->actual, spread_us / 1000);
    text_add(&draft->actual, " ms, ");
    text_add_u64(&draft->actual, (margin_us + 999) / 1000);
    text_add(&draft->actual, " ms less than a second");
}

/* Whatever the mock refuses is told, with the margin. It breaks the rule when the messages came closer
 * together than the network can bring those of a client that keeps exactly to the limit; else it is a note.
 * Of several in a row the first is told. */
void rule_message_rate(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    struct rate_state *rate = &rules->rate;
    if (!seen->client_message)
        return;
    const uint64_t now_us = seen->event->at_us;
    rate->times[rate->count++ % RATE_MESSAGES] = now_us;
    rule_kept(rules, rule);
    if (rate->count < RATE_MESSAGES)
        return;
    const uint64_t spread_us = now_us - rate->times[rate->count % RATE_MESSAGES];
    const bool too_fast = spread_us <= OJIN_RATE_WINDOW_JUDGED_US;
    const bool refused = spread_us < OJIN_RATE_WINDOW_US;
    if ((too_fast && !rate->in_burst) || (refused && !too_fast && !rate->in_squeeze)) {
        struct finding_draft draft;
        finding_begin(&draft);
        describe_rate(&draft, spread_us);
        draft.finding.excuse_us = (too_fast ? OJIN_RATE_WINDOW_JUDGED_US : OJIN_RATE_WINDOW_US) - spread_us;
        if (!too_fast)
            text_add(&draft.actual, ": the server refuses the last; up to 50 ms may be the network's");
        finding_end(rules, rule, &draft, now_us, !too_fast);
    }
    rate->in_burst = too_fast;
    rate->in_squeeze = refused;
}
