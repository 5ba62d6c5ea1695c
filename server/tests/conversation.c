#include "server/tests/conversation.h"

#include <check.h>
#include <stdlib.h>

#include "codec/ojin/input.h"
#include "codec/ojin/profile.h"
#include "codec/tests/exact_copy.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/bench.h"

static const char HEAD[] = "GET /realtime?config_id=my%20config&api_key=" CONVERSATION_KEY " HTTP/1.1\r\n"
                           "Host: 127.0.0.1\r\nAuthorization: " CONVERSATION_KEY "\r\n"
                           "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

static void sink(void *context, const struct journal_entry *entry)
{
    struct conversation *conversation = context;
    ck_assert_uint_eq(entry->sequence, conversation->sink_calls);
    conversation->sink_calls++;
}

struct session_config conversation_config(const struct journal_header *header, struct persona *persona)
{
    return (struct session_config){.profile = ojin_profile_by_name(header->profile),
                                   .key = header->key_known ? CONVERSATION_KEY : NULL,
                                   .config_id = header->config,
                                   .seed = header->seed,
                                   .epoch_ms = header->epoch_ms,
                                   .silence_percent = header->silence_percent,
                                   .speech_percent = header->speech_percent,
                                   .speed = header->speed,
                                   .persona = persona};
}

void conversation_begin(struct conversation *conversation, struct persona *persona)
{
    *conversation = (struct conversation){.header = {.family = "ojin",
                                                     .class = &OJIN_SESSION_CLASS,
                                                     .profile = "oris-1.0",
                                                     .epoch_ms = 1700000000000,
                                                     .seed = UINT64_MAX - 5,
                                                     .picture_width = BENCH_WIDTH,
                                                     .picture_height = BENCH_HEIGHT,
                                                     .silence_percent = SILENCE_PERCENT_DEFAULT,
                                                     .speech_percent = SPEECH_PERCENT_DEFAULT,
                                                     .speed = 1,
                                                     .key_known = true,
                                                     .config = CONVERSATION_CONFIG}};
    conversation->config = conversation_config(&conversation->header, persona);
    conversation->session = OJIN_SESSION_CLASS.create(&conversation->config);
    conversation->journal = journal_new(&conversation->header, bytes_of_text(CONVERSATION_KEY));
    const struct recorder_config config = {.rules = {.profile = conversation->config.profile,
                                                     .key = bytes_of_text(CONVERSATION_KEY),
                                                     .config = bytes_of_text(CONVERSATION_CONFIG),
                                                     .epoch_ms = conversation->header.epoch_ms},
                                           .journal = conversation->journal,
                                           .session_class = &OJIN_SESSION_CLASS,
                                           .sink = sink,
                                           .context = conversation};
    conversation->recorder = recorder_new(&config);
    ck_assert_ptr_nonnull(conversation->session);
    ck_assert_ptr_nonnull(conversation->journal);
    ck_assert_ptr_nonnull(conversation->recorder);
    actions_init(&conversation->actions);
}

void conversation_free(struct conversation *conversation)
{
    OJIN_SESSION_CLASS.destroy(conversation->session);
    recorder_free(conversation->recorder);
    journal_free(conversation->journal);
    actions_free(&conversation->actions);
}

static void step(struct conversation *conversation, const struct session_event *event)
{
    OJIN_SESSION_CLASS.step(conversation->session, event, &conversation->actions);
    for (size_t i = 0; i < conversation->actions.count; i++)
        recorder_action(conversation->recorder, conversation->now_us, &conversation->actions,
                        &conversation->actions.list[i]);
    actions_clear(&conversation->actions);
}

static void record(struct conversation *conversation, enum wire_event_kind kind, struct bytes data)
{
    const struct wire_event event = {.at_us = conversation->now_us,
                                     .direction = WIRE_FROM_CLIENT,
                                     .kind = kind,
                                     .message_bytes = data.len,
                                     .data = data};
    recorder_client_event(conversation->recorder, &event);
}

