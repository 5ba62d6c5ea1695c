/* Windows that slide over what was waited, and what the system tells of it. */
#include <check.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/process/core_waits.h"
#include "conformance/process/cpu_wait.h"

enum { SAMPLES_MAX = 6 };

static const struct {
    const char *name;
    struct {
        uint64_t at_us, waited_us;
    } samples[SAMPLES_MAX]; /* ended by an empty one */
    uint64_t worst_short_us, worst_long_us;
} ROWS[] = {
    {"nothing", {{0, 0}}, 0, 0},
    {"one wait", {{5000000, 700000}}, 700000, 700000},
    {"many short ones within a second",
     {{1000000, 40000}, {1200000, 40000}, {1400000, 40000}, {1600000, 40000}},
     160000,
     160000},
    {"the same, further apart",
     {{1000000, 40000}, {3000000, 40000}, {5000000, 40000}, {7000000, 40000}},
     40000,
     160000},
    {"what is over is forgotten", {{1000000, 90000}, {30000000, 60000}, {30500000, 20000}}, 90000, 90000},
    {"an hour later", {{1000000, 90000}, {3600000000, 95000}}, 95000, 95000},
    {"within one slot", {{1000000, 10000}, {1000001, 10000}, {1000002, 10000}}, 30000, 30000},
};

START_TEST(the_worst_of_any_second_and_of_any_ten_stands)
{
    struct core_waits waits = {0};
    for (size_t i = 0; i < SAMPLES_MAX && ROWS[_i].samples[i].at_us != 0; i++)
        core_waits_add(&waits, ROWS[_i].samples[i].at_us, ROWS[_i].samples[i].waited_us);
    ck_assert_msg(waits.worst_short_us == ROWS[_i].worst_short_us, "%s: %lu", ROWS[_i].name,
                  (unsigned long)waits.worst_short_us);
    ck_assert_msg(waits.worst_long_us == ROWS[_i].worst_long_us, "%s: %lu", ROWS[_i].name,
                  (unsigned long)waits.worst_long_us);
}
END_TEST

START_TEST(every_fine_sample_is_in_one_window_or_the_next)
{
    struct core_waits waits = {0};
    for (uint64_t at_us = 0; at_us < 60000000; at_us += 20000)
        core_waits_add(&waits, at_us, 1000);
    ck_assert_uint_eq(waits.worst_short_us, 50 * 1000);
    ck_assert_uint_eq(waits.worst_long_us, 500 * 1000);
}
END_TEST

/* How much depends on the machine; that what is seen first counts from then on does not. */
START_TEST(what_a_guard_started_is_found)
{
    struct cpu_wait wait = {0};
    const pid_t client = fork();
    ck_assert_int_ge(client, 0);
    if (client == 0)
        for (;;)
            pause();
    const uint64_t waited_us = cpu_wait_take_us(&wait, getpid());
    kill(client, SIGKILL);
    ck_assert_int_eq(waitpid(client, NULL, 0), client);
    ck_assert_uint_eq(waited_us, 0);
    if (access("/proc/self/schedstat", R_OK) != 0)
        return;
    ck_assert_uint_eq(wait.count, 1);
    ck_assert_int_eq(wait.tasks[0].id, client);
    ck_assert_uint_eq(cpu_wait_take_us(&wait, getpid()), 0); /* it is gone */
    ck_assert_uint_eq(wait.count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core_waits");
    TCase *tcase = tcase_create("core_waits");
    tcase_add_loop_test(tcase, the_worst_of_any_second_and_of_any_ten_stands, 0,
                        (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_test(tcase, every_fine_sample_is_in_one_window_or_the_next);
    tcase_add_test(tcase, what_a_guard_started_is_found);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
