/* Messages as JSON and back: the golden vectors, each whole and cut, and what is built by hand. */
#include "client/inspect/inspect.h"
#include "codec/ojin/frame.h"
#include "codec/tests/suite.h"
#include "codec/tests/vector_file.h"

static const char *const FILES[] = {"frames.json", "inputs.json", "texts.json"};
static const enum inspect_kind KINDS[] = {INSPECT_FRAME, INSPECT_INPUT, INSPECT_TEXT};

static char *described(struct bytes message, enum inspect_kind kind, bool *good)
{
    cJSON *object = inspect_describe("ojin", message, kind, true, good);
    ck_assert_ptr_nonnull(object);
    char *text = json_print(object);
    ck_assert_ptr_nonnull(text);
    cJSON_Delete(object);
    return text;
}

/* Built from its description, a message is the same, and so is its description. */
static void assert_round_trip(const char *name, struct bytes message, enum inspect_kind kind)
{
    bool good = false;
    bool again_good = false;
    char error[INSPECT_ERROR_MAX] = "";
    struct buffer built;
    struct exact_copy copy = exact_copy_of(message);
    char *text = described(copy.bytes, kind, &good);
    buffer_init(&built, INSPECT_MESSAGE_BYTES_MAX);
    ck_assert_msg(inspect_build(bytes_of_text(text), &built, error), "%s: %s", name, error);
    ck_assert_msg(bytes_equal(buffer_bytes(&built), message), "%s: other bytes from %s", name, text);
    char *again = described(buffer_bytes(&built), kind, &again_good);
    ck_assert_msg(strcmp(text, again) == 0 && good == again_good, "%s: %s, then %s", name, text, again);
    cJSON_free(text);
    cJSON_free(again);
    buffer_free(&built);
    exact_copy_free(copy);
}

START_TEST(every_vector_and_each_prefix_comes_back_byte_for_byte)
{
    cJSON *vectors = vector_file_load(FILES[_i]);
    const cJSON *vector = NULL;
    int count = 0;
    cJSON_ArrayForEach(vector, vectors)
    {
        struct exact_copy message = vector_message(vector);
        const size_t step = message.bytes.len > 400 ? message.bytes.len / 40 : 1;
        for (size_t len = 0; len < message.bytes.len; len += step)
            assert_round_trip(vector_text(vector, "name"), bytes_of(message.bytes.data, len), KINDS[_i]);
        assert_round_trip(vector_text(vector, "name"), message.bytes, KINDS[_i]);
        exact_copy_free(message);
        count++;
    }
    ck_assert_int_gt(count, 40);
    cJSON_Delete(vectors);
}
END_TEST