void conversation_upgrade(struct conversation *conversation, const char *text)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(text));
    struct http_head head;
    ck_assert(http_head_parse(copy.bytes, &head));
    recorder_connection(conversation->recorder, conversation->now_us);
    record(conversation, WIRE_EVENT_REQUEST, copy.bytes);
    step(conversation,
         &(struct session_event){.kind = SESSION_REQUEST, .now_us = conversation->now_us, .head = &head});
    step(conversation, &(struct session_event){.kind = SESSION_OPENED, .now_us = conversation->now_us});
    exact_copy_free(copy);
}

void conversation_send(struct conversation *conversation, enum wire_event_kind kind, struct bytes data)
{
    struct exact_copy copy = exact_copy_of(data);
    record(conversation, kind, copy.bytes);
    if (kind == WIRE_EVENT_TEXT || kind == WIRE_EVENT_BINARY)
        step(conversation,
             &(struct session_event){.kind = kind == WIRE_EVENT_TEXT ? SESSION_TEXT : SESSION_BINARY,
                                     .now_us = conversation->now_us,
                                     .data = copy.bytes,
                                     .message_bytes = data.len});
    exact_copy_free(copy);
}

void conversation_speak(struct conversation *conversation, size_t samples, int16_t value)
{
    const size_t len = OJIN_INPUT_HEADER_BYTES + OJIN_SAMPLE_BYTES * samples;
    uint8_t *message = malloc(len);
    ck_assert_ptr_nonnull(message);
    struct writer writer = writer_of(message, len);
    writer_u8(&writer, OJIN_PAYLOAD_AUDIO);
    writer_u64(&writer, conversation->header.epoch_ms + conversation->now_us / 1000);
    writer_u32(&writer, 0);
    for (size_t i = 0; i < samples; i++) {
        writer_u8(&writer, (uint8_t)((uint16_t)value & 0xFFu));
        writer_u8(&writer, (uint8_t)((uint16_t)value >> 8));
    }
    conversation_send(conversation, WIRE_EVENT_BINARY, bytes_of(message, len));
    free(message);
}

void conversation_run(struct conversation *conversation, uint64_t until_us)
{
    for (;;) {
        const uint64_t deadline = OJIN_SESSION_CLASS.deadline_us(conversation->session);
        if (deadline > until_us)
            break;
        /* A host is never quite on time. */
        if (deadline > conversation->now_us)
            conversation->now_us = deadline + 137 < until_us ? deadline + 137 : until_us;
        step(conversation, &(struct session_event){.kind = SESSION_TICK, .now_us = conversation->now_us});
    }
    conversation->now_us = until_us;
}

void conversation_play(struct conversation *conversation)
{
    static const uint8_t unknown[] = {9, 0, 0xFF};
    conversation_upgrade(conversation, HEAD);
    conversation_run(conversation, 50000);
    conversation_speak(conversation, OJIN_FRAME_SAMPLES, 0);
    conversation_run(conversation, 400000);
    conversation_speak(conversation, 20000, 5000);
    conversation_run(conversation, 700011);
    conversation_send(conversation, WIRE_EVENT_TEXT,
                      bytes_of_text("{\"type\":\"cancelInteraction\",\"payload\":{\"timestamp\":1}}"));
    conversation_run(conversation, 900000);
    conversation_send(conversation, WIRE_EVENT_BINARY, bytes_of(unknown, sizeof unknown));
    conversation_send(conversation, WIRE_EVENT_TEXT, bytes_of_text("my key is " CONVERSATION_KEY));
    conversation_send(conversation, WIRE_EVENT_PING, bytes_of("\0\xFF", 2));
    conversation_run(conversation, 1500000);
    conversation_speak(conversation, 9001, -7000);
    conversation_run(conversation, 1600000);
    conversation_send(conversation, WIRE_EVENT_TEXT,
                      bytes_of_text("{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}"));
    conversation_run(conversation, 8000000);
    conversation_send(conversation, WIRE_EVENT_END, (struct bytes){0});
    recorder_finish(conversation->recorder, conversation->now_us);
}

void conversation_write(const struct journal *journal, struct buffer *out)
{
    buffer_init(out, SIZE_MAX / 4);
    ck_assert(journal_write_header(journal, out));
    for (size_t i = 0; i < journal_count(journal); i++) {
        ck_assert(buffer_append(out, bytes_of_text("\n")));
        ck_assert(journal_write_entry(journal_at(journal, i), out));
    }
    ck_assert(buffer_append(out, bytes_of_text("\n")));
}
