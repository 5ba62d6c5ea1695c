#include <check.h>
#include <stdlib.h>

#include "client/tests/ojin_simulation.h"
#include "codec/ojin/input.h"

static const struct frame_spec SILENCE = {.index = 0};
static const struct frame_spec SPEECH = {.index = 1, .id = SIMULATION_SPEECH_ID};
static const struct frame_spec OTHER = {.index = 1, .id = SIMULATION_OTHER_ID};

static const char CANCELLED[] =
    "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"CANCELLED\",\"message\":\"Interaction cancelled\"}}";

/* A session in which ten speech frames are held and one was played. */
static struct simulation speaking(int16_t *speech, size_t count)
{
    struct simulation simulation = simulation_of("oris-1.0");
    simulation_ready(&simulation);
    simulation_speak(&simulation, speech, count);
    simulation_run(&simulation, 300000);
    simulation_frames(&simulation, 11, 0, &SPEECH);
    return simulation;
}

/* Speech frames played after the first `cancelled` observation. */
static size_t played_after_cancel(const struct simulation *simulation, uint8_t id)
{
    bool after = false;
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++) {
        const struct recorded *record = &simulation->records[i];
        if (record->kind != CLIENT_OBSERVE)
            continue;
        after = after || record->observation.kind == OBSERVED_CANCELLED;
        count += after && record->observation.kind == OBSERVED_PLAYED && record->observation.index == 1 &&
                 record->observation.interaction[0] == id;
    }
    return count;
}

START_TEST(a_cancel_stops_speech_at_once_and_is_the_next_message)
{
    int16_t *speech = simulation_ramp(640000);
    struct simulation simulation = speaking(speech, 640000);
    size_t before = count_kind(&simulation, CLIENT_SEND_BINARY);
    simulation_cancel(&simulation);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CANCELLED), 1);
    ck_assert_uint_eq(nth_seen(&simulation, OBSERVED_CANCELLED, 0)->at_us, 300000);
    ck_assert_uint_eq(count_sent_type(&simulation, "cancelInteraction"), 1);
    simulation_run(&simulation, 9000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), before);
    ck_assert_uint_eq(count_sent_type(&simulation, "cancelInteraction"), 1);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(nothing_held_or_late_of_the_cancelled_interaction_is_played)
{
    int16_t *speech = simulation_ramp(32000);
    struct simulation simulation = speaking(speech, 32000);
    simulation_cancel(&simulation);
    simulation_frames(&simulation, 10, 20000, &SPEECH);
    simulation_frames(&simulation, 10, 40000, &SILENCE);
    simulation_frames(&simulation, 10, 20000, &SPEECH); /* late, even after it settled */
    simulation_run(&simulation, 5000000);
    ck_assert_uint_eq(played_after_cancel(&simulation, SIMULATION_SPEECH_ID), 0);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_FRAME), 41);
    ck_assert_uint_eq(count_played(&simulation, 0), 10);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(late_speech_with_an_id_never_seen_before_belongs_to_what_was_cancelled)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(16000);
    simulation_ready(&simulation);
    simulation_frames(&simulation, 12, 40000, &SILENCE);
    simulation_speak(&simulation, speech, 16000);
    simulation_cancel(&simulation);
    simulation_frame(&simulation, &SILENCE); /* it was under way before the cancel */
    simulation_frames(&simulation, 10, 20000, &SPEECH);
    simulation_frames(&simulation, 20, 40000, &SILENCE);
    simulation_frames(&simulation, 5, 20000, &SPEECH);
    simulation_run(&simulation, 5000000);
    ck_assert_uint_eq(played_after_cancel(&simulation, SIMULATION_SPEECH_ID), 0);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

enum settling { BY_SILENCE, BY_CONFIRMATION, BY_TIME };

static const struct {
    const char *name;
    enum settling by;
    uint64_t sent_us; /* when the new speech goes out */
} SETTLINGS[] = {
    {"a frame that is no speech", BY_SILENCE, 900000},
    {"CANCELLED", BY_CONFIRMATION, 900000},
    {"nothing but time", BY_TIME, 300000 + OJIN_CLIENT_SETTLE_WAIT_US},
};

