/* The context: DX-SRV-09, 14, 20. 002 Mode Constraints, session.update, input_audio_buffer.append. */
#include "codec/duplex/cache.h"
#include "codec/rules/duplex/server_rule_set.h"

/* What one chunk and its answer may add besides its pictures, so that a server closes before it tells the
 * limit. */
static const int64_t CLOSE_TO_FULL = 1000;
/* What an append costs besides its picture: the sound, and framing by practice. */
static const int64_t BESIDES_MAX = 24;

/* --- growing, and being full --- */

static const char GROWS[] =
    "kv_cache_length grows to at most 8192, where the session closes with context_full";

static void take_length(struct server_rule_set *rules, enum duplex_server_rule rule, int64_t length,
                        uint64_t at_us)
{
    const int64_t before = rules->cache_length;
    rules->cache_length = length;
    rules->untold_tokens = 0;
    if (rules->cache_full)
        duplex_server_broken_number(rules, rule, at_us, GROWS, "the session goes on with ", (uint64_t)length,
                                    "");
    else if (length > DUPLEX_CONTEXT_TOKENS)
        duplex_server_broken_number(rules, rule, at_us, GROWS, "it is ", (uint64_t)length, "");
    else if (length < before)
        duplex_server_broken_number(rules, rule, at_us, GROWS, "it falls to ", (uint64_t)length, "");
    if (length >= DUPLEX_CONTEXT_TOKENS && !rules->cache_full) {
        rules->cache_full = true;
        rules->cache_full_us = at_us;
    }
}

void duplex_server_context(struct server_rule_set *rules, enum duplex_server_rule rule,
                           const struct duplex_seen *seen)
{
    const uint64_t at_us = seen->event->at_us;
    if (rules->watch.phase == DUPLEX_PHASE_CLOSED)
        return;
    if (duplex_server_output(seen) && seen->message.has_kv_cache_length)
        take_length(rules, rule, seen->message.kv_cache_length, at_us);
    if (!duplex_server_sent(seen, DUPLEX_MESSAGE_CLOSED) ||
        !bytes_equal_text(seen->message.reason, duplex_reason_name(DUPLEX_REASON_CONTEXT_FULL)))
        return;
    rules->cache_full = false;
    if (rules->cache_length < 0)
        return;
    /* The latest length need not count the append before the last, nor does it what has come since. */
    if (rules->cache_length + CLOSE_TO_FULL + 2 * rules->chunk_tokens + rules->untold_tokens <
        DUPLEX_CONTEXT_TOKENS)
        duplex_server_broken_number(rules, rule, at_us, GROWS, "context_full at ",
                                    (uint64_t)rules->cache_length, "");
    else
        duplex_server_kept(rules, rule);
}

void duplex_server_context_clock(struct server_rule_set *rules, enum duplex_server_rule rule, uint64_t now_us)
{
    if (!rules->cache_full || rules->watch.phase == DUPLEX_PHASE_CLOSED ||
        duplex_since(rules->cache_full_us, now_us) < DUPLEX_ANSWER_WAIT_US)
        return;
    duplex_server_broken(rules, rule, now_us, GROWS, "no session.closed in 3 s after it was full");
    rules->cache_full_us = now_us;
}

/* --- what pictures cost --- */

static void take_append(struct server_rule_set *rules, const struct duplex_message *message)
{
    struct duplex_growth *growth = &rules->growth;
    const int64_t before = growth->slices;
    growth->override_before = growth->overridden;
    growth->overridden = message->has_max_slices && message->max_slices != rules->session_slices;
    growth->after_override = growth->override_before && !growth->overridden;
    growth->slices = message->has_max_slices ? message->max_slices : rules->session_slices;
    growth->other = growth->overridden ? rules->session_slices : before;
    growth->appends++;
    growth->pictures += message->picture_count;
    const int64_t tokens = (int64_t)message->picture_count * duplex_picture_tokens(growth->slices);
    rules->untold_tokens += tokens;
    if (tokens > rules->chunk_tokens)
        rules->chunk_tokens = tokens;
    if (float32_count(message->audio) > DUPLEX_APPEND_SAMPLES || message->force_listen)
        growth->disturbed = growth->lagging = true;
}

