/* What the server says. 002 Message Format, Error Codes. What is not known is ignored. */
#include "client/duplex/internal.h"

#include "codec/wire/crc32.h"

/* ---- the queue ---- */

static void observe_place(struct duplex_client *client, uint32_t position, double wait_s, bool has_wait,
                          struct client_actions *actions)
{
    struct observation place = {.kind = OBSERVED_QUEUE, .has_position = true, .position = position};
    struct text text = text_of(place.text, sizeof place.text);
    if (position == 0) {
        text_add(&text, "a worker is there");
    } else {
        text_add(&text, "place ");
        text_add_u64(&text, position);
        text_add(&text, " in the queue");
        if (has_wait) {
            text_add(&text, ", about ");
            text_add_double(&text, wait_s, 1);
            text_add(&text, " s");
        }
    }
    client->summary.position = position;
    client_life_observe(&client->life, &place, actions);
}

static void queued(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                   struct client_actions *actions)
{
    if (client->life.stage != DUPLEX_CLIENT_QUEUED)
        return;
    const int64_t position = message->has_position && message->position > 0 ? message->position : 1;
    /* The document promises no updates, so the queue may be silent as long as a session may last. */
    client->life.deadline_us = now_us + client->profile->session_us;
    observe_place(client, position < UINT32_MAX ? (uint32_t)position : UINT32_MAX, message->wait_s,
                  message->has_wait, actions);
}

static void queue_done(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->life.stage != DUPLEX_CLIENT_QUEUED)
        return;
    observe_place(client, 0, 0, false, actions);
    duplex_client_send_update(client, now_us, actions);
}

/* ---- the session ---- */

static void created(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                    struct client_actions *actions)
{
    if (client->life.stage != DUPLEX_CLIENT_CREATING)
        return;
    struct text id = text_of(client->summary.session_id, sizeof client->summary.session_id);
    text_add_bytes(&id, message->session_id);
    duplex_client_stream(client, now_us);
    struct observation ready = {.kind = OBSERVED_READY};
    struct text text = text_of(ready.text, sizeof ready.text);
    text_add_bytes(&text, message->session_id);
    client_life_observe(&client->life, &ready, actions);
}

static void closed(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                   struct client_actions *actions)
{
    enum duplex_reason reason = DUPLEX_REASON_ERROR;
    if (client->life.told_why)
        return;
    client->life.told_why = true;
    client->life.progress.final = true;
    struct text kept = text_of(client->summary.reason, sizeof client->summary.reason);
    text_add_bytes(&kept, message->reason);
    const bool known = duplex_reason_by_name(message->reason, &reason);
    const bool passes = !known || reason == DUPLEX_REASON_SERVER_SHUTDOWN || reason == DUPLEX_REASON_ERROR;
    struct observation state = {.kind = OBSERVED_STATE};
    struct text code = text_of(state.code, sizeof state.code);
    text_add(&code, "session-closed");
    struct text text = text_of(state.text, sizeof state.text);
    text_add_bytes(&text, message->reason);
    client_life_observe(&client->life, &state, actions);
    if (passes)
        client_life_report_bytes(&client->life, "SESSION_CLOSED", message->reason, actions);
    const uint64_t at_us = client->life.user_closed ? now_us : now_us + CLIENT_LINGER_US;
    client_life_begin_close(&client->life, now_us, at_us, DUPLEX_CLOSE_NORMAL, !passes);
}

/* ---- the stream ---- */

static const uint32_t *note_cache(struct duplex_client *client, const struct duplex_message *message)
{
    if (!message->has_kv_cache_length)
        return NULL;
    const int64_t length = message->kv_cache_length;
    client->summary.cache = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    if (client->summary.cache > client->summary.cache_max)
        client->summary.cache_max = client->summary.cache;
    return &client->summary.cache;
}

