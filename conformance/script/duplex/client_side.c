/* What cases about full-duplex servers can say: 002 Setup, session.update, input_audio_buffer.append. */
#include "conformance/script/duplex/client_side.h"

#include "codec/duplex/constants.h"
#include "codec/duplex/profile.h"
#include "conformance/script/client_probe.h"
#include "conformance/script/step_json.h"

/* ---- connect ---- */

static const char *const MODES[] = {"right", "none", NULL};
static const struct value_rule CONNECT_OPTIONS[] = {
    {.name = "mode",
     .type = VALUE_TEXT,
     .choices = MODES,
     .sentence = "right (that of the profile, unless given), none, or a text of its own"},
    CLIENT_HEADER_OPTION,
    {.name = NULL}};

static const struct line_rule CONNECT[] = {
    {"connect", 0, 0, NULL, CONNECT_OPTIONS, "and `begin`: the options of both"},
    {NULL, 0, 0, NULL, NULL, NULL}};

/* ---- send ---- */

enum { SAMPLES_MAX = 1000000, TEXT_BYTES_MAX = 200000, CUT_BYTES_MAX = 1000000 };

static const struct value_rule UPDATE_OPTIONS[] = {
    STEP_JSON_OPTION("instructions", "the JSON of that member"),
    STEP_JSON_OPTION("max_slice_nums", "the same; none unless given"),
    STEP_JSON_OPTION("ref_audio", "the same"),
    STEP_JSON_OPTION("tts_ref_audio", "the same"),
    STEP_JSON_OPTION("session", "the JSON of the whole object"),
    {.name = "length",
     .type = VALUE_SIZE,
     .min = 1,
     .max = TEXT_BYTES_MAX,
     .sentence = "the instructions are a text of N bytes"},
    STEP_JSON_WITHOUT_OPTION,
    CLIENT_PACE_OPTION,
    {.name = NULL}};

static const char *const SAMPLES[] = {"nan", "inf", "loud", NULL};
static const struct value_rule APPEND_OPTIONS[] = {
    {.name = "samples",
     .type = VALUE_COUNT,
     .min = 0,
     .max = SAMPLES_MAX,
     .sentence = "number of samples; default 16000, a second"},
    {.name = "file",
     .type = VALUE_STRING,
     .sentence = "a sound file of fixtures/speech: with every= one part after another, then silence"},
    {.name = "from",
     .type = VALUE_DURATION,
     .min = 0,
     .max = CLIENT_DURATION_MAX_US,
     .sentence = "from there in the file"},
    {.name = "value",
     .type = VALUE_CHOICE,
     .choices = SAMPLES,
     .sentence = "the sample in the middle is no number, infinite, or 100.0"},
    {.name = "odd",
     .type = VALUE_COUNT,
     .min = 1,
     .max = 3,
     .sentence = "number of bytes of one more sample behind the sound"},
    {.name = "pictures",
     .type = VALUE_COUNT,
     .min = 0,
     .max = 16,
     .sentence = "number of JPEGs; default: one in video mode, no member at all in audio mode"},
    {.name = "cut",
     .type = VALUE_SIZE,
     .min = 0,
     .max = CUT_BYTES_MAX,
     .sentence = "send only N bytes of each JPEG"},
    STEP_JSON_OPTION("audio", "the JSON of that member"),
    STEP_JSON_OPTION("video_frames", "the same"),
    STEP_JSON_OPTION("force_listen", "the same; none unless given"),
    STEP_JSON_OPTION("max_slice_nums", "the same; none unless given"),
    STEP_JSON_WITHOUT_OPTION,
    CLIENT_PACE_OPTION,
    CLIENT_EVERY_OPTION,
    {.name = NULL}};

static const struct value_rule CLOSE_OPTIONS[] = {
    STEP_JSON_OPTION("reason", "the JSON of that member; user_stop unless given"),
    STEP_JSON_WITHOUT_OPTION,
    CLIENT_PACE_OPTION,
    {.name = NULL}};

static const struct line_rule SENDS[] = {
    {"update", DUPLEX_SEND_UPDATE, 0, CLIENT_KIND_ARGS, UPDATE_OPTIONS, "session.update"},
    {"append", DUPLEX_SEND_APPEND, 0, CLIENT_KIND_ARGS, APPEND_OPTIONS,
     "input_audio_buffer.append: silence, unless a file is given"},
    {"close", DUPLEX_SEND_CLOSE, 0, CLIENT_KIND_ARGS, CLOSE_OPTIONS, "session.close"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static bool is_binary(const struct client_step *step)
{
    (void)step;
    return false;
}

static bool is_paced(const struct client_step *step)
{
    return step->send == DUPLEX_SEND_APPEND;
}

static bool needs_picture(const struct client_step *step, const struct profile *profile)
{
    return step->send == DUPLEX_SEND_APPEND && duplex_client_pictures(step, profile) > 0;
}

/* The document knows of no key. */
static bool head(const struct client_target *target, const struct client_step *step, struct buffer *out)
{
    (void)target;
    (void)step;
    (void)out;
    return true;
}

/* ---- what begin stands for ---- */

static const struct client_step PRELUDE[] = {
    {.kind = CLIENT_STEP_RECV,
     .receive = DUPLEX_RECEIVE_QUEUE_DONE,
     .count = 1,
     .duration_us = 60000000,
     .clause_id = "DX-SRV-01"},
    {.kind = CLIENT_STEP_SEND, .send = DUPLEX_SEND_UPDATE, .rule = &SENDS[DUPLEX_SEND_UPDATE]},
    {.kind = CLIENT_STEP_RECV,
     .receive = DUPLEX_RECEIVE_CREATED,
     .count = 1,
     .duration_us = 15000000,
     .clause_id = "DX-SRV-02"}};

static const struct client_step *prelude(const struct profile *profile, size_t *count)
{
    (void)profile;
    *count = sizeof PRELUDE / sizeof PRELUDE[0];
    return PRELUDE;
}

/* ---- which server is it ---- */

static const char *refusal_hint(const struct seen *seen)
{
    (void)seen;
    return CLIENT_NO_BACKEND_HINT;
}

static const char *const JUDGED[] = {"video", "audio", NULL};

static const struct client_probe PROBE = {
    .clause = "DX-SRV-01",
    .refusal_hint = refusal_hint,
    .denied_hint = "It is not ready, or does not let us in.\n",
    .modes = JUDGED,
    .modes_note = "the two modes; give --profile, or mode= in the URL, to choose",
};

const struct client_side DUPLEX_CLIENT_SIDE = {
    .connect = CONNECT,
    .sends = SENDS,
    .receives = DUPLEX_CLIENT_RECEIVES,
    .messages = DUPLEX_SEEN_MESSAGES,
    .error_phrase = "an error",
    .error_noun = "error",
    .pace = {.messages = 1, .window_us = DUPLEX_APPEND_US, .is_paced = is_paced},
    .target = duplex_client_target,
    .head = head,
    .prelude = prelude,
    .write = duplex_client_write,
    .is_binary = is_binary,
    .needs_picture = needs_picture,
    .see = duplex_client_see,
    .see_body = duplex_client_see_body,
    .matches = duplex_client_matches,
    .probe = &PROBE,
};
