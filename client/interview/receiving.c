/* What the server says. 004 Server → Client Messages. What is not known is ignored. */
#include "client/interview/internal.h"

#include "codec/wire/crc32.h"

static void observe_words(struct interview_client *client, enum observation_kind kind, const char *code,
                          struct bytes words, bool final, struct client_actions *actions)
{
    struct observation told = {.kind = kind, .is_final = final};
    struct text text = text_of(told.code, sizeof told.code);
    text_add(&text, code);
    text = text_of(told.text, sizeof told.text);
    text_add_bytes(&text, words);
    client_life_observe(&client->life, &told, actions);
}

static void status(struct interview_client *client, uint64_t now_us, const struct interview_message *message,
                   struct client_actions *actions)
{
    if (!message->has_status)
        return;
    observe_words(client, OBSERVED_STATUS, interview_status_name(message->status), message->message, false,
                  actions);
    if (message->status != INTERVIEW_STATUS_CONNECTED || client->life.stage != INTERVIEW_CLIENT_JOINING)
        return;
    client->life.stage = INTERVIEW_CLIENT_TALKING;
    client->life.deadline_us = UINT64_MAX;
    client_life_ready(&client->life, now_us);
    if (client->summary.connected_us == 0)
        client->summary.connected_us = now_us;
    observe_words(client, OBSERVED_READY, "", message->message, false, actions);
}

/* ---- replies ---- */

