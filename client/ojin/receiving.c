/* What comes from the server: text messages and frames. 000 SessionReadyMessage, ErrorResponse,
 * InteractionResponse. */
#include "client/ojin/internal.h"

#include "codec/ojin/messages.h"
#include "codec/wire/crc32.h"
#include "codec/wire/json.h"

/* Load and parameters, for the user: 000 Best Practices. */
static void keep_parameters(struct ojin_client *client, struct bytes text, const struct ojin_message *message)
{
    struct ojin_client_summary *summary = &client->summary;
    summary->has_load = message->error.status == WIRE_OK || message->load > 0;
    summary->load = message->load;
    summary->parameters[0] = '\0';
    cJSON *json = NULL;
    if (!message->has_parameters || json_parse_last(text, &json).status != WIRE_OK)
        return;
    const cJSON *parameters = json_member(json_member(json, "payload"), "parameters");
    char *printed = json_print(parameters);
    if (printed != NULL && strlen(printed) < sizeof summary->parameters)
        memcpy(summary->parameters, printed, strlen(printed) + 1);
    cJSON_free(printed);
    cJSON_Delete(json);
}

void ojin_client_become_ready(struct ojin_client *client)
{
    client->life.stage = client->end_asked ? OJIN_CLIENT_ENDING : OJIN_CLIENT_STREAMING;
    client->life.deadline_us = UINT64_MAX;
    client->life.progress.ready = true;
    client->opening_due = client->profile->opening_silence_rule != NULL;
}

static void receive_ready(struct ojin_client *client, uint64_t now_us, struct bytes text,
                          const struct ojin_message *message, struct client_actions *actions)
{
    if (client->life.stage != OJIN_CLIENT_AWAITING_READY) {
        client->summary.text_ignored++;
        return;
    }
    ojin_client_become_ready(client);
    client->summary.ready_us = now_us;
    client_life_ready(&client->life, now_us);
    keep_parameters(client, text, message);
    struct observation observation = {.kind = OBSERVED_READY};
    observation.has_load = client->summary.has_load;
    observation.load = client->summary.load;
    /* The whole message, so that parameters and load are there for whoever wants them. */
    struct text whole = text_of(observation.text, sizeof observation.text);
    text_add_bytes(&whole, text);
    client_life_observe(&client->life, &observation, actions);
}

/* After these the session cannot go on: 000 ErrorResponse codes. */
static bool is_fatal(enum ojin_error_code code)
{
    switch (code) {
    case OJIN_ERROR_AUTH_FAILED:
    case OJIN_ERROR_UNAUTHORIZED:
    case OJIN_ERROR_MISSING_CONFIG_ID:
    case OJIN_ERROR_INVALID_HEADERS:
    case OJIN_ERROR_MODEL_NOT_FOUND:
    case OJIN_ERROR_BACKEND_UNAVAILABLE:
        return true;
    case OJIN_ERROR_INVALID_MESSAGE:
    case OJIN_ERROR_RATE_LIMITED:
    case OJIN_ERROR_TIMEOUT:
    case OJIN_ERROR_CANCELLED:
    case OJIN_ERROR_INTERNAL_ERROR:
    case OJIN_ERROR_FRAME_SIZE_EXCEEDED:
    case OJIN_ERROR_COUNT:
        return false;
    }
    return false;
}

/* The interaction is over, and whoever waits for it waits no longer. */
static void fail_turn(struct ojin_client *client)
{
    if (turn_is_due(&client->turn)) {
        client->spoke = true;
        client->life.progress.idle = true;
    }
    client->turn.state = TURN_IDLE;
    client->stall_at_us = UINT64_MAX;
}

static void receive_error(struct ojin_client *client, uint64_t now_us, const struct ojin_message *message,
                          struct client_actions *actions)
{
    enum ojin_error_code code = OJIN_ERROR_COUNT;
    bool known = ojin_error_by_name(bytes_of_text(message->code), &code);
    if (known && code == OJIN_ERROR_CANCELLED && turn_confirmed(&client->turn))
        return;
    client_life_report(&client->life, message->code, message->message, actions);
    if (!known)
        return;
    if (code == OJIN_ERROR_RATE_LIMITED)
        sender_pause(&client->sender, now_us);
    if (code == OJIN_ERROR_INTERNAL_ERROR || code == OJIN_ERROR_TIMEOUT)
        fail_turn(client);
    if (is_fatal(code))
        client_life_begin_close(&client->life, now_us, now_us + CLIENT_LINGER_US, OJIN_CLOSE_NORMAL,
                                code != OJIN_ERROR_BACKEND_UNAVAILABLE);
}

