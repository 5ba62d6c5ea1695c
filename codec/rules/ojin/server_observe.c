/* What an event is, and what it changes for all rules. */
#include "codec/rules/ojin/server_rule_set.h"
#include "codec/wire/http_response.h"

/* The JSON object of a refusal's body, which may be in chunks (RFC 9112 7.1). */
static struct bytes body_object(struct bytes response)
{
    size_t start = 0;
    while (start + 4 <= response.len && memcmp(response.data + start, "\r\n\r\n", 4) != 0)
        start++;
    while (start < response.len && response.data[start] != '{')
        start++;
    size_t end = response.len;
    while (end > start && response.data[end - 1] != '}')
        end--;
    return start == end ? (struct bytes){0} : bytes_of(response.data + start, end - start);
}

static void observe_server(struct server_rule_set *rules, struct server_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (event->kind == WIRE_EVENT_RESPONSE && event->code != HTTP_SWITCHING_PROTOCOLS) {
        const struct bytes object = body_object(event->data);
        seen->is_body = object.len > 0;
        if (seen->is_body)
            ojin_message_read(object, &seen->message);
    } else if (event->kind == WIRE_EVENT_BINARY) {
        seen->from_server = seen->is_frame = true;
        frame_view_read(event, &seen->frame);
        server_speech_frame(&rules->session.speech, event->at_us, &seen->frame, &seen->step);
    } else if (event->kind == WIRE_EVENT_TEXT) {
        seen->from_server = true;
        seen->is_text = event->message_bytes <= event->data.len;
        if (seen->is_text)
            ojin_message_read(event->data, &seen->message);
    }
}

void server_observe(struct server_rule_set *rules, struct server_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (event->direction == WIRE_FROM_SERVER) {
        observe_server(rules, seen);
    } else if (event->kind == WIRE_EVENT_REQUEST) {
        server_observe_request(rules, event);
    } else if (event->kind == WIRE_EVENT_TEXT || event->kind == WIRE_EVENT_BINARY) {
        seen->from_client = true;
        client_message_read(event, &seen->client);
    }
    const bool stopped = rules->session.over || rules->session.failed || rules->session.final_seen;
    if (!stopped)
        seen->is_overdue = server_speech_overdue(&rules->session.speech, event->at_us, &seen->overdue);
}

bool server_index_counts(bool *held, bool wrong, const struct server_seen *seen)
{
    if (!seen->is_frame || !frame_view_has_header(&seen->frame))
        return false;
    const bool counts = *held && seen->frame.header.index <= OJIN_INDEX_SPEECH;
    *held = wrong;
    return counts || (wrong && seen->frame.header.is_final != 0);
}

/* --- the client's messages --- */

/* Zeros are no speech while nothing is spoken, and speech within it; which of both holds at the server is not
 * always seen from here. */
static void settle_audio(struct server_session *session, const struct server_seen *seen, bool certain)
{
    struct server_speech *speech = &session->speech;
    const struct client_message *client = &seen->client;
    const bool holds_audio = client->audio.len > 0 || seen->event->message_bytes > seen->event->data.len;
    if (!holds_audio || session->end_sent)
        return;
    const bool zero = client->is_input && !client->speaks;
    if (zero && server_speech_is_idle(speech))
        return;
    if (certain && client->is_input && session->ready && !zero)
        server_speech_send(speech, seen->event->at_us, client->audio);
    else
        server_speech_doubt(speech, seen->event->at_us);
}

static void settle_end(struct server_rule_set *rules, uint64_t at_us, bool certain)
{
    struct server_session *session = &rules->session;
    if (session->end_sent)
        return;
    session->end_sent = true;
    session->end_us = at_us;
    session->end_event = finding_book_event(&rules->book);
    session->end_due_frames = server_speech_due_frames(&session->speech);
    session->end_after_start = session->frames > 0 || session->input_sent;
    session->cancel_sent = false;
    rules->final_judged = !certain || !session->ready;
}

