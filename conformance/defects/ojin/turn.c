/* Defects of ending and cancelling: OJ-END, OJ-CAN, OJ-FLD-03. */
#include <stdlib.h>

#include "codec/ojin/input.h"
#include "conformance/defects/ojin/tables.h"

enum { LARGE_CHUNK_SAMPLES = 255000, HELD_CHUNK_SAMPLES = 4000, HELD_SAMPLES = 320 };

static bool is_of_type(const struct defect_state *state, const struct buffer *message, const char *type)
{
    return !state->binary && defect_holds(buffer_bytes(message), type);
}

/* The number becomes a string. */
static void quote_timestamp(struct buffer *message)
{
    if (!ws_replace(message, "\"timestamp\":", "\"timestamp\":\""))
        return;
    (void)ws_replace(message, "}}", "\"}}");
}

static bool quote_end(struct defect_state *state, struct buffer *message)
{
    if (is_of_type(state, message, "endInteraction"))
        quote_timestamp(message);
    return true;
}

static bool quote_cancel(struct defect_state *state, struct buffer *message)
{
    if (is_of_type(state, message, "cancelInteraction"))
        quote_timestamp(message);
    return true;
}

/* Milliseconds become seconds: the last three digits go. */
static void divide_timestamp(struct buffer *message)
{
    enum { DIGITS = 3, BEHIND = 2 };
    const uint8_t *end = message->data + message->len - BEHIND;
    if (message->len < DIGITS + BEHIND || memcmp(end, "}}", BEHIND) != 0)
        return;
    memmove(message->data + message->len - BEHIND - DIGITS, "}}", BEHIND);
    message->len -= DIGITS;
}

static bool end_in_seconds(struct defect_state *state, struct buffer *message)
{
    if (is_of_type(state, message, "endInteraction"))
        divide_timestamp(message);
    return true;
}

static bool cancel_in_seconds(struct defect_state *state, struct buffer *message)
{
    if (is_of_type(state, message, "cancelInteraction"))
        divide_timestamp(message);
    return true;
}

static bool drop_cancel(struct defect_state *state, struct buffer *message)
{
    return !is_of_type(state, message, "cancelInteraction");
}

static bool note_cancel(struct defect_state *state, struct buffer *message)
{
    state->seen = state->seen || is_of_type(state, message, "cancelInteraction");
    return true;
}

static bool note_end(struct defect_state *state, struct buffer *message)
{
    state->seen = state->seen || is_of_type(state, message, "endInteraction");
    return true;
}

/* After endInteraction a frame of silence is as good as a final one. */
static enum defect_taking take_silence_for_final(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (!state->seen || !defect_frame(state, message, &frame) || frame.index != OJIN_INDEX_SILENCE)
        return DEFECT_TAKE;
    frame.is_final = 1;
    return defect_hear_frame(state, &frame);
}

static bool leave_at_end(struct defect_state *state, struct buffer *message)
{
    if (is_of_type(state, message, "endInteraction"))
        defect_leave(state, true);
    return true;
}

static bool drop_end(struct defect_state *state, struct buffer *message)
{
    return !is_of_type(state, message, "endInteraction");
}

/* Nobody was asked for a final frame. */
static void leave_when_idle(struct defect_state *state)
{
    if (defect_client(state)->end_sent && state->life->progress.idle)
        defect_leave(state, true);
}

static void wait_three_seconds_for_final(struct defect_state *state)
{
    defect_client(state)->final_wait_us = 3000000;
}

/* A filter that holds the last samples of each message back until the next, and is not emptied by a cancel.
 */
static bool hold_samples_back(struct defect_state *state, struct buffer *message)
{
    enum { HELD_BYTES = HELD_SAMPLES * OJIN_SAMPLE_BYTES };
    struct ojin_input input;
    if (!state->binary || ojin_input_decode(buffer_bytes(message), &input).status != WIRE_OK ||
        input.audio.len <= OJIN_FRAME_AUDIO_BYTES)
        return true;
    const bool more_follows = input.audio.len == (size_t)HELD_CHUNK_SAMPLES * OJIN_SAMPLE_BYTES;
    const size_t head_bytes = message->len - input.audio.len;
    uint8_t tail[HELD_BYTES];
    memcpy(tail, message->data + message->len - HELD_BYTES, HELD_BYTES);
    if (more_follows)
        message->len -= HELD_BYTES;
    if (state->bytes.len > 0 && buffer_reserve(message, state->bytes.len) != NULL) {
        uint8_t *audio = message->data + head_bytes;
        memmove(audio + state->bytes.len, audio, message->len - head_bytes);
        memcpy(audio, state->bytes.data, state->bytes.len);
        message->len += state->bytes.len;
    }
    state->bytes.len = 0;
    return !more_follows || buffer_append(&state->bytes, bytes_of(tail, HELD_BYTES));
}

/* After a cancel a frame with a type byte begins a turn of its own. */
static enum defect_taking take_for_new_turn(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (!state->seen || !defect_frame(state, message, &frame) || frame.trailing.len != 1 ||
        frame.index != OJIN_INDEX_SPEECH)
        return DEFECT_TAKE;
    frame.interaction[0] ^= 0xFF;
    return defect_hear_frame(state, &frame);
}

