/* Defects of ending and cancelling: OJ-END, OJ-CAN, OJ-FLD-03. */
#include "conformance/defects/ojin/tables.h"

#include "client/ojin/turn.h"
#include "codec/ojin/input.h"

enum { LARGE_CHUNK_SAMPLES = 255000, HELD_CHUNK_SAMPLES = 4000, HELD_SAMPLES = 320 };

static bool is_of_type(bool binary, const struct buffer *message, const char *type)
{
    const size_t len = strlen(type);
    for (size_t i = 0; !binary && i + len <= message->len; i++)
        if (memcmp(message->data + i, type, len) == 0)
            return true;
    return false;
}

/* The number becomes a string. */
static void quote_timestamp(struct buffer *message)
{
    if (!ws_replace(message, "\"timestamp\":", "\"timestamp\":\""))
        return;
    (void)ws_replace(message, "}}", "\"}}");
}

static bool quote_end(void *context, bool binary, struct buffer *message)
{
    (void)context;
    if (is_of_type(binary, message, "endInteraction"))
        quote_timestamp(message);
    return true;
}

static bool quote_cancel(void *context, bool binary, struct buffer *message)
{
    (void)context;
    if (is_of_type(binary, message, "cancelInteraction"))
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

static bool end_in_seconds(void *context, bool binary, struct buffer *message)
{
    (void)context;
    if (is_of_type(binary, message, "endInteraction"))
        divide_timestamp(message);
    return true;
}

static bool cancel_in_seconds(void *context, bool binary, struct buffer *message)
{
    (void)context;
    if (is_of_type(binary, message, "cancelInteraction"))
        divide_timestamp(message);
    return true;
}

static bool drop_cancel(void *context, bool binary, struct buffer *message)
{
    (void)context;
    return !is_of_type(binary, message, "cancelInteraction");
}

static bool note_cancel(void *context, bool binary, struct buffer *message)
{
    struct defect_state *state = context;
    state->seen = state->seen || is_of_type(binary, message, "cancelInteraction");
    return true;
}

static bool note_end(void *context, bool binary, struct buffer *message)
{
    struct defect_state *state = context;
    state->seen = state->seen || is_of_type(binary, message, "endInteraction");
    return true;
}

/* After endInteraction a frame of silence is as good as a final one. */
static struct wire_error decode_silence_as_final(void *context, struct bytes message, struct ojin_frame *out)
{
    const struct defect_state *state = context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status == WIRE_OK && state->seen && out->index == OJIN_INDEX_SILENCE)
        out->is_final = 1;
    return error;
}

/* A filter that holds the last samples of each message back until the next, and is not emptied by a cancel.
 */