static void settle_cancel(struct server_rule_set *rules, uint64_t at_us, bool certain)
{
    struct server_session *session = &rules->session;
    session->cancel_after_end = (session->end_sent || session->cancel_after_end) && !session->final_seen;
    session->cancel_sent = true;
    session->end_sent = false;
    rules->cancel_judged = false;
    if (certain && session->ready)
        server_speech_cancel(&session->speech, at_us);
    else
        server_speech_doubt(&session->speech, at_us);
}

static void settle_client(struct server_rule_set *rules, const struct server_seen *seen)
{
    struct server_session *session = &rules->session;
    const struct client_message *client = &seen->client;
    const uint64_t at_us = seen->event->at_us;
    const bool certain = !server_rate_is_near(rules);
    session->client_messages++;
    if (client->binary) {
        session->binary_messages++;
        settle_audio(session, seen, certain);
    }
    if (client->is_input && session->ready && certain && !session->input_sent) {
        session->input_sent = true;
        session->input_us = at_us;
    }
    if (client->is_end)
        settle_end(rules, at_us, certain);
    if (client->is_cancel)
        settle_cancel(rules, at_us, certain);
}

/* --- the server's --- */

static void settle_error(struct server_rule_set *rules, const struct server_seen *seen)
{
    struct server_session *session = &rules->session;
    enum ojin_error_code code = OJIN_ERROR_INTERNAL_ERROR;
    const bool known = ojin_error_by_name(bytes_of_text(seen->message.code), &code);
    /* What answers a single message is the rules' for answers. */
    if (known && (code == OJIN_ERROR_INVALID_MESSAGE || code == OJIN_ERROR_FRAME_SIZE_EXCEEDED ||
                  (code == OJIN_ERROR_CANCELLED && session->cancel_sent)))
        return;
    server_speech_doubt(&session->speech, seen->event->at_us);
    if (known && code == OJIN_ERROR_RATE_LIMITED) {
        /* It may have been the end, or the cancel, that was turned away. */
        rules->final_judged = true;
        session->speech.cancel.watched = false;
        session->cancel_after_end = session->cancel_after_end || session->cancel_sent;
        return;
    }
    session->failed = true;
}

static void settle_server_text(struct server_rule_set *rules, const struct server_seen *seen)
{
    struct server_session *session = &rules->session;
    switch (seen->message.type) {
    case OJIN_MESSAGE_SESSION_READY:
        if (!session->ready)
            session->ready_us = seen->event->at_us;
        session->ready = true;
        break;
    case OJIN_MESSAGE_ERROR_RESPONSE:
        settle_error(rules, seen);
        break;
    case OJIN_MESSAGE_PLAIN_TEXT:
    case OJIN_MESSAGE_UNREADABLE:
        server_speech_doubt(&session->speech, seen->event->at_us);
        session->failed = true;
        break;
    case OJIN_MESSAGE_END_INTERACTION:
    case OJIN_MESSAGE_CANCEL_INTERACTION:
    case OJIN_MESSAGE_OTHER:
    case OJIN_MESSAGE_NO_OBJECT:
        break;
    }
}

static void settle_frame(struct server_session *session, const struct server_seen *seen)
{
    if (session->frames++ == 0)
        session->first_frame_us = seen->event->at_us;
    if (frame_view_has_header(&seen->frame) && seen->frame.header.is_final != 0) {
        session->final_seen = session->final_seen || session->end_sent;
        session->cancel_after_end = false;
    }
}

void server_settle(struct server_rule_set *rules, const struct server_seen *seen)
{
    struct server_session *session = &rules->session;
    const struct wire_event *event = seen->event;
    if (session->over)
        return;
    if (seen->from_client)
        settle_client(rules, seen);
    if (seen->is_text)
        settle_server_text(rules, seen);
    if (seen->is_frame)
        settle_frame(session, seen);
    if (seen->from_server)
        session->server_messages++;
    if (event->kind == WIRE_EVENT_RESPONSE && event->direction == WIRE_FROM_SERVER) {
        session->answered = true;
        session->open = session->open || event->code == HTTP_SWITCHING_PROTOCOLS;
    }
    if (event->kind == WIRE_EVENT_VIOLATION)
        server_speech_doubt(&session->speech, event->at_us);
}
