/* What the full-duplex client says and plays while a session runs: 002 Stream, Message Format. */
#include <check.h>
#include <stdlib.h>

#include "client/tests/duplex_simulation.h"

enum { SECOND_US = 1000000, MARGIN_US = DUPLEX_PLAYER_MARGIN_US };

static const char *const PROFILES[] = {"video", "audio", "duplex-later", "duplex-later-audio"};

enum { PROFILE_COUNT = sizeof PROFILES / sizeof PROFILES[0] };

/* ---- what is said ---- */

START_TEST(a_second_is_appended_every_second_whoever_speaks)
{
    struct simulation simulation = duplex_simulation_of(PROFILES[_i]);
    const bool pictures = duplex_profile_of(simulation.profile)->pictures;
    duplex_simulation_talk(&simulation, 40000);
    duplex_simulation_created(&simulation);
    for (uint64_t s = 1; s <= 10; s++) { /* the server speaks for 10 s */
        simulation_run(&simulation, s * SECOND_US - 500000);
        duplex_simulation_delta(&simulation, 0, 24000, "on and on", s == 10);
    }
    simulation_run(&simulation, 12 * SECOND_US);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 13);
    uint32_t position = 0;
    for (size_t n = 0; n < 13; n++) {
        uint64_t at_us = 0;
        struct duplex_message append = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_APPEND, n, &at_us);
        ck_assert_uint_eq(append.faults.count, 0);
        ck_assert_uint_eq(at_us, n * SECOND_US);
        ck_assert_uint_eq(float32_count(append.audio), 16000);
        for (size_t i = 0; i < 16000; i++, position++)
            ck_assert(float32_at(append.audio, i) ==
                      (position < 40000 ? duplex_simulation_sample(position + 1) : 0));
        ck_assert_int_eq(append.has_pictures, pictures);
        ck_assert_uint_eq(append.picture_count, pictures ? 1 : 0);
        ck_assert(!append.force_listen && !append.has_max_slices);
        duplex_message_free(&append);
    }
    simulation_end(&simulation);
}
END_TEST

START_TEST(pictures_come_in_order_and_from_the_first_again)
{
    static const struct bytes PICTURES[] = {{(const uint8_t *)"a", 1}, {(const uint8_t *)"b", 1}};
    const struct duplex_client_config config = {
        .profile = duplex_profile_by_name("video"), .pictures = PICTURES, .picture_count = 2};
    struct simulation simulation = duplex_simulation_start(&config);
    duplex_simulation_created(&simulation);
    simulation_run(&simulation, 2 * SECOND_US);
    for (size_t n = 0; n < 3; n++) {
        struct duplex_message append = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_APPEND, n, NULL);
        ck_assert(bytes_equal(append.pictures[0].jpeg, PICTURES[n % 2]));
        duplex_message_free(&append);
    }
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_host_that_stalls_sends_no_burst_afterwards)
{
    struct simulation simulation = duplex_simulation_of("audio");
    duplex_simulation_created(&simulation);
    simulation.now_us = 3700000; /* nobody ticked */
    simulation_run(&simulation, 6000000);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 4);
    static const uint64_t DUE_US[] = {0, 3700000, 4700000, 5700000};
    for (size_t n = 0; n < 4; n++) {
        uint64_t at_us = 0;
        struct duplex_message append = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_APPEND, n, &at_us);
        duplex_message_free(&append);
        ck_assert_uint_eq(at_us, DUE_US[n]);
    }
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_newest_second_waits_for_a_server_that_does_not_read)
{
    struct simulation simulation = duplex_simulation_of("audio");
    duplex_simulation_talk(&simulation, 160000);
    duplex_simulation_created(&simulation);
    simulation.unsent = 1;
    simulation_run(&simulation, 5500000);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 1);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->appends_dropped, 4);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "NOT_READING"), 1);
    simulation.unsent = 0;
    simulation_run(&simulation, 5550000);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 2);
    struct duplex_message append = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_APPEND, 1, NULL);
    ck_assert(float32_at(append.audio, 0) == duplex_simulation_sample(5 * 16000 + 1));
    duplex_message_free(&append);
    simulation_end(&simulation);
}
END_TEST

/* ---- what is heard ---- */

/* Everything heard, in order: where each piece began on the clock, and that the samples are `count` in a row
 * from `first` on. Returns the sample after the last. */
