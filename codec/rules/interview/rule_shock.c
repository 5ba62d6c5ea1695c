/*
 * What must not disturb a client, as far as the wire shows it: IV-OUT-04, IV-OUT-05, IV-OUT-06, IV-ERR-01.
 * 004 Function Call Response, Session Status, Message Error Codes.
 *
 * The client has got over it with its second message after it: the first may have been on its way. It has
 * not when it ends the connection soon after it, without a close or with one that says what went wrong. One
 * that leaves as one leaves shows neither.
 */
#include "codec/rules/interview/rule_set.h"

/* After that a client ends for another reason. */
static const uint64_t SHOCK_US = 3000000;

/* Those that stand for what came, in the order in which an end is laid at their door. */
static const struct {
    enum interview_rule rule;
    const char *name;
} SHOCKS[] = {
    {INTERVIEW_RULE_OUT_06, "a message of an unknown type, with an unknown member or with damaged audio"},
    {INTERVIEW_RULE_ERR_01, "an error message"},
    {INTERVIEW_RULE_OUT_04, "a function_result"},
    {INTERVIEW_RULE_OUT_05, "a status"},
};
enum { SHOCK_COUNT = sizeof SHOCKS / sizeof SHOCKS[0] };

static void set(struct rule_set *rules, enum interview_rule rule, uint64_t at_us)
{
    rules->shock.set[rule] = true;
    rules->shock.at_us[rule] = at_us;
    rules->shock.event[rule] = finding_book_event(&rules->book);
    rules->shock.crossed[rule] = false;
}

static void take_server(struct rule_set *rules, const struct interview_message *message, uint64_t at_us)
{
    if (message->type == INTERVIEW_MESSAGE_OTHER || message->faults.unknown_member.len > 0 ||
        (message->type == INTERVIEW_MESSAGE_AI_AUDIO_CHUNK &&
         json_fault_of(&message->faults, "audio") != NULL))
        set(rules, INTERVIEW_RULE_OUT_06, at_us);
    if (message->type == INTERVIEW_MESSAGE_ERROR)
        set(rules, INTERVIEW_RULE_ERR_01, at_us);
    if (message->type == INTERVIEW_MESSAGE_FUNCTION_RESULT)
        set(rules, INTERVIEW_RULE_OUT_04, at_us);
    /* "disconnected" is the end, and a client may well go by it. */
    if (message->type == INTERVIEW_MESSAGE_STATUS && message->status != INTERVIEW_STATUS_DISCONNECTED)
        set(rules, INTERVIEW_RULE_OUT_05, at_us);
}

static void take_client(struct rule_set *rules)
{
    for (size_t i = 0; i < SHOCK_COUNT; i++) {
        const enum interview_rule rule = SHOCKS[i].rule;
        if (rules->shock.set[rule] && rules->shock.crossed[rule]) {
            finding_book_kept(&rules->book, rule);
            rules->shock.set[rule] = false;
        }
        rules->shock.crossed[rule] = true;
    }
}

static void judge_end(struct rule_set *rules, const struct wire_event *event)
{
    const bool leaves = event->kind == WIRE_EVENT_CLOSE &&
                        (event->code == WS_CLOSE_NORMAL || event->code == WS_CLOSE_GOING_AWAY ||
                         event->code == WS_CLOSE_NO_CODE);
    size_t i = 0;
    while (i < SHOCK_COUNT && (!rules->shock.set[SHOCKS[i].rule] ||
                               interview_since(rules->shock.at_us[SHOCKS[i].rule], event->at_us) > SHOCK_US))
        i++;
    if (leaves || i == SHOCK_COUNT)
        return;
    struct finding_draft draft;
    finding_begin_with(&draft, "the client goes on after ", "it ended the connection ");
    text_add(&draft.expected, SHOCKS[i].name);
    text_add_u64(&draft.actual, interview_since(rules->shock.at_us[SHOCKS[i].rule], event->at_us) / 1000);
    text_add(&draft.actual, " ms after that, ");
    text_add(&draft.actual, event->kind == WIRE_EVENT_CLOSE ? "with code " : "without a close");
    if (event->kind == WIRE_EVENT_CLOSE)
        text_add_u64(&draft.actual, event->code);
    draft.finding.event = rules->shock.event[SHOCKS[i].rule];
    finding_book_end(&rules->book, SHOCKS[i].rule, &draft, event->at_us, false);
}

void interview_rule_shocks(struct rule_set *rules, enum interview_rule rule,
                           const struct interview_seen *seen)
{
    (void)rule;
    if (seen->from_server && !seen->is_cut)
        take_server(rules, &seen->message, seen->event->at_us);
    if (seen->from_client)
        take_client(rules);
    if (seen->ends && seen->event->direction == WIRE_FROM_CLIENT)
        judge_end(rules, seen->event);
}
