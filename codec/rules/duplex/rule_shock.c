/*
 * What must not disturb a client, as far as the wire shows it: DX-SES-02, DX-OUT-05, DX-OUT-08, DX-ERR-01,
 * DX-ERR-04, DX-FLD-03. 002 Error Codes, session.created, response.output_audio.delta; field notes.
 *
 * The client has got over it when it says session.close, or with its second append after it: the first may
 * have been on its way, but for session.created, before which there is none. It has not when it ends the
 * connection, soon and without a word.
 */
#include "codec/rules/duplex/rule_set.h"

/* After that a client ends for another reason. */
static const uint64_t SHOCK_US = 3000000;
/* Until session.created is read a close frame is the only way to leave: one that was on its way then says
 * nothing of it. */
static const uint64_t CROSSING_US = 100000;

/* Those that stand for what came, in the order in which an end is laid at their door. */
static const enum duplex_rule SHOCKS[] = {DUPLEX_RULE_ERR_01, DUPLEX_RULE_ERR_04, DUPLEX_RULE_FLD_03,
                                          DUPLEX_RULE_OUT_08, DUPLEX_RULE_OUT_05, DUPLEX_RULE_SES_02};
enum { SHOCK_COUNT = sizeof SHOCKS / sizeof SHOCKS[0] };

static const char *shock_name(enum duplex_rule rule)
{
    static const char *const names[DUPLEX_RULE_COUNT] = {
        [DUPLEX_RULE_ERR_01] = "an error that does not close",
        [DUPLEX_RULE_ERR_04] = "a delta whose audio is damaged",
        [DUPLEX_RULE_FLD_03] = "audio null in a delta, or a kv_cache_length that falls",
        [DUPLEX_RULE_OUT_08] = "an event of an unknown type",
        [DUPLEX_RULE_OUT_05] = "a delta with empty text or audio, or with an unknown member",
        [DUPLEX_RULE_SES_02] = "a session.created, with whatever members besides its own",
    };
    return names[rule];
}

static void set(struct rule_set *rules, enum duplex_rule rule, uint64_t at_us)
{
    rules->shock.set[rule] = true;
    rules->shock.at_us[rule] = at_us;
    rules->shock.event[rule] = finding_book_event(&rules->book);
    rules->shock.crossed[rule] = rule == DUPLEX_RULE_SES_02;
    rules->shock.any = true;
}

static bool audio_is_null(const struct duplex_message *message)
{
    const struct json_fault *fault = json_fault_of(&message->faults, "audio");
    return fault != NULL && fault->kind == JSON_FAULT_WRONG_TYPE && strcmp(fault->found, "null") == 0;
}

static void watch_delta(struct rule_set *rules, const struct duplex_message *message, uint64_t at_us)
{
    const bool is_null = audio_is_null(message);
    if (is_null)
        set(rules, DUPLEX_RULE_FLD_03, at_us);
    else if (json_fault_of(&message->faults, "audio") != NULL)
        set(rules, DUPLEX_RULE_ERR_04, at_us);
    else if ((message->has_text && message->text.len == 0) ||
             (message->has_audio && message->audio.len == 0) || message->faults.unknown_member.len > 0)
        set(rules, DUPLEX_RULE_OUT_05, at_us);
}

static void watch_cache(struct rule_set *rules, const struct duplex_message *message, uint64_t at_us)
{
    if (!message->has_kv_cache_length)
        return;
    if (message->kv_cache_length < rules->shock.kv_cache_length)
        set(rules, DUPLEX_RULE_FLD_03, at_us);
    rules->shock.kv_cache_length = message->kv_cache_length;
}

static void watch_server(struct rule_set *rules, const struct duplex_message *message, uint64_t at_us)
{
    enum duplex_error_code code = DUPLEX_ERROR_COUNT;
    const bool known = duplex_error_by_name(message->code, &code);
    const bool closes = known && duplex_error_close(code) != 0;
    if (message->type == DUPLEX_MESSAGE_CREATED)
        set(rules, DUPLEX_RULE_SES_02, at_us);
    /* What is wrong before the session stands may well be the end of it. */
    if (rules->watch.phase != DUPLEX_PHASE_ACTIVE)
        return;
    if (message->type == DUPLEX_MESSAGE_ERROR && known && !closes)
        set(rules, DUPLEX_RULE_ERR_01, at_us);
    if (message->type == DUPLEX_MESSAGE_OTHER)
        set(rules, DUPLEX_RULE_OUT_08, at_us);
    if (message->type == DUPLEX_MESSAGE_DELTA)
        watch_delta(rules, message, at_us);
    watch_cache(rules, message, at_us);
}

static void take_client(struct rule_set *rules, const struct duplex_seen *seen)
{
    const bool leaves = duplex_seen_is(seen, DUPLEX_MESSAGE_CLOSE);
    rules->shock.any = false;
    for (size_t i = 0; i < SHOCK_COUNT; i++) {
        const enum duplex_rule rule = SHOCKS[i];
        if (rules->shock.set[rule] && (leaves || rules->shock.crossed[rule])) {
            duplex_kept(rules, rule);
            rules->shock.set[rule] = false;
        }
        rules->shock.crossed[rule] = true;
        rules->shock.any = rules->shock.any || rules->shock.set[rule];
    }
}

bool duplex_shock_explains_end(const struct rule_set *rules, uint64_t now_us, enum duplex_rule *rule)
{
    for (size_t i = 0; i < SHOCK_COUNT && rules->shock.any; i++) {
        if (rules->shock.set[SHOCKS[i]] && duplex_since(rules->shock.at_us[SHOCKS[i]], now_us) <= SHOCK_US) {
            *rule = SHOCKS[i];
            return true;
        }
    }
    return false;
}

static bool has_crossed(const struct rule_set *rules, enum duplex_rule broken, const struct wire_event *event)
{
    return broken == DUPLEX_RULE_SES_02 && event->kind == WIRE_EVENT_CLOSE &&
           event->code == DUPLEX_CLOSE_NORMAL &&
           duplex_since(rules->shock.at_us[broken], event->at_us) <= CROSSING_US;
}

static void judge_end(struct rule_set *rules, const struct wire_event *event)
{
    const uint64_t at_us = event->at_us;
    enum duplex_rule broken;
    struct finding_draft draft;
    if (rules->watch.close_sent || rules->watch.phase != DUPLEX_PHASE_ACTIVE ||
        !duplex_shock_explains_end(rules, at_us, &broken) || has_crossed(rules, broken, event))
        return;
    finding_begin(&draft);
    text_add(&draft.expected, "the client goes on after ");
    text_add(&draft.expected, shock_name(broken));
    text_add(&draft.actual, "it ended the connection ");
    text_add_u64(&draft.actual, duplex_since(rules->shock.at_us[broken], at_us) / 1000);
    text_add(&draft.actual, " ms after that, without session.close");
    draft.finding.event = rules->shock.event[broken];
    duplex_finding_end(rules, broken, &draft, at_us);
}

void duplex_rule_shocks(struct rule_set *rules, enum duplex_rule rule, const struct duplex_seen *seen)
{
    (void)rule;
    if (seen->from_server && !seen->is_cut)
        watch_server(rules, &seen->message, seen->event->at_us);
    if (seen->from_client && rules->watch.phase == DUPLEX_PHASE_ACTIVE)
        take_client(rules, seen);
    if (seen->ends && seen->event->direction == WIRE_FROM_CLIENT)
        judge_end(rules, seen->event);
}