static uint32_t expect_heard(const struct simulation *simulation, uint32_t at, uint32_t first, uint32_t count)
{
    uint32_t heard = 0;
    for (size_t n = 0;; n++) {
        const struct recorded *record = nth_seen(simulation, OBSERVED_HEARD, n);
        if (record == NULL)
            break;
        ck_assert_uint_eq(record->observation.at, at + heard);
        ck_assert_uint_eq(record->len, record->observation.samples * FLOAT32_BYTES);
        const struct bytes pcm = bytes_of(record->data, record->len);
        for (size_t i = 0; i < float32_count(pcm); i++, heard++)
            ck_assert(float32_at(pcm, i) == duplex_simulation_sample(first + heard));
    }
    ck_assert_uint_eq(heard, count);
    return at + heard;
}

static const struct {
    const char *name;
    uint64_t apart_us; /* from one delta to the next */
    size_t first, middle, last;
    uint64_t starts_us; /* after the first came */
} TURNS[] = {
    {"a second apart", SECOND_US, 24000, 3, 24000, MARGIN_US},
    {"a short first one", SECOND_US, 6000, 3, 12345, 750000 + MARGIN_US},
    {"a first one of a sample", SECOND_US, 1, 1, 1, 999959 + MARGIN_US},
    {"late by less than the margin", SECOND_US + 40000, 24000, 3, 7, MARGIN_US},
    {"all at once", 0, 10, 5, 10, 0},
    {"one delta", SECOND_US, 0, 0, 5000, 0},
};

START_TEST(a_turn_is_heard_whole_without_gaps_whatever_its_first_delta)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    simulation_run(&simulation, 2 * SECOND_US);
    uint64_t at_us = simulation.now_us;
    uint32_t position = 0;
    if (TURNS[_i].first > 0) {
        duplex_simulation_delta(&simulation, position, TURNS[_i].first, "One", false);
        position += (uint32_t)TURNS[_i].first;
    }
    for (size_t n = 0; n < TURNS[_i].middle; n++) {
        simulation_run(&simulation, at_us += TURNS[_i].apart_us);
        duplex_simulation_delta(&simulation, position, 24000, " more", false);
        position += 24000;
    }
    simulation_run(&simulation, at_us += TURNS[_i].first > 0 ? TURNS[_i].apart_us : 0);
    duplex_simulation_delta(&simulation, position, TURNS[_i].last, ".", true);
    position += (uint32_t)TURNS[_i].last;
    simulation_run(&simulation, at_us + 10 * SECOND_US);
    const uint64_t start_us = 2 * SECOND_US + TURNS[_i].starts_us;
    const uint32_t start = (uint32_t)(start_us * 24 / 1000);
    const uint32_t end = expect_heard(&simulation, start, 0, position);
    const struct duplex_client_summary *summary = duplex_client_summary(simulation.client);
    ck_assert_uint_eq(summary->gaps, 0);
    ck_assert_uint_eq(summary->turns, 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_TURN), 1);
    const struct observation *turn = &nth_seen(&simulation, OBSERVED_TURN, 0)->observation;
    ck_assert(turn->is_final);
    ck_assert_uint_eq(turn->at, end);
    ck_assert_uint_eq(turn->samples, position);
    ck_assert_str_eq(turn->text, TURNS[_i].first == 0    ? "."
                                 : TURNS[_i].middle == 1 ? "One more."
                                 : TURNS[_i].middle == 3 ? "One more more more."
                                                         : "One more more more more more.");
    simulation_end(&simulation);
}
END_TEST

START_TEST(text_is_told_when_its_sound_begins)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    duplex_simulation_delta(&simulation, 0, 24000, "Hello", false);
    duplex_simulation_delta(&simulation, 24000, 2400, " you", true);
    simulation_run(&simulation, 3 * SECOND_US);
    size_t told = 0;
    for (size_t n = 0; nth_seen(&simulation, OBSERVED_HEARD, n) != NULL; n++) {
        const struct observation *heard = &nth_seen(&simulation, OBSERVED_HEARD, n)->observation;
        if (heard->text[0] == '\0')
            continue;
        ck_assert_str_eq(heard->text, told == 0 ? "Hello" : " you");
        ck_assert_uint_eq(heard->at, told == 0 ? 0 : 24000);
        told++;
    }
    ck_assert_uint_eq(told, 2);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_delta_that_comes_too_late_is_a_gap_and_nothing_is_lost)
{
    struct simulation simulation = duplex_simulation_of("audio");
    duplex_simulation_created(&simulation);
    duplex_simulation_delta(&simulation, 0, 24000, "a", false);
    simulation_run(&simulation, 2 * SECOND_US);
    duplex_simulation_delta(&simulation, 24000, 24000, "b", false);
    simulation_run(&simulation, 3 * SECOND_US);
    duplex_simulation_delta(&simulation, 48000, 100, "c", true);
    simulation_run(&simulation, 5 * SECOND_US);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->gaps, 1);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->samples_heard, 48100);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_TURN, 0)->observation.text, "abc");
    simulation_end(&simulation);
}
END_TEST

