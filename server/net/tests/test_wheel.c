/* Who is due when: every order of setting and collecting, over several turns of the wheel. */
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

#include "server/net/wheel.h"

enum { ENTRIES = 200, ROUNDS = 3000, SEED = 12345 };

struct rig {
    struct wheel wheel;
    struct wheel_entry entries[ENTRIES];
};

static struct rig *rig_new(uint64_t now_us)
{
    struct rig *rig = calloc(1, sizeof *rig);
    ck_assert_ptr_nonnull(rig);
    wheel_init(&rig->wheel, now_us);
    for (size_t n = 0; n < ENTRIES; n++)
        wheel_entry_init(&rig->entries[n]);
    return rig;
}

static const uint64_t TURN_US = (uint64_t)WHEEL_SLOTS * WHEEL_SLOT_US;

/* {name, when it is due, when it is looked for, whether it comes} */
static const struct {
    const char *name;
    uint64_t due_us, now_us;
    bool comes;
} ONES[] = {
    {"the past", 0, 5000, true},
    {"now", 5000, 5000, true},
    {"later in the same step", 5001, 5000, false},
    {"a step later", 6000, 5999, false},
    {"a step later, then", 6000, 6000, true},
    {"the end of the turn", 260999, 260998, false},
    {"the end of the turn, then", 260999, 260999, true},
    {"in the next turn, on the same slot", 261000, 5500, false},
    {"in the next turn, then", 261000, 261000, true},
    {"many turns later", 100000000, 99999999, false},
    {"many turns later, looked for late", 100000000, 900000000, true},
    {"never", UINT64_MAX, 900000000, false},
};

START_TEST(comes_when_due)
{
    struct rig *rig = rig_new(5000);
    wheel_set(&rig->wheel, &rig->entries[0], ONES[_i].due_us);
    uint64_t due_us = wheel_due_us(&rig->wheel);
    ck_assert_msg(due_us == ONES[_i].due_us, "%s", ONES[_i].name);
    wheel_collect(&rig->wheel, ONES[_i].now_us);
    ck_assert_msg((wheel_next(&rig->wheel) == &rig->entries[0]) == ONES[_i].comes, "%s", ONES[_i].name);
    ck_assert_ptr_null(wheel_next(&rig->wheel));
    free(rig);
}
END_TEST

START_TEST(what_is_set_in_a_round_waits_for_the_next)
{
    struct rig *rig = rig_new(0);
    wheel_set(&rig->wheel, &rig->entries[0], 10);
    wheel_set(&rig->wheel, &rig->entries[1], 20);
    wheel_collect(&rig->wheel, 100);
    ck_assert_ptr_eq(wheel_next(&rig->wheel), &rig->entries[0]);
    wheel_set(&rig->wheel, &rig->entries[0], 10);
    ck_assert_ptr_eq(wheel_next(&rig->wheel), &rig->entries[1]);
    ck_assert_ptr_null(wheel_next(&rig->wheel));
    ck_assert_uint_eq(wheel_due_us(&rig->wheel), 10);
    wheel_collect(&rig->wheel, 100);
    ck_assert_ptr_eq(wheel_next(&rig->wheel), &rig->entries[0]);
    free(rig);
}
END_TEST

START_TEST(what_comes_can_be_looked_at_before)
{
    struct rig *rig = rig_new(0);
    ck_assert_ptr_null(wheel_ahead(&rig->wheel));
    for (size_t n = 0; n < 3; n++)
        wheel_set(&rig->wheel, &rig->entries[n], 10);
    ck_assert_ptr_null(wheel_ahead(&rig->wheel)); /* not collected */
    wheel_collect(&rig->wheel, 100);
    for (size_t n = 0; n < 3; n++) {
        const struct wheel_entry *ahead = wheel_ahead(&rig->wheel);
        const struct wheel_entry *behind = n == 2 ? NULL : &rig->entries[n + 1];
        ck_assert_ptr_eq(wheel_behind(&rig->wheel, ahead), behind);
        ck_assert_ptr_eq(wheel_next(&rig->wheel), ahead);
    }
    ck_assert_ptr_null(wheel_ahead(&rig->wheel));
    free(rig);
}
END_TEST

START_TEST(what_is_taken_off_does_not_come)
{
    struct rig *rig = rig_new(0);
    wheel_set(&rig->wheel, &rig->entries[0], 10);
    wheel_set(&rig->wheel, &rig->entries[1], 10);
    wheel_set(&rig->wheel, &rig->entries[0], UINT64_MAX);
    wheel_collect(&rig->wheel, 100);
    wheel_set(&rig->wheel, &rig->entries[1], UINT64_MAX); /* while it is put aside */
    ck_assert_ptr_null(wheel_next(&rig->wheel));
    ck_assert_uint_eq(wheel_due_us(&rig->wheel), UINT64_MAX);
    free(rig);
}
END_TEST

static uint64_t drawn(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static uint64_t least_due_us(const struct rig *rig)
{
    uint64_t least = UINT64_MAX;
    for (size_t n = 0; n < ENTRIES; n++)
        least = rig->entries[n].due_us < least ? rig->entries[n].due_us : least;
    return least;
}

/* Against looking at all of them. */
START_TEST(agrees_with_a_list)
{
    struct rig *rig = rig_new(0);
    uint64_t state = SEED, now_us = 0, came = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned n = 0; n < 20; n++)
            wheel_set(&rig->wheel, &rig->entries[drawn(&state, ENTRIES)],
                      now_us + drawn(&state, 3 * TURN_US));
        ck_assert_uint_eq(wheel_due_us(&rig->wheel), least_due_us(rig));
        now_us += drawn(&state, round % 100 == 0 ? 2 * TURN_US : 5000);
        size_t due = 0;
        for (size_t n = 0; n < ENTRIES; n++)
            due += rig->entries[n].due_us <= now_us;
        wheel_collect(&rig->wheel, now_us);
        for (; wheel_next(&rig->wheel) != NULL; due--)
            came++;
        ck_assert_uint_eq(due, 0);
        ck_assert_uint_gt(least_due_us(rig), now_us);
    }
    ck_assert_uint_gt(came, ROUNDS);
    free(rig);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wheel");
    TCase *tcase = tcase_create("wheel");
    tcase_add_loop_test(tcase, comes_when_due, 0, (int)(sizeof ONES / sizeof ONES[0]));
    tcase_add_test(tcase, what_is_set_in_a_round_waits_for_the_next);
    tcase_add_test(tcase, what_comes_can_be_looked_at_before);
    tcase_add_test(tcase, what_is_taken_off_does_not_come);
    tcase_add_test(tcase, agrees_with_a_list);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
