/*
 * An interview session under whatever a client may send: the input is a list of events, each a byte that says
 * which and what it is about. It must not crash, must stop sending, and must let others have the interview
 * afterwards.
 */
#include <stdlib.h>

#include "codec/interview/profile.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/http_head.h"
#include "server/core/rooms.h"
#include "server/interview/quirk.h"
#include "server/interview/session_class.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A chunk of a reply is tens of kilobytes: after some of them an input is over, and most have but a few, so
 * that there is time for others. What takes long but says little is not bounded by it. */
enum {
    EVENTS_MAX = 64,
    STEPS_MAX = 256,
    TEXT_BYTES_MAX = 2000,
    CHUNK_CHARS = 12800, /* 200 ms */
    CHUNK_CHARS_SHORT = 64,
    CHUNKS_MAX = 1,
    SENT_BYTES_MAX = 16 * 1024,
    LONG_ONE_IN = 16, /* by the input's third byte */
    LONG_TIMES = 16
};

static const char *const TEXTS[] = {
    "{\"type\":\"commit_audio\"}",
    "{\"type\":\"cancel_response\"}",
    "{\"type\":\"audio_commit\"}",
    "{\"type\":\"ping\"}",
    "{\"type\":\"audio_chunk\",\"audio\":\"AAAA\",\"timestamp\":1}",
    "{\"type\":\"audio_chunk\",\"audio\":\"AAA=\"}",
    "{",
};

static const char ID[] = "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab";
#define REQUEST_AHEAD "GET /api/v1/interviews/6f1c1d0e-4b7a-4c58-9d4e-0123456789ab/realtime/connect?token="
#define KEY           "a-key-of-this-fuzzer"

struct play {
    struct session *session;
    struct actions actions;
    uint64_t now_us;
    unsigned steps, chunks;
    unsigned lasts; /* times as much as most */
    size_t sent_bytes;
};

static bool is_spent(const struct play *play)
{
    return play->steps >= STEPS_MAX || play->sent_bytes >= (size_t)SENT_BYTES_MAX * play->lasts;
}

static void step_event(struct play *play, const struct session_event *event)
{
    INTERVIEW_SESSION_CLASS.step(play->session, event, &play->actions);
    play->sent_bytes += play->actions.arena.len;
    actions_clear(&play->actions);
}

static void step(struct play *play, enum session_event_kind kind, struct bytes data)
{
    const struct exact_copy copy = exact_copy_of(data);
    step_event(play,
               &(struct session_event){
                   .kind = kind, .now_us = play->now_us, .data = copy.bytes, .message_bytes = data.len});
    exact_copy_free(copy);
}

static void run(struct play *play, uint64_t for_us)
{
    const uint64_t until_us = play->now_us + for_us;
    for (; !is_spent(play); play->steps++) {
        const uint64_t due_us = INTERVIEW_SESSION_CLASS.deadline_us(play->session);
        if (due_us > until_us)
            break;
        play->now_us = due_us > play->now_us ? due_us : play->now_us;
        step(play, SESSION_TICK, (struct bytes){0});
    }
    play->now_us = until_us;
}

/* 200 ms of sound, loud or not; later ones are shorter. */
static void say(struct play *play, uint8_t what)
{
    const size_t chars = play->chunks++ < CHUNKS_MAX * play->lasts ? CHUNK_CHARS : CHUNK_CHARS_SHORT;
    struct buffer text;
    buffer_init(&text, 2 * CHUNK_CHARS);
    (void)buffer_append(&text, bytes_of_text("{\"type\":\"audio_chunk\",\"timestamp\":1,\"audio\":\""));
    uint8_t *room = buffer_reserve(&text, chars);
    if (room != NULL) {
        memset(room, what % 2 == 0 ? 'A' : 'P', chars);
        text.len += chars;
    }
    (void)buffer_append(&text, bytes_of_text("\"}"));
    step(play, SESSION_TEXT, buffer_bytes(&text));
    buffer_free(&text);
}

