/* Setting up, listening, speaking, and how a session ends: 002, in virtual time. */
#include "codec/tests/suite.h"
#include "server/duplex/session.h"
#include "server/duplex/session_class.h"
#include "server/duplex/tests/talk.h"
#include "server/duplex/utterance.h"

static const char *const PROFILES[] = {"video", "audio", "duplex-later", "duplex-later-audio"};

START_TEST(with_a_worker_free_the_session_is_set_up_at_once)
{
    struct talk talk;
    char labels[TALK_TEXT_MAX];
    talk_begin(&talk, PROFILES[_i], "");
    talk_labels(&talk, labels);
    ck_assert_str_eq(labels, "accept queue_done created");
    ck_assert_str_eq(talk_last(&talk, "created")->word, "rt_1750000000003");
    ck_assert_int_eq(talk_last(&talk, "created")->number, 256);
    ck_assert_uint_eq(talk_last(&talk, "created")->at_us, 0);
    talk_free(&talk);
}
END_TEST

START_TEST(each_second_of_silence_gets_one_listen)
{
    struct talk talk;
    talk_begin(&talk, PROFILES[_i], "");
    talk_seconds(&talk, 10, TALK_SILENCE);
    ck_assert_uint_eq(talk_count(&talk, "listen"), 10);
    ck_assert_uint_eq(talk_count(&talk, "delta"), 0);
    for (size_t i = 0; i < 10; i++)
        ck_assert_uint_eq(talk_nth(&talk, "listen", i)->at_us, i * TALK_SECOND_US);
    const bool pictures = talk.read.profile->pictures;
    ck_assert_int_eq(talk_last(&talk, "listen")->kv, 256 + 10 * (13 + (pictures ? 64 : 0)));
    talk_finish(&talk);
    talk_check_sound(&talk);
    talk_free(&talk);
}
END_TEST

START_TEST(short_appends_get_one_listen_a_second_too)
{
    struct talk talk;
    talk_begin(&talk, "audio", "");
    for (size_t i = 0; i < 20; i++) {
        talk_append(&talk, (struct talk_append){.samples = DUPLEX_APPEND_SAMPLES_MIN});
        talk_wait(&talk, TALK_SECOND_US / 4);
    }
    ck_assert_uint_eq(talk_count(&talk, "listen"), 5);
    talk_free(&talk);
}
END_TEST

/* Speech, a pause, and what comes of it: the n-th utterance, sample for sample. */
static void check_turn(struct talk *talk, size_t first_delta, size_t utterance_number)
{
    const struct duplex_utterance utterance = duplex_utterance_of(utterance_number);
    char text[TALK_TEXT_MAX];
    struct text joined = text_of(text, sizeof text);
    size_t samples = 0;
    size_t n = first_delta;
    const size_t begin = talk_nth(talk, "delta", n)->heard_at;
    for (;; n++) {
        const struct said *delta = talk_nth(talk, "delta", n);
        ck_assert_uint_eq(delta->faults, 0);
        ck_assert_uint_le(delta->samples, DUPLEX_DELTA_SAMPLES);
        ck_assert(delta->samples < DUPLEX_DELTA_SAMPLES || (n > first_delta && !delta->end_of_turn));
        text_add(&joined, delta->text);
        samples += delta->samples;
        if (delta->end_of_turn)
            break;
    }
    ck_assert_uint_ge(n - first_delta, 2);
    ck_assert_uint_eq(samples, utterance.sample_count);
    for (size_t i = 0; i < samples; i++)
        ck_assert(float32_at(buffer_bytes(&talk->heard), begin + i) ==
                  duplex_utterance_sample(&utterance, i));
    if (!talk->read.profile->dialect->by_kind)
        ck_assert_str_eq(text, utterance.text);
}

