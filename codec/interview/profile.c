#include "codec/interview/profile.h"

#include <assert.h>
#include <string.h>

#include "codec/interview/constants.h"

/* 004 Message Protocol */
static const struct interview_dialect DOCUMENTED = {
    .commit = "commit_audio",
    .connected = NULL,
    .speaker = "speaker",
    .candidate = "candidate",
    .ai = "ai",
    .error_code = "code",
    .milliseconds = false,
    .pings = false,
};

/* field notes, a deployed server */
static const struct interview_dialect DEPLOYED = {
    .commit = "audio_commit",
    .connected = "connected",
    .speaker = "role",
    .candidate = "user",
    .ai = "assistant",
    .error_code = "error",
    .milliseconds = true,
    .pings = true,
};

#define BASE(name_, title_, document_, more_)                                                                \
    {                                                                                                        \
        .name = (name_), .title = (title_), .document = (document_), .groups = "all" more_,                  \
        .family = "interview", .id_prefix = "IV-", .query = INTERVIEW_TOKEN_PARAMETER "={key}"               \
    }

const struct interview_profile INTERVIEW_PROFILES[INTERVIEW_PROFILE_COUNT] = {
    [INTERVIEW_PROFILE_DOCUMENTED] =
        {
            .base = BASE("interview-1.0", "Realtime interview API 1.0", "004", " documented"),
            .dialect = &DOCUMENTED,
            .newer_replaces = false,
        },
    [INTERVIEW_PROFILE_DEPLOYED] =
        {
            .base =
                BASE("interview-deployed", "Realtime interview API, a deployed server", "field notes", ""),
            .dialect = &DEPLOYED,
            .newer_replaces = true,
            .refusal_status = 403,
            .role_optional = true,
            .rich_results = true,
        },
};

static_assert(offsetof(struct interview_profile, base) == 0, "a profile is the beginning of its row");

const struct interview_profile *interview_profile_of(const struct profile *profile)
{
    return (const struct interview_profile *)profile;
}

const struct interview_profile *interview_profile_by_name(const char *name)
{
    for (size_t i = 0; i < INTERVIEW_PROFILE_COUNT; i++)
        if (strcmp(INTERVIEW_PROFILES[i].base.name, name) == 0)
            return &INTERVIEW_PROFILES[i];
    return NULL;
}