START_TEST(listen_drops_what_is_queued_to_the_sample)
{
    struct simulation simulation = duplex_simulation_of(PROFILES[_i]);
    duplex_simulation_created(&simulation);
    for (uint32_t n = 0; n < 5; n++)
        duplex_simulation_delta(&simulation, n * 24000, 24000, "x", false);
    simulation_run(&simulation, 1234567);
    duplex_simulation_listen(&simulation);
    /* It starts with the second delta, at once. */
    const uint32_t heard = 1234567 * 24 / 1000;
    const struct observation *listen = &nth_seen(&simulation, OBSERVED_LISTEN, 0)->observation;
    ck_assert_uint_eq(listen->at, heard);
    ck_assert_uint_eq(listen->samples, 5 * 24000 - heard);
    ck_assert_uint_eq(listen->cache, 300);
    const struct observation *turn = &nth_seen(&simulation, OBSERVED_TURN, 0)->observation;
    ck_assert(!turn->is_final);
    ck_assert_uint_eq(turn->samples, heard);
    for (int i = 0; i < 5; i++)
        duplex_simulation_listen(&simulation);
    simulation_run(&simulation, 9 * SECOND_US);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_TURN), 1);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->samples_heard, heard);
    /* What comes next is a turn like any other. */
    duplex_simulation_delta(&simulation, 0, 2400, "again", true);
    simulation_run(&simulation, 10 * SECOND_US);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->turns, 1);
    simulation_end(&simulation);
}
END_TEST

/* ---- deltas that are not as they should be ---- */

static const struct {
    const char *name;
    const char *text;
    bool reported;
} ODD[] = {
    {"empty text and empty sound",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"\",\"audio\":\"\","
     "\"end_of_turn\":false,\"kv_cache_length\":1}",
     false},
    {"null for sound",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"b\",\"audio\":null,"
     "\"end_of_turn\":false,\"kv_cache_length\":1}",
     false},
    {"nothing but a type", "{\"type\":\"response.output_audio.delta\"}", false},
    {"more members",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"\",\"audio\":\"\",\"mood\":[1],"
     "\"end_of_turn\":false,\"kv_cache_length\":8000}",
     false},
    {"no base64",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"b\",\"audio\":\"a-b=\","
     "\"end_of_turn\":false,\"kv_cache_length\":1}",
     true},
    {"half a sample",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"b\",\"audio\":\"AAAAAAA=\","
     "\"end_of_turn\":false,\"kv_cache_length\":1}",
     true},
    {"not a number",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"b\",\"audio\":\"AADAfw==\","
     "\"end_of_turn\":false,\"kv_cache_length\":1}",
     true},
    {"a number for sound",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"b\",\"audio\":7,"
     "\"end_of_turn\":\"no\",\"kv_cache_length\":-1}",
     true},
};

START_TEST(a_delta_without_good_sound_does_not_end_the_turn)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    duplex_simulation_delta(&simulation, 0, 24000, "a", false);
    simulation_text(&simulation, ODD[_i].text);
    duplex_simulation_delta(&simulation, 24000, 600, "c", true);
    simulation_run(&simulation, 4 * SECOND_US);
    expect_heard(&simulation, 0, 0, 24600);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "BAD_DELTA"), ODD[_i].reported ? 1 : 0);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->turns, 1);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_APPEND), 5);
    simulation_end(&simulation);
}
END_TEST