static struct bytes good_audio(struct interview_client *client, const struct interview_message *message,
                               struct client_actions *actions)
{
    const struct json_fault *fault = json_fault_of(&message->faults, "audio");
    char sentence[OBSERVATION_TEXT_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    if (fault == NULL)
        return message->audio;
    json_fault_write(&text, fault);
    client_life_report(&client->life, "BAD_CHUNK", sentence, actions);
    return (struct bytes){0};
}

static void observe_chunk(struct interview_client *client, const struct interview_message *message,
                          struct bytes audio, struct client_actions *actions)
{
    struct observation delta = {.kind = OBSERVED_DELTA,
                                .has_samples = true,
                                .samples = (uint32_t)interview_sample_count(audio),
                                .has_audio = audio.len > 0,
                                .audio_crc = crc32_of(audio),
                                .is_final = message->is_final};
    struct text text = text_of(delta.text, sizeof delta.text);
    text_add_bytes(&text, message->text);
    client_life_observe(&client->life, &delta, actions);
}

static void hold(struct interview_client *client, uint64_t now_us, const struct interview_message *message,
                 struct bytes audio, struct client_actions *actions)
{
    struct player *player = &client->player;
    if (player->samples + interview_sample_count(audio) > INTERVIEW_CLIENT_HELD_SAMPLES_MAX ||
        player->delta_count >= INTERVIEW_CLIENT_HELD_CHUNKS_MAX) {
        client_life_report(&client->life, "BUFFER_FULL", "the server sent more than can be held for playing",
                           actions);
        client_life_begin_close(&client->life, now_us, now_us, INTERVIEW_CLOSE_NORMAL, true);
    } else if (!player_add(player, now_us, audio, message->text, message->is_final)) {
        client_life_report(&client->life, "OUT_OF_MEMORY", "a chunk is not played", actions);
    }
}

static void reply_chunk(struct interview_client *client, uint64_t now_us,
                        const struct interview_message *message, struct client_actions *actions)
{
    const bool ignored = client->muted;
    const struct bytes audio = good_audio(client, message, actions);
    client->summary.chunks++;
    client->summary.samples += interview_sample_count(audio);
    if (!client->reply_open && !ignored && client->awaits_reply)
        client->summary.reply_us = now_us - client->summary.committed_us;
    client->reply_open = !message->is_final;
    client->reply_deadline_us = now_us + INTERVIEW_CLIENT_REPLY_WAIT_US;
    observe_chunk(client, message, audio, actions);
    if (message->is_final) {
        client->life.progress.final = true;
        client->muted = false;
        client->awaits_reply = client->awaits_reply && ignored;
    }
    if (ignored) {
        client->summary.chunks_ignored++;
        return;
    }
    if (message->text.len > 0)
        observe_words(client, OBSERVED_TRANSCRIPT, interview_speaker_name(INTERVIEW_SPEAKER_AI),
                      message->text, false, actions);
    hold(client, now_us, message, audio, actions);
}

/* ---- what is said of them ---- */

static void transcript(struct interview_client *client, const struct interview_message *message,
                       struct client_actions *actions)
{
    const char *speaker = message->has_speaker ? interview_speaker_name(message->speaker) : "";
    if (message->has_text)
        observe_words(client, OBSERVED_TRANSCRIPT, speaker, message->text, true, actions);
}

static void function_result(struct interview_client *client, const struct interview_message *message,
                            struct client_actions *actions)
{
    struct observation told = {.kind = OBSERVED_RESULT};
    struct text text = text_of(told.code, sizeof told.code);
    text_add_bytes(&text, message->function_name);
    text = text_of(told.text, sizeof told.text);
    text_add_bytes(&text, message->result);
    client->summary.results++;
    client_life_observe(&client->life, &told, actions);
}

static void error(struct interview_client *client, uint64_t now_us, const struct interview_message *message,
                  struct client_actions *actions)
{
    char code[OBSERVATION_CODE_MAX];
    struct text text = text_of(code, sizeof code);
    text_add_bytes(&text, message->code);
    client_life_report_bytes(&client->life, code, message->message, actions);
    if (client->awaits_reply)
        client->reply_deadline_us =
            client_earlier(client->reply_deadline_us, now_us + INTERVIEW_CLIENT_REPLY_ERROR_WAIT_US);
}

static void pong(struct interview_client *client, struct client_actions *actions)
{
    struct interview_message message = {.type = INTERVIEW_MESSAGE_PONG};
    interview_client_send(client, &message, actions);
}

/* ---- all of them ---- */

static void unknown(struct interview_client *client, const struct interview_message *message,
                    struct bytes text, struct client_actions *actions)
{
    client->summary.unknown++;
    if (message->type == INTERVIEW_MESSAGE_NOT_JSON) /* plain text is for people */
        client_life_report_bytes(&client->life, "", text, actions);
}

static void take(struct interview_client *client, uint64_t now_us, const struct interview_message *message,
                 struct bytes text, struct client_actions *actions)
{
    switch (message->type) {
    case INTERVIEW_MESSAGE_AI_AUDIO_CHUNK:
        reply_chunk(client, now_us, message, actions);
        break;
    case INTERVIEW_MESSAGE_TRANSCRIPT:
        transcript(client, message, actions);
        break;
    case INTERVIEW_MESSAGE_FUNCTION_RESULT:
        function_result(client, message, actions);
        break;
    case INTERVIEW_MESSAGE_ERROR:
        error(client, now_us, message, actions);
        break;
    case INTERVIEW_MESSAGE_STATUS:
        status(client, now_us, message, actions);
        break;
    case INTERVIEW_MESSAGE_PING:
        pong(client, actions);
        break;
    case INTERVIEW_MESSAGE_PONG:
        break;
    case INTERVIEW_MESSAGE_AUDIO_CHUNK:
    case INTERVIEW_MESSAGE_COMMIT_AUDIO:
    case INTERVIEW_MESSAGE_CANCEL_RESPONSE:
    case INTERVIEW_MESSAGE_OTHER:
    case INTERVIEW_MESSAGE_NO_OBJECT:
    case INTERVIEW_MESSAGE_UNREADABLE:
    case INTERVIEW_MESSAGE_NOT_JSON:
        unknown(client, message, text, actions);
        break;
    }
}

void interview_client_receive(struct interview_client *client, uint64_t now_us, struct bytes text,
                              struct client_actions *actions)
{
    struct interview_message message;
    interview_message_read(text, client->dialect, &message);
    if (json_faults_no_memory(&message.faults)) {
        client_life_no_memory(&client->life, "a message could not be read", actions);
        return;
    }
    client->quiet_at_us = now_us;
    take(client, now_us, &message, text, actions);
    interview_message_free(&message);
}
