#include "codec/interview/family.h"

#include "codec/interview/constants.h"
#include "codec/interview/profile.h"
#include "codec/rules/interview/classes.h"

static const struct profile *const PROFILES[] = {&INTERVIEW_PROFILES[INTERVIEW_PROFILE_DOCUMENTED].base,
                                                 &INTERVIEW_PROFILES[INTERVIEW_PROFILE_DEPLOYED].base, NULL};

static const char *const GROUPS[] = {"all", "documented", NULL};

static const char *const CLIENT_VARIABLES[] = {"INTERVIEW_URL={url}", "INTERVIEW_ID={config}",
                                               "INTERVIEW_TOKEN={key}", NULL};
static const char *const CASE_VARIABLES[] = {"INTERVIEW_AUDIO={audio}", NULL};

const struct family INTERVIEW_FAMILY = {.name = "interview",
                                        .title = "Realtime interview API",
                                        .id_prefix = "IV-",
                                        .path = INTERVIEW_PATH,
                                        .url_variable = "INTERVIEW_URL",
                                        .client_variables = CLIENT_VARIABLES,
                                        .case_variables = CASE_VARIABLES,
                                        .speech = "answer-3.wav",
                                        .profiles = PROFILES,
                                        .profile_groups = GROUPS,
                                        .message_bytes_max = INTERVIEW_MESSAGE_BYTES_MAX,
                                        .rules = &INTERVIEW_RULES,
                                        .server_rules = &INTERVIEW_SERVER_RULES};
