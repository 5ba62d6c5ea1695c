/* What a session answers to each message. */
#include <string.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/bench.h"

static const uint64_t SECOND_US = 1000000;

START_TEST(session_ready_is_right_and_sent_once)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    bench_run(&bench, SECOND_US);
    bench_event(&bench, SESSION_RESUMED, (struct bytes){0});
    bench_run(&bench, 2 * SECOND_US);
    ck_assert_uint_eq(bench.count, 1);
    const struct ojin_message *ready = &bench.sent[0].message;
    uint8_t trace_id[UUID_BYTES];
    ck_assert_int_eq(ready->type, OJIN_MESSAGE_SESSION_READY);
    ck_assert_int_eq(ready->error.status, WIRE_OK);
    ck_assert(uuid_parse(bytes_of_text(ready->trace_id), trace_id));
    ck_assert(ready->load >= 0 && ready->load <= 1);
    ck_assert_int_eq(ready->timestamp_ms, BENCH_EPOCH_MS);
    bench_free(&bench);
}
END_TEST

/* Open, ready and streaming, with the first second of messages over. */
static void open_quiet(struct bench *bench)
{
    bench_open(bench, "oris-1.0", false);
    bench_zeros(bench, OJIN_FRAME_SAMPLES);
    bench_run(bench, 2 * SECOND_US);
}

static const struct {
    const char *name;
    size_t messages;
    uint64_t gap_us;
    size_t refused;
} RATES[] = {
    {"six at once", 6, 0, 0},
    {"seven at once", 7, 0, 1},
    {"nine at once", 9, 0, 3},
    {"seven in just under a second", 7, 166666, 1},
    {"seven in a second", 7, 166667, 0},
    {"twenty at six a second", 20, 166667, 0},
};

START_TEST(a_seventh_message_within_a_second_is_rate_limited)
{
    struct bench bench;
    open_quiet(&bench);
    for (size_t i = 0; i < RATES[_i].messages; i++) {
        if (i % 2 == 0)
            bench_text(&bench, BENCH_CANCEL);
        else
            bench_zeros(&bench, 1);
        bench.now_us += RATES[_i].gap_us;
    }
    ck_assert_msg(bench_count_error(&bench, "RATE_LIMITED") == RATES[_i].refused, "%s: %zu", RATES[_i].name,
                  bench_count_error(&bench, "RATE_LIMITED"));
    const struct session_progress *progress = OJIN_SESSION_CLASS.progress(bench.session);
    ck_assert_uint_eq(progress->cancels + progress->audio_messages - 1,
                      RATES[_i].messages - RATES[_i].refused);
    bench_free(&bench);
}
END_TEST

/* A server that is late has several to take at once. */
START_TEST(messages_count_from_when_they_came)
{
    struct bench bench;
    open_quiet(&bench);
    bench.now_us = 20 * SECOND_US;
    for (size_t i = 0; i < 12; i++) {
        bench.came_us = 10 * SECOND_US + i * 170000;
        bench_text(&bench, BENCH_CANCEL);
    }
    ck_assert_uint_eq(bench_count_error(&bench, "RATE_LIMITED"), 0);
    bench_text(&bench, BENCH_CANCEL); /* it came with the twelfth */
    ck_assert_uint_eq(bench_count_error(&bench, "RATE_LIMITED"), 1);
    bench_free(&bench);
}
END_TEST

