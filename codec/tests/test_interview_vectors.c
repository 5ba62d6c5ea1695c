/* The golden vectors of the interview protocol: each is read as it says, and is written again so that it
 * reads the same. */
#include "codec/interview/messages.h"
#include "codec/tests/suite.h"
#include "codec/tests/vector_file.h"

static const struct interview_dialect *dialect_of(const cJSON *vector)
{
    return interview_profile_by_name(vector_text(vector, "profile"))->dialect;
}

static void assert_text(const cJSON *vector, const char *member, bool has, struct bytes actual)
{
    const cJSON *expected = json_member(json_member(vector, "decoded"), member);
    ck_assert_msg(has == (expected != NULL), "%s: has %s", vector_text(vector, "name"), member);
    ck_assert_msg(!has || bytes_equal_text(actual, expected->valuestring), "%s: %s is %.*s",
                  vector_text(vector, "name"), member, (int)actual.len, (const char *)actual.data);
}

static void assert_message(const cJSON *vector, const struct interview_message *message)
{
    const cJSON *decoded = json_member(vector, "decoded");
    const char *name = vector_text(vector, "name");
    const cJSON *is_final = json_member(decoded, "is_final");
    ck_assert_msg(message->has_audio == (json_member(decoded, "audio") != NULL), "%s: has audio", name);
    if (message->has_audio)
        vector_assert_span(vector, decoded, "audio", message->audio);
    ck_assert_msg(message->has_timestamp == (json_member(decoded, "timestamp") != NULL), "%s: time", name);
    if (message->has_timestamp)
        ck_assert_int_eq(message->timestamp, (int64_t)vector_u64(decoded, "timestamp"));
    ck_assert_msg(message->has_is_final == (is_final != NULL), "%s: has is_final", name);
    ck_assert_msg(message->is_final == (cJSON_IsTrue(is_final) != 0), "%s: is_final", name);
    assert_text(vector, "text", message->has_text, message->text);
    assert_text(vector, "function_name", message->has_function_name, message->function_name);
    assert_text(vector, "result", message->has_result, message->result);
    assert_text(vector, "details", message->has_details, message->details);
    assert_text(vector, "code", message->has_code, message->code);
    assert_text(vector, "message", message->has_message, message->message);
    assert_text(vector, "speaker", message->has_speaker,
                bytes_of_text(interview_speaker_name(message->speaker)));
    assert_text(vector, "status", message->has_status, bytes_of_text(interview_status_name(message->status)));
}

static void assert_written(const cJSON *vector, const struct interview_message *message)
{
    struct interview_message again;
    struct buffer out;
    buffer_init(&out, 65536);
    ck_assert(interview_message_write(dialect_of(vector), message, &out));
    interview_message_read(buffer_bytes(&out), dialect_of(vector), &again);
    ck_assert_uint_eq(again.faults.count, 0);
    ck_assert_int_eq(again.type, message->type);
    assert_message(vector, &again);
    interview_message_free(&again);
    buffer_free(&out);
}

static void check_vector(const cJSON *vector)
{
    const char *name = vector_text(vector, "name");
    struct exact_copy copy = vector_message(vector);
    struct interview_message message;
    interview_message_read(copy.bytes, dialect_of(vector), &message);
    ck_assert_msg(strcmp(interview_message_type_name(message.type),
                         vector_text(json_member(vector, "decoded"), "type")) == 0,
                  "%s: is a %s", name, interview_message_type_name(message.type));
    ck_assert_msg((message.faults.count == 0) == vector_flag(vector, "valid"), "%s: %zu faults", name,
                  message.faults.count);
    if (vector_flag(vector, "valid")) {
        assert_message(vector, &message);
        assert_written(vector, &message);
    } else {
        ck_assert_msg(strcmp(message.faults.list[0].member, vector_text(vector, "fault")) == 0,
                      "%s: about %s", name, message.faults.list[0].member);
    }
    interview_message_free(&message);
    exact_copy_free(copy);
}

START_TEST(each_vector_is_read_as_it_says)
{
    cJSON *vectors = vector_file_load("interviews.json");
    size_t count = 0;
    for (const cJSON *vector = vectors->child; vector != NULL; vector = vector->next, count++)
        check_vector(vector);
    ck_assert_uint_gt(count, 100);
    cJSON_Delete(vectors);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("interview vectors");
    tcase_add_test(tcase, each_vector_is_read_as_it_says);
    return suite_run("interview vectors", tcase);
}
