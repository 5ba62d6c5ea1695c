/* Defects of what the client sends: OJ-IN, OJ-FLD-06. */
#include <stdlib.h>

#include "codec/ojin/input.h"
#include "conformance/defects/ojin/tables.h"

enum {
    TIMESTAMP_AT = 1,
    PARAMS_SIZE_AT = 9,
    HOARD_TIMES = 2000, /* of the ten messages that sockets take when nobody reads: 600 MB */
    WHOLE_MESSAGE_BYTES = 30000,
    CHUNK_SMALL = 1600,
    CHUNK_ODD = 5000,
    HOLD_SPEECH_US = 3500000
};

/* Is it the n-th audio message, counted from 1 and with the opening silence? */
static bool is_audio(struct defect_state *state, uint64_t n)
{
    return state->binary && ++state->count == n;
}

static void set_params_size(struct buffer *message, size_t size)
{
    for (size_t i = 0; i < 4; i++)
        message->data[PARAMS_SIZE_AT + i] = (uint8_t)(size >> (8 * (3 - i)));
}

/* Puts params into a message that has none. */
static void put_params(struct buffer *message, const char *params)
{
    const size_t len = strlen(params);
    struct ojin_input input;
    if (ojin_input_decode(buffer_bytes(message), &input).status != WIRE_OK || input.params.len > 0 ||
        buffer_reserve(message, len) == NULL)
        return;
    uint8_t *audio = message->data + OJIN_INPUT_HEADER_BYTES;
    memmove(audio + len, audio, message->len - OJIN_INPUT_HEADER_BYTES);
    memcpy(audio, params, len);
    message->len += len;
    set_params_size(message, len);
}

static bool reverse_timestamp(struct defect_state *state, struct buffer *message)
{
    for (size_t i = 0; state->binary && i < 4; i++) {
        const uint8_t byte = message->data[TIMESTAMP_AT + i];
        message->data[TIMESTAMP_AT + i] = message->data[TIMESTAMP_AT + 7 - i];
        message->data[TIMESTAMP_AT + 7 - i] = byte;
    }
    return true;
}

static bool put_other_type(struct defect_state *state, struct buffer *message)
{
    if (state->binary)
        message->data[0] = 2;
    return true;
}

/* As a clock that counts from the start of the machine. */
static bool put_other_clock(struct defect_state *state, struct buffer *message)
{
    for (size_t i = 0; state->binary && i < 5; i++)
        message->data[TIMESTAMP_AT + i] = 0;
    return true;
}

static bool put_list_for_params(struct defect_state *state, struct buffer *message)
{
    if (is_audio(state, 3))
        put_params(message, "[1]");
    return true;
}

static bool count_audio_as_params(struct defect_state *state, struct buffer *message)
{
    if (is_audio(state, 3))
        message->data[PARAMS_SIZE_AT + 3] = 20;
    return true;
}

/* Puts another value before that of a member, which goes to another name. */
static void change_param(struct buffer *message, const char *name, const char *value)
{
    char from[64], to[128];
    struct ojin_input input;
    struct text text = text_of(from, sizeof from);
    text_add_char(&text, '"');
    text_add(&text, name);
    text_add(&text, "\":");
    text = text_of(to, sizeof to);
    text_add(&text, from);
    text_add(&text, value);
    text_add(&text, ",\"was\":");
    if (ojin_input_decode(buffer_bytes(message), &input).status != WIRE_OK || !ws_replace(message, from, to))
        return;
    set_params_size(message, input.params.len + strlen(to) - strlen(from));
}

static bool put_index_as_text(struct defect_state *state, struct buffer *message)
{
    if (state->binary)
        change_param(message, "client_frame_index", "\"7\"");
    return true;
}

static bool put_index_with_fraction(struct defect_state *state, struct buffer *message)
{
    if (state->binary)
        change_param(message, "client_frame_index", "7.5");
    return true;
}

static bool put_filter_as_text(struct defect_state *state, struct buffer *message)
{
    if (state->binary)
        change_param(message, "speech_filter_amount", "\"a lot\"");
    return true;
}

