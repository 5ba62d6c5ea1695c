#include "server/interview/tests/meeting.h"

#include <check.h>
#include <stdlib.h>

#include "codec/interview/family.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/base64.h"
#include "server/interview/session_class.h"

enum { HEAD_MAX = 32 * 1024, CHUNK_MS = 200, STEPS_MAX = 100000 };

static const char TARGET[] = MEETING_PATH "?token=" MEETING_TOKEN;

void meeting_new(struct meeting *meeting, const char *profile, const char *quirks, struct rooms *rooms)
{
    char error[QUIRK_ERROR_MAX];
    *meeting = (struct meeting){.now_us = 0};
    meeting->config = (struct session_config){.profile = family_profile(&INTERVIEW_FAMILY, profile),
                                              .key = MEETING_TOKEN,
                                              .epoch_ms = MEETING_EPOCH_MS,
                                              .speed = 1,
                                              .rooms = rooms};
    ck_assert_ptr_nonnull(meeting->config.profile);
    ck_assert_msg(
        quirk_set_all(&meeting->config.quirks, INTERVIEW_SESSION_CLASS.quirks, bytes_of_text(quirks), error),
        "%s", error);
    meeting->dialect = interview_profile_of(meeting->config.profile)->dialect;
    meeting->session = INTERVIEW_SESSION_CLASS.create(&meeting->config);
    ck_assert_ptr_nonnull(meeting->session);
    actions_init(&meeting->actions);
    buffer_init(&meeting->heard, SIZE_MAX / 2);
    meeting->said = calloc(MEETING_SAID_MAX, sizeof *meeting->said);
    ck_assert_ptr_nonnull(meeting->said);
}

void meeting_free(struct meeting *meeting)
{
    INTERVIEW_SESSION_CLASS.destroy(meeting->session);
    actions_free(&meeting->actions);
    buffer_free(&meeting->heard);
    free(meeting->said);
}

/* ---- what was sent ---- */

static void set(char *out, size_t room, struct bytes value)
{
    struct text text = text_of(out, room);
    text_add_bytes(&text, value);
}

static void keep_message(struct meeting *meeting, struct bytes data, struct said *said)
{
    struct interview_message message;
    interview_message_read(data, meeting->dialect, &message);
    said->type = message.type;
    said->faults = message.faults.count;
    said->is_final = message.is_final;
    said->has_speaker = message.has_speaker;
    said->ai = message.has_speaker && message.speaker == INTERVIEW_SPEAKER_AI;
    said->samples = interview_sample_count(message.audio);
    said->timestamp = message.timestamp;
    set(said->code_name, sizeof said->code_name, message.code);
    set(said->text, sizeof said->text, message.has_text && !meeting->whole ? message.text : data);
    ck_assert(buffer_append(&meeting->heard, message.audio));
    interview_message_free(&message);
}

static void keep(struct meeting *meeting)
{
    for (size_t n = 0; n < meeting->actions.count; n++) {
        const struct action *action = &meeting->actions.list[n];
        const struct bytes data = actions_bytes(&meeting->actions, action);
        ck_assert_uint_lt(meeting->count, MEETING_SAID_MAX);
        struct said *said = &meeting->said[meeting->count++];
        *said = (struct said){.at_us = meeting->now_us, .kind = action->kind, .code = action->code};
        memcpy(said->label, action->label, sizeof said->label);
        if (action->kind == ACTION_SEND_TEXT)
            keep_message(meeting, data, said);
        else
            set(said->text, sizeof said->text, data);
    }
    actions_clear(&meeting->actions);
}

static void step(struct meeting *meeting, const struct session_event *event)
{
    INTERVIEW_SESSION_CLASS.step(meeting->session, event, &meeting->actions);
    keep(meeting);
}

size_t meeting_count(const struct meeting *meeting, const char *label)
{
    size_t count = 0;
    for (size_t n = 0; n < meeting->count; n++)
        count += strcmp(meeting->said[n].label, label) == 0 ? 1 : 0;
    return count;
}

const struct said *meeting_nth(const struct meeting *meeting, const char *label, size_t n)
{
    for (size_t i = 0; i < meeting->count; i++)
        if (strcmp(meeting->said[i].label, label) == 0 && n-- == 0)
            return &meeting->said[i];
    ck_abort_msg("there are fewer of %s", label);
    return NULL;
}

const struct said *meeting_last(const struct meeting *meeting, const char *label)
{
    return meeting_nth(meeting, label, meeting_count(meeting, label) - 1);
}

