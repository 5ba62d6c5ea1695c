/* Messages of the full-duplex protocol: what is read, what is wrong with it, and that what is written reads
 * the same. */
#include "codec/duplex/messages.h"
#include "codec/tests/duplex_text.h"
#include "codec/tests/suite.h"

enum { OUT_MAX = 16 * 1024 * 1024 };

static struct duplex_read_options options_of(const char *profile)
{
    const struct duplex_read_options options = {.profile = duplex_profile_by_name(profile),
                                                .picture_size = duplex_test_picture};
    ck_assert_ptr_nonnull(options.profile);
    return options;
}

struct message_case {
    const char *name;
    const char *profile;
    const char *text;
    enum duplex_message_type type;
    size_t fault_count;
    /* of the first, where there is one */
    enum json_fault_kind kind;
    const char *told;
};

#define NO_FAULT 0, JSON_FAULT_NOT_JSON, NULL
#define UPDATE   "{\"type\":\"session.update\",\"session\":"
#define APPEND   "{\"type\":\"input_audio_buffer.append\","
#define DELTA    "{\"type\":\"response.output_audio.delta\","
#define LATER    "{\"type\":\"response.output.delta\",\"kind\":"

static const struct message_case CASES[] = {
    {"empty", "video", "", DUPLEX_MESSAGE_NOT_JSON, 1, JSON_FAULT_NOT_JSON,
     "message: expected value, found something else at byte 0"},
    {"plain text", "video", "hello", DUPLEX_MESSAGE_NOT_JSON, 1, JSON_FAULT_NOT_JSON, NULL},
    {"cut", "video", "{\"type\":", DUPLEX_MESSAGE_NOT_JSON, 1, JSON_FAULT_NOT_JSON, NULL},
    {"NUL in a string", "video", "{\"type\":\"\\u0000\"}", DUPLEX_MESSAGE_UNREADABLE, 1,
     JSON_FAULT_UNREADABLE, "message: expected strings without \\u0000, found one at byte 9"},
    {"half a surrogate pair", "video", "{\"type\":\"\\ud800\"}", DUPLEX_MESSAGE_UNREADABLE, 1,
     JSON_FAULT_UNREADABLE, "message: expected both halves of a surrogate pair, found one alone at byte 9"},
    {"too deep", "video", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
     DUPLEX_MESSAGE_UNREADABLE, 1, JSON_FAULT_UNREADABLE,
     "message: expected at most 64 levels of arrays and objects, found one more at byte 64"},
    {"a list", "video", "[]", DUPLEX_MESSAGE_NO_OBJECT, 1, JSON_FAULT_NOT_OBJECT,
     "message: expected an object, found another value"},
    {"no type", "video", "{}", DUPLEX_MESSAGE_OTHER, 1, JSON_FAULT_MISSING,
     "type: expected a string, found nothing"},
    {"type null", "video", "{\"type\":null}", DUPLEX_MESSAGE_OTHER, 1, JSON_FAULT_WRONG_TYPE,
     "type: expected a string, found null"},
    {"unknown type", "video", "{\"type\":\"session.pause\"}", DUPLEX_MESSAGE_OTHER, 1,
     JSON_FAULT_UNKNOWN_TYPE, "type: expected an event of the protocol, found \"session.pause\""},
    {"later type in the document's dialect", "video", "{\"type\":\"session.init\",\"payload\":{}}",
     DUPLEX_MESSAGE_OTHER, 1, JSON_FAULT_UNKNOWN_TYPE, NULL},

    {"update", "video", UPDATE "{\"instructions\":\"Be kind.\"}}", DUPLEX_MESSAGE_UPDATE, NO_FAULT},
    {"update with all", "video",
     UPDATE "{\"instructions\":\"\",\"max_slice_nums\":4,\"ref_audio\":\"" DUPLEX_TEST_WAV
            "\",\"tts_ref_audio\":\"" DUPLEX_TEST_WAV "\"}}",
     DUPLEX_MESSAGE_UPDATE, NO_FAULT},
    {"update without session", "video", "{\"type\":\"session.update\"}", DUPLEX_MESSAGE_UPDATE, 1,
     JSON_FAULT_MISSING, "session: expected an object, found nothing"},
    {"update without instructions", "video", UPDATE "{}}", DUPLEX_MESSAGE_UPDATE, 1, JSON_FAULT_MISSING,
     "session.instructions: expected a string, found nothing"},
    {"instructions a number", "audio", UPDATE "{\"instructions\":5}}", DUPLEX_MESSAGE_UPDATE, 1,
     JSON_FAULT_WRONG_TYPE, "session.instructions: expected a string, found a number"},
    {"update of 0 slices", "video", UPDATE "{\"instructions\":\"\",\"max_slice_nums\":0}}",
     DUPLEX_MESSAGE_UPDATE, 1, JSON_FAULT_RANGE,
     "session.max_slice_nums: expected an integer from 1 to 9, found 0"},
    {"voice at 24 kHz", "video", UPDATE "{\"instructions\":\"\",\"ref_audio\":\"" DUPLEX_TEST_WAV_24 "\"}}",
     DUPLEX_MESSAGE_UPDATE, 1, JSON_FAULT_NO_WAV,
     "session.ref_audio: expected a WAV file at 16 kHz, found 24000 Hz"},
    {"voice no WAV", "video", UPDATE "{\"instructions\":\"\",\"tts_ref_audio\":\"bm9uc2Vuc2U=\"}}",
     DUPLEX_MESSAGE_UPDATE, 1, JSON_FAULT_NO_WAV, NULL},
    {"update with nulls", "video",
     UPDATE "{\"instructions\":\"\",\"max_slice_nums\":null,\"ref_audio\":null,\"tts_ref_audio\":null}}",
     DUPLEX_MESSAGE_UPDATE, NO_FAULT},
    {"session null", "video", UPDATE "null}", DUPLEX_MESSAGE_UPDATE, 1, JSON_FAULT_WRONG_TYPE,
     "session: expected an object, found null"},
    {"instructions null", "video", UPDATE "{\"instructions\":null}}", DUPLEX_MESSAGE_UPDATE, 1,
     JSON_FAULT_WRONG_TYPE, "session.instructions: expected a string, found null"},

    {"append", "video", APPEND "\"audio\":\"@16000\",\"video_frames\":[\"" DUPLEX_TEST_JPEG "\"]}",
     DUPLEX_MESSAGE_APPEND, NO_FAULT},
    {"append with all", "video",
     APPEND "\"audio\":\"@4000\",\"video_frames\":[\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG
            "\",\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG
            "\"],\"force_listen\":true,\"max_slice_nums\":9}",
     DUPLEX_MESSAGE_APPEND, NO_FAULT},
    {"append with nulls", "audio",
     APPEND "\"audio\":\"@16000\",\"video_frames\":null,\"force_listen\":null,\"max_slice_nums\":null}",
     DUPLEX_MESSAGE_APPEND, NO_FAULT},
    {"a picture null", "video", APPEND "\"audio\":\"@4000\",\"video_frames\":[null]}", DUPLEX_MESSAGE_APPEND,
     1, JSON_FAULT_WRONG_TYPE, "video_frames[0]: expected a string of base64, found null"},
    {"append without pictures", "audio", APPEND "\"audio\":\"@16000\"}", DUPLEX_MESSAGE_APPEND, NO_FAULT},
    {"append of a sample too few", "audio", APPEND "\"audio\":\"@3999\"}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_TOO_SHORT, "audio: expected 4000 samples (250 ms) or more, found 3999 samples"},
    {"append of a minute", "audio", APPEND "\"audio\":\"@960000\"}", DUPLEX_MESSAGE_APPEND, NO_FAULT},
    {"append of more", "audio", APPEND "\"audio\":\"@960001\"}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_TOO_LONG, NULL},
    {"append without audio", "video", APPEND "\"video_frames\":[]}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_MISSING, "audio: expected a string of base64, found nothing"},
    {"audio null", "video", APPEND "\"audio\":null}", DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_WRONG_TYPE,
     "audio: expected a string of base64, found null"},
    {"base64 for URLs", "video", APPEND "\"audio\":\"AAA-\"}", DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_BASE64,
     "audio: expected a character of the base64 alphabet, found '-' at character 4"},
    {"base64 without padding", "video", APPEND "\"audio\":\"AAAAA\"}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_BASE64,
     "audio: expected a length that is a multiple of 4, padded with '=', found the end after 5 characters"},
    {"base64 with bits left", "video", APPEND "\"audio\":\"AAAB\",\"video_frames\":[\"AB==\"]}",
     DUPLEX_MESSAGE_APPEND, 3, JSON_FAULT_ODD_AUDIO,
     "audio: expected whole samples of 4 bytes, found 3 bytes"},
    {"audio with half a sample", "audio", APPEND "\"audio\":\"@4000AAAA\"}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_BASE64, NULL},
    {"a NaN", "audio", APPEND "\"audio\":\"@6000AADAfwAAAAAAAAAA\"}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_NOT_FINITE, "audio: expected finite samples, found an infinite one or a NaN, sample 6000"},
    {"infinite", "audio", APPEND "\"audio\":\"@6000AAAAPwAAgL8AAIB/\"}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_NOT_FINITE, "audio: expected finite samples, found an infinite one or a NaN, sample 6002"},
    {"picture with a prefix", "video",
     APPEND "\"audio\":\"@4000\",\"video_frames\":[\"data:image/jpeg;base64," DUPLEX_TEST_JPEG "\"]}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_BASE64,
     "video_frames[0]: expected base64 alone, found a data: prefix"},
    {"second picture is none", "video",
     APPEND "\"audio\":\"@4000\",\"video_frames\":[\"" DUPLEX_TEST_JPEG "\",\"AAAA\"]}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_NO_PICTURE,
     "video_frames[1]: expected a whole JPEG, found 3 bytes that do not decode"},
    {"five pictures", "video",
     APPEND "\"audio\":\"@4000\",\"video_frames\":[\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG
            "\",\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG "\",\"" DUPLEX_TEST_JPEG "\"]}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_RANGE,
     "video_frames: expected 4 pictures at most, found 5 pictures"},
    {"pictures a string", "video", APPEND "\"audio\":\"@4000\",\"video_frames\":\"\"}", DUPLEX_MESSAGE_APPEND,
     1, JSON_FAULT_WRONG_TYPE, NULL},
    {"force_listen a number", "video", APPEND "\"audio\":\"@4000\",\"force_listen\":1}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_WRONG_TYPE, "force_listen: expected true or false, found a number"},
    {"ten slices", "video", APPEND "\"audio\":\"@4000\",\"max_slice_nums\":10}", DUPLEX_MESSAGE_APPEND, 1,
     JSON_FAULT_RANGE, "max_slice_nums: expected an integer from 1 to 9, found 10"},
    {"a slice and a half", "video", APPEND "\"audio\":\"@4000\",\"max_slice_nums\":1.5}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_WRONG_TYPE,
     "max_slice_nums: expected an integer from 1 to 9, found 1.5"},

    {"close", "video", "{\"type\":\"session.close\",\"reason\":\"user_stop\"}", DUPLEX_MESSAGE_CLOSE,
     NO_FAULT},
    {"close without reason", "video", "{\"type\":\"session.close\"}", DUPLEX_MESSAGE_CLOSE, NO_FAULT},
    {"close for null", "video", "{\"type\":\"session.close\",\"reason\":null}", DUPLEX_MESSAGE_CLOSE,
     NO_FAULT},
    {"close for 5", "video", "{\"type\":\"session.close\",\"reason\":5}", DUPLEX_MESSAGE_CLOSE, 1,
     JSON_FAULT_WRONG_TYPE, NULL},
    {"queued with a position alone", "video", "{\"type\":\"session.queued\",\"position\":1}",
     DUPLEX_MESSAGE_QUEUED, NO_FAULT},
    {"queued with a negative one", "video", "{\"type\":\"session.queued\",\"position\":-1}",
     DUPLEX_MESSAGE_QUEUED, 1, JSON_FAULT_RANGE, NULL},
    {"queued with a wait past a double", "video", "{\"type\":\"session.queued\",\"estimated_wait_s\":1e400}",
     DUPLEX_MESSAGE_QUEUED, 1, JSON_FAULT_RANGE,
     "estimated_wait_s: expected a number that a double can hold, found a larger one"},
    {"queued with nulls", "video",
     "{\"type\":\"session.queued\",\"position\":null,\"estimated_wait_s\":null,\"queue_length\":null,"
     "\"ticket_id\":null}",
     DUPLEX_MESSAGE_QUEUED, NO_FAULT},
    {"queue_done", "video", "{\"type\":\"session.queue_done\"}", DUPLEX_MESSAGE_QUEUE_DONE, NO_FAULT},
    {"created without id", "video", "{\"type\":\"session.created\"}", DUPLEX_MESSAGE_CREATED, 1,
     JSON_FAULT_MISSING, "session_id: expected a string, found nothing"},
    {"created with a null", "video",
     "{\"type\":\"session.created\",\"session_id\":\"rt_1\",\"prompt_length\":null}", DUPLEX_MESSAGE_CREATED,
     NO_FAULT},
    {"delta", "video",
     DELTA "\"text\":\"Hi\",\"audio\":\"@24000\",\"end_of_turn\":false,\"kv_cache_length\":1024}",
     DUPLEX_MESSAGE_DELTA, NO_FAULT},
    {"delta with nothing in it", "video",
     DELTA "\"text\":\"\",\"audio\":\"\",\"end_of_turn\":true,\"kv_cache_length\":8192}",
     DUPLEX_MESSAGE_DELTA, NO_FAULT},
    {"delta without anything", "video", DELTA "\"x\":1}", DUPLEX_MESSAGE_DELTA, 4, JSON_FAULT_MISSING,
     "text: expected a string, found nothing"},
    {"delta with audio null", "video",
     DELTA "\"text\":\"\",\"audio\":null,\"end_of_turn\":false,\"kv_cache_length\":1}", DUPLEX_MESSAGE_DELTA,
     1, JSON_FAULT_WRONG_TYPE, "audio: expected a string of base64, found null"},
    {"listen", "audio", "{\"type\":\"response.listen\",\"kv_cache_length\":0}", DUPLEX_MESSAGE_LISTEN,
     NO_FAULT},
    {"listen with a null", "audio", "{\"type\":\"response.listen\",\"kv_cache_length\":null}",
     DUPLEX_MESSAGE_LISTEN, 1, JSON_FAULT_WRONG_TYPE, NULL},
    {"closed with a null", "audio", "{\"type\":\"session.closed\",\"reason\":null}", DUPLEX_MESSAGE_CLOSED, 1,
     JSON_FAULT_WRONG_TYPE, NULL},
    {"listen without a length", "audio", "{\"type\":\"response.listen\"}", DUPLEX_MESSAGE_LISTEN, 1,
     JSON_FAULT_MISSING, NULL},
    {"closed without reason", "audio", "{\"type\":\"session.closed\"}", DUPLEX_MESSAGE_CLOSED, 1,
     JSON_FAULT_MISSING, NULL},
    {"error", "audio", "{\"type\":\"error\",\"error\":{\"code\":\"a\",\"message\":\"b\",\"type\":\"c\"}}",
     DUPLEX_MESSAGE_ERROR, NO_FAULT},
    {"error with a string", "audio", "{\"type\":\"error\",\"error\":\"x\"}", DUPLEX_MESSAGE_ERROR, 1,
     JSON_FAULT_WRONG_TYPE, "error: expected an object, found a string"},
    {"error without type", "audio", "{\"type\":\"error\",\"error\":{\"code\":\"a\",\"message\":\"b\"}}",
     DUPLEX_MESSAGE_ERROR, 1, JSON_FAULT_MISSING, "error.type: expected a string, found nothing"},

    {"later init", "duplex-later", "{\"type\":\"session.init\",\"payload\":{\"system_prompt\":\"x\"}}",
     DUPLEX_MESSAGE_UPDATE, NO_FAULT},
    {"later init with instructions", "duplex-later",
     "{\"type\":\"session.init\",\"payload\":{\"system_prompt\":null,\"instructions\":\"x\"}}",
     DUPLEX_MESSAGE_UPDATE, NO_FAULT},
    {"later init with an empty payload", "duplex-later", "{\"type\":\"session.init\",\"payload\":{}}",
     DUPLEX_MESSAGE_UPDATE, NO_FAULT},
    {"later init without payload", "duplex-later", "{\"type\":\"session.init\"}", DUPLEX_MESSAGE_UPDATE, 1,
     JSON_FAULT_MISSING, "payload: expected an object, found nothing"},
    {"later init with a number", "duplex-later",
     "{\"type\":\"session.init\",\"payload\":{\"system_prompt\":7}}", DUPLEX_MESSAGE_UPDATE, 1,
     JSON_FAULT_WRONG_TYPE, "payload.system_prompt: expected a string, found a number"},
    {"later listen with metrics", "duplex-later", LATER "\"listen\",\"metrics\":{\"kv_cache_length\":7}}",
     DUPLEX_MESSAGE_LISTEN, NO_FAULT},
    {"later append", "duplex-later",
     "{\"type\":\"input.append\",\"input\":{\"audio\":\"@4000\",\"max_slice_nums\":0}}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_RANGE,
     "input.max_slice_nums: expected an integer from 1 to 9, found 0"},
    {"later listen with nulls", "duplex-later", LATER "\"listen\",\"kv_cache_length\":null,\"metrics\":null}",
     DUPLEX_MESSAGE_LISTEN, NO_FAULT},
    {"later picture", "duplex-later",
     "{\"type\":\"input.append\",\"input\":{\"audio\":\"@4000\",\"video_frames\":[1]}}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_WRONG_TYPE,
     "input.video_frames[0]: expected a string of base64, found a number"},
    {"later without input", "duplex-later", "{\"type\":\"input.append\",\"audio\":\"@4000\"}",
     DUPLEX_MESSAGE_APPEND, 1, JSON_FAULT_MISSING, "input: expected an object, found nothing"},
    {"later text", "duplex-later", LATER "\"text\",\"text\":\"a\"}", DUPLEX_MESSAGE_DELTA, NO_FAULT},
    {"later audio", "duplex-later",
     LATER "\"audio\",\"audio\":\"@24000\",\"metrics\":{\"kv_cache_length\":7}}", DUPLEX_MESSAGE_DELTA,
     NO_FAULT},
    {"later audio without", "duplex-later", LATER "\"audio\"}", DUPLEX_MESSAGE_DELTA, 1, JSON_FAULT_MISSING,
     NULL},
    {"later listen", "duplex-later", LATER "\"listen\"}", DUPLEX_MESSAGE_LISTEN, NO_FAULT},
    {"later kind", "duplex-later", LATER "\"image\"}", DUPLEX_MESSAGE_OTHER, 1, JSON_FAULT_UNKNOWN_TYPE,
     "kind: expected listen, text or audio, found another kind"},
    {"documented listen in the later dialect", "duplex-later",
     "{\"type\":\"response.listen\",\"kv_cache_length\":1}", DUPLEX_MESSAGE_OTHER, 1, JSON_FAULT_UNKNOWN_TYPE,
     NULL},
};

static void check_first_fault(const struct message_case *row, const struct duplex_message *message)
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
    const struct duplex_read_options options = options_of(row->profile);
    struct exact_copy copy = duplex_test_text(row->text);
    struct duplex_message message;
    duplex_message_read(copy.bytes, &options, &message);
    ck_assert_msg(message.type == row->type, "%s: is a %s", row->name,
                  duplex_message_type_name(message.type));
    ck_assert_msg(message.faults.count == row->fault_count, "%s: %zu faults", row->name,
                  message.faults.count);
    check_first_fault(row, &message);
    duplex_message_free(&message);
    exact_copy_free(copy);
}
END_TEST

/* Whole messages of every kind, with nothing wrong. */
START_TEST(every_prefix_of_a_message_is_no_json)
{
    const struct message_case *row = &CASES[_i];
    const struct duplex_read_options options = options_of(row->profile);
    if (row->fault_count > 0 || strlen(row->text) > 500 || strstr(row->text, "@96") != NULL)
        return;
    struct exact_copy whole = duplex_test_text(row->text);
    const size_t step = whole.bytes.len / 200 + 1;
    for (size_t len = 0; len < whole.bytes.len; len += step) {
        struct exact_copy copy = exact_copy_of(bytes_of(whole.bytes.data, len));
        struct duplex_message message;
        duplex_message_read(copy.bytes, &options, &message);
        ck_assert_msg(message.type == DUPLEX_MESSAGE_NOT_JSON, "%s: %zu bytes", row->name, len);
        ck_assert_uint_le(message.faults.list[0].offset, len);
        duplex_message_free(&message);
        exact_copy_free(copy);
    }
    exact_copy_free(whole);
}
END_TEST

/* What is right is written as it stood, members in the order of the document; only null is not. */
START_TEST(what_is_written_is_what_was_read)
{
    const struct message_case *row = &CASES[_i];
    const struct duplex_read_options options = options_of(row->profile);
    if (row->fault_count > 0 || strstr(row->text, "null") != NULL)
        return;
    struct exact_copy copy = duplex_test_text(row->text);
    struct duplex_message message;
    struct buffer out;
    buffer_init(&out, OUT_MAX);
    duplex_message_read(copy.bytes, &options, &message);
    ck_assert(duplex_message_write(options.profile, &message, &out));
    ck_assert_msg(bytes_equal(buffer_bytes(&out), copy.bytes), "%s: %.*s", row->name, (int)out.len,
                  (const char *)out.data);
    buffer_free(&out);
    duplex_message_free(&message);
    exact_copy_free(copy);
}
END_TEST

START_TEST(what_does_not_fit_is_not_written)
{
    const struct duplex_profile *profile = duplex_profile_by_name("video");
    const struct duplex_message listen = {
        .type = DUPLEX_MESSAGE_LISTEN, .has_kv_cache_length = true, .kv_cache_length = 7};
    static const char whole[] = "{\"type\":\"response.listen\",\"kv_cache_length\":7}";
    struct buffer out;
    bool fitted = false;
    for (size_t room = 0; room < 200; room++) {
        buffer_init(&out, room);
        const bool fits = duplex_message_write(profile, &listen, &out);
        ck_assert(fits || !fitted);
        ck_assert(bytes_equal_text(buffer_bytes(&out), fits ? whole : ""));
        fitted = fits;
        buffer_free(&out);
    }
    ck_assert(fitted);
}
END_TEST

/* field notes, later versions: the cache length stands among the metrics, of a delta and of a listen. */
START_TEST(a_later_dialect_has_the_cache_length_in_its_metrics)
{
    const struct duplex_message messages[] = {
        {.type = DUPLEX_MESSAGE_LISTEN, .has_kv_cache_length = true, .kv_cache_length = 7},
        {.type = DUPLEX_MESSAGE_LISTEN},
        {.type = DUPLEX_MESSAGE_DELTA,
         .has_text = true,
         .text = bytes_of_text("a"),
         .has_end_of_turn = true,
         .has_kv_cache_length = true,
         .kv_cache_length = 8},
    };
    static const char *const written[] = {
        LATER "\"listen\",\"metrics\":{\"kv_cache_length\":7}}",
        LATER "\"listen\"}",
        LATER "\"text\",\"text\":\"a\",\"end_of_turn\":false,\"metrics\":{\"kv_cache_length\":8}}",
    };
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        struct buffer out;
        buffer_init(&out, 1000);
        ck_assert(duplex_message_write(duplex_profile_by_name("duplex-later"), &messages[i], &out));
        ck_assert_msg(bytes_equal_text(buffer_bytes(&out), written[i]), "%.*s", (int)out.len,
                      (const char *)out.data);
        buffer_free(&out);
    }
}
END_TEST

START_TEST(a_message_of_none_of_the_types_is_not_written)
{
    const struct duplex_message other = {.type = DUPLEX_MESSAGE_NOT_JSON};
    struct buffer out;
    buffer_init(&out, 100);
    ck_assert(!duplex_message_write(duplex_profile_by_name("video"), &other, &out));
    ck_assert_uint_eq(out.len, 0);
    buffer_free(&out);
}
END_TEST

START_TEST(audio_made_ahead_is_written_as_it_is)
{
    const struct duplex_message delta = {.type = DUPLEX_MESSAGE_DELTA,
                                         .has_audio = true,
                                         .audio = bytes_of("\0\0\0\0", 4),
                                         .audio_encoded = bytes_of_text("AAAAAA=="),
                                         .has_text = true,
                                         .text = bytes_of_text("\"\xc3\xa9\n")};
    struct buffer out;
    buffer_init(&out, 1000);
    ck_assert(duplex_message_write(duplex_profile_by_name("audio"), &delta, &out));
    ck_assert(bytes_equal_text(buffer_bytes(&out), "{\"type\":\"response.output_audio.delta\",\"text\":"
                                                   "\"\\\"\xc3\xa9\\n\",\"audio\":\"AAAAAA==\"}"));
    buffer_free(&out);
}
END_TEST

START_TEST(a_message_too_large_or_of_too_many_values_is_not_parsed)
{
    const struct duplex_read_options options = options_of("video");
    const size_t sizes[] = {DUPLEX_MESSAGE_BYTES_MAX, DUPLEX_MESSAGE_BYTES_MAX + 1};
    for (size_t i = 0; i < 2; i++) {
        uint8_t *data = malloc(sizes[i]);
        ck_assert_ptr_nonnull(data);
        memset(data, ' ', sizes[i]);
        data[0] = '0';
        struct duplex_message message;
        duplex_message_read(bytes_of(data, sizes[i]), &options, &message);
        ck_assert_int_eq(message.type, i == 0 ? DUPLEX_MESSAGE_NO_OBJECT : DUPLEX_MESSAGE_UNREADABLE);
        duplex_message_free(&message);
        memset(data, ',', sizes[i]);
        duplex_message_read(bytes_of(data, sizes[i]), &options, &message);
        ck_assert_int_eq(message.type, DUPLEX_MESSAGE_UNREADABLE);
        ck_assert_ptr_null(message.tree);
        free(data);
    }
}
END_TEST

START_TEST(a_member_nobody_knows_is_named_and_no_fault)
{
    static const char *const texts[][2] = {
        {"{\"type\":\"session.queue_done\",\"wait\":1}", "wait"},
        {UPDATE "{\"instructions\":\"\",\"voice\":1}}", "voice"},
        {UPDATE "{\"instructions\":\"\"},\"event_id\":1}", "event_id"},
        {"{\"type\":\"error\",\"error\":{\"code\":\"\",\"message\":\"\",\"type\":\"\",\"param\":1}}",
         "param"},
    };
    const struct duplex_read_options options = options_of("video");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct exact_copy copy = duplex_test_text(texts[i][0]);
        struct duplex_message message;
        duplex_message_read(copy.bytes, &options, &message);
        ck_assert_uint_eq(message.faults.count, 0);
        ck_assert(bytes_equal_text(message.faults.unknown_member, texts[i][1]));
        duplex_message_free(&message);
        exact_copy_free(copy);
    }
}
END_TEST

START_TEST(a_fault_is_found_by_the_member)
{
    const struct duplex_read_options options = options_of("video");
    struct exact_copy copy =
        duplex_test_text(APPEND "\"audio\":\"@16000\",\"video_frames\":[\"AAAA\"],\"max_slice_nums\":12}");
    struct duplex_message message;
    duplex_message_read(copy.bytes, &options, &message);
    ck_assert_ptr_eq(json_fault_of(&message.faults, "video_frames"), &message.faults.list[0]);
    ck_assert_ptr_eq(json_fault_of(&message.faults, "max_slice_nums"), &message.faults.list[1]);
    ck_assert_ptr_null(json_fault_of(&message.faults, "audio"));
    ck_assert_ptr_null(json_fault_of(&message.faults, "video"));
    ck_assert_uint_eq(float32_count(message.audio), 16000);
    ck_assert(float32_at(message.audio, 1) * 64 > 0.99F && float32_at(message.audio, 1) * 64 < 1.01F);
    duplex_message_free(&message);
    exact_copy_free(copy);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("duplex messages");
    tcase_add_loop_test(tcase, a_message_is_read_with_its_faults, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, every_prefix_of_a_message_is_no_json, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, what_is_written_is_what_was_read, 0, TABLE_COUNT(CASES));
    tcase_add_test(tcase, what_does_not_fit_is_not_written);
    tcase_add_test(tcase, a_later_dialect_has_the_cache_length_in_its_metrics);
    tcase_add_test(tcase, a_message_of_none_of_the_types_is_not_written);
    tcase_add_test(tcase, audio_made_ahead_is_written_as_it_is);
    tcase_add_test(tcase, a_message_too_large_or_of_too_many_values_is_not_parsed);
    tcase_add_test(tcase, a_member_nobody_knows_is_named_and_no_fault);
    tcase_add_test(tcase, a_fault_is_found_by_the_member);
    return suite_run("duplex messages", tcase);
}
