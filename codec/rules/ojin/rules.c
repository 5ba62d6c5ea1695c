#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "codec/ojin/constants.h"
#include "codec/rules/ojin/classes.h"
#include "codec/rules/ojin/rule_set.h"
#include "codec/rules/requirements.h"
#include "codec/wire/authorization.h"
#include "codec/wire/http_head.h"
#include "codec/wire/secret.h"
#include "codec/ws/stream.h"

/* One row a rule. */
static const struct {
    const char *requirement;
    rule_handler *handle;
    rule_ending *end; /* NULL: it waits for nothing */
    bool frames;      /* it is shown the frames that the server sends, too */
} RULES[RULE_COUNT] = {
    [RULE_CON_01] = {"OJ-CON-01", rule_config_present, NULL, false},
    [RULE_CON_02] = {"OJ-CON-02", rule_key_raw, NULL, false},
    [RULE_CON_03] = {"OJ-CON-03", rule_key_hidden, NULL, false},
    [RULE_CON_06] = {"OJ-CON-06", rule_ready_first, NULL, false},
    [RULE_CON_07] = {"OJ-CON-07", rule_pong, rule_pong_ending, true},
    [RULE_CON_11] = {"OJ-CON-11", rule_framing, NULL, false},
    [RULE_CON_13] = {"OJ-CON-13", rule_config_encoded, NULL, false},
    [RULE_RDY_04] = {"OJ-RDY-04", rule_opening_silence, rule_opening_silence_ending, false},
    [RULE_RDY_07] = {"OJ-RDY-07", rule_no_opening, NULL, false},
    [RULE_FHL_01] = {"OJ-FHL-01", rule_opening_silence, rule_opening_silence_ending, false},
    [RULE_IN_01] = {"OJ-IN-01", rule_input_header, NULL, false},
    [RULE_IN_02] = {"OJ-IN-02", rule_input_timestamp, NULL, false},
    [RULE_IN_03] = {"OJ-IN-03", rule_input_params, NULL, false},
    [RULE_IN_04] = {"OJ-IN-04", rule_input_param_types, NULL, false},
    [RULE_IN_05] = {"OJ-IN-05", rule_input_even, NULL, false},
    [RULE_IN_06] = {"OJ-IN-06", rule_speech_exact, NULL, false},
    [RULE_IN_07] = {"OJ-IN-07", rule_message_size, NULL, false},
    [RULE_IN_08] = {"OJ-IN-08", rule_message_rate, NULL, false},
    [RULE_IN_09] = {"OJ-IN-09", rule_only_speech, NULL, false},
    [RULE_IN_11] = {"OJ-IN-11", rule_chunks, NULL, false},
    [RULE_IN_12] = {"OJ-IN-12", rule_converted, rule_converted_ending, false},
    [RULE_END_01] = {"OJ-END-01", rule_control, NULL, false},
    [RULE_CAN_01] = {"OJ-CAN-01", rule_control, NULL, false},
    [RULE_CAN_02] = {"OJ-CAN-02", rule_cancelled_speech, NULL, false},
};

static_assert(offsetof(struct rule_set, book) == 0, "a set begins with its book");
static_assert((size_t)RULE_COUNT <= (size_t)RULES_MAX, "the book has a record for every rule");
static_assert((size_t)FINDINGS_PENDING_MAX > (size_t)RULE_COUNT,
              "every rule may find something in the same event");

static bool rule_applies(const struct rule_context *context, const char *id)
{
    const struct requirement *requirement = requirement_by_id(id);
    return requirement != NULL && requirement_applies(requirement, context->profile);
}

static struct rule_set *rule_set_new(const struct rule_context *context)
{
    struct rule_set *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return NULL;
    rules->context = *context;
    if (rules->context.speech_count > RULE_SPEECHES_MAX)
        rules->context.speech_count = RULE_SPEECHES_MAX;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        rules->book.records[i].requirement = RULES[i].requirement;
        rules->applies[i] = rule_applies(context, RULES[i].requirement);
    }
    return rules;
}

static void rule_set_set_epoch_ms(struct rule_set *rules, uint64_t epoch_ms)
{
    rules->context.epoch_ms = epoch_ms;
}

