#include "server/ojin/tests/bench.h"

#include <check.h>
#include <stdlib.h>

#include "codec/ojin/profile.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/crc32.h"
#include "server/ojin/session_class.h"

void bench_new(struct bench *bench, const char *profile, bool pictures)
{
    *bench = (struct bench){0};
    bench->config = (struct session_config){.profile = ojin_profile_by_name(profile),
                                            .seed = 7,
                                            .epoch_ms = BENCH_EPOCH_MS,
                                            .silence_percent = SILENCE_PERCENT_DEFAULT,
                                            .speech_percent = SPEECH_PERCENT_DEFAULT,
                                            .speed = 1};
    if (pictures) {
        char error[PERSONA_ERROR_MAX];
        bench->config.persona = persona_new(BENCH_WIDTH, BENCH_HEIGHT, error);
        ck_assert_ptr_nonnull(bench->config.persona);
    }
    ck_assert_ptr_nonnull(bench->config.profile);
    bench->session = OJIN_SESSION_CLASS.create(&bench->config);
    ck_assert_ptr_nonnull(bench->session);
    actions_init(&bench->actions);
    buffer_init(&bench->speech, SIZE_MAX / 2);
    bench->sent = calloc(BENCH_SENT_MAX, sizeof *bench->sent);
    ck_assert_ptr_nonnull(bench->sent);
}

void bench_open(struct bench *bench, const char *profile, bool pictures)
{
    bench_new(bench, profile, pictures);
    bench_event(bench, SESSION_OPENED, (struct bytes){0});
}

void bench_start(struct bench *bench, const char *profile, bool pictures)
{
    bench_open(bench, profile, pictures);
    bench_run(bench, 10000);
    if (ojin_profile_of(bench->config.profile)->stream_start == OJIN_STREAM_ON_FIRST_INPUT)
        bench_zeros(bench, OJIN_FRAME_SAMPLES);
    bench_run(bench, 1000000);
}

void bench_check_joined(const struct bench *bench, size_t samples)
{
    ck_assert_uint_eq(bench->speech.len % OJIN_FRAME_AUDIO_BYTES, 0);
    for (size_t i = 0; i < bench->speech.len / 2; i++) {
        const uint16_t got = (uint16_t)(bench->speech.data[2 * i] | bench->speech.data[2 * i + 1] << 8);
        const uint16_t expected = i < samples ? (uint16_t)bench_speech_sample(i) : 0;
        ck_assert_msg(got == expected, "sample %zu is %u, not %u", i, (unsigned)got, (unsigned)expected);
    }
}

void bench_free(struct bench *bench)
{
    OJIN_SESSION_CLASS.destroy(bench->session);
    actions_free(&bench->actions);
    buffer_free(&bench->speech);
    persona_free(bench->config.persona);
    free(bench->sent);
}

static bool all_zero(struct bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.data[i] != 0)
            return false;
    }
    return true;
}

static uint32_t peak(struct bytes audio)
{
    uint32_t highest = 0;
    for (size_t i = 0; i + 1 < audio.len; i += 2) {
        const int32_t bits = audio.data[i] | audio.data[i + 1] << 8;
        const int32_t sample = bits >= 0x8000 ? bits - 0x10000 : bits;
        const uint32_t size = (uint32_t)(sample < 0 ? -sample : sample);
        highest = size > highest ? size : highest;
    }
    return highest;
}

static void check_frame(const struct bench *bench, const struct action *action,
                        const struct ojin_frame *frame, size_t bytes)
{
    ck_assert_uint_eq(frame->audio.len, OJIN_FRAME_AUDIO_BYTES);
    ck_assert_uint_eq(frame->trailing.len, 0);
    ck_assert(action->has_interaction);
    ck_assert_mem_eq(action->interaction, frame->interaction, UUID_BYTES);
    size_t entries = 5u + frame->audio.len;
    if (bench->config.persona != NULL)
        entries += 5u + frame->image.len;
    ck_assert_uint_eq(bytes, OJIN_FRAME_HEADER_BYTES + entries);
}

