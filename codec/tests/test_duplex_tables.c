/* The tables of the full-duplex family: codes, reasons, profiles. */
#include "codec/duplex/messages.h"
#include "codec/tests/suite.h"

struct code_row {
    const char *name;
    const char *type;
    uint16_t close;
};

/* 002 Error Codes in its order; then 002 State Machine and field notes */
static const struct code_row CODES[] = {
    {"not_ready", "client_error", 0},
    {"unknown_event", "client_error", 0},
    {"missing_field", "client_error", 0},
    {"invalid_payload", "client_error", 0},
    {"service_unavailable", "server_error", 1013},
    {"queue_full", "server_error", 1013},
    {"worker_busy", "server_error", 1013},
    {"worker_connect_failed", "server_error", 1013},
    {"inference_error", "server_error", 0},
    {"invalid_event", "client_error", 0},
    {"inference_failed", "server_error", 0},
};

START_TEST(the_codes_are_those_of_the_document)
{
    const struct code_row *row = &CODES[_i];
    enum duplex_error_code code = DUPLEX_ERROR_COUNT;
    ck_assert_int_eq(TABLE_COUNT(CODES), DUPLEX_ERROR_COUNT);
    ck_assert(duplex_error_by_name(bytes_of_text(row->name), &code));
    ck_assert_int_eq(code, _i);
    ck_assert_str_eq(duplex_error_name(code), row->name);
    ck_assert_str_eq(duplex_error_type(code), row->type);
    ck_assert_uint_eq(duplex_error_close(code), row->close);
    ck_assert_uint_gt(strlen(duplex_error_description(code)), 0);
    ck_assert_uint_gt(strlen(duplex_error_source(code)), 0);
}
END_TEST

static const char *const NO_CODES[] = {"", "not_read", "not_readyy", "NOT_READY", "internal"};

START_TEST(no_other_name_is_a_code_or_a_reason)
{
    enum duplex_error_code code = DUPLEX_ERROR_QUEUE_FULL;
    enum duplex_reason reason = DUPLEX_REASON_TIMEOUT;
    ck_assert(!duplex_error_by_name(bytes_of_text(NO_CODES[_i]), &code));
    ck_assert(!duplex_reason_by_name(bytes_of_text(NO_CODES[_i]), &reason));
    ck_assert_int_eq(code, DUPLEX_ERROR_QUEUE_FULL);
    ck_assert_int_eq(reason, DUPLEX_REASON_TIMEOUT);
    ck_assert_str_eq(duplex_error_name(DUPLEX_ERROR_COUNT), "?");
    ck_assert_str_eq(duplex_reason_name(DUPLEX_REASON_COUNT), "?");
}
END_TEST

static const char *const REASON_NAMES[] = {"user_stop",    "stopped",         "timeout",
                                           "context_full", "server_shutdown", "error"};

START_TEST(reasons_are_found_by_name)
{
    enum duplex_reason reason = DUPLEX_REASON_COUNT;
    ck_assert_int_eq(TABLE_COUNT(REASON_NAMES), DUPLEX_REASON_COUNT);
    ck_assert(duplex_reason_by_name(bytes_of_text(REASON_NAMES[_i]), &reason));
    ck_assert_int_eq(reason, _i);
    ck_assert_str_eq(duplex_reason_name(reason), REASON_NAMES[_i]);
}
END_TEST

struct profile_row {
    const char *name;
    const char *group;
    bool matches;
};

static const struct profile_row PROFILE_ROWS[] = {
    {"video", "both", true},
    {"video", "all", true},
    {"video", "video", true},
    {"video", "audio", false},
    {"audio", "both", true},
    {"audio", "audio", true},
    {"audio", "video", false},
    {"duplex-later", "video", true},
    {"duplex-later", "audio", false},
    {"duplex-later", "duplex-later", true},
    {"video", "duplex-later", false},
    {"duplex-later-audio", "audio", true},
    {"video", "", false},
};

START_TEST(a_profile_belongs_to_its_groups)
{
    const struct profile_row *row = &PROFILE_ROWS[_i];
    const struct duplex_profile *profile = duplex_profile_by_name(row->name);
    ck_assert_ptr_nonnull(profile);
    ck_assert_msg(profile_matches(&profile->base, row->group) == row->matches, "%s in %s", row->name,
                  row->group);
}
END_TEST

START_TEST(the_mode_of_the_query_chooses_within_a_dialect)
{
    const struct duplex_profile *video = duplex_profile_by_name("video");
    const struct duplex_profile *later = duplex_profile_by_name("duplex-later");
    ck_assert_ptr_eq(video, &DUPLEX_PROFILES[0]);
    ck_assert_str_eq(duplex_profile_of_mode(video, bytes_of_text("audio"))->base.name, "audio");
    ck_assert_str_eq(duplex_profile_of_mode(later, bytes_of_text("audio"))->base.name, "duplex-later-audio");
    ck_assert_ptr_eq(duplex_profile_of_mode(later, bytes_of_text("video")), later);
    ck_assert_ptr_null(duplex_profile_of_mode(later, bytes_of_text("Video")));
    ck_assert_ptr_null(duplex_profile_by_name("duplex"));
}
END_TEST

START_TEST(sessions_last_as_long_as_their_mode_lets_them)
{
    ck_assert_uint_eq(duplex_profile_by_name("video")->session_us, 300000000);
    ck_assert_uint_eq(duplex_profile_by_name("audio")->session_us, 600000000);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("duplex tables");
    tcase_add_loop_test(tcase, the_codes_are_those_of_the_document, 0, TABLE_COUNT(CODES));
    tcase_add_loop_test(tcase, no_other_name_is_a_code_or_a_reason, 0, TABLE_COUNT(NO_CODES));
    tcase_add_loop_test(tcase, reasons_are_found_by_name, 0, TABLE_COUNT(REASON_NAMES));
    tcase_add_loop_test(tcase, a_profile_belongs_to_its_groups, 0, TABLE_COUNT(PROFILE_ROWS));
    tcase_add_test(tcase, the_mode_of_the_query_chooses_within_a_dialect);
    tcase_add_test(tcase, sessions_last_as_long_as_their_mode_lets_them);
    return suite_run("duplex tables", tcase);
}
