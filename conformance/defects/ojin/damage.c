/* Defects of what comes after damage: the sound around it is not whole. OJ-OUT-08/09/15, OJ-ERR-05/09. */
#include "conformance/defects/ojin/tables.h"

enum { MUTED_FRAMES = 3 };

/* Three speech frames are shown without their sound once `begins` has come. */
static bool mute(struct defect_state *state, struct observation *observation, bool begins)
{
    state->seen = state->seen || begins;
    if (state->seen && observation->kind == OBSERVED_PLAYED && observation->index == OJIN_INDEX_SPEECH &&
        state->count++ < MUTED_FRAMES)
        observation->has_audio = false;
    return true;
}

static bool is_bad_frame(const struct observation *observation, const char *why)
{
    return observation->kind == OBSERVED_ERROR && strcmp(observation->code, "BAD_FRAME") == 0 &&
           strstr(observation->text, why) != NULL;
}

static bool mute_after_cut(struct defect_state *state, struct observation *observation)
{
    return mute(state, observation,
                is_bad_frame(observation, wire_status_sentence(WIRE_TRUNCATED)) ||
                    is_bad_frame(observation, wire_status_sentence(WIRE_SIZE_PAST_END)));
}

static bool mute_after_text(struct defect_state *state, struct observation *observation)
{
    return mute(state, observation, observation->kind == OBSERVED_ERROR && observation->code[0] == '\0');
}

static bool mute_after_error(struct defect_state *state, struct observation *observation)
{
    return mute(state, observation,
                observation->kind == OBSERVED_ERROR &&
                    (strcmp(observation->code, "INVALID_MESSAGE") == 0 ||
                     strcmp(observation->code, "FRAME_SIZE_EXCEEDED") == 0));
}

/* A picture that is no JPEG, or not whole. */
static bool note_picture(struct defect_state *state, struct client_action *action)
{
    const struct bytes picture = action->data;
    const bool good = picture.len < 4 || (picture.data[0] == 0xFF && picture.data[picture.len - 1] == 0xD9);
    state->seen = state->seen || (defect_is_played(action) && !good);
    return true;
}

static bool mute_after_picture(struct defect_state *state, struct observation *observation)
{
    return mute(state, observation, false);
}

static bool be_deaf_after_bad_frame(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (state->seen)
        return true;
    const bool good = state->binary && ojin_frame_decode(message, &frame).status == WIRE_OK;
    state->count += good ? 1 : 0;
    state->seen = state->binary && !good && state->count > 0; /* what comes before the session is no frame */
    return false;
}

static const struct defect ROWS[] = {
    {.name = "deaf-after-a-bad-frame",
     .requirement = "OJ-OUT-08",
     .wrong = "reads nothing after a frame that it cannot read",
     .implies = {"OJ-OUT-09"},
     .cases = "ojin/frame/reads-on-after-cut",
     .ends_badly = true,
     .hides = be_deaf_after_bad_frame},
    {.name = "deaf-after-a-wrong-size",
     .requirement = "OJ-OUT-09",
     .wrong = "reads nothing after a frame whose sizes are wrong",
     .implies = {"OJ-OUT-08"},
     .cases = "ojin/frame/reads-on-after-wrong-size",
     .ends_badly = true,
     .hides = be_deaf_after_bad_frame},
    {.name = "mute-after-a-bad-frame",
     .requirement = "OJ-OUT-08",
     .wrong = "loses the sound of three frames after one that it cannot read",
     .implies = {"OJ-OUT-09"},
     .cases = "ojin/frame/sound-after-*",
     .tell = mute_after_cut},
    {.name = "mute-after-a-wrong-size",
     .requirement = "OJ-OUT-09",
     .wrong = "loses the sound of three frames after one whose sizes are wrong",
     .implies = {"OJ-OUT-08"},
     .cases = "ojin/frame/sound-after-*",
     .tell = mute_after_cut},
    {.name = "mute-after-a-damaged-picture",
     .requirement = "OJ-OUT-15",
     .wrong = "loses the sound of three frames after a damaged picture",
     .cases = "ojin/frame/sound-after-picture",
     .act = note_picture,
     .tell = mute_after_picture},
    {.name = "mute-after-a-text",
     .requirement = "OJ-ERR-05",
     .wrong = "loses the sound of three frames after a plain text",
     .cases = "ojin/error/sound-after-text",
     .tell = mute_after_text},
    {.name = "mute-after-an-error",
     .requirement = "OJ-ERR-09",
     .wrong = "loses the sound of three frames after an error that the session outlives",
     .cases = "ojin/error/sound-after-error",
     .tell = mute_after_error},
};

const struct defect_table OJIN_DEFECTS_DAMAGE = DEFECT_TABLE(ROWS);
