/* Frames, inputs and messages as they are written, and the tables of codes, profiles and families. */
#include "codec/family.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/ojin/profile.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/json.h"

enum { TEXT_ROOM = 4096 };

/* struct.pack('!B16sQIII', 1, bytes(range(16)), 0x1011121314151617, 0x18191a1b, 0x1c1d1e1f, 2), then
 * struct.pack('!IB', 3, 1) + b'abc' + struct.pack('!IB', 0, 2) */
static const uint8_t FRAME[] = {
    0x01, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03, 0x01, 'a',  'b',  'c',  0x00, 0x00, 0x00, 0x00, 0x02,
};

static struct ojin_frame frame_of_the_table(void)
{
    struct ojin_frame frame = {.is_final = 1,
                               .timestamp_ms = 0x1011121314151617,
                               .usage = 0x18191a1b,
                               .index = 0x1c1d1e1f,
                               .payload_count = 2};
    for (size_t i = 0; i < UUID_BYTES; i++)
        frame.interaction[i] = (uint8_t)i;
    return frame;
}

START_TEST(a_frame_is_written_as_struct_packs_it)
{
    const struct ojin_payload payloads[] = {{OJIN_PAYLOAD_AUDIO, bytes_of("abc", 3)},
                                            {OJIN_PAYLOAD_IMAGE, bytes_of(NULL, 0)}};
    struct ojin_frame frame = frame_of_the_table();
    size_t size = ojin_frame_bytes(payloads, 2);
    ck_assert_uint_eq(size, sizeof FRAME);
    uint8_t *out = malloc(size);
    struct writer writer = writer_of(out, size);
    ojin_frame_write_header(&writer, &frame);
    for (size_t i = 0; i < 2; i++)
        ojin_frame_write_entry(&writer, payloads[i].type, payloads[i].data);
    ck_assert(!writer.overflow);
    ck_assert(bytes_equal(bytes_of(out, writer.len), bytes_of(FRAME, sizeof FRAME)));
    free(out);
}
END_TEST

START_TEST(a_frame_borrows_its_payloads_from_the_message)
{
    struct ojin_frame frame;
    ck_assert_int_eq(ojin_frame_decode(bytes_of(FRAME, sizeof FRAME), &frame).status, WIRE_OK);
    ck_assert_ptr_eq(frame.audio.data, FRAME + 42);
    ck_assert(frame.has_image);
    ck_assert_uint_eq(frame.image.len, 0);
}
END_TEST

START_TEST(a_frame_without_entries_is_just_its_header)
{
    ck_assert_uint_eq(ojin_frame_bytes(NULL, 0), OJIN_FRAME_HEADER_BYTES);
}
END_TEST

START_TEST(an_input_of_the_largest_message_decodes_whole)
{
    uint8_t *message = calloc(1, OJIN_MESSAGE_BYTES_MAX);
    ck_assert_ptr_nonnull(message);
    message[0] = OJIN_PAYLOAD_AUDIO;
    struct ojin_input input;
    struct wire_error error = ojin_input_decode(bytes_of(message, OJIN_MESSAGE_BYTES_MAX), &input);
    ck_assert_int_eq(error.status, WIRE_OK);
    ck_assert_uint_eq(input.audio.len, OJIN_MESSAGE_BYTES_MAX - OJIN_INPUT_HEADER_BYTES);
    free(message);
}
END_TEST

START_TEST(an_input_that_does_not_fit_overflows_its_writer)
{
    const struct ojin_input input = {.payload_type = 1, .audio = bytes_of("\1\2", 2)};
    uint8_t *out = malloc(14);
    struct writer writer = writer_of(out, 14);
    ojin_input_write(&writer, &input);
    ck_assert(writer.overflow);
    free(out);
}
END_TEST

START_TEST(empty_params_are_no_json)
{
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    ck_assert_int_eq(ojin_params_read(bytes_of(NULL, 0), &params).status, WIRE_NOT_JSON);
}
END_TEST

