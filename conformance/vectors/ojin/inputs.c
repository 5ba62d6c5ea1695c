#include <stdlib.h>

#include "codec/ojin/input.h"
#include "conformance/vectors/ojin/parts.h"

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])
#define TIME_MS        UINT64_C(1700000000123)

enum { INPUT_ROOM = 4096, AT_SIZE = 9, TRUE_ONE = -1, SOUND_BYTES = 256 };

struct input_row {
    const char *name;
    uint8_t type;
    uint64_t timestamp_ms;
    const char *params;
    size_t sound; /* bytes */
    int64_t size; /* of the params, as the header says; TRUE_ONE */
    size_t kept;  /* bytes that are left; 0: all */
};

#define ALL_PARAMS                                                                                           \
    "{\"speech_filter_amount\":5.0,\"idle_filter_amount\":10,\"idle_mouth_opening_scale\":0.5,\"speech_"     \
    "mouth_"                                                                                                 \
    "opening_scale\":1.25,\"client_frame_index\":7}"

static const struct input_row INPUTS[] = {
    {"sound without params", 1, TIME_MS, "", SOUND_BYTES, TRUE_ONE, 0},
    {"no sound", 1, TIME_MS, "", 0, TRUE_ONE, 0},
    {"all params", 1, TIME_MS, ALL_PARAMS, SOUND_BYTES, TRUE_ONE, 0},
    {"params and no sound", 1, TIME_MS, ALL_PARAMS, 0, TRUE_ONE, 0},
    {"empty params", 1, TIME_MS, "{}", SOUND_BYTES, TRUE_ONE, 0},
    {"params with white space", 1, TIME_MS, " { } ", SOUND_BYTES, TRUE_ONE, 0},
    {"params that are not known", 1, TIME_MS, "{\"mood\":\"fro\xc3\x9f\"}", SOUND_BYTES, TRUE_ONE, 0},
    {"an integral client_frame_index with a fraction of 0", 1, TIME_MS, "{\"client_frame_index\":3.0}",
     SOUND_BYTES, TRUE_ONE, 0},
    {"timestamp 0", 1, 0, "", SOUND_BYTES, TRUE_ONE, 0},
    {"the largest timestamp", 1, UINT64_MAX, "", SOUND_BYTES, TRUE_ONE, 0},
    {"a timestamp whose bytes all differ", 1, UINT64_C(0x0102030405060708), "", SOUND_BYTES, TRUE_ONE, 0},
    /* refused */
    {"payload type 0", 0, TIME_MS, "", SOUND_BYTES, TRUE_ONE, 0},
    {"payload type 2", 2, TIME_MS, "", SOUND_BYTES, TRUE_ONE, 0},
    {"payload type 255", 255, TIME_MS, "", SOUND_BYTES, TRUE_ONE, 0},
    {"sound that ends inside a sample", 1, TIME_MS, "", SOUND_BYTES - 1, TRUE_ONE, 0},
    {"one byte of sound", 1, TIME_MS, "", 1, TRUE_ONE, 0},
    {"cut to one byte", 1, TIME_MS, "", SOUND_BYTES, TRUE_ONE, 1},
    {"cut inside the timestamp", 1, TIME_MS, "", SOUND_BYTES, TRUE_ONE, 8},
    {"cut before the params size", 1, TIME_MS, "", SOUND_BYTES, TRUE_ONE, AT_SIZE},
    {"header without its last byte", 1, TIME_MS, "", SOUND_BYTES, TRUE_ONE, OJIN_INPUT_HEADER_BYTES - 1},
    {"a params size one past the end", 1, TIME_MS, "{}", 0, 3, 0},
    {"a params size of 4294967295", 1, TIME_MS, "{}", SOUND_BYTES, UINT32_MAX, 0},
    {"a params size of 2147483648", 1, TIME_MS, "", SOUND_BYTES, INT64_C(0x80000000), 0},
    {"a params size that wraps round", 1, TIME_MS, "", SOUND_BYTES, INT64_C(0xfffffff3), 0},
    {"a params size that is little-endian", 1, TIME_MS, "{}", SOUND_BYTES, INT64_C(0x02000000), 0},
    {"a params size that takes the sound in", 1, TIME_MS, "", SOUND_BYTES, 2, 0},
    {"params that are cut", 1, TIME_MS, "{\"client_frame_index\":", SOUND_BYTES, TRUE_ONE, 0},
    {"params that are a list", 1, TIME_MS, "[]", SOUND_BYTES, TRUE_ONE, 0},
    {"params that are null", 1, TIME_MS, "null", SOUND_BYTES, TRUE_ONE, 0},
    {"params that are no JSON", 1, TIME_MS, "speech", SOUND_BYTES, TRUE_ONE, 0},
    {"params in broken UTF-8", 1, TIME_MS, "{\"a\":\"\xff\"}", SOUND_BYTES, TRUE_ONE, 0},
    {"a number of the params as a string", 1, TIME_MS, "{\"speech_filter_amount\":\"5\"}", SOUND_BYTES,
     TRUE_ONE, 0},
    {"a number of the params that is null", 1, TIME_MS, "{\"idle_filter_amount\":null}", SOUND_BYTES,
     TRUE_ONE, 0},
    {"a client_frame_index with a fraction", 1, TIME_MS, "{\"client_frame_index\":3.5}", SOUND_BYTES,
     TRUE_ONE, 0},
};

