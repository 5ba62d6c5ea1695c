/* Coded sound: recognised from any window, and what is wrong with its playing told to the sample. */
#include <math.h>

#include "codec/media/coded_check.h"
#include "codec/tests/suite.h"
#include "codec/wire/base64.h"
#include "codec/wire/float32.h"
#include "codec/wire/text.h"

enum { PLAYED_MAX = 200000, TOLD_MAX = 2000 };

/* What is played in a test, and what is told of it. */
struct stage {
    float played[PLAYED_MAX];
    size_t count;
    char runs[TOLD_MAX];
    char findings[TOLD_MAX];
    struct text runs_text;
    struct text findings_text;
    struct coded_check check;
};

static void note_run(void *context, const struct coded_run *run)
{
    static const char *const names[] = {"signal", "mixed", "silence", "other"};
    struct stage *stage = context;
    struct text *out = &stage->runs_text;
    text_add(out, names[run->kind]);
    text_add_char(out, '@');
    text_add_u64(out, run->at);
    text_add_char(out, '+');
    text_add_u64(out, run->count);
    if (run->kind == CODED_RUN_SIGNAL || run->kind == CODED_RUN_MIXED) {
        text_add_char(out, '=');
        text_add_u64(out, run->source);
        text_add_char(out, ':');
        text_add_u64(out, run->first);
    }
    if (run->kind == CODED_RUN_MIXED) {
        text_add_char(out, '&');
        text_add_u64(out, run->second_source);
        text_add_char(out, ':');
        text_add_u64(out, run->second_first);
    }
    text_add_char(out, ' ');
    coded_check_run(&stage->check, run);
}

static void note_finding(void *context, const struct coded_finding *finding)
{
    struct text *out = &((struct stage *)context)->findings_text;
    text_add(out, coded_finding_name(finding->kind));
    text_add_char(out, ' ');
    text_add_u64(out, finding->source);
    text_add_char(out, ':');
    text_add_u64(out, finding->position);
    text_add_char(out, '+');
    text_add_u64(out, finding->count);
    text_add_char(out, '@');
    text_add_u64(out, finding->at);
    text_add(out, "; ");
}

/*
 * Plays what the words say: "1:0+500" samples of source 1 from position 0 on, ".300" silence, "#10" a tone,
 * "<200" goes back so far to play over what is there.
 */
static void play(struct stage *stage, const char *words)
{
    stage->count = 0;
    memset(stage->played, 0, sizeof stage->played);
    size_t end = 0;
    while (*words != '\0') {
        char *rest;
        const char kind = *words;
        const bool signal = kind >= '0' && kind <= '9';
        const unsigned long first = strtoul(words + !signal, &rest, 10);
        if (signal) {
            const unsigned long position = strtoul(rest + 1, &rest, 10);
            const unsigned long count = strtoul(rest + 1, &rest, 10);
            for (unsigned long i = 0; i < count; i++)
                stage->played[end++] += coded_sample((uint16_t)first, (uint32_t)(position + i));
        } else if (kind == '#') {
            for (unsigned long i = 0; i < first; i++)
                stage->played[end++] += 0.5F + 0.3F * (float)(i % 2);
        } else {
            end = kind == '<' ? end - first : end + first;
        }
        ck_assert_uint_le(end, PLAYED_MAX);
        if (end > stage->count)
            stage->count = end;
        words = rest + (*rest == ' ');
    }
}

static const struct coded_source SENT[] = {{1, 3000}, {2, 2000}, {7, 1000}};

static void listen_in_pieces(struct stage *stage, size_t piece)
{
    struct coded_reader reader;
    stage->runs_text = text_of(stage->runs, sizeof stage->runs);
    stage->findings_text = text_of(stage->findings, sizeof stage->findings);
    coded_check_init(&stage->check, SENT, TABLE_COUNT(SENT), note_finding, stage);
    coded_reader_init(&reader, note_run, stage);
    for (size_t i = 0; i < stage->count; i += piece) {
        const size_t count = stage->count - i < piece ? stage->count - i : piece;
        float *copy = malloc(count * sizeof *copy);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, stage->played + i, count * sizeof *copy);
        coded_reader_feed(&reader, copy, count);
        free(copy);
    }
    coded_reader_finish(&reader);
    coded_check_finish(&stage->check);
}

struct play_case {
    const char *name;
    const char *words;
    const char *runs; /* NULL: not looked at */
    const char *findings;
};

