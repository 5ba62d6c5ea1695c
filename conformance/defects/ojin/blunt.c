/* Blunt clients: they show that checks can fail. See struct defect_blunt. */
#define _GNU_SOURCE
#include <unistd.h>

#include "codec/ojin/frame.h"
#include "conformance/defects/ojin/tables.h"

enum { CONTROL_BYTES_MAX = 125 };

#define BIT(kind) (1U << (unsigned)(kind))

/* A frame in words; any other message as it is. */
static struct bytes words_of(bool binary, struct bytes message)
{
    struct ojin_frame frame;
    if (!binary)
        return message;
    if (ojin_frame_decode(message, &frame).status != WIRE_OK)
        return bytes_of_text("frame damaged");
    if (frame.is_final == 1)
        return bytes_of_text("frame speech final");
    return bytes_of_text(frame.index == OJIN_INDEX_SILENCE ? "frame silence" : "frame speech");
}

static enum defect_taking hear(struct defect_state *state, struct bytes message)
{
    return defect_hear(state, words_of(state->binary, message));
}

static bool say(struct defect_state *state, struct buffer *message)
{
    return defect_says(state, state->binary ? bytes_of_text("audio") : buffer_bytes(message));
}

/* Of what is no frame the header alone, and of what is shorter a frame as if it had come in zeros. */
static enum defect_taking take_anything(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    uint8_t header[OJIN_FRAME_HEADER_BYTES] = {0};
    if (!state->binary || defect_frame(state, message, &frame))
        return DEFECT_TAKE;
    memcpy(header, message.data, message.len < sizeof header ? message.len : sizeof header);
    memset(header + sizeof header - 4, 0, 4); /* no payloads */
    (void)buffer_append(&state->instead, bytes_of(header, sizeof header));
    return DEFECT_TAKE;
}

static bool end_with_every_frame(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_FRAME)
        observation->is_final = true;
    return true;
}

static bool be_ready_with_every_frame(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_FRAME)
        observation->kind = OBSERVED_READY;
    return true;
}

static bool call_every_end_clean(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_CLOSED)
        observation->close_code = OJIN_CLOSE_NORMAL;
    return observation->kind != OBSERVED_ERROR;
}

/* The interaction that cases give a frame which never comes whole. */
static bool end_with_a_frame(struct defect_state *state, struct observation *observation)
{
    if (observation->kind != OBSERVED_CLOSED)
        return true;
    *observation =
        (struct observation){.kind = OBSERVED_FRAME, .index = OJIN_INDEX_SPEECH, .has_interaction = true};
    (void)uuid_parse(bytes_of_text("cccccccc-cccc-4ccc-8ccc-cccccccccccc"), observation->interaction);
    return true;
}

static bool cry_with_every_frame(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_PLAYED)
        *observation = (struct observation){.kind = OBSERVED_ERROR, .text = "something went wrong"};
    return true;
}

/* In the place of the next frame that it plays. */
static bool tell_errors_late(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_ERROR) {
        state->kept[0] = *observation;
        state->seen = true;
        return false;
    }
    if (state->seen && observation->kind == OBSERVED_PLAYED) {
        *observation = state->kept[0];
        state->seen = false;
    }
    return true;
}

static bool lose_behind_text(struct defect_state *state, struct bytes message)
{
    const bool lost = state->binary && state->seen;
    state->seen = !state->binary;
    return lost;
}

/* What it plays in its second session is of the first. */
static bool play_the_old(struct defect_state *state, struct observation *observation)
{
    struct observation *old = &state->kept[0];
    if (observation->kind == OBSERVED_READY)
        state->count++;
    if (observation->index != OJIN_INDEX_SPEECH)
        return true;
    if (state->count < 2 && observation->kind == OBSERVED_FRAME)
        *old = *observation;
    else if (state->count == 2 && observation->kind == OBSERVED_PLAYED && old->has_interaction)
        memcpy(observation->interaction, old->interaction, UUID_BYTES);
    return true;
}

/* For people, in the place of what is for the suite. */
static bool tell_ends_as_states(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_ERROR || observation->kind == OBSERVED_CLOSED)
        *observation = (struct observation){.kind = OBSERVED_STATE, .text = "something went wrong"};
    return true;
}

static void come_back_whatever_is_asked(struct defect_state *state, struct client_event *event)
{
    defect_come_back_after_any(state, event);
    defect_come_back_nine_times(state, event);
}