static void destroy(struct rule_set *rules)
{
    if (rules == NULL)
        return;
    free(rules->learned_key);
    speech_heard_free(&rules->heard);
    free(rules);
}

static const char *rule_requirement(size_t n)
{
    return RULES[n].requirement;
}

/* --- events --- */

static void learn_key(struct rule_set *rules, const struct wire_event *event)
{
    struct http_head head;
    struct bytes value;
    if (rules->context.key.len > 0 || rules->learned_key != NULL || !http_head_parse(event->data, &head) ||
        !http_head_header(&head, "Authorization", 0, &value))
        return;
    const struct bytes secret = authorization_of(value).secret;
    if (secret.len < SECRET_BYTES_MIN)
        return;
    rules->learned_key = malloc(secret.len);
    if (rules->learned_key == NULL)
        return;
    memcpy(rules->learned_key, secret.data, secret.len);
    rules->learned_key_len = secret.len;
}

/* A binary message that is JSON is a control message in the wrong place, not audio: OJ-CON-11. */
static bool is_json_object(struct bytes data)
{
    static const char blanks[] = " \t\r\n";
    size_t start = 0;
    while (start < data.len && data.data[start] != 0 && strchr(blanks, data.data[start]) != NULL)
        start++;
    if (start == data.len || data.data[start] != '{')
        return false;
    struct ojin_message message;
    ojin_message_read(data, &message);
    return message.type != OJIN_MESSAGE_PLAIN_TEXT;
}

/* A message that is too large is OJ-IN-07's, whatever else it is; it may still carry the speech on. */
static void observe_oversize(struct rule_set *rules, const struct wire_event *event)
{
    struct input_view input;
    struct audio_outcome audio = {.compared = false};
    rules->opening.decided = true;
    if (event->kind != WIRE_EVENT_BINARY)
        return;
    input_view_read(event, rules->context.epoch_ms + event->at_us / 1000, &input);
    if (input.audio_known)
        speech_follow_audio(&rules->speech, &rules->context, false, &input, &audio);
    if (!audio.compared || audio.mismatch)
        rules->speech.lost = true;
}

static void observe_client_message(struct rule_set *rules, struct observed *seen)
{
    const struct wire_event *event = seen->event;
    bool whole = event->message_bytes <= event->data.len;
    seen->client_message = true;
    if (event->message_bytes > OJIN_MESSAGE_BYTES_MAX) {
        observe_oversize(rules, event);
        return;
    }
    if (event->kind == WIRE_EVENT_TEXT) {
        seen->is_text = whole;
        if (whole)
            ojin_message_read(event->data, &seen->message);
        return;
    }
    seen->is_json = whole && is_json_object(event->data);
    if (seen->is_json)
        return;
    seen->is_input = true;
    input_view_read(event, rules->context.epoch_ms + event->at_us / 1000, &seen->input);
    seen->has_audio = seen->input.audio_known;
    if (seen->has_audio)
        speech_follow_audio(&rules->speech, &rules->context,
                            ojin_profile_of(rules->context.profile)->opening_silence_rule != NULL,
                            &seen->input, &seen->audio);
    else
        rules->speech.lost = true;
}

static void observe_server_text(struct rule_set *rules, struct observed *seen)
{
    seen->is_text = seen->event->message_bytes <= seen->event->data.len;
    if (!seen->is_text)
        return;
    ojin_message_read(seen->event->data, &seen->message);
    if (seen->message.type == OJIN_MESSAGE_ERROR_RESPONSE) {
        enum ojin_error_code code = OJIN_ERROR_COUNT;
        const bool known = ojin_error_by_name(bytes_of_text(seen->message.code), &code);
        /* The answer to its own cancel excuses nothing that it sends after it. */
        if (!known || code != OJIN_ERROR_CANCELLED || !rules->speech.cancelled)
            rules->speech.error_seen = true;
        if (known && (code == OJIN_ERROR_RATE_LIMITED || code == OJIN_ERROR_FRAME_SIZE_EXCEEDED))
            rules->speech.refusals++;
    } else if (seen->message.type == OJIN_MESSAGE_PLAIN_TEXT ||
               seen->message.type == OJIN_MESSAGE_UNREADABLE) { /* which may be an error */
        rules->speech.error_seen = true;
    }
}

