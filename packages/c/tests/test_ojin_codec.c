/* The public codec against the golden vectors, which other programs than ours have written. */
#include <check.h>

#include <stdlib.h>

#include "codec/tests/vector_file.h"
#include "codec/wire/text.h"
#include "packages/c/ojin_codec.h"
#include "packages/c/ojin_codec_duplex.h"
#include "packages/c/ojin_codec_interview.h"

static bool spans_are_equal(struct ojin_codec_bytes a, struct ojin_codec_bytes b)
{
    return bytes_equal(bytes_of(a.data, a.len), bytes_of(b.data, b.len));
}

static void assert_span(const cJSON *vector, const cJSON *decoded, const char *member, bool has,
                        struct ojin_codec_bytes span)
{
    ck_assert_msg(has != cJSON_IsNull(cJSON_GetObjectItem(decoded, member)), "%s: %s",
                  vector_text(vector, "name"), member);
    if (has)
        vector_assert_span(vector, decoded, member, bytes_of(span.data, span.len));
}

static void frame_check(const cJSON *vector, struct bytes message)
{
    char error[OJIN_CODEC_ERROR_MAX] = "";
    struct ojin_codec_frame frame, again;
    const bool read = ojin_codec_frame_read(message.data, message.len, &frame, error);
    ck_assert_msg(read == vector_flag(vector, "valid"), "%s: %s", vector_text(vector, "name"), error);
    ck_assert(read == (error[0] == '\0'));
    if (!read)
        return;
    const cJSON *decoded = cJSON_GetObjectItem(vector, "decoded");
    char uuid[64];
    struct text text = text_of(uuid, sizeof uuid);
    text_add_uuid(&text, frame.interaction);
    ck_assert_str_eq(uuid, vector_text(decoded, "interaction"));
    ck_assert_uint_eq(frame.is_final, vector_number(decoded, "is_final"));
    ck_assert_uint_eq(frame.timestamp_ms, vector_u64(decoded, "timestamp_ms"));
    ck_assert_uint_eq(frame.usage, vector_number(decoded, "usage"));
    ck_assert_uint_eq(frame.index, vector_number(decoded, "index"));
    ck_assert_uint_eq(frame.payload_count, vector_number(decoded, "payload_count"));
    assert_span(vector, decoded, "audio", frame.has_audio, frame.audio);
    assert_span(vector, decoded, "image", frame.has_image, frame.image);
    uint8_t *room = malloc(message.len + 1);
    const size_t len = ojin_codec_frame_write(&frame, room, message.len);
    ck_assert_uint_le(len, message.len); /* payloads that are not known are not written */
    ck_assert(ojin_codec_frame_read(room, len, &again, error));
    ck_assert(spans_are_equal(frame.audio, again.audio) && spans_are_equal(frame.image, again.image) &&
              spans_are_equal(frame.trailing, again.trailing));
    if (len == message.len && frame.has_audio && frame.audio.data < frame.image.data)
        ck_assert_mem_eq(room, message.data, len);
    free(room);
}

static void input_check(const cJSON *vector, struct bytes message)
{
    char error[OJIN_CODEC_ERROR_MAX] = "";
    struct ojin_codec_input input;
    const bool read = ojin_codec_input_read(message.data, message.len, &input, error);
    ck_assert_msg(read == vector_flag(vector, "valid"), "%s: %s", vector_text(vector, "name"), error);
    if (!read)
        return;
    const cJSON *decoded = cJSON_GetObjectItem(vector, "decoded");
    ck_assert_uint_eq(input.payload_type, vector_number(decoded, "payload_type"));
    ck_assert_uint_eq(input.timestamp_ms, vector_u64(decoded, "timestamp_ms"));
    uint8_t *room = calloc(1, message.len + 1);
    ck_assert_uint_eq(ojin_codec_input_write(&input, room, message.len), message.len);
    ck_assert_mem_eq(room, message.data, message.len);
    free(room);
    struct ojin_codec_params params;
    if (input.params.len > 0) {
        const bool good = ojin_codec_params_read(input.params, &params, error);
        ck_assert_msg(good != cJSON_HasObjectItem(decoded, "params_error"), "%s",
                      vector_text(vector, "name"));
    }
}

static const char *const TYPES[] = {"sessionReady", "errorResponse", "endInteraction", "cancelInteraction",
                                    "other",        "no-object",     "unreadable",     "plain-text"};

