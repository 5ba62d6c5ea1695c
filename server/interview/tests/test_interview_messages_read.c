/* What the journal, refusals and scripts make of the family's messages: the table of session_messages.h. */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/crc32.h"
#include "codec/wire/float32.h"
#include "server/interview/messages.h"

enum { TEXT_MAX = 400 };

#define CHUNK_OF(audio, rest) "{\"type\":\"ai_audio_chunk\",\"audio\":\"" audio "\"" rest "}"

/* ---- mistakes of our own ---- */

static const struct {
    const char *name;
    bool binary;
    const char *message;
    bool is_mistake;
} SENT[] = {
    {"a status", false, "{\"type\":\"status\",\"status\":\"connected\",\"message\":\"m\"}", false},
    {"connected as deployed", false, "{\"type\":\"connected\",\"message\":\"m\"}", false},
    {"a chunk", false, CHUNK_OF("AAA=", ",\"is_final\":true"), false},
    {"a chunk with half a sample", false, CHUNK_OF("AAAA", ",\"is_final\":true"), true},
    {"a chunk that says not whether it is the last", false, CHUNK_OF("AAA=", ""), true},
    {"a transcript in seconds", false,
     "{\"type\":\"transcript\",\"speaker\":\"ai\",\"text\":\"t\",\"timestamp\":1700000000}", false},
    {"a transcript in milliseconds, with a role", false,
     "{\"type\":\"transcript\",\"role\":\"assistant\",\"text\":\"t\",\"timestamp\":1700000000000}", false},
    {"a transcript of nobody", false,
     "{\"type\":\"transcript\",\"speaker\":\"nobody\",\"text\":\"t\",\"timestamp\":1700000000}", true},
    {"an error as deployed", false, "{\"type\":\"error\",\"error\":\"X\",\"message\":\"m\"}", false},
    {"an error without a code", false, "{\"type\":\"error\",\"message\":\"m\"}", true},
    {"a message of another type", false, "{\"type\":\"session_metrics\"}", false},
    {"no JSON", false, "{", true},
    {"a binary message", true, "abc", true},
};

START_TEST(a_mistake_of_ours_is_seen)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(SENT[_i].message));
    const char *mistake = INTERVIEW_MESSAGES.mistake(SENT[_i].binary, copy.bytes, NULL);
    ck_assert_msg((mistake != NULL) == SENT[_i].is_mistake, "%s: %s", SENT[_i].name,
                  mistake == NULL ? "none" : mistake);
    exact_copy_free(copy);
}
END_TEST

/* ---- speech ---- */

START_TEST(the_sound_of_a_chunk_is_read)
{
    static const uint8_t PCM[] = {0x00, 0x40, 0x00, 0x80}; /* a half, minus one */
    struct exact_copy copy =
        exact_copy_of(bytes_of_text(CHUNK_OF("AEAAgA==", ",\"transcript\":\"Hello\",\"is_final\":true")));
    struct speech_summary summary;
    struct buffer pcm;
    buffer_init(&pcm, SIZE_MAX / 2);
    ck_assert(INTERVIEW_MESSAGES.speech(copy.bytes, &pcm, &summary));
    ck_assert(summary.decodes && summary.has_audio && summary.ends_turn && !summary.stops);
    ck_assert_uint_eq(summary.samples, 2);
    ck_assert_uint_eq(summary.audio_crc, crc32_of(bytes_of(PCM, sizeof PCM)));
    ck_assert_str_eq(summary.text, "Hello");
    ck_assert_uint_eq(pcm.len, 2 * FLOAT32_BYTES);
    ck_assert_float_eq(float32_at(buffer_bytes(&pcm), 0), 0.5F);
    ck_assert_float_eq(float32_at(buffer_bytes(&pcm), 1), -1.0F);
    buffer_free(&pcm);
    exact_copy_free(copy);
}
END_TEST

static const struct {
    const char *name;
    const char *message;
    bool is_speech, decodes, has_audio;
    uint32_t samples;
} SPOKEN[] = {
    {"an empty chunk", CHUNK_OF("", ",\"is_final\":true"), true, true, true, 0},
    {"damaged base64", CHUNK_OF("A!A=", ",\"is_final\":false"), true, false, false, 0},
    {"no audio at all", "{\"type\":\"ai_audio_chunk\",\"is_final\":true}", true, false, false, 0},
    {"a transcript", "{\"type\":\"transcript\",\"speaker\":\"ai\",\"text\":\"t\",\"timestamp\":1}", false,
     false, false, 0},
    {"no JSON", "ai_audio_chunk", false, false, false, 0},
};

