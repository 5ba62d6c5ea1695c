/* The main of a Check program, and the loop tests over a table. */
#ifndef CODEC_TESTS_SUITE_H
#define CODEC_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

#define TABLE_COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* Runs `tcase` as a suite of that name; the exit status of main. */
static inline int suite_run(const char *name, TCase *tcase)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
