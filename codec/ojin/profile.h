/*
 * The profiles of the Ojin family: where the documents contradict each other, a row here decides (spec
 * README, "What the protocols say"). Cores read these members; they never ask for a profile by name.
 */
#ifndef CODEC_OJIN_PROFILE_H
#define CODEC_OJIN_PROFILE_H

#include "codec/wire/bytes.h"

enum ojin_stream_start {
    OJIN_STREAM_ON_FIRST_INPUT, /* 000 Overview, 003 Overview */
    OJIN_STREAM_ON_READY        /* 001 How It Works */
};

enum ojin_played_audio {
    OJIN_PLAY_OWN_SPEECH,    /* 000 Audio and Video Synchronization */
    OJIN_PLAY_RESPONSE_AUDIO /* 001 Frame Synchronization */
};

struct ojin_profile {
    const char *name;
    const char *title;
    const char *document; /* number of its source document */
    bool current;         /* belongs to the group "current"; else to "earlier" */
    enum ojin_stream_start stream_start;
    enum ojin_played_audio played_audio;
    uint32_t chunk_samples; /* speech per message; 0: forward as it arrives */
    const char
        *opening_silence_rule;   /* requirement that asks for one opening frame of silence; NULL: forbidden */
    const char *no_opening_rule; /* requirement that forbids it; NULL: not forbidden */
};

extern const struct ojin_profile OJIN_PROFILES[];
extern const size_t OJIN_PROFILE_COUNT;

/* NULL when there is none of that name. The first row, oris-1.0, is the default. */
const struct ojin_profile *ojin_profile_by_name(const char *name);
/* Does a `profiles` cell of requirements.tsv ("all", "both", "current", "earlier" or a name) cover this
 * profile? */
bool ojin_profile_matches(const struct ojin_profile *profile, const char *group);

#endif