START_TEST(new_speech_waits_until_the_cancel_has_settled_and_is_then_heard_whole)
{
    int16_t *speech = simulation_ramp(3200);
    struct simulation simulation = speaking(speech, 3200);
    size_t before = count_kind(&simulation, CLIENT_SEND_BINARY);
    simulation_cancel(&simulation);
    simulation_speak(&simulation, speech, 3200);
    simulation_run(&simulation, 900000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), before);
    if (SETTLINGS[_i].by == BY_SILENCE)
        simulation_frame(&simulation, &SILENCE);
    if (SETTLINGS[_i].by == BY_CONFIRMATION)
        simulation_text(&simulation, CANCELLED);
    simulation_run(&simulation, 4000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), before + 1);
    ck_assert_uint_eq(nth_kind(&simulation, CLIENT_SEND_BINARY, before)->at_us, SETTLINGS[_i].sent_us);
    const struct recorded *spoken = nth_kind(&simulation, CLIENT_SEND_BINARY, before);
    struct ojin_input input;
    ck_assert_int_eq(ojin_input_decode(bytes_of(spoken->data, spoken->len), &input).status, WIRE_OK);
    ck_assert_uint_eq(input.audio.len, 6400);
    simulation_frames(&simulation, 5, 20000, &OTHER);
    simulation_run(&simulation, 6000000);
    ck_assert_uint_eq(played_after_cancel(&simulation, SIMULATION_OTHER_ID), 5);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    const struct recorded *first =
        nth_seen(&simulation, OBSERVED_PLAYED, count_seen(&simulation, OBSERVED_PLAYED) - 5);
    ck_assert(first->has_samples);
    ck_assert_mem_eq(first->samples, speech, sizeof first->samples);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(cancelled_is_a_confirmation_once_for_each_cancel_and_else_an_error)
{
    int16_t *speech = simulation_ramp(3200);
    struct simulation simulation = speaking(speech, 3200);
    simulation_cancel(&simulation);
    simulation_text(&simulation, CANCELLED);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    simulation_text(&simulation, CANCELLED);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 1);
    ck_assert_str_eq(nth_seen(&simulation, OBSERVED_ERROR, 0)->observation.code, "CANCELLED");
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_cancel_while_no_speech_is_due_sends_nothing)
{
    struct simulation simulation = simulation_of("oris-1.0");
    int16_t *speech = simulation_ramp(3200);
    simulation_ready(&simulation);
    simulation_frames(&simulation, 12, 40000, &SILENCE);
    simulation_cancel(&simulation);
    simulation_cancel(&simulation);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CANCELLED), 2);
    ck_assert_uint_eq(count_sent_type(&simulation, "cancelInteraction"), 0);
    simulation_speak(&simulation, speech, 3200);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 2);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_stray_final_frame_of_the_cancelled_interaction_ends_nothing)
{
    static const struct frame_spec FINAL = {.index = 1, .id = SIMULATION_SPEECH_ID, .final = true};
    int16_t *speech = simulation_ramp(3200);
    struct simulation simulation = speaking(speech, 3200);
    simulation_cancel(&simulation);
    simulation_frame(&simulation, &FINAL);
    struct client_progress progress;
    ojin_client_progress(simulation.client, &progress);
    ck_assert(!progress.final);
    ck_assert_int_eq(ojin_client_life(simulation.client)->stage, OJIN_CLIENT_STREAMING);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_cancel_after_the_end_was_sent_does_not_wait_for_a_final_frame)
{
    int16_t *speech = simulation_ramp(3200);
    struct simulation simulation = speaking(speech, 3200);
    simulation_client_end(&simulation);
    ck_assert_uint_eq(count_sent_type(&simulation, "endInteraction"), 1);
    simulation_cancel(&simulation);
    simulation_frame(&simulation, &SILENCE);
    simulation_run(&simulation, 1000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_ERROR), 0);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ojin_client_cancel");
    TCase *tcase = tcase_create("ojin_client_cancel");
    tcase_add_test(tcase, a_cancel_stops_speech_at_once_and_is_the_next_message);
    tcase_add_test(tcase, nothing_held_or_late_of_the_cancelled_interaction_is_played);
    tcase_add_test(tcase, late_speech_with_an_id_never_seen_before_belongs_to_what_was_cancelled);
    tcase_add_loop_test(tcase, new_speech_waits_until_the_cancel_has_settled_and_is_then_heard_whole, 0,
                        (int)(sizeof SETTLINGS / sizeof SETTLINGS[0]));
    tcase_add_test(tcase, cancelled_is_a_confirmation_once_for_each_cancel_and_else_an_error);
    tcase_add_test(tcase, a_cancel_while_no_speech_is_due_sends_nothing);
    tcase_add_test(tcase, a_stray_final_frame_of_the_cancelled_interaction_ends_nothing);
    tcase_add_test(tcase, a_cancel_after_the_end_was_sent_does_not_wait_for_a_final_frame);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
