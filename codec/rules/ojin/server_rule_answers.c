/*
 * Messages that must be answered by an errorResponse, or must pass: OJ-SRV-11, 12, 13; and the form of every
 * errorResponse: OJ-SRV-14. 000 ErrorResponse codes, ErrorResponseMessage.
 *
 * Answers come in the order of the messages, but not each message has one, so an errorResponse is taken for
 * the oldest message that must have that code, then for one that may have it. "With the session going on" is
 * shown by anything that the server sends after the answer.
 *
 * OJ-SRV-11 is kept when both of its halves were seen in the session: a message of exactly
 * OJIN_MESSAGE_BYTES_MAX that passed, and one of a byte more that was refused. That it passed is shown by its
 * speech, when nothing else is spoken: for a message that is dropped there is no error either.
 */
#include "codec/rules/ojin/server_rule_set.h"

static const char *awaited_code(const struct awaited *awaited)
{
    return ojin_error_name(awaited->due == ANSWER_TOO_BIG ? OJIN_ERROR_FRAME_SIZE_EXCEEDED
                                                          : OJIN_ERROR_INVALID_MESSAGE);
}

static void forget(struct answer_state *answers, size_t n)
{
    answers->count--;
    memmove(answers->list + n, answers->list + n + 1, (answers->count - n) * sizeof answers->list[0]);
}

static void answer_broken(struct server_rule_set *rules, const struct awaited *awaited, uint64_t at_us,
                          const char *actual)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, awaited_code(awaited));
    text_add(&draft.expected, " for a message of ");
    text_add_u64(&draft.expected, awaited->bytes);
    text_add(&draft.expected, " bytes");
    if (awaited->due == ANSWER_TOO_BIG) {
        text_add(&draft.expected, ", where ");
        text_add_u64(&draft.expected, OJIN_MESSAGE_BYTES_MAX);
        text_add(&draft.expected, " pass");
    } else {
        text_add(&draft.expected, " with ");
        text_add(&draft.expected, awaited->fault);
    }
    text_add(&draft.expected, ", with the session going on");
    text_add(&draft.actual, actual);
    text_add_u64(&draft.actual, server_elapsed_us(awaited->at_us, at_us) / 1000);
    text_add(&draft.actual, " ms");
    if (rules->answers.last_code[0] != '\0') {
        text_add(&draft.actual, "; another code came: ");
        text_add(&draft.actual, rules->answers.last_code);
    }
    if (rules->book.by_clock)
        draft.finding.event = awaited->event;
    server_finding_end(rules, awaited->rule, &draft, at_us);
}

static void size_kept(struct server_rule_set *rules)
{
    if (rules->answers.biggest_passed && rules->answers.too_big_refused)
        server_kept(rules, SERVER_RULE_11);
}

/* --- what the client sends --- */

static bool is_awaited(const struct server_rule_set *rules, const struct server_seen *seen)
{
    const struct server_session *session = &rules->session;
    if (!session->ready || session->end_sent || session->final_seen || session->failed ||
        rules->answers.count == AWAITED_MAX)
        return false;
    return seen->client.due != ANSWER_NONE || seen->event->message_bytes == OJIN_MESSAGE_BYTES_MAX;
}

static void take_message(struct server_rule_set *rules, const struct server_seen *seen)
{
    struct answer_state *answers = &rules->answers;
    const struct client_message *client = &seen->client;
    if (client->due != ANSWER_TOO_BIG && seen->event->message_bytes > answers->largest)
        answers->largest = seen->event->message_bytes;
    for (size_t i = 0; client->speaks && i < answers->count; i++)
        answers->list[i].speaks = false; /* whose speech comes cannot be told any more */
    if (!is_awaited(rules, seen))
        return;
    const bool about_size = client->due == ANSWER_TOO_BIG || client->due == ANSWER_NONE;
    const enum server_rule malformed = client->binary ? SERVER_RULE_12 : SERVER_RULE_13;
    answers->list[answers->count++] =
        (struct awaited){.rule = about_size ? SERVER_RULE_11 : malformed,
                         .due = client->due,
                         .fault = client->fault,
                         .bytes = seen->event->message_bytes,
                         .at_us = seen->event->at_us,
                         .event = finding_book_event(&rules->book),
                         .may_be_limited = server_rate_is_near(rules),
                         .speaks = client->due == ANSWER_NONE && client->speaks &&
                                   server_speech_is_idle(&rules->session.speech)};
}

/* --- what the server answers --- */

