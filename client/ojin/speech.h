/*
 * The speech a client was handed, with two readers: the sender and (current profiles) the player, and where
 * the turns begin in it. Private to the client core.
 *
 * Positions count samples from the first one ever handed over. Samples that both readers have passed are
 * forgotten.
 *
 * A turn begins where speech is sent after the earlier one was answered: 000 Audio and Video Synchronization.
 * The player goes to the start of the next turn when a speech frame with a new interaction id comes, and
 * within a turn each speech frame takes one frame of samples, so that idle frames in the middle of speech do
 * not pull sound and picture apart.
 */
#ifndef CLIENT_OJIN_SPEECH_H
#define CLIENT_OJIN_SPEECH_H

#include "codec/wire/bytes.h"

enum {
    SPEECH_TURNS_MAX = 64, /* turns sent and not yet played; the oldest is forgotten beyond */
    SPEECH_SPANS_MAX = 64  /* stretches not yet sent whose params differ from those before */
};

/* From a position on, speech is sent with these params. */
struct speech_span {
    uint64_t from;
    size_t params_len;
    char *params; /* owned; NULL: none */
};

struct speech {
    int16_t *samples;
    uint64_t base; /* position of samples[0] */
    size_t held;
    size_t capacity;
    uint64_t sent;   /* the sender's position */
    uint64_t played; /* the player's position */
    bool is_played;  /* false: nobody plays it, only the sender holds samples back */
    uint64_t turns[SPEECH_TURNS_MAX];
    size_t turn_count;
    struct speech_span spans[SPEECH_SPANS_MAX];
    size_t span_count; /* 0: no params */
};

void speech_init(struct speech *speech, bool is_played);
void speech_free(struct speech *speech);
/* Copies. `params`: of the messages that carry it, empty: none. False when OJIN_CLIENT_SPEECH_SAMPLES_MAX,
 * SPEECH_SPANS_MAX or memory is passed; then nothing is added. */
bool speech_add(struct speech *speech, const int16_t *samples, size_t count, struct bytes params);
uint64_t speech_unsent(const struct speech *speech);
/* Of these, how many from the next one on have the same params. */
uint64_t speech_unsent_alike(const struct speech *speech);
/* The params of the next sample to send. Valid until the next call on `speech` that changes it. */
struct bytes speech_params(const struct speech *speech);
/* The next samples to send, at most `count`; moves on. Valid until the next call on `speech`. */
const int16_t *speech_send(struct speech *speech, size_t count);
/* What is sent next begins a turn. */
void speech_begin_turn(struct speech *speech);
/* The player goes to the start of the next turn, when there is one. */
void speech_next_turn(struct speech *speech);
/* Copies the next `count` samples of the turn, padded with zeros. False when the turn has no more. */
bool speech_play(struct speech *speech, int16_t *out, size_t count);
/* Forgets what is not sent, and what is not played. */
void speech_drop(struct speech *speech);

#endif
