#include <assert.h>
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
    enum requirement_timing timing;
} RULES[RULE_COUNT] = {
    [RULE_CON_01] = {"OJ-CON-01", rule_config_present, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_CON_02] = {"OJ-CON-02", rule_key_raw, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_CON_03] = {"OJ-CON-03", rule_key_hidden, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_CON_06] = {"OJ-CON-06", rule_ready_first, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_CON_07] = {"OJ-CON-07", rule_pong, rule_pong_ending, true, REQUIREMENT_TIMED_BY_SECONDS},
    [RULE_CON_11] = {"OJ-CON-11", rule_framing, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_CON_13] = {"OJ-CON-13", rule_config_encoded, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_RDY_04] = {"OJ-RDY-04", rule_opening_silence, rule_opening_silence_ending, false,
                     REQUIREMENT_UNTIMED},
    [RULE_RDY_07] = {"OJ-RDY-07", rule_no_opening, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_FHL_01] = {"OJ-FHL-01", rule_opening_silence, rule_opening_silence_ending, false,
                     REQUIREMENT_UNTIMED},
    [RULE_IN_01] = {"OJ-IN-01", rule_input_header, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_02] = {"OJ-IN-02", rule_input_timestamp, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_03] = {"OJ-IN-03", rule_input_params, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_04] = {"OJ-IN-04", rule_input_param_types, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_05] = {"OJ-IN-05", rule_input_even, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_06] = {"OJ-IN-06", rule_speech_exact, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_07] = {"OJ-IN-07", rule_message_size, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_08] = {"OJ-IN-08", rule_message_rate, NULL, false, REQUIREMENT_TIMED},
    [RULE_IN_09] = {"OJ-IN-09", rule_only_speech, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_11] = {"OJ-IN-11", rule_chunks, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_IN_12] = {"OJ-IN-12", rule_converted, rule_converted_ending, false, REQUIREMENT_UNTIMED},
    [RULE_END_01] = {"OJ-END-01", rule_control, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_CAN_01] = {"OJ-CAN-01", rule_control, NULL, false, REQUIREMENT_UNTIMED},
    [RULE_CAN_02] = {"OJ-CAN-02", rule_cancelled_speech, NULL, false, REQUIREMENT_UNTIMED},
};

/* Of requirements that no rule judges, but checks of cases do, those that have to do with time. */
static const struct {
    const char *requirement;
    enum requirement_timing timing;
} OF_CASES[] = {
    {"OJ-CON-08", REQUIREMENT_TIMED_BY_SECONDS}, /* a ping after 30 s, and the end 10 s after it */
    {"OJ-CON-10", REQUIREMENT_TIMED_BY_SECONDS}, /* an end before the limit */
    {"OJ-IN-10", REQUIREMENT_TIMED_BY_SECONDS},  /* a second of speech within 3 s */
    {"OJ-BUF-02", REQUIREMENT_TIMED_BY_SECONDS}, /* what is played of a burst, at the client's pace */
    {"OJ-BUF-03", REQUIREMENT_TIMED},            /* played along, and at its pace for 3.2 s */
    {"OJ-BUF-04", REQUIREMENT_TIMED},            /* heard and seen by clocks that may part */
    {"OJ-BUF-05", REQUIREMENT_TIMED},            /* played on for 240 ms */
    {"OJ-BUF-06", REQUIREMENT_TIMED},            /* as BUF-04 */
    {"OJ-BUF-07", REQUIREMENT_TIMED},            /* as BUF-04 */
    {"OJ-BUF-09", REQUIREMENT_TIMED_BY_SECONDS}, /* as BUF-02 */
    {"OJ-END-03", REQUIREMENT_TIMED_BY_SECONDS}, /* an end before the limit */
    {"OJ-ERR-07", REQUIREMENT_TIMED},            /* slower over 2 s */
    {"OJ-ERR-08", REQUIREMENT_TIMED},            /* delays that grow */
    {"OJ-ERR-10", REQUIREMENT_TIMED_BY_SECONDS}, /* an end before the limit */
    {"OJ-FLD-02", REQUIREMENT_TIMED},            /* an attempt not before 1.9 s, and then one */
    {"OJ-FLD-04", REQUIREMENT_TIMED_BY_SECONDS}, /* a report within 14 s */
    {"OJ-FLD-08", REQUIREMENT_TIMED},            /* as BUF-04 */
};

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

static void rule_set_free(struct rule_set *rules)
{
    if (rules == NULL)
        return;
    free(rules->learned_key);
    speech_heard_free(&rules->heard);
    free(rules);
}

static enum requirement_timing requirement_timing(const char *id)
{
    for (size_t n = 0; n < RULE_COUNT; n++)
        if (strcmp(RULES[n].requirement, id) == 0)
            return RULES[n].timing;
    for (size_t i = 0; i < sizeof OF_CASES / sizeof OF_CASES[0]; i++)
        if (strcmp(OF_CASES[i].requirement, id) == 0)
            return OF_CASES[i].timing;
    return REQUIREMENT_UNTIMED;
}

static const char *rule_requirement(size_t n)
{
    return RULES[n].requirement;
}

static enum rule_verdict rule_set_verdict(const struct rule_set *rules, size_t n)
{
    return rules->book.records[n].verdict;
}

static bool rule_set_take_finding(struct rule_set *rules, struct finding *out)
{
    return finding_book_take(&rules->book, out);
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
        seen->message.type == OJIN_MESSAGE_SESSION_READY)
        rules->ready = true;
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
        return;
    }
    observe(rules, &seen);
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
    {.requirement = "OJ-CON-07", .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "OJ-CON-11", .enforced = true},
    {.requirement = "OJ-CON-13", .enforced = true},
    {.requirement = "OJ-RDY-04", .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "OJ-FHL-01", .spared = RULE_SPARED_BROKEN | RULE_SPARED_UNREAD},
    {.requirement = "OJ-IN-01", .enforced = true},
    {.requirement = "OJ-IN-03", .enforced = true},
    {.requirement = "OJ-IN-04", .left_out = "the client sends no params", .enforced = true},
    {.requirement = "OJ-IN-05", .enforced = true},
    {.requirement = "OJ-IN-07", .enforced = true},
    {.requirement = "OJ-IN-08", .enforced = true, .spared = RULE_SPARED_UNREAD},
    {.requirement = "OJ-IN-12", .left_out = "it sent no sound in which the speech is known"},
    {.requirement = "OJ-END-01", .enforced = true},
    {.requirement = "OJ-CAN-01", .enforced = true},
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
                                      .destroy = rule_set_free,
                                      .set_epoch_ms = rule_set_set_epoch_ms,
                                      .event = rule_set_event,
                                      .finish = rule_set_finish,
                                      .take_finding = rule_set_take_finding,
                                      .verdict = rule_set_verdict,
                                      .speeches_said = speeches_said,
                                      .timing = requirement_timing,
                                      .conditions = CONDITIONS,
                                      .free_acts = FREE_ACTS,
                                      .secret_requirement = "OJ-CON-03"};
