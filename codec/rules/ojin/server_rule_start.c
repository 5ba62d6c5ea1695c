/* How a session begins: OJ-SRV-03, OJ-SRV-04. 000 SessionReadyMessage; 000 and 001 How It Works. */
#include "codec/rules/ojin/server_rule_set.h"

/* The first frame must come within this time of what starts the stream. A server that is ready has its
 * backend, so this is generous. */
static const uint64_t START_WAIT_US = 5000000;

enum { VALUE_SHOWN_MAX = 60 };

static const char ready_expected[] =
    "sessionReady as the first message, once, with a UUID trace_id, status success and load from 0 to 1";

static void ready_fault(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct ojin_message *message = &seen->message;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, ready_expected);
    if (message->error.status != WIRE_OK) {
        text_add(&draft.actual, "a sessionReady with a fault in ");
        text_add(&draft.actual, message->error.field);
        text_add(&draft.actual, ": ");
        text_add(&draft.actual, wire_status_sentence(message->error.status));
    } else {
        text_add(&draft.actual, "a trace_id that is no UUID: ");
        text_add_printable(&draft.actual, bytes_of_text(message->trace_id), VALUE_SHOWN_MAX);
    }
    server_finding_end(rules, rule, &draft, seen->event->at_us);
}

static void judge_ready(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    uint8_t id[UUID_BYTES];
    const struct server_session *session = &rules->session;
    const uint64_t at_us = seen->event->at_us;
    /* A message sent too early may be answered before it. */
    if (session->ready)
        server_broken(rules, rule, at_us, ready_expected, "another sessionReady");
    else if (session->server_messages > 0 && session->client_messages == 0)
        server_broken(rules, rule, at_us, ready_expected, "sessionReady after another message");
    else if (seen->message.error.status != WIRE_OK || !uuid_parse(bytes_of_text(seen->message.trace_id), id))
        ready_fault(rules, rule, seen);
    else
        server_kept(rules, rule);
}

/* An errorResponse or plain text in its place is a refusal, which other rules look at. */
void server_rule_ready(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const uint64_t at_us = seen->event->at_us;
    if (!seen->from_server)
        return;
    if (seen->is_frame) {
        if (!rules->session.ready && !rules->ready_judged)
            server_broken(rules, rule, at_us, ready_expected, "a frame before any sessionReady");
        rules->ready_judged = rules->ready_judged || !rules->session.ready;
        return;
    }
    if (!seen->is_text)
        return;
    const enum ojin_message_type type = seen->message.type;
    if (type == OJIN_MESSAGE_SESSION_READY)
        judge_ready(rules, rule, seen);
    else if (rules->session.server_messages == 0 &&
             (type == OJIN_MESSAGE_OTHER || type == OJIN_MESSAGE_NO_OBJECT ||
              type == OJIN_MESSAGE_END_INTERACTION || type == OJIN_MESSAGE_CANCEL_INTERACTION))
        server_broken(rules, rule, at_us, ready_expected, "a JSON message of another kind as the first");
}

/* --- OJ-SRV-04 --- */

static void no_frames(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us,
                      uint64_t since_us)
{
    struct finding_draft draft;
    const bool on_ready = ojin_profile_of(rules->context.profile)->stream_start == OJIN_STREAM_ON_READY;
    finding_begin(&draft);
    text_add(&draft.expected, on_ready ? "frames right after sessionReady, without any input"
                                       : "frames after the first input message");
    text_add(&draft.actual, "no frame in ");
    text_add_u64(&draft.actual, server_elapsed_us(since_us, now_us) / 1000);
    text_add(&draft.actual, " ms");
    server_finding_end(rules, rule, &draft, now_us);
    rules->start_judged = true;
}

void server_rule_start_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    const struct server_session *session = &rules->session;
    const bool on_ready = ojin_profile_of(rules->context.profile)->stream_start == OJIN_STREAM_ON_READY;
    const bool called = on_ready ? session->ready : session->input_sent;
    const uint64_t since_us = on_ready ? session->ready_us : session->input_us;
    if (rules->start_judged || session->frames > 0 || !called || session->failed || session->over)
        return;
    rules->book.by_clock = true;
    if (server_elapsed_us(since_us, now_us) >= START_WAIT_US)
        no_frames(rules, rule, now_us, since_us);
    rules->book.by_clock = false;
}

static void first_frame(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us)
{
    const struct server_session *session = &rules->session;
    rules->start_judged = true;
    if (ojin_profile_of(rules->context.profile)->stream_start == OJIN_STREAM_ON_READY) {
        /* With input before it, nobody can tell what started the stream. */
        if (session->binary_messages == 0 && session->ready)
            server_kept(rules, rule);
    } else if (session->binary_messages == 0 && !session->end_sent) {
        server_broken(rules, rule, at_us, "nothing but sessionReady before the first input message",
                      "a frame before any input");
    } else if (session->input_sent) {
        server_kept(rules, rule);
    }
}

void server_rule_start(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END || rules->start_judged)
        return;
    server_rule_start_ending(rules, rule, event->at_us);
    if (seen->is_frame && !rules->start_judged)
        first_frame(rules, rule, event->at_us);
}
