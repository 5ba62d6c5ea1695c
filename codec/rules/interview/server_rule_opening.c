/*
 * The way into a session, and out of it: IV-SRV-01, 03, 08. 004 Authentication, Connection Response, Session
 * Status, WebSocket Close Codes.
 */
#include <stdlib.h>

#include "codec/interview/path.h"
#include "codec/rules/interview/server_rule_set.h"
#include "codec/wire/http_head.h"

/* Neither takes the speech service, but a loaded machine is slow. */
static const uint64_t REFUSAL_WAIT_US = 5000000;
static const uint64_t STATUS_WAIT_US = 5000000;

/* --- who may come in --- */

static const char REFUSAL[] = "a close with 1008, or a refused upgrade with 401 or 403";

static bool decodes_to(struct bytes value, struct bytes given)
{
    size_t len = 0;
    uint8_t *decoded = malloc(value.len == 0 ? 1 : value.len);
    const bool same =
        decoded != NULL && percent_decode(value, decoded, &len) && bytes_equal(bytes_of(decoded, len), given);
    free(decoded);
    return same;
}

/* Is there a token that is another than the right one, among those of the query? */
static bool has_wrong_token(const struct http_head *head, struct bytes right)
{
    struct bytes token;
    for (size_t n = 0; http_head_parameter(head, INTERVIEW_TOKEN_PARAMETER, n, &token); n++)
        if (!decodes_to(token, right))
            return true;
    return false;
}

/* Why the request must be refused; NULL: it need not be. Without a right token to compare with, only one that
 * is missing or empty is known to be wrong. */
static const char *refusal_cause(const struct server_rule_context *context, const struct http_head *head)
{
    struct bytes token, id;
    if (!http_head_parameter(head, INTERVIEW_TOKEN_PARAMETER, 0, &token) || token.len == 0)
        return "a request without a token";
    if (context->key.len > 0 && has_wrong_token(head, context->key))
        return "a request with a wrong token";
    if (context->config_only && interview_path_id(head->path, &id) && !decodes_to(id, context->config))
        return "a request for an unknown interview";
    return NULL;
}

static void refusal_broken(struct server_rule_set *rules, enum interview_server_rule rule, uint64_t at_us,
                           const char *actual, unsigned code)
{
    struct finding_draft draft;
    rules->refusal.due = false;
    finding_begin_with(&draft, REFUSAL, actual);
    text_add(&draft.expected, " for ");
    text_add(&draft.expected, rules->refusal.what);
    if (code > 0)
        text_add_u64(&draft.actual, code);
    finding_book_end(&rules->book, rule, &draft, at_us, false);
}

static void take_answer(struct server_rule_set *rules, enum interview_server_rule rule,
                        const struct interview_seen *seen)
{
    const struct wire_event *event = seen->event;
    const bool is_response = event->kind == WIRE_EVENT_RESPONSE;
    const bool is_close = event->kind == WIRE_EVENT_CLOSE;
    if (event->direction != WIRE_FROM_SERVER || (is_response && event->code == 101) ||
        interview_server_sent(seen, INTERVIEW_MESSAGE_ERROR))
        return;
    if ((is_close && event->code == INTERVIEW_CLOSE_POLICY) ||
        (is_response && (event->code == 401 || event->code == 403))) {
        rules->refusal.due = false;
        finding_book_kept(&rules->book, rule);
    } else if (is_close || is_response) {
        refusal_broken(rules, rule, event->at_us, is_close ? "a close with " : "a response with ",
                       event->code);
    } else if (seen->ends) {
        refusal_broken(rules, rule, event->at_us, "the connection ended without a close", 0);
    } else if (interview_server_sent(seen, INTERVIEW_MESSAGE_STATUS) &&
               seen->message.status == INTERVIEW_STATUS_CONNECTED) {
        refusal_broken(rules, rule, event->at_us, "it was let in", 0);
    }
}

void interview_server_refusal(struct server_rule_set *rules, enum interview_server_rule rule,
                              const struct interview_seen *seen)
{
    struct refusal_state *refusal = &rules->refusal;
    struct http_head head;
    if (refusal->due)
        take_answer(rules, rule, seen);
    if (seen->event->kind != WIRE_EVENT_REQUEST || !http_head_parse(seen->event->data, &head) ||
        !http_head_asks_for_websocket(&head))
        return;
    refusal->what = refusal_cause(&rules->context, &head);
    refusal->due = refusal->what != NULL;
    refusal->since_us = seen->event->at_us;
}

void interview_server_refusal_clock(struct server_rule_set *rules, enum interview_server_rule rule,
                                    uint64_t now_us)
{
    if (rules->refusal.due && interview_since(rules->refusal.since_us, now_us) > REFUSAL_WAIT_US)
        refusal_broken(rules, rule, now_us, "neither in 5 s", 0);
}

/* --- the first word --- */

static const char OPENING[] = "a status connected before anything but a status connecting";

static void opening_broken(struct server_rule_set *rules, enum interview_server_rule rule, uint64_t at_us,
                           const char *actual)
{
    if (!rules->opening_broken)
        finding_book_broken(&rules->book, rule, at_us, OPENING, actual);
    rules->opening_broken = true;
}

void interview_server_opening(struct server_rule_set *rules, enum interview_server_rule rule,
                              const struct interview_seen *seen)
{
    const struct interview_message *message = &seen->message;
    if (!seen->from_server || seen->is_cut || rules->watch.connected)
        return;
    const bool is_status = message->type == INTERVIEW_MESSAGE_STATUS && message->has_status;
    if (is_status && message->status == INTERVIEW_STATUS_CONNECTED)
        finding_book_kept(&rules->book, rule);
    else if (message->type == INTERVIEW_MESSAGE_STATUS && message->status != INTERVIEW_STATUS_DISCONNECTED)
        return;                                        /* one whose status cannot be read is IV-SRV-09's */
    else if (message->type != INTERVIEW_MESSAGE_ERROR) /* why it does not let the client in */
        opening_broken(rules, rule, seen->event->at_us, interview_message_type_name(message->type));
}

void interview_server_opening_clock(struct server_rule_set *rules, enum interview_server_rule rule,
                                    uint64_t now_us)
{
    const struct interview_watch *watch = &rules->watch;
    if (watch->open && !watch->connected && !rules->refusal.due && rules->refusal.what == NULL &&
        interview_since(watch->open_us, now_us) > STATUS_WAIT_US)
        opening_broken(rules, rule, now_us, "none in 5 s");
}

/* --- the end --- */

/* What happened shows with whoever brought it about; here it shows that the server says why it goes. */
void interview_server_ending(struct server_rule_set *rules, enum interview_server_rule rule,
                             const struct interview_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (!interview_server_ends(seen) || !rules->watch.open)
        return;
    if (event->kind == WIRE_EVENT_END || event->code == WS_CLOSE_NO_CODE)
        finding_book_broken(&rules->book, rule, event->at_us,
                            "a close with 1011 after a server error, with 1012 at a restart",
                            event->kind == WIRE_EVENT_END ? "the connection ended without a close"
                                                          : "a close without a code");
    else if (event->code == INTERVIEW_CLOSE_INTERNAL || event->code == INTERVIEW_CLOSE_RESTART)
        finding_book_kept(&rules->book, rule);
}
