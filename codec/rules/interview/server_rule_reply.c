/*
 * What a server answers: IV-SRV-04, 05, 06. 004 Message Protocol, Cancel Response, Message Error Codes.
 */
#include "codec/rules/interview/classes.h"
#include "codec/rules/interview/server_rule_set.h"

/* The speech service takes its time; more than that between two of its messages is no conversation. */
static const uint64_t REPLY_WAIT_US = 10000000;
/* What was on its way when the cancel came, and what a loaded machine takes. */
static const uint64_t CANCEL_WAIT_US = 1000000;
static const uint64_t ANSWER_WAIT_US = 3000000;

/* --- what a commit brings --- */

static const char REPLY[] =
    "after a commit a transcript of the candidate, ai_audio_chunk messages the last with "
    "is_final, a transcript of the ai and a function_result";

static void reply_broken(struct server_rule_set *rules, enum interview_server_rule rule, uint64_t at_us,
                         const char *actual)
{
    rules->reply.due = false;
    finding_book_broken(&rules->book, rule, at_us, REPLY, actual);
}

static void take_transcript(struct server_rule_set *rules, enum interview_server_rule rule,
                            const struct interview_message *message, uint64_t at_us)
{
    struct reply_state *reply = &rules->reply;
    if (!message->has_speaker) /* IV-SRV-09 */
        return;
    bool *came = message->speaker == INTERVIEW_SPEAKER_CANDIDATE ? &reply->heard : &reply->spoken_text;
    if (*came)
        reply_broken(rules, rule, at_us, "a second transcript of the same speaker");
    *came = true;
}

static void take_reply(struct server_rule_set *rules, enum interview_server_rule rule,
                       const struct interview_message *message, uint64_t at_us)
{
    struct reply_state *reply = &rules->reply;
    reply->since_us = at_us;
    if (message->type == INTERVIEW_MESSAGE_TRANSCRIPT) {
        take_transcript(rules, rule, message, at_us);
    } else if (message->type == INTERVIEW_MESSAGE_FUNCTION_RESULT) {
        reply->result = true;
    } else if (message->type == INTERVIEW_MESSAGE_AI_AUDIO_CHUNK) {
        if (!reply->heard)
            reply_broken(rules, rule, at_us, "an ai_audio_chunk before the transcript of the candidate");
        else if (reply->spoken)
            reply_broken(rules, rule, at_us, "an ai_audio_chunk after the one with is_final");
        reply->spoken = reply->spoken || message->is_final;
    }
    if (!reply->due || !(reply->heard && reply->spoken && reply->spoken_text && reply->result))
        return;
    reply->due = false;
    finding_book_kept(&rules->book, rule);
}

void interview_server_reply(struct server_rule_set *rules, enum interview_server_rule rule,
                            const struct interview_seen *seen)
{
    const struct interview_watch *watch = &rules->watch;
    const uint64_t at_us = seen->event->at_us;
    if (interview_client_sent(seen, INTERVIEW_MESSAGE_COMMIT_AUDIO)) {
        /* A second one, before the reply to the first is over, is anybody's guess. */
        const bool judged = watch->connected && watch->samples > 0 && !rules->reply.due && !watch->replying &&
                            !rules->answer.due;
        rules->reply = (struct reply_state){.due = judged, .since_us = at_us};
    } else if ((seen->from_client && seen->is_cut) || (seen->from_server && seen->is_cut) ||
               interview_client_sent(seen, INTERVIEW_MESSAGE_CANCEL_RESPONSE) ||
               interview_server_sent(seen, INTERVIEW_MESSAGE_ERROR) || seen->ends) {
        rules->reply.due = false; /* what comes then is another matter */
    } else if (rules->reply.due && seen->from_server) {
        take_reply(rules, rule, &seen->message, at_us);
    }
}

static const char *reply_lacks(const struct reply_state *reply)
{
    if (!reply->heard)
        return "no transcript of the candidate in 10 s";
    if (!reply->spoken)
        return "no ai_audio_chunk with is_final in 10 s";
    return !reply->spoken_text ? "no transcript of the ai in 10 s" : "no function_result in 10 s";
}

void interview_server_reply_clock(struct server_rule_set *rules, enum interview_server_rule rule,
                                  uint64_t now_us)
{
    if (rules->reply.due && interview_since(rules->reply.since_us, now_us) > REPLY_WAIT_US)
        reply_broken(rules, rule, now_us, reply_lacks(&rules->reply));
}

/* --- a cancel --- */

static bool cancel_is_due(const struct server_rule_set *rules, uint64_t now_us)
{
    return rules->watch.cancelled && !rules->cancel_judged &&
           interview_since(rules->watch.cancel_us, now_us) > CANCEL_WAIT_US;
}