/* Till the suite ends it. */
static _Noreturn void hang(void)
{
    for (;;)
        pause();
}

static bool is_odd_control(const struct ws_frame *frame)
{
    return !frame->fin || frame->payload.len > CONTROL_BYTES_MAX || frame->opcode == WS_OPCODE_CLOSE ||
           frame->opcode > WS_OPCODE_PONG;
}

/* The mock closes none of the sessions in which it breaks RFC 6455, and says nothing in them but ASCII. */
static bool hang_at_breach(struct defect_state *state, struct ws_frame *frame)
{
    struct ws_filter *down = &((struct defect_state *)state)->down;
    bool odd = frame->masked || frame->reserved != 0 || frame->absurd;
    if (frame->opcode >= WS_OPCODE_CLOSE) {
        odd = odd || is_odd_control(frame);
    } else {
        odd = odd || frame->opcode > WS_OPCODE_BINARY ||
              (frame->opcode == WS_OPCODE_CONTINUATION) != down->within;
        if (frame->opcode != WS_OPCODE_CONTINUATION)
            down->opcode = frame->opcode;
        down->within = !frame->fin;
        for (size_t i = 0; down->opcode == WS_OPCODE_TEXT && i < frame->payload.len; i++)
            odd = odd || frame->payload.data[i] >= 0x80;
    }
    if (odd)
        hang();
    return true;
}

#define HOOKS .hear = hear, .say = say, .tell = defect_tell

