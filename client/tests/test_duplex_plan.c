/* Plans on a full-duplex client: what each step does, and when it is due. */
#include <check.h>
#include <stdlib.h>

#include "client/ojin/client.h"
#include "client/plan/plan_runner.h"
#include "client/tests/duplex_simulation.h"

enum { SECOND_US = 1000000, SPEECH_SAMPLES = 20000 };

static const int16_t *speech(void)
{
    static int16_t samples[SPEECH_SAMPLES];
    for (size_t i = 0; i < SPEECH_SAMPLES; i++)
        samples[i] = (int16_t)(i + 1);
    return samples;
}

static void step(struct plan_runner *runner, struct simulation *simulation)
{
    while (PLAN_DRIVER.step(runner, simulation->now_us, simulation->actions))
        simulation_record(simulation);
}

START_TEST(steps_fall_due_as_what_they_wait_for_happens)
{
    const struct client_plan plan = {
        .step_count = 6,
        .steps = {{.what = DO_CONNECT},
                  {.what = DO_SPEAK, .samples = speech(), .sample_count = SPEECH_SAMPLES},
                  {.what = DO_FORCE_LISTEN, .after = AFTER_SPEECH, .after_count = 2},
                  {.what = DO_WAIT, .after = AFTER_LISTEN, .after_count = 2, .wait_us = 700000},
                  {.what = DO_CLOSE, .after = AFTER_TURN, .after_count = 2},
                  {.what = DO_WAIT, .wait_us = 60000000}},
    };
    struct simulation simulation = duplex_simulation_of("video");
    struct plan_runner runner;
    plan_runner_init(&runner, &plan, &DUPLEX_PLAN_CLASS, simulation.client);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 2);
    duplex_simulation_created(&simulation);
    simulation_run(&simulation, 2 * SECOND_US);
    for (size_t n = 0; n < 2; n++) {
        struct duplex_message append = duplex_nth_sent(&simulation, DUPLEX_MESSAGE_APPEND, n, NULL);
        for (size_t i = 0; i < DUPLEX_APPEND_SAMPLES; i++) {
            const size_t at = n * DUPLEX_APPEND_SAMPLES + i;
            ck_assert(float32_at(append.audio, i) == (at < SPEECH_SAMPLES ? (float)(at + 1) / 32768 : 0));
        }
        duplex_message_free(&append);
    }
    for (uint32_t n = 0; n < 3; n++)
        duplex_simulation_delta(&simulation, n * 24000, 24000, "x", false);
    simulation_run(&simulation, 3 * SECOND_US - 1);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 2);
    simulation_run(&simulation, 3 * SECOND_US + 1000);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 3);
    ck_assert_uint_eq(count_seen(&simulation, OBSERVED_CANCELLED), 1);
    simulation_run(&simulation, 5 * SECOND_US);
    duplex_simulation_listen(&simulation);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 3);
    duplex_simulation_listen(&simulation);
    step(&runner, &simulation);
    ck_assert_uint_eq(PLAN_DRIVER.deadline_us(&runner), 5 * SECOND_US + 700000);
    simulation_run(&simulation, 6 * SECOND_US);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 4);
    duplex_simulation_delta(&simulation, 0, 100, "new", true);
    simulation_run(&simulation, 7 * SECOND_US);
    step(&runner, &simulation);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_CLOSE), 1);
    duplex_simulation_closed(&simulation, "stopped");
    simulation_event(&simulation, CLIENT_CLOSED, 1000, (struct bytes){0});
    step(&runner, &simulation);
    ck_assert(plan_runner_is_done(&runner));
    ck_assert(PLAN_DRIVER.deadline_us(&runner) == UINT64_MAX);
    simulation_end(&simulation);
}
END_TEST

START_TEST(a_plan_asks_to_reconnect_and_to_end)
{
    const struct client_plan plan = {
        .step_count = 4,
        .steps = {{.what = DO_RECONNECT, .times = 2},
                  {.what = DO_WAIT, .after = AFTER_READY, .after_count = 2},
                  {.what = DO_SPEAK, .samples = speech(), .sample_count = 16000},
                  {.what = DO_END}},
    };
    struct simulation simulation = duplex_simulation_of("audio");
    struct plan_runner runner;
    plan_runner_init(&runner, &plan, &DUPLEX_PLAN_CLASS, simulation.client);
    step(&runner, &simulation);
    duplex_simulation_created(&simulation);
    step(&runner, &simulation);
    ck_assert_uint_eq(runner.next, 1);
    simulation_event(&simulation, CLIENT_CLOSED, 1006, (struct bytes){0});
    simulation_run(&simulation, SECOND_US);
    ck_assert_uint_eq(count_kind(&simulation, CLIENT_CONNECT), 1);
    duplex_simulation_created(&simulation);
    step(&runner, &simulation);
    ck_assert(plan_runner_is_done(&runner));
    simulation_run(&simulation, 3 * SECOND_US);
    duplex_simulation_delta(&simulation, 0, 100, "yes", true);
    simulation_run(&simulation, 7 * SECOND_US);
    ck_assert_uint_eq(duplex_count_sent(&simulation, DUPLEX_MESSAGE_CLOSE), 1);
    ck_assert_uint_eq(duplex_count_errors(&simulation, "NO_ANSWER"), 0);
    simulation_end(&simulation);
}
END_TEST

static const struct {
    const char *name;
    struct client_plan_step step;
    bool duplex;
    bool ojin;
} ABILITIES[] = {
    {"speak", {.what = DO_SPEAK}, true, true},
    {"cancel", {.what = DO_CANCEL}, false, true},
    {"force-listen", {.what = DO_FORCE_LISTEN}, true, false},
    {"speak with params", {.what = DO_SPEAK, .params = "{}"}, false, true},
    {"after listen", {.what = DO_CLOSE, .after = AFTER_LISTEN}, true, false},
    {"after a turn", {.what = DO_CLOSE, .after = AFTER_TURN}, true, false},
    {"connect, first of all", {.what = DO_CONNECT}, true, true},
    {"connect after something", {.what = DO_CONNECT, .after = AFTER_SENT}, false, false},
    {"something else", {.unknown = true}, false, false},
};

START_TEST(each_family_does_its_own_steps)
{
    const struct client_plan plan = {.step_count = 1, .steps = {ABILITIES[_i].step}};
    ck_assert_int_eq(client_plan_can_follow(&DUPLEX_PLAN_CLASS, &plan), ABILITIES[_i].duplex);
    ck_assert_int_eq(client_plan_can_follow(&OJIN_PLAN_CLASS, &plan), ABILITIES[_i].ojin);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("duplex_plan");
    TCase *tcase = tcase_create("duplex_plan");
    tcase_add_test(tcase, steps_fall_due_as_what_they_wait_for_happens);
    tcase_add_test(tcase, a_plan_asks_to_reconnect_and_to_end);
    tcase_add_loop_test(tcase, each_family_does_its_own_steps, 0,
                        (int)(sizeof ABILITIES / sizeof ABILITIES[0]));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
