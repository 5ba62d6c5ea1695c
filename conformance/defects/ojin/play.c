/* Defects of buffering and playing: OJ-BUF, OJ-FLD-08. */
#include "codec/ojin/input.h"
#include "codec/wire/crc32.h"
#include "conformance/defects/ojin/tables.h"

enum {
    FRAMES_BEFORE_LOSS = 50,
    LATE_FRAMES = 2,
    SILENT_FRAMES = 3,
    TARGET_SMALL = 5,
    HELD_FEW = 200,
    PATIENCE_US = 8000000
};

/* Only in a long utterance. */
static bool drop_speech(struct defect_state *state, struct observation *observation)
{
    if (observation->kind != OBSERVED_PLAYED || observation->index != OJIN_INDEX_SPEECH)
        return true;
    state->count++;
    return state->count < FRAMES_BEFORE_LOSS || state->count % 10 != 0 || observation->is_final;
}

static enum defect_taking note_speech(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    state->seen = defect_frame(state, message, &frame) && frame.index == OJIN_INDEX_SPEECH;
    return DEFECT_TAKE;
}

static bool is_over(void *context, const struct ojin_frame *frame)
{
    size_t *room = context;
    return frame->index == OJIN_INDEX_SPEECH && (*room == 0 || (*room)-- == 0);
}

/* Holds no more speech than that. */
static void hold_few(struct defect_state *state)
{
    size_t room = HELD_FEW;
    if (state->seen)
        frame_buffer_drop(&defect_client(state)->buffer, is_over, &room);
    state->seen = false;
}

static void hold_one(struct defect_state *state)
{
    defect_client(state)->buffer.target = 1;
}

static void hold_five(struct defect_state *state)
{
    defect_client(state)->buffer.target = TARGET_SMALL;
}

/* ---- silence ---- */

static void skip_none(struct defect_state *state)
{
    defect_client(state)->buffer.skip_next = false;
}

static bool is_silence_above(void *context, const struct ojin_frame *frame)
{
    size_t *above = context;
    if (*above == 0 || frame->index != OJIN_INDEX_SILENCE || frame->is_final != 0)
        return false;
    (*above)--;
    return true;
}

static bool is_marked_silence(const struct observation *observation)
{
    static const uint8_t nil[UUID_BYTES] = {0};
    return observation->index == OJIN_INDEX_SILENCE && memcmp(observation->interaction, nil, UUID_BYTES) != 0;
}

/* Reads the next frame only when it plays one, so of a burst it reports the last only when that is played. */
static bool read_when_played(struct defect_state *state, struct observation *observation)
{
    struct observation *const late = &state->kept[0];
    if (state->said || !is_marked_silence(observation))
        return true;
    if (observation->kind == OBSERVED_PLAYED && state->count > 0)
        state->seen = memcmp(late->interaction, observation->interaction, UUID_BYTES) == 0;
    if (observation->kind != OBSERVED_FRAME || defect_client(state)->buffer.count < FRAMES_BEFORE_LOSS)
        return true;
    *late = *observation;
    state->count++;
    return false;
}

static void skip_none_and_read_late(struct defect_state *state)
{
    skip_none(state);
    if (!state->seen)
        return;
    state->seen = false;
    state->said = true; /* it is not held once more */
    client_life_observe(state->life, &state->kept[0], state->actions);
}

static void skip_all(struct defect_state *state)
{
    struct frame_buffer *buffer = &defect_client(state)->buffer;
    size_t above = buffer->count > buffer->target ? buffer->count - buffer->target : 0;
    if (defect_client(state)->playing)
        frame_buffer_drop(buffer, is_silence_above, &above);
}

/* ---- the clock ---- */

/* What was played in this step has put the next frame off by as much as is right. */
static void play_every(struct defect_state *state, uint64_t frame_us)
{
    struct ojin_client *client = defect_client(state);
    client->next_play_us += client->plays * frame_us;
    client->next_play_us -= client->plays * OJIN_FRAME_US;
    client->plays = 0;
}

static void play_8_a_second(struct defect_state *state)
{
    play_every(state, 125000);
}

static void play_20_a_second(struct defect_state *state)
{
    play_every(state, 50000);
}

static void play_33_a_second(struct defect_state *state)
{
    play_every(state, 30000);
}

static void play_at_once(struct defect_state *state)
{
    play_every(state, 1);
}

/* ---- pauses ---- */

static enum defect_taking note_frame(struct defect_state *state, struct bytes message)
{
    if (state->binary || (state->due_us == UINT64_MAX && !state->life->progress.ready))
        state->due_us = state->now_us + PATIENCE_US;
    return DEFECT_TAKE;
}

static void give_up(struct defect_state *state)
{
    if (state->now_us < state->due_us)
        return;
    state->due_us = UINT64_MAX;
    if (state->life->standing != CLIENT_STANDS_UP)
        return;
    client_life_report(state->life, "TIMEOUT", "no frame came for long", state->actions);
    defect_leave(state, true);
}