static bool cut_last_byte(struct defect_state *state, struct buffer *message)
{
    if (state->binary && state->count++ > 0)
        message->len--;
    return true;
}

static bool swap_samples(struct defect_state *state, struct buffer *message)
{
    struct ojin_input input;
    if (!state->binary || ojin_input_decode(buffer_bytes(message), &input).status != WIRE_OK)
        return true;
    uint8_t *audio = message->data + (message->len - input.audio.len);
    for (size_t i = 0; i + 1 < input.audio.len; i += 2) {
        const uint8_t byte = audio[i];
        audio[i] = audio[i + 1];
        audio[i + 1] = byte;
    }
    return true;
}

static bool lose_message(struct defect_state *state, struct buffer *message)
{
    return !is_audio(state, 3);
}

static bool lose_sample(struct defect_state *state, struct buffer *message)
{
    if (is_audio(state, 2))
        message->len -= OJIN_SAMPLE_BYTES;
    return true;
}

/* Params of half a megabyte that say nothing. */
static bool grow(struct defect_state *state, struct buffer *message)
{
    char *params = malloc(OJIN_MESSAGE_BYTES_MAX + 1);
    if (params == NULL || !is_audio(state, 25)) {
        free(params);
        return true;
    }
    struct text text = text_of(params, OJIN_MESSAGE_BYTES_MAX + 1);
    text_add(&text, "{\"note\":\"");
    while (text.len < OJIN_MESSAGE_BYTES_MAX - 8)
        text_add_char(&text, 'x');
    text_add(&text, "\"}");
    put_params(message, params);
    free(params);
    return true;
}

/* The last message of a speech, which is shorter than a whole one. */
static bool pad(struct defect_state *state, struct buffer *message)
{
    const bool opening = message->len == OJIN_INPUT_HEADER_BYTES + OJIN_FRAME_AUDIO_BYTES;
    const bool last = state->binary && !opening && message->len < WHOLE_MESSAGE_BYTES;
    uint8_t *room = last ? buffer_reserve(message, OJIN_FRAME_AUDIO_BYTES) : NULL;
    if (room == NULL)
        return true;
    memset(room, 0, OJIN_FRAME_AUDIO_BYTES);
    message->len += OJIN_FRAME_AUDIO_BYTES;
    return true;
}

/* What is sent to keep the connection alive is no silence: a sound too soft to be heard. */
static bool put_noise(struct defect_state *state, struct buffer *message)
{
    struct ojin_input input;
    const bool first = is_audio(state, 1);
    if (!state->binary || first || ojin_input_decode(buffer_bytes(message), &input).status != WIRE_OK)
        return true;
    uint8_t *audio = message->data + (message->len - input.audio.len);
    for (size_t i = 0; i < input.audio.len; i++)
        if (audio[i] != 0)
            return true;
    for (size_t i = 0; i + 1 < input.audio.len; i += OJIN_SAMPLE_BYTES)
        audio[i] = 1;
    return true;
}

/* Keeps what it sends, many times over. */
static bool hoard(struct defect_state *state, struct buffer *message)
{
    for (int n = 0; state->binary && n < HOARD_TIMES; n++)
        if (!buffer_append(&state->bytes, buffer_bytes(message)))
            break;
    return true;
}

/* ---- when ---- */

static void send_small_chunks(struct defect_state *state)
{
    defect_send_chunks(state, CHUNK_SMALL);
}

static void send_odd_chunks(struct defect_state *state)
{
    defect_send_chunks(state, CHUNK_ODD);
}

static void forget_rate(struct defect_state *state)
{
    defect_client(state)->sender.latest_count = 0;
}

/* Another opening whenever there is nothing to say. */
static void keep_alive(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    if (client->life.stage == OJIN_CLIENT_STREAMING && speech_unsent(&client->speech) == 0)
        client->opening_due = true;
}

