/*
 * What a client's message does: taken in, or answered by an errorResponse, after which the session goes on.
 * 000 InteractionInput, ErrorResponse codes, Rate Limits & Constraints.
 */
#include "server/core/ojin_session.h"

void ojin_send_error(struct session *session, uint64_t now_us, enum ojin_error_code code, const char *message,
                     struct actions *actions)
{
    char json[OJIN_ERROR_BYTES_MAX];
    struct text text = text_of(json, sizeof json);
    ojin_write_error_response(&text, ojin_error_name(code), message, NULL, ojin_now_ms(session, now_us));
    uint8_t *out = actions_add(actions, ACTION_SEND_TEXT, "error", text.len, NULL);
    if (out != NULL)
        memcpy(out, json, text.len);
}

/* "params: the text is not JSON as RFC 8259 has it" */
static void send_invalid(struct session *session, uint64_t now_us, const char *what, struct wire_error error,
                         struct actions *actions)
{
    char sentence[OJIN_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, what);
    if (error.field != NULL && strcmp(error.field, what) != 0) {
        text_add(&text, ", ");
        text_add(&text, error.field);
    }
    text_add(&text, ": ");
    text_add(&text, wire_status_sentence(error.status));
    ojin_send_error(session, now_us, OJIN_ERROR_INVALID_MESSAGE, sentence, actions);
}

/* Rate and size, which hold for every message alike. */
static bool within_limits(struct session *session, const struct session_event *event, struct actions *actions)
{
    /* OJ-SRV-10 */
    if (!rate_window_pass(&session->rate, event->now_us)) {
        ojin_send_error(session, event->now_us, OJIN_ERROR_RATE_LIMITED,
                        "Too many requests: more than 6 messages within a second", actions);
        return false;
    }
    /* OJ-SRV-11 */
    if (event->message_bytes > OJIN_MESSAGE_BYTES_MAX || event->data.len > OJIN_MESSAGE_BYTES_MAX) {
        ojin_send_error(session, event->now_us, OJIN_ERROR_FRAME_SIZE_EXCEEDED,
                        "The message is larger than 512 KB: 524,288 bytes pass", actions);
        return false;
    }
    return true;
}

static bool all_zero(struct bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.data[i] != 0)
            return false;
    }
    return true;
}

/* Checks the input as OJ-SRV-12 lists it; the time it carries is nobody's business here. */
static struct wire_error input_read(struct bytes message, struct ojin_input *input,
                                    struct ojin_params *params)
{
    struct wire_error error = ojin_input_decode(message, input);
    if (error.status != WIRE_OK)
        return error;
    if (input->payload_type != OJIN_PAYLOAD_AUDIO)
        return (struct wire_error){.status = WIRE_WRONG_PAYLOAD_TYPE, .field = "payload type"};
    *params = OJIN_PARAMS_DEFAULT;
    if (input->params.len > 0) {
        error = ojin_params_read(input->params, params);
        if (error.status != WIRE_OK)
            return error;
    }
    if (input->audio.len % OJIN_SAMPLE_BYTES != 0)
        return (struct wire_error){.status = WIRE_ODD_AUDIO, .field = "audio"};
    return error;
}

static void take_audio(struct session *session, const struct session_event *event, struct bytes audio,
                       const struct ojin_params *params, struct actions *actions)
{
    const size_t queued = speech_queue_samples(&session->speech);
    /* Zeros inside speech are speech; while nothing is being spoken they are not rendered. */
    const bool speaking = session->phase == OJIN_PHASE_SPEECH || queued > 0;
    if (audio.len == 0 || (!speaking && all_zero(audio)))
        return;
    if (!speech_queue_push(&session->speech, audio, params)) {
        ojin_send_error(session, event->now_us, OJIN_ERROR_INTERNAL_ERROR,
                        "More speech is queued than this server holds: the message was dropped", actions);
        return;
    }
    ojin_stream_audio(session, event->now_us, queued);
}

void ojin_receive_binary(struct session *session, const struct session_event *event, struct actions *actions)
{
    if (!within_limits(session, event, actions))
        return;
    struct ojin_input input = {0};
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    const struct wire_error error = input_read(event->data, &input, &params);
    if (error.status != WIRE_OK) {
        send_invalid(session, event->now_us, "InteractionInput", error, actions);
        return;
    }
    session->progress.audio_messages++;
    session->progress.audio_bytes += input.audio.len;
    /* What comes after endInteraction belongs to an interaction that is over. */
    if (session->ending)
        return;
    ojin_stream_start(session, event->now_us);
    session->idle_params = params;
    take_audio(session, event, input.audio, &params, actions);
}

static void receive_end(struct session *session, const struct session_event *event,
                        const struct ojin_message *message, struct actions *actions)
{
    if (message->error.status != WIRE_OK) {
        send_invalid(session, event->now_us, "endInteraction", message->error, actions);
        return;
    }
    session->progress.ends++;
    ojin_stream_end(session, event->now_us);
}

static void receive_cancel(struct session *session, const struct session_event *event,
                           const struct ojin_message *message, struct actions *actions)
{
    if (message->error.status != WIRE_OK) {
        send_invalid(session, event->now_us, "cancelInteraction", message->error, actions);
        return;
    }
    session->progress.cancels++;
    ojin_stream_cancel(session, event->now_us);
}

void ojin_receive_text(struct session *session, const struct session_event *event, struct actions *actions)
{
    if (!within_limits(session, event, actions))
        return;
    struct ojin_message message;
    ojin_message_read(event->data, &message);
    switch (message.type) {
    case OJIN_MESSAGE_END_INTERACTION:
        receive_end(session, event, &message, actions);
        break;
    case OJIN_MESSAGE_CANCEL_INTERACTION:
        receive_cancel(session, event, &message, actions);
        break;
    case OJIN_MESSAGE_SESSION_READY:
    case OJIN_MESSAGE_ERROR_RESPONSE:
        ojin_send_error(session, event->now_us, OJIN_ERROR_INVALID_MESSAGE,
                        "Only the server sends sessionReady and errorResponse", actions);
        break;
    case OJIN_MESSAGE_OTHER:
    case OJIN_MESSAGE_NO_OBJECT:
    case OJIN_MESSAGE_UNREADABLE:
    case OJIN_MESSAGE_PLAIN_TEXT:
        send_invalid(session, event->now_us, "Text message", message.error, actions);
        break;
    }
}

const char *ojin_classify(bool binary, struct bytes message)
{
    if (binary) {
        struct ojin_input input;
        const bool audio =
            ojin_input_decode(message, &input).status == WIRE_OK && input.payload_type == OJIN_PAYLOAD_AUDIO;
        return audio ? "audio" : "other";
    }
    struct ojin_message text;
    ojin_message_read(message, &text);
    if (text.type == OJIN_MESSAGE_END_INTERACTION)
        return "endInteraction";
    if (text.type == OJIN_MESSAGE_CANCEL_INTERACTION)
        return "cancelInteraction";
    return "other";
}
