/* The golden vectors of fixtures/vectors against the decoders: each whole, and each of its prefixes. */
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "codec/tests/suite.h"
#include "codec/tests/vector_file.h"

static void assert_frame(const cJSON *vector, const struct ojin_frame *frame)
{
    const char *name = vector_text(vector, "name");
    const cJSON *decoded = json_member(vector, "decoded");
    char interaction[UUID_TEXT_BYTES + 1];
    struct text text = text_of(interaction, sizeof interaction);
    text_add_uuid(&text, frame->interaction);
    ck_assert_msg(frame->is_final == vector_number(decoded, "is_final"), "%s: is_final", name);
    ck_assert_msg(strcmp(interaction, vector_text(decoded, "interaction")) == 0, "%s: interaction", name);
    ck_assert_msg(frame->timestamp_ms == vector_u64(decoded, "timestamp_ms"), "%s: timestamp_ms", name);
    ck_assert_msg(frame->usage == vector_number(decoded, "usage"), "%s: usage", name);
    ck_assert_msg(frame->index == vector_number(decoded, "index"), "%s: index", name);
    ck_assert_msg(frame->payload_count == vector_number(decoded, "payload_count"), "%s: count", name);
    ck_assert_msg(frame->has_audio == cJSON_IsObject(json_member(decoded, "audio")), "%s: has_audio", name);
    ck_assert_msg(frame->has_image == cJSON_IsObject(json_member(decoded, "image")), "%s: has_image", name);
    if (frame->has_audio)
        vector_assert_span(vector, decoded, "audio", frame->audio);
    if (frame->has_image)
        vector_assert_span(vector, decoded, "image", frame->image);
}

/* The message cut to `len` bytes gives what the vector says, and *out is left alone when it fails. */
static void assert_frame_prefix(const cJSON *vector, struct bytes message, size_t len)
{
    struct exact_copy prefix = exact_copy_of(bytes_of(message.data, len));
    struct ojin_frame frame = {.usage = 4711, .payload_count = 4712};
    const cJSON *expected = vector_prefix(vector, len);
    vector_assert_error(vector, expected, ojin_frame_decode(prefix.bytes, &frame), len);
    if (expected == NULL) {
        /* A frame that ends anywhere in its trailing bytes is the same frame with fewer of them. */
        assert_frame(vector, &frame);
        ck_assert_uint_eq(frame.trailing.len + (message.len - len),
                          vector_number(json_member(json_member(vector, "decoded"), "trailing"), "bytes"));
    } else {
        ck_assert_uint_eq(frame.usage, 4711);
        ck_assert_uint_eq(frame.payload_count, 4712);
    }
    exact_copy_free(prefix);
}

static void assert_input(const cJSON *vector, const struct ojin_input *input)
{
    const char *name = vector_text(vector, "name");
    const cJSON *decoded = json_member(vector, "decoded");
    ck_assert_msg(input->payload_type == vector_number(decoded, "payload_type"), "%s: payload type", name);
    ck_assert_msg(input->timestamp_ms == vector_u64(decoded, "timestamp_ms"), "%s: timestamp_ms", name);
    vector_assert_span(vector, decoded, "params", input->params);
}

static void assert_input_prefix(const cJSON *vector, struct bytes message, size_t len)
{
    struct exact_copy prefix = exact_copy_of(bytes_of(message.data, len));
    struct ojin_input input = {.timestamp_ms = 4711};
    const cJSON *expected = vector_prefix(vector, len);
    vector_assert_error(vector, expected, ojin_input_decode(prefix.bytes, &input), len);
    if (expected == NULL) {
        /* An input that ends anywhere in its audio is the same input with less of it. */
        assert_input(vector, &input);
        ck_assert_uint_eq(input.audio.len + (message.len - len),
                          vector_number(json_member(json_member(vector, "decoded"), "audio"), "bytes"));
    } else {
        ck_assert_uint_eq(input.timestamp_ms, 4711);
    }
    exact_copy_free(prefix);
}