START_TEST(text_and_sound_of_the_later_version_come_apart)
{
    struct simulation simulation = duplex_simulation_of("duplex-later");
    duplex_simulation_created(&simulation);
    simulation_text(&simulation, "{\"type\":\"response.output.delta\",\"kind\":\"text\",\"text\":\"Hi\"}");
    duplex_simulation_delta(&simulation, 0, 6000, "", false);
    simulation_run(&simulation, SECOND_US);
    simulation_text(&simulation, "{\"type\":\"response.output.delta\",\"kind\":\"text\",\"text\":\" you\"}");
    duplex_simulation_delta(&simulation, 6000, 24000, "", false);
    simulation_run(&simulation, 2 * SECOND_US);
    duplex_simulation_delta(&simulation, 30000, 240, "", true);
    simulation_run(&simulation, 4 * SECOND_US);
    /* The text before the first sound makes it start no later. */
    expect_heard(&simulation, (750000 + MARGIN_US) * 24 / 1000, 0, 30240);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->gaps, 0);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_TURN, 0)->observation.text, "Hi you");
    simulation_end(&simulation);
}
END_TEST

START_TEST(the_cache_may_climb_fall_and_be_missing)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    simulation_text(&simulation, "{\"type\":\"response.listen\",\"kv_cache_length\":8192}");
    simulation_text(&simulation, "{\"type\":\"response.listen\",\"kv_cache_length\":100}");
    simulation_text(&simulation, "{\"type\":\"response.listen\"}");
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->cache, 100);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->cache_max, 8192);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_LISTEN, 0)->observation.cache, 8192);
    ck_assert(!nth_seen(&simulation, OBSERVED_LISTEN, 2)->observation.has_cache);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(more_than_can_be_held_ends_the_session)
{
    struct simulation simulation = duplex_simulation_of("audio");
    duplex_simulation_created(&simulation);
    size_t held = 0;
    for (; held + 240000 <= DUPLEX_CLIENT_HELD_SAMPLES_MAX; held += 240000)
        duplex_simulation_delta(&simulation, 0, 240000, "", false);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "BUFFER_FULL"), 0);
    duplex_simulation_delta(&simulation, 0, DUPLEX_CLIENT_HELD_SAMPLES_MAX - held + 1, "", false);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "BUFFER_FULL"), 1);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    simulation_end(&simulation);
}
END_TEST

/* ---- interrupting ---- */

START_TEST(an_interruption_is_in_the_next_append_alone_and_mutes_until_the_listen)
{
    struct simulation simulation = duplex_simulation_of(PROFILES[_i]);
    duplex_simulation_created(&simulation);
    for (uint32_t n = 0; n < 4; n++)
        duplex_simulation_delta(&simulation, n * 24000, 24000, "x", false);
    simulation_run(&simulation, 1300000);
    duplex_client_force_listen(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    const uint64_t heard = duplex_client_summary(simulation.client)->samples_heard;
    ck_assert_uint_eq(heard, 31200);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CANCELLED, 0)->observation.samples, 4 * 24000 - 31200);
    duplex_simulation_delta(&simulation, 96000, 24000, "y", false); /* before the append leaves */
    simulation_run(&simulation, 2100000);
    duplex_simulation_delta(&simulation, 120000, 24000, "z", false); /* and after it */
    simulation_run(&simulation, 3500000);
    for (size_t n = 0; n < 4; n++) {
        struct duplex_message append = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_APPEND, n, NULL);
        ck_assert_int_eq(append.force_listen, n == 2);
        duplex_message_free(&append);
    }
    duplex_simulation_listen(&simulation);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->samples_heard, heard);
    duplex_simulation_delta(&simulation, 0, 240, "new", true);
    simulation_run(&simulation, 5 * SECOND_US);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->samples_heard, heard + 240);
    simulation_end(&simulation);
}
END_TEST

START_TEST(without_a_listen_the_next_turn_is_heard_after_a_while)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    duplex_client_force_listen(simulation.client, simulation.now_us, simulation.actions);
    simulation_record(&simulation);
    simulation_run(&simulation, SECOND_US + DUPLEX_CLIENT_LISTEN_WAIT_US);
    duplex_simulation_delta(&simulation, 0, 240, "new", true);
    simulation_run(&simulation, 10 * SECOND_US);
    ck_assert_uint_eq(duplex_client_summary(simulation.client)->samples_heard, 240);
    simulation_end(&simulation);
}
END_TEST

/* ---- the end of it ---- */

static size_t closes(const struct simulation *simulation)
{
    return duplex_count_sent(simulation, DUPLEX_MESSAGE_CLOSE);
}