static void text_check(const cJSON *vector, struct bytes message)
{
    struct ojin_codec_message read, again;
    char room[20000];
    ojin_codec_message_read((const char *)message.data, message.len, &read);
    ck_assert_msg((read.error[0] == '\0') == vector_flag(vector, "valid"), "%s: %s",
                  vector_text(vector, "name"), read.error);
    ck_assert_str_eq(TYPES[read.type], vector_text(cJSON_GetObjectItem(vector, "decoded"), "type"));
    const size_t len = ojin_codec_message_write(&read, room, sizeof room);
    ck_assert(read.type <= OJIN_CODEC_CANCEL_INTERACTION || len == 0);
    if (len == 0 || !vector_flag(vector, "valid"))
        return;
    ojin_codec_message_read(room, len, &again);
    ck_assert_str_eq(again.error, "");
    ck_assert_int_eq(again.type, read.type);
    ck_assert_str_eq(again.code, read.code);
    ck_assert_str_eq(again.message, read.message);
    ck_assert_str_eq(again.interaction_id, read.interaction_id);
}

static void interview_check(const cJSON *vector, struct bytes message)
{
    const char *profile = vector_text(vector, "profile");
    struct ojin_codec_interview read, again;
    size_t len;
    ck_assert(ojin_codec_interview_read(profile, (const char *)message.data, message.len, &read));
    ck_assert_msg((read.fault_count == 0) == vector_flag(vector, "valid"), "%s", vector_text(vector, "name"));
    ck_assert(read.fault_count == 0 || read.faults[0][0] != '\0');
    char *text = ojin_codec_interview_write(profile, &read, &len);
    if (vector_flag(vector, "valid")) {
        ck_assert_ptr_nonnull(text);
        ck_assert_uint_eq(strlen(text), len);
        ck_assert(ojin_codec_interview_read(profile, text, len, &again));
        ck_assert_uint_eq(again.fault_count, 0);
        ck_assert(again.type == read.type && again.timestamp == read.timestamp &&
                  again.speaker == read.speaker);
        ck_assert(spans_are_equal(again.audio, read.audio) && spans_are_equal(again.text, read.text) &&
                  spans_are_equal(again.result, read.result) && spans_are_equal(again.code, read.code));
        ojin_codec_interview_free(&again);
    }
    ojin_codec_text_free(text);
    ojin_codec_interview_free(&read);
}

static const struct {
    const char *file;
    void (*check)(const cJSON *vector, struct bytes message);
} FILES[] = {{"frames.json", frame_check},
             {"inputs.json", input_check},
             {"texts.json", text_check},
             {"interviews.json", interview_check}};