START_TEST(a_rate_limited_message_is_not_taken_in)
{
    struct bench bench;
    open_quiet(&bench);
    for (int i = 0; i < 6; i++)
        bench_zeros(&bench, 1);
    bench_speech(&bench, 16000);
    bench_text(&bench, BENCH_END);
    bench_run(&bench, 5 * SECOND_US);
    ck_assert_uint_eq(bench_count_error(&bench, "RATE_LIMITED"), 2);
    ck_assert_uint_eq(bench_count_label(&bench, "speech") + bench_count_label(&bench, "final"), 0);
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    size_t bytes;
    bool text;
    const char *code; /* NULL: taken in */
} SIZES[] = {
    {"524,288, with odd audio", OJIN_MESSAGE_BYTES_MAX, false, "INVALID_MESSAGE"},
    {"524,287", OJIN_MESSAGE_BYTES_MAX - 1, false, NULL},
    {"524,289", OJIN_MESSAGE_BYTES_MAX + 1, false, "FRAME_SIZE_EXCEEDED"},
    {"a text of 524,288", OJIN_MESSAGE_BYTES_MAX, true, "INVALID_MESSAGE"},
    {"a text of 524,289", OJIN_MESSAGE_BYTES_MAX + 1, true, "FRAME_SIZE_EXCEEDED"},
};

START_TEST(a_message_above_524288_bytes_is_told_and_not_taken_in)
{
    struct bench bench;
    open_quiet(&bench);
    uint8_t *message = calloc(1, SIZES[_i].bytes);
    ck_assert_ptr_nonnull(message);
    message[0] = SIZES[_i].text ? 'x' : OJIN_PAYLOAD_AUDIO;
    bench_event(&bench, SIZES[_i].text ? SESSION_TEXT : SESSION_BINARY, bytes_of(message, SIZES[_i].bytes));
    free(message);
    const uint64_t taken = OJIN_SESSION_CLASS.progress(bench.session)->audio_messages - 1;
    ck_assert_uint_eq(taken, SIZES[_i].code == NULL ? 1 : 0);
    if (SIZES[_i].code != NULL)
        ck_assert_msg(bench_count_error(&bench, SIZES[_i].code) == 1, "%s", SIZES[_i].name);
    const size_t before = bench.count;
    bench_run(&bench, 3 * SECOND_US);
    ck_assert_uint_ge(bench.count - before, 25);
    bench_free(&bench);
}
END_TEST

START_TEST(exactly_524288_bytes_pass_with_params)
{
    struct bench bench;
    open_quiet(&bench);
    const size_t params = 3; /* makes the samples even */
    const size_t samples = (OJIN_MESSAGE_BYTES_MAX - OJIN_INPUT_HEADER_BYTES - params) / 2;
    int16_t *speech = calloc(samples, sizeof *speech);
    ck_assert_ptr_nonnull(speech);
    speech[0] = 1;
    bench_audio(&bench, speech, samples, "{ }");
    free(speech);
    ck_assert_uint_eq(bench_count_label(&bench, "error"), 0);
    ck_assert_uint_eq(OJIN_SESSION_CLASS.progress(bench.session)->audio_bytes,
                      2 * samples + OJIN_FRAME_AUDIO_BYTES);
    bench_free(&bench);
}
END_TEST

START_TEST(a_message_cut_at_a_bound_counts_with_its_true_size)
{
    struct bench bench;
    open_quiet(&bench);
    const uint8_t head[OJIN_INPUT_HEADER_BYTES] = {OJIN_PAYLOAD_AUDIO};
    const struct session_event event = {.kind = SESSION_BINARY,
                                        .now_us = bench.now_us,
                                        .data = bytes_of(head, sizeof head),
                                        .message_bytes = OJIN_MESSAGE_BYTES_MAX + 1};
    OJIN_SESSION_CLASS.step(bench.session, &event, &bench.actions);
    bench_event(&bench, SESSION_TICK, (struct bytes){0});
    ck_assert_uint_eq(bench_count_error(&bench, "FRAME_SIZE_EXCEEDED"), 1);
    bench_free(&bench);
}
END_TEST

#define HEADER(type, size) type "\0\0\1\x8b\xcf\xe5\x68\x00" size
#define BYTES(literal)     literal, sizeof(literal) - 1