static void send_held_chunks(struct defect_state *state)
{
    defect_send_chunks(state, HELD_CHUNK_SAMPLES);
}

static void send_large_chunks(struct defect_state *state)
{
    defect_send_chunks(state, LARGE_CHUNK_SAMPLES);
}

/* ---- what it makes of its cancel ---- */

static bool has_cancelled(const struct defect_state *state)
{
    return state->step != NULL && state->step->what == DO_CANCEL;
}

/* Once there is speech to send. */
static void settle(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    if (speech_unsent(&client->speech) > 0)
        turn_settle(&client->turn);
}

/* Speech is kept from the cancel, and sent on after it. */
static bool keep_speech(struct defect_state *state, const struct client_plan_step *step)
{
    struct speech *speech = &defect_client(state)->speech;
    struct speech *stash = step->what == DO_CANCEL ? malloc(sizeof *stash) : NULL;
    if (stash == NULL)
        return true;
    *stash = *speech;
    speech_init(speech, stash->is_played);
    state->stash = stash;
    return true;
}

static void speak_on(struct defect_state *state)
{
    struct speech *speech = &defect_client(state)->speech;
    if (state->stash != NULL) {
        speech_free(speech);
        memcpy(speech, state->stash, sizeof *speech);
        free(state->stash);
        state->stash = NULL;
    }
    settle(state);
}

static bool hold_cancel(struct defect_state *state, struct buffer *message)
{
    if (!is_of_type(state, message, "cancelInteraction") || speech_unsent(&defect_client(state)->speech) == 0)
        return true;
    state->seen = true;
    return false;
}

static void cancel_in_line(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    speak_on(state);
    if (!state->seen || speech_unsent(&client->speech) > 0)
        return;
    state->seen = false;
    client->cancel_due = true;
}

static bool keep_frames(struct defect_state *state, const struct client_plan_step *step)
{
    if (step->what == DO_CANCEL)
        defect_take_frames(state);
    return true;
}

static void play_on(struct defect_state *state)
{
    struct turn *turn = &defect_client(state)->turn;
    defect_put_frames_back(state);
    turn->unknown = false;
    turn->cancelled_count = turn->cancelled_next = 0;
}

static void forget_unknown(struct defect_state *state)
{
    if (has_cancelled(state))
        defect_client(state)->turn.unknown = false;
}

static void forget_cancel(struct defect_state *state)
{
    if (has_cancelled(state))
        defect_client(state)->turn.unconfirmed = 0;
}

static enum defect_taking forget_cancel_at_silence(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (defect_frame(state, message, &frame) && frame.index != OJIN_INDEX_SPEECH)
        defect_client(state)->turn.unconfirmed = 0;
    return DEFECT_TAKE;
}

/* Cancels what is none; `seen` until that is done. */
static bool cancel_always(struct defect_state *state, const struct client_plan_step *step)
{
    struct turn *turn = &defect_client(state)->turn;
    state->seen = step->what == DO_CANCEL && !turn_is_due(turn);
    if (state->seen) {
        turn->state = TURN_SPEAKING;
        turn->has_interaction = false;
    }
    return true;
}

static void forget_idle_cancel(struct defect_state *state)
{
    if (state->seen)
        forget_cancel(state);
}

static bool leave_at_cancelled(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_ERROR && strcmp(observation->code, "CANCELLED") == 0)
        defect_leave(state, true);
    return true;
}

static void wait_after_cancel(struct defect_state *state)
{
    if (has_cancelled(state))
        defect_client(state)->sender.paused_until_us = DEFECT_FOR_EVER_US;
}

static enum defect_taking go_on_at_final(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (defect_frame(state, message, &frame) && frame.is_final == 1)
        defect_client(state)->sender.paused_until_us = 0;
    return DEFECT_TAKE;
}

