/* What cases about interview servers can say: 004 Authentication, Client to Server Messages. */
#include "conformance/script/interview/client_side.h"

#include "codec/interview/constants.h"
#include "codec/interview/profile.h"
#include "conformance/script/client_probe.h"
#include "conformance/script/step_json.h"

/* ---- connect ---- */

/* Those from "expired" on are kinds of server/token. */
static const char *const TOKENS[] = {
    "right",           "none",      "malformed",     "tampered",  "unsigned",   "long",       "bad-first",
    "bad-second",      "expired",   "not-yet-valid", "no-expiry", "wrong-role", "no-subject", "wrong-owner",
    "wrong-interview", "wrong-key", "alg-none",      "alg-hs512", NULL};
static const char *const INTERVIEWS[] = {"right", "unknown", NULL};
static const struct value_rule CONNECT_OPTIONS[] = {
    {.name = "token",
     .type = VALUE_TEXT,
     .choices = TOKENS,
     .sentence =
         "right (unless given), none, malformed (no JWT), tampered (another signature), unsigned "
         "(alg none), long (16 KB), bad-first or bad-second (two, one of them malformed), or a text of "
         "its own; or, where --jwt-secret is given, a kind of `ojin-mock token`: expired, wrong-owner, "
         "…"},
    {.name = "interview",
     .type = VALUE_TEXT,
     .choices = INTERVIEWS,
     .sentence = "right (unless given), unknown, or a text of its own"},
    CLIENT_HEADER_OPTION,
    {.name = NULL}};

static const struct line_rule CONNECT[] = {
    {"connect", 0, 0, NULL, CONNECT_OPTIONS, "and `begin`: the options of both"},
    {NULL, 0, 0, NULL, NULL, NULL}};

/* ---- send ---- */

enum { SAMPLES_MAX = 1000000 };

static const struct value_rule CHUNK_OPTIONS[] = {
    {.name = "samples",
     .type = VALUE_COUNT,
     .min = 0,
     .max = SAMPLES_MAX,
     .sentence = "number of samples; default 2400, 100 ms"},
    {.name = "file",
     .type = VALUE_STRING,
     .sentence = "a sound file of fixtures/speech: with every= one part after another, then silence"},
    {.name = "from",
     .type = VALUE_DURATION,
     .min = 0,
     .max = CLIENT_DURATION_MAX_US,
     .sentence = "from there in the file"},
    {.name = "odd",
     .type = VALUE_COUNT,
     .min = 1,
     .max = 1,
     .sentence = "one byte of one more sample behind the sound"},
    STEP_JSON_OPTION("audio", "the JSON of that member"),
    STEP_JSON_OPTION("timestamp", "the same"),
    STEP_JSON_WITHOUT_OPTION,
    CLIENT_PACE_OPTION,
    CLIENT_EVERY_OPTION,
    {.name = NULL}};

static const struct value_rule PLAIN_OPTIONS[] = {
    STEP_JSON_WITHOUT_OPTION, CLIENT_PACE_OPTION, {.name = NULL}};

static const struct line_rule SENDS[] = {
    {"chunk", INTERVIEW_SEND_CHUNK, 0, CLIENT_KIND_ARGS, CHUNK_OPTIONS,
     "audio_chunk: silence, unless a file is given"},
    {"commit", INTERVIEW_SEND_COMMIT, 0, CLIENT_KIND_ARGS, PLAIN_OPTIONS, "commit_audio"},
    {"cancel", INTERVIEW_SEND_CANCEL, 0, CLIENT_KIND_ARGS, PLAIN_OPTIONS, "cancel_response"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static bool is_binary(const struct client_step *step)
{
    (void)step;
    return false;
}

static bool is_paced(const struct client_step *step)
{
    return step->send == INTERVIEW_SEND_CHUNK;
}

static bool needs_picture(const struct client_step *step, const struct profile *profile)
{
    (void)step;
    (void)profile;
    return false;
}

/* The token is in the query. */
static bool head(const struct client_target *target, const struct client_step *step, struct buffer *out)
{
    (void)target;
    (void)step;
    (void)out;
    return true;
}

/* ---- what begin stands for ---- */

static const struct client_step PRELUDE[] = {{.kind = CLIENT_STEP_RECV,
                                              .receive = INTERVIEW_RECEIVE_CONNECTED,
                                              .count = 1,
                                              .duration_us = 15000000,
                                              .clause_id = "IV-SRV-03"}};

static const struct client_step *prelude(const struct profile *profile, size_t *count)
{
    (void)profile;
    *count = sizeof PRELUDE / sizeof PRELUDE[0];
    return PRELUDE;
}

/* ---- which server is it ---- */

static const char *refusal_hint(const struct seen *seen)
{
    return strcmp(seen->word, "RATE_LIMIT_EXCEEDED") == 0
               ? "Somebody is in this interview already: close the other connection.\n"
               : "It does not let us into this interview: give its id in --config, and a token for it in "
                 "--key or the secret of tokens in --jwt-secret.\n";
}

static const char *const JUDGED[] = {"interview-1.0", NULL};

static const struct client_probe PROBE = {
    .clause = "IV-SRV-03",
    .said_in = "in its first message",
    .profile_said = interview_client_profile_said,
    .refusal_hint = refusal_hint,
    .denied_hint = "It does not take the token: give a right one in --key, or the secret of tokens in "
                   "--jwt-secret, and whose they are in --candidate.\n",
    .modes = JUDGED,
    .modes_note = "the document's; give --profile to choose another",
};

const struct client_side INTERVIEW_CLIENT_SIDE = {
    .connect = CONNECT,
    .sends = SENDS,
    .receives = INTERVIEW_CLIENT_RECEIVES,
    .messages = INTERVIEW_SEEN_MESSAGES,
    .one_connection = true,
    .error_phrase = "an error",
    .error_noun = "error",
    .pace = {.messages = INTERVIEW_CHUNKS_PER_SECOND_MAX, .window_us = 1000000, .is_paced = is_paced},
    .lacks = interview_client_lacks,
    .target = interview_client_target,
    .head = head,
    .prelude = prelude,
    .write = interview_client_write,
    .is_binary = is_binary,
    .needs_picture = needs_picture,
    .see = interview_client_see,
    .see_body = interview_client_see_body,
    .matches = interview_client_matches,
    .probe = &PROBE,
};
