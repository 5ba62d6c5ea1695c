/* When the wall clock and the server's own part, the wall clock is right. */
#include "codec/tests/suite.h"
#include "server/net/epoch.h"

static const struct {
    const char *name;
    uint64_t epoch_ms, now_ms, wall_ms, expected;
} EPOCHS[] = {
    {"together", 1700000000000, 5000, 1700000005000, 1700000000000},
    {"a second apart", 1700000000000, 5000, 1700000006000, 1700000000000},
    {"a second and a bit", 1700000000000, 5000, 1700000006001, 1700000001001},
    {"a second back", 1700000000000, 5000, 1700000004000, 1700000000000},
    {"more than that", 1700000000000, 5000, 1700000003999, 1699999998999},
    {"eight hours of sleep", 1700000000000, 60000, 1700028860000, 1700028800000},
    {"a clock that was never set", 1700000000000, 60000, 59999, 1700000000000},
};

START_TEST(the_epoch_follows_a_clock_that_was_set)
{
    ck_assert_msg(epoch_for(EPOCHS[_i].epoch_ms, EPOCHS[_i].now_ms, EPOCHS[_i].wall_ms) ==
                      EPOCHS[_i].expected,
                  "%s", EPOCHS[_i].name);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("epoch");
    tcase_add_loop_test(tcase, the_epoch_follows_a_clock_that_was_set, 0, TABLE_COUNT(EPOCHS));
    return suite_run("epoch", tcase);
}
