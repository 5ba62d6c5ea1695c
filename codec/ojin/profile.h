/*
 * The profiles of the Ojin family: where the documents contradict each other, a row here decides (spec
 * README, "What the protocols say"). Cores read these members; they never ask for a profile by name.
 */
#ifndef CODEC_OJIN_PROFILE_H
#define CODEC_OJIN_PROFILE_H

#include "codec/family.h"

enum ojin_stream_start {
    OJIN_STREAM_ON_FIRST_INPUT, /* 000 Overview, 003 Overview */
    OJIN_STREAM_ON_READY        /* 001 How It Works */
};

enum ojin_played_audio {
    OJIN_PLAY_OWN_SPEECH,    /* 000 Audio and Video Synchronization */
    OJIN_PLAY_RESPONSE_AUDIO /* 001 Frame Synchronization */
};

struct ojin_profile {
    struct profile base; /* stays first */
    enum ojin_stream_start stream_start;
    enum ojin_played_audio played_audio;
    uint32_t chunk_samples; /* speech per message; 0: forward as it arrives */
    const char
        *opening_silence_rule;   /* requirement that asks for one opening frame of silence; NULL: forbidden */
    const char *no_opening_rule; /* requirement that forbids it; NULL: not forbidden */
};

/* The first row is the default. */
enum { OJIN_PROFILE_ORIS, OJIN_PROFILE_ORIS_EARLIER, OJIN_PROFILE_FLASHHEAD, OJIN_PROFILE_COUNT };
extern const struct ojin_profile OJIN_PROFILES[OJIN_PROFILE_COUNT];

/* The row that a profile of this family is the beginning of. */
const struct ojin_profile *ojin_profile_of(const struct profile *profile);
/* NULL when there is none of that name. */
const struct profile *ojin_profile_by_name(const char *name);

#endif