START_TEST(params_override_only_the_members_present)
{
    struct ojin_params params = {1, 2, 3, 4, 5};
    struct bytes json = bytes_of_text("{\"idle_filter_amount\":20,\"client_frame_index\":50}");
    ck_assert_int_eq(ojin_params_read(json, &params).status, WIRE_OK);
    const struct ojin_params expected = {1, 20, 3, 4, 50};
    ck_assert_mem_eq(&params, &expected, sizeof params);
}
END_TEST

static const struct {
    const char *json;
    enum wire_status status;
} INDICES[] = {
    {"{\"client_frame_index\":9007199254740992}", WIRE_OK},
    {"{\"client_frame_index\":-1}", WIRE_OK},
    {"{\"client_frame_index\":9007199254740994}", WIRE_OUT_OF_RANGE},
    {"{\"client_frame_index\":9223372036854775807}", WIRE_OUT_OF_RANGE},
    {"{\"client_frame_index\":1e999}", WIRE_OUT_OF_RANGE},
    {"{\"client_frame_index\":1.5}", WIRE_WRONG_MEMBER_TYPE},
    {"{\"client_frame_index\":null}", WIRE_WRONG_MEMBER_TYPE},
};

START_TEST(an_index_too_large_is_told_from_one_that_is_no_integer)
{
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    ck_assert_msg(ojin_params_read(bytes_of_text(INDICES[_i].json), &params).status == INDICES[_i].status,
                  "%s", INDICES[_i].json);
}
END_TEST

static const uint8_t TRACE[UUID_BYTES] = {0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3,
                                          0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00};

START_TEST(session_ready_is_written_as_the_document_has_it)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    ojin_write_session_ready(&text, TRACE, 0.25, 1700000000123, "{\"fps\":25}");
    ck_assert_str_eq(out, "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"123e4567-e89b-12d3-a456-"
                          "426614174000\",\"status\":\"success\",\"load\":0.25,\"parameters\":{\"fps\":25},"
                          "\"timestamp\":1700000000123}}");
    struct ojin_message read;
    ojin_message_read(bytes_of_text(out), &read);
    ck_assert_int_eq(read.type, OJIN_MESSAGE_SESSION_READY);
    ck_assert_int_eq(read.error.status, WIRE_OK);
    ck_assert(read.has_parameters && read.has_timestamp);
    text = text_of(out, sizeof out);
    ojin_write_session_ready(&text, TRACE, 1, 5, NULL);
    ck_assert_ptr_null(strstr(out, "parameters"));
}
END_TEST

START_TEST(error_response_is_written_as_the_document_has_it)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    ojin_write_error_response(&text, "TIMEOUT", "say \"why\"\n", "id-1", 7);
    ck_assert_str_eq(out, "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"TIMEOUT\",\"message\":\"say "
                          "\\\"why\\\"\\n\",\"interaction_id\":\"id-1\",\"timestamp\":7}}");
    struct ojin_message read;
    ojin_message_read(bytes_of_text(out), &read);
    ck_assert_int_eq(read.error.status, WIRE_OK);
    ck_assert_str_eq(read.message, "say \"why\"\n");
    text = text_of(out, sizeof out);
    ojin_write_error_response(&text, "TIMEOUT", "", NULL, 7);
    ck_assert_ptr_null(strstr(out, "interaction_id"));
}
END_TEST

START_TEST(control_messages_are_written_as_the_document_has_them)
{
    char out[TEXT_ROOM];
    struct text text = text_of(out, sizeof out);
    ojin_write_end_interaction(&text, 1700000000123);
    ck_assert_str_eq(out, "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1700000000123}}");
    text = text_of(out, sizeof out);
    ojin_write_cancel_interaction(&text, 0);
    ck_assert_str_eq(out, "{\"type\":\"cancelInteraction\",\"payload\":{\"timestamp\":0}}");
}
END_TEST

/* An errorResponse whose message is `lead` and then as many "é" as make it longer than is kept. */
static void read_long_message(const char *lead, struct ojin_message *read)
{
    char in[TEXT_ROOM], value[OJIN_TEXT_FIELD_MAX * 2];
    struct text text = text_of(value, sizeof value);
    text_add(&text, lead);
    while (text.len < OJIN_TEXT_FIELD_MAX)
        text_add(&text, "\xc3\xa9");
    text = text_of(in, sizeof in);
    ojin_write_error_response(&text, "TIMEOUT", value, NULL, 1);
    ojin_message_read(bytes_of_text(in), read);
}

