/* Wire events and actions into journal entries and findings. */
#include "server/journal/recorder.h"

#include <stdlib.h>

#include "codec/wire/authorization.h"
#include "codec/wire/http_head.h"
#include "codec/wire/http_response.h"
#include "codec/wire/secret.h"
#include "codec/wire/utf8.h"
#include "codec/ws/frame.h"
#include "codec/ws/stream.h"
#include "server/core/warm.h"
#include "server/journal/journal_lines.h"
#include "server/journal/own_watch.h"

enum { OWN_ERROR_TEXT_MAX = 300, RESET_END = 1 };

struct recorder {
    struct recorder_config config;
    const struct rule_class *class; /* the family's rules */
    struct rule_set *rules;         /* of the connection in progress; NULL between two */
    const struct profile *profile;  /* of these */
    struct own_watch own;
    uint32_t connection;
    uint64_t sequence; /* without a journal */
    uint8_t *learned;  /* the key that the connection's request gave when none is known; NULL: none */
    size_t learned_len;
    struct buffer others; /* the other secrets of the connection's request */
    enum rule_verdict *verdicts;
    size_t speeches_said; /* in the latest connection that is over */
};

struct recorder *recorder_new(const struct recorder_config *config)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL)
        return NULL;
    recorder->config = *config;
    buffer_init(&recorder->others, HTTP_HEAD_BYTES_MAX);
    recorder->class = config->session_class->family->rules;
    recorder->own.class = config->watches_itself ? config->session_class->family->server_rules : NULL;
    recorder->speeches_said = RULE_SPEECHES_UNKNOWN;
    recorder->verdicts = calloc(recorder->class->count + 1, sizeof *recorder->verdicts);
    if (recorder->verdicts == NULL) {
        free(recorder);
        return NULL;
    }
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    if (recorder == NULL)
        return;
    recorder->class->destroy(recorder->rules);
    own_watch_end(&recorder->own);
    free(recorder->learned);
    buffer_free(&recorder->others);
    free(recorder->verdicts);
    free(recorder);
}

static struct bytes key_of(const struct recorder *recorder)
{
    return recorder->config.rules.key.len > 0 ? recorder->config.rules.key
                                              : bytes_of(recorder->learned, recorder->learned_len);
}

/* Appends and hands on. What a full journal does not take still reaches the sink. */
static void record(struct recorder *recorder, struct journal_entry *entry)
{
    struct journal *journal = recorder->config.journal;
    const struct journal_entry *recorded = entry;
    entry->connection = recorder->connection;
    entry->class = recorder->config.session_class;
    entry->is_of_other = recorder->config.is_of_other;
    entry->key = key_of(recorder);
    entry->others = buffer_bytes(&recorder->others);
    if (journal == NULL) {
        entry->sequence = recorder->sequence++;
    } else if (journal_append(journal, entry)) {
        recorded = journal_at(journal, journal_count(journal) - 1);
    } else {
        entry->sequence = journal_count(journal);
    }
    if (recorder->config.sink != NULL)
        recorder->config.sink(recorder->config.context, recorded);
}

static void record_findings(struct recorder *recorder, uint64_t now_us)
{
    struct journal_entry entry = {.at_us = now_us, .kind = JOURNAL_FINDING};
    while (recorder->rules != NULL && recorder->class->take_finding(recorder->rules, &entry.finding))
        record(recorder, &entry);
}

/* `waited`: something of ours did not come in time. */
static void own_error(struct recorder *recorder, uint64_t now_us, const char *label, const char *what,
                      bool waited)
{
    char sentence[OWN_ERROR_TEXT_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, what);
    struct journal_entry entry = {.at_us = now_us,
                                  .kind = JOURNAL_OWN_ERROR,
                                  .finding = {.waited = waited},
                                  .wire = {.data = bytes_of(sentence, text.len)}};
    action_label_set(entry.label, label);
    record(recorder, &entry);
}

static void judge_ourselves(struct recorder *recorder, const struct wire_event *event)
{
    struct finding finding;
    own_watch_event(&recorder->own, event);
    while (own_watch_take(&recorder->own, &finding)) {
        char sentence[OWN_ERROR_TEXT_MAX];
        struct text text = text_of(sentence, sizeof sentence);
        text_add(&text, finding.requirement);
        text_add(&text, ": ");
        text_add(&text, finding.actual);
        text_add(&text, ", where a server owes: ");
        text_add(&text, finding.expected);
        own_error(recorder, event->at_us, "rule", sentence, finding.waited);
    }
}

static void judge(struct recorder *recorder, const struct wire_event *event)
{
    if (recorder->rules == NULL)
        return;
    recorder->class->event(recorder->rules, event);
    record_findings(recorder, event->at_us);
    judge_ourselves(recorder, event);
}