static bool hold_samples_back(void *context, bool binary, struct buffer *message)
{
    enum { HELD_BYTES = HELD_SAMPLES * OJIN_SAMPLE_BYTES };
    struct defect_state *state = context;
    struct ojin_input input;
    if (!binary || ojin_input_decode(buffer_bytes(message), &input).status != WIRE_OK ||
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
static struct wire_error decode_as_new_turn(void *context, struct bytes message, struct ojin_frame *out)
{
    const struct defect_state *state = context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status == WIRE_OK && state->seen && out->trailing.len == 1 && out->index == OJIN_INDEX_SPEECH)
        out->interaction[0] ^= 0xFF;
    return error;
}

/* ---- what it makes of its cancel ---- */

static void forget_unknown(void *context, struct turn *turn, const struct ojin_frame *frame)
{
    (void)context;
    if (frame == NULL)
        turn->unknown = false;
}

static void forget_cancel(void *context, struct turn *turn, const struct ojin_frame *frame)
{
    (void)context;
    if (frame == NULL)
        turn->unconfirmed = 0;
}

static void forget_cancel_at_silence(void *context, struct turn *turn, const struct ojin_frame *frame)
{
    (void)context;
    if (frame != NULL && frame->index != OJIN_INDEX_SPEECH)
        turn->unconfirmed = 0;
}

static const struct defect ROWS[] = {
    {.name = "end-timestamp-as-text",
     .requirement = "OJ-END-01",
     .wrong = "sends the timestamp of endInteraction as a string",
     .seams.ojin.outgoing = quote_end},
    {.name = "end-in-seconds",
     .requirement = "OJ-END-01",
     .wrong = "sends the timestamp of endInteraction in seconds",
     .seams.ojin.outgoing = end_in_seconds},
    {.name = "closes-at-end",
     .requirement = "OJ-END-02",
     .wrong = "closes right behind endInteraction",
     .alone = true,
     .seams.ojin.close_at_end = true},
    {.name = "silence-is-the-end",
     .requirement = "OJ-END-02",
     .wrong = "takes a frame of silence after endInteraction for the final one",
     .implies = {"OJ-OUT-16"}, /* it takes for an end what is none */
     .cases = "ojin/end/silence-before-final",
     .seams.ojin = {.outgoing = note_end, .decode = decode_silence_as_final}},
    {.name = "waits-three-seconds-for-final",
     .requirement = "OJ-END-02",
     .wrong = "gives up when nothing of the answer has come for three seconds after endInteraction",
     .cases = "ojin/end/*-late*",
     .ends_badly = true,
     .seams.ojin.wait_us[OJIN_WAIT_FINAL] = 3000000},
    {.name = "waits-for-final-for-ever",
     .requirement = "OJ-END-03",
     .wrong = "waits for the final frame for ever",
     .ends_badly = true,
     .seams.ojin.wait_us[OJIN_WAIT_FINAL] = UINT64_MAX},
    {.name = "no-end-message",
     .requirement = "OJ-END-04",
     .wrong = "closes without endInteraction",
     .seams.ojin.no_end_message = true},
    {.name = "cancel-timestamp-as-text",
     .requirement = "OJ-CAN-01",
     .wrong = "sends the timestamp of cancelInteraction as a string",
     .seams.ojin.outgoing = quote_cancel},
    {.name = "cancel-in-seconds",
     .requirement = "OJ-CAN-01",
     .wrong = "sends the timestamp of cancelInteraction in seconds",
     .seams.ojin.outgoing = cancel_in_seconds},
    {.name = "speaks-on",
     .requirement = "OJ-CAN-02",
     .wrong = "sends the rest of what it cancelled",
     .seams.ojin = {.keep_speech_on_cancel = true, .no_settling = true}},
    {.name = "cancel-behind-speech",
     .requirement = "OJ-CAN-02",
     .wrong = "sends the cancel behind all that is queued",
     .cases = "ojin/cancel/much-queued",
     .seams.ojin = {.keep_speech_on_cancel = true, .no_settling = true, .cancel_in_line = true}},
    {.name = "cancel-behind-large-messages",
     .requirement = "OJ-CAN-02",
     .wrong = "sends all that is queued in the largest messages, and the cancel behind it",
     .cases = "ojin/cancel/much-queued",
     .seams.ojin = {.keep_speech_on_cancel = true,
                    .no_settling = true,
                    .cancel_in_line = true,
                    .chunk_samples = LARGE_CHUNK_SAMPLES}},
    {.name = "held-samples-lead-the-next",
     .requirement = "OJ-CAN-02",
     .wrong = "sends samples of cancelled speech that a filter held back in front of the next",
     .cases = "ojin/cancel/*",
     .seams.ojin = {.outgoing = hold_samples_back, .chunk_samples = HELD_CHUNK_SAMPLES}},
    {.name = "plays-a-reply-not-begun",
     .requirement = "OJ-CAN-03",
     .wrong = "plays a reply that it cancelled before its first frame",
     .cases = "ojin/cancel/before-first-frame",
     .seams.ojin.turn = forget_unknown},
    {.name = "plays-on",
     .requirement = "OJ-CAN-03",
     .wrong = "plays what it cancelled",
     .seams.ojin.keep_buffer_on_cancel = true},
    {.name = "waits-for-final-of-cancelled",
     .requirement = "OJ-CAN-04",
     .wrong = "says nothing more before a final frame comes for what it cancelled",
     .cases = "ojin/cancel/speak-again",
     .ends_badly = true,
     .seams.ojin.final_after_cancel = true},
    {.name = "fails-on-cancelled",
     .requirement = "OJ-CAN-05",
     .wrong = "reports the answer to its own cancel as an error",
     .seams.ojin.turn = forget_cancel},
    {.name = "forgets-cancel-at-silence",
     .requirement = "OJ-CAN-05",
     .wrong = "takes CANCELLED for a failure once the speech has fallen silent",
     .cases = "ojin/cancel/confirmed-*",
     .seams.ojin.turn = forget_cancel_at_silence},
    {.name = "forgets-idle-cancel",
     .requirement = "OJ-CAN-05",
     .wrong = "takes CANCELLED for a failure when nothing was being said",
     .cases = "ojin/cancel/idle-confirmed",
     .seams.ojin.forget_idle_cancel = true},
    {.name = "leaves-at-late-confirmation",
     .requirement = "OJ-CAN-04",
     .wrong = "ends the session when CANCELLED comes after the speech has fallen silent",
     .implies = {"OJ-CAN-05"},
     .cases = "ojin/cancel/confirmed-*",
     .ends_badly = true,
     .seams.ojin = {.turn = forget_cancel_at_silence, .cancelled_ends_session = true}},
    {.name = "leaves-at-idle-confirmation",
     .requirement = "OJ-CAN-04",
     .wrong = "ends the session when CANCELLED comes for a cancel while nothing was being said",
     .implies = {"OJ-CAN-05"},
     .cases = "ojin/cancel/idle-confirmed",
     .ends_badly = true,
     .seams.ojin = {.forget_idle_cancel = true, .cancelled_ends_session = true}},
    {.name = "does-not-wait-for-settling",
     .requirement = "OJ-CAN-06",
     .wrong = "sends new speech while the server still settles the cancel",
     .seams.ojin.no_settling = true},
    {.name = "tells-nobody-of-cancel",
     .requirement = "OJ-CAN-07",
     .wrong = "sends no cancelInteraction",
     .implies = {"OJ-IN-06", "OJ-CAN-02",
                 "OJ-CAN-03"}, /* a cancel that never comes is none that came at once */
     .seams.ojin.outgoing = drop_cancel},
    {.name = "late-frames-are-a-turn",
     .requirement = "OJ-FLD-03",
     .wrong = "takes late speech frames for a new turn",
     .seams.ojin = {.outgoing = note_cancel, .decode = decode_as_new_turn}},
};

const struct defect_table OJIN_DEFECTS_TURN = DEFECT_TABLE(ROWS);
