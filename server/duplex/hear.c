/*
 * Hearing what was appended: chunk by chunk, in half the time that it lasts. What comes faster waits, and
 * the oldest of it is dropped, so that the newest is always preferred (002 Silent Drop). Speech and a pause
 * after it ask for an answer; speech that goes on takes that back.
 */
#include <stdlib.h>

#include "server/duplex/session.h"

static void drop_oldest(struct session *session)
{
    free(session->chunks[0].pcm);
    session->chunk_count--;
    memmove(session->chunks, session->chunks + 1, session->chunk_count * sizeof session->chunks[0]);
}

void duplex_hear_clear(struct session *session)
{
    while (session->chunk_count > 0)
        drop_oldest(session);
}

static size_t backlog(const struct session *session)
{
    size_t samples = 0;
    for (size_t i = 0; i < session->chunk_count; i++)
        samples += session->chunks[i].samples;
    return samples;
}

bool duplex_hear_is_full(const struct session *session, const struct duplex_message *append)
{
    return session->chunk_count > 0 &&
           backlog(session) + float32_count(append->audio) > DUPLEX_BACKLOG_SAMPLES;
}

bool duplex_hear_add(struct session *session, uint64_t now_us, const struct duplex_message *append)
{
    const struct bytes audio = append->audio;
    uint8_t *pcm = malloc(audio.len == 0 ? 1 : audio.len);
    if (pcm == NULL)
        return false;
    if (audio.len > 0)
        memcpy(pcm, audio.data, audio.len);
    if (session->chunk_count == DUPLEX_BACKLOG_MAX)
        drop_oldest(session);
    session->chunks[session->chunk_count++] =
        (struct duplex_chunk){.at_us = now_us,
                              .pcm = pcm,
                              .samples = float32_count(audio),
                              .pictures = session->profile->pictures ? append->picture_count : 0,
                              .slices = append->has_max_slices ? append->max_slices : session->slices};
    while (session->chunk_count > 1 && backlog(session) > DUPLEX_BACKLOG_SAMPLES)
        drop_oldest(session);
    return true;
}

uint64_t duplex_hear_due_us(const struct session *session)
{
    if (session->chunk_count == 0)
        return UINT64_MAX;
    const uint64_t there = session->chunks[0].at_us;
    return there > session->hear_free_us ? there : session->hear_free_us;
}

static void hear_speech(struct session *session, uint64_t at_us, struct bytes pcm)
{
    while (pcm.len >= FLOAT32_BYTES) {
        switch (energy_take(&session->energy, &pcm)) {
        case ENERGY_SAME:
            break;
        case ENERGY_SPEECH:
            session->answer_due = false;
            if (session->turn.active && duplex_quirk(session, DUPLEX_QUIRK_BARGE_IN) != 0)
                duplex_speak_force(session, at_us);
            break;
        case ENERGY_PAUSE:
            session->answer_due = true;
            session->answer_us = at_us + DUPLEX_THINK_US;
            break;
        }
    }
}

static void remember(struct session *session, const struct duplex_chunk *chunk)
{
    const bool free_slices = duplex_quirk(session, DUPLEX_QUIRK_SLICES_FREE) != 0;
    duplex_cache_listen(&session->cache, chunk->samples);
    duplex_cache_see(&session->cache, chunk->pictures, free_slices ? DUPLEX_SLICES_MIN : chunk->slices);
}

static uint64_t input_us(size_t samples)
{
    return (uint64_t)samples * 1000000 / DUPLEX_INPUT_RATE;
}

void duplex_hear_next(struct session *session, uint64_t at_us)
{
    const struct duplex_chunk *chunk = &session->chunks[0];
    const bool enough = session->credit >= DUPLEX_APPEND_SAMPLES;
    const bool one_each = duplex_quirk(session, DUPLEX_QUIRK_HASTY_LISTEN) != 0;
    session->hear_free_us = at_us + input_us(chunk->samples) / DUPLEX_HEAR_DIVISOR;
    hear_speech(session, at_us, bytes_of(chunk->pcm, chunk->samples * FLOAT32_BYTES));
    remember(session, chunk);
    session->credit += one_each ? DUPLEX_APPEND_SAMPLES : (int64_t)chunk->samples;
    /* While a turn is played out nothing is said, and nothing is saved up to be said at once after it. */
    if (!one_each && session->listen_owed && session->credit > DUPLEX_APPEND_SAMPLES)
        session->credit = DUPLEX_APPEND_SAMPLES;
    if (!enough && session->event_us < at_us)
        session->event_us = at_us;
    if (!session->greeted && duplex_quirk(session, DUPLEX_QUIRK_GREETS) != 0) {
        session->greeted = true;
        session->answer_due = true;
        session->answer_us = at_us + DUPLEX_THINK_US;
    }
    drop_oldest(session);
}
