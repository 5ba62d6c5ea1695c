/* Defects of buffering and playing: OJ-BUF, OJ-FLD-08. */
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
static bool drop_speech(void *context, const struct ojin_frame *frame)
{
    struct defect_state *state = context;
    if (frame->index != OJIN_INDEX_SPEECH)
        return true;
    state->count++;
    return state->count < FRAMES_BEFORE_LOSS || state->count % 10 != 0 || frame->is_final == 1;
}

/* Holds no more speech than that. */
static bool hold_few(void *context, const struct ojin_frame *frame)
{
    struct defect_state *state = context;
    const bool speech = frame->index == OJIN_INDEX_SPEECH;
    const bool room = !speech || state->count < HELD_FEW;
    if (speech && room)
        state->count++;
    return room;
}

static bool count_played(void *context, struct observation *observation)
{
    struct defect_state *state = context;
    if (observation->kind == OBSERVED_PLAYED && observation->index == OJIN_INDEX_SPEECH && state->count > 0)
        state->count--;
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

static bool play_sound_late(void *context, struct observation *observation)
{
    delay_sound(context, observation, 1);
    return true;
}

static bool play_sound_later(void *context, struct observation *observation)
{
    delay_sound(context, observation, LATE_FRAMES);
    return true;
}

static bool begin_silently(void *context, struct observation *observation)
{
    struct defect_state *state = context;
    if (observation->kind == OBSERVED_PLAYED && observation->index == OJIN_INDEX_SPEECH &&
        state->count++ < SILENT_FRAMES)
        observation->has_audio = false;
    return true;
}

static const struct defect ROWS[] = {
    {.name = "drops-speech",
     .requirement = "OJ-BUF-01",
     .wrong = "drops every tenth speech frame of a long utterance",
     .seams.ojin.hold = drop_speech},
    {.name = "holds-few-frames",
     .requirement = "OJ-BUF-01",
     .wrong = "has room for eight seconds of speech frames, and drops what comes beyond that",
     .seams.ojin = {.hold = hold_few, .life.observe = count_played}},
    {.name = "never-skips",
     .requirement = "OJ-BUF-02",
     .wrong = "skips no silence, however much is held",
     .seams.ojin.no_silence_dropping = true},
    {.name = "plays-slowly",
     .requirement = "OJ-BUF-03",
     .wrong = "plays eight frames a second",
     .implies = {"OJ-BUF-01", "OJ-OUT-16"},
     .cases = "ojin/buffer/keeps-up",
     .ends_badly = true,
     .seams.ojin.frame_us = 125000},
    {.name = "plays-as-it-comes",
     .requirement = "OJ-BUF-03",
     .wrong = "plays frames as they come",
     .cases = "ojin/buffer/paced-burst",
     .seams.ojin.frame_us = 1},
    {.name = "plays-at-33",
     .requirement = "OJ-BUF-03",
     .wrong = "plays 33 frames a second",
     .cases = "ojin/buffer/paced-burst",
     .seams.ojin.frame_us = 30000},
    {.name = "plays-at-20",
     .requirement = "OJ-BUF-03",
     .wrong = "plays 20 frames a second",
     .cases = "ojin/buffer/paced-burst",
     .seams.ojin.frame_us = 50000},
    {.name = "speech-at-once",
     .requirement = "OJ-BUF-04",
     .wrong = "plays its speech with the silence before it is answered",
     .seams.ojin.speech_at_once = true},
    {.name = "begins-silently",
     .requirement = "OJ-BUF-04",
     .wrong = "plays the first speech frames without sound",
     .implies = {"OJ-BUF-06"},
     .seams.ojin.life.observe = begin_silently},
    {.name = "plays-the-echo",
     .requirement = "OJ-BUF-04",
     .wrong = "plays the sound of the frames in place of its own speech",
     .cases = "ojin/buffer/frames-without-sound",
     .seams.ojin.play_response_audio = true},
    {.name = "holds-nothing",
     .requirement = "OJ-BUF-05",
     .wrong = "plays from the first frame on",
     .seams.ojin.buffer_target = 1},
    {.name = "plays-what-it-said",
     .requirement = "OJ-BUF-06",
     .wrong = "plays its own speech in place of the sound of the frames",
     .seams.ojin.play_own_speech = true},
    {.name = "sound-one-frame-late",
     .requirement = "OJ-BUF-06",
     .wrong = "plays the sound of a frame with the next one",
     .seams.ojin.life.observe = play_sound_late},
    {.name = "sound-two-frames-late",
     .requirement = "OJ-BUF-07",
     .wrong = "plays the sound two frames behind the picture",
     .implies = {"OJ-BUF-06"},
     .seams.ojin.life.observe = play_sound_later},
    {.name = "holds-five",
     .requirement = "OJ-BUF-08",
     .wrong = "begins to play with five frames",
     .seams.ojin.buffer_target = TARGET_SMALL},
    {.name = "skips-all-silence",
     .requirement = "OJ-BUF-09",
     .wrong = "skips all silence above its target",
     .seams.ojin.skip_all_silence = true},
    {.name = "speech-ends-at-silence",
     .requirement = "OJ-FLD-08",
     .wrong = "ends its speech at the first silence frame",
     .cases = "ojin/buffer/starved",
     .seams.ojin.forget_at_silence = true},
    {.name = "gives-up-in-a-pause",
     .requirement = "OJ-FLD-08",
     .wrong = "ends its session when no frame has come for 8 s",
     .cases = "ojin/pause/*",
     .ends_badly = true,
     .seams.ojin.wait_us[OJIN_WAIT_FRAME] = PATIENCE_US},
};

const struct defect_table OJIN_DEFECTS_PLAY = DEFECT_TABLE(ROWS);