static void keep_binary(struct bench *bench, const struct action *action, struct bytes data,
                        struct sent *sent)
{
    struct ojin_frame frame;
    sent->decodes = ojin_frame_decode(data, &frame).status == WIRE_OK;
    ck_assert(sent->decodes || sent->fault);
    if (!sent->decodes)
        return;
    const bool served = strcmp(action->step, "composed") != 0;
    if (served && !bench->loose && !sent->fault)
        check_frame(bench, action, &frame, data.len);
    sent->is_final = frame.is_final;
    sent->index = frame.index;
    sent->usage = frame.usage;
    sent->timestamp_ms = frame.timestamp_ms;
    memcpy(sent->interaction, frame.interaction, UUID_BYTES);
    sent->audio_is_zero = all_zero(frame.audio);
    sent->audio_peak = peak(frame.audio);
    sent->payload_count = frame.payload_count;
    sent->image_bytes = frame.image.len;
    sent->trailing_bytes = frame.trailing.len;
    sent->frame_type = frame.trailing.len > 0 ? frame.trailing.data[0] : 0;
    sent->audio_crc = crc32_of(frame.audio);
    sent->image_crc = crc32_of(frame.image);
    if (frame.index == OJIN_INDEX_SPEECH)
        ck_assert(buffer_append(&bench->speech, frame.audio));
}

static void keep(struct bench *bench, const struct action *action)
{
    const struct bytes data = actions_bytes(&bench->actions, action);
    ck_assert_uint_lt(bench->count, BENCH_SENT_MAX);
    struct sent *sent = &bench->sent[bench->count++];
    sent->at_us = bench->now_us;
    sent->kind = action->kind;
    sent->code = action->code;
    sent->fault = action->fault;
    sent->bytes = data.len;
    sent->whole_crc = crc32_of(data);
    memcpy(sent->label, action->label, sizeof sent->label);
    struct exact_copy copy = exact_copy_of(data);
    if (action->kind == ACTION_SEND_BINARY)
        keep_binary(bench, action, copy.bytes, sent);
    if (action->kind == ACTION_SEND_TEXT || action->kind == ACTION_REFUSE) {
        struct text text = text_of(sent->text, sizeof sent->text);
        text_add_bytes(&text, copy.bytes);
    }
    if (action->kind == ACTION_SEND_TEXT)
        ojin_message_read(copy.bytes, &sent->message);
    exact_copy_free(copy);
}

static void collect(struct bench *bench)
{
    for (size_t i = 0; i < bench->actions.count; i++)
        keep(bench, &bench->actions.list[i]);
    actions_clear(&bench->actions);
}

void bench_event(struct bench *bench, enum session_event_kind kind, struct bytes data)
{
    struct exact_copy copy = exact_copy_of(data);
    const struct session_event event = {.kind = kind,
                                        .now_us = bench->now_us,
                                        .data = copy.bytes,
                                        .message_bytes = data.len,
                                        .came_us = bench->came_us};
    OJIN_SESSION_CLASS.step(bench->session, &event, &bench->actions);
    exact_copy_free(copy);
    collect(bench);
}

void bench_quirks(struct bench *bench, const char *quirks)
{
    char error[QUIRK_ERROR_MAX];
    const bool right =
        quirk_set_all(&bench->config.quirks, OJIN_SESSION_CLASS.quirks, bytes_of_text(quirks), error);
    ck_assert_msg(right, "%s", error);
    OJIN_SESSION_CLASS.set_quirks(bench->session, &bench->config.quirks);
    bench->loose = true;
}

void bench_request(struct bench *bench, const char *head)
{
    struct http_head parsed;
    ck_assert(http_head_parse(bytes_of_text(head), &parsed));
    const struct session_event event = {.kind = SESSION_REQUEST, .now_us = bench->now_us, .head = &parsed};
    OJIN_SESSION_CLASS.step(bench->session, &event, &bench->actions);
    collect(bench);
    if (bench->count > 0 && bench->sent[bench->count - 1].kind == ACTION_ACCEPT)
        bench_event(bench, SESSION_OPENED, (struct bytes){0});
}

