#include "server/core/compose_sound.h"

static const char *const SOUNDS_PCM16[] = {
    [COMPOSE_SOUND_SPEECH] = "speech", [COMPOSE_SOUND_CODED] = "coded", [COMPOSE_SOUND_SILENCE] = "silence",
    [COMPOSE_SOUND_EMPTY] = "empty",   [COMPOSE_SOUND_NULL] = "null",   [COMPOSE_SOUND_ABSENT] = "absent",
    [COMPOSE_SOUND_BAD] = "bad",       [COMPOSE_SOUND_ODD] = "odd",     NULL,
};

static const char *const SOUNDS_FLOAT[] = {
    [COMPOSE_SOUND_SPEECH] = "speech",   [COMPOSE_SOUND_CODED] = "coded",
    [COMPOSE_SOUND_SILENCE] = "silence", [COMPOSE_SOUND_EMPTY] = "empty",
    [COMPOSE_SOUND_NULL] = "null",       [COMPOSE_SOUND_ABSENT] = "absent",
    [COMPOSE_SOUND_BAD] = "bad",         [COMPOSE_SOUND_ODD] = "odd",
    [COMPOSE_SOUND_NAN] = "nan",         NULL,
};

/* A character that is none of its alphabet, in the middle. */
static const char BAD_BASE64[] = "AAAAAAAA-AAAAAAA";

static bool is_out_of_range(bool has, int64_t value, int64_t max)
{
    return has && (value < 0 || value > max);
}

bool compose_sound_read(const struct compose_call *call, bool is_float, bool coded,
                        struct compose_sound_options *out)
{
    size_t sound = 0;
    int64_t samples = 0, source = 0;
    if (!compose_choice(call, "audio", is_float ? SOUNDS_FLOAT : SOUNDS_PCM16,
                        coded ? COMPOSE_SOUND_CODED : COMPOSE_SOUND_SPEECH, &sound) ||
        !compose_integer(call, "samples", &out->has_samples, &samples) ||
        !compose_integer(call, "source", &out->has_source, &source))
        return false;
    if (is_out_of_range(out->has_samples, samples, COMPOSE_SOUND_SAMPLES_MAX))
        return compose_fail_value(call, "samples", compose_value(call, "samples"),
                                  "a whole number from 0 to 240000");
    if (is_out_of_range(out->has_source, source, UINT16_MAX))
        return compose_fail_value(call, "source", compose_value(call, "source"),
                                  "a whole number from 0 to 65535");
    out->sound = (enum compose_sound)sound;
    out->samples = (size_t)samples;
    out->source = (uint16_t)source;
    return true;
}

size_t compose_sound_samples(const struct compose_sound_options *options, size_t samples)
{
    if (options->sound == COMPOSE_SOUND_EMPTY || !compose_sound_has(options->sound))
        return 0;
    return options->has_samples ? options->samples : samples;
}

size_t compose_sound_change(enum compose_sound sound, uint8_t *pcm, size_t len, size_t sample_bytes)
{
    if (sound == COMPOSE_SOUND_SILENCE)
        memset(pcm, 0, len);
    if (sound == COMPOSE_SOUND_NAN && len > 0)
        memset(pcm + len - sample_bytes, 0xff, sample_bytes);
    if (sound != COMPOSE_SOUND_ODD)
        return len;
    memset(pcm + len, 0, sample_bytes / 2);
    return len + sample_bytes / 2;
}

bool compose_sound_has(enum compose_sound sound)
{
    return sound != COMPOSE_SOUND_NULL && sound != COMPOSE_SOUND_ABSENT;
}

struct bytes compose_sound_encoded(enum compose_sound sound)
{
    return bytes_of_text(sound == COMPOSE_SOUND_BAD ? BAD_BASE64 : "");
}

struct bytes compose_sound_members(enum compose_sound sound)
{
    return bytes_of_text(sound == COMPOSE_SOUND_NULL ? ",\"audio\":null" : "");
}