/* The oldest that awaits the code; else the oldest that may have it. */
static size_t find_awaited(const struct answer_state *answers, enum answer_due due)
{
    size_t found = answers->count;
    for (size_t i = 0; i < answers->count; i++) {
        const struct awaited *awaited = &answers->list[i];
        if (awaited->due == due && !awaited->answered)
            return i;
        /* A message too large may be wrong in itself too, and one of the full size may be wrong to a server
         * that reads it otherwise. */
        const bool may = due == ANSWER_INVALID && awaited->due == ANSWER_MAY;
        if (may && found == answers->count)
            found = i;
    }
    return found;
}

static void keep_code(struct answer_state *answers, const char *code)
{
    struct text text = text_of(answers->last_code, sizeof answers->last_code);
    text_add_printable(&text, bytes_of_text(code), sizeof answers->last_code - 4);
}

/* An answer that no message asked for. */
static void take_unasked(struct server_rule_set *rules, const struct server_seen *seen, bool about_size)
{
    server_speech_doubt(&rules->session.speech, seen->event->at_us);
    if (!about_size || rules->session.client_messages == 0)
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "messages of up to ");
    text_add_u64(&draft.expected, OJIN_MESSAGE_BYTES_MAX);
    text_add(&draft.expected, " bytes pass");
    text_add(&draft.actual, "FRAME_SIZE_EXCEEDED, and the largest message not answered yet has ");
    text_add_u64(&draft.actual, rules->answers.largest);
    text_add(&draft.actual, " bytes");
    server_finding_end(rules, SERVER_RULE_11, &draft, seen->event->at_us);
}

static void take_answer(struct server_rule_set *rules, const struct server_seen *seen, enum answer_due due)
{
    struct answer_state *answers = &rules->answers;
    const size_t n = find_awaited(answers, due);
    if (n == answers->count) {
        /* One of the full size that is refused for something else has not passed, and shows nothing. */
        for (size_t i = answers->count; i-- > 0;) {
            if (answers->list[i].due == ANSWER_NONE)
                forget(answers, i);
        }
        take_unasked(rules, seen, due == ANSWER_TOO_BIG);
    } else if (answers->list[n].due == ANSWER_MAY) {
        forget(answers, n);
    } else {
        answers->list[n].answered = true;
    }
}

/* Which messages it was that came too fast cannot be told. */
static void drop_limited(struct answer_state *answers, uint64_t at_us)
{
    for (size_t i = answers->count; i-- > 0;) {
        const struct awaited *awaited = &answers->list[i];
        if (!awaited->answered && server_elapsed_us(awaited->at_us, at_us) <= SERVER_ANSWER_WAIT_US)
            forget(answers, i);
    }
}

static void take_error(struct server_rule_set *rules, const struct server_seen *seen)
{
    enum ojin_error_code code = OJIN_ERROR_INTERNAL_ERROR;
    const bool known = ojin_error_by_name(bytes_of_text(seen->message.code), &code);
    if (known && code == OJIN_ERROR_INVALID_MESSAGE)
        take_answer(rules, seen, ANSWER_INVALID);
    else if (known && code == OJIN_ERROR_FRAME_SIZE_EXCEEDED)
        take_answer(rules, seen, ANSWER_TOO_BIG);
    else if (known && code == OJIN_ERROR_RATE_LIMITED)
        drop_limited(&rules->answers, seen->event->at_us);
    else if (!known || code != OJIN_ERROR_CANCELLED)
        keep_code(&rules->answers, seen->message.code);
}

/* The server is there: what was answered before has not ended the session. */
static void take_life(struct server_rule_set *rules)
{
    struct answer_state *answers = &rules->answers;
    for (size_t i = answers->count; i-- > 0;) {
        const struct awaited awaited = answers->list[i];
        if (!awaited.answered)
            continue;
        forget(answers, i);
        if (awaited.rule == SERVER_RULE_11)
            answers->too_big_refused =
                answers->too_big_refused || awaited.bytes == OJIN_MESSAGE_BYTES_MAX + 1;
        else
            server_kept(rules, awaited.rule);
    }
    size_kept(rules);
}

void server_rule_answers_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    struct answer_state *answers = &rules->answers;
    (void)rule;
    rules->book.by_clock = true;
    for (size_t i = 0; i < answers->count;) {
        const struct awaited awaited = answers->list[i];
        const bool waits = server_elapsed_us(awaited.at_us, now_us) < SERVER_ANSWER_WAIT_US;
        if (waits || awaited.answered || awaited.due == ANSWER_NONE) {
            i++;
            continue;
        }
        forget(answers, i);
        if (awaited.due != ANSWER_MAY && !awaited.may_be_limited)
            answer_broken(rules, &awaited, now_us, "no such answer in ");
    }
    rules->book.by_clock = false;
}