void meeting_labels_are(const struct meeting *meeting, size_t first, const char *expected)
{
    char labels[MEETING_TEXT_MAX];
    struct text text = text_of(labels, sizeof labels);
    for (size_t n = first; n < meeting->count; n++) {
        const char *label = meeting->said[n].label;
        if (n > first && strcmp(label, meeting->said[n - 1].label) == 0 &&
            strcmp(label, "ai_audio_chunk") == 0)
            continue;
        text_add(&text, text.len == 0 ? "" : " ");
        text_add(&text, label);
    }
    ck_assert_str_eq(labels, expected);
}

/* ---- what goes in ---- */

void meeting_event(struct meeting *meeting, enum session_event_kind kind, struct bytes data)
{
    struct exact_copy copy = exact_copy_of(data);
    step(meeting,
         &(struct session_event){
             .kind = kind, .now_us = meeting->now_us, .data = copy.bytes, .message_bytes = data.len});
    exact_copy_free(copy);
}

void meeting_text(struct meeting *meeting, const char *json)
{
    meeting_event(meeting, SESSION_TEXT, bytes_of_text(json));
}

void meeting_request(struct meeting *meeting, const char *target)
{
    static char data[HEAD_MAX];
    struct http_head head;
    struct text text = text_of(data, sizeof data);
    text_add(&text, "GET ");
    text_add(&text, target);
    text_add(&text, " HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    ck_assert(!text.cut && http_head_parse(bytes_of(data, text.len), &head));
    const size_t before = meeting->count;
    step(meeting, &(struct session_event){.kind = SESSION_REQUEST, .now_us = meeting->now_us, .head = &head});
    ck_assert_uint_eq(meeting->count, before + 1);
    if (meeting->said[before].kind == ACTION_ACCEPT)
        meeting_event(meeting, SESSION_OPENED, bytes_of(NULL, 0));
}

void meeting_begin(struct meeting *meeting, const char *profile, const char *quirks)
{
    meeting_new(meeting, profile, quirks, NULL);
    meeting_request(meeting, TARGET);
    meeting_run(meeting, 100);
}

void meeting_run(struct meeting *meeting, uint64_t for_ms)
{
    const uint64_t until_us = meeting->now_us + for_ms * 1000;
    for (size_t steps = 0; INTERVIEW_SESSION_CLASS.deadline_us(meeting->session) <= until_us; steps++) {
        const uint64_t due_us = INTERVIEW_SESSION_CLASS.deadline_us(meeting->session);
        ck_assert_uint_lt(steps, STEPS_MAX);
        meeting->now_us = due_us > meeting->now_us ? due_us : meeting->now_us;
        meeting_event(meeting, SESSION_TICK, bytes_of(NULL, 0));
    }
    meeting->now_us = until_us;
}

static void chunk(struct meeting *meeting, bool speech, uint64_t ms)
{
    const size_t samples = (size_t)(ms * INTERVIEW_RATE / 1000);
    uint8_t *pcm = calloc(samples, INTERVIEW_SAMPLE_BYTES);
    struct buffer json;
    buffer_init(&json, INTERVIEW_MESSAGE_BYTES_MAX);
    ck_assert_ptr_nonnull(pcm);
    for (size_t i = 0; i < samples; i++) /* a square of 200 Hz, at a tenth of full scale */
        pcm[2 * i + 1] = !speech ? 0 : i / 60 % 2 == 0 ? 0x0c : 0xf4;
    ck_assert(buffer_append(
                  &json, bytes_of_text("{\"type\":\"audio_chunk\",\"timestamp\":1750000000,\"audio\":\"")) &&
              base64_encode(bytes_of(pcm, samples * INTERVIEW_SAMPLE_BYTES), &json) &&
              buffer_append(&json, bytes_of_text("\"}")));
    meeting_event(meeting, SESSION_TEXT, buffer_bytes(&json));
    buffer_free(&json);
    free(pcm);
}

static void sound(struct meeting *meeting, bool speech, uint64_t ms)
{
    for (uint64_t at = 0; at < ms; at += CHUNK_MS)
        chunk(meeting, speech, ms - at < CHUNK_MS ? ms - at : CHUNK_MS);
}

void meeting_speak(struct meeting *meeting, uint64_t ms)
{
    sound(meeting, true, ms);
}

void meeting_silence(struct meeting *meeting, uint64_t ms)
{
    sound(meeting, false, ms);
}