static enum rule_verdict worse(enum rule_verdict a, enum rule_verdict b)
{
    return a > b ? a : b;
}

void recorder_finish(struct recorder *recorder, uint64_t now_us)
{
    if (recorder->rules == NULL)
        return;
    recorder->class->finish(recorder->rules, now_us);
    record_findings(recorder, now_us);
    for (size_t n = 0; n < recorder->class->count; n++)
        recorder->verdicts[n] = worse(recorder->verdicts[n], recorder->class->verdict(recorder->rules, n));
    recorder->speeches_said = recorder_speeches_said(recorder);
    recorder->class->destroy(recorder->rules);
    own_watch_end(&recorder->own);
    recorder->rules = NULL;
}

void recorder_set_epoch_ms(struct recorder *recorder, uint64_t epoch_ms)
{
    recorder->config.rules.epoch_ms = epoch_ms;
    if (recorder->rules != NULL)
        recorder->class->set_epoch_ms(recorder->rules, epoch_ms);
}

static void forget_key(struct recorder *recorder)
{
    free(recorder->learned);
    recorder->learned = NULL;
    recorder->learned_len = 0;
    buffer_clear(&recorder->others);
}

static void learn_key(struct recorder *recorder, struct bytes request)
{
    struct http_head head;
    struct bytes value;
    if (!http_head_parse(request, &head) || !http_head_header(&head, "Authorization", 0, &value))
        return;
    const struct bytes secret = authorization_of(value).secret;
    if (secret.len < SECRET_BYTES_MIN)
        return;
    recorder->learned = malloc(secret.len);
    if (recorder->learned == NULL)
        return;
    memcpy(recorder->learned, secret.data, secret.len);
    recorder->learned_len = secret.len;
}

/* Before the request itself is recorded. */
static void learn_secrets(struct recorder *recorder, struct bytes request)
{
    forget_key(recorder);
    learn_key(recorder, request);
    (void)request_secrets(request, key_of(recorder), &recorder->others);
}

void recorder_connection(struct recorder *recorder, uint64_t now_us)
{
    recorder_finish(recorder, now_us);
    forget_key(recorder);
    recorder->connection++;
    recorder->rules = recorder->class->create(&recorder->config.rules);
    recorder->profile = recorder->config.rules.profile;
    own_watch_begin(&recorder->own, &recorder->config.rules);
}

void recorder_join(struct recorder *recorder, const struct recorder *other)
{
    for (size_t n = 0; n < recorder->class->count; n++)
        recorder->verdicts[n] = worse(recorder->verdicts[n], recorder_verdict(other, n));
}

enum rule_verdict recorder_verdict(const struct recorder *recorder, size_t n)
{
    const enum rule_verdict now =
        recorder->rules == NULL ? RULE_NOT_REACHED : recorder->class->verdict(recorder->rules, n);
    return worse(recorder->verdicts[n], now);
}

size_t recorder_speeches_said(const struct recorder *recorder)
{
    return recorder->rules == NULL || recorder->class->speeches_said == NULL
               ? recorder->speeches_said
               : recorder->class->speeches_said(recorder->rules);
}

const char *recorder_client_label(const struct session_class *session_class, const struct wire_event *event)
{
    switch (event->kind) {
    case WIRE_EVENT_REQUEST:
        return "upgrade";
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
        return session_class->classify(event->kind == WIRE_EVENT_BINARY, event->data);
    case WIRE_EVENT_PING:
        return "ping";
    case WIRE_EVENT_PONG:
        return "pong";
    case WIRE_EVENT_CLOSE:
        return "close";
    case WIRE_EVENT_VIOLATION:
        return "violation";
    case WIRE_EVENT_END:
        return "end";
    case WIRE_EVENT_RESPONSE: /* a client sends none of these */
    case WIRE_EVENT_TRANSPORT:
        break;
    }
    return "other";
}

/* The request may ask for another profile than the server's own: then it is judged by that. */
static void learn_profile(struct recorder *recorder, struct bytes request)
{
    const struct session_class *class = recorder->config.session_class;
    struct rule_context context = recorder->config.rules;
    struct http_head head;
    if (class->profile_of == NULL || recorder->rules == NULL || !http_head_parse(request, &head))
        return;
    context.profile = class->profile_of(context.profile, &head);
    if (context.profile == recorder->config.rules.profile)
        return;
    recorder->class->destroy(recorder->rules);
    recorder->rules = recorder->class->create(&context);
    recorder->profile = context.profile;
    own_watch_begin(&recorder->own, &context);
}

const struct profile *recorder_profile(const struct recorder *recorder)
{
    return recorder->profile;
}

