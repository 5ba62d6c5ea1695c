/* What a client under test is told of its service: the key, and the task of one that takes many cases. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codec/tests/suite.h"
#include "conformance/process/client_key.h"
#include "conformance/process/launch.h"
#include "conformance/runner/task.h"
#include "server/token/token.h"

/* 2026 and, by a century's end, 2099. */
static const uint64_t TIMES_S[] = {1767225600, 4070908800};

static void key_of(const char *family, char key[CLIENT_KEY_MAX])
{
    const struct session_class *class = session_class_by_family(family);
    ck_assert_ptr_nonnull(class);
    ck_assert(client_key_make(class, key));
}

START_TEST(a_family_with_tokens_gets_a_good_one)
{
    char key[CLIENT_KEY_MAX], again[CLIENT_KEY_MAX];
    key_of("ojin", key);
    ck_assert_str_eq(key, CONFORM_KEY);
    key_of("interview", key);
    key_of("interview", again);
    ck_assert_str_eq(key, again);
    for (size_t i = 0; i < (size_t)TABLE_COUNT(TIMES_S); i++) {
        const struct token_terms terms = {.secret = TOKEN_SECRET_DEFAULT,
                                          .candidate = TOKEN_CANDIDATE_DEFAULT,
                                          .interview = bytes_of_text("any"),
                                          .now_s = TIMES_S[i]};
        ck_assert_int_eq(token_verify(bytes_of_text(key), &terms), TOKEN_GOOD);
    }
}
END_TEST

static const struct {
    const char *family, *ca, *url;
} TASKS[] = {
    {"ojin", NULL, "\"url\":\"ws://127.0.0.1:7700/realtime\""},
    {"duplex", NULL, "\"url\":\"ws://127.0.0.1:7700/v1/realtime\""},
    {"interview", NULL, "\"url\":\"ws://127.0.0.1:7700/api/v1/interviews/an%20id/realtime/connect\""},
    {"interview", "/ca.pem", "\"url\":\"wss://127.0.0.1:7700/api/v1/interviews/an%20id/realtime/connect\""},
};

START_TEST(a_task_names_the_whole_url)
{
    const struct family *family = family_by_name(TASKS[_i].family);
    const struct client_values values = {.port = 7700,
                                         .ca = TASKS[_i].ca,
                                         .family = family,
                                         .profile = family->profiles[0],
                                         .key = "a key",
                                         .config = "an id",
                                         .audio = "/a.wav",
                                         .video = "/v",
                                         .plan = "/plan.json",
                                         .out = "/out",
                                         .control = "http://127.0.0.1:7701",
                                         .case_name = "a/b/c"};
    struct buffer out;
    buffer_init(&out, 65536);
    ck_assert(task_write(&values, bytes_of_text("{\"conform\":1}"), &out));
    ck_assert(buffer_append(&out, bytes_of("", 1)));
    ck_assert_msg(strstr((const char *)out.data, TASKS[_i].url) != NULL, "%s", (const char *)out.data);
    ck_assert_ptr_nonnull(strstr((const char *)out.data, ",\"conform\":1}"));
    buffer_free(&out);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("told");
    tcase_add_test(tcase, a_family_with_tokens_gets_a_good_one);
    tcase_add_loop_test(tcase, a_task_names_the_whole_url, 0, TABLE_COUNT(TASKS));
    return suite_run("what a client is told", tcase);
}