START_TEST(what_is_no_sound_adds_none)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(SPOKEN[_i].message));
    struct speech_summary summary = {.decodes = false};
    struct buffer pcm;
    buffer_init(&pcm, SIZE_MAX / 2);
    ck_assert_msg(INTERVIEW_MESSAGES.speech(copy.bytes, &pcm, &summary) == SPOKEN[_i].is_speech, "%s",
                  SPOKEN[_i].name);
    ck_assert_msg(summary.decodes == SPOKEN[_i].decodes && summary.has_audio == SPOKEN[_i].has_audio, "%s",
                  SPOKEN[_i].name);
    ck_assert_uint_eq(summary.samples, SPOKEN[_i].samples);
    ck_assert_uint_eq(pcm.len, 0);
    buffer_free(&pcm);
    exact_copy_free(copy);
}
END_TEST

static const struct {
    const char *name;
    bool binary;
    const char *message;
    size_t length, bytes; /* as it is said without decoding, and as it is decoded */
} HEARD[] = {
    {"two samples", false, "{\"type\":\"audio_chunk\",\"audio\":\"AQACAA==\",\"timestamp\":1}", 4, 4},
    {"one sample and a half", false, "{\"type\":\"audio_chunk\",\"audio\":\"AQAC\",\"timestamp\":1}", 2, 2},
    {"nothing", false, "{\"type\":\"audio_chunk\",\"audio\":\"\"}", 0, 0},
    {"damaged base64", false, "{\"type\":\"audio_chunk\",\"audio\":\"!!!!\"}", 2, SESSION_NO_INPUT},
    {"padding alone", false, "{\"type\":\"audio_chunk\",\"audio\":\"==\"}", 0, SESSION_NO_INPUT},
    {"a commit", false, "{\"type\":\"commit_audio\"}", SESSION_NO_INPUT, SESSION_NO_INPUT},
    {"no audio", false, "{\"type\":\"audio_chunk\"}", SESSION_NO_INPUT, SESSION_NO_INPUT},
    {"a binary message", true, "{\"type\":\"audio_chunk\",\"audio\":\"AQACAA==\"}", SESSION_NO_INPUT,
     SESSION_NO_INPUT},
};

START_TEST(what_the_client_said_is_read)
{
    static const uint8_t PCM[] = {1, 0, 2, 0};
    struct exact_copy copy = exact_copy_of(bytes_of_text(HEARD[_i].message));
    struct buffer out;
    buffer_init(&out, SIZE_MAX / 2);
    ck_assert_uint_eq(INTERVIEW_MESSAGES.input_audio(HEARD[_i].binary, copy.bytes, NULL, 0),
                      HEARD[_i].length);
    ck_assert_uint_eq(INTERVIEW_MESSAGES.input_audio(HEARD[_i].binary, copy.bytes, &out, 2), HEARD[_i].bytes);
    /* The bound holds for what is kept, not for what is said of it. */
    const size_t kept = HEARD[_i].bytes == SESSION_NO_INPUT || HEARD[_i].bytes == 0 ? 0 : 2;
    ck_assert_uint_eq(out.len, kept);
    if (kept > 0)
        ck_assert_mem_eq(out.data, PCM, kept);
    buffer_free(&out);
    exact_copy_free(copy);
}
END_TEST

/* ---- errors ---- */

static const struct {
    const char *name;
    const char *message;
    const char *code;  /* NULL: it is no error */
    const char *blame; /* NULL: the client is not blamed */
} ERRORS[] = {
    {"bad input", "{\"type\":\"error\",\"code\":\"AUDIO_PROCESSING_ERROR\",\"message\":\"odd\"}",
     "AUDIO_PROCESSING_ERROR", "AUDIO_PROCESSING_ERROR: odd"},
    {"bad input as deployed", "{\"type\":\"error\",\"error\":\"INVALID_MESSAGE_FORMAT\",\"message\":\"m\"}",
     "INVALID_MESSAGE_FORMAT", "INVALID_MESSAGE_FORMAT: m"},
    {"the service's own", "{\"type\":\"error\",\"code\":\"OPENAI_API_ERROR\",\"message\":\"m\"}",
     "OPENAI_API_ERROR", NULL},
    {"one that nobody knows", "{\"type\":\"error\",\"code\":\"X\",\"message\":\"m\"}", "X", NULL},
    {"a message that moves the cursor",
     "{\"type\":\"error\",\"code\":\"INVALID_MESSAGE_FORMAT\",\"message\":\"\\u001b[2J\"}",
     "INVALID_MESSAGE_FORMAT", "INVALID_MESSAGE_FORMAT: \\x1b[2J"},
    {"a status", "{\"type\":\"status\",\"status\":\"connected\",\"message\":\"m\"}", NULL, NULL},
    {"no JSON", "{", NULL, NULL},
};