void recorder_client_event(struct recorder *recorder, const struct wire_event *event)
{
    struct journal_entry entry = {.at_us = event->at_us, .kind = JOURNAL_WIRE, .wire = *event};
    if (event->kind == WIRE_EVENT_REQUEST)
        learn_secrets(recorder, event->data);
    if (event->kind == WIRE_EVENT_REQUEST)
        learn_profile(recorder, event->data);
    action_label_set(entry.label, recorder_client_label(recorder->config.session_class, event));
    record(recorder, &entry);
    judge(recorder, event);
}

/* What is wrong with a close frame, whose code `none` stands for there being none: RFC 6455 5.5, 5.5.1
 * and 7.4. */
static const char *own_close_mistake(const struct wire_event *close, uint16_t none)
{
    if (close->code != none && !ws_close_code_is_legal(close->code))
        return "a close frame was sent with a code that none may hold";
    if (close->data.len > WS_CLOSE_REASON_BYTES_MAX)
        return "a close frame was sent that is longer than 125 bytes";
    return utf8_valid_prefix(close->data) == close->data.len
               ? NULL
               : "a close frame was sent whose reason is no UTF-8";
}

void recorder_host_event(struct recorder *recorder, const struct wire_event *event)
{
    struct journal_entry entry = {
        .at_us = event->at_us, .kind = JOURNAL_WIRE, .wire = *event, .by_host = true};
    const bool is_end = event->kind == WIRE_EVENT_END;
    action_label_set(entry.label, !is_end ? recorder_client_label(recorder->config.session_class, event)
                                  : event->code == RESET_END ? "reset"
                                                             : "drop");
    const char *mistake = event->kind == WIRE_EVENT_CLOSE ? own_close_mistake(event, WS_CLOSE_NO_CODE) : NULL;
    record(recorder, &entry);
    judge(recorder, event);
    if (mistake != NULL)
        own_error(recorder, event->at_us, entry.label, mistake, false);
}

/* All of it, as far as somebody looks at it. Of a frame the journal keeps a head, which has to be there. */
static struct bytes sent_bytes(const struct recorder *recorder, const struct actions *actions,
                               const struct action *action)
{
    const bool for_nobody = recorder->config.without_checksums && recorder->own.rules == NULL &&
                            action->borrowed_at >= JOURNAL_HEAD_BYTES_MAX;
    return for_nobody ? actions_bytes_own(actions, action) : actions_bytes(actions, action);
}

/* The entry of something that was sent, with the kind of event it makes. */
static struct journal_entry sent_entry(const struct recorder *recorder, uint64_t now_us,
                                       const struct actions *actions, const struct action *action,
                                       enum wire_event_kind kind, const char *label)
{
    struct journal_entry entry = {.at_us = now_us, .kind = JOURNAL_WIRE};
    entry.wire = (struct wire_event){.at_us = now_us,
                                     .direction = WIRE_FROM_SERVER,
                                     .kind = kind,
                                     .code = action->code,
                                     .fault = action->fault,
                                     .message_bytes = action->len,
                                     .data = sent_bytes(recorder, actions, action)};
    action_label_set(entry.label, label);
    action_label_set(entry.step, action->step);
    entry.by_host = action->by_host;
    entry.has_interaction = action->has_interaction;
    memcpy(entry.interaction, action->interaction, UUID_BYTES);
    return entry;
}

static void record_sent(struct recorder *recorder, struct journal_entry *entry)
{
    /* The journal keeps a frame's head only; the rules see all of it. */
    const struct wire_event event = entry->wire;
    record(recorder, entry);
    judge(recorder, &event);
}

static void record_message(struct recorder *recorder, uint64_t now_us, const struct actions *actions,
                           const struct action *action)
{
    const enum wire_event_kind kind =
        action->kind == ACTION_SEND_BINARY ? WIRE_EVENT_BINARY : WIRE_EVENT_TEXT;
    struct journal_entry entry = sent_entry(recorder, now_us, actions, action, kind, action->label);
    const struct session_messages *messages = recorder->config.session_class->messages;
    const bool binary = action->kind == ACTION_SEND_BINARY;
    entry.has_frame =
        messages->summarise != NULL &&
        messages->summarise(binary, entry.wire.data, !recorder->config.without_checksums, &entry.frame);
    const char *mistake =
        action->fault ? NULL
                      : messages->mistake(binary, entry.wire.data, entry.has_frame ? &entry.frame : NULL);
    if (mistake != NULL)
        own_watch_end(&recorder->own); /* told once */
    record_sent(recorder, &entry);
    if (mistake != NULL)
        own_error(recorder, now_us, action->label, mistake, false);
}

static void record_event(struct recorder *recorder, uint64_t now_us, const struct actions *actions,
                         const struct action *action, enum wire_event_kind kind, const char *label)
{
    struct journal_entry entry = sent_entry(recorder, now_us, actions, action, kind, label);
    if (action->kind == ACTION_ACCEPT)
        entry.wire.code = HTTP_SWITCHING_PROTOCOLS;
    if (action->kind == ACTION_RESET)
        entry.wire.code = RESET_END;
    const char *mistake =
        action->kind == ACTION_CLOSE && !action->fault ? own_close_mistake(&entry.wire, 0) : NULL;
    record_sent(recorder, &entry);
    if (mistake != NULL)
        own_error(recorder, now_us, label, mistake, false);
}