/* Messages that the violation cost are missing from what follows, which must not be held against the client
 * twice. */
static bool violation_costs_messages(enum ws_violation violation)
{
    switch (violation) {
    case WS_VIOLATION_BAD_HEAD:
    case WS_VIOLATION_RESERVED_BITS:
    case WS_VIOLATION_RESERVED_OPCODE:
    case WS_VIOLATION_BAD_CONTINUATION:
    case WS_VIOLATION_TEXT_NOT_UTF8:
    case WS_VIOLATION_AFTER_CLOSE:
    case WS_VIOLATION_LENGTH_ABSURD:
    case WS_VIOLATION_BAD_DEFLATE:
    case WS_VIOLATION_DEFLATE_TOO_MUCH:
        return true;
    case WS_VIOLATION_UNMASKED:
    case WS_VIOLATION_MASKED:
    case WS_VIOLATION_LENGTH_NOT_MINIMAL:
    case WS_VIOLATION_CONTROL_TOO_LONG:
    case WS_VIOLATION_CONTROL_FRAGMENTED:
    case WS_VIOLATION_BAD_CLOSE:
        return false;
    }
    return false;
}

/* What stands in the set for all rules, before they see the event. */
static void observe(struct rule_set *rules, struct observed *seen)
{
    const struct wire_event *event = seen->event;
    bool from_client = event->direction == WIRE_FROM_CLIENT;
    bool is_message = event->kind == WIRE_EVENT_TEXT || event->kind == WIRE_EVENT_BINARY;
    if (from_client && event->kind == WIRE_EVENT_REQUEST)
        learn_key(rules, event);
    if (from_client && is_message)
        observe_client_message(rules, seen);
    else if (event->kind == WIRE_EVENT_TEXT)
        observe_server_text(rules, seen);
    if (from_client && event->kind == WIRE_EVENT_VIOLATION &&
        violation_costs_messages((enum ws_violation)event->code)) {
        rules->speech.lost = true;
        rules->opening.decided = true;
    }
}

/* The same, after they have seen it. */
static void settle(struct rule_set *rules, const struct observed *seen)
{
    if (seen->is_text && seen->event->direction == WIRE_FROM_SERVER &&
        seen->message.type == OJIN_MESSAGE_SESSION_READY) {
        rules->ready_again = rules->ready && rules->opening.decided;
        rules->ready = true;
    }
    if (seen->is_text && seen->client_message && seen->message.type == OJIN_MESSAGE_CANCEL_INTERACTION) {
        rules->speech.cancelled = true;
        rules->speech.cancel_pending = true;
    }
}

static void rule_set_finish(struct rule_set *rules, uint64_t now_us)
{
    if (rules->over)
        return;
    rules->over = true;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (RULES[i].end != NULL && rules->applies[i])
            RULES[i].end(rules, (enum rule)i, now_us);
    }
}

static size_t speeches_said(const struct rule_set *rules)
{
    return speech_follow_said(&rules->speech, &rules->context);
}

static void take_act(struct rule_set *rules, const struct wire_event *act)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        rules->applies[i] = rules->applies[i] && !rule_is_spared(&OJIN_RULES, RULES[i].requirement, act);
}

static void rule_set_event(struct rule_set *rules, const struct wire_event *event)
{
    struct observed seen = {.event = event};
    rules->book.event_count++;
    if (event->kind == WIRE_EVENT_TRANSPORT) {
        take_act(rules, event);
        rules->may_be_ready = rules->may_be_ready || event->code == WIRE_ACT_RAW;
        return;
    }
    observe(rules, &seen);
    if (seen.message.error.status == WIRE_NO_SPACE || seen.input.params_error.status == WIRE_NO_SPACE)
        finding_book_blind(&rules->book);
    bool is_frame = event->direction == WIRE_FROM_SERVER && event->kind == WIRE_EVENT_BINARY;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (rules->applies[i] && (!is_frame || RULES[i].frames))
            RULES[i].handle(rules, (enum rule)i, &seen);
    }
    settle(rules, &seen);
    if (event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END)
        rule_set_finish(rules, event->at_us);
}