START_TEST(an_error_is_read)
{
    char code[TEXT_MAX], blame[TEXT_MAX];
    struct text code_text = text_of(code, sizeof code), blame_text = text_of(blame, sizeof blame);
    struct exact_copy copy = exact_copy_of(bytes_of_text(ERRORS[_i].message));
    ck_assert_msg(INTERVIEW_MESSAGES.error_code(copy.bytes, &code_text) == (ERRORS[_i].code != NULL), "%s",
                  ERRORS[_i].name);
    ck_assert_str_eq(code, ERRORS[_i].code == NULL ? "" : ERRORS[_i].code);
    ck_assert_msg(INTERVIEW_MESSAGES.blames_client(copy.bytes, &blame_text) == (ERRORS[_i].blame != NULL),
                  "%s", ERRORS[_i].name);
    ck_assert_str_eq(blame, ERRORS[_i].blame == NULL ? "" : ERRORS[_i].blame);
    exact_copy_free(copy);
}
END_TEST

START_TEST(a_text_too_long_to_be_an_error_is_none)
{
    char out[TEXT_MAX];
    struct text text = text_of(out, sizeof out);
    struct buffer message;
    buffer_init(&message, SIZE_MAX / 2);
    (void)buffer_append(
        &message, bytes_of_text("{\"type\":\"error\",\"code\":\"INVALID_MESSAGE_FORMAT\",\"message\":\""));
    while (message.len < 16384)
        (void)buffer_append(&message, bytes_of_text("m"));
    (void)buffer_append(&message, bytes_of_text("\"}"));
    struct exact_copy copy = exact_copy_of(buffer_bytes(&message));
    ck_assert(!INTERVIEW_MESSAGES.error_code(copy.bytes, &text));
    ck_assert(!INTERVIEW_MESSAGES.blames_client(copy.bytes, &text));
    ck_assert_str_eq(out, "");
    exact_copy_free(copy);
    buffer_free(&message);
}
END_TEST

START_TEST(a_refusal_has_the_body_of_an_error)
{
    char out[TEXT_MAX];
    struct text text = text_of(out, sizeof out);
    ck_assert_str_eq(INTERVIEW_MESSAGES.error_of_status(401), "SESSION_NOT_FOUND");
    ck_assert_str_eq(INTERVIEW_MESSAGES.error_of_status(403), "SESSION_NOT_FOUND");
    ck_assert_ptr_null(INTERVIEW_MESSAGES.error_of_status(404));
    INTERVIEW_MESSAGES.error_body(&text, "RATE_LIMIT_EXCEEDED", 0);
    ck_assert_str_eq(out, "{\"type\":\"error\",\"code\":\"RATE_LIMIT_EXCEEDED\",\"message\":\"There are too "
                          "many connections to the interview\"}");
    text = text_of(out, sizeof out);
    INTERVIEW_MESSAGES.error_body(&text, "A \"B\"", 0);
    ck_assert_str_eq(out, "{\"type\":\"error\",\"code\":\"A \\\"B\\\"\",\"message\":\"A \\\"B\\\"\"}");
    ck_assert(INTERVIEW_MESSAGES.is_error_code(bytes_of_text("SESSION_NOT_FOUND")));
    ck_assert(!INTERVIEW_MESSAGES.is_error_code(bytes_of_text("SESSION_NOT_FOUN")));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("messages");
    tcase_add_loop_test(tcase, a_mistake_of_ours_is_seen, 0, TABLE_COUNT(SENT));
    tcase_add_test(tcase, the_sound_of_a_chunk_is_read);
    tcase_add_loop_test(tcase, what_is_no_sound_adds_none, 0, TABLE_COUNT(SPOKEN));
    tcase_add_loop_test(tcase, what_the_client_said_is_read, 0, TABLE_COUNT(HEARD));
    tcase_add_loop_test(tcase, an_error_is_read, 0, TABLE_COUNT(ERRORS));
    tcase_add_test(tcase, a_text_too_long_to_be_an_error_is_none);
    tcase_add_test(tcase, a_refusal_has_the_body_of_an_error);
    return suite_run("interview messages", tcase);
}
