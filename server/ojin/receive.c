/*
 * What a client's message does: taken in, or answered by an errorResponse, after which the session goes on.
 * 000 InteractionInput, ErrorResponse codes, Rate Limits & Constraints.
 */
#include "server/ojin/session.h"

/* "params: the text is not JSON as RFC 8259 has it" */
static void send_invalid(struct session *session, uint64_t now_us, const char *what, struct wire_error error,
                         struct actions *actions)
{
    char sentence[OJIN_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    if (error.status == WIRE_NO_SPACE) { /* which is no fault of the client */
        ojin_send_error(session, now_us, OJIN_ERROR_INTERNAL_ERROR, "There is no memory to read a message",
                        actions);
        return;
    }
    if (ojin_quirk(session, OJIN_QUIRK_LENIENT) != 0)
        return;
    text_add(&text, what);
    if (error.field != NULL && strcmp(error.field, what) != 0) {
        text_add(&text, ", ");
        text_add(&text, error.field);
    }
    text_add(&text, ": ");
    text_add(&text, wire_status_sentence(error.status));
    ojin_send_error(session, now_us, OJIN_ERROR_INVALID_MESSAGE, sentence, actions);
}

static void send_rate_limited(struct session *session, uint64_t now_us, uint64_t limit,
                              struct actions *actions)
{
    char sentence[OJIN_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, "Too many requests: more than ");
    text_add_u64(&text, limit);
    text_add(&text, limit == 1 ? " message within a second" : " messages within a second");
    ojin_send_error(session, now_us, OJIN_ERROR_RATE_LIMITED, sentence, actions);
}

static void send_too_large(struct session *session, uint64_t now_us, uint64_t limit, struct actions *actions)
{
    char sentence[OJIN_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    if (ojin_quirk(session, OJIN_QUIRK_LENIENT) != 0)
        return;
    text_add(&text, "The message is too large: ");
    text_add_u64(&text, limit);
    text_add(&text, " bytes pass");
    ojin_send_error(session, now_us, OJIN_ERROR_FRAME_SIZE_EXCEEDED, sentence, actions);
}

/* Rate and size, which hold for every message alike. */
static bool within_limits(struct session *session, const struct session_event *event, struct actions *actions)
{
    const uint64_t rate = ojin_quirk(session, OJIN_QUIRK_RATE_LIMIT);
    const uint64_t rate_max = rate == 0 ? OJIN_REQUESTS_PER_SECOND : rate;
    const uint64_t size = ojin_quirk(session, OJIN_QUIRK_SIZE_LIMIT);
    const uint64_t size_max = size == 0 ? OJIN_MESSAGE_BYTES_MAX : size;
    /* OJ-SRV-10 */
    const uint64_t came_us = event->came_us != 0 ? event->came_us : event->now_us;
    if (!rate_window_pass(&session->rate, came_us, (size_t)rate_max)) {
        send_rate_limited(session, event->now_us, rate_max, actions);
        return false;
    }
    /* OJ-SRV-11 */
    if (event->message_bytes > size_max || event->data.len > size_max) {
        send_too_large(session, event->now_us, size_max, actions);
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
    const uint64_t memory = ojin_quirk(session, OJIN_QUIRK_FORGETFUL);
    if (audio.len == 0 || (!speaking && all_zero(audio)))
        return;
    if (memory != 0 && speaking && event->now_us - session->turn_audio_us > memory)
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
    session->end_retaken = false;
    if (ojin_cancel_discards(session))
        return;
    if (ojin_quirk(session, OJIN_QUIRK_IGNORES_PARAMS) != 0)
        params = OJIN_PARAMS_DEFAULT;
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
    ojin_cancel(session, event->now_us);
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
