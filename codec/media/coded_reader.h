/*
 * What was played, as runs: stretches of coded signal, silence, two pieces at once, and what is none of it.
 * Fed in pieces of any size; the same sound gives the same runs however it is split. Memory is bounded.
 *
 * A run of signal is exact to the sample at both ends, wherever in a block it begins. What is shorter than
 * CODED_WINDOW_SAMPLES may not hold a block, and is then CODED_RUN_OTHER.
 */
#ifndef CODEC_MEDIA_CODED_READER_H
#define CODEC_MEDIA_CODED_READER_H

#include "codec/media/coded_signal.h"

enum coded_run_kind {
    CODED_RUN_SIGNAL,
    CODED_RUN_MIXED,   /* the signal goes on, and a second one is played over it */
    CODED_RUN_SILENCE, /* 10 ms at 24 kHz at least, when it comes after something else that is no signal */
    CODED_RUN_OTHER    /* damaged, or something else */
};

struct coded_run {
    enum coded_run_kind kind;
    uint64_t at; /* sample of what was played, from 0 */
    uint64_t count;
    /* SIGNAL and MIXED */
    uint16_t source;
    uint32_t first; /* position of its first sample */
    /* MIXED: the one that is played over it */
    uint16_t second_source;
    uint32_t second_first;
};

typedef void coded_run_sink(void *context, const struct coded_run *run);

enum { CODED_PENDING_SAMPLES = 4 * CODED_BLOCK_SAMPLES };

struct coded_reader {
    coded_run_sink *sink;
    void *context;
    uint64_t taken;       /* samples so far */
    struct coded_run run; /* the one that is open; count 0: none */
    uint64_t quiet;       /* samples of silence at the end of a run of OTHER */
    /* Where the latest signal would have gone on at sample `after_at`. */
    bool has_after;
    uint64_t after_at;
    uint16_t after_source;
    uint32_t after_position;
    /* What is not told yet. */
    size_t pending_count;
    float pending[CODED_PENDING_SAMPLES];
    float rest[CODED_PENDING_SAMPLES]; /* the same, less the signal that would have gone on there */
};

/* `sink` is called from within feed and finish, runs in the order they were played. */
void coded_reader_init(struct coded_reader *reader, coded_run_sink *sink, void *context);
void coded_reader_feed(struct coded_reader *reader, const float *samples, size_t count);
/* No more comes: hands over what is open. */
void coded_reader_finish(struct coded_reader *reader);

#endif
