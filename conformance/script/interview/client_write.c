/*
 * The bytes that an interview client sends, right or wrong on purpose: each member as it ought to be, or the
 * JSON that a step gives for it. 004 Authentication, Audio Chunk, Commit Audio, Cancel Response.
 */
#include "codec/interview/messages.h"
#include "codec/interview/path.h"
#include "codec/wire/base64.h"
#include "codec/wire/http_head.h"
#include "conformance/script/interview/client_side.h"
#include "conformance/script/step_json.h"
#include "server/token/token.h"

/* An interview that no server knows. */
#define UNKNOWN_INTERVIEW "00000000-0000-4000-8000-000000000000"
#define MALFORMED_TOKEN   "no-token"
/* {"alg":"none","typ":"JWT"}, and a period */
#define UNSIGNED_HEADER "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0."

enum {
    SAMPLES_PER_MS = INTERVIEW_RATE / 1000,
    LONG_TOKEN_BYTES = 16 * 1024,
    TOKEN_MAX = LONG_TOKEN_BYTES + 1
};

/* ---- the request ---- */

static bool is_word(const struct client_value *value, const char *word)
{
    return value->set && !value->is_string && strcmp(value->text, word) == 0;
}

/* The right token, with its claims as they are and another signature, or none and a header that says so. */
static void put_changed(struct text *out, const char *token, bool is_unsigned)
{
    const char *claims = strchr(token, '.');
    const char *signature = claims == NULL ? NULL : strchr(claims + 1, '.');
    if (signature == NULL) { /* it is no token: any other is as wrong */
        text_add(out, MALFORMED_TOKEN);
    } else if (is_unsigned) {
        text_add(out, UNSIGNED_HEADER);
        text_add_bytes(out, bytes_of(claims + 1, (size_t)(signature - claims)));
    } else {
        text_add_bytes(out, bytes_of(token, (size_t)(signature + 1 - token)));
        text_add_char(out, signature[1] == 'A' ? 'B' : 'A');
        text_add(out, signature[1] == '\0' ? "" : signature + 2);
    }
}

/* The right token, and its signature goes on and on. */
static void put_long(struct text *out, const char *token)
{
    text_add(out, token);
    for (size_t len = strlen(token); len < LONG_TOKEN_BYTES; len++)
        text_add_char(out, 'A');
}

/* The kind of server/token that the step asks for; NULL: it asks for none of those. */
static const struct token_kind *kind_of(const struct client_value *token)
{
    return token->set && !token->is_string ? token_kind_by_name(token->text) : NULL;
}

const char *interview_client_lacks(const struct client_target *target, const struct client_step *step)
{
    const bool needs_secret = kind_of(client_option(step, "token")) != NULL;
    return needs_secret && target->secret == NULL
               ? "needs --jwt-secret with what tokens are signed with, to make such a token"
               : NULL;
}

static void put_made(struct text *out, const struct client_target *target, const struct token_kind *kind)
{
    char made[TOKEN_BYTES_MAX + 1];
    const struct token_wish wish = {.kind = kind,
                                    .secret = target->secret,
                                    .candidate = target->candidate,
                                    .interview = target->config,
                                    .now_s = target->now_s,
                                    .seconds = TOKEN_SECONDS_DEFAULT};
    if (target->secret != NULL && token_make(&wish, made, sizeof made))
        text_add(out, made);
    else
        out->cut = true;
}

static void put_token(struct text *out, const struct client_target *target, const struct client_value *token)
{
    if (kind_of(token) != NULL)
        put_made(out, target, kind_of(token));
    else if (is_word(token, "malformed"))
        text_add(out, MALFORMED_TOKEN);
    else if (is_word(token, "tampered") || is_word(token, "unsigned"))
        put_changed(out, target->key, is_word(token, "unsigned"));
    else if (is_word(token, "long"))
        put_long(out, target->key);
    else
        text_add(out, token->set && token->is_string ? token->text : target->key);
}

/* The target's own path where that has no id in it to put another in place of. */
static void put_path(struct text *out, const struct client_target *target,
                     const struct client_value *interview)
{
    struct bytes own;
    const char *id = is_word(interview, "unknown")            ? UNKNOWN_INTERVIEW
                     : interview->set && interview->is_string ? interview->text
                                                              : target->config;
    if (!interview_path_id(bytes_of_text(target->path), &own) || *id == '\0') {
        text_add(out, target->path);
        return;
    }
    text_add(out, INTERVIEW_PATH_BEFORE_ID);
    percent_encode(out, id);
    text_add(out, INTERVIEW_PATH_AFTER_ID);
}

