#include <assert.h>
#include <stdlib.h>

#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/ojin/messages.h"
#include "packages/c/codec_parts.h"

static_assert((int)OJIN_CODEC_TEXT_MAX == (int)OJIN_TEXT_FIELD_MAX, "texts are copied whole");
static_assert((int)OJIN_CODEC_CANCEL_INTERACTION == (int)OJIN_MESSAGE_CANCEL_INTERACTION, "types are copied");
static_assert((int)OJIN_CODEC_PLAIN_TEXT == (int)OJIN_MESSAGE_PLAIN_TEXT, "types are copied");

/* "payload data: the size runs past the end of the message, at byte 41"; empty when nothing is wrong. */
static bool error_tell(struct wire_error wrong, char error[OJIN_CODEC_ERROR_MAX])
{
    struct text text = text_of(error, OJIN_CODEC_ERROR_MAX);
    if (wrong.status == WIRE_OK)
        return true;
    if (wrong.field != NULL) {
        text_add(&text, wrong.field);
        text_add(&text, ": ");
    }
    text_add(&text, wire_status_sentence(wrong.status));
    text_add(&text, ", at byte ");
    text_add_u64(&text, wrong.offset);
    return false;
}

/* ---- InteractionInput ---- */

bool ojin_codec_input_read(const void *message, size_t len, struct ojin_codec_input *out,
                           char error[OJIN_CODEC_ERROR_MAX])
{
    struct ojin_input input;
    if (!error_tell(ojin_input_decode(bytes_of(message, len), &input), error))
        return false;
    *out = (struct ojin_codec_input){.payload_type = input.payload_type,
                                     .timestamp_ms = input.timestamp_ms,
                                     .params = bytes_to_public(input.params),
                                     .audio = bytes_to_public(input.audio)};
    return true;
}

size_t ojin_codec_input_write(const struct ojin_codec_input *input, void *out, size_t room)
{
    const size_t bytes = OJIN_INPUT_HEADER_BYTES + input->params.len + input->audio.len;
    if (bytes > room)
        return bytes;
    struct writer writer = writer_of(out, room);
    ojin_input_write(&writer, &(struct ojin_input){.payload_type = input->payload_type,
                                                   .timestamp_ms = input->timestamp_ms,
                                                   .params = bytes_from_public(input->params),
                                                   .audio = bytes_from_public(input->audio)});
    return bytes;
}

bool ojin_codec_params_read(struct ojin_codec_bytes params, struct ojin_codec_params *out,
                            char error[OJIN_CODEC_ERROR_MAX])
{
    struct ojin_params read = OJIN_PARAMS_DEFAULT;
    if (params.len > 0 && !error_tell(ojin_params_read(bytes_from_public(params), &read), error))
        return false;
    *out = (struct ojin_codec_params){.speech_filter_amount = read.speech_filter_amount,
                                      .idle_filter_amount = read.idle_filter_amount,
                                      .idle_mouth_opening_scale = read.idle_mouth_opening_scale,
                                      .speech_mouth_opening_scale = read.speech_mouth_opening_scale,
                                      .client_frame_index = read.client_frame_index};
    return true;
}

/* ---- InteractionResponse ---- */

bool ojin_codec_frame_read(const void *message, size_t len, struct ojin_codec_frame *out,
                           char error[OJIN_CODEC_ERROR_MAX])
{
    struct ojin_frame frame;
    if (!error_tell(ojin_frame_decode(bytes_of(message, len), &frame), error))
        return false;
    *out = (struct ojin_codec_frame){.is_final = frame.is_final,
                                     .timestamp_ms = frame.timestamp_ms,
                                     .usage = frame.usage,
                                     .index = frame.index,
                                     .payload_count = frame.payload_count,
                                     .has_audio = frame.has_audio,
                                     .has_image = frame.has_image,
                                     .audio = bytes_to_public(frame.audio),
                                     .image = bytes_to_public(frame.image),
                                     .trailing = bytes_to_public(frame.trailing)};
    memcpy(out->interaction, frame.interaction, sizeof out->interaction);
    return true;
}