static const struct rule_condition CONDITIONS[] = {
    {.requirement = "OJ-CON-01", .enforced = true},
    {.requirement = "OJ-CON-02", .enforced = true},
    {.requirement = "OJ-CON-07",
     .timing = REQUIREMENT_TIMED_BY_SECONDS,
     .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "OJ-CON-11", .enforced = true},
    {.requirement = "OJ-CON-13", .enforced = true},
    {.requirement = "OJ-RDY-04", .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "OJ-FHL-01", .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "OJ-IN-01", .enforced = true},
    {.requirement = "OJ-IN-03", .enforced = true},
    {.requirement = "OJ-IN-04", .left_out = "the client sends no params", .enforced = true},
    {.requirement = "OJ-IN-05", .enforced = true},
    {.requirement = "OJ-IN-07", .enforced = true},
    {.requirement = "OJ-IN-08", .timing = REQUIREMENT_TIMED, .enforced = true, .spared = RULE_SPARED_UNREAD},
    {.requirement = "OJ-IN-12", .left_out = "it sent no sound in which the speech is known"},
    {.requirement = "OJ-END-01", .enforced = true},
    {.requirement = "OJ-CAN-01", .enforced = true},
    {.requirement = "OJ-CON-08",
     .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* a ping after 30 s, and the end 10 s after it */
    {.requirement = "OJ-CON-10", .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* an end before the limit */
    {.requirement = "OJ-CAN-03",
     .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* what was under way comes before the answer to new speech */
    {.requirement = "OJ-IN-10", .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* a second of speech within 3 s */
    {.requirement = "OJ-BUF-02",
     .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* what is played of a burst, at the client's pace */
    {.requirement = "OJ-BUF-03", .timing = REQUIREMENT_TIMED}, /* played along, and at its pace for 3.2 s */
    {.requirement = "OJ-BUF-04", .timing = REQUIREMENT_TIMED}, /* heard and seen by clocks that may part */
    {.requirement = "OJ-BUF-05", .timing = REQUIREMENT_TIMED}, /* played on for 240 ms */
    {.requirement = "OJ-BUF-06", .timing = REQUIREMENT_TIMED}, /* as BUF-04 */
    {.requirement = "OJ-BUF-07", .timing = REQUIREMENT_TIMED}, /* as BUF-04 */
    {.requirement = "OJ-BUF-09", .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* as BUF-02 */
    {.requirement = "OJ-END-03", .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* an end before the limit */
    {.requirement = "OJ-ERR-07", .timing = REQUIREMENT_TIMED},            /* slower over 2 s */
    {.requirement = "OJ-ERR-08", .timing = REQUIREMENT_TIMED},            /* delays that grow */
    {.requirement = "OJ-ERR-10", .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* an end before the limit */
    {.requirement = "OJ-FLD-02", .timing = REQUIREMENT_TIMED}, /* an attempt not before 1.9 s, and then one */
    {.requirement = "OJ-FLD-04", .timing = REQUIREMENT_TIMED_BY_SECONDS}, /* a report within 14 s */
    {.requirement = "OJ-FLD-08", .timing = REQUIREMENT_TIMED},            /* as BUF-04 */
    {.requirement = NULL}};

static const struct free_act FREE_ACTS[] = {{.requirement = "OJ-END-04",
                                             .step = "end",
                                             .follows_speech = true,
                                             .message = "endInteraction",
                                             .form = "OJ-END-01",
                                             .brings = "sent:final"},
                                            {.requirement = "OJ-CAN-07",
                                             .step = "cancel",
                                             .message = "cancelInteraction",
                                             .form = "OJ-CAN-01",
                                             .brings = "seen:cancelled"},
                                            {.requirement = NULL}};

const struct rule_class OJIN_RULES = {.count = RULE_COUNT,
                                      .requirement = rule_requirement,
                                      .create = rule_set_new,
                                      .destroy = destroy,
                                      .set_epoch_ms = rule_set_set_epoch_ms,
                                      .event = rule_set_event,
                                      .finish = rule_set_finish,
                                      .take_finding = rule_set_take_finding,
                                      .verdict = rule_set_verdict,
                                      .speeches_said = speeches_said,
                                      .conditions = CONDITIONS,
                                      .free_acts = FREE_ACTS,
                                      .secret_requirement = "OJ-CON-03"};
