#include <check.h>
#include <stdlib.h>

#include "client/plan/plan_runner.h"
#include "client/tests/ojin_simulation.h"

static const struct frame_spec SILENCE = {.index = 0};
static const struct frame_spec SPEECH = {.index = 1, .id = SIMULATION_SPEECH_ID};

static void step(struct plan_runner *runner, struct simulation *simulation)
{
    while (plan_runner_step(runner, simulation->now_us, simulation->actions))
        simulation_record(simulation);
}

START_TEST(steps_fall_due_in_order_as_what_they_wait_for_happens)
{
    int16_t *speech = simulation_ramp(16000);
    const struct client_plan plan = {
        .step_count = 5,
        .steps = {{.what = DO_CONNECT},
                  {.what = DO_SPEAK, .after = AFTER_READY, .samples = speech, .sample_count = 16000},
                  {.what = DO_CANCEL, .after = AFTER_SPEECH, .after_count = 3},
                  {.what = DO_WAIT, .wait_us = 500000},
                  {.what = DO_CLOSE}},
    };
    struct simulation simulation = simulation_of("oris-1.0");
    struct plan_runner runner;
    plan_runner_init(&runner, &plan, &OJIN_PLAN_CLASS, simulation.client);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 1);
    simulation_ready(&simulation);
    step(&runner, &simulation);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_BINARY), 2);
    simulation_frames(&simulation, 12, 0, &SPEECH);
    simulation_run(&simulation, 2 * OJIN_FRAME_US - 1);
    step(&runner, &simulation);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CANCELLED), 0);
    simulation_run(&simulation, 2 * OJIN_FRAME_US);
    step(&runner, &simulation);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CANCELLED), 1);
    ck_assert_uint_eq(plan_runner_deadline_us(&runner), 2 * OJIN_FRAME_US + 500000);
    ck_assert(!plan_runner_is_done(&runner));
    simulation_run(&simulation, plan_runner_deadline_us(&runner));
    step(&runner, &simulation);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    ck_assert(plan_runner_is_done(&runner));
    ck_assert(plan_runner_deadline_us(&runner) == UINT64_MAX);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(counts_and_idle_begin_again_with_each_speak)
{
    int16_t *speech = simulation_ramp(640);
    const struct client_plan plan = {
        .step_count = 3,
        .steps = {{.what = DO_SPEAK, .samples = speech, .sample_count = 640},
                  {.what = DO_SPEAK, .after = AFTER_IDLE, .samples = speech, .sample_count = 640},
                  {.what = DO_END, .after = AFTER_IDLE}},
    };
    struct simulation simulation = simulation_of("oris-1.0");
    struct plan_runner runner;
    plan_runner_init(&runner, &plan, &OJIN_PLAN_CLASS, simulation.client);
    simulation_ready(&simulation);
    step(&runner, &simulation);
    simulation_frames(&simulation, 12, 40000, &SPEECH);
    simulation_frames(&simulation, 12, 40000, &SILENCE);
    simulation_run(&simulation, 2000000);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 2);
    simulation_frames(&simulation, 3, 40000, &SILENCE);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 2);
    simulation_frame(&simulation, &SPEECH);
    simulation_frames(&simulation, 3, 40000, &SILENCE);
    simulation_run(&simulation, 4000000);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 3);
    ck_assert_uint_eq(count_sent_type(&simulation, "endInteraction"), 1);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

START_TEST(what_is_left_is_skipped_when_the_connection_is_over)
{
    const struct client_plan plan = {
        .step_count = 3,
        .steps = {{.what = DO_WAIT, .wait_us = 60000000}, {.what = DO_CANCEL}, {.what = DO_CLOSE}}};
    struct simulation simulation = simulation_of("oris-1.0");
    struct plan_runner runner;
    plan_runner_init(&runner, &plan, &OJIN_PLAN_CLASS, simulation.client);
    simulation_ready(&simulation);
    step(&runner, &simulation);
    simulation_event(&simulation, CLIENT_CLOSED, 1006, (struct bytes){0});
    step(&runner, &simulation);
    ck_assert(plan_runner_is_done(&runner));
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CANCELLED), 0);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_plan_asks_to_reconnect_and_waits_for_the_second_session)
{
    int16_t *speech = simulation_ramp(640);
    const struct client_plan plan = {
        .step_count = 4,
        .steps = {{.what = DO_RECONNECT, .times = 1},
                  {.what = DO_SPEAK, .after = AFTER_READY, .samples = speech, .sample_count = 640},
                  {.what = DO_SPEAK,
                   .after = AFTER_READY,
                   .after_count = 2,
                   .samples = speech,
                   .sample_count = 640},
                  {.what = DO_CLOSE, .after = AFTER_CLOSED}},
    };
    struct simulation simulation = simulation_of("oris-1.0");
    struct plan_runner runner;
    plan_runner_init(&runner, &plan, &OJIN_PLAN_CLASS, simulation.client);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 1);
    simulation_ready(&simulation);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 2);
    simulation_event(&simulation, CLIENT_CLOSED, 1006, (struct bytes){0});
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 2);
    simulation_run(&simulation, 1000000);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), 1);
    simulation_ready(&simulation);
    step(&runner, &simulation);
    ck_assert(plan_runner_is_done(&runner));
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_SEND_CLOSE), 1);
    free(speech);
    simulation_end(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan_runner");
    TCase *tcase = tcase_create("plan_runner");
    tcase_add_test(tcase, steps_fall_due_in_order_as_what_they_wait_for_happens);
    tcase_add_test(tcase, counts_and_idle_begin_again_with_each_speak);
    tcase_add_test(tcase, what_is_left_is_skipped_when_the_connection_is_over);
    tcase_add_test(tcase, a_plan_asks_to_reconnect_and_waits_for_the_second_session);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
