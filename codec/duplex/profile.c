#include "codec/duplex/profile.h"

#include "codec/duplex/constants.h"

/* 002 Message Format */
static const struct duplex_dialect DOCUMENTED = {
    .update = "session.update",
    .update_object = "session",
    .instructions = "instructions",
    .append = "input_audio_buffer.append",
    .append_object = NULL,
    .delta = "response.output_audio.delta",
    .listen = "response.listen",
    .by_kind = false,
};

/* field notes, later versions of the protocol */
static const struct duplex_dialect LATER = {
    .update = "session.init",
    .update_object = "payload",
    .instructions = "system_prompt",
    .append = "input.append",
    .append_object = "input",
    .delta = "response.output.delta",
    .listen = NULL,
    .by_kind = true,
};

#define VIDEO_US (DUPLEX_SESSION_SECONDS_VIDEO * UINT64_C(1000000))
#define AUDIO_US (DUPLEX_SESSION_SECONDS_AUDIO * UINT64_C(1000000))

const struct duplex_profile DUPLEX_PROFILES[] = {
    {
        .name = "video",
        .title = "Full-duplex speech with pictures",
        .document = "002",
        .mode = DUPLEX_MODE_VIDEO,
        .mode_word = "video",
        .dialect = &DOCUMENTED,
        .session_us = VIDEO_US,
        .pictures = true,
        .slices = true,
    },
    {
        .name = "audio",
        .title = "Full-duplex speech",
        .document = "field notes",
        .mode = DUPLEX_MODE_AUDIO,
        .mode_word = "audio",
        .dialect = &DOCUMENTED,
        .session_us = AUDIO_US,
        .pictures = false,
        .slices = false,
    },
    {
        .name = "duplex-later",
        .title = "Full-duplex speech with pictures, later version",
        .document = "field notes",
        .mode = DUPLEX_MODE_VIDEO,
        .mode_word = "video",
        .dialect = &LATER,
        .session_us = VIDEO_US,
        .pictures = true,
        .slices = true,
    },
    {
        .name = "duplex-later-audio",
        .title = "Full-duplex speech, later version",
        .document = "field notes",
        .mode = DUPLEX_MODE_AUDIO,
        .mode_word = "audio",
        .dialect = &LATER,
        .session_us = AUDIO_US,
        .pictures = false,
        .slices = false,
    },
};

const size_t DUPLEX_PROFILE_COUNT = sizeof DUPLEX_PROFILES / sizeof DUPLEX_PROFILES[0];

const struct duplex_profile *duplex_profile_by_name(const char *name)
{
    for (size_t i = 0; i < DUPLEX_PROFILE_COUNT; i++)
        if (strcmp(DUPLEX_PROFILES[i].name, name) == 0)
            return &DUPLEX_PROFILES[i];
    return NULL;
}

const struct duplex_profile *duplex_profile_of_mode(const struct duplex_profile *profile, struct bytes word)
{
    for (size_t i = 0; i < DUPLEX_PROFILE_COUNT; i++) {
        const struct duplex_profile *row = &DUPLEX_PROFILES[i];
        if (row->dialect == profile->dialect && bytes_equal_text(word, row->mode_word))
            return row;
    }
    return NULL;
}

bool duplex_profile_matches(const struct duplex_profile *profile, const char *group)
{
    return strcmp(group, "all") == 0 || strcmp(group, "both") == 0 ||
           strcmp(group, profile->mode_word) == 0 || strcmp(group, profile->name) == 0;
}