/* Null where sound should be is nothing to say a word of: field notes. */
static void report_bad_audio(struct duplex_client *client, const struct duplex_message *message,
                             struct client_actions *actions)
{
    const struct json_fault *fault = json_fault_of(&message->faults, "audio");
    char sentence[OBSERVATION_TEXT_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    if (fault == NULL || fault->kind == JSON_FAULT_MISSING || strcmp(fault->found, "null") == 0)
        return;
    json_fault_write(&text, fault);
    client_life_report(&client->life, "BAD_DELTA", sentence, actions);
}

static struct bytes good_audio(const struct duplex_message *message)
{
    return message->has_audio && json_fault_of(&message->faults, "audio") == NULL ? message->audio
                                                                                  : (struct bytes){0};
}

static void observe_delta(struct duplex_client *client, const struct duplex_message *message,
                          struct bytes audio, const uint32_t *cache, struct client_actions *actions)
{
    struct observation delta = {.kind = OBSERVED_DELTA,
                                .has_samples = true,
                                .samples = (uint32_t)float32_count(audio),
                                .has_audio = audio.len > 0,
                                .audio_crc = crc32_of(audio),
                                .is_final = message->end_of_turn,
                                .has_cache = cache != NULL,
                                .cache = cache != NULL ? *cache : 0};
    struct text text = text_of(delta.text, sizeof delta.text);
    text_add_bytes(&text, message->text);
    client_life_observe(&client->life, &delta, actions);
}

/* An interruption is on its way, and what comes belongs to what was interrupted. */
static bool is_muted(const struct duplex_client *client, uint64_t now_us)
{
    return now_us < client->muted_until_us;
}

static void hold(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                 struct bytes audio, struct client_actions *actions)
{
    struct player *player = &client->player;
    if (player->samples + float32_count(audio) > DUPLEX_CLIENT_HELD_SAMPLES_MAX ||
        player->delta_count >= DUPLEX_CLIENT_HELD_DELTAS_MAX) {
        client_life_report(&client->life, "BUFFER_FULL", "the server sent more than can be held for playing",
                           actions);
        client_life_begin_close(&client->life, now_us, now_us, DUPLEX_CLOSE_NORMAL, true);
    } else if (!player_add(player, now_us, audio, message->text, message->end_of_turn)) {
        client_life_report(&client->life, "OUT_OF_MEMORY", "a delta is not played", actions);
    }
}

static void delta(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                  struct client_actions *actions)
{
    const uint32_t *cache = note_cache(client, message);
    const struct bytes audio = good_audio(message);
    if (client->life.stage != DUPLEX_CLIENT_STREAMING && client->life.stage != DUPLEX_CLIENT_STOPPING)
        return;
    client->summary.deltas++;
    client->summary.samples += float32_count(audio);
    observe_delta(client, message, audio, cache, actions);
    report_bad_audio(client, message, actions);
    if (client->life.stage == DUPLEX_CLIENT_STREAMING && !is_muted(client, now_us))
        hold(client, now_us, message, audio, actions);
}

static void listen(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                   struct client_actions *actions)
{
    const uint32_t *cache = note_cache(client, message);
    if (client->life.stage != DUPLEX_CLIENT_STREAMING)
        return;
    client->summary.listens++;
    client->life.progress.listens++;
    /* Once force_listen has left; a listen before it was for something else. */
    if (!client->force_due)
        client->muted_until_us = 0;
    duplex_client_drop(client, now_us, OBSERVED_LISTEN, cache, actions);
}

/* ---- errors ---- */

static void error(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                  struct client_actions *actions)
{
    enum duplex_error_code known = DUPLEX_ERROR_INFERENCE_ERROR;
    char code[OBSERVATION_CODE_MAX];
    char sentence[OBSERVATION_TEXT_MAX];
    struct text text = text_of(code, sizeof code);
    text_add_bytes(&text, message->code);
    text = text_of(sentence, sizeof sentence);
    text_add_bytes(&text, message->error_message);
    if (message->error_type.len > 0) {
        text_add(&text, sentence[0] != '\0' ? " (" : "(");
        text_add_bytes(&text, message->error_type);
        text_add_char(&text, ')');
    }
    client_life_report(&client->life, code, sentence, actions);
    const bool closes = duplex_error_by_name(message->code, &known) && duplex_error_close(known) != 0;
    if (closes) /* the server closes with 1013 */
        client_life_begin_close(&client->life, now_us, now_us + CLIENT_LINGER_US, DUPLEX_CLOSE_NORMAL, false);
    else if (client->life.stage == DUPLEX_CLIENT_CREATING)
        client->life.deadline_us =
            client_earlier(client->life.deadline_us, now_us + DUPLEX_CLIENT_CREATED_ERROR_WAIT_US);
}

/* ---- all of them ---- */

static void unknown(struct duplex_client *client, const struct duplex_message *message, struct bytes text,
                    struct client_actions *actions)
{
    client->summary.unknown++;
    if (message->type == DUPLEX_MESSAGE_NOT_JSON) /* plain text is for people */
        client_life_report_bytes(&client->life, "", text, actions);
}

static void take(struct duplex_client *client, uint64_t now_us, const struct duplex_message *message,
                 struct bytes text, struct client_actions *actions)
{
    switch (message->type) {
    case DUPLEX_MESSAGE_QUEUED:
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
        queued(client, now_us, message, actions);
        break;
    case DUPLEX_MESSAGE_QUEUE_DONE:
        queue_done(client, now_us, actions);
        break;
    case DUPLEX_MESSAGE_CREATED:
        created(client, now_us, message, actions);
        break;
    case DUPLEX_MESSAGE_DELTA:
        delta(client, now_us, message, actions);
        break;
    case DUPLEX_MESSAGE_LISTEN:
        listen(client, now_us, message, actions);
        break;
    case DUPLEX_MESSAGE_CLOSED:
        closed(client, now_us, message, actions);
        break;
    case DUPLEX_MESSAGE_ERROR:
        error(client, now_us, message, actions);
        break;
    case DUPLEX_MESSAGE_UPDATE:
    case DUPLEX_MESSAGE_APPEND:
    case DUPLEX_MESSAGE_CLOSE:
    case DUPLEX_MESSAGE_OTHER:
    case DUPLEX_MESSAGE_NO_OBJECT:
    case DUPLEX_MESSAGE_UNREADABLE:
    case DUPLEX_MESSAGE_NOT_JSON:
        unknown(client, message, text, actions);
        break;
    }
}

void duplex_client_receive(struct duplex_client *client, uint64_t now_us, struct bytes text,
                           struct client_actions *actions)
{
    const struct duplex_read_options options = {.profile = client->profile};
    struct duplex_message message;
    duplex_message_read(text, &options, &message);
    if (json_faults_no_memory(&message.faults)) {
        client_life_no_memory(&client->life, "a message could not be read", actions);
        return;
    }
    take(client, now_us, &message, text, actions);
    duplex_message_free(&message);
}
