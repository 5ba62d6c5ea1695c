/*
 * A turn: its utterance, what of it was said, and what listening and force_listen do to it. speak.c says
 * when.
 */
#include "codec/media/coded_signal.h"
#include "server/duplex/session.h"

static uint64_t turn_samples(const struct session *session, const struct duplex_utterance *utterance)
{
    const uint64_t length = duplex_quirk(session, DUPLEX_QUIRK_TURN_LENGTH);
    return length == 0 ? utterance->sample_count : length * DUPLEX_OUTPUT_RATE / 1000000;
}

void duplex_speak_begin(struct session *session)
{
    struct duplex_turn_state *state = &session->turn;
    const uint64_t only = duplex_quirk(session, DUPLEX_QUIRK_UTTERANCE);
    const size_t n = only == 0 ? (size_t)(session->turns % DUPLEX_UTTERANCE_COUNT) : (size_t)only - 1;
    state->utterance = duplex_utterance_of(n);
    const size_t samples = (size_t)turn_samples(session, &state->utterance);
    session->turns++;
    state->active = true;
    state->coded = duplex_quirk(session, DUPLEX_QUIRK_CODED_AUDIO) != 0;
    state->source = (uint16_t)session->turns;
    state->next = 0;
    state->said = 0;
    /* A turn that is too short for its text says what fits in its last delta. */
    (void)duplex_turn_divide(samples, DUPLEX_FIRST_SAMPLES, bytes_of_text(state->utterance.text),
                             &state->turn);
    session->answer_due = false;
}

void duplex_speak_samples(const struct session *session, const struct duplex_turn_part *part, uint8_t *out)
{
    const struct duplex_turn_state *state = &session->turn;
    for (size_t i = 0; i < part->samples; i++) {
        const size_t n = part->first + i;
        const float sample =
            state->coded ? coded_sample(state->source, (uint32_t)n)
                         : duplex_utterance_sample(&state->utterance, n % state->utterance.sample_count);
        float32_put(out + i * FLOAT32_BYTES, sample);
    }
}

void duplex_speak_said(struct session *session, uint64_t at_us, const struct duplex_turn_part *part)
{
    duplex_playout_add(&session->playout, at_us, part->samples);
    session->progress.speech_frames++;
    session->deltas++;
    session->turn.next++;
    session->turn.said += part->samples;
    if (!part->end_of_turn)
        return;
    session->turn.active = false;
    session->listen_owed = true;
    session->progress.finals++;
    if (session->credit > DUPLEX_APPEND_SAMPLES && duplex_quirk(session, DUPLEX_QUIRK_HASTY_LISTEN) == 0)
        session->credit = DUPLEX_APPEND_SAMPLES;
}

void duplex_speak_listened(struct session *session)
{
    session->progress.silence_frames++;
    if (session->listen_owed || session->playout.started)
        session->progress.turns_ended++;
    session->listen_owed = false;
    session->forced = false; /* it is answered */
    session->playout = (struct duplex_playout){.started = false};
}

void duplex_speak_force(struct session *session, uint64_t now_us)
{
    if (duplex_quirk(session, DUPLEX_QUIRK_FORCE_IGNORED) != 0)
        return;
    session->answer_due = false;
    if (!duplex_speak_is_busy(session, now_us) && !session->listen_owed)
        return;
    if (session->turn.active)
        session->force_deltas = duplex_quirk(session, DUPLEX_QUIRK_FORCE_DELTAS);
    session->turn.active = session->force_deltas > 0;
    session->forced = true;
    session->forced_us = now_us;
}
