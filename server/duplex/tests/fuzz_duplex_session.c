/*
 * A full-duplex session under whatever a client may send: the input is a list of events, each a byte that
 * says which and what it is about. It must not crash, must stop sending, and must give its place in the pool
 * back.
 */
#include <stdlib.h>

#include "codec/duplex/profile.h"
#include "codec/tests/exact_copy.h"
#include "server/core/worker_pool.h"
#include "server/duplex/quirk.h"
#include "server/duplex/session_class.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A second of sound is 128 KB of a message, either way: after a few of them an input is over, and most have
 * but one, so that there is time for others. What takes long but says little is not bounded by it. */
enum {
    EVENTS_MAX = 64,
    STEPS_MAX = 256,
    TEXT_BYTES_MAX = 2000,
    APPENDS_MAX = 1,
    SENT_BYTES_MAX = 64 * 1024,
    LONG_ONE_IN = 8, /* by the input's third byte */
    LONG_TIMES = 8
};

static const char *const TEXTS[] = {
    "{\"type\":\"session.update\",\"session\":{\"instructions\":\"x\"}}",
    "{\"type\":\"session.init\",\"payload\":{\"system_prompt\":\"x\"}}",
    "{\"type\":\"session.close\"}",
    "{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAAA\"}",
    "{",
};

struct play {
    struct session *session;
    struct actions actions;
    uint64_t now_us;
    unsigned steps, appends;
    unsigned lasts; /* times as much as most */
    size_t sent_bytes;
};

static bool is_spent(const struct play *play)
{
    return play->steps >= STEPS_MAX || play->sent_bytes >= (size_t)SENT_BYTES_MAX * play->lasts;
}

static void step(struct play *play, enum session_event_kind kind, struct bytes data)
{
    const struct exact_copy copy = exact_copy_of(data);
    const struct session_event event = {
        .kind = kind, .now_us = play->now_us, .data = copy.bytes, .message_bytes = data.len};
    DUPLEX_SESSION_CLASS.step(play->session, &event, &play->actions);
    play->sent_bytes += play->actions.arena.len;
    actions_clear(&play->actions);
    exact_copy_free(copy);
}

static void run(struct play *play, uint64_t for_us)
{
    const uint64_t until_us = play->now_us + for_us;
    for (; !is_spent(play); play->steps++) {
        const uint64_t due_us = DUPLEX_SESSION_CLASS.deadline_us(play->session);
        if (due_us > until_us)
            break;
        play->now_us = due_us > play->now_us ? due_us : play->now_us;
        step(play, SESSION_TICK, (struct bytes){0});
    }
    play->now_us = until_us;
}

/* A quarter of a second of sound, the least that is right, loud or not; further ones are shorter. */
static void append(struct play *play, uint8_t what)
{
    enum { CHARS = 21344, CHARS_SHORT = 64 };
    const size_t chars = play->appends++ < APPENDS_MAX * play->lasts ? CHARS : CHARS_SHORT;
    struct buffer text;
    buffer_init(&text, 2 * CHARS);
    (void)buffer_append(&text, bytes_of_text("{\"type\":\"input_audio_buffer.append\",\"force_listen\":"));
    (void)buffer_append(&text, bytes_of_text(what % 5 == 0 ? "true" : "false"));
    (void)buffer_append(&text, bytes_of_text(",\"audio\":\""));
    uint8_t *room = buffer_reserve(&text, chars);
    if (room != NULL) {
        memset(room, what % 2 == 0 ? 'A' : 'P', chars);
        text.len += chars;
    }
    (void)buffer_append(&text, bytes_of_text("\"}"));
    step(play, SESSION_TEXT, buffer_bytes(&text));
    buffer_free(&text);
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
        append(play, what);
        return 1;
    case 3:
        run(play, (uint64_t)what * what * 100000);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct worker_pool pool;
    struct play play = {.now_us = 0};
    if (size < 3)
        return 0;
    play.lasts = data[2] % LONG_ONE_IN == 0 ? LONG_TIMES : 1;
    worker_pool_init(&pool, data[0] % 3, data[0] % 2);
    struct session_config config = {
        .profile = &DUPLEX_PROFILES[data[0] % DUPLEX_PROFILE_COUNT].base, .speed = 1, .workers = &pool};
    config.quirks.value[data[1] % DUPLEX_QUIRK_COUNT] =
        DUPLEX_QUIRKS[data[1] % DUPLEX_QUIRK_COUNT].value == QUIRK_FLAG
            ? 1
            : DUPLEX_QUIRKS[data[1] % DUPLEX_QUIRK_COUNT].min + data[2] % 3;
    if (DUPLEX_QUIRKS[data[1] % DUPLEX_QUIRK_COUNT].value == QUIRK_CHOICE)
        config.quirks.value[data[1] % DUPLEX_QUIRK_COUNT] = 1 + data[2] % 4;
    play.session = DUPLEX_SESSION_CLASS.create(&config);
    if (play.session == NULL)
        return 0;
    actions_init(&play.actions);
    step(&play, SESSION_OPENED, (struct bytes){0});
    run(&play, 1);
    size_t at = 3;
    for (unsigned n = 0; n < EVENTS_MAX && at < size && !is_spent(&play); n++)
        at += play_one(&play, data + at, size - at);
    run(&play, 1000000);
    DUPLEX_SESSION_CLASS.destroy(play.session);
    actions_free(&play.actions);
    if (pool.busy != 0 || pool.waiting != 0)
        abort();
    return 0;
}