static void assert_text_prefix(const cJSON *vector, struct bytes message, size_t len)
{
    struct exact_copy prefix = exact_copy_of(bytes_of(message.data, len));
    const cJSON *expected = vector_prefix(vector, len);
    struct ojin_message read;
    ojin_message_read(prefix.bytes, &read);
    vector_assert_error(vector, expected, read.error, len);
    ck_assert_int_eq(read.type == OJIN_MESSAGE_PLAIN_TEXT, expected != NULL);
    exact_copy_free(prefix);
}

static bool is_close(double a, double b)
{
    return a - b < 1e-12 && b - a < 1e-12;
}

static void assert_params(const cJSON *vector, struct bytes json)
{
    const cJSON *decoded = json_member(vector, "decoded");
    const cJSON *expected = json_member(decoded, "params_read");
    struct exact_copy copy = exact_copy_of(json);
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    struct wire_error error = ojin_params_read(copy.bytes, &params);
    exact_copy_free(copy);
    if (expected == NULL) {
        const char *status = vector_text(decoded, "params_error");
        ck_assert_str_eq(wire_status_name(error.status), status);
        if (cJSON_IsString(json_member(decoded, "params_field")))
            ck_assert_str_eq(error.field, vector_text(decoded, "params_field"));
        ck_assert_msg(memcmp(&params, &OJIN_PARAMS_DEFAULT, sizeof params) == 0, "params were changed");
        return;
    }
    ck_assert_str_eq(wire_status_name(error.status), "ok");
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"speech_filter_amount", params.speech_filter_amount},
        {"idle_filter_amount", params.idle_filter_amount},
        {"idle_mouth_opening_scale", params.idle_mouth_opening_scale},
        {"speech_mouth_opening_scale", params.speech_mouth_opening_scale},
        {"client_frame_index", (double)params.client_frame_index},
    };
    for (int i = 0; i < TABLE_COUNT(numbers); i++)
        ck_assert_msg(is_close(json_member(expected, numbers[i].name)->valuedouble, numbers[i].value),
                      "%s: %s is %f", vector_text(vector, "name"), numbers[i].name, numbers[i].value);
}

static void assert_message_text(const cJSON *vector, const char *member, const char *actual)
{
    const cJSON *expected = json_member(json_member(vector, "decoded"), member);
    if (expected != NULL)
        ck_assert_msg(strcmp(expected->valuestring, actual) == 0, "%s: %s is '%s'",
                      vector_text(vector, "name"), member, actual);
}

static void assert_message(const cJSON *vector, const struct ojin_message *read)
{
    const cJSON *decoded = json_member(vector, "decoded");
    const char *name = vector_text(vector, "name");
    ck_assert_str_eq(ojin_message_type_name(read->type), vector_text(decoded, "type"));
    if (!vector_flag(vector, "valid"))
        return;
    bool has_timestamp = json_member(decoded, "timestamp_ms") != NULL;
    ck_assert_msg(read->has_timestamp == has_timestamp, "%s: has_timestamp", name);
    if (has_timestamp)
        ck_assert_msg(read->timestamp_ms == (int64_t)vector_u64(decoded, "timestamp_ms"), "%s: time", name);
    assert_message_text(vector, "trace_id", read->trace_id);
    assert_message_text(vector, "code", read->code);
    assert_message_text(vector, "message", read->message);
    assert_message_text(vector, "interaction_id", read->interaction_id);
    if (json_member(decoded, "load") != NULL)
        ck_assert_msg(is_close(json_member(decoded, "load")->valuedouble, read->load), "%s: load", name);
    if (json_member(decoded, "has_parameters") != NULL)
        ck_assert_msg(read->has_parameters == vector_flag(decoded, "has_parameters"), "%s: parameters", name);
    if (json_member(decoded, "known_code") != NULL) {
        enum ojin_error_code code;
        ck_assert_msg(ojin_error_by_name(bytes_of_text(read->code), &code) ==
                          vector_flag(decoded, "known_code"),
                      "%s: known code", name);
    }
}

