/* Defects of what is appended: DX-APP, DX-FLD-04. */
#include <math.h>
#include <string.h>

#include "codec/wire/float32.h"
#include "conformance/defects/duplex/tables.h"

enum { LISTEN_POLL_US = 20000, LATE_SAMPLES = 1000, SPARED_BYTES = 2 * FLOAT32_BYTES };

static bool is_append(const struct duplex_message *message)
{
    return message->type == DUPLEX_MESSAGE_APPEND;
}

/* ---- its sound ---- */

/* A copy of the sound that may be changed, and which the message holds from now on; NULL: no memory. */
static uint8_t *own_audio(struct defect_state *state, struct duplex_message *message)
{
    buffer_consume(&state->bytes, state->bytes.len);
    if (!buffer_append(&state->bytes, message->audio))
        return NULL;
    message->audio = buffer_bytes(&state->bytes);
    return state->bytes.data;
}

static bool send_big_endian(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    uint8_t *audio = is_append(message) ? own_audio(state, message) : NULL;
    for (size_t at = 0; audio != NULL && at + FLOAT32_BYTES <= message->audio.len; at += FLOAT32_BYTES) {
        const uint8_t first = audio[at], second = audio[at + 1];
        audio[at] = audio[at + 3];
        audio[at + 1] = audio[at + 2];
        audio[at + 2] = second;
        audio[at + 3] = first;
    }
    return true;
}

static bool send_nan(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    const float nothing = NAN;
    uint8_t *audio = is_append(message) ? own_audio(state, message) : NULL;
    if (audio != NULL)
        float32_write(&nothing, 1, audio);
    return true;
}

static bool cut_sample(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (is_append(message))
        message->audio.len -= 2;
    return true;
}

/* The base64 without what fills its last four characters; a length that needs some. */
static bool shorten(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (is_append(message))
        message->audio.len -= SPARED_BYTES;
    return true;
}

static bool leave_out_padding(struct defect_state *state, struct buffer *message)
{
    const bool said = defect_say_changed(state, message);
    if (!ws_replace(message, "==\"", "\""))
        (void)ws_replace(message, "=\"", "\"");
    return said;
}

static bool speak_softly(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    uint8_t *audio = is_append(message) ? own_audio(state, message) : NULL;
    for (size_t i = 0; audio != NULL && i < float32_count(message->audio); i++) {
        const float half = float32_at(message->audio, i) / 2;
        float32_write(&half, 1, audio + i * FLOAT32_BYTES);
    }
    return true;
}

static bool begin_late(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (!is_append(message) || state->count++ > 0)
        return true;
    uint8_t *audio = own_audio(state, message);
    for (size_t i = 0; audio != NULL && i < (size_t)LATE_SAMPLES * FLOAT32_BYTES; i++)
        audio[i] = 0;
    return true;
}

static bool lose_second(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    uint8_t *audio = is_append(message) && state->count++ == 1 ? own_audio(state, message) : NULL;
    if (audio != NULL)
        memset(audio, 0, message->audio.len);
    return true;
}

/* What is sent is right, as far as it goes. */
static bool speak_two_seconds(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    return !is_append(message) || state->count++ < 2;
}

/* ---- its pictures ---- */

static bool show_nothing(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    message->has_pictures = false;
    return true;
}

static bool show_once(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (is_append(message) && state->count++ > 0)
        message->has_pictures = false;
    return true;
}

static bool show_always(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    static const uint8_t JPEG[] = {0xFF, 0xD8, 0xFF, 0xD9};
    if (!is_append(message) || message->has_pictures)
        return true;
    message->has_pictures = true;
    message->picture_count = 1;
    message->pictures[0].jpeg = bytes_of(JPEG, sizeof JPEG);
    return true;
}

static bool cut_picture(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (is_append(message) && message->has_pictures && message->picture_count > 0)
        message->pictures[0].jpeg.len /= 2;
    return true;
}

static bool show_png(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    static const char PNG[] = "\x89PNG\r\n\x1a\n and so on";
    if (is_append(message) && message->has_pictures && message->picture_count > 0)
        message->pictures[0].jpeg = bytes_of_text(PNG);
    return true;
}

/* ---- its other members ---- */

static bool ask_for_no_slices(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    message->has_max_slices = message->has_max_slices || is_append(message);
    if (is_append(message))
        message->max_slices = 0;
    return true;
}

static bool ask_for_ten_slices(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    (void)ask_for_no_slices(state, message);
    if (is_append(message))
        message->max_slices = 10;
    return true;
}

static bool count_force_listen(struct defect_state *state, struct buffer *message)
{
    if (!ws_replace(message, "\"force_listen\":false", "\"force_listen\":0"))
        (void)ws_replace(message, "\"force_listen\":true", "\"force_listen\":1");
    return true;
}

/* ---- when ---- */

static void append_half_seconds(struct defect_state *state)
{
    defect_duplex_client(state)->append_samples = DUPLEX_APPEND_SAMPLES / 2;
}

static bool append_twice_a_second(struct defect_state *state, struct buffer *message)
{
    defect_append_every(state, message, DUPLEX_APPEND_US / 2);
    return true;
}

static bool append_four_at_once(struct defect_state *state, struct buffer *message)
{
    defect_append_burst(state, message, 4, 4 * (uint64_t)DUPLEX_APPEND_US);
    return true;
}

/* Before the core looks whether an append is due. */
static void listen_first(struct defect_state *state, struct client_event *event)
{
    struct duplex_client *client = defect_duplex_client(state);
    (void)event;
    if (client->player.samples > 0 && client->next_append_us < state->now_us + LISTEN_POLL_US)
        client->next_append_us = state->now_us + LISTEN_POLL_US;
}

