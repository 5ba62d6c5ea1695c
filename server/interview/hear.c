/* Hearing the candidate: speech, and the pause or the commit that ends a turn. */
#include "codec/wire/float32.h"
#include "server/interview/session.h"

enum { PIECE_SAMPLES = 480 };

static void turn_end(struct session *session, uint64_t now_us, bool by_pause)
{
    const struct interview_turn turn = session->turn;
    session->turn = (struct interview_turn){.samples = 0};
    session->paused = by_pause;
    interview_reply_to(session, now_us, &turn);
}

static void hear_speech(struct session *session, uint64_t now_us, struct bytes pcm)
{
    while (pcm.len >= FLOAT32_BYTES) {
        const uint64_t before = session->energy.taken;
        const bool speaking = session->energy.speaking;
        const enum energy_change change = energy_take(&session->energy, &pcm);
        session->turn.samples += session->energy.taken - before;
        if (speaking)
            session->turn.speech_samples += session->energy.taken - before;
        if (change == ENERGY_SPEECH) {
            session->turn.speech_samples += session->energy.taken - session->energy.since;
            session->paused = false;
            if (interview_quirk(session, INTERVIEW_QUIRK_BARGE_IN) != 0)
                interview_reply_cancel(session, now_us);
        } else if (change == ENERGY_PAUSE) {
            session->turn.speech_samples -= session->energy.taken - session->energy.since;
            if (interview_quirk(session, INTERVIEW_QUIRK_COMMIT_ONLY) == 0)
                turn_end(session, now_us, true);
        }
    }
}

void interview_hear(struct session *session, uint64_t now_us, struct bytes pcm)
{
    uint8_t piece[PIECE_SAMPLES * FLOAT32_BYTES];
    const size_t count = interview_sample_count(pcm);
    for (size_t at = 0; at < count; at += PIECE_SAMPLES) {
        const size_t samples = count - at < PIECE_SAMPLES ? count - at : PIECE_SAMPLES;
        for (size_t i = 0; i < samples; i++)
            float32_put(piece + i * FLOAT32_BYTES, (float)interview_sample_at(pcm, at + i) / 32768.0F);
        hear_speech(session, now_us, bytes_of(piece, samples * FLOAT32_BYTES));
    }
}

bool interview_commit(struct session *session, uint64_t now_us)
{
    if (session->paused) { /* of the turn that its pause has ended */
        session->paused = false;
        session->turn = (struct interview_turn){.samples = 0};
        return true;
    }
    if (session->turn.samples == 0)
        return false;
    turn_end(session, now_us, false);
    energy_init(&session->energy, INTERVIEW_RATE);
    return true;
}
