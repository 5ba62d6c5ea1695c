/* The messages a session sends, as 002 has them, and what quirks make of them (field notes). */
#include <stdlib.h>

#include "server/core/json_send.h"
#include "server/duplex/session.h"

enum { FALLS_EVERY = 4, FALLS_TOKENS = 150, UNKNOWN_EVERY = 3, UNEVEN_MISSING = 100 };

static const char EXTRA_MEMBERS[] = ",\"server_id\":\"mock-1\",\"timings\":{\"latency_ms\":40,\"load\":0.25}";
static const char UNKNOWN_EVENT[] = "{\"type\":\"session.metrics\",\"gpu_load\":0.5}";

/* ---- any of them ---- */

bool duplex_send_with(struct session *session, const struct duplex_message *message, const char *label,
                      struct bytes members, bool fault, struct actions *actions)
{
    const bool extra = duplex_quirk(session, DUPLEX_QUIRK_EXTRA_MEMBERS) != 0;
    const struct json_send_options options = {.members = members,
                                              .extra = extra ? EXTRA_MEMBERS : NULL,
                                              .escaped = duplex_quirk(session, DUPLEX_QUIRK_ESCAPES) != 0,
                                              .fault = fault};
    struct buffer *out = json_send_begin(actions, label);
    return out != NULL &&
           json_send_end(actions, duplex_message_write(session->profile, message, out), &options);
}

bool duplex_send(struct session *session, const struct duplex_message *message, const char *label, bool fault,
                 struct actions *actions)
{
    return duplex_send_with(session, message, label, bytes_of(NULL, 0), fault, actions);
}

/* ---- error ---- */

static bool send_flat_error(enum duplex_error_code code, const char *sentence, struct actions *actions)
{
    char data[2 * DUPLEX_SENTENCE_MAX];
    struct text text = text_of(data, sizeof data);
    text_add(&text, "{\"type\":\"error\"");
    text_add_json_text_member(&text, "code", duplex_error_name(code));
    text_add_json_text_member(&text, "message", sentence);
    text_add(&text, "}");
    return json_send_text(actions, "error", bytes_of(data, text.len), true);
}

bool duplex_send_error(struct session *session, enum duplex_error_code code, const char *sentence,
                       struct actions *actions)
{
    if (duplex_quirk(session, DUPLEX_QUIRK_FLAT_ERRORS) != 0)
        return send_flat_error(code, sentence, actions);
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_ERROR,
                                           .code = bytes_of_text(duplex_error_name(code)),
                                           .error_message = bytes_of_text(sentence),
                                           .error_type = bytes_of_text(duplex_error_type(code))};
    return duplex_send(session, &message, "error", false, actions);
}

/* ---- session.created, session.closed ---- */

/* Sessions that are created at the same time differ by their seeds, which count the connections: of each
 * stretch of DUPLEX_SESSION_ID_STEPS milliseconds a seed has one. */
static uint64_t session_id_ms(const struct session *session, uint64_t now_us)
{
    const uint64_t now_ms = session->config.epoch_ms + now_us / 1000;
    return now_ms - now_ms % DUPLEX_SESSION_ID_STEPS + session->config.seed % DUPLEX_SESSION_ID_STEPS;
}

void duplex_session_id(const struct session *session, uint64_t now_us, char out[DUPLEX_SESSION_ID_MAX])
{
    struct text text = text_of(out, DUPLEX_SESSION_ID_MAX);
    const bool bad = duplex_quirk(session, DUPLEX_QUIRK_BAD_SESSION_ID) != 0;
    text_add(&text, bad ? "session-" : DUPLEX_SESSION_ID_PREFIX);
    text_add_u64(&text, bad ? session->seat.ticket : session_id_ms(session, now_us));
}

void duplex_send_created(struct session *session, uint64_t now_us, struct actions *actions)
{
    char id[DUPLEX_SESSION_ID_MAX];
    /* A further one is of the same session. */
    duplex_session_id(session, session->phase == DUPLEX_PHASE_ACTIVE ? session->created_us : now_us, id);
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_CREATED,
                                           .has_session_id = true,
                                           .session_id = bytes_of_text(id),
                                           .has_prompt_length = true,
                                           .prompt_length = session->prompt_tokens};
    (void)duplex_send(session, &message, "created", duplex_quirk(session, DUPLEX_QUIRK_BAD_SESSION_ID) != 0,
                      actions);
}