static void overlook_backlog(struct defect_state *state, struct client_event *event)
{
    event->unsent = 0;
}

static const struct defect ROWS[] = {
    {.name = "big-endian-sound",
     .requirement = "DX-APP-01",
     .wrong = "sends its sound big-endian",
     .say = defect_say_changed,
     .change = send_big_endian},
    {.name = "sends-nan",
     .requirement = "DX-APP-01",
     .wrong = "sends a sample that is no number",
     .say = defect_say_changed,
     .change = send_nan},
    {.name = "cuts-sample",
     .requirement = "DX-APP-01",
     .wrong = "ends in the middle of a sample",
     .say = defect_say_changed,
     .change = cut_sample},
    {.name = "looks-at-the-rate-alone-in-appends",
     .requirement = "DX-APP-01",
     .wrong = "sends both channels of a sound file that has the right rate",
     .cases = "duplex/append/other-forms",
     .seams = {.as_it_is = defect_is_16k, .wav_header_bytes = DEFECT_WAV_HEADER_BYTES}},
    {.name = "looks-at-the-channels-alone-in-appends",
     .requirement = "DX-APP-01",
     .wrong = "sends a sound file in mono at whatever rate it has",
     .cases = "duplex/append/other-forms",
     .seams = {.as_it_is = defect_is_mono, .wav_header_bytes = DEFECT_WAV_HEADER_BYTES}},
    {.name = "no-padding",
     .requirement = "DX-APP-01",
     .wrong = "sends base64 that is not filled up",
     .implies = {"DX-APP-08"},
     .say = leave_out_padding,
     .change = shorten},
    {.name = "short-appends",
     .requirement = "DX-APP-02",
     .wrong = "appends an eighth of a second at a time",
     .begin = defect_append_eighths,
     .say = defect_time_eighths},
    {.name = "half-seconds",
     .requirement = "DX-APP-03",
     .wrong = "appends half a second at a time",
     .begin = append_half_seconds,
     .say = append_twice_a_second},
    {.name = "appends-too-fast",
     .requirement = "DX-APP-03",
     .wrong = "appends a second twice a second",
     .say = append_twice_a_second},
    {.name = "appends-in-bursts",
     .requirement = "DX-APP-03",
     .wrong = "appends four seconds at once",
     .implies = {"DX-OUT-01", "DX-OUT-07"},
     .say = append_four_at_once},
    {.name = "listens-first",
     .requirement = "DX-APP-03",
     .wrong = "appends nothing while the server is speaking",
     .implies = {"DX-OUT-01"},
     .event = listen_first},
    {.name = "shows-nothing",
     .requirement = "DX-APP-04",
     .wrong = "sends no pictures",
     .say = defect_say_changed,
     .change = show_nothing},
    {.name = "shows-once",
     .requirement = "DX-APP-04",
     .wrong = "sends a picture with the first append only",
     .say = defect_say_changed,
     .change = show_once},
    {.name = "shows-always",
     .requirement = "DX-APP-05",
     .wrong = "sends pictures in audio mode too",
     .say = defect_say_changed,
     .change = show_always},
    {.name = "no-slices",
     .requirement = "DX-APP-06",
     .wrong = "asks for no slices at all",
     .say = defect_say_changed,
     .change = ask_for_no_slices},
    {.name = "ten-slices",
     .requirement = "DX-APP-06",
     .wrong = "asks for ten slices",
     .say = defect_say_changed,
     .change = ask_for_ten_slices},
    {.name = "counts-force-listen",
     .requirement = "DX-APP-06",
     .wrong = "sends force_listen as a number",
     .implies = {"DX-OUT-07"},
     .say = count_force_listen},
    {.name = "speaks-softly",
     .requirement = "DX-APP-07",
     .wrong = "sends its source at half its loudness",
     .say = defect_say_changed,
     .change = speak_softly},
    {.name = "begins-late",
     .requirement = "DX-APP-07",
     .wrong = "sends silence in place of the first thousand samples",
     .say = defect_say_changed,
     .change = begin_late},
    {.name = "loses-a-second",
     .requirement = "DX-APP-07",
     .wrong = "sends silence in place of the second second of its source",
     .say = defect_say_changed,
     .change = lose_second},
    {.name = "speaks-two-seconds",
     .requirement = "DX-APP-07",
     .wrong = "appends two seconds of its source and no more",
     .implies = {"DX-APP-03"},
     .cases = "duplex/append/whole-speech",
     .say = defect_say_changed,
     .change = speak_two_seconds},
    {.name = "appends-behind-44-bytes-of-a-wav",
     .requirement = "DX-APP-07",
     .wrong = "takes all of a sound file behind its first 44 bytes for speech",
     .cases = "duplex/append/wav-layouts",
     .seams.wav_header_bytes = DEFECT_WAV_HEADER_BYTES},
    {.name = "shows-data-url",
     .requirement = "DX-APP-08",
     .wrong = "puts data:image/jpeg;base64, before its pictures",
     .swap = {"\"video_frames\":[\"", "\"video_frames\":[\"data:image/jpeg;base64,"},
     .say = defect_swap_in_message},
    {.name = "cuts-picture",
     .requirement = "DX-APP-08",
     .wrong = "sends half of each picture",
     .say = defect_say_changed,
     .change = cut_picture},
    {.name = "shows-png",
     .requirement = "DX-APP-08",
     .wrong = "sends PNGs",
     .say = defect_say_changed,
     .change = show_png},
    {.name = "keeps-backlog",
     .requirement = "DX-FLD-04",
     .wrong = "hands over all it was to say while the server does not read",
     .event = overlook_backlog},
};

const struct defect_table DUPLEX_DEFECTS_APPEND = DEFECT_TABLE(ROWS);
