/* Messages of the interview protocol: what is read, what is wrong with it, and that what is written reads the
 * same. */
#include "codec/interview/messages.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"

enum { OUT_MAX = 1024 * 1024 };

static const struct interview_dialect *dialect_of(const char *profile)
{
    const struct interview_profile *row = interview_profile_by_name(profile);
    ck_assert_ptr_nonnull(row);
    return row->dialect;
}

struct message_case {
    const char *name;
    const char *profile;
    const char *text;
    enum interview_message_type type;
    size_t fault_count;
    /* of the first, where there is one */
    enum json_fault_kind kind;
    const char *told;
};

#define DOC           "interview-1.0"
#define DEPLOYED      "interview-deployed"
#define NO_FAULT      0, JSON_FAULT_NOT_JSON, NULL
#define CHUNK         "{\"type\":\"audio_chunk\","
#define AI            "{\"type\":\"ai_audio_chunk\","
#define TRANSCRIPT    "{\"type\":\"transcript\","
#define RESULT        "{\"type\":\"function_result\","
#define ERROR         "{\"type\":\"error\","
#define STATUS        "{\"type\":\"status\","
#define SECONDS       "\"timestamp\":1699999999"
#define MILLISECONDS  "\"timestamp\":1699999999123"
#define WANTS_SECONDS "timestamp: expected a Unix time in seconds, an integer, found "