START_TEST(it_ends_once_the_answer_was_heard)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_talk(&simulation, 20000);
    duplex_client_end(simulation.client, 0, simulation.actions);
    simulation_record(&simulation);
    duplex_simulation_created(&simulation);
    simulation_run(&simulation, 4 * SECOND_US);
    duplex_simulation_delta(&simulation, 0, 24000, "Yes", false);
    simulation_run(&simulation, 5 * SECOND_US);
    duplex_simulation_delta(&simulation, 24000, 24000, ".", true);
    const uint64_t end_us = 6 * SECOND_US + MARGIN_US;
    for (uint64_t s = 7; s < 9; s++) { /* that it listens is no news */
        simulation_run(&simulation, s * SECOND_US);
        duplex_simulation_listen(&simulation);
    }
    simulation_run(&simulation, end_us + DUPLEX_CLIENT_SETTLE_US - 1);
    ck_assert_uint_eq(closes(&simulation), 0);
    simulation_run(&simulation, end_us + DUPLEX_CLIENT_SETTLE_US);
    ck_assert_uint_eq(closes(&simulation), 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(it_ends_without_an_answer_and_says_so)
{
    struct simulation simulation = duplex_simulation_of("audio");
    duplex_simulation_talk(&simulation, 16000);
    duplex_simulation_created(&simulation);
    duplex_client_end(simulation.client, 0, simulation.actions);
    simulation_record(&simulation);
    simulation_run(&simulation, DUPLEX_CLIENT_ANSWER_WAIT_US - 1);
    ck_assert_uint_eq(closes(&simulation), 0);
    simulation_run(&simulation, DUPLEX_CLIENT_ANSWER_WAIT_US);
    ck_assert_uint_eq(closes(&simulation), 1);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "NO_ANSWER"), 1);
    simulation_end(&simulation);
}
END_TEST

START_TEST(what_session_closed_leaves_queued_is_still_heard)
{
    struct simulation simulation = duplex_simulation_of("video");
    duplex_simulation_created(&simulation);
    duplex_simulation_delta(&simulation, 0, 48000, "The end", true);
    duplex_simulation_closed(&simulation, "context_full");
    simulation_run(&simulation, 600000);
    simulation_event(&simulation, CLIENT_CLOSED, 1000, (struct bytes){0});
    ck_assert_int_ne(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_run(&simulation, 3 * SECOND_US);
    expect_heard(&simulation, 0, 0, 48000);
    ck_assert_int_eq(duplex_client_life(simulation.client)->standing, CLIENT_STANDS_OVER);
    simulation_end(&simulation);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void)
{
    Suite *suite = suite_create("duplex_stream");
    TCase *tcase = tcase_create("duplex_stream");
    tcase_add_loop_test(tcase, a_second_is_appended_every_second_whoever_speaks, 0, PROFILE_COUNT);
    tcase_add_test(tcase, pictures_come_in_order_and_from_the_first_again);
    tcase_add_test(tcase, a_host_that_stalls_sends_no_burst_afterwards);
    tcase_add_test(tcase, the_newest_second_waits_for_a_server_that_does_not_read);
    tcase_add_loop_test(tcase, a_turn_is_heard_whole_without_gaps_whatever_its_first_delta, 0, COUNT(TURNS));
    tcase_add_test(tcase, text_is_told_when_its_sound_begins);
    tcase_add_test(tcase, a_delta_that_comes_too_late_is_a_gap_and_nothing_is_lost);
    tcase_add_loop_test(tcase, listen_drops_what_is_queued_to_the_sample, 0, PROFILE_COUNT);
    tcase_add_loop_test(tcase, a_delta_without_good_sound_does_not_end_the_turn, 0, COUNT(ODD));
    tcase_add_test(tcase, text_and_sound_of_the_later_version_come_apart);
    tcase_add_test(tcase, the_cache_may_climb_fall_and_be_missing);
    tcase_add_test(tcase, more_than_can_be_held_ends_the_session);
    tcase_add_loop_test(tcase, an_interruption_is_in_the_next_append_alone_and_mutes_until_the_listen, 0,
                        PROFILE_COUNT);
    tcase_add_test(tcase, without_a_listen_the_next_turn_is_heard_after_a_while);
    tcase_add_test(tcase, it_ends_once_the_answer_was_heard);
    tcase_add_test(tcase, it_ends_without_an_answer_and_says_so);
    tcase_add_test(tcase, what_session_closed_leaves_queued_is_still_heard);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
