/* Words and environments filled in, and processes started and ended. */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/launch/launch.h"
#include "server/launch/process.h"

#define TABLE_COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const struct launch_value MORE[] = {{"audio", "/tmp/a b.wav"}};
static const char *const VARIABLES[] = {"OJIN_URL={url}", "OJIN_WS_URL={url}", "OJIN_API_KEY={key}",
                                        "OJIN_CONFIG_ID={config}", NULL};
static const struct launch_values VALUES = {.origin = "ws://127.0.0.1:7",
                                            .path = "/realtime",
                                            .query = "config_id={config}",
                                            .variables = VARIABLES,
                                            .key = "k{url}",
                                            .config = "a b/\xc3\xa9",
                                            .more = MORE,
                                            .more_count = 1};

static const struct {
    const char *name;
    const char *word;
    const char *expected;
} WORDS[] = {
    {"a word without braces", "--loud", "--loud"},
    {"an empty word", "", ""},
    {"the URL", "{url}", "ws://127.0.0.1:7/realtime"},
    {"the URL with its query, percent-encoded", "{full_url}",
     "ws://127.0.0.1:7/realtime?config_id=a%20b%2f%c3%a9"},
    {"the origin within a word", "--to={origin}/x", "--to=ws://127.0.0.1:7/x"},
    {"the config as it is", "{config}", "a b/\xc3\xa9"},
    {"a name of the caller's", "{audio}{audio}", "/tmp/a b.wav/tmp/a b.wav"},
    {"what was filled in is not looked at again", "{key}", "k{url}"},
    {"a name that stands for nothing", "{nobody}", "{nobody}"},
    {"a brace that is not closed", "{url", "{url"},
    {"JSON stays as it is", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}"},
    {"two braces are one that begins no name", "{{url} {{nobody} {{{url}", "{url} {nobody} {{url}"},
    {"a shell's variable", "${url}", "${url}"},
    {"no name", "{} {a b} {URL} {url2}", "{} {a b} {URL} {url2}"},
};

START_TEST(a_word_is_filled_in)
{
    char *word = strdup(WORDS[_i].word);
    char *const command[] = {word, NULL};
    char **words = launch_words(command, &VALUES);
    ck_assert_ptr_nonnull(words);
    ck_assert_msg(strcmp(words[0], WORDS[_i].expected) == 0, "%s: \"%s\"", WORDS[_i].name, words[0]);
    ck_assert_ptr_null(words[1]);
    launch_free(words);
    free(word);
}
END_TEST

START_TEST(config_and_key_stand_in_a_path_and_in_a_query)
{
    struct launch_values values = VALUES;
    char word[] = "{url} {full_url}";
    char *const command[] = {word, NULL};
    values.path = "/interviews/{config}/connect";
    values.query = "token={key}&x={y}";
    char **words = launch_words(command, &values);
    ck_assert_ptr_nonnull(words);
    ck_assert_str_eq(words[0], "ws://127.0.0.1:7/interviews/a%20b%2f%c3%a9/connect "
                               "ws://127.0.0.1:7/interviews/a%20b%2f%c3%a9/connect?token=k%7burl%7d&x={y}");
    launch_free(words);
}
END_TEST

static const struct {
    const char *word;
    const char *name; /* NULL: none */
} NAMES[] = {
    {"--to={origin}/{key}", "{origin}"},
    {"{{key} ${key} {a b} {}", NULL},
    {"", NULL},
    {"{", NULL},
    {"{key", NULL},
    {"{{key} {nobody}", "{nobody}"},
    {"{\"a\":{url}}", "{url}"},
};

START_TEST(a_name_is_found)
{
    char *word = strdup(NAMES[_i].word);
    size_t len = 0;
    const char *found = launch_name_find(word, &len);
    if (NAMES[_i].name == NULL) {
        ck_assert_ptr_null(found);
    } else {
        ck_assert_uint_eq(len, strlen(NAMES[_i].name));
        ck_assert_mem_eq(found, NAMES[_i].name, len);
    }
    free(word);
}
END_TEST

/* `len` letters and then {key}, which adds six. */
static char *long_word(size_t len)
{
    char *word = malloc(len + sizeof "{key}");
    ck_assert_ptr_nonnull(word);
    memset(word, 'a', len);
    memcpy(word + len, "{key}", sizeof "{key}");
    return word;
}

START_TEST(a_word_may_grow_to_its_maximum_and_no_further)
{
    static const size_t filled_bytes = sizeof "k{url}"; /* with the terminator */
    for (size_t more = 0; more < 2; more++) {
        char *word = long_word(LAUNCH_WORD_BYTES_MAX - filled_bytes + more);
        char *const command[] = {word, NULL};
        char **words = launch_words(command, &VALUES);
        if (more == 0) {
            ck_assert_ptr_nonnull(words);
            ck_assert_uint_eq(strlen(words[0]), LAUNCH_WORD_BYTES_MAX - 1);
        } else {
            ck_assert_ptr_null(words);
            ck_assert_int_eq(errno, E2BIG);
        }
        launch_free(words);
        free(word);
    }
}
END_TEST

