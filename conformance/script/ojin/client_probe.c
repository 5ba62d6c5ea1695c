/*
 * Which Ojin server is it? The documents tell the revisions apart by one thing that a server does: one of the
 * earlier revision streams right after sessionReady, one of the current revision after the first input
 * (oris-1.0 and flashhead-lite-1.0 ask the same of a server). A server may also say it itself, in
 * sessionReady's parameters: {"profile": NAME}. When neither tells, it is held to oris-1.0.
 */
#include "conformance/script/client_probe.h"

#include "codec/ojin/messages.h"
#include "codec/ojin/profile.h"
#include "conformance/script/ojin/client_side.h"

static const struct profile *profile_said(struct bytes text)
{
    struct ojin_message message;
    ojin_message_read(text, &message);
    return ojin_profile_by_name(message.profile);
}

static const char *refusal_hint(const struct seen *seen)
{
    if (seen->kind == SEEN_PLAIN_TEXT || strstr(seen->word, "BACKEND") != NULL)
        return CLIENT_NO_BACKEND_HINT;
    return "Is the config known to it? Give one in --config or OJIN_CONFIG_ID.\n";
}

/* The first that starts so. */
static const char *profile_starting(enum ojin_stream_start start)
{
    for (size_t i = 0; i < OJIN_PROFILE_COUNT; i++)
        if (OJIN_PROFILES[i].stream_start == start)
            return OJIN_PROFILES[i].base.name;
    return OJIN_PROFILES[0].base.name;
}

static const char *profile_of_trial(bool held)
{
    return profile_starting(held ? OJIN_STREAM_ON_FIRST_INPUT : OJIN_STREAM_ON_READY);
}

static const char *other(const struct profile *profile)
{
    return profile_of_trial(ojin_profile_of(profile)->stream_start != OJIN_STREAM_ON_FIRST_INPUT);
}

/* A frame comes within some 40 ms of what starts the stream; the rest of the time is for the way. */
static const struct client_trial TRIAL = {
    .steps = "  connect\n"
             "  recv ready within=20s\n"
             "  none frame for=%ums\n"
             "  send silence\n"
             "  recv frame within=5s\n",
    .none_line = 7,
    .profile = profile_of_trial,
    .failed_note = "recognised by frames before any input; give --profile to choose",
    .held_note = "recognised by frames that come after the first input and not before, which "
                 "flashhead-lite-1.0 has alike; give --profile to choose",
    .requirement = "OJ-SRV-04",
    .note =
        "when the stream has to start was taken from what the server does: give --profile NAME to hold it "
        "to a revision",
    .other = other,
};

const struct client_probe OJIN_CLIENT_PROBE = {
    .clause = "OJ-SRV-03",
    .said_in = "in sessionReady",
    .profile_said = profile_said,
    .refusal_hint = refusal_hint,
    .denied_hint = "It does not take the key: give the right one in --key or OJIN_API_KEY.\n",
    .trial = &TRIAL,
    .pictures_requirement = "OJ-SRV-07",
    .pictures_note =
        "that pictures have the config's resolution was not checked, only that all have the first "
        "one's: give --size WxH",
};