/* ---- sound ---- */

static void play_response_audio(struct defect_state *state)
{
    defect_client(state)->played_audio = OJIN_PLAY_RESPONSE_AUDIO;
}

static void play_own_speech(struct defect_state *state)
{
    defect_client(state)->played_audio = OJIN_PLAY_OWN_SPEECH;
}

static bool note_audio(struct defect_state *state, struct buffer *message)
{
    for (size_t i = OJIN_INPUT_HEADER_BYTES; state->binary && !state->seen && i < message->len; i++)
        state->seen = message->data[i] != 0;
    return true;
}

static bool sound_in_silence(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_PLAYED && observation->index == OJIN_INDEX_SILENCE && state->seen)
        observation->has_audio = true;
    return true;
}

static bool forget_at_silence(struct defect_state *state, struct observation *observation)
{
    struct ojin_client *client = defect_client(state);
    if (observation->kind == OBSERVED_PLAYED && observation->index != OJIN_INDEX_SPEECH && client->heard_turn)
        client->speech.played = client->speech.sent;
    return true;
}

/* What is heard comes `late` frames behind what is shown. */
static void delay_sound(struct defect_state *state, struct observation *observation, size_t late)
{
    if (observation->kind != OBSERVED_PLAYED)
        return;
    const struct observation now = *observation;
    struct observation *slot = &state->kept[state->count++ % late];
    observation->has_audio = slot->has_audio;
    observation->audio_crc = slot->audio_crc;
    *slot = now;
}

static bool play_sound_late(struct defect_state *state, struct observation *observation)
{
    delay_sound(state, observation, 1);
    return true;
}

static bool play_sound_later(struct defect_state *state, struct observation *observation)
{
    delay_sound(state, observation, LATE_FRAMES);
    return true;
}

static bool begin_silently(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_PLAYED && observation->index == OJIN_INDEX_SPEECH &&
        state->count++ < SILENT_FRAMES)
        observation->has_audio = false;
    return true;
}

static void keep_unheard(struct defect_state *state)
{
    const struct speech *speech = &defect_client(state)->speech;
    (void)buffer_append(&state->bytes,
                        bytes_of(speech->samples + (speech->played - speech->base),
                                 (size_t)(speech->sent - speech->played) * sizeof *speech->samples));
}

/* What was not heard yet when it was cancelled … */
static bool keep_cancelled(struct defect_state *state, const struct client_plan_step *step)
{
    if (step->what == DO_CANCEL)
        keep_unheard(state);
    return true;
}

/* … or when the connection was lost … */
static void keep_lost(struct defect_state *state, struct client_event *event)
{
    if (event->kind == CLIENT_CLOSED)
        keep_unheard(state);
}

/* … is heard with the next frames of speech. */
static bool play_the_unheard(struct defect_state *state, struct observation *observation)
{
    const struct bytes unheard = buffer_bytes(&state->bytes);
    if (observation->kind != OBSERVED_PLAYED || observation->index != OJIN_INDEX_SPEECH ||
        unheard.len < OJIN_FRAME_AUDIO_BYTES)
        return true;
    observation->has_audio = true;
    observation->audio_crc = crc32_of(bytes_of(unheard.data, OJIN_FRAME_AUDIO_BYTES));
    buffer_consume(&state->bytes, OJIN_FRAME_AUDIO_BYTES);
    return true;
}

/* What it said is kept, all of it … */
static bool keep_all_said(struct defect_state *state, struct buffer *message)
{
    struct ojin_input input;
    (void)note_audio(state, message);
    if (state->binary && state->seen && ojin_input_decode(buffer_bytes(message), &input).status == WIRE_OK)
        (void)buffer_append(&state->bytes, input.audio);
    return true;
}

/* … in this session … */
static void forget_old_session(struct defect_state *state, struct client_event *event)
{
    if (event->kind != CLIENT_OPENED)
        return;
    buffer_consume(&state->bytes, state->bytes.len);
    state->seen = false;
    state->count = 0;
}

/* … and each reply is heard with it from its beginning. */
static bool play_from_the_beginning(struct defect_state *state, struct observation *observation)
{
    if (observation->kind != OBSERVED_PLAYED || defect_client(state)->played_audio != OJIN_PLAY_OWN_SPEECH)
        return true;
    if (observation->index != OJIN_INDEX_SPEECH) {
        state->count = 0;
        return true;
    }
    const struct bytes said = buffer_bytes(&state->bytes);
    const uint64_t at = state->count * OJIN_FRAME_AUDIO_BYTES;
    if (observation->has_audio && at < said.len && said.len - at >= OJIN_FRAME_AUDIO_BYTES)
        observation->audio_crc = crc32_of(bytes_of(said.data + at, OJIN_FRAME_AUDIO_BYTES));
    state->count++;
    return true;
}