START_TEST(a_long_member_is_cut_between_characters)
{
    struct ojin_message read;
    read_long_message("", &read);
    ck_assert_int_eq(read.error.status, WIRE_OK);
    ck_assert_uint_eq(strlen(read.message), OJIN_TEXT_FIELD_MAX - 2);
    read_long_message("a", &read);
    ck_assert_uint_eq(strlen(read.message), OJIN_TEXT_FIELD_MAX - 1);
}
END_TEST

START_TEST(right_members_are_set_beside_wrong_ones)
{
    struct ojin_message read;
    ojin_message_read(bytes_of_text("{\"type\":\"errorResponse\",\"payload\":{\"code\":5,\"message\":\"m\","
                                    "\"details\":1,\"timestamp\":9}}"),
                      &read);
    ck_assert_int_eq(read.type, OJIN_MESSAGE_ERROR_RESPONSE);
    ck_assert_int_eq(read.error.status, WIRE_WRONG_MEMBER_TYPE);
    ck_assert_str_eq(read.error.field, "payload.code");
    ck_assert_str_eq(read.message, "m");
    ck_assert_int_eq(read.timestamp_ms, 9);
}
END_TEST

static const char *const CODES[OJIN_ERROR_COUNT] = {
    "AUTH_FAILED",     "UNAUTHORIZED",    "MISSING_CONFIG_ID",   "INVALID_MESSAGE",
    "INVALID_HEADERS", "MODEL_NOT_FOUND", "BACKEND_UNAVAILABLE", "RATE_LIMITED",
    "TIMEOUT",         "CANCELLED",       "INTERNAL_ERROR",      "FRAME_SIZE_EXCEEDED",
};

START_TEST(the_twelve_codes_are_those_of_the_document_in_its_order)
{
    enum ojin_error_code code = OJIN_ERROR_COUNT;
    ck_assert_str_eq(ojin_error_name((enum ojin_error_code)_i), CODES[_i]);
    ck_assert(ojin_error_by_name(bytes_of_text(CODES[_i]), &code));
    ck_assert_int_eq(code, _i);
    ck_assert_uint_gt(strlen(ojin_error_description(code)), 0);
}
END_TEST

static const char *const NO_CODES[] = {"", "TIMEOU", "TIMEOUTS", "timeout", "NO_BACKEND_SERVER_AVAILABLE"};

START_TEST(no_other_name_is_a_code)
{
    enum ojin_error_code code = OJIN_ERROR_TIMEOUT;
    ck_assert(!ojin_error_by_name(bytes_of_text(NO_CODES[_i]), &code));
    ck_assert_int_eq(code, OJIN_ERROR_TIMEOUT);
}
END_TEST

struct profile_case {
    const char *name;
    const char *group;
    bool matches;
};

static const struct profile_case PROFILE_CASES[] = {
    {"oris-1.0", "all", true},
    {"oris-1.0", "both", true},
    {"oris-1.0", "current", true},
    {"oris-1.0", "earlier", false},
    {"oris-1.0", "oris-1.0", true},
    {"oris-1.0", "oris-1.0-earlier", false},
    {"oris-1.0", "flashhead-lite-1.0", false},
    {"oris-1.0", "", false},
    {"oris-1.0-earlier", "all", true},
    {"oris-1.0-earlier", "current", false},
    {"oris-1.0-earlier", "earlier", true},
    {"oris-1.0-earlier", "oris-1.0", false},
    {"flashhead-lite-1.0", "current", true},
    {"flashhead-lite-1.0", "earlier", false},
    {"flashhead-lite-1.0", "flashhead-lite-1.0", true},
};

START_TEST(a_profile_belongs_to_its_groups)
{
    const struct profile_case *row = &PROFILE_CASES[_i];
    const struct profile *profile = ojin_profile_by_name(row->name);
    ck_assert_ptr_nonnull(profile);
    ck_assert_msg(profile_matches(profile, row->group) == row->matches, "%s in %s", row->name, row->group);
}
END_TEST