START_TEST(what_a_vector_says_is_wrong_stands_in_its_description)
{
    cJSON *vectors = vector_file_load(FILES[_i]);
    const cJSON *vector = NULL;
    cJSON_ArrayForEach(vector, vectors)
    {
        const char *name = vector_text(vector, "name");
        if (vector_flag(vector, "valid"))
            continue;
        bool good = true;
        struct exact_copy message = vector_message(vector);
        cJSON *object = inspect_describe("ojin", message.bytes, KINDS[_i], false, &good);
        const cJSON *error = json_member(object, "error");
        ck_assert_msg(!good && error != NULL, "%s: nothing is wrong", name);
        ck_assert_str_eq(json_member(error, "status")->valuestring, vector_text(vector, "error"));
        if (cJSON_IsString(json_member(vector, "field")))
            ck_assert_str_eq(json_member(error, "field")->valuestring, vector_text(vector, "field"));
        if (json_member(vector, "offset") != NULL)
            ck_assert_uint_eq(vector_number(error, "offset"), vector_number(vector, "offset"));
        cJSON_Delete(object);
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

/* The fields of a valid binary vector, in the words of both files. */
START_TEST(the_fields_of_a_valid_vector_are_those_of_its_description)
{
    static const char *const numbers[] = {"is_final", "usage", "index", "payload_count", "payload_type"};
    cJSON *vectors = vector_file_load(FILES[_i]);
    const cJSON *vector = NULL;
    cJSON_ArrayForEach(vector, vectors)
    {
        if (!vector_flag(vector, "valid"))
            continue;
        bool good = true;
        struct exact_copy message = vector_message(vector);
        cJSON *object = inspect_describe("ojin", message.bytes, KINDS[_i], false, &good);
        const cJSON *decoded = json_member(vector, "decoded");
        for (int n = 0; n < TABLE_COUNT(numbers); n++)
            if (json_member(decoded, numbers[n]) != NULL)
                ck_assert_msg(vector_number(object, numbers[n]) == vector_number(decoded, numbers[n]),
                              "%s: %s", vector_text(vector, "name"), numbers[n]);
        const cJSON *audio = json_member(object, "audio");
        if (audio != NULL)
            ck_assert_str_eq(json_member(audio, "crc32")->valuestring,
                             json_member(json_member(decoded, "audio"), "crc32")->valuestring);
        ck_assert_uint_eq(vector_number(object, "bytes"), message.bytes.len);
        cJSON_Delete(object);
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

START_TEST(a_valid_vector_is_guessed_to_be_what_it_is)
{
    cJSON *vectors = vector_file_load(FILES[_i]);
    const cJSON *vector = NULL;
    cJSON_ArrayForEach(vector, vectors)
    {
        struct exact_copy message = vector_message(vector);
        bool usual = vector_flag(vector, "valid");
        if (usual && KINDS[_i] == INSPECT_FRAME) { /* more than a frame-type byte at the end is unusual */
            const cJSON *trailing = json_member(json_member(vector, "decoded"), "trailing");
            usual = vector_number(trailing, "bytes") <= 1;
        } else if (usual && KINDS[_i] == INSPECT_INPUT) {
            usual = vector_number(json_member(vector, "decoded"), "payload_type") == 1 &&
                    json_member(json_member(vector, "decoded"), "params_error") == NULL;
        }
        if (usual) {
            static const char *const names[] = {"frame", "input", "text"};
            bool good = false;
            cJSON *object = inspect_describe("ojin", message.bytes, INSPECT_AUTO, false, &good);
            ck_assert_msg(strcmp(json_member(object, "kind")->valuestring, names[_i]) == 0, "%s",
                          vector_text(vector, "name"));
            ck_assert_str_eq(inspect_family_of(message.bytes, KINDS[_i]), "ojin");
            cJSON_Delete(object);
        }
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

static const struct {
    const char *name;
    const char *json;
    const char *hex; /* NULL: it cannot be built, and `error` begins the sentence */
    const char *error;
} BUILDS[] = {
    {"an input of nothing but its kind", "{\"kind\":\"input\"}", "01000000000000000000000000", NULL},
    {"an input with params as JSON", "{\"kind\":\"input\",\"params\":{\"a\":1},\"audio\":{\"hex\":\"0100\"}}",
     "010000000000000000000000077b2261223a317d0100", NULL},
    {"params as text win over params as JSON", "{\"kind\":\"input\",\"params\":{},\"params_text\":\"{ }\"}",
     "010000000000000000000000037b207d", NULL},
    {"a payload type of 255", "{\"kind\":\"input\",\"payload_type\":255}", "ff000000000000000000000000",
     NULL},
    {"the largest timestamp", "{\"kind\":\"input\",\"timestamp_ms\":\"18446744073709551615\"}",
     "01ffffffffffffffff00000000", NULL},
    {"a frame of nothing but its kind", "{\"kind\":\"frame\"}",
     "00000000000000000000000000000000000000000000000000000000000000000000000000", NULL},
    {"a payload count that lies", "{\"kind\":\"frame\",\"payload_count\":4294967295}",
     "0000000000000000000000000000000000000000000000000000000000000000"
     "00ffffffff",
     NULL},
    {"payloads and a byte behind them",
     "{\"kind\":\"frame\",\"payloads\":[{\"type\":9,\"hex\":\"\"},{\"type\":1,\"base64\":\"AAE=\"}],"
     "\"trailing\":{\"hex\":\"03\"}}",
     "0000000000000000000000000000000000000000000000000000000000000000"
     "0000000002"
     "0000000009"
     "0000000201"
     "0001"
     "03",
     NULL},
    {"a text as JSON", "{\"kind\":\"text\",\"json\":{\"type\":\"endInteraction\"}}",
     "7b2274797065223a22656e64496e746572616374696f6e227d", NULL},
    {"an empty text", "{\"kind\":\"text\",\"text\":\"\"}", "", NULL},
    {"bytes of any kind", "{\"hex\":\"00 ff\"}", "00ff", NULL},
    {"no JSON", "{\"kind\":", NULL, "not JSON at byte 8"},
    {"no object", "[]", NULL, "message: expected a JSON object"},
    {"no kind", "{}", NULL, "kind: expected"},
    {"another kind", "{\"kind\":\"video\"}", NULL, "kind: expected"},
    {"a payload type past a byte", "{\"kind\":\"input\",\"payload_type\":256}", NULL,
     "payload_type: expected"},
    {"a timestamp past 64 bits", "{\"kind\":\"input\",\"timestamp_ms\":\"18446744073709551616\"}", NULL,
     "timestamp_ms: expected"},
    {"a timestamp that a double does not hold", "{\"kind\":\"input\",\"timestamp_ms\":9007199254740994}",
     NULL, "timestamp_ms: expected"},
    {"a negative usage", "{\"kind\":\"frame\",\"usage\":-1}", NULL, "usage: expected"},
    {"an index past 32 bits", "{\"kind\":\"frame\",\"index\":4294967296}", NULL, "index: expected"},
    {"an interaction that is no UUID", "{\"kind\":\"frame\",\"interaction\":\"x\"}", NULL,
     "interaction: expected"},
    {"payloads that are no array", "{\"kind\":\"frame\",\"payloads\":{}}", NULL, "payloads: expected"},
    {"a payload without data", "{\"kind\":\"frame\",\"payloads\":[{\"hex\":\"\"},{\"type\":1}]}", NULL,
     "payloads[1]: expected"},
    {"broken base64", "{\"kind\":\"frame\",\"payloads\":[{\"base64\":\"AAA\"}]}", NULL,
     "payloads[0].base64: expected"},
    {"half a byte of hex", "{\"hex\":\"0\"}", NULL, "hex: expected"},
    {"audio that is no object", "{\"kind\":\"input\",\"audio\":\"AAAA\"}", NULL, "audio: expected"},
    {"a text that is none", "{\"kind\":\"text\",\"text\":1}", NULL, "text: expected"},
    {"a text of nothing", "{\"kind\":\"text\"}", NULL, "text: expected"},
};

START_TEST(a_message_is_built_by_hand_or_the_member_that_is_wrong_is_named)
{
    char error[INSPECT_ERROR_MAX] = "";
    struct buffer built, expected;
    struct exact_copy json = exact_copy_of(bytes_of_text(BUILDS[_i].json));
    buffer_init(&built, INSPECT_MESSAGE_BYTES_MAX);
    buffer_init(&expected, INSPECT_MESSAGE_BYTES_MAX);
    ck_assert(buffer_append(&built, bytes_of_text("x")));
    const bool good = inspect_build(json.bytes, &built, error);
    ck_assert_msg(good == (BUILDS[_i].hex != NULL), "%s: \"%s\"", BUILDS[_i].name, error);
    if (good) {
        ck_assert(buffer_append(&expected, bytes_of_text("x")));
        ck_assert(inspect_hex_decode(BUILDS[_i].hex, &expected));
        ck_assert_msg(bytes_equal(buffer_bytes(&built), buffer_bytes(&expected)), "%s", BUILDS[_i].name);
    } else {
        ck_assert_msg(strncmp(error, BUILDS[_i].error, strlen(BUILDS[_i].error)) == 0, "%s: \"%s\"",
                      BUILDS[_i].name, error);
        ck_assert_uint_eq(built.len, 1);
    }
    buffer_free(&built);
    buffer_free(&expected);
    exact_copy_free(json);
}
END_TEST

START_TEST(a_frame_is_taken_apart_up_to_the_maximum_of_payloads_and_no_further)
{
    for (uint32_t more = 0; more < 2; more++) {
        const uint32_t count = INSPECT_PAYLOADS_MAX + more;
        const size_t len = OJIN_FRAME_HEADER_BYTES + OJIN_ENTRY_HEADER_BYTES * (size_t)count;
        uint8_t *data = calloc(len, 1);
        ck_assert_ptr_nonnull(data);
        struct writer writer = writer_of(data, len);
        const struct ojin_frame frame = {.payload_count = count};
        ojin_frame_write_header(&writer, &frame);
        bool good = false;
        cJSON *object = inspect_describe("ojin", bytes_of(data, len), INSPECT_FRAME, true, &good);
        ck_assert_int_eq(good, more == 0);
        const cJSON *payloads = json_member(object, "payloads");
        ck_assert_int_eq(cJSON_GetArraySize(payloads), more == 0 ? INSPECT_PAYLOADS_MAX : 0);
        if (more > 0)
            ck_assert_str_eq(json_member(json_member(object, "error"), "status")->valuestring, "too-large");
        cJSON_Delete(object);
        free(data);
    }
}
END_TEST

int main(void)
{
    TCase *vectors = tcase_create("vectors");
    tcase_set_timeout(vectors, 60);
    tcase_add_loop_test(vectors, every_vector_and_each_prefix_comes_back_byte_for_byte, 0, 3);
    tcase_add_loop_test(vectors, what_a_vector_says_is_wrong_stands_in_its_description, 0, 3);
    tcase_add_loop_test(vectors, the_fields_of_a_valid_vector_are_those_of_its_description, 0, 2);
    tcase_add_loop_test(vectors, a_valid_vector_is_guessed_to_be_what_it_is, 0, 3);
    TCase *built = tcase_create("built");
    tcase_add_loop_test(built, a_message_is_built_by_hand_or_the_member_that_is_wrong_is_named, 0,
                        TABLE_COUNT(BUILDS));
    tcase_add_test(built, a_frame_is_taken_apart_up_to_the_maximum_of_payloads_and_no_further);
    Suite *suite = suite_create("inspect");
    suite_add_tcase(suite, vectors);
    suite_add_tcase(suite, built);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
