/* Defects of what is said: IV-IN. */
#include "conformance/defects/interview/tables.h"

enum { HURRY_US = 20000 };

static bool is_chunk(const struct interview_message *message)
{
    return message->type == INTERVIEW_MESSAGE_AUDIO_CHUNK;
}

/* A copy of the sound that may be changed, and which the message holds from now on; NULL: no memory. */
static uint8_t *own_audio(struct defect_state *state, struct interview_message *message)
{
    buffer_clear(&state->bytes);
    if (!buffer_append(&state->bytes, message->audio))
        return NULL;
    message->audio = buffer_bytes(&state->bytes);
    return state->bytes.data;
}

/* ---- an audio_chunk ---- */

static bool leave_out_time(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    message->has_timestamp = message->has_timestamp && !is_chunk(message);
    return true;
}

static bool count_milliseconds(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    if (is_chunk(message))
        message->timestamp *= 1000;
    return true;
}

static bool cut_sample(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    if (is_chunk(message))
        message->audio.len--;
    return true;
}

static bool shorten(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    if (is_chunk(message) && message->audio.len % 3 == 0)
        message->audio.len -= INTERVIEW_SAMPLE_BYTES;
    return true;
}

static bool say_without_padding(struct defect_state *state, struct buffer *message)
{
    const bool said = defect_interview_say_changed(state, message);
    if (!ws_replace(message, "==\"", "\""))
        (void)ws_replace(message, "=\"", "\"");
    return said;
}

static bool send_binary(struct defect_state *state, struct client_action *action)
{
    if (action->kind == CLIENT_SEND_TEXT &&
        defect_interview_is(state, action->data, INTERVIEW_MESSAGE_AUDIO_CHUNK))
        action->kind = CLIENT_SEND_BINARY;
    return true;
}

/* ---- against its source ---- */

static bool speak_softly(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    uint8_t *audio = is_chunk(message) ? own_audio(state, message) : NULL;
    for (size_t i = 0; audio != NULL && i < interview_sample_count(message->audio); i++) {
        const uint16_t half = (uint16_t)(interview_sample_at(message->audio, i) / 2);
        audio[2 * i] = (uint8_t)half;
        audio[2 * i + 1] = (uint8_t)(half >> 8);
    }
    return true;
}

static bool swap_bytes(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    uint8_t *audio = is_chunk(message) ? own_audio(state, message) : NULL;
    for (size_t at = 0; audio != NULL && at + 1 < message->audio.len; at += INTERVIEW_SAMPLE_BYTES) {
        const uint8_t low = audio[at];
        audio[at] = audio[at + 1];
        audio[at + 1] = low;
    }
    return true;
}

static bool lose_third(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    return !is_chunk(message) || ++state->count != 3;
}

/* ---- the pace ---- */

static void hurry(struct defect_state *state)
{
    struct interview_client *client = defect_interview_client(state);
    if (client->due_us != UINT64_MAX && client->due_us > state->now_us + HURRY_US)
        client->due_us = state->now_us + HURRY_US;
}

/* One more message behind those of this step. */
static void add(struct defect_state *state, struct interview_message *message)
{
    interview_client_send(defect_interview_client(state), message, state->actions);
}

static bool split_third(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    if (!is_chunk(message) || ++state->count != 3)
        return true;
    const size_t half = message->audio.len / 4 * INTERVIEW_SAMPLE_BYTES;
    struct interview_message rest = *message;
    rest.audio = bytes_of(message->audio.data + half, message->audio.len - half);
    message->audio.len = half;
    add(state, &rest);
    return true;
}

/* ---- the size ---- */

static bool fill_up(struct defect_state *state, struct buffer *message)
{
    static const char BEGIN[] = "{\"padding\":\"", END[] = "\",";
    if (!defect_interview_is(state, buffer_bytes(message), INTERVIEW_MESSAGE_AUDIO_CHUNK) ||
        state->count++ > 0)
        return true;
    struct buffer rest;
    buffer_init(&rest, INTERVIEW_MESSAGE_BYTES_MAX);
    bool good = buffer_append(&rest, bytes_of(message->data + 1, message->len - 1));
    buffer_clear(message);
    good = good && buffer_append(message, bytes_of_text(BEGIN));
    uint8_t *padding = good ? buffer_reserve(message, INTERVIEW_MESSAGE_BYTES_MAX) : NULL;
    if (padding != NULL) {
        memset(padding, 'x', INTERVIEW_MESSAGE_BYTES_MAX);
        message->len += INTERVIEW_MESSAGE_BYTES_MAX;
    }
    good = padding != NULL && buffer_append(message, bytes_of_text(END)) &&
           buffer_append(message, buffer_bytes(&rest));
    buffer_free(&rest);
    return good;
}

static bool is_commit(const struct interview_message *message)
{
    return message->type == INTERVIEW_MESSAGE_COMMIT_AUDIO;
}

/* As a client does that records, and sends the recording. */
static bool send_in_one(struct defect_state *state, void *given)
{
    struct interview_message *message = given;
    struct interview_message commit = {.type = INTERVIEW_MESSAGE_COMMIT_AUDIO};
    const int64_t time_s = (int64_t)((state->life->epoch_ms + state->now_us / 1000) / 1000);
    if (is_chunk(message)) {
        (void)buffer_append(&state->bytes, message->audio);
        return false;
    }
    if (!is_commit(message))
        return true;
    state->seen = !state->seen;
    if (!state->seen) { /* the one that is added below */
        buffer_clear(&state->bytes);
        return true;
    }
    *message = (struct interview_message){.type = INTERVIEW_MESSAGE_AUDIO_CHUNK,
                                          .tree = message->tree,
                                          .raw = message->raw,
                                          .has_audio = true,
                                          .audio = buffer_bytes(&state->bytes),
                                          .has_timestamp = true,
                                          .timestamp = time_s};
    add(state, &commit);
    return true;
}

