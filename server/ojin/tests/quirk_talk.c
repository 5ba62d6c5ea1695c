#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/ojin/tests/quirk_checks.h"

void talk_open(struct bench *bench, const char *quirks, bool pictures)
{
    bench_new(bench, "oris-1.0", pictures);
    bench_quirks(bench, quirks);
    bench_request(bench, TALK_HEAD);
    bench_run(bench, 10000);
}

void talk(struct bench *bench, const char *quirks, bool pictures)
{
    talk_open(bench, quirks, pictures);
    bench_zeros(bench, OJIN_FRAME_SAMPLES);
    bench_run(bench, TALK_SPEECH_US);
    bench_speech(bench, 16000);
    bench_run(bench, TALK_CANCEL_US);
    bench_text(bench, BENCH_CANCEL);
    bench_run(bench, TALK_SECOND_US);
    bench_speech(bench, 8000);
    bench_run(bench, TALK_END_US);
    bench_text(bench, BENCH_END);
    bench_run(bench, TALK_OVER_US);
}

const struct sent *talk_nth(const struct bench *bench, const char *label, size_t n)
{
    for (size_t i = 0; i < bench->count; i++) {
        if (strcmp(bench->sent[i].label, label) == 0 && n-- == 0)
            return &bench->sent[i];
    }
    ck_abort_msg("not enough %s", label);
    return NULL;
}

size_t talk_count(const struct bench *bench, const char *label, uint64_t from_us, uint64_t to_us)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const struct sent *sent = &bench->sent[i];
        count += strcmp(sent->label, label) == 0 && sent->at_us >= from_us && sent->at_us < to_us ? 1u : 0u;
    }
    return count;
}

void talk_ask_too_much(struct bench *bench, const char *quirks, size_t bytes)
{
    uint8_t *message = calloc(1, bytes);
    ck_assert_ptr_nonnull(message);
    message[0] = OJIN_PAYLOAD_AUDIO;
    talk_open(bench, quirks, false);
    bench_binary(bench, bytes_of(message, bytes));
    free(message);
}