size_t ojin_codec_frame_write(const struct ojin_codec_frame *frame, void *out, size_t room)
{
    struct ojin_payload payloads[2];
    size_t count = 0;
    if (frame->has_audio)
        payloads[count++] =
            (struct ojin_payload){.type = OJIN_PAYLOAD_AUDIO, .data = bytes_from_public(frame->audio)};
    if (frame->has_image)
        payloads[count++] =
            (struct ojin_payload){.type = OJIN_PAYLOAD_IMAGE, .data = bytes_from_public(frame->image)};
    const size_t bytes = ojin_frame_bytes(payloads, count) + frame->trailing.len;
    if (bytes > room)
        return bytes;
    struct writer writer = writer_of(out, room);
    struct ojin_frame header = {.is_final = frame->is_final,
                                .timestamp_ms = frame->timestamp_ms,
                                .usage = frame->usage,
                                .index = frame->index,
                                .payload_count = (uint32_t)count};
    memcpy(header.interaction, frame->interaction, sizeof header.interaction);
    ojin_frame_write_header(&writer, &header);
    for (size_t i = 0; i < count; i++)
        ojin_frame_write_entry(&writer, payloads[i].type, payloads[i].data);
    writer_bytes(&writer, bytes_from_public(frame->trailing));
    return bytes;
}

/* ---- text ---- */

void ojin_codec_message_read(const char *text, size_t len, struct ojin_codec_message *out)
{
    struct ojin_message message;
    ojin_message_read(bytes_of(text, len), &message);
    *out = (struct ojin_codec_message){.type = (enum ojin_codec_type)message.type,
                                       .has_timestamp = message.has_timestamp,
                                       .timestamp_ms = message.timestamp_ms,
                                       .load = message.load};
    (void)error_tell(message.error, out->error);
    memcpy(out->trace_id, message.trace_id, sizeof out->trace_id);
    memcpy(out->code, message.code, sizeof out->code);
    memcpy(out->message, message.message, sizeof out->message);
    memcpy(out->interaction_id, message.interaction_id, sizeof out->interaction_id);
}

/* False when there is no such message. */
static bool message_compose(struct text *text, const struct ojin_codec_message *message)
{
    const uint64_t now_ms = message->timestamp_ms < 0 ? 0 : (uint64_t)message->timestamp_ms;
    uint8_t trace_id[UUID_BYTES];
    switch (message->type) {
    case OJIN_CODEC_SESSION_READY:
        if (!uuid_parse(bytes_of_text(message->trace_id), trace_id))
            return false;
        ojin_write_session_ready(text, trace_id, message->load, now_ms, NULL);
        return true;
    case OJIN_CODEC_ERROR_RESPONSE:
        ojin_write_error_response(text, message->code, message->message,
                                  message->interaction_id[0] == '\0' ? NULL : message->interaction_id,
                                  now_ms);
        return true;
    case OJIN_CODEC_END_INTERACTION:
        ojin_write_end_interaction(text, now_ms);
        return true;
    case OJIN_CODEC_CANCEL_INTERACTION:
        ojin_write_cancel_interaction(text, now_ms);
        return true;
    case OJIN_CODEC_OTHER:
    case OJIN_CODEC_NO_OBJECT:
    case OJIN_CODEC_UNREADABLE:
    case OJIN_CODEC_PLAIN_TEXT:
        return false;
    }
    return false;
}

size_t ojin_codec_message_write(const struct ojin_codec_message *message, char *out, size_t room)
{
    /* Three texts of six bytes a character at most, and the words around them. */
    char whole[3 * 6 * OJIN_CODEC_TEXT_MAX + 256];
    struct text text = text_of(whole, sizeof whole);
    if (!message_compose(&text, message) || text.cut)
        return 0;
    if (text.len <= room)
        memcpy(out, whole, text.len);
    return text.len;
}
