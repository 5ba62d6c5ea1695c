/* Each kind of check: holding, broken and not reached; every filter; windows of one clock. */
#include <check.h>
#include <stdio.h>

#include "conformance/judge/check.h"
#include "conformance/tests/hand_made.h"

/* In the order in which a row reads. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct row {
    const char *name;
    enum check_expect expect;
    const char *pattern, *given, *after, *until;
    const char *journal, *observations;
    enum check_status status;
    const char *actual; /* what the sentence must hold; NULL: anything */
    uint64_t min, max;  /* COUNT; both 0: one or more */
};

#define OPEN "<upgrade >ready "

static const struct row ROWS[] = {
#include "conformance/tests/check_rows.def"
};

START_TEST(a_check_holds_breaks_or_is_not_reached)
{
    const struct row *row = &ROWS[_i];
    struct hand_made made;
    struct check_outcome outcome;
    hand_made_init(&made, "OJ-OUT-04", row->journal, row->observations);
    hand_made_check(&made, row->expect, "MUST", row->pattern, row->given, row->after, row->until);
    if (row->min != 0 || row->max != 0) {
        made.check.min = row->min;
        made.check.max = row->max;
    }
    check_evaluate(&made.input, &made.check, &outcome);
    ck_assert_msg(outcome.status == row->status, "%s: status %d, not %d: %s", row->name, (int)outcome.status,
                  (int)row->status, outcome.actual);
    if (row->actual != NULL)
        ck_assert_msg(strstr(outcome.actual, row->actual) != NULL, "%s: \"%s\" is not in \"%s\"", row->name,
                      row->actual, outcome.actual);
    ck_assert_msg(strstr(outcome.expected, row->pattern) != NULL, "%s: %s", row->name, outcome.expected);
    hand_made_free(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *checks = tcase_create("checks");
    tcase_add_loop_test(checks, a_check_holds_breaks_or_is_not_reached, 0,
                        (int)(sizeof ROWS / sizeof ROWS[0]));
    suite_add_tcase(suite, checks);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