static const struct play_case CASES[] = {
    {"nothing", "", "", "truncated 1:0+3000@0; truncated 2:0+2000@0; truncated 7:0+1000@0; "},
    {"all of it", "1:0+3000 2:0+2000 7:0+1000",
     "signal@0+3000=1:0 signal@3000+2000=2:0 signal@5000+1000=7:0 ", ""},
    {"silence around turns", ".500 1:0+3000 .100 2:0+2000 .9000 7:0+1000 .50",
     "silence@0+500 signal@500+3000=1:0 silence@3500+100 signal@3600+2000=2:0 silence@5600+9000 "
     "signal@14600+1000=7:0 silence@15600+50 ",
     ""},
    {"a gap", "1:0+1234 .77 1:1234+1766 2:0+2000 7:0+1000",
     "signal@0+1234=1:0 silence@1234+77 signal@1311+1766=1:1234 signal@3077+2000=2:0 signal@5077+1000=7:0 ",
     "gap 1:1234+77@1234; "},
    {"a gap of one sample", "1:0+1500 .1 1:1500+1500 2:0+2000 7:0+1000", NULL, "gap 1:1500+1@1500; "},
    {"a piece left out", "1:0+1000 1:1100+1900 2:0+2000 7:0+1000", NULL, "missing 1:1000+100@1000; "},
    {"a sample left out", "1:0+1000 1:1001+1999 2:0+2000 7:0+1000", NULL, "missing 1:1000+1@1000; "},
    {"a piece twice", "1:0+1000 1:600+2400 2:0+2000 7:0+1000", NULL, "repeat 1:600+400@1000; "},
    {"a sample twice", "1:0+1000 1:999+2001 2:0+2000 7:0+1000", NULL, "repeat 1:999+1@1000; "},
    {"two pieces in the wrong order", "1:0+1000 1:2000+500 1:1000+1000 1:2500+500 2:0+2000 7:0+1000", NULL,
     "reorder 1:1000+1000@1500; "},
    {"half of what was left out comes later", "1:0+1000 1:2000+1000 1:1200+300 2:0+2000 7:0+1000", NULL,
     "reorder 1:1200+300@2000; missing 1:1000+200@1000; missing 1:1500+500@1000; "},
    {"left out, and more than that later", "1:0+1000 1:2000+1000 1:800+1400 2:0+2000 7:0+1000", NULL,
     "repeat 1:800+200@2000; reorder 1:1000+1000@2200; repeat 1:2000+200@3200; "},
    {"cut off", "1:0+1000 .400 2:0+2000 7:0+1000", NULL, "truncated 1:1000+2000@1000; "},
    {"the last cut off", "1:0+3000 2:0+2000 7:0+999", NULL, "truncated 7:999+1@5999; "},
    {"the start left out", "1:300+2700 2:0+2000 7:0+1000", NULL, "missing 1:0+300@0; "},
    {"a turn left out", "1:0+3000 7:0+1000", NULL, "truncated 2:0+2000@3000; "},
    {"a turn too late", "1:0+3000 7:0+1000 2:0+2000", NULL, "reorder 2:0+2000@4000; "},
    {"a turn twice", "1:0+3000 2:0+2000 1:0+3000 7:0+1000", NULL, "repeat 1:0+3000@5000; "},
    {"one over the other", "1:0+3000 <500 2:0+2000 7:0+1000",
     "signal@0+2500=1:0 mixed@2500+500=1:2500&2:0 signal@3000+1500=2:500 signal@4500+1000=7:0 ",
     "overlap 1:2500+500@2500; "},
    {"a turn over itself", "1:0+2000 <300 1:2000+1000 2:0+2000 7:0+1000",
     "signal@0+1700=1:0 mixed@1700+300=1:1700&1:2000 signal@2000+700=1:2300 signal@2700+2000=2:0 "
     "signal@4700+1000=7:0 ",
     "overlap 1:1700+300@1700; "},
    {"a sample damaged", "1:0+500 #1 1:501+2499 2:0+2000 7:0+1000",
     "signal@0+500=1:0 other@500+1 signal@501+2499=1:501 signal@3000+2000=2:0 signal@5000+1000=7:0 ",
     "damaged 1:500+1@500; "},
    {"a noise put in", "1:0+500 #300 1:500+2500 2:0+2000 7:0+1000", NULL, "damaged 1:500+300@500; "},
    {"a noise at the end", "1:0+3000 2:0+2000 7:0+1000 #20", NULL, "damaged 7:1000+20@6000; "},
    {"somebody else's", "9:0+400 1:0+3000 2:0+2000 7:0+1000", NULL, "foreign 9:0+400@0; "},
    {"past its end", "1:0+3200 2:0+2000 7:0+1000", NULL, "foreign 1:3000+200@3000; "},
    {"too short a window to tell", "1:10+71 .1000", "other@0+71 silence@71+1000 ",
     "truncated 1:0+3000@0; truncated 2:0+2000@0; truncated 7:0+1000@0; "},
};

static struct stage stage;

START_TEST(what_was_played_is_told_to_the_sample)
{
    const struct play_case *row = &CASES[_i];
    static const size_t pieces[] = {PLAYED_MAX, 1, 7, 72, 480};
    play(&stage, row->words);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        listen_in_pieces(&stage, pieces[i]);
        ck_assert_msg(row->runs == NULL || strcmp(stage.runs, row->runs) == 0, "%s, by %zu: %s", row->name,
                      pieces[i], stage.runs);
        ck_assert_msg(strcmp(stage.findings, row->findings) == 0, "%s, by %zu: %s", row->name, pieces[i],
                      stage.findings);
    }
}
END_TEST

