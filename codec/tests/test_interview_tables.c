/* The tables of the interview family: codes, profiles, names, constants. */
#include "codec/interview/messages.h"
#include "codec/interview/path.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"

/* 004 Message Error Codes, in its order */
static const char *const CODES[] = {"AUDIO_PROCESSING_ERROR", "OPENAI_API_ERROR", "INVALID_MESSAGE_FORMAT",
                                    "SESSION_NOT_FOUND", "RATE_LIMIT_EXCEEDED"};

START_TEST(the_codes_are_those_of_the_document)
{
    enum interview_error_code code = INTERVIEW_ERROR_COUNT;
    ck_assert_int_eq(TABLE_COUNT(CODES), INTERVIEW_ERROR_COUNT);
    ck_assert(interview_error_by_name(bytes_of_text(CODES[_i]), &code));
    ck_assert_int_eq(code, _i);
    ck_assert_str_eq(interview_error_name(code), CODES[_i]);
    ck_assert_uint_gt(strlen(interview_error_description(code)), 0);
    ck_assert_uint_gt(strlen(interview_error_source(code)), 0);
}
END_TEST

static const char *const NO_CODES[] = {"", "SESSION_NOT_FOUN", "SESSION_NOT_FOUNDD", "session_not_found"};

START_TEST(no_other_name_is_a_code)
{
    enum interview_error_code code = INTERVIEW_ERROR_OPENAI_API;
    ck_assert(!interview_error_by_name(bytes_of_text(NO_CODES[_i]), &code));
    ck_assert_int_eq(code, INTERVIEW_ERROR_OPENAI_API);
    ck_assert_str_eq(interview_error_name(INTERVIEW_ERROR_COUNT), "?");
}
END_TEST

START_TEST(a_profile_belongs_to_its_groups)
{
    const struct interview_profile *documented = interview_profile_by_name("interview-1.0");
    const struct interview_profile *deployed = interview_profile_by_name("interview-deployed");
    ck_assert_ptr_eq(documented, &INTERVIEW_PROFILES[0]);
    ck_assert_ptr_nonnull(deployed);
    ck_assert_ptr_null(interview_profile_by_name("interview"));
    ck_assert(profile_matches(&documented->base, "all") && profile_matches(&deployed->base, "all"));
    ck_assert(profile_matches(&documented->base, "documented"));
    ck_assert(!profile_matches(&deployed->base, "documented"));
    ck_assert_ptr_eq(interview_profile_of(&deployed->base), deployed);
    ck_assert_str_eq(documented->base.query, "token={key}");
    ck_assert(!documented->newer_replaces && deployed->newer_replaces);
}
END_TEST

START_TEST(times_are_in_the_unit_of_the_dialect)
{
    ck_assert_int_eq(interview_time_of(INTERVIEW_PROFILES[0].dialect, 1699999999999), 1699999999);
    ck_assert_int_eq(interview_time_of(INTERVIEW_PROFILES[1].dialect, 1699999999999), 1699999999999);
}
END_TEST

/* 004 Message Protocol; field notes */
START_TEST(messages_have_the_names_of_their_dialect)
{
    const struct interview_dialect *documented = INTERVIEW_PROFILES[0].dialect;
    const struct interview_dialect *deployed = INTERVIEW_PROFILES[1].dialect;
    static const char *const names[] = {"audio_chunk", "commit_audio",    "cancel_response", "ai_audio_chunk",
                                        "transcript",  "function_result", "error",           "status"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const enum interview_message_type type = (enum interview_message_type)i;
        ck_assert_str_eq(interview_message_type_name(type), names[i]);
        ck_assert_str_eq(interview_message_type_in(documented, type), names[i]);
        ck_assert(interview_message_is_clients(type) == (i < 3));
        ck_assert(interview_message_is_servers(type) == (i >= 3));
    }
    ck_assert_str_eq(interview_message_type_in(deployed, INTERVIEW_MESSAGE_COMMIT_AUDIO), "audio_commit");
    ck_assert_str_eq(interview_message_type_in(deployed, INTERVIEW_MESSAGE_PONG), "pong");
    ck_assert_ptr_null(interview_message_type_in(documented, INTERVIEW_MESSAGE_PING));
    for (int type = INTERVIEW_MESSAGE_OTHER; type <= INTERVIEW_MESSAGE_NOT_JSON; type++) {
        ck_assert_ptr_null(interview_message_type_in(deployed, (enum interview_message_type)type));
        ck_assert_str_ne(interview_message_type_name((enum interview_message_type)type), "?");
    }
}
END_TEST

START_TEST(the_numbers_are_those_of_the_document)
{
    ck_assert_int_eq(INTERVIEW_RATE, 24000);
    ck_assert_int_eq(INTERVIEW_MESSAGE_BYTES_MAX, 1048576);
    ck_assert_int_eq(INTERVIEW_CHUNKS_PER_SECOND_MAX, 10);
    ck_assert_int_eq(INTERVIEW_CHUNK_SAMPLES_MIN, 2400);
    ck_assert_int_eq(INTERVIEW_CHUNK_SAMPLES_MAX, 4800);
    ck_assert_int_eq(INTERVIEW_CLOSE_NORMAL, 1000);
    ck_assert_int_eq(INTERVIEW_CLOSE_POLICY, 1008);
    ck_assert_int_eq(INTERVIEW_CLOSE_INTERNAL, 1011);
    ck_assert_int_eq(INTERVIEW_CLOSE_RESTART, 1012);
    ck_assert_str_eq(INTERVIEW_PATH, "/api/v1/interviews/{config}/realtime/connect");
}
END_TEST

struct path_case {
    const char *path;
    const char *id; /* NULL: it is another path */
};

static const struct path_case PATHS[] = {
    {"/api/v1/interviews/11111111-2222-4333-8444-555555555555/realtime/connect",
     "11111111-2222-4333-8444-555555555555"},
    {"/api/v1/interviews/a%2Fb/realtime/connect", "a%2Fb"},
    {"/api/v1/interviews//realtime/connect", NULL},
    {"/api/v1/interviews/realtime/connect", NULL},
    {"/api/v1/interviews/a/b/realtime/connect", NULL},
    {"/api/v1/interviews/a/realtime/connect/", NULL},
    {"/api/v1/interviews/a/realtime", NULL},
    {"/api/v1/interview/a/realtime/connect", NULL},
    {"/realtime", NULL},
    {"", NULL},
};

START_TEST(the_id_is_a_segment_of_the_path)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(PATHS[_i].path));
    struct bytes id;
    const bool is_path = interview_path_id(copy.bytes, &id);
    ck_assert_msg(is_path == (PATHS[_i].id != NULL), "%s", PATHS[_i].path);
    ck_assert(!is_path || bytes_equal_text(id, PATHS[_i].id));
    exact_copy_free(copy);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("interview tables");
    tcase_add_loop_test(tcase, the_codes_are_those_of_the_document, 0, TABLE_COUNT(CODES));
    tcase_add_loop_test(tcase, no_other_name_is_a_code, 0, TABLE_COUNT(NO_CODES));
    tcase_add_test(tcase, a_profile_belongs_to_its_groups);
    tcase_add_test(tcase, times_are_in_the_unit_of_the_dialect);
    tcase_add_test(tcase, messages_have_the_names_of_their_dialect);
    tcase_add_test(tcase, the_numbers_are_those_of_the_document);
    tcase_add_loop_test(tcase, the_id_is_a_segment_of_the_path, 0, TABLE_COUNT(PATHS));
    return suite_run("interview tables", tcase);
}
