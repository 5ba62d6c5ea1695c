/* Quirks of frames and of timing. */
#include <check.h>
#include <string.h>

#include "server/ojin/tests/quirk_checks.h"

static bool is_frame(const struct sent *sent)
{
    return sent->kind == ACTION_SEND_BINARY;
}

static void frame_type_byte(const struct bench *off, const struct bench *on)
{
    const struct sent *previous = NULL;
    size_t starts = 0;
    for (size_t i = 0; i < on->count; i++) {
        const struct sent *sent = &on->sent[i];
        if (!is_frame(sent))
            continue;
        const bool speech = strcmp(sent->label, "speech") == 0;
        const bool begins = speech && (previous == NULL || strcmp(previous->label, "speech") != 0);
        ck_assert_uint_eq(sent->trailing_bytes, 1);
        ck_assert_uint_eq(sent->frame_type, begins ? 3 : speech ? 1 : 0);
        starts += begins ? 1u : 0u;
        previous = sent;
    }
    ck_assert_uint_eq(starts, 2);
    ck_assert_uint_eq(talk_nth(off, "speech", 0)->trailing_bytes, 0);
}

static void running_index(const struct bench *off, const struct bench *on)
{
    uint32_t n = 0;
    for (size_t i = 0; i < on->count; i++) {
        if (is_frame(&on->sent[i]))
            ck_assert_uint_eq(on->sent[i].index, n++);
    }
    ck_assert_uint_gt(n, 50);
    ck_assert_uint_eq(talk_nth(off, "silence", 3)->index, 0);
}

static void silence_id_fresh(const struct bench *off, const struct bench *on)
{
    const struct sent *after_cancel = talk_nth(on, "silence", talk_count(on, "silence", 0, TALK_CANCEL_US));
    const uint8_t *stretch[3] = {talk_nth(on, "silence", 0)->interaction, after_cancel->interaction,
                                 talk_nth(on, "final", 0)->interaction};
    for (size_t i = 0; i < on->count; i++) {
        const struct sent *sent = &on->sent[i];
        if (is_frame(sent) && sent->index == 0)
            ck_assert(!uuid_is_nil(sent->interaction));
    }
    ck_assert_mem_ne(stretch[0], stretch[1], UUID_BYTES);
    ck_assert_mem_ne(stretch[1], stretch[2], UUID_BYTES);
    ck_assert_mem_eq(stretch[0], talk_nth(on, "silence", 5)->interaction, UUID_BYTES);
    ck_assert(uuid_is_nil(talk_nth(off, "silence", 0)->interaction));
    ck_assert_mem_eq(talk_nth(off, "speech", 0)->interaction, talk_nth(on, "speech", 0)->interaction,
                     UUID_BYTES);
}

static void silence_id_last(const struct bench *off, const struct bench *on)
{
    ck_assert(uuid_is_nil(talk_nth(on, "silence", 0)->interaction));
    ck_assert_mem_eq(talk_nth(on, "final", 0)->interaction, talk_nth(on, "speech", 20)->interaction,
                     UUID_BYTES);
    ck_assert(uuid_is_nil(talk_nth(off, "final", 0)->interaction));
}

static void metadata_frames(const struct bench *off, const struct bench *on)
{
    for (size_t n = 0; n < 20; n++) {
        const struct sent *sent = talk_nth(on, "silence", n);
        ck_assert_uint_eq(sent->payload_count, n % 5 == 4 ? 0 : 1);
        ck_assert_uint_eq(sent->bytes, n % 5 == 4 ? OJIN_FRAME_HEADER_BYTES : 37 + 5 + 1280);
        ck_assert_uint_eq(talk_nth(off, "silence", n)->payload_count, 1);
    }
}

static void extra_payloads(const struct bench *off, const struct bench *on)
{
    const struct sent *usual = talk_nth(off, "speech", 4);
    const struct sent *sent = talk_nth(on, "speech", 4);
    ck_assert_uint_eq(usual->payload_count, 2);
    ck_assert_uint_eq(sent->payload_count, 4);
    ck_assert_uint_gt(sent->bytes, usual->bytes + 10);
    ck_assert_uint_eq(sent->audio_crc, usual->audio_crc);
    ck_assert_uint_eq(sent->image_crc, usual->image_crc);
}

static void duplicate_payloads(const struct bench *off, const struct bench *on)
{
    const struct sent *usual = talk_nth(off, "speech", 4);
    const struct sent *sent = talk_nth(on, "speech", 4);
    ck_assert_uint_eq(sent->payload_count, 2);
    ck_assert_uint_eq(sent->bytes, usual->bytes + 5 + 1280);
    ck_assert_uint_eq(sent->audio_crc, usual->audio_crc);
}

static void big_frames(const struct bench *off, const struct bench *on)
{
    for (size_t i = 0; i < on->count; i++) {
        if (is_frame(&on->sent[i]))
            ck_assert_uint_eq(on->sent[i].image_bytes, 100000);
    }
    ck_assert_uint_lt(talk_nth(off, "speech", 0)->image_bytes, 100000);
}

static void group(const struct bench *off, const struct bench *on)
{
    for (size_t n = 0; n < 10; n++)
        ck_assert_uint_eq(talk_nth(on, "speech", n)->at_us, TALK_SPEECH_US);
    for (size_t n = 10; n < 13; n++)
        ck_assert_uint_eq(talk_nth(on, "speech", n)->at_us, TALK_SPEECH_US + 200000);
    ck_assert_uint_eq(talk_nth(off, "speech", 9)->at_us, TALK_SPEECH_US + 180000);
}

