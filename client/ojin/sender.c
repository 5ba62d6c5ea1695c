#include "client/ojin/sender.h"

#include <assert.h>

/* The largest message keeps below the size that some servers take for 512 KB. */
enum {
    AUDIO_SAMPLES_MAX =
        (OJIN_MESSAGE_BYTES_NOTED - OJIN_INPUT_HEADER_BYTES - SENDER_PARAMS_BYTES_MAX) / OJIN_SAMPLE_BYTES
};

static_assert(OJIN_INPUT_HEADER_BYTES + SENDER_PARAMS_BYTES_MAX + AUDIO_SAMPLES_MAX * OJIN_SAMPLE_BYTES <=
                  OJIN_MESSAGE_BYTES_MAX,
              "an audio message fits");

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The time of the n-th latest message (1: the latest) among all, or among the audio ones; false when there
 * are not that many. The ring holds as many as a window may. */
static bool nth_latest(const struct sender *sender, size_t n, bool audio_only, uint64_t *at_us)
{
    for (size_t back = 1; back <= sender->latest_count; back++) {
        size_t slot = (sender->latest_next + OJIN_REQUESTS_PER_SECOND - back) % OJIN_REQUESTS_PER_SECOND;
        if (audio_only && !sender->latest[slot].audio)
            continue;
        if (--n == 0) {
            *at_us = sender->latest[slot].at_us;
            return true;
        }
    }
    return false;
}

uint64_t sender_slot_us(const struct sender *sender, bool audio)
{
    uint64_t slot_us = 0;
    uint64_t at_us = 0;
    if (nth_latest(sender, OJIN_REQUESTS_PER_SECOND, false, &at_us))
        slot_us = at_us + SENDER_WINDOW_US;
    if (audio && nth_latest(sender, SENDER_AUDIO_PER_WINDOW, true, &at_us))
        slot_us = later(slot_us, at_us + SENDER_WINDOW_US);
    return slot_us;
}

void sender_count(struct sender *sender, uint64_t now_us, bool audio)
{
    sender->latest[sender->latest_next] = (struct sent_message){.at_us = now_us, .audio = audio};
    sender->latest_next = (sender->latest_next + 1) % OJIN_REQUESTS_PER_SECOND;
    if (sender->latest_count < OJIN_REQUESTS_PER_SECOND)
        sender->latest_count++;
    if (sender->untaken < OJIN_REQUESTS_PER_SECOND)
        sender->untaken++;
}

void sender_taken(struct sender *sender, uint64_t now_us, size_t unsent, uint64_t taken_us)
{
    const uint64_t at_us = unsent > 0 ? now_us : taken_us;
    for (size_t back = 1; back <= sender->untaken; back++) {
        struct sent_message *message =
            &sender
                 ->latest[(sender->latest_next + OJIN_REQUESTS_PER_SECOND - back) % OJIN_REQUESTS_PER_SECOND];
        message->at_us = later(message->at_us, at_us);
    }
    if (unsent == 0)
        sender->untaken = 0;
}

void sender_pause(struct sender *sender, uint64_t now_us)
{
    bool follows = sender->pause_us != 0 && now_us < sender->paused_until_us + SENDER_PAUSE_MEMORY_US;
    sender->pause_us = follows ? sender->pause_us * 2 : SENDER_PAUSE_US;
    if (sender->pause_us > SENDER_PAUSE_MAX_US)
        sender->pause_us = SENDER_PAUSE_MAX_US;
    sender->paused_until_us = now_us + sender->pause_us;
}

size_t sender_chunk(const struct sender *sender, uint64_t unsent, bool all_handed, uint64_t *due_us)
{
    uint64_t chunk = sender->chunk_samples < AUDIO_SAMPLES_MAX ? sender->chunk_samples : AUDIO_SAMPLES_MAX;
    *due_us = 0;
    if (unsent < chunk) {
        if (sender->whole_chunks)
            *due_us = all_handed ? 0 : sender->last_handed_us + SENDER_GATHER_US;
        else if (sender->last_speech_us != UINT64_MAX)
            *due_us = all_handed ? 0 : sender->last_speech_us + SENDER_SPACING_US;
        return (size_t)unsent;
    }
    uint64_t chunks = 1;
    if (sender->whole_chunks && unsent > chunk * SENDER_MANY_CHUNKS)
        chunks = (unsent + chunk * SENDER_MANY_CHUNKS - 1) / (chunk * SENDER_MANY_CHUNKS);
    if (chunks * chunk > AUDIO_SAMPLES_MAX)
        chunks = AUDIO_SAMPLES_MAX / chunk;
    return (size_t)(chunks * chunk);
}