/* Appends that are read in their turn, then ahead of it. */
START_TEST(speech_and_a_pause_get_an_answer)
{
    struct talk talk;
    talk_begin(&talk, PROFILES[(size_t)_i % TABLE_COUNT(PROFILES)], "");
    talk.reads_ahead = (size_t)_i >= TABLE_COUNT(PROFILES);
    talk_seconds(&talk, 3, TALK_SPEECH);
    talk_seconds(&talk, 10, TALK_SILENCE);
    check_turn(&talk, 0, 0);
    const struct said *first = talk_nth(&talk, "delta", 0);
    const struct said *second = talk_nth(&talk, "delta", 1);
    ck_assert_uint_gt(first->at_us, 3 * TALK_SECOND_US);
    ck_assert_uint_lt(first->at_us, 4 * TALK_SECOND_US);
    /* It comes before the first has been played. */
    ck_assert_uint_lt(second->at_us, first->at_us + first->samples * TALK_SECOND_US / DUPLEX_OUTPUT_RATE);
    talk_finish(&talk);
    talk_check_sound(&talk);
    ck_assert_int_eq(talk_verdict(&talk, "DX-SRV-07"), RULE_KEPT);
    ck_assert_int_eq(talk_verdict(&talk, "DX-SRV-18"), RULE_KEPT);
    talk_free(&talk);
}
END_TEST

START_TEST(turns_take_the_utterances_in_turn)
{
    struct talk talk;
    talk_begin(&talk, "audio", "");
    for (size_t n = 0; n < 4; n++) {
        const size_t deltas = talk_count(&talk, "delta");
        talk_seconds(&talk, 2, TALK_SPEECH);
        talk_seconds(&talk, 8, TALK_SILENCE);
        check_turn(&talk, deltas, n % DUPLEX_UTTERANCE_COUNT);
    }
    talk_finish(&talk);
    talk_check_sound(&talk);
    talk_free(&talk);
}
END_TEST

START_TEST(sessions_of_one_millisecond_have_ids_of_their_own)
{
    enum { SESSIONS = 50 };
    char ids[SESSIONS][DUPLEX_SESSION_ID_MAX];
    for (uint64_t i = 0; i < SESSIONS; i++) {
        const struct session session = {.config = {.epoch_ms = 1714200000000, .seed = 1000 + i}};
        duplex_session_id(&session, 7 * TALK_SECOND_US, ids[i]);
        const unsigned long long ms = strtoull(ids[i] + strlen(DUPLEX_SESSION_ID_PREFIX), NULL, 10);
        ck_assert_uint_gt(ms + DUPLEX_SESSION_ID_STEPS, 1714200007000);
        ck_assert_uint_lt(ms, 1714200007000 + DUPLEX_SESSION_ID_STEPS);
        for (uint64_t k = 0; k < i; k++)
            ck_assert_str_ne(ids[k], ids[i]);
    }
}
END_TEST

START_TEST(the_listen_after_a_turn_waits_until_it_could_be_played)
{
    struct talk talk;
    talk_begin(&talk, "video", "");
    talk_seconds(&talk, 2, TALK_SPEECH);
    talk_seconds(&talk, 10, TALK_SILENCE);
    const size_t deltas = talk_count(&talk, "delta");
    const struct said *last = talk_nth(&talk, "delta", deltas - 1);
    uint64_t played_us = talk_nth(&talk, "delta", 0)->at_us;
    for (size_t i = 0; i < deltas; i++) {
        const struct said *delta = talk_nth(&talk, "delta", i);
        ck_assert_uint_le(delta->at_us, i == 0 ? delta->at_us : played_us);
        played_us += delta->samples * TALK_SECOND_US / DUPLEX_OUTPUT_RATE;
    }
    ck_assert(last->end_of_turn);
    const struct said *listen = last + 1;
    ck_assert_str_eq(listen->label, "listen");
    ck_assert_uint_ge(listen->at_us, played_us);
    ck_assert_uint_le(listen->at_us, played_us + 3 * TALK_SECOND_US);
    talk_free(&talk);
}
END_TEST

START_TEST(force_listen_stops_the_turn)
{
    struct talk talk;
    talk_begin(&talk, PROFILES[_i], "");
    talk_seconds(&talk, 2, TALK_SPEECH);
    talk_seconds(&talk, 2, TALK_SILENCE);
    const size_t deltas = talk_count(&talk, "delta");
    ck_assert_uint_ge(deltas, 1);
    ck_assert(!talk_last(&talk, "delta")->end_of_turn);
    talk_append(&talk, (struct talk_append){.force = true});
    talk_wait(&talk, 1000);
    ck_assert_str_eq(talk.said[talk.count - 1].label, "listen");
    ck_assert_uint_eq(talk.said[talk.count - 1].at_us, 4 * TALK_SECOND_US);
    talk_seconds(&talk, 5, TALK_SILENCE);
    ck_assert_uint_eq(talk_count(&talk, "delta"), deltas);
    talk_finish(&talk);
    talk_check_sound(&talk);
    ck_assert_int_eq(talk_verdict(&talk, "DX-SRV-11"), RULE_KEPT);
    talk_free(&talk);
}
END_TEST

