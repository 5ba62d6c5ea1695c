#include "codec/ojin/profile.h"

#include <assert.h>
#include <string.h>

#include "codec/ojin/constants.h"

const struct ojin_profile OJIN_PROFILES[OJIN_PROFILE_COUNT] = {
    [OJIN_PROFILE_ORIS] =
        {
            .base = {.name = "oris-1.0",
                     .title = "Ojin Oris 1.0 Realtime API",
                     .document = "000",
                     .groups = "all both current",
                     .family = "ojin",
                     .id_prefix = "OJ-",
                     .query = "config_id={config}"},
            .stream_start = OJIN_STREAM_ON_FIRST_INPUT,
            .played_audio = OJIN_PLAY_OWN_SPEECH,
            .chunk_samples = 0,
            .opening_silence_rule = "OJ-RDY-04",
            .no_opening_rule = NULL,
        },
    [OJIN_PROFILE_ORIS_EARLIER] =
        {
            .base = {.name = "oris-1.0-earlier",
                     .title = "Ojin Oris 1.0 Realtime API, earlier revision",
                     .document = "001",
                     .groups = "all both earlier",
                     .family = "ojin",
                     .id_prefix = "OJ-",
                     .query = "config_id={config}"},
            .stream_start = OJIN_STREAM_ON_READY,
            .played_audio = OJIN_PLAY_RESPONSE_AUDIO,
            .chunk_samples = OJIN_CHUNK_EARLIER_SAMPLES,
            .opening_silence_rule = NULL,
            .no_opening_rule = "OJ-RDY-07",
        },
    [OJIN_PROFILE_FLASHHEAD] =
        {
            .base = {.name = "flashhead-lite-1.0",
                     .title = "Ojin Flashhead Lite 1.0 Realtime API",
                     .document = "003",
                     .groups = "all both current",
                     .family = "ojin",
                     .id_prefix = "OJ-",
                     .query = "config_id={config}"},
            .stream_start = OJIN_STREAM_ON_FIRST_INPUT,
            .played_audio = OJIN_PLAY_OWN_SPEECH,
            .chunk_samples = 0,
            .opening_silence_rule = "OJ-FHL-01",
            .no_opening_rule = NULL,
        },
};

static_assert(offsetof(struct ojin_profile, base) == 0, "a profile is the beginning of its row");

const struct ojin_profile *ojin_profile_of(const struct profile *profile)
{
    return (const struct ojin_profile *)profile;
}

const struct profile *ojin_profile_by_name(const char *name)
{
    for (size_t i = 0; i < OJIN_PROFILE_COUNT; i++)
        if (strcmp(OJIN_PROFILES[i].base.name, name) == 0)
            return &OJIN_PROFILES[i].base;
    return NULL;
}
