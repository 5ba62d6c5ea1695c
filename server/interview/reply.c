/*
 * The answer to a turn, step by step: the transcript of the candidate, the chunks of the reply, its
 * transcript and the evaluation. 004 Server to Client Messages, Cancel Response, Performance Targets.
 */
#include "server/interview/session.h"

/* 004 Performance Targets: "Audio Processing Delay" and "AI Response Latency", well within each class. */
static const struct {
    uint64_t transcript_us, reply_us;
} LATENCIES[INTERVIEW_LATENCY_COUNT] = {
    [INTERVIEW_LATENCY_UNSAID] = {40000, 400000},
    [INTERVIEW_LATENCY_TARGET] = {40000, 400000},
    [INTERVIEW_LATENCY_ACCEPTABLE] = {90000, 800000},
    [INTERVIEW_LATENCY_DEGRADED] = {300000, 2000000},
};

static uint64_t reply_us(const struct session *session)
{
    return LATENCIES[interview_quirk(session, INTERVIEW_QUIRK_LATENCY)].reply_us +
           interview_quirk(session, INTERVIEW_QUIRK_SLOW);
}

/* ---- when ---- */

static uint64_t samples_us(size_t samples)
{
    return (uint64_t)samples * 1000000 / INTERVIEW_RATE;
}

static void begin_to(struct session *session, uint64_t now_us, const struct interview_turn *turn)
{
    const uint64_t every = interview_quirk(session, INTERVIEW_QUIRK_OPENAI_ERROR);
    session->turns++;
    interview_saying_begin(session, interview_saying_after(session, turn), now_us + reply_us(session));
    session->reply.to_turn = true;
    session->reply.turn = *turn;
    session->reply.fails = every != 0 && session->turns % every == 0;
    session->reply.step = INTERVIEW_REPLY_TRANSCRIPT;
    session->reply.due_us =
        now_us + LATENCIES[interview_quirk(session, INTERVIEW_QUIRK_LATENCY)].transcript_us;
}

void interview_reply_to(struct session *session, uint64_t now_us, const struct interview_turn *turn)
{
    if (session->over)
        return;
    if (session->reply.step == INTERVIEW_REPLY_NONE) {
        begin_to(session, now_us, turn);
        return;
    }
    session->turn_waits = true;
    session->waiting.samples += turn->samples;
    session->waiting.speech_samples += turn->speech_samples;
}

void interview_reply_begin(struct session *session, uint64_t now_us)
{
    if (session->reply.step != INTERVIEW_REPLY_NONE)
        return;
    interview_saying_begin(session, interview_saying_after(session, NULL), now_us);
    session->reply.to_turn = false;
    session->reply.fails = false;
}

void interview_reply_cancel(struct session *session, uint64_t now_us)
{
    struct interview_reply *reply = &session->reply;
    if ((reply->step != INTERVIEW_REPLY_TRANSCRIPT && reply->step != INTERVIEW_REPLY_CHUNK) ||
        reply->cancelled)
        return;
    reply->cancelled = true;
    reply->chunks_left = interview_quirk(session, INTERVIEW_QUIRK_CANCEL_CHUNKS);
    if (reply->step == INTERVIEW_REPLY_CHUNK && reply->chunks_left == 0)
        reply->due_us = now_us;
}

/* ---- doing it ---- */

static void reply_end(struct session *session, uint64_t at_us)
{
    session->reply.step = INTERVIEW_REPLY_NONE;
    session->progress.turns_ended++;
    if (session->over) {
        const uint64_t played_us = session->reply.start_us + samples_us(session->reply.said);
        interview_close(session, INTERVIEW_CLOSE_NORMAL, "", "The interview is over",
                        (played_us > at_us ? played_us : at_us) + INTERVIEW_FAREWELL_US);
    } else if (session->turn_waits) {
        const struct interview_turn turn = session->waiting;
        session->turn_waits = false;
        session->waiting = (struct interview_turn){.samples = 0};
        begin_to(session, at_us, &turn);
    }
}

static void reply_chunk(struct session *session, uint64_t at_us, struct actions *actions)
{
    const bool stops = session->reply.cancelled && session->reply.chunks_left == 0;
    if (session->reply.fails) {
        const enum interview_error_code code = INTERVIEW_ERROR_OPENAI_API;
        (void)interview_send_error(session, code, interview_error_description(code), bytes_of(NULL, 0),
                                   actions);
        reply_end(session, at_us);
    } else if (stops && interview_quirk(session, INTERVIEW_QUIRK_CANCEL_SILENT) != 0) {
        session->reply.step = INTERVIEW_REPLY_SUMMARY;
    } else {
        interview_send_chunk(session, at_us, actions);
    }
}

static void reply_summary(struct session *session, uint64_t at_us, struct actions *actions)
{
    const struct bytes said = interview_said(session);
    if (said.len > 0)
        interview_send_transcript(session, at_us, INTERVIEW_SPEAKER_AI, said, actions);
    if (session->reply.to_turn && interview_quirk(session, INTERVIEW_QUIRK_NO_RESULT) == 0)
        interview_send_result(session, &session->reply.turn, actions);
    reply_end(session, at_us);
}

static void reply_transcript(struct session *session, uint64_t at_us, struct actions *actions)
{
    char data[INTERVIEW_SENTENCE_MAX];
    struct text text = text_of(data, sizeof data);
    interview_transcript_write(&session->reply.turn, &text);
    if (interview_quirk(session, INTERVIEW_QUIRK_NO_TRANSCRIPT) == 0)
        interview_send_transcript(session, at_us, INTERVIEW_SPEAKER_CANDIDATE, bytes_of(data, text.len),
                                  actions);
    session->reply.step = INTERVIEW_REPLY_CHUNK;
    session->reply.due_us =
        session->reply.cancelled && session->reply.chunks_left == 0 ? at_us : session->reply.start_us;
}

void interview_reply_next(struct session *session, uint64_t at_us, struct actions *actions)
{
    switch (session->reply.step) {
    case INTERVIEW_REPLY_NONE:
        break;
    case INTERVIEW_REPLY_TRANSCRIPT:
        reply_transcript(session, at_us, actions);
        break;
    case INTERVIEW_REPLY_CHUNK:
        reply_chunk(session, at_us, actions);
        break;
    case INTERVIEW_REPLY_SUMMARY:
        reply_summary(session, at_us, actions);
        break;
    }
}