START_TEST(without_appends_nothing_is_said_and_the_session_stays)
{
    struct talk talk;
    talk_begin(&talk, "audio", "");
    talk_seconds(&talk, 2, TALK_SPEECH);
    const size_t count = talk.count;
    talk_wait(&talk, 60 * TALK_SECOND_US);
    ck_assert_uint_eq(talk.count, count);
    talk_seconds(&talk, 3, TALK_SILENCE);
    ck_assert_uint_gt(talk_count(&talk, "delta"), 0);
    talk_finish(&talk);
    talk_check_sound(&talk);
    talk_free(&talk);
}
END_TEST

START_TEST(chunks_that_come_too_fast_are_dropped_oldest_first)
{
    struct talk talk;
    talk_begin(&talk, "audio", "");
    for (size_t i = 0; i < 30; i++)
        talk_append(&talk, (struct talk_append){.samples = 0});
    talk_wait(&talk, 20 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "error"), 0);
    ck_assert_uint_eq(talk_count(&talk, "listen"), 3);
    talk_seconds(&talk, 2, TALK_SILENCE);
    ck_assert_uint_eq(talk_count(&talk, "listen"), 5);
    talk_free(&talk);
}
END_TEST

/* ---- the end ---- */

static void check_end(struct talk *talk, const char *reason, uint64_t at_us)
{
    ck_assert_uint_eq(talk_count(talk, "closed"), 1);
    ck_assert_str_eq(talk_last(talk, "closed")->word, reason);
    ck_assert_uint_eq(talk_last(talk, "closed")->at_us, at_us);
    talk_run(talk, at_us + 5 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_last(talk, "close")->code, 1000);
    ck_assert_str_eq(talk->said[talk->count - 1].label, "close");
    talk_finish(talk);
    talk_check_sound(talk);
}

START_TEST(close_is_confirmed)
{
    struct talk talk;
    talk_begin(&talk, PROFILES[_i], "");
    talk_seconds(&talk, 2, TALK_SILENCE);
    talk_close(&talk);
    talk_wait(&talk, 0);
    check_end(&talk, "stopped", 2 * TALK_SECOND_US);
    ck_assert_int_eq(talk_verdict(&talk, "DX-SRV-13"), RULE_KEPT);
    talk_free(&talk);
}
END_TEST

START_TEST(a_server_that_goes_says_so)
{
    struct talk talk;
    talk_begin(&talk, "video", "");
    talk_seconds(&talk, 2, TALK_SILENCE);
    talk_event(&talk, SESSION_SHUTDOWN, (struct bytes){0});
    talk_wait(&talk, 0);
    check_end(&talk, "server_shutdown", 2 * TALK_SECOND_US);
    talk_free(&talk);
}
END_TEST

static const struct {
    const char *profile;
    uint32_t speed;
    uint64_t after_s;
} LIMITS[] = {{"video", 1, 300}, {"audio", 1, 600}, {"video", 20, 15}, {"duplex-later-audio", 1, 600}};

START_TEST(a_session_lasts_its_time)
{
    struct talk talk;
    talk_new(&talk, LIMITS[_i].profile, "", NULL);
    talk_free(&talk);
    talk_new(&talk, LIMITS[_i].profile, "", NULL);
    talk.config.speed = LIMITS[_i].speed;
    DUPLEX_SESSION_CLASS.destroy(talk.session);
    talk.session = DUPLEX_SESSION_CLASS.create(&talk.config);
    talk_event(&talk, SESSION_OPENED, (struct bytes){0});
    talk_run(&talk, 0);
    talk_update(&talk);
    talk_run(&talk, LIMITS[_i].after_s * TALK_SECOND_US - 1);
    ck_assert_uint_eq(talk_count(&talk, "closed"), 0);
    talk_run(&talk, LIMITS[_i].after_s * TALK_SECOND_US);
    ck_assert_str_eq(talk_last(&talk, "closed")->word, "timeout");
    talk_free(&talk);
}
END_TEST

