#include "codec/ojin/family.h"

#include "codec/ojin/constants.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"

static const struct profile *const PROFILES[] = {&OJIN_PROFILES[OJIN_PROFILE_ORIS].base,
                                                 &OJIN_PROFILES[OJIN_PROFILE_ORIS_EARLIER].base,
                                                 &OJIN_PROFILES[OJIN_PROFILE_FLASHHEAD].base, NULL};

static const char *const GROUPS[] = {"all", "both", "current", "earlier", NULL};

static const char *const CLIENT_VARIABLES[] = {"OJIN_URL={url}", "OJIN_WS_URL={url}", "OJIN_API_KEY={key}",
                                               "OJIN_CONFIG_ID={config}", NULL};
static const char *const CASE_VARIABLES[] = {"OJIN_AUDIO={audio}", NULL};

const struct family OJIN_FAMILY = {.name = "ojin",
                                   .title = "Ojin realtime API",
                                   .id_prefix = "OJ-",
                                   .path = "/realtime",
                                   .url_variable = "OJIN_URL",
                                   .client_variables = CLIENT_VARIABLES,
                                   .case_variables = CASE_VARIABLES,
                                   .speech = "hello-1s.wav",
                                   .profiles = PROFILES,
                                   .profile_groups = GROUPS,
                                   .message_bytes_max = OJIN_MESSAGE_BYTES_MAX,
                                   .picture_width = OJIN_PICTURE_WIDTH,
                                   .picture_height = OJIN_PICTURE_HEIGHT,
                                   .rules = &OJIN_RULES,
                                   .server_rules = &OJIN_SERVER_RULES};
