/* The two ends of an interaction: OJ-SRV-08, OJ-SRV-09. 000 EndInteractionMessage, CancelInteractionMessage.
 */
#include "codec/rules/ojin/server_rule_set.h"

/* A final frame must come within this, and the real time of what was due. */
static const uint64_t FINAL_WAIT_US = 10000000;

enum {
    /* Frames of silence after a cancel that show that the speech is gone. */
    CANCEL_SILENCE_FRAMES = 25,
    /* Fewer frames than this may all be on their way when a cancel is sent. */
    CANCEL_DUE_JUDGED = 100
};

static const char expected_final[] =
    "the frames still due after endInteraction, the last and only the last with is_final";

/* --- OJ-SRV-08 --- */

static void no_final(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us, bool closed)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected_final);
    text_add(&draft.actual, "no frame with is_final in ");
    text_add_u64(&draft.actual, server_elapsed_us(rules->session.end_us, now_us) / 1000);
    text_add(&draft.actual, closed ? " ms, then the server ended the connection" : " ms");
    if (!closed)
        draft.finding.event = rules->session.end_event;
    server_finding_end(rules, rule, &draft, now_us);
    rules->final_judged = true;
}

static bool final_is_awaited(const struct server_rule_set *rules)
{
    const struct server_session *session = &rules->session;
    return session->end_sent && session->end_after_start && !session->final_seen && !session->failed &&
           !session->over && !rules->final_judged;
}

void server_rule_final_ending(struct server_rule_set *rules, enum server_rule rule, uint64_t now_us)
{
    const struct server_session *session = &rules->session;
    const uint64_t wait_us = FINAL_WAIT_US + session->end_due_frames * OJIN_FRAME_US;
    rules->book.by_clock = true;
    if (final_is_awaited(rules) && server_elapsed_us(session->end_us, now_us) >= wait_us)
        no_final(rules, rule, now_us, false);
    if (rules->final_good && !rules->final_judged)
        server_kept(rules, rule);
    rules->book.by_clock = false;
}

static void take_final(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us)
{
    const struct server_session *session = &rules->session;
    const uint64_t due = server_speech_due_samples(&session->speech);
    if (!session->end_sent) {
        server_broken(rules, rule, at_us, expected_final,
                      "a frame with is_final, and no endInteraction was sent");
    } else if (due > 0) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, expected_final);
        text_add(&draft.actual, "is_final with ");
        text_add_u64(&draft.actual, due);
        text_add(&draft.actual, " samples of speech still due");
        server_finding_end(rules, rule, &draft, at_us);
        rules->final_judged = true;
    } else {
        rules->final_good = !session->speech.uncertain;
    }
}

/* Going away, restarting, trying again later: none of that is about this interaction. */
static bool is_service_close(uint16_t code)
{
    return code == OJIN_CLOSE_GOING_AWAY || code == OJIN_CLOSE_TRY_AGAIN || code == OJIN_CLOSE_RESTART;
}

void server_rule_final(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct server_session *session = &rules->session;
    const struct wire_event *event = seen->event;
    const bool ends = event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END;
    if (session->over)
        return;
    if (ends) {
        if (event->direction == WIRE_FROM_SERVER && final_is_awaited(rules) &&
            !(event->kind == WIRE_EVENT_CLOSE && is_service_close(event->code)))
            no_final(rules, rule, event->at_us, true);
        return;
    }
    if (seen->is_frame && session->final_seen && !rules->final_judged) {
        server_broken(rules, rule, event->at_us, expected_final, "a frame after the one with is_final");
        rules->final_judged = true;
        return;
    }
    const bool final =
        seen->is_frame && frame_view_has_header(&seen->frame) && seen->frame.header.is_final != 0;
    const bool of_cancel = session->cancel_sent || session->cancel_after_end;
    if (final && !session->final_seen && !of_cancel && !session->failed && !rules->final_judged)
        take_final(rules, rule, event->at_us);
    else if (!final)
        server_rule_final_ending(rules, rule, event->at_us);
}

/* --- OJ-SRV-09 --- */

static void cancelled_frame(struct server_rule_set *rules, enum server_rule rule, uint64_t at_us)
{
    const struct speech_cancel *cancel = &rules->session.speech.cancel;
    const uint64_t since_us = server_elapsed_us(cancel->at_us, at_us);
    const bool all_came =
        cancel->due_frames >= CANCEL_DUE_JUDGED && cancel->speech_frames >= cancel->due_frames;
    if (!cancel->settled && since_us <= SPEECH_CANCEL_GRACE_US && !all_came)
        return;
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "no more speech of a cancelled interaction, beside what was on its way");
    text_add_u64(&draft.actual, cancel->speech_frames);
    text_add(&draft.actual, " speech frames of it since cancelInteraction, the last after ");
    text_add_u64(&draft.actual, since_us / 1000);
    text_add(&draft.actual, cancel->settled ? " ms and behind a frame of silence" : " ms");
    if (cancel->due_frames > 0) {
        text_add(&draft.actual, "; due were ");
        text_add_u64(&draft.actual, cancel->due_frames);
    }
    draft.finding.waited = !cancel->settled; /* too long for what was on its way, but for how late that was */
    server_finding_end(rules, rule, &draft, at_us);
    rules->cancel_judged = true;
}

static bool was_discarded(const struct speech_cancel *cancel)
{
    return cancel->due_frames > 0 && cancel->speech_frames < cancel->due_frames;
}

void server_rule_cancel(struct server_rule_set *rules, enum server_rule rule, const struct server_seen *seen)
{
    const struct server_session *session = &rules->session;
    const struct speech_cancel *cancel = &session->speech.cancel;
    const bool final =
        seen->is_frame && frame_view_has_header(&seen->frame) && seen->frame.header.is_final != 0;
    if (rules->cancel_judged)
        return;
    if (final && session->cancel_sent && !session->cancel_after_end && !session->failed) {
        server_broken(rules, rule, seen->event->at_us, "no final frame after cancelInteraction",
                      "a frame with is_final");
        rules->cancel_judged = true;
    } else if (seen->step.kind == SPEECH_STEP_CANCELLED) {
        cancelled_frame(rules, rule, seen->event->at_us);
    } else if (seen->is_frame && cancel->watched && cancel->silence_frames >= CANCEL_SILENCE_FRAMES &&
               was_discarded(cancel)) {
        server_kept(rules, rule);
    } else if (seen->step.cancel_ends && was_discarded(&seen->step.cancel)) {
        server_kept(rules, rule);
    }
}