static bool holds(char *const list[], const char *assignment)
{
    for (size_t i = 0; list[i] != NULL; i++)
        if (strcmp(list[i], assignment) == 0)
            return true;
    return false;
}

START_TEST(an_environment_keeps_what_was_there_and_replaces_what_it_sets)
{
    char path[] = "PATH=/bin", url[] = "OJIN_URL=ws://elsewhere", near[] = "OJIN_URLS={url}",
         mine[] = "MINE={audio}", key[] = "OJIN_API_KEY=other";
    char *const base[] = {path, url, near, NULL};
    char *const extra[] = {mine, key};
    char **list = launch_set(launch_environment(base, &VALUES), extra, 2, &VALUES);
    ck_assert_ptr_nonnull(list);
    static const char *const expected[] = {"PATH=/bin",
                                           "OJIN_URL=ws://127.0.0.1:7/realtime",
                                           "OJIN_URLS={url}",
                                           "OJIN_WS_URL=ws://127.0.0.1:7/realtime",
                                           "OJIN_CONFIG_ID=a b/\xc3\xa9",
                                           "OJIN_API_KEY=other",
                                           "MINE=/tmp/a b.wav"};
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    ck_assert_uint_eq(count, TABLE_COUNT(expected));
    for (int i = 0; i < TABLE_COUNT(expected); i++)
        ck_assert_msg(holds(list, expected[i]), "%s is missing", expected[i]);
    launch_free(list);
}
END_TEST

static pid_t start_shell(const char *script, const int streams[PROCESS_STREAMS])
{
    char sh[] = "sh", c[] = "-c";
    char *line = strdup(script);
    char *const argv[] = {sh, c, line, NULL};
    char *const envp[] = {NULL};
    const pid_t pid = process_start(argv, envp, streams);
    free(line);
    return pid;
}

static const int INHERITED[PROCESS_STREAMS] = {PROCESS_INHERITS, PROCESS_INHERITS, PROCESS_INHERITS};

START_TEST(a_process_leads_a_group_of_its_own_and_has_the_default_signals)
{
    signal(SIGPIPE, SIG_IGN);
    const pid_t pid = start_shell("kill -PIPE $$; exit 7", INHERITED);
    ck_assert_int_gt(pid, 0);
    int status = 0;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE, "status %d", status);
}
END_TEST

START_TEST(a_command_that_is_not_there_is_told_by_errno)
{
    static const struct {
        const char *command;
        int expected;
    } rows[] = {{"/nonexistent/command", ENOENT}, {"no-command-of-this-name", ENOENT}, {"/", EACCES}};
    for (int i = 0; i < TABLE_COUNT(rows); i++) {
        char *word = strdup(rows[i].command);
        char *const argv[] = {word, NULL};
        char *const envp[] = {NULL};
        ck_assert_int_eq(process_start(argv, envp, INHERITED), -1);
        ck_assert_msg(errno == rows[i].expected, "%s: errno %d", rows[i].command, errno);
        free(word);
        ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    }
}
END_TEST

/* What a pipe gives until its last writer is gone. */
static size_t read_until_closed(int fd)
{
    char data[64];
    size_t len = 0;
    for (ssize_t got = read(fd, data, sizeof data); got > 0; got = read(fd, data, sizeof data))
        len += (size_t)got;
    return len;
}

START_TEST(nothing_that_a_process_started_is_left)
{
    int pipe_fds[2];
    process_adopt_orphans();
    ck_assert_int_eq(pipe(pipe_fds), 0);
    const int streams[PROCESS_STREAMS] = {PROCESS_INHERITS, pipe_fds[1], PROCESS_INHERITS};
    /* One that ignores TERM, one in a session of its own; both would hold the pipe open. */
    const pid_t pid =
        start_shell("trap '' TERM; setsid sleep 1000 & (trap '' TERM; sleep 1000) & echo x; wait", streams);
    ck_assert_int_gt(pid, 0);
    close(pipe_fds[1]);
    char first;
    ck_assert_int_eq(read(pipe_fds[0], &first, 1), 1);
    process_end_all(pid, true);
    ck_assert_uint_eq(read_until_closed(pipe_fds[0]), 1); /* the newline */
    close(pipe_fds[0]);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launch");
    TCase *words = tcase_create("words");
    tcase_add_loop_test(words, a_name_is_found, 0, TABLE_COUNT(NAMES));
    tcase_add_loop_test(words, a_word_is_filled_in, 0, TABLE_COUNT(WORDS));
    tcase_add_test(words, config_and_key_stand_in_a_path_and_in_a_query);
    tcase_add_test(words, a_word_may_grow_to_its_maximum_and_no_further);
    tcase_add_test(words, an_environment_keeps_what_was_there_and_replaces_what_it_sets);
    suite_add_tcase(suite, words);
    TCase *processes = tcase_create("processes");
    tcase_add_test(processes, a_process_leads_a_group_of_its_own_and_has_the_default_signals);
    tcase_add_test(processes, a_command_that_is_not_there_is_told_by_errno);
    tcase_add_test(processes, nothing_that_a_process_started_is_left);
    suite_add_tcase(suite, processes);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