/* With the key in its query, or that text. */
static void ask(struct play *play, struct bytes token)
{
    struct buffer request;
    struct http_head head;
    buffer_init(&request, 2 * TEXT_BYTES_MAX);
    (void)buffer_append(&request, bytes_of_text(REQUEST_AHEAD));
    (void)buffer_append(&request, token);
    (void)buffer_append(&request, bytes_of_text(" HTTP/1.1\r\nHost: h\r\n\r\n"));
    const struct exact_copy copy = exact_copy_of(buffer_bytes(&request));
    const struct session_event event = {.kind = SESSION_REQUEST, .now_us = play->now_us, .head = &head};
    if (http_head_parse(copy.bytes, &head))
        step_event(play, &event);
    exact_copy_free(copy);
    buffer_free(&request);
}

static size_t play_one(struct play *play, const uint8_t *data, size_t size)
{
    const uint8_t what = data[0] >> 3;
    const size_t len = size - 1 < TEXT_BYTES_MAX ? size - 1 : TEXT_BYTES_MAX;
    switch (data[0] % 8) {
    case 0:
        step(play, SESSION_TEXT, bytes_of(data + 1, len < what ? len : what));
        return 1 + (len < what ? len : what);
    case 1:
        step(play, SESSION_TEXT, bytes_of_text(TEXTS[what % (sizeof TEXTS / sizeof TEXTS[0])]));
        return 1;
    case 2:
        say(play, what);
        return 1;
    case 3:
        run(play, (uint64_t)what * what * 20000);
        return 1;
    case 4:
        step(play, SESSION_RESUMED, (struct bytes){0});
        return 1;
    case 5:
        step(play, what == 0 ? SESSION_SHUTDOWN : SESSION_BINARY, bytes_of(data, 1));
        return 1;
    case 6:
        step(play, what == 0 ? SESSION_CLOSED : SESSION_TICK, (struct bytes){0});
        return 1;
    default:
        step(play, SESSION_TEXT, bytes_of(data + 1, len));
        return 1 + len;
    }
}

/* Each choice has two words or more. */
static void set_quirk(struct session_config *config, uint8_t which, uint8_t value)
{
    const size_t n = which % INTERVIEW_QUIRK_COUNT;
    const struct quirk_kind *kind = &INTERVIEW_QUIRKS[n];
    if (kind->value == QUIRK_FLAG || kind->value == QUIRK_SET)
        config->quirks.value[n] = 1;
    else
        config->quirks.value[n] = kind->value == QUIRK_CHOICE ? 1 + value % 2U : kind->min + value % 3U;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rooms rooms = {0};
    struct play play = {.now_us = 0};
    if (size < 4)
        return 0;
    struct session_config config = {.profile = &INTERVIEW_PROFILES[data[0] % INTERVIEW_PROFILE_COUNT].base,
                                    .key = KEY,
                                    .speech_percent = SPEECH_PERCENT_DEFAULT,
                                    .speed = 1,
                                    .rooms = &rooms};
    play.lasts = data[2] % LONG_ONE_IN == 0 ? LONG_TIMES : 1;
    set_quirk(&config, data[1], data[2]);
    play.session = INTERVIEW_SESSION_CLASS.create(&config);
    if (play.session == NULL)
        return 0;
    actions_init(&play.actions);
    size_t at = 4;
    if (data[3] % 4 == 0) { /* a token of the input's own */
        const size_t len = size - at < TEXT_BYTES_MAX ? size - at : TEXT_BYTES_MAX;
        ask(&play, bytes_of(data + at, len));
        at = size;
    } else {
        ask(&play, bytes_of_text(KEY));
    }
    step(&play, SESSION_OPENED, (struct bytes){0});
    run(&play, 100000);
    for (unsigned n = 0; n < EVENTS_MAX && at < size && !is_spent(&play); n++)
        at += play_one(&play, data + at, size - at);
    run(&play, 1000000);
    INTERVIEW_SESSION_CLASS.destroy(play.session);
    actions_free(&play.actions);
    if (room_is_taken(&rooms, bytes_of_text(ID)))
        abort();
    return 0;
}
