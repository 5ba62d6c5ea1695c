#include "codec/duplex/profile.h"

#include <assert.h>

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
    .instructions_optional = true,
    .append = "input.append",
    .append_object = "input",
    .delta = "response.output.delta",
    .listen = NULL,
    .measures = "metrics",
    .by_kind = true,
};

#define VIDEO_US (DUPLEX_SESSION_SECONDS_VIDEO * UINT64_C(1000000))
#define AUDIO_US (DUPLEX_SESSION_SECONDS_AUDIO * UINT64_C(1000000))

#define BASE(name_, title_, document_, mode_, more_)                                                         \
    {                                                                                                        \
        .name = (name_), .title = (title_), .document = (document_), .groups = "all both " mode_ more_,      \
        .family = "duplex", .id_prefix = "DX-", .query = "mode=" mode_                                       \
    }

const struct duplex_profile DUPLEX_PROFILES[DUPLEX_PROFILE_COUNT] = {
    [DUPLEX_PROFILE_VIDEO] =
        {
            .base = BASE("video", "Full-duplex speech with pictures", "002", "video", " documented"),
            .mode = DUPLEX_MODE_VIDEO,
            .mode_word = "video",
            .dialect = &DOCUMENTED,
            .session_us = VIDEO_US,
            .pictures = true,
            .slices = true,
        },
    [DUPLEX_PROFILE_AUDIO] =
        {
            .base = BASE("audio", "Full-duplex speech", "field notes", "audio", " documented"),
            .mode = DUPLEX_MODE_AUDIO,
            .mode_word = "audio",
            .dialect = &DOCUMENTED,
            .session_us = AUDIO_US,
            .pictures = false,
            .slices = false,
        },
    [DUPLEX_PROFILE_LATER] =
        {
            .base = BASE("duplex-later", "Full-duplex speech with pictures, later version", "field notes",
                         "video", ""),
            .mode = DUPLEX_MODE_VIDEO,
            .mode_word = "video",
            .dialect = &LATER,
            .session_us = VIDEO_US,
            .pictures = true,
            .slices = true,
        },
    [DUPLEX_PROFILE_LATER_AUDIO] =
        {
            .base =
                BASE("duplex-later-audio", "Full-duplex speech, later version", "field notes", "audio", ""),
            .mode = DUPLEX_MODE_AUDIO,
            .mode_word = "audio",
            .dialect = &LATER,
            .session_us = AUDIO_US,
            .pictures = false,
            .slices = false,
        },
};

static_assert(offsetof(struct duplex_profile, base) == 0, "a profile is the beginning of its row");

const struct duplex_profile *duplex_profile_of(const struct profile *profile)
{
    return (const struct duplex_profile *)profile;
}

const struct duplex_profile *duplex_profile_by_name(const char *name)
{
    for (size_t i = 0; i < DUPLEX_PROFILE_COUNT; i++)
        if (strcmp(DUPLEX_PROFILES[i].base.name, name) == 0)
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