/* What it was handed last waits until `until_us` (0: no more), and for what it waits for anyway. */
static void hold_until(struct defect_state *state, uint64_t until_us)
{
    uint64_t *paused_until_us = &defect_client(state)->sender.paused_until_us;
    if (*paused_until_us == state->count || *paused_until_us < until_us)
        *paused_until_us = until_us;
    state->count = until_us;
}

/* Not when the end was asked for. */
static bool hold_speech(struct defect_state *state, const struct client_plan_step *step)
{
    if (step->what == DO_SPEAK && state->life->progress.ready)
        hold_until(state, state->now_us + HOLD_SPEECH_US);
    else if (step->what == DO_SPEAK)
        state->count = state->now_us + HOLD_SPEECH_US;
    if (step->what == DO_END)
        hold_until(state, 0);
    return true;
}

/* The opening does not wait: speech is hidden from the step in which the session becomes ready. */
static void hide_speech(struct defect_state *state, struct client_event *event)
{
    struct ojin_client *client = defect_client(state);
    if (client->life.progress.ready || event->now_us >= state->count)
        return;
    state->kept[0].samples = (uint32_t)speech_unsent(&client->speech);
    client->speech.held -= state->kept[0].samples;
}

static void show_speech(struct defect_state *state)
{
    struct ojin_client *client = defect_client(state);
    client->speech.held += state->kept[0].samples;
    state->kept[0].samples = 0;
    if (client->life.progress.ready && !client->opening_due)
        hold_until(state, state->count);
}

/* ---- what it converts ---- */

static void cut_to_a_third(int16_t *samples, size_t *count)
{
    (void)samples;
    *count /= 3;
}

static void make_silence(int16_t *samples, size_t *count)
{
    memset(samples, 0, *count * sizeof *samples);
}

/* Small noise in the place of it: as quiet as a microphone in an empty room. */
static void make_noise(int16_t *samples, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        samples[i] = (int16_t)(i * 2654435761U % 4001U) - 2000;
}

/* Of two bytes that follow each other the lower ones. */
static void mix_up_bytes(int16_t *samples, size_t *count)
{
    for (size_t i = 0; i + 1 < *count; i++)
        samples[i] = (int16_t)((samples[i] & 0xFF) << 8 | (samples[i + 1] & 0xFF));
}