static const struct message_case CASES[] = {
    {"empty", DOC, "", INTERVIEW_MESSAGE_NOT_JSON, 1, JSON_FAULT_NOT_JSON,
     "message: expected value, found something else at byte 0"},
    {"plain text", DOC, "hello", INTERVIEW_MESSAGE_NOT_JSON, 1, JSON_FAULT_NOT_JSON, NULL},
    {"NUL in a string", DOC, "{\"type\":\"\\u0000\"}", INTERVIEW_MESSAGE_UNREADABLE, 1, JSON_FAULT_UNREADABLE,
     "message: expected strings without \\u0000, found one at byte 9"},
    {"a list", DOC, "[]", INTERVIEW_MESSAGE_NO_OBJECT, 1, JSON_FAULT_NOT_OBJECT,
     "message: expected an object, found another value"},
    {"no type", DOC, "{}", INTERVIEW_MESSAGE_OTHER, 1, JSON_FAULT_MISSING,
     "type: expected a string, found nothing"},
    {"type a number", DOC, "{\"type\":5}", INTERVIEW_MESSAGE_OTHER, 1, JSON_FAULT_WRONG_TYPE,
     "type: expected a string, found a number"},
    {"unknown type", DOC, "{\"type\":\"session.update\"}", INTERVIEW_MESSAGE_OTHER, 1,
     JSON_FAULT_UNKNOWN_TYPE, "type: expected a message of the protocol, found \"session.update\""},

    {"chunk", DOC, CHUNK "\"audio\":\"AAABAAIA\"," SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK, NO_FAULT},
    {"chunk of nothing", DOC, CHUNK "\"audio\":\"\"," SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK, NO_FAULT},
    {"chunk without audio", DOC, CHUNK SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_MISSING,
     "audio: expected a string of base64, found nothing"},
    {"audio null", DOC, CHUNK "\"audio\":null," SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK, 1,
     JSON_FAULT_WRONG_TYPE, "audio: expected a string of base64, found null"},
    {"audio a list", DOC, CHUNK "\"audio\":[0,1]," SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK, 1,
     JSON_FAULT_WRONG_TYPE, "audio: expected a string of base64, found a list"},
    {"base64 for URLs", DOC, CHUNK "\"audio\":\"AAA-\"," SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK, 1,
     JSON_FAULT_BASE64, "audio: expected a character of the base64 alphabet, found '-' at character 4"},
    {"base64 without padding", DOC, CHUNK "\"audio\":\"AAAAA\"," SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK,
     1, JSON_FAULT_BASE64,
     "audio: expected a length that is a multiple of 4, padded with '=', found the end after 5 characters"},
    {"audio with a prefix", DOC, CHUNK "\"audio\":\"data:audio/pcm;base64,AAAA\"," SECONDS "}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_BASE64,
     "audio: expected base64 alone, found a data: prefix"},
    {"half a sample", DOC, CHUNK "\"audio\":\"AAAA\"," SECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK, 1,
     JSON_FAULT_ODD_AUDIO, "audio: expected whole samples of 2 bytes, found 3 bytes"},
    {"no timestamp", DOC, CHUNK "\"audio\":\"AAA=\"}", INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_MISSING,
     WANTS_SECONDS "nothing"},
    {"timestamp a string", DOC, CHUNK "\"audio\":\"AAA=\",\"timestamp\":\"1699999999\"}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_WRONG_TYPE, WANTS_SECONDS "a string"},
    {"timestamp with a fraction", DOC, CHUNK "\"audio\":\"AAA=\",\"timestamp\":1699999999.5}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_WRONG_TYPE, WANTS_SECONDS "1699999999.5"},
    {"timestamp below zero", DOC, CHUNK "\"audio\":\"AAA=\",\"timestamp\":-1}", INTERVIEW_MESSAGE_AUDIO_CHUNK,
     1, JSON_FAULT_RANGE, WANTS_SECONDS "-1"},
    {"the last second", DOC, CHUNK "\"audio\":\"AAA=\",\"timestamp\":99999999999}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, NO_FAULT},
    {"a second later", DOC, CHUNK "\"audio\":\"AAA=\",\"timestamp\":100000000000}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_RANGE, WANTS_SECONDS "100000000000"},
    {"milliseconds for seconds", DOC, CHUNK "\"audio\":\"AAA=\"," MILLISECONDS "}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_RANGE, WANTS_SECONDS "1699999999123"},
    {"everything wrong", DOC, CHUNK "\"audio\":7,\"timestamp\":true}", INTERVIEW_MESSAGE_AUDIO_CHUNK, 2,
     JSON_FAULT_WRONG_TYPE, "audio: expected a string of base64, found a number"},
    {"commit", DOC, "{\"type\":\"commit_audio\"}", INTERVIEW_MESSAGE_COMMIT_AUDIO, NO_FAULT},
    {"commit of the deployed server", DOC, "{\"type\":\"audio_commit\"}", INTERVIEW_MESSAGE_OTHER, 1,
     JSON_FAULT_UNKNOWN_TYPE, NULL},
    {"cancel", DOC, "{\"type\":\"cancel_response\"}", INTERVIEW_MESSAGE_CANCEL_RESPONSE, NO_FAULT},
    {"ping", DOC, "{\"type\":\"ping\"}", INTERVIEW_MESSAGE_OTHER, 1, JSON_FAULT_UNKNOWN_TYPE, NULL},

    {"ai chunk", DOC, AI "\"audio\":\"AAABAA==\",\"transcript\":\"Tell me\",\"is_final\":false}",
     INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, NO_FAULT},
    {"ai chunk without transcript", DOC, AI "\"audio\":\"\",\"is_final\":true}",
     INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, NO_FAULT},
    {"ai chunk with a null", DOC, AI "\"audio\":\"\",\"transcript\":null,\"is_final\":true}",
     INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, NO_FAULT},
    {"transcript a list", DOC, AI "\"audio\":\"\",\"transcript\":[],\"is_final\":true}",
     INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, 1, JSON_FAULT_WRONG_TYPE,
     "transcript: expected a string, found a list"},
    {"ai chunk without is_final", DOC, AI "\"audio\":\"\"}", INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, 1,
     JSON_FAULT_MISSING, "is_final: expected true or false, found nothing"},
    {"is_final null", DOC, AI "\"audio\":\"\",\"is_final\":null}", INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, 1,
     JSON_FAULT_WRONG_TYPE, "is_final: expected true or false, found null"},
    {"is_final a number", DOC, AI "\"audio\":\"\",\"is_final\":1}", INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, 1,
     JSON_FAULT_WRONG_TYPE, NULL},
    {"ai chunk with half a sample", DOC, AI "\"audio\":\"AAAA\",\"is_final\":false}",
     INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, 1, JSON_FAULT_ODD_AUDIO, NULL},

    {"transcript", DOC, TRANSCRIPT "\"speaker\":\"candidate\",\"text\":\"I did.\"," SECONDS "}",
     INTERVIEW_MESSAGE_TRANSCRIPT, NO_FAULT},
    {"transcript of the ai", DOC, TRANSCRIPT "\"speaker\":\"ai\",\"text\":\"\"," SECONDS "}",
     INTERVIEW_MESSAGE_TRANSCRIPT, NO_FAULT},
    {"a third speaker", DOC, TRANSCRIPT "\"speaker\":\"interviewer\",\"text\":\"\"," SECONDS "}",
     INTERVIEW_MESSAGE_TRANSCRIPT, 1, JSON_FAULT_RANGE,
     "speaker: expected one of the two speakers, found \"interviewer\""},
    {"transcript without anything", DOC, TRANSCRIPT "\"x\":1}", INTERVIEW_MESSAGE_TRANSCRIPT, 3,
     JSON_FAULT_MISSING, "speaker: expected a string, found nothing"},
    {"transcript with a role", DOC, TRANSCRIPT "\"role\":\"user\",\"text\":\"\"," SECONDS "}",
     INTERVIEW_MESSAGE_TRANSCRIPT, 1, JSON_FAULT_MISSING, NULL},

    {"result", DOC,
     RESULT "\"function_name\":\"evaluate_candidate_answer\",\"result\":{\"answer_quality\":\"good\","
            "\"score\":8}}",
     INTERVIEW_MESSAGE_FUNCTION_RESULT, NO_FAULT},
    {"result a list", DOC, RESULT "\"function_name\":\"f\",\"result\":[1,[2,{\"a\":\"]\"}]]}",
     INTERVIEW_MESSAGE_FUNCTION_RESULT, NO_FAULT},
    {"result a string", DOC, RESULT "\"function_name\":\"f\",\"result\":\"a\\\"b}\"}",
     INTERVIEW_MESSAGE_FUNCTION_RESULT, NO_FAULT},
    {"result without result", DOC, RESULT "\"function_name\":\"f\"}", INTERVIEW_MESSAGE_FUNCTION_RESULT, 1,
     JSON_FAULT_MISSING, "result: expected a value, found nothing"},
    {"result without a name", DOC, RESULT "\"result\":{}}", INTERVIEW_MESSAGE_FUNCTION_RESULT, 1,
     JSON_FAULT_MISSING, "function_name: expected a string, found nothing"},

    {"error", DOC, ERROR "\"code\":\"OPENAI_API_ERROR\",\"message\":\"m\",\"details\":{\"a\":4800}}",
     INTERVIEW_MESSAGE_ERROR, NO_FAULT},
    {"error without details", DOC, ERROR "\"code\":\"X\",\"message\":\"\"}", INTERVIEW_MESSAGE_ERROR,
     NO_FAULT},
    {"error with details null", DOC, ERROR "\"code\":\"X\",\"message\":\"\",\"details\":null}",
     INTERVIEW_MESSAGE_ERROR, NO_FAULT},
    {"error without code", DOC, ERROR "\"message\":\"m\"}", INTERVIEW_MESSAGE_ERROR, 1, JSON_FAULT_MISSING,
     "code: expected a string, found nothing"},
    {"code a number", DOC, ERROR "\"code\":1008,\"message\":\"m\"}", INTERVIEW_MESSAGE_ERROR, 1,
     JSON_FAULT_WRONG_TYPE, "code: expected a string, found a number"},

    {"connecting", DOC, STATUS "\"status\":\"connecting\",\"message\":\"m\"}", INTERVIEW_MESSAGE_STATUS,
     NO_FAULT},
    {"connected", DOC, STATUS "\"status\":\"connected\",\"message\":\"m\"}", INTERVIEW_MESSAGE_STATUS,
     NO_FAULT},
    {"disconnected", DOC, STATUS "\"status\":\"disconnected\",\"message\":\"\"}", INTERVIEW_MESSAGE_STATUS,
     NO_FAULT},
    {"another status", DOC, STATUS "\"status\":\"ready\",\"message\":\"m\"}", INTERVIEW_MESSAGE_STATUS, 1,
     JSON_FAULT_RANGE, "status: expected connecting, connected or disconnected, found \"ready\""},
    {"status without message", DOC, STATUS "\"status\":\"connected\"}", INTERVIEW_MESSAGE_STATUS, 1,
     JSON_FAULT_MISSING, "message: expected a string, found nothing"},
    {"connected of the deployed server", DOC, "{\"type\":\"connected\"}", INTERVIEW_MESSAGE_OTHER, 1,
     JSON_FAULT_UNKNOWN_TYPE, NULL},

    {"deployed connected", DEPLOYED, "{\"type\":\"connected\"}", INTERVIEW_MESSAGE_STATUS, NO_FAULT},
    {"deployed connected with a message", DEPLOYED, "{\"type\":\"connected\",\"message\":\"m\"}",
     INTERVIEW_MESSAGE_STATUS, NO_FAULT},
    {"deployed status", DEPLOYED, STATUS "\"status\":\"disconnected\",\"message\":\"m\"}",
     INTERVIEW_MESSAGE_STATUS, NO_FAULT},
    {"deployed commit", DEPLOYED, "{\"type\":\"audio_commit\"}", INTERVIEW_MESSAGE_COMMIT_AUDIO, NO_FAULT},
    {"documented commit", DEPLOYED, "{\"type\":\"commit_audio\"}", INTERVIEW_MESSAGE_OTHER, 1,
     JSON_FAULT_UNKNOWN_TYPE, NULL},
    {"deployed chunk", DEPLOYED, CHUNK "\"audio\":\"AAA=\"," MILLISECONDS "}", INTERVIEW_MESSAGE_AUDIO_CHUNK,
     NO_FAULT},
    {"seconds for milliseconds", DEPLOYED, CHUNK "\"audio\":\"AAA=\"," SECONDS "}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, 1, JSON_FAULT_RANGE,
     "timestamp: expected a Unix time in milliseconds, an integer, found 1699999999"},
    {"the first millisecond", DEPLOYED, CHUNK "\"audio\":\"AAA=\",\"timestamp\":100000000000}",
     INTERVIEW_MESSAGE_AUDIO_CHUNK, NO_FAULT},
    {"deployed transcript", DEPLOYED,
     TRANSCRIPT "\"role\":\"assistant\",\"text\":\"\\u00e9\"," MILLISECONDS "}", INTERVIEW_MESSAGE_TRANSCRIPT,
     NO_FAULT},
    {"deployed transcript with a speaker", DEPLOYED,
     TRANSCRIPT "\"speaker\":\"ai\",\"text\":\"\"," MILLISECONDS "}", INTERVIEW_MESSAGE_TRANSCRIPT, 1,
     JSON_FAULT_MISSING, "role: expected a string, found nothing"},
    {"deployed role of the document", DEPLOYED,
     TRANSCRIPT "\"role\":\"candidate\",\"text\":\"\"," MILLISECONDS "}", INTERVIEW_MESSAGE_TRANSCRIPT, 1,
     JSON_FAULT_RANGE, NULL},
    {"deployed error", DEPLOYED, ERROR "\"error\":\"OPENAI_API_ERROR\",\"message\":\"m\"}",
     INTERVIEW_MESSAGE_ERROR, NO_FAULT},
    {"deployed error with a code", DEPLOYED, ERROR "\"code\":\"X\",\"message\":\"m\"}",
     INTERVIEW_MESSAGE_ERROR, 1, JSON_FAULT_MISSING, "error: expected a string, found nothing"},
    {"deployed ping", DEPLOYED, "{\"type\":\"ping\"}", INTERVIEW_MESSAGE_PING, NO_FAULT},
    {"deployed pong", DEPLOYED, "{\"type\":\"pong\"}", INTERVIEW_MESSAGE_PONG, NO_FAULT},
};

static void check_first_fault(const struct message_case *row, const struct interview_message *message)
{
    char told[256];
    struct text text = text_of(told, sizeof told);
    if (row->fault_count == 0)
        return;
    ck_assert_msg(message->faults.list[0].kind == row->kind, "%s: kind %d", row->name,
                  message->faults.list[0].kind);
    json_fault_write(&text, &message->faults.list[0]);
    ck_assert_msg(row->told == NULL || strcmp(told, row->told) == 0, "%s: %s", row->name, told);
}

START_TEST(a_message_is_read_with_its_faults)
{
    const struct message_case *row = &CASES[_i];
    struct exact_copy copy = exact_copy_of(bytes_of_text(row->text));
    struct interview_message message;
    interview_message_read(copy.bytes, dialect_of(row->profile), &message);
    ck_assert_msg(message.type == row->type, "%s: is a %s", row->name,
                  interview_message_type_name(message.type));
    ck_assert_msg(message.faults.count == row->fault_count, "%s: %zu faults", row->name,
                  message.faults.count);
    check_first_fault(row, &message);
    interview_message_free(&message);
    exact_copy_free(copy);
}
END_TEST

START_TEST(every_prefix_of_a_message_is_no_json)
{
    const struct message_case *row = &CASES[_i];
    const size_t whole = strlen(row->text);
    for (size_t len = 0; row->fault_count == 0 && len < whole; len++) {
        struct exact_copy copy = exact_copy_of(bytes_of(row->text, len));
        struct interview_message message;
        interview_message_read(copy.bytes, dialect_of(row->profile), &message);
        ck_assert_msg(message.type == INTERVIEW_MESSAGE_NOT_JSON, "%s: %zu bytes", row->name, len);
        ck_assert_uint_le(message.faults.list[0].offset, len);
        interview_message_free(&message);
        exact_copy_free(copy);
    }
}
END_TEST

/* What is right is written as it stood, members in the order of the document; only null and escapes are not.
 */
START_TEST(what_is_written_is_what_was_read)
{
    const struct message_case *row = &CASES[_i];
    const struct interview_dialect *dialect = dialect_of(row->profile);
    if (row->fault_count > 0 || strstr(row->text, "null") != NULL || strstr(row->text, "\\u") != NULL)
        return;
    struct exact_copy copy = exact_copy_of(bytes_of_text(row->text));
    struct interview_message message;
    struct buffer out;
    buffer_init(&out, OUT_MAX);
    interview_message_read(copy.bytes, dialect, &message);
    ck_assert(interview_message_write(dialect, &message, &out));
    ck_assert_msg(bytes_equal(buffer_bytes(&out), copy.bytes), "%s: %.*s", row->name, (int)out.len,
                  (const char *)out.data);
    buffer_free(&out);
    interview_message_free(&message);
    exact_copy_free(copy);
}
END_TEST

START_TEST(what_does_not_fit_is_not_written)
{
    static const char whole[] = "{\"type\":\"status\",\"status\":\"connected\",\"message\":\"\\\"\"}";
    const struct interview_message status = {.type = INTERVIEW_MESSAGE_STATUS,
                                             .has_status = true,
                                             .status = INTERVIEW_STATUS_CONNECTED,
                                             .has_message = true,
                                             .message = bytes_of_text("\"")};
    struct buffer out;
    bool fitted = false;
    for (size_t room = 0; room < 200; room++) {
        buffer_init(&out, room);
        const bool fits = interview_message_write(dialect_of(DOC), &status, &out);
        ck_assert(fits || !fitted);
        ck_assert(bytes_equal_text(buffer_bytes(&out), fits ? whole : ""));
        fitted = fits;
        buffer_free(&out);
    }
    ck_assert(fitted);
}
END_TEST

START_TEST(a_message_that_the_dialect_lacks_is_not_written)
{
    static const enum interview_message_type lacking[] = {
        INTERVIEW_MESSAGE_PING, INTERVIEW_MESSAGE_PONG, INTERVIEW_MESSAGE_OTHER, INTERVIEW_MESSAGE_NOT_JSON};
    for (size_t i = 0; i < sizeof lacking / sizeof lacking[0]; i++) {
        const struct interview_message message = {.type = lacking[i]};
        struct buffer out;
        buffer_init(&out, 100);
        ck_assert(!interview_message_write(dialect_of(DOC), &message, &out));
        ck_assert_uint_eq(out.len, 0);
        buffer_free(&out);
    }
}
END_TEST

/* field notes: a mock may differ from the document in one thing alone. */
START_TEST(a_dialect_may_differ_in_one_member)
{
    static const char written[] = "{\"type\":\"error\",\"error\":\"X\",\"message\":\"m\"}";
    struct interview_dialect dialect = *dialect_of(DOC);
    dialect.error_code = "error";
    struct interview_message error;
    struct buffer out;
    interview_message_read(bytes_of_text(written), &dialect, &error);
    ck_assert_uint_eq(error.faults.count, 0);
    ck_assert(bytes_equal_text(error.code, "X"));
    buffer_init(&out, 100);
    ck_assert(interview_message_write(&dialect, &error, &out));
    ck_assert(bytes_equal_text(buffer_bytes(&out), written));
    buffer_free(&out);
    interview_message_free(&error);
}
END_TEST

struct raw_case {
    const char *text;
    const char *raw;
};

/* As it stood, with its own white space and its own way to write numbers. */
static const struct raw_case RAWS[] = {
    {RESULT "\"function_name\":\"f\",\"result\":null}", "null"},
    {RESULT "\"function_name\":\"f\",\"result\" : { \"a\" : 1.50 , \"b\":[ ] } }",
     "{ \"a\" : 1.50 , \"b\":[ ] }"},
    {RESULT "\"result\":12345678901234567890,\"function_name\":\"f\"}", "12345678901234567890"},
    {RESULT "\"result\":\t-0.0\n,\"function_name\":\"f\"}", "-0.0"},
    {RESULT "\"result\":1,\"function_name\":\"f\",\"result\":2}", "2"},
    {RESULT "\"re\\u0073ult\":true,\"function_name\":\"result\"}", "true"},
    {RESULT "\"other\":{\"result\":1},\"result\":\"\\\\\",\"function_name\":\"f\"}", "\"\\\\\""},
    {RESULT "\"function_name\":\"f\",\"result\":[\"a,b\",\"}\",\"\\\"]\"]}", "[\"a,b\",\"}\",\"\\\"]\"]"},
    {"\n {\"result\":{},\"type\":\"function_result\",\"function_name\":\"f\"} \t", "{}"},
};

START_TEST(a_result_is_passed_on_as_it_stood)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(RAWS[_i].text));
    struct interview_message message;
    interview_message_read(copy.bytes, dialect_of(DOC), &message);
    exact_copy_free(copy); /* it is the message's own */
    ck_assert_uint_eq(message.faults.count, 0);
    ck_assert(message.has_result);
    ck_assert_msg(bytes_equal_text(message.result, RAWS[_i].raw), "%.*s", (int)message.result.len,
                  (const char *)message.result.data);
    interview_message_free(&message);
}
END_TEST

START_TEST(details_are_passed_on_as_they_stood)
{
    struct interview_message message;
    interview_message_read(bytes_of_text(ERROR "\"code\":\"c\",\"message\":\"m\",\"details\":[1, 2]}"),
                           dialect_of(DOC), &message);
    ck_assert(message.has_details && bytes_equal_text(message.details, "[1, 2]"));
    ck_assert(bytes_equal_text(message.code, "c") && bytes_equal_text(message.message, "m"));
    interview_message_free(&message);
    interview_message_read(bytes_of_text(ERROR "\"code\":\"c\",\"message\":\"m\",\"details\":null}"),
                           dialect_of(DOC), &message);
    ck_assert(!message.has_details);
    interview_message_free(&message);
}
END_TEST

/* 004 Audio Format: signed, little-endian. */
START_TEST(samples_are_little_endian)
{
    static const int16_t expected[] = {1, -1, -32768, 32767, 256};
    struct interview_message message;
    interview_message_read(bytes_of_text(AI "\"audio\":\"AQD//wCA/38AAQ==\",\"is_final\":true}"),
                           dialect_of(DOC), &message);
    ck_assert_uint_eq(message.faults.count, 0);
    ck_assert_uint_eq(interview_sample_count(message.audio), 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(interview_sample_at(message.audio, i), expected[i]);
    interview_message_free(&message);
}
END_TEST

/* What is whole of it can be played all the same. */
START_TEST(a_sample_that_is_cut_is_left_out)
{
    struct interview_message message;
    interview_message_read(bytes_of_text(AI "\"audio\":\"AQD/\",\"is_final\":true}"), dialect_of(DOC),
                           &message);
    ck_assert_int_eq(message.faults.list[0].kind, JSON_FAULT_ODD_AUDIO);
    ck_assert(message.has_audio && message.is_final);
    ck_assert_uint_eq(interview_sample_count(message.audio), 1);
    interview_message_free(&message);
}
END_TEST

START_TEST(audio_made_ahead_is_written_as_it_is)
{
    const struct interview_message chunk = {.type = INTERVIEW_MESSAGE_AI_AUDIO_CHUNK,
                                            .has_audio = true,
                                            .audio = bytes_of("\0\0\1\0", 4),
                                            .audio_encoded = bytes_of_text("AAABAA=="),
                                            .has_text = true,
                                            .text = bytes_of_text("\"\xc3\xa9\n"),
                                            .has_is_final = true};
    struct buffer out;
    buffer_init(&out, 1000);
    ck_assert(interview_message_write(dialect_of(DOC), &chunk, &out));
    ck_assert(bytes_equal_text(buffer_bytes(&out), AI "\"audio\":\"AAABAA==\",\"transcript\":"
                                                      "\"\\\"\xc3\xa9\\n\",\"is_final\":false}"));
    buffer_free(&out);
}
END_TEST

START_TEST(a_message_of_a_megabyte_is_read_and_judged_elsewhere)
{
    /* The limit is a server's to keep: 004 Rate Limiting. */
    const size_t size = INTERVIEW_MESSAGE_BYTES_MAX + 1;
    uint8_t *data = malloc(size);
    ck_assert_ptr_nonnull(data);
    memset(data, ' ', size);
    memcpy(data, "{\"type\":\"commit_audio\"}", 23);
    struct interview_message message;
    interview_message_read(bytes_of(data, size), dialect_of(DOC), &message);
    ck_assert_int_eq(message.type, INTERVIEW_MESSAGE_COMMIT_AUDIO);
    interview_message_free(&message);
    memset(data, ',', size);
    interview_message_read(bytes_of(data, size), dialect_of(DOC), &message);
    ck_assert_int_eq(message.type, INTERVIEW_MESSAGE_UNREADABLE);
    ck_assert_ptr_null(message.tree);
    interview_message_free(&message);
    free(data);
}
END_TEST

START_TEST(a_member_nobody_knows_is_named_and_no_fault)
{
    static const char *const texts[][2] = {
        {"{\"type\":\"commit_audio\",\"wait\":1}", "wait"},
        {CHUNK "\"audio\":\"\"," SECONDS ",\"seq\":1}", "seq"},
        {STATUS "\"status\":\"connected\",\"message\":\"\",\"session_id\":\"x\"}", "session_id"},
        {AI "\"audio\":\"\",\"is_final\":true,\"text\":\"\"}", "text"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct interview_message message;
        interview_message_read(bytes_of_text(texts[i][0]), dialect_of(DOC), &message);
        ck_assert_uint_eq(message.faults.count, 0);
        ck_assert(bytes_equal_text(message.faults.unknown_member, texts[i][1]));
        interview_message_free(&message);
    }
}
END_TEST

struct answer_case {
    const char *text;
    enum interview_error_code code;
};

/* 004 Message Error Codes: the causes */
static const struct answer_case ANSWERS[] = {
    {CHUNK "\"audio\":\"AAAA\"," SECONDS "}", INTERVIEW_ERROR_AUDIO_PROCESSING},
    {CHUNK "\"audio\":\"?\"," SECONDS "}", INTERVIEW_ERROR_AUDIO_PROCESSING},
    {CHUNK "\"audio\":5," SECONDS "}", INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT},
    {CHUNK "\"audio\":\"\"}", INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT},
    {"{\"type\":\"hello\"}", INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT},
    {"hello", INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT},
};

START_TEST(a_fault_has_the_code_that_answers_it)
{
    struct interview_message message;
    interview_message_read(bytes_of_text(ANSWERS[_i].text), dialect_of(DOC), &message);
    ck_assert_uint_eq(message.faults.count, 1);
    ck_assert_int_eq(interview_fault_error(&message.faults.list[0]), ANSWERS[_i].code);
    interview_message_free(&message);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("interview messages");
    tcase_add_loop_test(tcase, a_message_is_read_with_its_faults, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, every_prefix_of_a_message_is_no_json, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, what_is_written_is_what_was_read, 0, TABLE_COUNT(CASES));
    tcase_add_test(tcase, what_does_not_fit_is_not_written);
    tcase_add_test(tcase, a_message_that_the_dialect_lacks_is_not_written);
    tcase_add_test(tcase, a_dialect_may_differ_in_one_member);
    tcase_add_loop_test(tcase, a_result_is_passed_on_as_it_stood, 0, TABLE_COUNT(RAWS));
    tcase_add_test(tcase, details_are_passed_on_as_they_stood);
    tcase_add_test(tcase, samples_are_little_endian);
    tcase_add_test(tcase, a_sample_that_is_cut_is_left_out);
    tcase_add_test(tcase, audio_made_ahead_is_written_as_it_is);
    tcase_add_test(tcase, a_message_of_a_megabyte_is_read_and_judged_elsewhere);
    tcase_add_test(tcase, a_member_nobody_knows_is_named_and_no_fault);
    tcase_add_loop_test(tcase, a_fault_has_the_code_that_answers_it, 0, TABLE_COUNT(ANSWERS));
    return suite_run("interview messages", tcase);
}
