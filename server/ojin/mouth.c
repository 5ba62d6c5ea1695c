#include "server/ojin/mouth.h"

#include "codec/media/sound.h"
#include "server/persona/persona.h"

/* How far a mouth at rest stands open at idle_mouth_opening_scale 1. */
static const double IDLE_OPENING = 0.3;

static double held(double value, double low, double high)
{
    /* Written so that what is no number ends up at `low`. */
    if (!(value > low))
        return low;
    return value < high ? value : high;
}

static double mouth_move(struct mouth *mouth, double target, double amount, double half)
{
    double step = 1.0 / (1.0 + held(amount, 0.0, 1e9) / half);
    mouth->opening = held(mouth->opening + (target - mouth->opening) * step, 0.0, 1.0);
    return mouth->opening;
}

double mouth_speak(struct mouth *mouth, const uint8_t audio[OJIN_FRAME_AUDIO_BYTES],
                   const struct ojin_params *params)
{
    int16_t samples[OJIN_FRAME_SAMPLES];
    pcm_read_le(audio, samples, OJIN_FRAME_SAMPLES);
    double loudness = sound_loudness(samples, OJIN_FRAME_SAMPLES);
    double target = persona_mouth_opening(loudness, held(params->speech_mouth_opening_scale, 0.0, 1e6));
    return mouth_move(mouth, held(target, 0.0, 1.0), params->speech_filter_amount, MOUTH_SPEECH_HALF);
}

double mouth_rest(struct mouth *mouth, const struct ojin_params *params)
{
    double target = held(params->idle_mouth_opening_scale * IDLE_OPENING, 0.0, 1.0);
    return mouth_move(mouth, target, params->idle_filter_amount, MOUTH_IDLE_HALF);
}
