/* What a client's message is, for scripts and journals: by its `type` alone, in either dialect. */
#include "codec/wire/json_scan.h"
#include "server/interview/session.h"

const char *const INTERVIEW_RECEIVE_TYPES[] = {
    "audio_chunk", "commit_audio", "cancel_response", "ping", "pong", "other", NULL};

struct type_name {
    const char *wire;
    const char *name;
};

static const struct type_name NAMES[] = {
    {"audio_chunk", "audio_chunk"},
    {"commit_audio", "commit_audio"},
    {"audio_commit", "commit_audio"},
    {"cancel_response", "cancel_response"},
    {"ping", "ping"},
    {"pong", "pong"},
};

const char *interview_classify(bool binary, struct bytes message)
{
    struct bytes type;
    if (binary || !json_scan_text(message, "type", 1, &type))
        return "other";
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (bytes_equal_text(type, NAMES[i].wire))
            return NAMES[i].name;
    return "other";
}
