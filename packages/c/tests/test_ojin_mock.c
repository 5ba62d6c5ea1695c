/* The mock within a process: what it is told, what it tells. Its client is that of the example. */
#include <check.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packages/c/example/client.h"
#include "packages/c/ojin_mock.h"

static struct ojin_mock *started(const struct ojin_mock_options *options)
{
    char error[OJIN_MOCK_ERROR_MAX];
    struct ojin_mock *mock = ojin_mock_start(options, error);
    ck_assert_msg(mock != NULL, "%s", error);
    return mock;
}

static void keep_text(void *context, const struct ojin_mock_finding *finding)
{
    if (finding->requirement != NULL && strcmp(finding->requirement, "OJ-CON-02") == 0)
        snprintf(context, 1000, "%u %d %s", (unsigned)finding->session, finding->note, finding->text);
}

START_TEST(findings_are_told_with_their_text)
{
    char text[1000] = "";
    struct ojin_mock *mock =
        started(&(struct ojin_mock_options){.key = "my-own-key", .width = 320, .height = 240});
    ck_assert_uint_eq(ojin_mock_findings(mock, NULL, NULL), 0);
    ck_assert_int_eq(client_ask(ojin_mock_url(mock)), 401);
    ck_assert(ojin_mock_wait(mock, "end", 1, 60000));
    ck_assert_uint_eq(ojin_mock_findings(mock, keep_text, text), 1);
    ck_assert_ptr_nonnull(strstr(text, "1 0 OJ-CON-02 MUST: expected one header"));
    ck_assert_ptr_null(strstr(text, "my-own-key"));
    ojin_mock_stop(mock);
}
END_TEST

START_TEST(entries_are_counted_and_waited_for)
{
    struct ojin_mock *mock =
        started(&(struct ojin_mock_options){.quirks = "bearer-keys", .width = 320, .height = 240});
    ck_assert(!ojin_mock_wait(mock, "upgrade", 1, 1));
    ck_assert_int_eq(client_ask(ojin_mock_url(mock)), 101);
    ck_assert_int_eq(client_ask(ojin_mock_url(mock)), 101);
    ck_assert(ojin_mock_wait(mock, "upgrade", 2, 60000));
    ck_assert_uint_eq(ojin_mock_count(mock, "request"), 2);
    ck_assert_uint_eq(ojin_mock_count(mock, "cancelInteraction"), 0);
    ojin_mock_stop(mock);
}
END_TEST

START_TEST(mocks_stand_side_by_side)
{
    struct ojin_mock *one = started(&(struct ojin_mock_options){.family = "duplex", .profile = "audio"});
    struct ojin_mock *other =
        started(&(struct ojin_mock_options){.quirks = "bearer-keys", .script = "accept\nclose code=4002"});
    ck_assert_str_ne(ojin_mock_url(one), ojin_mock_url(other));
    ck_assert_ptr_nonnull(strstr(ojin_mock_url(one), "/v1/realtime"));
    ck_assert_ptr_nonnull(strstr(ojin_mock_control_url(other), "/__mock/"));
    ck_assert_int_eq(client_ask(ojin_mock_url(other)), 101);
    ck_assert(ojin_mock_wait(other, "end", 1, 60000));
    ck_assert_uint_eq(ojin_mock_count(one, "upgrade"), 0);
    ojin_mock_stop(one);
    ojin_mock_stop(other);
    ojin_mock_stop(NULL);
}
END_TEST

static const struct {
    struct ojin_mock_options options;
    const char *error; /* a part of it */
} WRONG[] = {
    {{.family = "opera"}, "there is no family \"opera\""},
    {{.profile = "audio"}, "there is no profile \"audio\""},
    {{.quirks = "fadee"}, "fade"},
    {{.fault = "drop=x"}, "drop"},
    {{.script = "accept\nserv"}, "script:2:1"},
    {{.script = "accept", .fault = "drop"}, "goes with no fault"},
    {{.width = 3, .height = 3}, "16"},
};

START_TEST(what_is_wrong_is_said)
{
    char error[OJIN_MOCK_ERROR_MAX] = "";
    ck_assert_ptr_null(ojin_mock_start(&WRONG[_i].options, error));
    ck_assert_msg(strstr(error, WRONG[_i].error) != NULL, "%s", error);
}
END_TEST

START_TEST(a_port_that_is_taken_is_said)
{
    char error[OJIN_MOCK_ERROR_MAX] = "";
    unsigned port = 0;
    struct ojin_mock *mock = started(&(struct ojin_mock_options){.width = 320, .height = 240});
    ck_assert_int_eq(sscanf(ojin_mock_url(mock), "ws://127.0.0.1:%u", &port), 1);
    ck_assert_ptr_null(
        ojin_mock_start(&(struct ojin_mock_options){.port = port, .width = 320, .height = 240}, error));
    ck_assert_ptr_nonnull(strstr(error, "already in use"));
    ojin_mock_stop(mock);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ojin_mock");
    TCase *tcase = tcase_create("mock");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, findings_are_told_with_their_text);
    tcase_add_test(tcase, entries_are_counted_and_waited_for);
    tcase_add_test(tcase, mocks_stand_side_by_side);
    tcase_add_loop_test(tcase, what_is_wrong_is_said, 0, sizeof WRONG / sizeof WRONG[0]);
    tcase_add_test(tcase, a_port_that_is_taken_is_said);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