START_TEST(the_default_profile_is_first_and_unknown_names_have_none)
{
    ck_assert_str_eq(OJIN_PROFILES[0].base.name, "oris-1.0");
    ck_assert_ptr_eq(ojin_profile_by_name("oris-1.0"), &OJIN_PROFILES[0].base);
    ck_assert_ptr_null(ojin_profile_by_name("oris-1"));
    ck_assert_ptr_null(ojin_profile_by_name(""));
}
END_TEST

START_TEST(a_profile_asks_for_the_opening_silence_or_forbids_it)
{
    for (size_t i = 0; i < OJIN_PROFILE_COUNT; i++) {
        const struct ojin_profile *profile = &OJIN_PROFILES[i];
        ck_assert_msg((profile->opening_silence_rule == NULL) != (profile->no_opening_rule == NULL), "%s",
                      profile->base.name);
        ck_assert_int_eq(profile_matches(&profile->base, "current"),
                         profile->stream_start == OJIN_STREAM_ON_FIRST_INPUT);
    }
}
END_TEST

START_TEST(families_are_found_by_name)
{
    const struct family *family = family_by_name("ojin");
    ck_assert_ptr_nonnull(family);
    ck_assert_str_eq(family->id_prefix, "OJ-");
    ck_assert_ptr_null(family_by_name("oji"));
    ck_assert_ptr_null(profile_by_name("oris"));
    for (size_t i = 0; FAMILIES[i] != NULL; i++) {
        ck_assert_ptr_eq(family_by_name(FAMILIES[i]->name), FAMILIES[i]);
        for (size_t n = 0; FAMILIES[i]->profiles[n] != NULL; n++) {
            const struct profile *profile = FAMILIES[i]->profiles[n];
            ck_assert_ptr_eq(profile_by_name(profile->name), profile);
            ck_assert_ptr_eq(family_profile(FAMILIES[i], profile->name), profile);
            ck_assert_str_eq(profile->family, FAMILIES[i]->name);
            ck_assert_str_eq(profile->id_prefix, FAMILIES[i]->id_prefix);
        }
    }
}
END_TEST

static void add_binary_tests(TCase *tcase)
{
    tcase_add_test(tcase, a_frame_is_written_as_struct_packs_it);
    tcase_add_test(tcase, a_frame_borrows_its_payloads_from_the_message);
    tcase_add_test(tcase, a_frame_without_entries_is_just_its_header);
    tcase_add_test(tcase, an_input_of_the_largest_message_decodes_whole);
    tcase_add_test(tcase, an_input_that_does_not_fit_overflows_its_writer);
    tcase_add_test(tcase, empty_params_are_no_json);
    tcase_add_loop_test(tcase, an_index_too_large_is_told_from_one_that_is_no_integer, 0,
                        TABLE_COUNT(INDICES));
    tcase_add_test(tcase, params_override_only_the_members_present);
}

static void add_message_tests(TCase *tcase)
{
    tcase_add_test(tcase, session_ready_is_written_as_the_document_has_it);
    tcase_add_test(tcase, error_response_is_written_as_the_document_has_it);
    tcase_add_test(tcase, control_messages_are_written_as_the_document_has_them);
    tcase_add_test(tcase, a_long_member_is_cut_between_characters);
    tcase_add_test(tcase, right_members_are_set_beside_wrong_ones);
}

int main(void)
{
    TCase *tcase = tcase_create("ojin");
    add_binary_tests(tcase);
    add_message_tests(tcase);
    tcase_add_loop_test(tcase, the_twelve_codes_are_those_of_the_document_in_its_order, 0, OJIN_ERROR_COUNT);
    tcase_add_loop_test(tcase, no_other_name_is_a_code, 0, TABLE_COUNT(NO_CODES));
    tcase_add_loop_test(tcase, a_profile_belongs_to_its_groups, 0, TABLE_COUNT(PROFILE_CASES));
    tcase_add_test(tcase, the_default_profile_is_first_and_unknown_names_have_none);
    tcase_add_test(tcase, a_profile_asks_for_the_opening_silence_or_forbids_it);
    tcase_add_test(tcase, families_are_found_by_name);
    return suite_run("ojin", tcase);
}