void ojin_vectors_add_inputs(struct vector_maker *maker)
{
    uint8_t out[INPUT_ROOM], sound[SOUND_BYTES];
    vector_fill_pcm16(sound, SOUND_BYTES / OJIN_SAMPLE_BYTES);
    vectors_add(maker, "input, no bytes", "input", NULL, true, bytes_of(NULL, 0), NULL);
    for (size_t i = 0; i < COUNT_OF(INPUTS); i++) {
        const struct input_row *row = &INPUTS[i];
        const struct ojin_input input = {.payload_type = row->type,
                                         .timestamp_ms = row->timestamp_ms,
                                         .params = bytes_of_text(row->params),
                                         .audio = bytes_of(sound, row->sound)};
        struct writer writer = writer_of(out, sizeof out);
        char name[VECTOR_NAME_MAX];
        struct text text = text_of(name, sizeof name);
        ojin_input_write(&writer, &input);
        if (row->size != TRUE_ONE) {
            struct writer field = writer_of(out + AT_SIZE, 4);
            writer_u32(&field, (uint32_t)row->size);
        }
        text_add(&text, "input, ");
        text_add(&text, row->name);
        vectors_add(maker, name, "input", NULL, true, bytes_of(out, row->kept > 0 ? row->kept : writer.len),
                    NULL);
    }
}

static void put_params(struct vector *vector, const struct ojin_params *params)
{
    vector_put_number(vector, "speech_filter_amount", params->speech_filter_amount);
    vector_put_number(vector, "idle_filter_amount", params->idle_filter_amount);
    vector_put_number(vector, "idle_mouth_opening_scale", params->idle_mouth_opening_scale);
    vector_put_number(vector, "speech_mouth_opening_scale", params->speech_mouth_opening_scale);
    vector_put_number(vector, "client_frame_index", (double)params->client_frame_index);
}

static struct wire_error read_input(struct bytes message, struct ojin_input *input,
                                    struct ojin_params *params)
{
    struct wire_error error = ojin_input_decode(message, input);
    *params = OJIN_PARAMS_DEFAULT;
    if (error.status != WIRE_OK)
        return error;
    if (input->payload_type != OJIN_PAYLOAD_AUDIO)
        return (struct wire_error){.status = WIRE_WRONG_PAYLOAD_TYPE, .field = "payload type"};
    if (input->params.len > 0)
        error = ojin_params_read(input->params, params);
    if (error.status == WIRE_OK && input->audio.len % OJIN_SAMPLE_BYTES != 0)
        return (struct wire_error){.status = WIRE_ODD_AUDIO, .field = "audio"};
    return error;
}

void ojin_vectors_judge_input(struct vector *vector)
{
    struct ojin_input input;
    struct ojin_params params;
    const struct wire_error error = read_input(vector->message, &input, &params);
    if (error.status != WIRE_OK) {
        ojin_vectors_set_error(vector, error);
        vector->requirement = "OJ-SRV-12";
        return;
    }
    vector_put_number(vector, "payload_type", input.payload_type);
    vector_put_u64(vector, "timestamp_ms", input.timestamp_ms);
    vector_put_number(vector, "params_bytes", (double)input.params.len);
    put_params(vector, &params);
    vector_put_span(vector, "audio", input.audio, OJIN_SAMPLE_BYTES);
    vector->requirement = input.params.len > 0 ? "OJ-IN-03" : "OJ-IN-01";
}