/* Any window of CODED_WINDOW_SAMPLES says where it comes from; so do the ones at the far end. */
START_TEST(any_window_is_recognised)
{
    static const uint32_t starts[] = {0, 24000, CODED_SAMPLES_MAX - 400};
    for (size_t n = 0; n < sizeof starts / sizeof starts[0]; n++) {
        for (uint32_t shift = 0; shift <= 2 * CODED_BLOCK_SAMPLES; shift++) {
            struct coded_reader reader;
            char told[100];
            struct text text = text_of(told, sizeof told);
            coded_signal_make(0xffff, starts[n] + shift, stage.played, CODED_WINDOW_SAMPLES);
            stage.count = CODED_WINDOW_SAMPLES;
            stage.runs_text = text_of(stage.runs, sizeof stage.runs);
            stage.findings_text = text_of(stage.findings, sizeof stage.findings);
            coded_check_init(&stage.check, SENT, 0, note_finding, &stage);
            coded_reader_init(&reader, note_run, &stage);
            coded_reader_feed(&reader, stage.played, stage.count);
            coded_reader_finish(&reader);
            text_add(&text, "signal@0+143=65535:");
            text_add_u64(&text, starts[n] + shift);
            text_add_char(&text, ' ');
            ck_assert_str_eq(stage.runs, told);
        }
    }
}
END_TEST

/* Through 16 bits and back, at both scales in use, and through base64 of float32. */
START_TEST(rounding_and_base64_leave_it_alone)
{
    enum { COUNT = 5000 };
    static float back[COUNT];
    struct buffer coded, decoded;
    static uint8_t pcm[COUNT * FLOAT32_BYTES];
    buffer_init(&coded, 100000);
    buffer_init(&decoded, 100000);
    coded_signal_make(3, 100, back, COUNT);
    float32_write(back, COUNT, pcm);
    ck_assert(base64_encode(bytes_of(pcm, sizeof pcm), &coded));
    ck_assert(base64_decode(buffer_bytes(&coded), &decoded));
    float32_read(buffer_bytes(&decoded), back);
    for (uint32_t i = 0; i < COUNT; i++) {
        const float sample = coded_sample(3, 100 + i);
        const float by_32768 = (float)lrintf(sample * 32768.0F) / 32768.0F;
        const float by_32767 = (float)lrintf(sample * 32767.0F) / 32767.0F;
        ck_assert_mem_eq(&back[i], &sample, sizeof sample);
        ck_assert_mem_eq(&by_32768, &sample, sizeof sample);
        ck_assert(coded_sample_is(3, 100 + i, by_32767));
        ck_assert(coded_sample_is(3, 100 + i, (float)lrintf(sample * 32768.0F) / 32767.0F));
        ck_assert(!coded_sample_is_silent(sample) && fabsf(sample) < 0.2F);
    }
    buffer_free(&coded);
    buffer_free(&decoded);
}
END_TEST

START_TEST(neighbours_and_other_sources_are_told_apart)
{
    unsigned alike = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        alike += coded_sample_is(1, i + 1, coded_sample(1, i));
        alike += coded_sample_is(2, i, coded_sample(1, i));
        alike += coded_sample_is(1, i + 72, coded_sample(1, i));
    }
    /* One in 512 by chance. */
    ck_assert_uint_lt(alike, 60000 / 150);
}
END_TEST

START_TEST(pieces_that_may_still_come_are_bounded)
{
    static const struct coded_source sent[] = {{1, 60000}};
    struct coded_reader reader;
    stage.runs_text = text_of(stage.runs, sizeof stage.runs);
    stage.findings_text = text_of(stage.findings, sizeof stage.findings);
    coded_check_init(&stage.check, sent, 1, note_finding, &stage);
    coded_reader_init(&reader, note_run, &stage);
    /* Every second piece is left out, and one more than are kept. */
    for (uint32_t i = 0; i <= CODED_HOLES_MAX; i++) {
        coded_signal_make(1, (2 * i + 1) * 200, stage.played, 200);
        coded_reader_feed(&reader, stage.played, 200);
    }
    coded_signal_make(1, 0, stage.played, 200);
    coded_reader_feed(&reader, stage.played, 200);
    coded_signal_make(1, 400, stage.played, 200);
    coded_reader_feed(&reader, stage.played, 200);
    coded_reader_finish(&reader);
    ck_assert_str_eq(stage.findings, "missing 1:0+200@0; repeat 1:0+200@13000; reorder 1:400+200@13200; ");
    coded_check_finish(&stage.check);
    ck_assert_ptr_nonnull(strstr(stage.findings, "truncated 1:26000+34000@"));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("coded signal");
    tcase_add_loop_test(tcase, what_was_played_is_told_to_the_sample, 0, TABLE_COUNT(CASES));
    tcase_add_test(tcase, any_window_is_recognised);
    tcase_add_test(tcase, rounding_and_base64_leave_it_alone);
    tcase_add_test(tcase, neighbours_and_other_sources_are_told_apart);
    tcase_add_test(tcase, pieces_that_may_still_come_are_bounded);
    return suite_run("coded signal", tcase);
}
