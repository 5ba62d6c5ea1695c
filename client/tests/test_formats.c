/* Observations and plans as text: the samples of formats.json, by which the schemas are tested too. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/core/observation.h"
#include "client/plan/plan.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/json.h"

static cJSON *read_samples(void)
{
    static char text[65536];
    FILE *file = fopen(SOURCE_DIR "/client/tests/formats.json", "rb");
    ck_assert_ptr_nonnull(file);
    size_t len = fread(text, 1, sizeof text, file);
    fclose(file);
    ck_assert_uint_lt(len, sizeof text);
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(bytes_of(text, len), &json).status, WIRE_OK);
    return json;
}

typedef bool read_sample(struct bytes line, char error[200]);

static bool reads_observation(struct bytes line, char error[200])
{
    struct observation observation;
    return observation_read(line, &observation, error) == OBSERVATION_GOOD;
}

static bool reads_plan(struct bytes line, char error[200])
{
    struct client_plan plan;
    return client_plan_parse(line, &plan, error);
}

static void judge_samples(const char *list, read_sample *read)
{
    cJSON *samples = read_samples();
    size_t judged = 0;
    const cJSON *sample = NULL;
    cJSON_ArrayForEach(sample, json_member(samples, list))
    {
        char *line = cJSON_PrintUnformatted(json_member(sample, "json"));
        struct exact_copy copy = exact_copy_of(bytes_of_text(line));
        char error[200] = "";
        bool valid = cJSON_IsTrue(json_member(sample, "valid"));
        ck_assert_msg(read(copy.bytes, error) == valid, "%s: %s", json_member(sample, "name")->valuestring,
                      error);
        ck_assert_msg((error[0] == '\0') == valid, "%s", json_member(sample, "name")->valuestring);
        for (size_t len = 0; len < copy.bytes.len; len++) {
            struct exact_copy prefix = exact_copy_of(bytes_of(copy.bytes.data, len));
            ck_assert(!read(prefix.bytes, error));
            exact_copy_free(prefix);
        }
        exact_copy_free(copy);
        free(line);
        judged++;
    }
    ck_assert_uint_gt(judged, 15);
    cJSON_Delete(samples);
}

START_TEST(observations_are_judged_as_the_samples_say_and_no_prefix_is_taken)
{
    judge_samples("observations", reads_observation);
}
END_TEST

START_TEST(a_nul_in_an_observation_is_read_as_a_replacement_character)
{
    static const char LINE[] = "{\"conform\":1,\"seen\":\"state\",\"text\":\"a\\u0000b\\\\u0000\"}";
    struct observation observation;
    char error[200];
    ck_assert_int_eq(observation_read(bytes_of_text(LINE), &observation, error), OBSERVATION_GOOD);
    ck_assert_str_eq(observation.text, "a\xef\xbf\xbd"
                                       "b\\u0000");
}
END_TEST

START_TEST(plans_are_judged_as_the_samples_say_and_no_prefix_is_taken)
{
    judge_samples("plans", reads_plan);
}
END_TEST

static const struct {
    const char *line;
    enum observation_status status;
} LINES[] = {
    {"", OBSERVATION_NONE},
    {"connecting...", OBSERVATION_NONE},
    {"{\"level\":\"info\"}", OBSERVATION_NONE},
    {"[1]", OBSERVATION_NONE},
    {"{broken", OBSERVATION_NONE},
    {"{\"conform\":1,\"seen\":\"frame\",", OBSERVATION_BAD},
    {"{\"conform\":1,\"conform\":1,\"seen\":\"cancelled\"}", OBSERVATION_BAD},
    {"{\"conform\":1,\"seen\":\"cancelled\"}", OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"18446744073709551615\"}",
     OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"18446744073709552000\"}",
     OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"1.8446744073709552e+19\"}",
     OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"184467440737095520000000000000000\"}",
     OBSERVATION_BAD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":18446744073709551615}", OBSERVATION_BAD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":1700000000000}", OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":-1}", OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"-9223372036854775808\"}",
     OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"-\"}", OBSERVATION_BAD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"\"}", OBSERVATION_BAD},
    {"{\"conform\":1,\"seen\":\"frame\",\"index\":0,\"timestamp\":\"now\"}", OBSERVATION_BAD},
    {"{\"conform\":1,\"seen\":\"error\",\"code\":\"\",\"text\":\"\\u0000\\u0000x\"}", OBSERVATION_GOOD},
    {"{\"conform\":1,\"seen\":\"error\",\"code\":\"\\u0000\",\"text\":\"\"", OBSERVATION_BAD},
};

START_TEST(a_clients_own_log_is_told_from_a_broken_observation)
{
    struct observation observation;
    char error[200];
    ck_assert_int_eq(observation_read(bytes_of_text(LINES[_i].line), &observation, error), LINES[_i].status);
}
END_TEST

static const struct {
    struct observation observation;
    const char *line;
} WRITTEN[] = {
    {{.kind = OBSERVED_READY, .has_load = true, .load = 0.25},
     "{\"conform\":1,\"seen\":\"ready\",\"load\":0.25}"},
    {{.kind = OBSERVED_FRAME,
      .index = 1,
      .has_interaction = true,
      .interaction = {0xAB},
      .has_audio = true,
      .audio_crc = 123,
      .has_image = true,
      .image_crc = 4294967295},
     "{\"conform\":1,\"seen\":\"frame\",\"index\":1,\"final\":false,"
     "\"interaction\":\"ab000000-0000-0000-0000-000000000000\",\"audio\":123,\"image\":4294967295}"},
    {{.kind = OBSERVED_FRAME, .index = 1, .timestamp = "18446744073709551615"},
     "{\"conform\":1,\"seen\":\"frame\",\"index\":1,\"final\":false,"
     "\"timestamp\":\"18446744073709551615\"}"},
    {{.kind = OBSERVED_FRAME, .index = INT32_MIN},
     "{\"conform\":1,\"seen\":\"frame\",\"index\":-2147483648,\"final\":false}"},
    {{.kind = OBSERVED_PLAYED, .is_final = true},
     "{\"conform\":1,\"seen\":\"played\",\"index\":0,\"final\":true}"},
    {{.kind = OBSERVED_CANCELLED}, "{\"conform\":1,\"seen\":\"cancelled\"}"},
    {{.kind = OBSERVED_ERROR, .text = "a \"b\"\n"},
     "{\"conform\":1,\"seen\":\"error\",\"code\":\"\",\"text\":\"a \\\"b\\\"\\n\"}"},
    {{.kind = OBSERVED_CLOSED, .close_code = 1013}, "{\"conform\":1,\"seen\":\"closed\",\"code\":1013}"},
    {{.kind = OBSERVED_STATE, .text = "x"}, "{\"conform\":1,\"seen\":\"state\",\"text\":\"x\"}"},
    {{.kind = OBSERVED_QUEUE, .has_position = true, .position = 2, .text = "x"},
     "{\"conform\":1,\"seen\":\"queue\",\"position\":2,\"text\":\"x\"}"},
    {{.kind = OBSERVED_DELTA,
      .has_samples = true,
      .samples = 3,
      .has_audio = true,
      .audio_crc = 7,
      .is_final = true,
      .has_cache = true,
      .cache = 256},
     "{\"conform\":1,\"seen\":\"delta\",\"samples\":3,\"audio\":7,\"final\":true,\"cache\":256}"},
    {{.kind = OBSERVED_HEARD, .has_at = true, .at = 0, .has_samples = true, .samples = 2400},
     "{\"conform\":1,\"seen\":\"heard\",\"at\":0,\"samples\":2400}"},
    {{.kind = OBSERVED_LISTEN, .has_at = true, .at = 9, .has_samples = true, .samples = 0},
     "{\"conform\":1,\"seen\":\"listen\",\"at\":9,\"samples\":0}"},
    {{.kind = OBSERVED_TURN, .has_at = true, .at = 9, .text = "Hi"},
     "{\"conform\":1,\"seen\":\"turn\",\"at\":9,\"final\":false,\"text\":\"Hi\"}"},
};

START_TEST(an_observation_is_written_as_documented_and_reads_the_same)
{
    char line[OBSERVATION_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    observation_write(&text, &WRITTEN[_i].observation);
    ck_assert_str_eq(line, WRITTEN[_i].line);
    struct observation read;
    char error[200];
    ck_assert_int_eq(observation_read(bytes_of_text(line), &read, error), OBSERVATION_GOOD);
    ck_assert_mem_eq(&read, &WRITTEN[_i].observation, sizeof read);
}
END_TEST

/* As clients tell it that pass on what the server sent; the rest is read all the same. */
static const struct {
    const char *members;
    struct observation expected;
} ODD[] = {
    {"\"queue\"", {.kind = OBSERVED_QUEUE}},
    {"\"queue\",\"position\":null,\"text\":null", {.kind = OBSERVED_QUEUE}},
    {"\"queue\",\"position\":-4", {.kind = OBSERVED_QUEUE}},
    {"\"queue\",\"position\":\"next\"", {.kind = OBSERVED_QUEUE}},
    {"\"queue\",\"position\":2.5,\"text\":\"2.5\"", {.kind = OBSERVED_QUEUE, .text = "2.5"}},
    {"\"queue\",\"position\":99999999999", {.kind = OBSERVED_QUEUE}},
    {"\"queue\",\"position\":1e300", {.kind = OBSERVED_QUEUE}},
    {"\"queue\",\"position\":4294967296", {.kind = OBSERVED_QUEUE}},
    {"\"queue\",\"position\":4294967295",
     {.kind = OBSERVED_QUEUE, .has_position = true, .position = 4294967295}},
    {"\"queue\",\"position\":0", {.kind = OBSERVED_QUEUE, .has_position = true}},
    {"\"listen\",\"at\":7,\"cache\":-1", {.kind = OBSERVED_LISTEN, .has_at = true, .at = 7}},
    {"\"listen\",\"cache\":12.5,\"at\":7", {.kind = OBSERVED_LISTEN, .has_at = true, .at = 7}},
    {"\"delta\",\"cache\":{\"is\":5},\"text\":[1],\"final\":true",
     {.kind = OBSERVED_DELTA, .is_final = true}},
    {"\"delta\",\"final\":7", {.kind = OBSERVED_DELTA}},
    {"\"delta\",\"final\":\"true\"", {.kind = OBSERVED_DELTA}},
    {"\"transcript\",\"code\":\"ai\",\"final\":[true]", {.kind = OBSERVED_TRANSCRIPT, .code = "ai"}},
    {"\"transcript\",\"code\":\"ai\",\"final\":true",
     {.kind = OBSERVED_TRANSCRIPT, .code = "ai", .is_final = true}},
    /* JSON that was written anew: the same value, spelled otherwise */
    {"\"result\",\"text\":\"{ \\\"a\\\": [1.5, \\\"gr\\\\u00f6\\\\u00dfer \\\\ud83d\\\\ude00\\\"] }\"",
     {.kind = OBSERVED_RESULT, .text = "{\"a\":[1.5,\"größer 😀\"]}"}},
    {"\"result\",\"text\":\"18446744073709551615\"",
     {.kind = OBSERVED_RESULT, .text = "18446744073709551615"}},
    {"\"result\",\"text\":\"no JSON\"", {.kind = OBSERVED_RESULT, .text = "no JSON"}},
    {"\"result\",\"text\":7", {.kind = OBSERVED_RESULT}},
    {"\"ready\",\"load\":\"0\",\"text\":7", {.kind = OBSERVED_READY}},
    {"\"error\"", {.kind = OBSERVED_ERROR}},
    {"\"error\",\"code\":null,\"text\":null", {.kind = OBSERVED_ERROR}},
    {"\"error\",\"code\":429,\"text\":\"slow\"", {.kind = OBSERVED_ERROR, .text = "slow"}},
    {"\"state\",\"code\":\"session-closed\"", {.kind = OBSERVED_STATE, .code = "session-closed"}},
    {"\"state\",\"code\":\"session-closed\",\"text\":4", {.kind = OBSERVED_STATE, .code = "session-closed"}},
};