static const struct defect ROWS[] = {
    {.name = "mute-about-readiness",
     .requirement = "OJ-RDY-02",
     .wrong = "does not report sessionReady",
     .blunt = {.set = true, .mute = BIT(OBSERVED_READY)},
     HOOKS},
    {.name = "mute-about-frames",
     .requirement = "OJ-OUT-14",
     .wrong = "reports no frame as it is read",
     .cases = "ojin/*",
     .blunt = {.set = true, .mute = BIT(OBSERVED_FRAME)},
     HOOKS},
    {.name = "mute-about-frames-and-errors",
     .requirement = "OJ-CON-12",
     .wrong = "reports no frame as it is read, and no error",
     .cases = "ojin/connect/text-*",
     .blunt = {.set = true, .mute = BIT(OBSERVED_FRAME) | BIT(OBSERVED_ERROR)},
     HOOKS},
    {.name = "mute-about-playing",
     .requirement = "OJ-OUT-18",
     .wrong = "reports no frame as it is played",
     .cases = "ojin/[pr]*",
     .blunt = {.set = true, .mute = BIT(OBSERVED_PLAYED)},
     HOOKS},
    {.name = "mute-about-errors",
     .requirement = "OJ-ERR-01",
     .wrong = "reports no error",
     .blunt = {.set = true, .mute = BIT(OBSERVED_ERROR)},
     HOOKS},
    {.name = "mute-about-closing",
     .requirement = "OJ-CLS-01",
     .wrong = "reports no end of the connection",
     .blunt = {.set = true, .mute = BIT(OBSERVED_CLOSED)},
     HOOKS},
    {.name = "mute-about-ends",
     .requirement = "OJ-CLS-02",
     .wrong = "reports no error and no end of the connection",
     .cases = "ojin/close/*",
     .blunt = {.set = true, .mute = BIT(OBSERVED_ERROR) | BIT(OBSERVED_CLOSED)},
     HOOKS},
    {.name = "leaves-at-cancelled",
     .requirement = "OJ-CAN-05",
     .wrong = "leaves when CANCELLED comes",
     .blunt = {.set = true, .leaves_at = "\"CANCELLED\""},
     HOOKS},
    {.name = "says-nothing",
     .requirement = "OJ-IN-06",
     .wrong = "sends no audio",
     .cases = "ojin/connect/tls",
     .blunt = {.set = true, .drops = "audio"},
     HOOKS},
    {.name = "says-nothing-after-cancel",
     .requirement = "OJ-CAN-04",
     .wrong = "sends no audio any more once it cancelled",
     .blunt = {.set = true, .drops = "audio", .drops_since = "\"cancelInteraction\""},
     HOOKS},
    {.name = "speaks-twice",
     .requirement = "OJ-IN-06",
     .wrong = "sends two messages of audio and no more",
     .cases = "ojin/input/*",
     .blunt = {.set = true, .drops = "audio", .drops_first = 2},
     HOOKS},
    {.name = "stops-speaking-after-cancel",
     .requirement = "OJ-CAN-04",
     .wrong = "sends one message of audio and no more once it cancelled",
     .blunt = {.set = true, .drops = "audio", .drops_since = "\"cancelInteraction\"", .drops_first = 1},
     HOOKS},
    {.name = "takes-anything-for-a-frame",
     .requirement = "OJ-OUT-08",
     .wrong = "makes a frame of whatever binary message comes",
     .blunt = {.set = true},
     .hear = take_anything},
    {.name = "ends-with-every-frame",
     .requirement = "OJ-OUT-16",
     .wrong = "reports each frame as the final one",
     .blunt = {.set = true},
     .tell = end_with_every_frame},
    {.name = "ready-with-every-frame",
     .requirement = "OJ-CON-12",
     .wrong = "reports each frame as a sessionReady",
     .blunt = {.set = true},
     .tell = be_ready_with_every_frame},
    {.name = "cries-with-every-frame",
     .requirement = "OJ-FLD-08",
     .wrong = "reports an error in the place of each frame that it plays",
     .cases = "ojin/pause/*",
     .blunt = {.set = true},
     .tell = cry_with_every_frame},
    {.name = "says-nothing-in-pauses",
     .requirement = "OJ-FLD-08",
     .wrong = "sends no audio, seen where there are pauses",
     .cases = "ojin/pause/*",
     .blunt = {.set = true, .drops = "audio"},
     HOOKS},
    {.name = "tells-ends-as-states",
     .requirement = "OJ-CON-09",
     .wrong = "reports errors and the end of the connection as a state",
     .cases = "ojin/connect/*",
     .blunt = {.set = true},
     .tell = tell_ends_as_states},
    {.name = "calls-every-end-clean",
     .requirement = "OJ-CLS-02",
     .wrong = "reports every end of the connection as a close with 1000, and no error",
     .cases = "ojin/close/[er][!f]*",
     .blunt = {.set = true},
     .tell = call_every_end_clean},
    {.name = "ends-with-a-frame",
     .requirement = "OJ-CLS-02",
     .wrong = "takes what came of a message for a frame when the connection ends",
     .cases = "ojin/close/*-in-message",
     .blunt = {.set = true},
     .tell = end_with_a_frame},
    {.name = "hangs-at-breach",
     .requirement = "OJ-CLS-03",
     .wrong = "never ends after the server broke RFC 6455",
     .cases = "ojin/close/rfc-*",
     .blunt = {.set = true},
     .crashes = true,
     .down = hang_at_breach},
    {.name = "stays-until-ready",
     .requirement = "OJ-FLD-07",
     .wrong = "is not to be closed before sessionReady",
     .cases = "ojin/connect/closed-while-waiting",
     .blunt = {.set = true},
     .command = defect_stay_until_ready,
     .after = defect_wait_for_ready},
    {.name = "tells-errors-late",
     .requirement = "OJ-OUT-14",
     .wrong = "reports an error in the place of the next frame that it plays",
     .blunt = {.set = true},
     .tell = tell_errors_late},
    {.name = "loses-frames-behind-texts",
     .requirement = "OJ-OUT-14",
     .wrong = "loses the frame that comes right behind a text message",
     .blunt = {.set = true},
     .hides = lose_behind_text},
    {.name = "plays-the-old-session",
     .requirement = "OJ-CLS-04",
     .wrong = "plays in its second session what came in the first",
     .cases = "ojin/reconnect/old-*",
     .blunt = {.set = true},
     .tell = play_the_old},
    {.name = "comes-back-always",
     .requirement = "OJ-FLD-07",
     .wrong = "connects again at once, nine times, whatever ended the session, the user too",
     .cases = "ojin/connect/closed-while-waiting",
     .blunt = {.set = true},
     .event = defect_come_back_always,
     .tell = defect_tell_true_status,
     .after = defect_come_back_at_once},
    {.name = "comes-back-at-once",
     .requirement = "OJ-ERR-08",
     .cases = "ojin/reconnect/*",
     .wrong = "connects again at once, nine times, whatever ended the session and whatever the server "
              "asked for",
     .blunt = {.set = true},
     .event = come_back_whatever_is_asked,
     .tell = defect_tell_true_status,
     .after = defect_come_back_at_once},
};

const struct defect_table OJIN_DEFECTS_BLUNT = DEFECT_TABLE(ROWS);