static void cost_right(struct server_rule_set *rules)
{
    struct duplex_growth *growth = &rules->growth;
    growth->right_1 = growth->right_1 || growth->slices == DUPLEX_SLICES_MIN;
    growth->right_4 = growth->right_4 || growth->slices == 4;
    growth->right_override = growth->right_override || growth->overridden;
    growth->right_after = growth->right_after || (growth->after_override && growth->right_override);
    if (growth->right_1 && growth->right_4)
        duplex_server_kept(rules, DUPLEX_SERVER_RULE_14);
    if (growth->right_override && growth->right_after)
        duplex_server_kept(rules, DUPLEX_SERVER_RULE_20);
}

static bool is_cost_of(int64_t slices, int64_t cost)
{
    const int64_t tokens = duplex_picture_tokens(slices);
    return cost >= tokens && cost <= tokens + BESIDES_MAX;
}

/* One append with one picture stands between two listens: what it cost. That the slices of another hold is
 * told where slices count at all; else it is the cost that is wrong. */
static void judge_cost(struct server_rule_set *rules, int64_t cost, uint64_t at_us)
{
    const struct duplex_growth *growth = &rules->growth;
    const int64_t tokens = duplex_picture_tokens(growth->slices);
    struct finding_draft draft;
    /* The document gives these two alone. */
    if (growth->slices != DUPLEX_SLICES_MIN && growth->slices != 4)
        return;
    if (is_cost_of(growth->slices, cost)) {
        cost_right(rules);
        return;
    }
    const bool by_override =
        (growth->overridden || growth->after_override) && is_cost_of(growth->other, cost);
    if (by_override && !growth->right_4)
        return;
    finding_begin(&draft);
    text_add_i64(&draft.expected, tokens);
    text_add(&draft.expected, " tokens for a picture of ");
    text_add_i64(&draft.expected, growth->slices);
    text_add(&draft.expected, growth->slices == 1 ? " slice" : " slices");
    if (by_override && growth->overridden)
        text_add(&draft.expected, ", which this append alone asks for");
    else if (by_override)
        text_add(&draft.expected, ", as the session has it: only the append before asked for others");
    text_add(&draft.actual, "an append with one cost ");
    text_add_i64(&draft.actual, cost);
    duplex_server_finding_end(rules, by_override ? DUPLEX_SERVER_RULE_20 : DUPLEX_SERVER_RULE_14, &draft,
                              at_us);
}

void duplex_server_slices(struct server_rule_set *rules, enum duplex_server_rule rule,
                          const struct duplex_seen *seen)
{
    struct duplex_growth *growth = &rules->growth;
    const struct duplex_message *message = &seen->message;
    (void)rule;
    if (seen->from_client && duplex_seen_is(seen, DUPLEX_MESSAGE_UPDATE) && message->faults.count == 0 &&
        rules->watch.updates == 0)
        rules->session_slices = message->has_max_slices ? message->max_slices : DUPLEX_SLICES_DEFAULT;
    if (duplex_server_right_append(rules, seen))
        take_append(rules, message);
    else if (duplex_server_sent(seen, DUPLEX_MESSAGE_DELTA))
        growth->disturbed = growth->lagging = true;
    else if (seen->from_client || duplex_server_sent(seen, DUPLEX_MESSAGE_ERROR))
        growth->disturbed = true;
    if (!duplex_server_sent(seen, DUPLEX_MESSAGE_LISTEN) || message->faults.count > 0 ||
        !message->has_kv_cache_length)
        return;
    if (growth->has_listen && !growth->disturbed && growth->appends == 1 && growth->pictures == 1 &&
        message->kv_cache_length < DUPLEX_CONTEXT_TOKENS)
        judge_cost(rules, message->kv_cache_length - growth->listened, seen->event->at_us);
    /* A listen that was forced, or came late, need not count all that was appended before it. */
    growth->has_listen = !growth->lagging;
    growth->listened = message->kv_cache_length;
    growth->appends = 0;
    growth->pictures = 0;
    growth->disturbed = growth->lagging = false;
}