/* Below the messages, and always asked for. */
static void record_transport(struct recorder *recorder, uint64_t now_us, const struct actions *actions,
                             const struct action *action)
{
    struct journal_entry entry =
        sent_entry(recorder, now_us, actions, action, WIRE_EVENT_TRANSPORT, action->label);
    entry.kind = JOURNAL_TRANSPORT;
    entry.wire.code = (uint16_t)journal_act_of(action->label);
    entry.wire.fault = true;
    entry.duration_us = action->duration_us;
    own_watch_end(&recorder->own);
    if (entry.wire.data.len > JOURNAL_RAW_BYTES_MAX)
        entry.wire.data.len = JOURNAL_RAW_BYTES_MAX;
    record_sent(recorder, &entry);
}

/* Where the script stands: no event of the wire. */
static void record_script(struct recorder *recorder, uint64_t now_us, const struct actions *actions,
                          const struct action *action, enum journal_kind kind)
{
    struct journal_entry entry = {.at_us = now_us, .kind = kind};
    action_label_set(entry.label, action->label);
    action_label_set(entry.step, action->step);
    entry.line = action->code;
    entry.has_interaction = action->has_interaction || kind == JOURNAL_CAPTURE;
    memcpy(entry.interaction, action->interaction, UUID_BYTES);
    if (kind == JOURNAL_FAILED || kind == JOURNAL_STEP)
        entry.wire.data = actions_bytes(actions, action);
    record(recorder, &entry);
}

void recorder_warm(const struct recorder *recorder)
{
    warm(&recorder->rules, offsetof(struct recorder, learned) - offsetof(struct recorder, rules));
}

void recorder_action(struct recorder *recorder, uint64_t now_us, const struct actions *actions,
                     const struct action *action)
{
    switch (action->kind) {
    case ACTION_ACCEPT:
        record_event(recorder, now_us, actions, action, WIRE_EVENT_RESPONSE, "accept");
        break;
    case ACTION_REFUSE:
        record_event(recorder, now_us, actions, action, WIRE_EVENT_RESPONSE, "refusal");
        break;
    case ACTION_SEND_TEXT:
    case ACTION_SEND_BINARY:
        record_message(recorder, now_us, actions, action);
        break;
    case ACTION_SEND_PING:
        record_event(recorder, now_us, actions, action, WIRE_EVENT_PING, "ping");
        break;
    case ACTION_CLOSE:
        record_event(recorder, now_us, actions, action, WIRE_EVENT_CLOSE, "close");
        break;
    case ACTION_RESET:
        record_event(recorder, now_us, actions, action, WIRE_EVENT_END, "reset");
        break;
    case ACTION_DROP:
        record_event(recorder, now_us, actions, action, WIRE_EVENT_END, "drop");
        break;
    case ACTION_SEND_RAW:
    case ACTION_HALF_CLOSE:
    case ACTION_STOP_READING:
        record_transport(recorder, now_us, actions, action);
        break;
    case ACTION_MARK:
        record_script(recorder, now_us, actions, action, JOURNAL_MARK);
        break;
    case ACTION_CAPTURE:
        record_script(recorder, now_us, actions, action, JOURNAL_CAPTURE);
        break;
    case ACTION_STEP:
        own_watch_step(&recorder->own, action->label, action->len > 0);
        record_script(recorder, now_us, actions, action, JOURNAL_STEP);
        break;
    case ACTION_STEP_FAILED:
        record_script(recorder, now_us, actions, action, JOURNAL_FAILED);
        break;
    case ACTION_SCRIPT_DONE:
        own_watch_end(&recorder->own);
        record_script(recorder, now_us, actions, action, JOURNAL_DONE);
        break;
    }
}

void recorder_taken(struct recorder *recorder, const struct taken_event *taken)
{
    struct journal_entry entry = {
        .at_us = taken->now_us,
        .kind = JOURNAL_TAKEN,
        .wire = {.code = taken->code, .message_bytes = taken->message_bytes, .data = taken->data},
        .order = taken->order,
        .begins = taken->begins,
        .seed = taken->begins ? taken->seed : 0};
    action_label_set(entry.label, taken->event);
    record(recorder, &entry);
}

void recorder_dropped(struct recorder *recorder, uint64_t now_us, const struct action *action)
{
    struct journal_entry entry = {.at_us = now_us, .kind = JOURNAL_DROPPED, .order = action->order};
    action_label_set(entry.label, action->label);
    own_watch_end(&recorder->own);
    record(recorder, &entry);
}