START_TEST(a_full_context_ends_the_session)
{
    struct talk talk;
    talk_begin(&talk, "video", "");
    size_t seconds = 0;
    for (; talk_count(&talk, "closed") == 0 && seconds < 200; seconds++)
        talk_seconds(&talk, 1, TALK_SILENCE);
    /* 256 and 77 a second */
    ck_assert_uint_eq(seconds, (8192 - 256 + 76) / 77);
    ck_assert_str_eq(talk_last(&talk, "closed")->word, "context_full");
    ck_assert_int_le(talk_last(&talk, "listen")->kv, 8192);
    talk_finish(&talk);
    talk_check_sound(&talk);
    ck_assert_int_eq(talk_verdict(&talk, "DX-SRV-09"), RULE_KEPT);
    talk_free(&talk);
}
END_TEST

START_TEST(slices_of_an_append_hold_for_it_alone)
{
    struct talk talk;
    talk_begin(&talk, "video", "");
    talk_seconds(&talk, 1, TALK_SILENCE);
    talk_append(&talk, (struct talk_append){.slices = 4});
    talk_wait(&talk, TALK_SECOND_US);
    talk_seconds(&talk, 1, TALK_SILENCE);
    ck_assert_int_eq(talk_nth(&talk, "listen", 0)->kv, 256 + 77);
    ck_assert_int_eq(talk_nth(&talk, "listen", 1)->kv, 256 + 77 + 205);
    ck_assert_int_eq(talk_nth(&talk, "listen", 2)->kv, 256 + 77 + 205 + 77);
    talk_finish(&talk);
    talk_check_sound(&talk);
    talk_free(&talk);
}
END_TEST

/* A host that is late gets the same in the same order. */
START_TEST(late_ticks_change_nothing)
{
    struct talk talk, late;
    talk_begin(&talk, "audio", "");
    talk_begin(&late, "audio", "");
    late.tick_us = 7000;
    struct talk *both[] = {&talk, &late};
    for (size_t i = 0; i < 2; i++) {
        talk_seconds(both[i], 2, TALK_SPEECH);
        talk_seconds(both[i], 10, TALK_SILENCE);
        talk_close(both[i]);
        talk_wait(both[i], 3 * TALK_SECOND_US);
    }
    ck_assert_uint_eq(talk.count, late.count);
    for (size_t i = 0; i < talk.count; i++) {
        ck_assert_str_eq(talk.said[i].label, late.said[i].label);
        ck_assert_int_eq(talk.said[i].kv, late.said[i].kv);
    }
    ck_assert_uint_eq(talk.heard.len, late.heard.len);
    ck_assert_mem_eq(talk.heard.data, late.heard.data, talk.heard.len);
    talk_free(&talk);
    talk_free(&late);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("session");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, with_a_worker_free_the_session_is_set_up_at_once, 0, TABLE_COUNT(PROFILES));
    tcase_add_loop_test(tcase, each_second_of_silence_gets_one_listen, 0, TABLE_COUNT(PROFILES));
    tcase_add_test(tcase, short_appends_get_one_listen_a_second_too);
    tcase_add_loop_test(tcase, speech_and_a_pause_get_an_answer, 0, 2 * TABLE_COUNT(PROFILES));
    tcase_add_test(tcase, turns_take_the_utterances_in_turn);
    tcase_add_test(tcase, sessions_of_one_millisecond_have_ids_of_their_own);
    tcase_add_test(tcase, the_listen_after_a_turn_waits_until_it_could_be_played);
    tcase_add_loop_test(tcase, force_listen_stops_the_turn, 0, TABLE_COUNT(PROFILES));
    tcase_add_test(tcase, without_appends_nothing_is_said_and_the_session_stays);
    tcase_add_test(tcase, chunks_that_come_too_fast_are_dropped_oldest_first);
    tcase_add_loop_test(tcase, close_is_confirmed, 0, TABLE_COUNT(PROFILES));
    tcase_add_test(tcase, a_server_that_goes_says_so);
    tcase_add_loop_test(tcase, a_session_lasts_its_time, 0, TABLE_COUNT(LIMITS));
    tcase_add_test(tcase, a_full_context_ends_the_session);
    tcase_add_test(tcase, slices_of_an_append_hold_for_it_alone);
    tcase_add_test(tcase, late_ticks_change_nothing);
    return suite_run("duplex service", tcase);
}