void ojin_client_receive_text(struct ojin_client *client, uint64_t now_us, struct bytes text,
                              struct client_actions *actions)
{
    struct ojin_message message;
    ojin_message_read(text, &message);
    if (message.error.status == WIRE_NO_SPACE) {
        client_life_no_memory(&client->life, "a message could not be read", actions);
        return;
    }
    switch (message.type) {
    case OJIN_MESSAGE_SESSION_READY:
        receive_ready(client, now_us, text, &message, actions);
        break;
    case OJIN_MESSAGE_ERROR_RESPONSE:
        receive_error(client, now_us, &message, actions);
        break;
    case OJIN_MESSAGE_PLAIN_TEXT:
        client_life_report_bytes(&client->life, "", text, actions);
        if (client->life.stage == OJIN_CLIENT_AWAITING_READY)
            client_life_begin_close(&client->life, now_us, now_us + CLIENT_LINGER_US, OJIN_CLOSE_NORMAL,
                                    false);
        break;
    case OJIN_MESSAGE_END_INTERACTION:
    case OJIN_MESSAGE_CANCEL_INTERACTION:
    case OJIN_MESSAGE_OTHER:
    case OJIN_MESSAGE_NO_OBJECT:
    case OJIN_MESSAGE_UNREADABLE:
        client->summary.text_ignored++;
        break;
    }
}

static void report_bad_frame(struct ojin_client *client, const struct wire_error *error,
                             struct client_actions *actions)
{
    char sentence[OBSERVATION_TEXT_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, wire_status_sentence(error->status));
    if (error->field != NULL) {
        text_add(&text, ": ");
        text_add(&text, error->field);
    }
    text_add(&text, " at byte ");
    text_add_u64(&text, error->offset);
    client->summary.undecodable++;
    client_life_report(&client->life, "BAD_FRAME", sentence, actions);
}

static void observe_frame(struct ojin_client *client, const struct ojin_frame *frame, uint32_t image_crc,
                          struct client_actions *actions)
{
    struct observation observation = {
        .kind = OBSERVED_FRAME,
        .index = frame->index,
        .is_final = frame->is_final == 1,
        .is_final_odd = frame->is_final > 1,
        .has_interaction = true,
        .has_audio = frame->has_audio,
        .audio_crc = frame->has_audio ? crc32_of(frame->audio) : 0,
        .has_image = frame->has_image,
        .image_crc = image_crc,
    };
    struct text timestamp = text_of(observation.timestamp, sizeof observation.timestamp);
    text_add_u64(&timestamp, frame->timestamp_ms);
    memcpy(observation.interaction, frame->interaction, UUID_BYTES);
    client_life_observe(&client->life, &observation, actions);
}

/* A final frame of an interaction that was cancelled ends nothing, unless the end was asked for. */
static void receive_final(struct ojin_client *client, const struct ojin_frame *frame)
{
    if (frame->is_final != 1)
        return;
    if (!client->end_sent && turn_is_cancelled(&client->turn, frame->interaction))
        return;
    client->life.progress.final = true;
    client->flush = true;
    client->turn.state = TURN_IDLE;
    client->stall_at_us = UINT64_MAX;
    client->awaits_final = false;
}

/* False when it did not fit. */
static bool hold(struct ojin_client *client, const struct ojin_frame *frame, uint32_t image_crc)
{
    bool empty = !frame->has_image && !frame->has_audio;
    if (empty && frame->is_final == 1)
        return true; /* it only says that it is the last */
    return frame_buffer_add(&client->buffer, frame, image_crc);
}

void ojin_client_receive_frame(struct ojin_client *client, uint64_t now_us, struct bytes message,
                               struct client_actions *actions)
{
    struct ojin_frame frame;
    const struct wire_error error = ojin_frame_decode(message, &frame);
    if (error.status != WIRE_OK) {
        report_bad_frame(client, &error, actions);
        return;
    }
    client->summary.frames[frame.index < 2 ? frame.index : 2]++;
    bool speech = frame.index == OJIN_INDEX_SPEECH;
    if (speech && client->summary.first_speech_us == 0)
        client->summary.first_speech_us = now_us;
    const uint32_t image_crc = frame.has_image ? crc32_of(frame.image) : 0;
    observe_frame(client, &frame, image_crc, actions);
    const bool cancelled = turn_frame(&client->turn, now_us, &frame);
    ojin_client_frame_came(client, now_us, speech && !cancelled);
    if (speech && client->awaits_final)
        ojin_client_wait_for_final(client, now_us); /* it still works towards the end */
    receive_final(client, &frame);
    if (!cancelled && !hold(client, &frame, image_crc)) {
        client_life_report(&client->life, "BUFFER_FULL", "more frames came than the buffer holds", actions);
        client_life_begin_close(&client->life, now_us, now_us, OJIN_CLOSE_GOING_AWAY, true);
        return;
    }
    ojin_client_play_arrived(client, now_us);
}
