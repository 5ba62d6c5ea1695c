#include "codec/duplex/family.h"

#include "codec/duplex/constants.h"
#include "codec/duplex/profile.h"
#include "codec/rules/duplex/classes.h"

static const struct profile *const PROFILES[] = {
    &DUPLEX_PROFILES[DUPLEX_PROFILE_VIDEO].base, &DUPLEX_PROFILES[DUPLEX_PROFILE_AUDIO].base,
    &DUPLEX_PROFILES[DUPLEX_PROFILE_LATER].base, &DUPLEX_PROFILES[DUPLEX_PROFILE_LATER_AUDIO].base, NULL};

static const char *const GROUPS[] = {"all", "both", "video", "audio", "documented", NULL};

static const char *const CLIENT_VARIABLES[] = {"DUPLEX_URL={url}", NULL};
static const char *const CASE_VARIABLES[] = {"DUPLEX_AUDIO={audio}", "DUPLEX_VIDEO={video}", NULL};

const struct family DUPLEX_FAMILY = {.name = "duplex",
                                     .title = "Full-duplex speech",
                                     .id_prefix = "DX-",
                                     .path = DUPLEX_PATH,
                                     .url_variable = "DUPLEX_URL",
                                     .client_variables = CLIENT_VARIABLES,
                                     .case_variables = CASE_VARIABLES,
                                     .speech = "hello-1s.wav",
                                     .profiles = PROFILES,
                                     .profile_groups = GROUPS,
                                     .message_bytes_max = DUPLEX_MESSAGE_BYTES_MAX,
                                     .rules = &DUPLEX_RULES,
                                     .server_rules = &DUPLEX_SERVER_RULES};