static const struct {
    const char *name;
    const char *bytes;
    size_t len;
    const char *says; /* in the error's message; NULL: taken in */
} BINARIES[] = {
    {"nothing", BYTES(""), "ends inside"},
    {"a short header", BYTES("\1\0\0\0\0\0\0\0\0\0\0\0"), "ends inside"},
    {"type 0", BYTES(HEADER("\0", "\0\0\0\0")), "payload type"},
    {"type 2", BYTES(HEADER("\2", "\0\0\0\0") "aa"), "payload type"},
    {"params past the end", BYTES(HEADER("\1", "\0\0\0\3") "{}"), "past the end"},
    {"params size little-endian", BYTES(HEADER("\1", "\2\0\0\0") "{}"), "past the end"},
    {"params no JSON", BYTES(HEADER("\1", "\0\0\0\2") "{]aa"), "not JSON"},
    {"params an array", BYTES(HEADER("\1", "\0\0\0\2") "[]aa"), "not an object"},
    {"params of a wrong type", BYTES(HEADER("\1", "\0\0\0\x1c") "{\"speech_filter_amount\":\"5\"}"),
     "speech_filter_amount"},
    {"odd audio", BYTES(HEADER("\1", "\0\0\0\0") "aaa"), "odd"},
    {"params and odd audio", BYTES(HEADER("\1", "\0\0\0\2") "{}a"), "odd"},
    {"a header alone", BYTES(HEADER("\1", "\0\0\0\0")), NULL},
    {"params alone", BYTES(HEADER("\1", "\0\0\0\2") "{}"), NULL},
    {"unknown params", BYTES(HEADER("\1", "\0\0\0\7") "{\"a\":1}aa"), NULL},
    {"an odd timestamp", BYTES("\1\x00\x68\xe5\xcf\x8b\1\0\0\0\0\0\0aa"), NULL},
};

START_TEST(a_malformed_input_is_told_and_the_session_goes_on)
{
    struct bench bench;
    open_quiet(&bench);
    bench_binary(&bench, bytes_of(BINARIES[_i].bytes, BINARIES[_i].len));
    const uint64_t taken = OJIN_SESSION_CLASS.progress(bench.session)->audio_messages - 1;
    if (BINARIES[_i].says == NULL) {
        ck_assert_msg(bench_count_label(&bench, "error") == 0, "%s", BINARIES[_i].name);
        ck_assert_uint_eq(taken, 1);
    } else {
        ck_assert_msg(bench_count_error(&bench, "INVALID_MESSAGE") == 1, "%s", BINARIES[_i].name);
        const char *says = bench_latest(&bench, "error")->message.message;
        ck_assert_msg(strstr(says, BINARIES[_i].says) != NULL, "%s: %s", BINARIES[_i].name, says);
        ck_assert_uint_eq(taken, 0);
    }
    bench_speech(&bench, 16000);
    bench_run(&bench, 5 * SECOND_US);
    ck_assert_uint_ge(bench_count_label(&bench, "speech"), 25);
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    const char *text;
    const char *says; /* NULL: taken in */
} TEXTS[] = {
    {"end", BENCH_END, NULL},
    {"cancel", BENCH_CANCEL, NULL},
    {"nothing", "", "not JSON"},
    {"plain text", "hello", "not JSON"},
    {"JSON with a tail", BENCH_CANCEL "x", "not JSON"},
    {"an array", "[]", "not an object"},
    {"no type", "{\"payload\":{}}", "type"},
    {"a type that is a number", "{\"type\":1,\"payload\":{}}", "type"},
    {"an unknown type", "{\"type\":\"endinteraction\",\"payload\":{\"timestamp\":1}}", "type"},
    {"end without payload", "{\"type\":\"endInteraction\"}", "endInteraction"},
    {"end without timestamp", "{\"type\":\"endInteraction\",\"payload\":{}}", "timestamp"},
    {"end with a string", "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":\"1\"}}", "timestamp"},
    {"cancel without payload", "{\"type\":\"cancelInteraction\"}", "cancelInteraction"},
    {"cancel with a fraction", "{\"type\":\"cancelInteraction\",\"payload\":{\"timestamp\":1.5}}",
     "timestamp"},
    {"what only the server sends", "{\"type\":\"errorResponse\",\"payload\":{}}", "Only the server"},
    {"a repeated member, right in the end",
     "{\"type\":\"x\",\"type\":\"endInteraction\",\"payload\":{\"timestamp\":\"1\",\"timestamp\":1}}", NULL},
    {"a repeated member, wrong in the end",
     "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1,\"timestamp\":\"1\"}}", "timestamp"},
    {"JSON with a NUL escape", "{\"type\":\"cancelInteraction\",\"payload\":{\"a\":\"\\u0000\"}}",
     "not read here"},
};

