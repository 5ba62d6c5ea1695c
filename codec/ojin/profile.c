#include "codec/ojin/profile.h"

#include <assert.h>
#include <string.h>

#include "codec/ojin/constants.h"

/* What all revisions have in common is written down once. */
#define BASE(own_name, own_title, own_document, own_groups)                                                  \
    {                                                                                                        \
        .name = (own_name), .title = (own_title), .document = (own_document), .groups = (own_groups),        \
        .family = "ojin", .id_prefix = "OJ-", .query = "config_id={config}"                                  \
    }

const struct ojin_profile OJIN_PROFILES[OJIN_PROFILE_COUNT] = {
    [OJIN_PROFILE_ORIS] =
        {
            .base = BASE("oris-1.0", "Ojin Oris 1.0 Realtime API", "000", "all both current"),
            .stream_start = OJIN_STREAM_ON_FIRST_INPUT,
            .played_audio = OJIN_PLAY_OWN_SPEECH,
            .chunk_samples = 0,
            .opening_silence_rule = "OJ-RDY-04",
            .no_opening_rule = NULL,
        },
    [OJIN_PROFILE_ORIS_EARLIER] =
        {
            .base = BASE("oris-1.0-earlier", "Ojin Oris 1.0 Realtime API, earlier revision", "001",
                         "all both earlier"),
            .stream_start = OJIN_STREAM_ON_READY,
            .played_audio = OJIN_PLAY_RESPONSE_AUDIO,
            .chunk_samples = OJIN_CHUNK_EARLIER_SAMPLES,
            .opening_silence_rule = NULL,
            .no_opening_rule = "OJ-RDY-07",
        },
    [OJIN_PROFILE_FLASHHEAD] =
        {
            .base =
                BASE("flashhead-lite-1.0", "Ojin Flashhead Lite 1.0 Realtime API", "003", "all both current"),
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
