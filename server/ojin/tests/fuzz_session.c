/*
 * Any sequence of events into a session: it must not crash, must not send what does not decode unless asked
 * for, and must stay within its list. The input is read as a program, an event after another.
 */
#include <stdint.h>
#include <stdlib.h>

#include "codec/ojin/frame.h"
#include "codec/ojin/messages.h"
#include "codec/ojin/profile.h"
#include "codec/wire/reader.h"
#include "server/core/session.h"
#include "server/ojin/session_class.h"

/* A frame is drawn, put together and taken apart again: after some hundred of them an input is over, so that
 * there is time for others. */
enum { EVENTS_MAX = 100, TICKS_MAX = 64, BYTES_BOTH_WAYS_MAX = 512 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An assert would be left out of builds without. */
static void must(bool holds)
{
    if (!holds)
        abort();
}

struct play {
    struct session *session;
    struct actions actions;
    size_t bytes;
};

static bool is_spent(const struct play *play)
{
    return play->bytes >= BYTES_BOTH_WAYS_MAX;
}

static void check(struct play *play)
{
    struct actions *actions = &play->actions;
    for (size_t i = 0; i < actions->count; i++) {
        const struct action *action = &actions->list[i];
        const struct bytes bytes = actions_bytes(actions, action);
        struct ojin_frame frame;
        struct ojin_message message;
        if (action->kind == ACTION_SEND_BINARY && !action->fault)
            must(ojin_frame_decode(bytes, &frame).status == WIRE_OK);
        if (action->kind == ACTION_SEND_TEXT && !action->fault) {
            ojin_message_read(bytes, &message);
            const bool documented =
                message.type == OJIN_MESSAGE_SESSION_READY || message.type == OJIN_MESSAGE_ERROR_RESPONSE;
            /* Quirks send texts that no document knows. */
            must(!documented || message.error.status == WIRE_OK);
        }
    }
    play->bytes += actions->arena.len;
    actions_clear(actions);
}

static void step(struct play *play, struct session_event event)
{
    play->bytes += event.data.len;
    OJIN_SESSION_CLASS.step(play->session, &event, &play->actions);
    check(play);
    /* A late host steps again while there is more to do, TICKS_MAX times at most. */
    for (int i = 0; i < TICKS_MAX && !is_spent(play); i++) {
        if (OJIN_SESSION_CLASS.deadline_us(play->session) > event.now_us)
            break;
        event.kind = SESSION_TICK;
        OJIN_SESSION_CLASS.step(play->session, &event, &play->actions);
        check(play);
    }
}

/* A well-formed input of that many samples, so that speech is reached without luck. */
static struct bytes input_make(uint8_t *out, size_t samples, uint8_t value)
{
    const size_t len = OJIN_INPUT_HEADER_BYTES + samples * OJIN_SAMPLE_BYTES;
    memset(out, value, len);
    memset(out, 0, OJIN_INPUT_HEADER_BYTES);
    out[0] = OJIN_PAYLOAD_AUDIO;
    return bytes_of(out, len);
}

static void compose(struct play *play, uint64_t now_us, uint8_t which)
{
    static const struct compose_option options[] = {
        {"payloads", "audio,7:3,image"}, {"truncate", "entry"},   {"size_audio", "+1"}, {"final", "1"},
        {"payload_count", "9"},          {"interaction", "fresh"}};
    static const char *const kinds[] = {"speech", "silence", "fade", "final"};
    char error[200];
    (void)OJIN_SESSION_CLASS.compose(play->session, now_us, kinds[which % 4], &options[which / 4 % 6],
                                     which / 32 % 2, &play->actions, error);
    check(play);
}

/* Up to four quirks, each with a value in its range. */
static void quirks_take(struct reader *reader, struct quirks *quirks)
{
    const struct quirk_kind *kinds = OJIN_SESSION_CLASS.quirks;
    uint8_t count = reader_u8(reader, "quirks") % 5;
    size_t rows = 0;
    while (kinds[rows].name != NULL)
        rows++;
    for (; count > 0; count--) {
        const size_t row = rows == 0 ? 0 : reader_u8(reader, "quirk") % rows;
        const uint64_t value = reader_u16(reader, "value");
        const struct quirk_kind *kind = &kinds[row];
        char error[QUIRK_ERROR_MAX];
        if (kind->name == NULL)
            continue;
        const bool set = quirk_set(quirks, kinds, bytes_of_text(kind->name), error);
        must(set);
        const bool measured =
            kind->value == QUIRK_NUMBER || kind->value == QUIRK_DURATION || kind->value == QUIRK_SIZE;
        if (measured && value != 0)
            quirks->value[row] = kind->min + value * value % (kind->max - kind->min + 1);
    }
}

static void run(struct play *play, struct reader *reader)
{
    static const char *const texts[] = {"{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}",
                                        "{\"type\":\"cancelInteraction\",\"payload\":{}}"};
    uint8_t message[OJIN_INPUT_HEADER_BYTES + 2 * UINT16_MAX];
    struct session_event event = {.kind = SESSION_OPENED};
    for (int i = 0; i < EVENTS_MAX && reader_left(reader) >= 4 && !is_spent(play); i++) {
        const uint8_t what = reader_u8(reader, "event");
        const uint8_t detail = reader_u8(reader, "detail");
        event.now_us += (uint64_t)reader_u16(reader, "time") * 40;
        event.data = (struct bytes){0};
        event.message_bytes = 0;
        if (what % 16 < SESSION_CLOSED && what % 16 != SESSION_REQUEST) {
            const size_t left = reader_left(reader);
            event.kind = (enum session_event_kind)(what % 16);
            event.data = reader_take(reader, detail < left ? detail : left, "message");
            step(play, event);
        } else if (what % 16 < 10) {
            event.kind = SESSION_BINARY;
            event.data = input_make(message, (size_t)detail * 200, (uint8_t)(what / 16));
            step(play, event);
        } else if (what % 16 < 13) {
            event.kind = SESSION_TEXT;
            event.data = bytes_of_text(texts[detail % 2]);
            step(play, event);
        } else if (what % 16 == 15) {
            struct quirks quirks = {0};
            quirks_take(reader, &quirks);
            OJIN_SESSION_CLASS.set_quirks(play->session, &quirks);
        } else {
            compose(play, event.now_us, detail);
        }
    }
    event.kind = SESSION_CLOSED;
    step(play, event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader reader = reader_of(bytes_of(data, size));
    struct session_config config = {
        .profile = &OJIN_PROFILES[reader_u8(&reader, "profile") % OJIN_PROFILE_COUNT].base,
        .seed = size,
        .silence_percent = reader_u8(&reader, "silence"),
        .speech_percent = reader_u8(&reader, "speech")};
    quirks_take(&reader, &config.quirks);
    struct play play = {.session = OJIN_SESSION_CLASS.create(&config)};
    if (play.session == NULL)
        return 0;
    actions_init(&play.actions);
    step(&play, (struct session_event){.kind = SESSION_OPENED});
    run(&play, &reader);
    actions_free(&play.actions);
    OJIN_SESSION_CLASS.destroy(play.session);
    return 0;
}