void bench_run(struct bench *bench, uint64_t until_us)
{
    for (;;) {
        const uint64_t deadline = OJIN_SESSION_CLASS.deadline_us(bench->session);
        if (deadline > until_us)
            break;
        if (deadline > bench->now_us)
            bench->now_us = deadline;
        bench_event(bench, SESSION_TICK, (struct bytes){0});
    }
    bench->now_us = until_us;
}

void bench_run_late(struct bench *bench, uint64_t until_us, uint64_t tick_us)
{
    while (bench->now_us < until_us) {
        bench->now_us += tick_us;
        do {
            bench_event(bench, SESSION_TICK, (struct bytes){0});
        } while (OJIN_SESSION_CLASS.deadline_us(bench->session) <= bench->now_us);
    }
}

void bench_text(struct bench *bench, const char *text)
{
    bench_event(bench, SESSION_TEXT, bytes_of_text(text));
}

void bench_binary(struct bench *bench, struct bytes message)
{
    bench_event(bench, SESSION_BINARY, message);
}

void bench_audio(struct bench *bench, const int16_t *samples, size_t count, const char *params)
{
    const size_t params_len = params == NULL ? 0 : strlen(params);
    const size_t len = OJIN_INPUT_HEADER_BYTES + params_len + OJIN_SAMPLE_BYTES * count;
    uint8_t *message = malloc(len);
    ck_assert_ptr_nonnull(message);
    struct writer writer = writer_of(message, len);
    writer_u8(&writer, OJIN_PAYLOAD_AUDIO);
    writer_u64(&writer, BENCH_EPOCH_MS + bench->now_us / 1000);
    writer_u32(&writer, (uint32_t)params_len);
    writer_bytes(&writer, bytes_of(params, params_len));
    for (size_t i = 0; i < count; i++) {
        const uint16_t bits = (uint16_t)samples[i];
        writer_u8(&writer, (uint8_t)(bits & 0xFFu));
        writer_u8(&writer, (uint8_t)(bits >> 8));
    }
    ck_assert_uint_eq(writer.len, len);
    bench_binary(bench, bytes_of(message, len));
    free(message);
}

int16_t bench_speech_sample(size_t n)
{
    /* Never zero, and different in each frame. */
    return (int16_t)(1 + (n * 7919u) % 20000u);
}

static void send_samples(struct bench *bench, size_t count, bool speech)
{
    int16_t *samples = calloc(count + 1, sizeof *samples);
    ck_assert_ptr_nonnull(samples);
    for (size_t i = 0; speech && i < count; i++)
        samples[i] = bench_speech_sample(i);
    bench_audio(bench, samples, count, NULL);
    free(samples);
}

void bench_zeros(struct bench *bench, size_t count)
{
    send_samples(bench, count, false);
}

void bench_speech(struct bench *bench, size_t count)
{
    send_samples(bench, count, true);
}

void bench_compose(struct bench *bench, const char *kind, const struct compose_option *options, size_t count)
{
    char error[200] = "";
    const bool done = OJIN_SESSION_CLASS.compose(bench->session, bench->now_us, kind, options, count,
                                                 &bench->actions, error);
    ck_assert_msg(done, "send %s: %s", kind, error);
    ck_assert_uint_eq(bench->actions.count, 1);
    memcpy(bench->actions.list[0].step, "composed", sizeof "composed");
    collect(bench);
}

size_t bench_count_label(const struct bench *bench, const char *label)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++)
        count += strcmp(bench->sent[i].label, label) == 0 ? 1u : 0u;
    return count;
}

size_t bench_count_index(const struct bench *bench, uint32_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++)
        count += bench->sent[i].decodes && bench->sent[i].index == index ? 1u : 0u;
    return count;
}

const struct sent *bench_latest(const struct bench *bench, const char *label)
{
    for (size_t i = bench->count; i-- > 0;) {
        if (strcmp(bench->sent[i].label, label) == 0)
            return &bench->sent[i];
    }
    return NULL;
}

size_t bench_count_error(const struct bench *bench, const char *code)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const struct sent *sent = &bench->sent[i];
        const bool error =
            sent->kind == ACTION_SEND_TEXT && sent->message.type == OJIN_MESSAGE_ERROR_RESPONSE;
        count += error && strcmp(sent->message.code, code) == 0 ? 1u : 0u;
    }
    return count;
}
