/* What a server must make of a client's message: OJ-SRV-11, 12 and 13 as the rows have them. */
#include "codec/ojin/input.h"
#include "codec/rules/ojin/server_rule_set.h"
#include "codec/wire/json.h"

/* What is right is ANSWER_NONE; what the rows do not list is ANSWER_MAY. */
static void read_params(struct bytes params, struct client_message *out)
{
    struct ojin_params values = OJIN_PARAMS_DEFAULT;
    if (params.len == 0)
        return;
    const enum wire_status status = ojin_params_read(params, &values).status;
    out->no_memory = status == WIRE_NO_SPACE;
    if (status == WIRE_NOT_JSON || status == WIRE_NOT_AN_OBJECT) {
        out->due = ANSWER_INVALID;
        out->fault = "params that are no JSON object";
    } else if (status != WIRE_OK || json_repeats(params)) {
        out->due = ANSWER_MAY;
    }
}

static bool is_zero(struct bytes audio)
{
    for (size_t i = 0; i < audio.len; i++) {
        if (audio.data[i] != 0)
            return false;
    }
    return true;
}

static void read_binary(const struct wire_event *event, struct client_message *out)
{
    struct ojin_input input;
    const bool whole = event->message_bytes <= event->data.len;
    const struct wire_error error = ojin_input_decode(event->data, &input);
    if (error.status != WIRE_OK) {
        out->due = whole ? ANSWER_INVALID : ANSWER_MAY;
        out->fault = error.status == WIRE_TRUNCATED ? "a header of fewer than 13 bytes"
                                                    : "a params size past the message's end";
        return;
    }
    if (input.payload_type != OJIN_PAYLOAD_AUDIO) {
        out->due = ANSWER_INVALID;
        out->fault = "a payload type that is not 1";
        return;
    }
    const uint64_t audio_bytes = event->message_bytes - OJIN_INPUT_HEADER_BYTES - input.params.len;
    read_params(input.params, out);
    if (out->due == ANSWER_NONE && audio_bytes % OJIN_SAMPLE_BYTES != 0) {
        out->due = ANSWER_INVALID;
        out->fault = "audio of an odd number of bytes";
    }
    /* Whether an input may be without audio is not said; what was not kept cannot be compared. */
    if (out->due == ANSWER_NONE && (audio_bytes == 0 || !whole))
        out->due = ANSWER_MAY;
    out->is_input = out->due == ANSWER_NONE;
    out->audio = input.audio;
    out->speaks = out->is_input && !is_zero(input.audio);
}

static void read_text(const struct wire_event *event, struct client_message *out)
{
    struct ojin_message message;
    /* Of a name that comes twice readers take the first or the last, or neither. */
    if (event->message_bytes > event->data.len || json_repeats(event->data)) {
        out->due = ANSWER_MAY;
        return;
    }
    ojin_message_read(event->data, &message);
    out->no_memory = message.error.status == WIRE_NO_SPACE;
    const bool good = message.error.status == WIRE_OK;
    out->is_end = good && message.type == OJIN_MESSAGE_END_INTERACTION;
    out->is_cancel = good && message.type == OJIN_MESSAGE_CANCEL_INTERACTION;
    switch (message.type) {
    case OJIN_MESSAGE_END_INTERACTION:
    case OJIN_MESSAGE_CANCEL_INTERACTION:
        out->due = good ? ANSWER_NONE : ANSWER_INVALID;
        out->fault = "a wrong payload";
        break;
    case OJIN_MESSAGE_OTHER:
        out->due = ANSWER_INVALID;
        out->fault = "no type that there is";
        break;
    case OJIN_MESSAGE_NO_OBJECT:
    case OJIN_MESSAGE_PLAIN_TEXT:
        out->due = ANSWER_INVALID;
        out->fault = "no JSON object";
        break;
    /* Types that only a server sends are known ones; the other is JSON that some read and some do not. */
    case OJIN_MESSAGE_SESSION_READY:
    case OJIN_MESSAGE_ERROR_RESPONSE:
    case OJIN_MESSAGE_UNREADABLE:
        out->due = ANSWER_MAY;
        break;
    }
}

void client_message_read(const struct wire_event *event, struct client_message *out)
{
    *out = (struct client_message){.binary = event->kind == WIRE_EVENT_BINARY, .fault = "nothing"};
    if (out->binary)
        read_binary(event, out);
    else
        read_text(event, out);
    if (event->message_bytes <= OJIN_MESSAGE_BYTES_MAX)
        return;
    out->due = ANSWER_TOO_BIG;
    out->fault = "too many bytes";
    out->is_input = out->is_end = out->is_cancel = out->speaks = false;
}