START_TEST(golden_vectors_are_read_and_written)
{
    cJSON *vectors = vector_file_load(FILES[_i].file);
    const cJSON *vector;
    ck_assert_int_gt(cJSON_GetArraySize(vectors), 20);
    cJSON_ArrayForEach(vector, vectors)
    {
        struct exact_copy message = vector_message(vector);
        FILES[_i].check(vector, message.bytes);
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

/* The examples of document 002, and one that is wrong twice. */
static const struct {
    const char *profile, *text;
    enum ojin_codec_duplex_type type;
    size_t faults;
} DUPLEX[] = {
    {"video", "{\"type\":\"session.queue_done\"}", OJIN_CODEC_DUPLEX_QUEUE_DONE, 0},
    {"video", "{\"type\":\"session.created\",\"session_id\":\"rt_1704067200000\",\"prompt_length\":256}",
     OJIN_CODEC_DUPLEX_CREATED, 0},
    {"audio", "{\"type\":\"session.close\",\"reason\":\"user_stop\"}", OJIN_CODEC_DUPLEX_CLOSE, 0},
    {"video",
     "{\"type\":\"error\",\"error\":{\"code\":\"not_ready\",\"message\":\"m\",\"type\":\"client_error\"}}",
     OJIN_CODEC_DUPLEX_ERROR, 0},
    {"video", "{\"type\":\"session.queued\",\"position\":\"one\",\"estimated_wait_s\":\"long\"}",
     OJIN_CODEC_DUPLEX_QUEUED, 2},
    {"video", "[]", OJIN_CODEC_DUPLEX_NO_OBJECT, 1},
    {"video", "{", OJIN_CODEC_DUPLEX_NOT_JSON, 1},
};

START_TEST(full_duplex_messages_are_read_and_written)
{
    struct exact_copy text = exact_copy_of(bytes_of_text(DUPLEX[_i].text));
    struct ojin_codec_duplex read;
    size_t len = 0;
    ck_assert(
        ojin_codec_duplex_read(DUPLEX[_i].profile, (const char *)text.bytes.data, text.bytes.len, &read));
    exact_copy_free(text); /* not needed any more */
    ck_assert_int_eq(read.type, DUPLEX[_i].type);
    ck_assert_uint_eq(read.fault_count, DUPLEX[_i].faults);
    char *written = ojin_codec_duplex_write(DUPLEX[_i].profile, &read, &len);
    if (DUPLEX[_i].faults == 0)
        ck_assert_str_eq(written, DUPLEX[_i].text);
    else
        ck_assert(written == NULL || read.type == OJIN_CODEC_DUPLEX_QUEUED);
    ojin_codec_text_free(written);
    ojin_codec_duplex_free(&read);
}
END_TEST

START_TEST(an_append_keeps_sound_and_pictures)
{
    static const uint8_t SOUND[16000], PICTURE[] = {0xff, 0xd8, 0xff, 0xd9};
    struct ojin_codec_duplex read;
    struct ojin_codec_duplex sent = {.type = OJIN_CODEC_DUPLEX_APPEND,
                                     .has_audio = true,
                                     .audio = {SOUND, sizeof SOUND},
                                     .has_pictures = true,
                                     .picture_count = 1,
                                     .pictures = {{PICTURE, sizeof PICTURE}}};
    size_t len;
    char *text = ojin_codec_duplex_write("video", &sent, &len);
    ck_assert_ptr_nonnull(text);
    ck_assert(ojin_codec_duplex_read("video", text, len, &read));
    ojin_codec_text_free(text);
    ck_assert_uint_eq(read.fault_count, 0);
    ck_assert(spans_are_equal(read.audio, sent.audio));
    ck_assert_uint_eq(read.picture_count, 1);
    ck_assert(spans_are_equal(read.pictures[0], sent.pictures[0]));
    ojin_codec_duplex_free(&read);
    sent.picture_count = OJIN_CODEC_PICTURES_MAX + 1;
    ck_assert_ptr_null(ojin_codec_duplex_write("video", &sent, &len));
}
END_TEST

START_TEST(nothing_is_written_where_there_is_no_room)
{
    static const uint8_t SOUND[4] = {1, 2, 3, 4};
    const struct ojin_codec_input input = {.payload_type = 1, .audio = {SOUND, sizeof SOUND}};
    const struct ojin_codec_frame frame = {.has_audio = true, .audio = {SOUND, sizeof SOUND}};
    const struct ojin_codec_message end = {.type = OJIN_CODEC_END_INTERACTION, .timestamp_ms = 1};
    uint8_t room[64] = {0xaa};
    ck_assert_uint_eq(ojin_codec_input_write(&input, NULL, 0), 17);
    ck_assert_uint_eq(ojin_codec_input_write(&input, room, 16), 17);
    ck_assert_uint_eq(ojin_codec_frame_write(&frame, room, 45), 46);
    const size_t len = ojin_codec_message_write(&end, NULL, 0);
    ck_assert_uint_eq(len, strlen("{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}"));
    ck_assert_uint_eq(ojin_codec_message_write(&end, (char *)room, len - 1), len);
    ck_assert_uint_eq(room[0], 0xaa);
}
END_TEST

START_TEST(what_does_not_exist_is_refused)
{
    struct ojin_codec_duplex duplex;
    struct ojin_codec_interview interview;
    size_t len;
    ck_assert(!ojin_codec_duplex_read("opera", "{}", 2, &duplex));
    ck_assert(!ojin_codec_interview_read("opera", "{}", 2, &interview));
    ojin_codec_duplex_free(&duplex);
    ojin_codec_interview_free(&interview);
    duplex.type = OJIN_CODEC_DUPLEX_CLOSE;
    ck_assert_ptr_null(ojin_codec_duplex_write("opera", &duplex, &len));
    duplex.type = OJIN_CODEC_DUPLEX_OTHER;
    ck_assert_ptr_null(ojin_codec_duplex_write("video", &duplex, &len));
    interview.type = OJIN_CODEC_INTERVIEW_PING; /* the document has none */
    ck_assert_ptr_null(ojin_codec_interview_write("interview-1.0", &interview, &len));
    struct ojin_codec_message ready = {.type = OJIN_CODEC_SESSION_READY, .trace_id = "no UUID"};
    ck_assert_uint_eq(ojin_codec_message_write(&ready, NULL, 0), 0);
    ojin_codec_text_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ojin_codec");
    TCase *tcase = tcase_create("codec");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, golden_vectors_are_read_and_written, 0, sizeof FILES / sizeof FILES[0]);
    tcase_add_loop_test(tcase, full_duplex_messages_are_read_and_written, 0,
                        sizeof DUPLEX / sizeof DUPLEX[0]);
    tcase_add_test(tcase, an_append_keeps_sound_and_pictures);
    tcase_add_test(tcase, nothing_is_written_where_there_is_no_room);
    tcase_add_test(tcase, what_does_not_exist_is_refused);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