static void speech_rate(const struct bench *off, const struct bench *on)
{
    ck_assert_uint_eq(talk_nth(on, "speech", 9)->at_us - talk_nth(on, "speech", 0)->at_us, 90000);
    ck_assert_uint_eq(talk_nth(off, "speech", 9)->at_us - talk_nth(off, "speech", 0)->at_us, 180000);
    /* The name alone has to show too: 35 a second. */
    struct bench bench;
    talk(&bench, "speech-rate", false);
    ck_assert_uint_eq(talk_nth(&bench, "speech", 7)->at_us - talk_nth(&bench, "speech", 0)->at_us, 200000);
    bench_free(&bench);
}

static void lead(const struct bench *off, const struct bench *on)
{
    /* All of the second, half a second long, is there: what would fill the lead is waited for. */
    ck_assert_uint_eq(talk_count(on, "speech", 0, TALK_CANCEL_US), 0);
    ck_assert_uint_gt(talk_count(off, "speech", 0, TALK_CANCEL_US), 0);
    ck_assert_uint_eq(talk_nth(on, "speech", 0)->at_us, TALK_SECOND_US + 700000 + 200000);
    /* A real-time source is waited for. */
    struct bench bench;
    talk_open(&bench, "lead=1200ms", false);
    for (size_t n = 0; n < 4; n++) {
        bench_speech(&bench, 6400);
        bench_run(&bench, bench.now_us + 400000);
    }
    ck_assert_uint_eq(talk_nth(&bench, "speech", 0)->at_us, 10000 + 800000);
    bench_free(&bench);
}

static void silent_head(const struct bench *off, const struct bench *on)
{
    for (size_t n = 0; n < 6; n++) {
        ck_assert_uint_gt(talk_nth(off, "speech", n)->audio_peak, 10000);
        if (n < 3)
            ck_assert_uint_lt(talk_nth(on, "speech", n)->audio_peak, 129);
        else
            ck_assert_uint_eq(talk_nth(on, "speech", n)->audio_crc, talk_nth(off, "speech", n)->audio_crc);
    }
}

/* The labels of the frames of the first turn, from its first speech frame on. */
static void starve(const struct bench *off, const struct bench *on)
{
    size_t i = 0;
    while (strcmp(on->sent[i].label, "speech") != 0)
        i++;
    for (size_t n = 0; n < 12; n++)
        ck_assert_str_eq(on->sent[i + n].label, n % 8 == 7 ? "silence" : "speech");
    ck_assert_mem_eq(on->sent[i].interaction, on->sent[i + 8].interaction, UUID_BYTES);
    ck_assert_uint_eq(talk_nth(on, "speech", 7)->audio_crc, talk_nth(off, "speech", 7)->audio_crc);
}

static void stall(const struct bench *off, const struct bench *on)
{
    /* The 11th would be due at 1.2 s: it comes past the second turn's cancel, which is asked for here. */
    const struct sent *tenth = talk_nth(on, "speech", 9);
    ck_assert_uint_eq(tenth->at_us, talk_nth(off, "speech", 9)->at_us);
    ck_assert_uint_eq(talk_count(on, "speech", tenth->at_us + 1, TALK_CANCEL_US), 0);
    struct bench bench;
    talk_open(&bench, "stall=300ms", false);
    bench_speech(&bench, 30 * OJIN_FRAME_SAMPLES);
    bench_run(&bench, 2000000);
    ck_assert_uint_eq(talk_nth(&bench, "speech", 10)->at_us, 10000 + 200000 + 300000);
    ck_assert_uint_eq(talk_nth(&bench, "speech", 25)->at_us, 10000 + 200000 + 300000);
    ck_assert_uint_eq(talk_nth(&bench, "speech", 26)->at_us, 10000 + 26 * 20000);
    bench_free(&bench);
}

static void pause_(const struct bench *off, const struct bench *on)
{
    const uint64_t from_us = talk_nth(on, "silence", 0)->at_us + 2000000;
    size_t frames = 0;
    for (size_t i = 0; i < on->count; i++) {
        if (!is_frame(&on->sent[i]))
            continue;
        ck_assert(on->sent[i].at_us < from_us || on->sent[i].at_us >= from_us + 3000000);
        frames += on->sent[i].at_us == from_us + 3000000 ? 1u : 0u;
    }
    ck_assert_uint_eq(frames, 1);
    ck_assert_uint_gt(talk_count(off, "silence", from_us, from_us + 500000), 5);
}

const struct quirk_row FRAME_QUIRKS[] = {
    {"frame-type-byte", frame_type_byte, false},
    {"running-index", running_index, false},
    {"silence-id=fresh", silence_id_fresh, false},
    {"silence-id=last", silence_id_last, false},
    {"metadata-frames=5", metadata_frames, false},
    {"extra-payloads", extra_payloads, true},
    {"duplicate-payloads", duplicate_payloads, false},
    {"big-frames=100000", big_frames, true},
    {"group=10", group, false},
    {"speech-rate=100", speech_rate, false},
    {"lead=1200ms", lead, false},
    {"silent-head=3", silent_head, false},
    {"starve=7", starve, false},
    {"stall=300ms", stall, false},
    {"pause=3s", pause_, false},
    {NULL, NULL, false},
};