bool duplex_send_closed(struct session *session, enum duplex_reason reason, struct actions *actions)
{
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_CLOSED,
                                           .has_reason = true,
                                           .reason = bytes_of_text(duplex_reason_name(reason))};
    return duplex_send(session, &message, "closed", false, actions);
}

/* ---- delta, listen ---- */

static void add_cache(const struct session *session, struct duplex_message *message)
{
    const bool falls = duplex_quirk(session, DUPLEX_QUIRK_CACHE_FALLS) != 0;
    const uint32_t tokens = session->cache.tokens;
    message->has_kv_cache_length = duplex_quirk(session, DUPLEX_QUIRK_NO_CACHE_LENGTH) == 0;
    message->kv_cache_length = tokens;
    if (falls && session->events % FALLS_EVERY == 0 && tokens > FALLS_TOKENS)
        message->kv_cache_length = tokens - FALLS_TOKENS;
}

static void send_unknown(const struct session *session, struct actions *actions)
{
    if (duplex_quirk(session, DUPLEX_QUIRK_UNKNOWN_EVENTS) != 0 && session->events % UNKNOWN_EVERY == 0)
        (void)json_send_text(actions, "text", bytes_of_text(UNKNOWN_EVENT), false);
}

static bool is_fault(const struct session *session)
{
    return duplex_quirk(session, DUPLEX_QUIRK_NO_CACHE_LENGTH) != 0;
}

void duplex_send_listen(struct session *session, struct actions *actions)
{
    struct duplex_message message = {.type = DUPLEX_MESSAGE_LISTEN};
    add_cache(session, &message);
    send_unknown(session, actions);
    if (duplex_send(session, &message, "listen", is_fault(session), actions))
        duplex_speak_listened(session);
}

static bool is_nth(uint64_t every, uint64_t before)
{
    return every != 0 && (before + 1) % every == 0;
}

static struct bytes delta_text(const struct session *session, const struct duplex_turn_part *part)
{
    if (is_nth(duplex_quirk(session, DUPLEX_QUIRK_EMPTY_TEXT), session->deltas))
        return bytes_of(NULL, 0);
    if (duplex_quirk(session, DUPLEX_QUIRK_TEXT_LATE) == 0)
        return part->text;
    return part->end_of_turn ? session->turn.turn.text : bytes_of(NULL, 0);
}

static size_t delta_samples(const struct session *session, const struct duplex_turn_part *part)
{
    const bool middle = session->turn.next > 0 && !part->end_of_turn;
    const bool uneven = middle && duplex_quirk(session, DUPLEX_QUIRK_UNEVEN) != 0;
    return uneven ? part->samples - UNEVEN_MISSING : part->samples;
}

void duplex_send_text_of_its_own(struct session *session, const struct duplex_message *delta,
                                 struct actions *actions)
{
    struct duplex_message text = {.type = DUPLEX_MESSAGE_DELTA, .has_text = true, .text = delta->text};
    if (session->profile->dialect->by_kind && delta->text.len > 0)
        (void)duplex_send(session, &text, "text_delta", false, actions);
}

void duplex_send_delta(struct session *session, uint64_t at_us, struct actions *actions)
{
    struct duplex_turn_part part;
    duplex_turn_part(&session->turn.turn, session->turn.next, &part);
    part.first = session->turn.said; /* deltas of a script may have had other lengths */
    uint8_t *pcm = malloc(part.samples * FLOAT32_BYTES + 1);
    if (pcm == NULL) { /* it has nothing more to say */
        session->turn.active = false;
        return;
    }
    duplex_speak_samples(session, &part, pcm);
    const bool null = is_nth(duplex_quirk(session, DUPLEX_QUIRK_NULL_AUDIO), session->deltas);
    struct duplex_message message = {.type = DUPLEX_MESSAGE_DELTA,
                                     .has_text = true,
                                     .text = delta_text(session, &part),
                                     .has_audio = !null,
                                     .audio = bytes_of(pcm, delta_samples(session, &part) * FLOAT32_BYTES),
                                     .has_end_of_turn = true,
                                     .end_of_turn = part.end_of_turn};
    duplex_cache_speak(&session->cache, part.samples);
    duplex_speak_said(session, at_us, &part);
    add_cache(session, &message);
    send_unknown(session, actions);
    duplex_send_text_of_its_own(session, &message, actions);
    (void)duplex_send_with(session, &message, "delta", bytes_of_text(null ? ",\"audio\":null" : ""),
                           null || is_fault(session), actions);
    free(pcm);
}