static const struct defect ROWS[] = {
    {.name = "end-timestamp-as-text",
     .requirement = "OJ-END-01",
     .wrong = "sends the timestamp of endInteraction as a string",
     .say = quote_end},
    {.name = "end-in-seconds",
     .requirement = "OJ-END-01",
     .wrong = "sends the timestamp of endInteraction in seconds",
     .say = end_in_seconds},
    {.name = "closes-at-end",
     .requirement = "OJ-END-02",
     .wrong = "closes right behind endInteraction",
     .alone = true,
     .say = leave_at_end},
    {.name = "silence-is-the-end",
     .requirement = "OJ-END-02",
     .wrong = "takes a frame of silence after endInteraction for the final one",
     .implies = {"OJ-OUT-16"}, /* it takes for an end what is none */
     .cases = "ojin/end/silence-before-final",
     .say = note_end,
     .hear = take_silence_for_final},
    {.name = "waits-three-seconds-for-final",
     .requirement = "OJ-END-02",
     .wrong = "gives up when nothing of the answer has come for three seconds after endInteraction",
     .cases = "ojin/end/*-late*",
     .ends_badly = true,
     .begin = wait_three_seconds_for_final},
    {.name = "waits-for-final-for-ever",
     .requirement = "OJ-END-03",
     .wrong = "waits for the final frame without end",
     .ends_badly = true,
     .begin = defect_wait_for_final_for_ever},
    {.name = "no-end-message",
     .requirement = "OJ-END-04",
     .wrong = "closes without endInteraction",
     .say = drop_end,
     .after = leave_when_idle},
    {.name = "cancel-timestamp-as-text",
     .requirement = "OJ-CAN-01",
     .wrong = "sends the timestamp of cancelInteraction as a string",
     .say = quote_cancel},
    {.name = "cancel-in-seconds",
     .requirement = "OJ-CAN-01",
     .wrong = "sends the timestamp of cancelInteraction in seconds",
     .say = cancel_in_seconds},
    {.name = "speaks-on",
     .requirement = "OJ-CAN-02",
     .wrong = "sends the rest of what it cancelled",
     .command = keep_speech,
     .after = speak_on},
    {.name = "cancel-behind-speech",
     .requirement = "OJ-CAN-02",
     .wrong = "sends the cancel behind all that is queued",
     .cases = "ojin/cancel/much-queued",
     .command = keep_speech,
     .say = hold_cancel,
     .after = cancel_in_line},
    {.name = "cancel-behind-large-messages",
     .requirement = "OJ-CAN-02",
     .wrong = "sends all that is queued in the largest messages, and the cancel behind it",
     .cases = "ojin/cancel/much-queued",
     .begin = send_large_chunks,
     .command = keep_speech,
     .say = hold_cancel,
     .after = cancel_in_line},
    {.name = "held-samples-lead-the-next",
     .requirement = "OJ-CAN-02",
     .wrong = "sends samples of cancelled speech that a filter held back in front of the next",
     .cases = "ojin/cancel/*",
     .begin = send_held_chunks,
     .say = hold_samples_back},
    {.name = "plays-a-reply-not-begun",
     .requirement = "OJ-CAN-03",
     .wrong = "plays a reply that it cancelled before its first frame",
     .cases = "ojin/cancel/before-first-frame",
     .after = forget_unknown},
    {.name = "plays-on",
     .requirement = "OJ-CAN-03",
     .wrong = "plays what it cancelled",
     .command = keep_frames,
     .after = play_on},
    {.name = "waits-for-final-of-cancelled",
     .requirement = "OJ-CAN-04",
     .wrong = "says nothing more before a final frame comes for what it cancelled",
     .cases = "ojin/cancel/speak-again",
     .ends_badly = true,
     .after = wait_after_cancel,
     .hear = go_on_at_final},
    {.name = "fails-on-cancelled",
     .requirement = "OJ-CAN-05",
     .wrong = "reports the answer to its own cancel as an error",
     .after = forget_cancel},
    {.name = "forgets-cancel-at-silence",
     .requirement = "OJ-CAN-05",
     .wrong = "takes CANCELLED for a failure once the speech has fallen silent",
     .cases = "ojin/cancel/confirmed-*",
     .hear = forget_cancel_at_silence},
    {.name = "forgets-idle-cancel",
     .requirement = "OJ-CAN-05",
     .wrong = "takes CANCELLED for a failure when nothing was being said",
     .cases = "ojin/cancel/idle-confirmed",
     .command = cancel_always,
     .after = forget_idle_cancel},
    {.name = "leaves-at-late-confirmation",
     .requirement = "OJ-CAN-04",
     .wrong = "ends the session when CANCELLED comes after the speech has fallen silent",
     .implies = {"OJ-CAN-05"},
     .cases = "ojin/cancel/confirmed-*",
     .ends_badly = true,
     .hear = forget_cancel_at_silence,
     .tell = leave_at_cancelled},
    {.name = "leaves-at-idle-confirmation",
     .requirement = "OJ-CAN-04",
     .wrong = "ends the session when CANCELLED comes for a cancel while nothing was being said",
     .implies = {"OJ-CAN-05"},
     .cases = "ojin/cancel/idle-confirmed",
     .ends_badly = true,
     .command = cancel_always,
     .after = forget_idle_cancel,
     .tell = leave_at_cancelled},
    {.name = "does-not-wait-for-settling",
     .requirement = "OJ-CAN-06",
     .wrong = "sends new speech while the server still settles the cancel",
     .after = settle},
    {.name = "tells-nobody-of-cancel",
     .requirement = "OJ-CAN-07",
     .wrong = "sends no cancelInteraction",
     .implies = {"OJ-IN-06", "OJ-CAN-02",
                 "OJ-CAN-03"}, /* a cancel that never comes is none that came at once */
     .say = drop_cancel},
    {.name = "late-frames-are-a-turn",
     .requirement = "OJ-FLD-03",
     .wrong = "takes late speech frames for a new turn",
     .say = note_cancel,
     .hear = take_for_new_turn},
};

const struct defect_table OJIN_DEFECTS_TURN = DEFECT_TABLE(ROWS);
