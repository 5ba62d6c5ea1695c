#include "client/inspect/ojin/parts.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/input.h"
#include "codec/wire/utf8.h"

enum { SPACE = 0x20, TRAILING_USUAL_BYTES = 1 };

static bool is_text(struct bytes message)
{
    for (size_t i = 0; i < message.len; i++)
        if (message.data[i] < SPACE && memchr("\t\r\n", message.data[i], 3) == NULL)
            return false;
    return utf8_valid_prefix(message) == message.len;
}

static bool looks_like_input(struct bytes message)
{
    struct ojin_input input;
    return ojin_input_decode(message, &input).status == WIRE_OK && input.payload_type == OJIN_PAYLOAD_AUDIO &&
           (input.params.len == 0 || input.params.data[0] == '{');
}

enum inspect_kind ojin_inspect_guess(struct bytes message)
{
    struct ojin_frame frame;
    if (is_text(message))
        return INSPECT_TEXT;
    const bool decodes = ojin_frame_decode(message, &frame).status == WIRE_OK;
    const bool fits = decodes && frame.trailing.len <= TRAILING_USUAL_BYTES;
    /* Silence as input also reads as a frame without payloads, but for what is left over. */
    if (fits && (frame.payload_count > 0 || !looks_like_input(message)))
        return INSPECT_FRAME;
    if (looks_like_input(message))
        return INSPECT_INPUT;
    if (decodes || message.data[0] == 0)
        return INSPECT_FRAME;
    struct ojin_input input;
    const bool is_long = message.len >= OJIN_FRAME_HEADER_BYTES;
    return is_long && ojin_input_decode(message, &input).status != WIRE_OK ? INSPECT_FRAME : INSPECT_INPUT;
}