START_TEST(a_malformed_text_is_told_and_the_session_goes_on)
{
    struct bench bench;
    open_quiet(&bench);
    bench_text(&bench, TEXTS[_i].text);
    const struct session_progress *progress = OJIN_SESSION_CLASS.progress(bench.session);
    ck_assert_uint_eq(progress->ends + progress->cancels, TEXTS[_i].says == NULL ? 1 : 0);
    if (TEXTS[_i].says == NULL) {
        ck_assert_msg(bench_count_label(&bench, "error") == 0, "%s", TEXTS[_i].name);
    } else {
        ck_assert_msg(bench_count_error(&bench, "INVALID_MESSAGE") == 1, "%s", TEXTS[_i].name);
        const struct ojin_message *error = &bench_latest(&bench, "error")->message;
        ck_assert_msg(strstr(error->message, TEXTS[_i].says) != NULL, "%s: %s", TEXTS[_i].name,
                      error->message);
        ck_assert(error->has_timestamp);
        bench_run(&bench, 3 * SECOND_US);
        ck_assert_str_eq(bench.sent[bench.count - 1].label, "silence");
    }
    bench_free(&bench);
}
END_TEST

START_TEST(speech_beyond_ten_minutes_is_dropped_and_told)
{
    struct bench bench;
    open_quiet(&bench);
    const size_t samples = 262000; /* 16.375 s, 37 of which are too many */
    for (size_t i = 0; i < 37; i++) {
        bench_speech(&bench, samples);
        bench.now_us += SECOND_US / 5;
    }
    ck_assert_uint_eq(bench_count_error(&bench, "INTERNAL_ERROR"), 1);
    ck_assert_uint_eq(bench_count_error(&bench, "RATE_LIMITED"), 0);
    bench_free(&bench);
}
END_TEST

/* Loud speech with those params; returns the CRC of its last picture. */
static uint32_t picture_with(const char *params)
{
    struct bench bench;
    int16_t samples[6400];
    bench_open(&bench, "oris-1.0", true);
    for (size_t i = 0; i < 6400; i++)
        samples[i] = (int16_t)(i % 40 < 20 ? 12000 : -12000);
    bench_audio(&bench, samples, 6400, params);
    bench_run(&bench, SECOND_US / 5);
    const uint32_t crc = bench_latest(&bench, "speech")->image_crc;
    bench_free(&bench);
    return crc;
}

START_TEST(params_change_the_picture)
{
    const uint32_t usual = picture_with(NULL);
    ck_assert_uint_eq(picture_with("{}"), usual);
    ck_assert_uint_eq(picture_with("{\"speech_mouth_opening_scale\":1}"), usual);
    ck_assert_uint_ne(picture_with("{\"speech_mouth_opening_scale\":0}"), usual);
    ck_assert_uint_ne(picture_with("{\"speech_filter_amount\":1000}"), usual);
    ck_assert_uint_eq(picture_with("{\"speech_mouth_opening_scale\":-1e300}"),
                      picture_with("{\"speech_mouth_opening_scale\":0}"));
}
END_TEST