/* One of the full size has passed when its speech comes; one that holds none shows nothing. */
static void take_passed(struct server_rule_set *rules, const struct server_seen *seen)
{
    struct answer_state *answers = &rules->answers;
    const bool speech = seen->is_frame && frame_view_has_header(&seen->frame) &&
                        seen->frame.header.index == OJIN_INDEX_SPEECH;
    for (size_t i = answers->count; i-- > 0;) {
        const struct awaited awaited = answers->list[i];
        const bool waits =
            awaited.speaks || server_elapsed_us(awaited.at_us, seen->event->at_us) < SERVER_ANSWER_WAIT_US;
        if (awaited.due != ANSWER_NONE || (waits && !(awaited.speaks && speech)))
            continue;
        forget(answers, i);
        answers->biggest_passed = answers->biggest_passed || (awaited.speaks && !awaited.may_be_limited);
    }
    size_kept(rules);
}

/* The server ends the session while messages wait for an answer, or for life after it. */
static void take_end(struct server_rule_set *rules, const struct wire_event *event)
{
    struct answer_state *answers = &rules->answers;
    const struct server_session *session = &rules->session;
    const bool service = event->kind == WIRE_EVENT_CLOSE &&
                         (event->code == OJIN_CLOSE_GOING_AWAY || event->code == OJIN_CLOSE_RESTART ||
                          event->code == OJIN_CLOSE_TRY_AGAIN);
    for (size_t i = 0; i < answers->count; i++) {
        const struct awaited *awaited = &answers->list[i];
        const bool recent = server_elapsed_us(awaited->at_us, event->at_us) <= SERVER_ANSWER_WAIT_US;
        if (!service && !session->end_sent && !session->failed && recent && awaited->due != ANSWER_MAY &&
            !awaited->may_be_limited)
            answer_broken(rules, awaited, event->at_us, "the server ended the connection after ");
    }
    answers->count = 0;
}

void server_rule_answers(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct wire_event *event = seen->event;
    const bool ends = event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END;
    if (rules->session.over)
        return;
    if (ends) {
        if (event->direction == WIRE_FROM_SERVER)
            take_end(rules, event);
        return;
    }
    if (rules->session.final_seen || rules->session.failed)
        rules->answers.count = 0;
    if (event->direction == WIRE_FROM_SERVER) {
        take_life(rules);
        if (seen->is_text && seen->message.type == OJIN_MESSAGE_ERROR_RESPONSE)
            take_error(rules, seen);
        take_passed(rules, seen);
    }
    server_rule_answers_ending(rules, rule, event->at_us);
    if (seen->from_client)
        take_message(rules, seen);
}

/* --- OJ-SRV-14 --- */

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* NULL: milliseconds, or nothing that can be named. */
static const char *wrong_unit(const struct server_rule_set *rules, const struct server_seen *seen)
{
    const uint64_t off_ms = server_clock_off_ms(rules);
    const uint64_t now_ms = server_now_ms(rules, seen->event->at_us);
    const uint64_t sent = (uint64_t)seen->message.timestamp_ms;
    if (seen->message.timestamp_ms <= 0 || distance(sent, now_ms) <= off_ms)
        return NULL;
    if (distance(sent, now_ms / 1000) <= off_ms / 1000)
        return "a timestamp in seconds";
    if (distance(sent / 1000, now_ms) <= off_ms)
        return "a timestamp in microseconds";
    return distance(sent / 1000000, now_ms) <= off_ms ? "a timestamp in nanoseconds" : NULL;
}

void server_rule_error_form(struct server_rule_set *rules, enum server_rule rule,
                            const struct server_seen *seen)
{
    static const char expected[] = "code, message and an integer millisecond timestamp in each errorResponse";
    const struct ojin_message *message = &seen->message;
    const uint64_t at_us = seen->event->at_us;
    const bool from_server = seen->event->direction == WIRE_FROM_SERVER;
    if (!from_server || (!seen->is_text && !seen->is_body) || message->type != OJIN_MESSAGE_ERROR_RESPONSE)
        return;
    const char *unit = message->has_timestamp ? wrong_unit(rules, seen) : NULL;
    if (message->error.status != WIRE_OK) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, expected);
        text_add(&draft.actual, message->error.field);
        text_add(&draft.actual, ": ");
        text_add(&draft.actual, wire_status_sentence(message->error.status));
        server_finding_end(rules, rule, &draft, at_us);
    } else if (!message->has_timestamp) {
        server_broken(rules, rule, at_us, expected, "no timestamp");
    } else if (message->code[0] == '\0') {
        server_broken(rules, rule, at_us, expected, "an empty code");
    } else if (unit != NULL) {
        server_broken(rules, rule, at_us, expected, unit);
    } else {
        server_kept(rules, rule);
    }
}