static const struct defect ROWS[] = {
    {.name = "drops-speech",
     .requirement = "OJ-BUF-01",
     .wrong = "drops every tenth speech frame of a long utterance",
     .tell = drop_speech},
    {.name = "holds-few-frames",
     .requirement = "OJ-BUF-01",
     .wrong = "has room for eight seconds of speech frames, and drops what comes beyond that",
     .hear = note_speech,
     .after = hold_few},
    {.name = "never-skips",
     .requirement = "OJ-BUF-02",
     .wrong = "skips no silence, however much is held",
     .after = skip_none},
    {.name = "reads-as-it-plays",
     .requirement = "OJ-BUF-02",
     .wrong = "skips no silence, and reads frames no faster than it plays them",
     .tell = read_when_played,
     .after = skip_none_and_read_late},
    {.name = "plays-slowly",
     .requirement = "OJ-BUF-03",
     .wrong = "plays eight frames a second",
     .implies = {"OJ-BUF-01", "OJ-OUT-16"},
     .cases = "ojin/buffer/keeps-up",
     .ends_badly = true,
     .after = play_8_a_second},
    {.name = "plays-as-it-comes",
     .requirement = "OJ-BUF-03",
     .wrong = "plays frames as they come",
     .cases = "ojin/buffer/paced-burst",
     .after = play_at_once},
    {.name = "plays-at-33",
     .requirement = "OJ-BUF-03",
     .wrong = "plays 33 frames a second",
     .cases = "ojin/buffer/paced-burst",
     .after = play_33_a_second},
    {.name = "plays-at-20",
     .requirement = "OJ-BUF-03",
     .wrong = "plays 20 frames a second",
     .cases = "ojin/buffer/paced-burst",
     .after = play_20_a_second},
    {.name = "speech-at-once",
     .requirement = "OJ-BUF-04",
     .wrong = "plays its speech with the silence before it is answered",
     .say = note_audio,
     .tell = sound_in_silence},
    {.name = "begins-silently",
     .requirement = "OJ-BUF-04",
     .wrong = "plays the first speech frames without sound",
     .implies = {"OJ-BUF-06"},
     .tell = begin_silently},
    {.name = "plays-cancelled-speech",
     .requirement = "OJ-BUF-04",
     .wrong = "plays what it had not heard of its cancelled speech with the reply to the next",
     .cases = "ojin/cancel/own-speech",
     .command = keep_cancelled,
     .tell = play_the_unheard},
    {.name = "plays-lost-speech",
     .requirement = "OJ-BUF-04",
     .wrong = "plays what it had not heard of its speech in a lost session with the reply to the next",
     .cases = "ojin/reconnect/begins-cleanly",
     .event = keep_lost,
     .tell = play_the_unheard},
    {.name = "plays-from-the-beginning",
     .requirement = "OJ-BUF-04",
     .wrong = "plays all that it said in the session, from the beginning, with each reply",
     .cases = "ojin/buffer/own-speech-twice",
     .event = forget_old_session,
     .say = keep_all_said,
     .tell = play_from_the_beginning},
    {.name = "plays-the-echo",
     .requirement = "OJ-BUF-04",
     .wrong = "plays the sound of the frames in place of its own speech",
     .cases = "ojin/buffer/frames-without-sound",
     .begin = play_response_audio},
    {.name = "holds-nothing",
     .requirement = "OJ-BUF-05",
     .wrong = "plays from the first frame on",
     .begin = hold_one},
    {.name = "plays-what-it-said",
     .requirement = "OJ-BUF-06",
     .wrong = "plays its own speech in place of the sound of the frames",
     .begin = play_own_speech},
    {.name = "sound-one-frame-late",
     .requirement = "OJ-BUF-06",
     .wrong = "plays the sound of a frame with the next one",
     .tell = play_sound_late},
    {.name = "sound-two-frames-late",
     .requirement = "OJ-BUF-07",
     .wrong = "plays the sound two frames behind the picture",
     .implies = {"OJ-BUF-06"},
     .tell = play_sound_later},
    {.name = "holds-five",
     .requirement = "OJ-BUF-08",
     .wrong = "begins to play with five frames",
     .begin = hold_five},
    {.name = "skips-all-silence",
     .requirement = "OJ-BUF-09",
     .wrong = "skips all silence above its target",
     .after = skip_all},
    {.name = "speech-ends-at-silence",
     .requirement = "OJ-FLD-08",
     .wrong = "ends its speech at the first silence frame",
     .cases = "ojin/buffer/starved",
     .tell = forget_at_silence},
    {.name = "gives-up-in-a-pause",
     .requirement = "OJ-FLD-08",
     .wrong = "ends its session when no frame has come for 8 s",
     .cases = "ojin/pause/*",
     .ends_badly = true,
     .hear = note_frame,
     .after = give_up},
};

const struct defect_table OJIN_DEFECTS_PLAY = DEFECT_TABLE(ROWS);