static void put_parameter(struct text *out, const char *before, const char *token)
{
    text_add(out, before);
    text_add(out, INTERVIEW_TOKEN_PARAMETER "=");
    percent_encode(out, token);
}

bool interview_client_target(const struct client_target *target, const struct profile *profile,
                             const struct client_step *step, struct text *out)
{
    const struct client_value *token = client_option(step, "token");
    const bool has_token = !is_word(token, "none");
    const bool bad_first = is_word(token, "bad-first");
    char value[TOKEN_MAX];
    struct text text = text_of(value, sizeof value);
    (void)profile;
    put_path(out, target, client_option(step, "interview"));
    put_token(&text, target, token);
    if (has_token)
        put_parameter(out, "?", bad_first ? MALFORMED_TOKEN : value);
    if (bad_first || is_word(token, "bad-second"))
        put_parameter(out, "&", bad_first ? value : MALFORMED_TOKEN);
    if (target->query[0] != '\0') {
        text_add(out, has_token ? "&" : "?");
        text_add(out, target->query);
    }
    return !out->cut && !text.cut;
}

/* ---- audio_chunk ---- */

static void put_sound(struct step_json *json, const struct client_writing *with, struct buffer *raw)
{
    const struct client_value *samples = client_option(json->step, "samples");
    const size_t count = samples->set ? (size_t)samples->number : INTERVIEW_CHUNK_SAMPLES_MIN;
    const size_t len = count * INTERVIEW_SAMPLE_BYTES + (size_t)client_option(json->step, "odd")->number;
    const uint64_t from =
        (client_option(json->step, "from")->number / 1000 * SAMPLES_PER_MS + with->number * count) *
        INTERVIEW_SAMPLE_BYTES;
    uint8_t *to = buffer_reserve(raw, len);
    if (to == NULL) {
        json->fits = false;
        return;
    }
    memset(to, 0, len);
    if (from < with->pcm.len) {
        const size_t left = with->pcm.len - (size_t)from;
        memcpy(to, with->pcm.data + from,
               left < count * INTERVIEW_SAMPLE_BYTES ? left : count * INTERVIEW_SAMPLE_BYTES);
    }
    raw->len += len;
    json->fits = json->fits && base64_encode(buffer_bytes(raw), json->out);
}

static void put_audio(struct step_json *json, const struct client_writing *with)
{
    struct buffer raw;
    if (client_option(json->step, "audio")->set) {
        step_json_member(json, "audio", "audio", NULL);
        return;
    }
    if (!step_json_name(json, "audio"))
        return;
    buffer_init(&raw, JSON_MESSAGE_BYTES_MAX);
    step_json_put(json, "\"");
    put_sound(json, with, &raw);
    step_json_put(json, "\"");
    buffer_free(&raw);
}

static void put_chunk(struct step_json *json, const struct interview_dialect *dialect,
                      const struct client_writing *with)
{
    char now[24];
    struct text text = text_of(now, sizeof now);
    text_add_i64(&text, interview_time_of(dialect, with->now_ms));
    step_json_begin_type(json, interview_message_type_in(dialect, INTERVIEW_MESSAGE_AUDIO_CHUNK));
    put_audio(json, with);
    step_json_member(json, "timestamp", "timestamp", now);
}

/* ---- a message ---- */

bool interview_client_write(const struct client_step *step, const struct client_writing *with,
                            struct buffer *out)
{
    const struct interview_dialect *dialect = interview_profile_of(with->profile)->dialect;
    struct step_json json = {.step = step, .out = out, .fits = true};
    switch ((enum interview_client_send)step->send) {
    case INTERVIEW_SEND_CHUNK:
        put_chunk(&json, dialect, with);
        break;
    case INTERVIEW_SEND_COMMIT:
        step_json_begin_type(&json, dialect->commit);
        break;
    case INTERVIEW_SEND_CANCEL:
        step_json_begin_type(&json, interview_message_type_in(dialect, INTERVIEW_MESSAGE_CANCEL_RESPONSE));
        break;
    }
    step_json_put(&json, "}");
    return json.fits;
}