static const struct defect ROWS[] = {
    {.name = "timestamp-little-endian",
     .requirement = "OJ-IN-01",
     .wrong = "writes the timestamp little-endian",
     .say = reverse_timestamp},
    {.name = "payload-type-2",
     .requirement = "OJ-IN-01",
     .wrong = "sends audio as payload type 2",
     .say = put_other_type},
    {.name = "monotonic-clock",
     .requirement = "OJ-IN-02",
     .wrong = "sends a time that counts from the start of the machine",
     .say = put_other_clock},
    {.name = "params-are-a-list",
     .requirement = "OJ-IN-03",
     .wrong = "sends params that are no object",
     .say = put_list_for_params},
    {.name = "params-size-too-large",
     .requirement = "OJ-IN-03",
     .wrong = "gives a size of params where there are none",
     .implies = {"OJ-IN-06"},
     .say = count_audio_as_params},
    {.name = "frame-index-as-text",
     .requirement = "OJ-IN-04",
     .wrong = "sends client_frame_index as a string",
     .say = put_index_as_text},
    {.name = "frame-index-with-fraction",
     .requirement = "OJ-IN-04",
     .wrong = "sends client_frame_index with a fraction",
     .say = put_index_with_fraction},
    {.name = "filter-as-text",
     .requirement = "OJ-IN-04",
     .wrong = "sends speech_filter_amount as a string",
     .say = put_filter_as_text},
    {.name = "half-a-sample",
     .requirement = "OJ-IN-05",
     .wrong = "cuts its audio in the middle of a sample",
     .implies = {"OJ-IN-06"},
     .say = cut_last_byte},
    {.name = "samples-big-endian",
     .requirement = "OJ-IN-06",
     .wrong = "sends samples big-endian",
     .say = swap_samples},
    {.name = "loses-a-message",
     .requirement = "OJ-IN-06",
     .wrong = "loses the second message of its speech",
     .say = lose_message},
    {.name = "loses-a-sample",
     .requirement = "OJ-IN-06",
     .wrong = "loses the last sample of a message",
     .say = lose_sample},
    {.name = "over-512-kilobytes",
     .requirement = "OJ-IN-07",
     .wrong = "sends a message that is larger than the limit",
     .say = grow},
    {.name = "no-rate-limit",
     .requirement = "OJ-IN-08",
     .wrong = "sends as fast as it can",
     .begin = send_small_chunks,
     .after = forget_rate},
    {.name = "pads",
     .requirement = "OJ-IN-09",
     .wrong = "pads its speech with silence",
     .cases = "ojin/input/whole-speech",
     .say = pad},
    {.name = "keeps-alive",
     .requirement = "OJ-IN-09",
     .wrong = "sends silence while it has nothing to say",
     .cases = "ojin/input/nothing-to-say",
     .after = keep_alive},
    {.name = "keeps-alive-with-noise",
     .requirement = "OJ-IN-09",
     .wrong = "sends a soft noise while it has nothing to say",
     .cases = "ojin/input/nothing-to-say",
     .after = keep_alive,
     .say = put_noise},
    {.name = "holds-speech-back",
     .requirement = "OJ-IN-10",
     .wrong = "holds speech back for seconds, as if more were to come",
     .command = hold_speech,
     .event = hide_speech,
     .after = show_speech},
    {.name = "odd-chunks",
     .requirement = "OJ-IN-11",
     .wrong = "sends speech in chunks of 312.5 ms",
     .begin = send_odd_chunks},
    {.name = "sends-48-kilohertz",
     .requirement = "OJ-IN-12",
     .wrong = "sends speech at the rate it came in",
     .seams.sample_rate = 48000},
    {.name = "sends-48-kilohertz-cut",
     .requirement = "OJ-IN-12",
     .wrong = "sends the first third of the speech at the rate it came in",
     .cases = "ojin/input/stereo-48k",
     .seams = {.sample_rate = 48000, .converted = cut_to_a_third}},
    {.name = "looks-at-the-rate-alone",
     .requirement = "OJ-IN-12",
     .wrong = "sends both channels of a sound file that has the right rate",
     .cases = "ojin/input/other-forms",
     .seams = {.as_it_is = defect_is_16k, .wav_header_bytes = DEFECT_WAV_HEADER_BYTES}},
    {.name = "looks-at-the-channels-alone",
     .requirement = "OJ-IN-12",
     .wrong = "sends a sound file in mono at whatever rate it has",
     .cases = "ojin/input/other-forms",
     .seams = {.as_it_is = defect_is_mono, .wav_header_bytes = DEFECT_WAV_HEADER_BYTES}},
    {.name = "skips-44-bytes-of-a-wav",
     .requirement = "OJ-IN-06",
     .wrong = "takes all of a sound file behind its first 44 bytes for speech",
     .cases = "ojin/input/wav-layouts",
     .seams.wav_header_bytes = DEFECT_WAV_HEADER_BYTES},
    {.name = "drops-most-of-what-it-converts",
     .requirement = "OJ-IN-06",
     .wrong = "sends a third of the speech that it had to convert",
     .seams.converted = cut_to_a_third},
    {.name = "converts-to-silence",
     .requirement = "OJ-IN-12",
     .wrong = "sends silence in place of speech that it had to convert",
     .seams.converted = make_silence},
    {.name = "converts-to-noise",
     .requirement = "OJ-IN-06",
     .wrong = "sends noise in place of speech that it had to convert",
     .seams.converted = make_noise},
    {.name = "converts-bytes",
     .requirement = "OJ-IN-06",
     .wrong = "takes bytes for samples where it converts speech",
     .seams.converted = mix_up_bytes},
    {.name = "hoards",
     .requirement = "OJ-FLD-06",
     .wrong = "keeps all that it sends, many times over",
     .crashes = true,
     .alone = true,
     .say = hoard},
};

const struct defect_table OJIN_DEFECTS_INPUT = DEFECT_TABLE(ROWS);
