/* OJ-SRV-10: a seventh request within a second gets RATE_LIMITED. 000 Rate Limits & Constraints. */
#include "codec/rules/ojin/server_rule_set.h"

/* Seven sent within this time reach any server within a second, unless something stalls for the rest of it.
 */
static const uint64_t RATE_SURE_US = 700000;
/* Seven sent within this may reach it within a second; nothing is asked then, and nothing taken for granted.
 */
static const uint64_t RATE_NEAR_US = 1100000;
/* Seven sent within this may, when something stalled in between, so that RATE_LIMITED is no fault … */
static const uint64_t RATE_CROWD_US = 3000000;
/* … and this long after, as an answer may be read late. */
static const uint64_t RATE_CROWD_KEPT_US = 30000000;

static uint64_t spread_us(const struct server_rate_state *rate)
{
    if (rate->count < RATE_MESSAGES)
        return UINT64_MAX;
    const uint64_t newest = rate->times[(rate->count - 1) % RATE_MESSAGES];
    return newest - rate->times[rate->count % RATE_MESSAGES];
}

bool server_rate_is_near(const struct server_rule_set *rules)
{
    return spread_us(&rules->rate) <= RATE_NEAR_US;
}

/* The request for the upgrade may count as a request as well, but need not. */
static void take_time(struct server_rule_set *rules, uint64_t at_us)
{
    struct server_rate_state *rate = &rules->rate;
    rate->times[rate->count++ % RATE_MESSAGES] = at_us;
    const bool with_request = rate->count == RATE_MESSAGES - 1 && at_us <= RATE_CROWD_US;
    if (spread_us(rate) <= RATE_CROWD_US || with_request) {
        rate->crowded = true;
        rate->crowded_us = at_us;
    }
}

static void take_message(struct server_rule_set *rules, uint64_t at_us)
{
    struct server_rate_state *rate = &rules->rate;
    const struct server_session *session = &rules->session;
    take_time(rules, at_us);
    const bool asked = session->ready && !session->end_sent && !session->final_seen && !session->failed;
    const uint64_t spread = spread_us(rate);
    if (!asked || rate->due || spread > RATE_SURE_US || at_us - spread < session->ready_us)
        return;
    rate->due = true;
    rate->due_us = at_us;
    rate->spread_us = spread;
}

static void limited_broken(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "RATE_LIMITED only for more than ");
    text_add_u64(&draft.expected, OJIN_REQUESTS_PER_SECOND);
    text_add(&draft.expected, " messages within a second");
    text_add(&draft.actual, "RATE_LIMITED, with at most ");
    text_add_u64(&draft.actual, OJIN_REQUESTS_PER_SECOND);
    text_add(&draft.actual, " messages in any 3 s");
    server_finding_end(rules, rule, &draft, at_us);
}

static void take_limited(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us)
{
    struct server_rate_state *rate = &rules->rate;
    if (rate->due) {
        rate->due = false;
        server_kept(rules, rule);
    } else if (!rate->crowded || server_elapsed_us(rate->crowded_us, at_us) > RATE_CROWD_KEPT_US) {
        limited_broken(rules, rule, at_us);
    }
}

void server_rule_rate_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    struct server_rate_state *rate = &rules->rate;
    if (!rate->due || server_elapsed_us(rate->due_us, now_us) < SERVER_ANSWER_WAIT_US)
        return;
    rate->due = false;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "RATE_LIMITED for the seventh message within a second");
    text_add(&draft.actual, "none in ");
    text_add_u64(&draft.actual, server_elapsed_us(rate->due_us, now_us) / 1000);
    text_add(&draft.actual, " ms after ");
    text_add_u64(&draft.actual, RATE_MESSAGES);
    text_add(&draft.actual, " messages within ");
    text_add_u64(&draft.actual, rate->spread_us / 1000);
    text_add(&draft.actual, " ms");
    server_finding_end(rules, rule, &draft, now_us);
}

void server_rule_rate(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct wire_event *event = seen->event;
    const bool limited = seen->is_text && seen->message.type == OJIN_MESSAGE_ERROR_RESPONSE &&
                         strcmp(seen->message.code, ojin_error_name(OJIN_ERROR_RATE_LIMITED)) == 0;
    if (event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END || rules->session.over)
        return;
    /* After the end, or a failure, a server may have nothing to say any more. */
    if (rules->session.final_seen || rules->session.failed)
        rules->rate.due = false;
    if (seen->from_client)
        take_message(rules, event->at_us);
    if (limited && rules->session.open)
        take_limited(rules, rule, event->at_us);
    else
        server_rule_rate_ending(rules, rule, event->at_us);
}