START_TEST(every_frame_vector_decodes_as_it_says)
{
    cJSON *vectors = vector_file_load("frames.json");
    for (const cJSON *vector = vectors->child; vector != NULL; vector = vector->next) {
        struct exact_copy message = vector_message(vector);
        struct ojin_frame frame = {0};
        bool valid = vector_flag(vector, "valid");
        struct wire_error error = ojin_frame_decode(message.bytes, &frame);
        vector_assert_error(vector, valid ? NULL : vector, error, message.bytes.len);
        if (valid) {
            assert_frame(vector, &frame);
            vector_assert_span(vector, json_member(vector, "decoded"), "trailing", frame.trailing);
        }
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

START_TEST(every_input_vector_decodes_as_it_says)
{
    cJSON *vectors = vector_file_load("inputs.json");
    for (const cJSON *vector = vectors->child; vector != NULL; vector = vector->next) {
        struct exact_copy message = vector_message(vector);
        struct ojin_input input = {0};
        bool valid = vector_flag(vector, "valid");
        struct wire_error error = ojin_input_decode(message.bytes, &input);
        vector_assert_error(vector, valid ? NULL : vector, error, message.bytes.len);
        if (valid) {
            assert_input(vector, &input);
            vector_assert_span(vector, json_member(vector, "decoded"), "audio", input.audio);
            if (input.params.len > 0)
                assert_params(vector, input.params);
        }
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

START_TEST(every_text_vector_reads_as_it_says)
{
    cJSON *vectors = vector_file_load("texts.json");
    for (const cJSON *vector = vectors->child; vector != NULL; vector = vector->next) {
        struct exact_copy message = vector_message(vector);
        struct ojin_message read;
        ojin_message_read(message.bytes, &read);
        vector_assert_error(vector, vector_flag(vector, "valid") ? NULL : vector, read.error,
                            message.bytes.len);
        assert_message(vector, &read);
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

struct prefix_case {
    const char *file;
    void (*check)(const cJSON *vector, struct bytes message, size_t len);
};

static const struct prefix_case PREFIX_CASES[] = {
    {"frames.json", assert_frame_prefix},
    {"inputs.json", assert_input_prefix},
    {"texts.json", assert_text_prefix},
};

START_TEST(every_prefix_of_a_valid_vector_fails_cleanly_or_is_a_shorter_message)
{
    cJSON *vectors = vector_file_load(PREFIX_CASES[_i].file);
    size_t checked = 0;
    for (const cJSON *vector = vectors->child; vector != NULL; vector = vector->next) {
        if (!vector_flag(vector, "valid"))
            continue;
        struct exact_copy message = vector_message(vector);
        for (size_t len = 0; len < message.bytes.len; len++, checked++)
            PREFIX_CASES[_i].check(vector, message.bytes, len);
        exact_copy_free(message);
    }
    ck_assert_uint_gt(checked, 1000);
    cJSON_Delete(vectors);
}
END_TEST

START_TEST(every_valid_input_vector_is_written_back_byte_for_byte)
{
    cJSON *vectors = vector_file_load("inputs.json");
    for (const cJSON *vector = vectors->child; vector != NULL; vector = vector->next) {
        struct exact_copy message = vector_message(vector);
        struct ojin_input input;
        if (ojin_input_decode(message.bytes, &input).status == WIRE_OK) {
            uint8_t *out = malloc(message.bytes.len);
            struct writer writer = writer_of(out, message.bytes.len);
            ojin_input_write(&writer, &input);
            ck_assert(!writer.overflow);
            ck_assert(bytes_equal(bytes_of(out, writer.len), message.bytes));
            free(out);
        }
        exact_copy_free(message);
    }
    cJSON_Delete(vectors);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("vectors");
    tcase_add_test(tcase, every_frame_vector_decodes_as_it_says);
    tcase_add_test(tcase, every_input_vector_decodes_as_it_says);
    tcase_add_test(tcase, every_text_vector_reads_as_it_says);
    tcase_add_loop_test(tcase, every_prefix_of_a_valid_vector_fails_cleanly_or_is_a_shorter_message, 0,
                        TABLE_COUNT(PREFIX_CASES));
    tcase_add_test(tcase, every_valid_input_vector_is_written_back_byte_for_byte);
    return suite_run("vectors", tcase);
}