START_TEST(what_a_server_sent_that_makes_no_sense_is_as_though_left_out)
{
    char line[OBSERVATION_LINE_MAX], error[200];
    struct observation read;
    snprintf(line, sizeof line, "{\"conform\":1,\"seen\":%s}", ODD[_i].members);
    struct exact_copy copy = exact_copy_of(bytes_of_text(line));
    ck_assert_msg(observation_read(copy.bytes, &read, error) == OBSERVATION_GOOD, "%s: %s", line, error);
    ck_assert_mem_eq(&read, &ODD[_i].expected, sizeof read);
    exact_copy_free(copy);
}
END_TEST

START_TEST(the_longest_texts_fit_a_line)
{
    struct observation observation = {.kind = OBSERVED_ERROR};
    memset(observation.code, 1, sizeof observation.code - 1);
    memset(observation.text, 1, sizeof observation.text - 1);
    char line[OBSERVATION_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    observation_write(&text, &observation);
    ck_assert(!text.cut);
}
END_TEST

START_TEST(an_error_for_people_moves_no_cursor)
{
    char shown[400];
    struct text text = text_of(shown, sizeof shown);
    observation_error_add(&text, "\x1b[31mX\x1b]0;pwn\x07", "\x1b[2J\xe2\x80\xae evil\r\nline \xc2\x9b");
    ck_assert_str_eq(shown,
                     "\\x1b[31mX\\x1b]0;pwn\\x07: \\x1b[2J\\xe2\\x80\\xae evil\\x0d\\x0aline \\xc2\\x9b");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("formats");
    TCase *tcase = tcase_create("formats");
    tcase_add_test(tcase, a_nul_in_an_observation_is_read_as_a_replacement_character);
    tcase_add_test(tcase, observations_are_judged_as_the_samples_say_and_no_prefix_is_taken);
    tcase_add_test(tcase, plans_are_judged_as_the_samples_say_and_no_prefix_is_taken);
    tcase_add_loop_test(tcase, a_clients_own_log_is_told_from_a_broken_observation, 0,
                        (int)(sizeof LINES / sizeof LINES[0]));
    tcase_add_loop_test(tcase, an_observation_is_written_as_documented_and_reads_the_same, 0,
                        (int)(sizeof WRITTEN / sizeof WRITTEN[0]));
    tcase_add_loop_test(tcase, what_a_server_sent_that_makes_no_sense_is_as_though_left_out, 0,
                        (int)(sizeof ODD / sizeof ODD[0]));
    tcase_add_test(tcase, the_longest_texts_fit_a_line);
    tcase_add_test(tcase, an_error_for_people_moves_no_cursor);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
