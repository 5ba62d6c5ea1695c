#include "codec/ojin/profile.h"

#include "codec/ojin/constants.h"

const struct ojin_profile OJIN_PROFILES[] = {
    {
        .name = "oris-1.0",
        .title = "Ojin Oris 1.0 Realtime API",
        .document = "000",
        .current = true,
        .stream_start = OJIN_STREAM_ON_FIRST_INPUT,
        .played_audio = OJIN_PLAY_OWN_SPEECH,
        .chunk_samples = 0,
        .opening_silence_rule = "OJ-RDY-04",
        .no_opening_rule = NULL,
    },
    {
        .name = "oris-1.0-earlier",
        .title = "Ojin Oris 1.0 Realtime API, earlier revision",
        .document = "001",
        .current = false,
        .stream_start = OJIN_STREAM_ON_READY,
        .played_audio = OJIN_PLAY_RESPONSE_AUDIO,
        .chunk_samples = OJIN_CHUNK_EARLIER_SAMPLES,
        .opening_silence_rule = NULL,
        .no_opening_rule = "OJ-RDY-07",
    },
    {
        .name = "flashhead-lite-1.0",
        .title = "Ojin Flashhead Lite 1.0 Realtime API",
        .document = "003",
        .current = true,
        .stream_start = OJIN_STREAM_ON_FIRST_INPUT,
        .played_audio = OJIN_PLAY_OWN_SPEECH,
        .chunk_samples = 0,
        .opening_silence_rule = "OJ-FHL-01",
        .no_opening_rule = NULL,
    },
};

const size_t OJIN_PROFILE_COUNT = sizeof OJIN_PROFILES / sizeof OJIN_PROFILES[0];

const struct ojin_profile *ojin_profile_by_name(const char *name)
{
    for (size_t i = 0; i < OJIN_PROFILE_COUNT; i++)
        if (strcmp(OJIN_PROFILES[i].name, name) == 0)
            return &OJIN_PROFILES[i];
    return NULL;
}

bool ojin_profile_matches(const struct ojin_profile *profile, const char *group)
{
    if (strcmp(group, "all") == 0 || strcmp(group, "both") == 0)
        return true;
    if (strcmp(group, "current") == 0)
        return profile->current;
    if (strcmp(group, "earlier") == 0)
        return !profile->current;
    return strcmp(group, profile->name) == 0;
}
