/*
 * A session on a bench: a clock that only the test moves, and everything that was sent, kept.
 *
 * Every event that goes in is copied to the heap at its exact size first. What the session sends is checked
 * as it comes: a frame that is no fault must decode to whole payloads, a text must be what a reader takes.
 */
#ifndef SERVER_OJIN_TESTS_BENCH_H
#define SERVER_OJIN_TESTS_BENCH_H

#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "server/core/session.h"
#include "server/persona/persona.h"

enum {
    BENCH_WIDTH = 320,
    BENCH_HEIGHT = 240,
    BENCH_SENT_MAX = 20000,
    BENCH_TEXT_MAX = 600,
    BENCH_EPOCH_MS = 1700000000
};

#define BENCH_END    "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}"
#define BENCH_CANCEL "{\"type\":\"cancelInteraction\",\"payload\":{}}"

struct sent {
    uint64_t at_us;
    enum action_kind kind;
    uint16_t code;
    char label[ACTION_LABEL_MAX];
    bool fault;
    bool decodes;
    uint8_t is_final;
    uint32_t index;
    uint32_t usage;
    uint64_t timestamp_ms;
    uint8_t interaction[UUID_BYTES];
    bool audio_is_zero;
    uint32_t audio_peak; /* of its samples */
    uint32_t payload_count;
    size_t bytes, image_bytes, trailing_bytes;
    uint8_t frame_type; /* the first of the trailing bytes */
    uint32_t audio_crc, image_crc, whole_crc;
    struct ojin_message message; /* SEND_TEXT */
    char text[BENCH_TEXT_MAX];   /* SEND_TEXT, REFUSE; cut */
};

struct bench {
    struct session *session;
    struct session_config config;
    struct actions actions;
    uint64_t now_us;
    uint64_t came_us; /* of messages; 0: when they are taken */
    bool loose;       /* frames may be of any shape, though they decode */
    size_t count;
    struct sent *sent;
    struct buffer speech; /* audio of all speech frames, joined */
};

/* A session of that profile, let in and open at time 0. With `pictures` a small persona draws them. */
void bench_open(struct bench *bench, const char *profile, bool pictures);
/* The same, ready and streaming silence, at 1 s; with the opening silence where the profile wants it. */
void bench_start(struct bench *bench, const char *profile, bool pictures);
/* A session that nothing has happened to yet. */
void bench_new(struct bench *bench, const char *profile, bool pictures);
void bench_free(struct bench *bench);
/* Sets quirks, as the command line would; frames may be of any shape from then on. */
void bench_quirks(struct bench *bench, const char *quirks);
/* An upgrade asks to come in with that head, and is opened when it is let in at once. */
void bench_request(struct bench *bench, const char *head);

void bench_event(struct bench *bench, enum session_event_kind kind, struct bytes data);
/* Steps whenever the session wants it, until then. */
void bench_run(struct bench *bench, uint64_t until_us);
/* Steps only every `tick_us`, and until there is nothing more to do. */
void bench_run_late(struct bench *bench, uint64_t until_us, uint64_t tick_us);
void bench_text(struct bench *bench, const char *text);
void bench_binary(struct bench *bench, struct bytes message);
/* An InteractionInput with those samples; `params` may be NULL. */
void bench_audio(struct bench *bench, const int16_t *samples, size_t count, const char *params);
/* `count` zero samples, or speech of a kind. */
void bench_zeros(struct bench *bench, size_t count);
void bench_speech(struct bench *bench, size_t count);
/* Sample `n` of bench_speech. */
int16_t bench_speech_sample(size_t n);
/* The audio of all speech frames, joined, is that many samples of bench_speech and zeros after them. */
void bench_check_joined(const struct bench *bench, size_t samples);
/* Composes a message from `name=value` pairs of words; fails the test when that is refused. */
void bench_compose(struct bench *bench, const char *kind, const struct compose_option *options, size_t count);

size_t bench_count_label(const struct bench *bench, const char *label);
size_t bench_count_index(const struct bench *bench, uint32_t index);
/* The latest of that label; NULL when there is none. */
const struct sent *bench_latest(const struct bench *bench, const char *label);
/* How many errorResponses of that code. */
size_t bench_count_error(const struct bench *bench, const char *code);

#endif