void interview_server_cancel(struct server_rule_set *rules, enum interview_server_rule rule,
                             const struct interview_seen *seen)
{
    const struct interview_watch *watch = &rules->watch;
    if (interview_client_sent(seen, INTERVIEW_MESSAGE_CANCEL_RESPONSE) && !watch->cancelled) {
        rules->cancel_judged = !watch->replying;
        return;
    }
    if (!watch->cancelled || rules->cancel_judged ||
        !interview_server_sent(seen, INTERVIEW_MESSAGE_AI_AUDIO_CHUNK))
        return;
    const bool late = interview_since(watch->cancel_us, seen->event->at_us) > CANCEL_WAIT_US;
    rules->cancel_judged = late || seen->message.is_final;
    if (late)
        finding_book_broken_number(&rules->book, rule, seen->event->at_us,
                                   "no ai_audio_chunk of a reply that was cancelled, once a second is over",
                                   "one ", interview_since(watch->cancel_us, seen->event->at_us) / 1000,
                                   " ms after cancel_response");
    else if (seen->message.is_final)
        finding_book_kept(&rules->book, rule);
}

/* A second later than it is judged: what comes then is seen before the clock says that nothing came. */
void interview_server_cancel_clock(struct server_rule_set *rules, enum interview_server_rule rule,
                                   uint64_t now_us)
{
    if (!cancel_is_due(rules, now_us > CANCEL_WAIT_US ? now_us - CANCEL_WAIT_US : 0))
        return;
    rules->cancel_judged = true;
    finding_book_kept(&rules->book, rule);
}

/* --- bad input --- */

static void answer_broken(struct server_rule_set *rules, enum interview_server_rule rule, uint64_t at_us,
                          const char *actual, struct bytes code)
{
    struct finding_draft draft;
    finding_begin_with(&draft, "AUDIO_PROCESSING_ERROR or INVALID_MESSAGE_FORMAT for ", actual);
    text_add(&draft.expected, rules->answer.fault);
    text_add(&draft.expected, ", with the session going on");
    text_add_printable(&draft.actual, code, 40);
    if (rules->book.by_clock)
        draft.finding.event = rules->answer.event;
    rules->answer = (struct answer_state){.due = false};
    finding_book_end(&rules->book, rule, &draft, at_us, false);
}

/* What a strict reading of the document does not ask for: these may be refused, or let pass. */
static bool may_pass(const struct json_fault *fault)
{
    return fault->kind == JSON_FAULT_UNREADABLE || fault->kind == JSON_FAULT_RANGE;
}

static void take_fault(struct server_rule_set *rules, const struct interview_seen *seen)
{
    const struct json_fault *fault = &seen->message.faults.list[0];
    if (seen->is_binary || seen->event->message_bytes > INTERVIEW_MESSAGE_BYTES_MAX ||
        seen->message.faults.count == 0 || may_pass(fault) || rules->answer.due || rules->answer.answered)
        return;
    rules->answer = (struct answer_state){
        .due = true, .since_us = seen->event->at_us, .event = finding_book_event(&rules->book)};
    struct text text = text_of(rules->answer.fault, sizeof rules->answer.fault);
    json_fault_write(&text, fault);
}

static void take_error(struct server_rule_set *rules, enum interview_server_rule rule,
                       const struct interview_seen *seen)
{
    enum interview_error_code code;
    if (!seen->message.has_code) { /* which it is nobody can say: IV-SRV-09 */
        rules->answer.due = false;
        return;
    }
    const bool known = interview_error_by_name(seen->message.code, &code);
    if (known &&
        (code == INTERVIEW_ERROR_AUDIO_PROCESSING || code == INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT)) {
        rules->answer.due = false;
        rules->answer.answered = true;
        rules->answer.since_us = seen->event->at_us;
    } else if (!known) {
        answer_broken(rules, rule, seen->event->at_us, "the error is ", seen->message.code);
    }
}

void interview_server_answers(struct server_rule_set *rules, enum interview_server_rule rule,
                              const struct interview_seen *seen)
{
    struct answer_state *answer = &rules->answer;
    if (interview_server_ends(seen) && (answer->due || answer->answered)) {
        answer_broken(rules, rule, seen->event->at_us, "the server ended the connection", bytes_of(NULL, 0));
        return;
    }
    if (seen->from_server && !seen->is_cut && answer->answered) {
        finding_book_kept(&rules->book, rule); /* the server is there: it has not ended the session */
        answer->answered = false;
    }
    if (answer->due && interview_server_sent(seen, INTERVIEW_MESSAGE_ERROR))
        take_error(rules, rule, seen);
    if (seen->from_client && !seen->is_cut && rules->watch.connected)
        take_fault(rules, seen);
}

void interview_server_answers_clock(struct server_rule_set *rules, enum interview_server_rule rule,
                                    uint64_t now_us)
{
    struct answer_state *answer = &rules->answer;
    if (interview_since(answer->since_us, now_us) <= ANSWER_WAIT_US)
        return;
    if (answer->due)
        answer_broken(rules, rule, now_us, "no such answer in 3 s", bytes_of(NULL, 0));
    else if (answer->answered)
        finding_book_kept(&rules->book, rule);
    answer->answered = false;
}