/* The picture of the n-th silence frame after speech with those params. */
static uint32_t silence_after(const char *params, size_t n)
{
    struct bench bench;
    int16_t samples[6400];
    bench_open(&bench, "oris-1.0", true);
    for (size_t i = 0; i < 6400; i++)
        samples[i] = (int16_t)(i % 40 < 20 ? 20000 : -20000);
    bench_audio(&bench, samples, 6400, params);
    bench_run(&bench, SECOND_US / 2 + n * 40000);
    const uint32_t crc = bench_latest(&bench, "silence")->image_crc;
    bench_free(&bench);
    return crc;
}

START_TEST(idle_params_change_the_picture_after_the_speech)
{
    const uint32_t later = silence_after(NULL, 20);
    const uint32_t soon = silence_after(NULL, 0);
    ck_assert_uint_eq(silence_after("{\"idle_mouth_opening_scale\":0}", 20), later);
    ck_assert_uint_ne(silence_after("{\"idle_mouth_opening_scale\":3}", 20), later);
    ck_assert_uint_eq(silence_after("{\"idle_filter_amount\":1000}", 0), soon);
    ck_assert_uint_ne(silence_after("{\"idle_filter_amount\":100000}", 0), soon);
}
END_TEST

static const struct {
    const char *name;
    bool binary;
    const char *bytes;
    size_t len;
    const char *type;
} TYPES[] = {
    {"audio", true, BYTES(HEADER("\1", "\0\0\0\0") "aa"), "audio"},
    {"odd audio", true, BYTES(HEADER("\1", "\0\0\0\0") "a"), "audio"},
    {"another type", true, BYTES(HEADER("\2", "\0\0\0\0")), "other"},
    {"a short header", true, BYTES("\1"), "other"},
    {"end", false, BYTES(BENCH_END), "endInteraction"},
    {"cancel", false, BYTES(BENCH_CANCEL), "cancelInteraction"},
    {"sessionReady", false, BYTES("{\"type\":\"sessionReady\"}"), "other"},
    {"plain text", false, BYTES("hello"), "other"},
};

START_TEST(messages_are_classified)
{
    struct exact_copy copy = exact_copy_of(bytes_of(TYPES[_i].bytes, TYPES[_i].len));
    ck_assert_str_eq(OJIN_SESSION_CLASS.classify(TYPES[_i].binary, copy.bytes), TYPES[_i].type);
    exact_copy_free(copy);
}
END_TEST

START_TEST(classes_are_found_by_family)
{
    ck_assert_ptr_eq(session_class_by_family("ojin"), &OJIN_SESSION_CLASS);
    ck_assert_ptr_null(session_class_by_family("Ojin"));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("messages");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, session_ready_is_right_and_sent_once);
    tcase_add_loop_test(tcase, a_seventh_message_within_a_second_is_rate_limited, 0, TABLE_COUNT(RATES));
    tcase_add_test(tcase, messages_count_from_when_they_came);
    tcase_add_test(tcase, a_rate_limited_message_is_not_taken_in);
    tcase_add_loop_test(tcase, a_message_above_524288_bytes_is_told_and_not_taken_in, 0, TABLE_COUNT(SIZES));
    tcase_add_test(tcase, exactly_524288_bytes_pass_with_params);
    tcase_add_test(tcase, a_message_cut_at_a_bound_counts_with_its_true_size);
    tcase_add_loop_test(tcase, a_malformed_input_is_told_and_the_session_goes_on, 0, TABLE_COUNT(BINARIES));
    tcase_add_loop_test(tcase, a_malformed_text_is_told_and_the_session_goes_on, 0, TABLE_COUNT(TEXTS));
    tcase_add_test(tcase, speech_beyond_ten_minutes_is_dropped_and_told);
    tcase_add_test(tcase, params_change_the_picture);
    tcase_add_test(tcase, idle_params_change_the_picture_after_the_speech);
    tcase_add_loop_test(tcase, messages_are_classified, 0, TABLE_COUNT(TYPES));
    tcase_add_test(tcase, classes_are_found_by_family);
    return suite_run("session messages", tcase);
}