/* ---- the end of a turn ---- */

static bool never_commit(struct defect_state *state, void *given)
{
    const struct interview_message *message = given;
    return !is_commit(message);
}

static bool commit_twice(struct defect_state *state, void *given)
{
    const struct interview_message *message = given;
    struct interview_message again = {.type = INTERVIEW_MESSAGE_COMMIT_AUDIO};
    if (is_commit(message) && state->count++ == 0)
        add(state, &again);
    return true;
}

static void commit_first(struct defect_state *state)
{
    struct interview_message commit = {.type = INTERVIEW_MESSAGE_COMMIT_AUDIO};
    if (state->seen || state->life->stage != INTERVIEW_CLIENT_TALKING)
        return;
    state->seen = true;
    add(state, &commit);
}

static void keep_a_third(int16_t *samples, size_t *count)
{
    (void)samples;
    *count /= 3;
}

/* Of the form of a file it sees one half. */
static bool is_stereo(unsigned rate, unsigned channels)
{
    (void)rate;
    return channels == 2;
}

static const struct defect ROWS[] = {
    {.name = "no-timestamp",
     .requirement = "IV-IN-01",
     .wrong = "sends chunks without a timestamp",
     .say = defect_interview_say_changed,
     .change = leave_out_time},
    {.name = "milliseconds",
     .requirement = "IV-IN-01",
     .wrong = "sends its timestamps in milliseconds",
     .say = defect_interview_say_changed,
     .change = count_milliseconds},
    {.name = "half-samples",
     .requirement = "IV-IN-01",
     .wrong = "ends its chunks in the middle of a sample",
     .say = defect_interview_say_changed,
     .change = cut_sample},
    {.name = "interview-no-padding",
     .requirement = "IV-IN-01",
     .wrong = "sends base64 that is not filled up",
     .say = say_without_padding,
     .change = shorten},
    {.name = "binary-chunks",
     .requirement = "IV-IN-01",
     .wrong = "sends its chunks in binary messages",
     .act = send_binary},
    {.name = "does-not-count-channels",
     .requirement = "IV-IN-01",
     .wrong = "sends both channels of a sound file in stereo",
     .cases = "interview/input/other-forms",
     .seams = {.as_it_is = is_stereo, .wav_header_bytes = DEFECT_WAV_HEADER_BYTES}},
    {.name = "looks-at-the-channels-alone-in-answers",
     .requirement = "IV-IN-01",
     .wrong = "sends a sound file in mono at whatever rate it has",
     .cases = "interview/input/other-forms",
     .seams = {.as_it_is = defect_is_mono, .wav_header_bytes = DEFECT_WAV_HEADER_BYTES}},
    {.name = "speaks-half-as-loud",
     .requirement = "IV-IN-02",
     .wrong = "sends its source at half its loudness",
     .say = defect_interview_say_changed,
     .change = speak_softly},
    {.name = "swaps-bytes",
     .requirement = "IV-IN-02",
     .wrong = "sends its samples big-endian",
     .say = defect_interview_say_changed,
     .change = swap_bytes},
    {.name = "loses-a-chunk",
     .requirement = "IV-IN-02",
     .wrong = "leaves out the third chunk of its source",
     .say = defect_interview_say_changed,
     .change = lose_third},
    {.name = "loses-most-of-what-it-converts",
     .requirement = "IV-IN-02",
     .wrong = "sends a third of the speech that it had to convert",
     .cases = "interview/input/other-forms",
     .seams.converted = keep_a_third},
    {.name = "answers-behind-44-bytes-of-a-wav",
     .requirement = "IV-IN-02",
     .wrong = "takes all of a sound file behind its first 44 bytes for speech",
     .cases = "interview/input/wav-layouts",
     .seams.wav_header_bytes = DEFECT_WAV_HEADER_BYTES},
    {.name = "hurries", .requirement = "IV-IN-03", .wrong = "sends a chunk every 20 ms", .after = hurry},
    {.name = "splits-a-chunk",
     .requirement = "IV-IN-03",
     .wrong = "sends its third chunk in two halves of 75 ms",
     .say = defect_interview_say_changed,
     .change = split_third},
    {.name = "over-a-megabyte",
     .requirement = "IV-IN-04",
     .wrong = "sends a chunk with a member of 1 MB",
     .say = fill_up},
    {.name = "answers-in-one-message",
     .requirement = "IV-IN-04",
     .wrong = "records its answer and sends it in one message",
     .implies = {"IV-OUT-03", "IV-OUT-04", "IV-OUT-05", "IV-ERR-01"},
     .cases = "interview/input/forty-seconds",
     .say = defect_interview_say_changed,
     .change = send_in_one},
    {.name = "never-commits",
     .requirement = "IV-IN-05",
     .wrong = "does not commit what it said",
     .say = defect_interview_say_changed,
     .change = never_commit},
    {.name = "commits-twice",
     .requirement = "IV-IN-05",
     .wrong = "commits its first answer twice",
     .say = defect_interview_say_changed,
     .change = commit_twice},
    {.name = "commits-first",
     .requirement = "IV-IN-05",
     .wrong = "commits once before it says anything",
     .after = commit_first},
};

const struct defect_table INTERVIEW_DEFECTS_INPUT = DEFECT_TABLE(ROWS);
