#include "conformance/splits/stream.h"

#include "codec/ws/frame.h"

static uint8_t digit(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

size_t split_message_bytes(const struct split_message *message, uint8_t out[SPLIT_MESSAGE_MAX])
{
    const char *source = message->text != NULL ? message->text : message->hex;
    const size_t len = strlen(source) / (message->text != NULL ? 1 : 2);
    if (message->text != NULL)
        memcpy(out, source, len);
    for (size_t i = 0; message->text == NULL && i < len; i++)
        out[i] = (uint8_t)(digit(source[2 * i]) << 4 | digit(source[2 * i + 1]));
    return len;
}

bool split_message_is_end(const struct split_message *message)
{
    return message->text == NULL && message->hex == NULL && message->recv == NULL;
}

static bool put_frame(struct buffer *out, unsigned opcode, bool fin, struct bytes payload)
{
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    const struct ws_frame_bits bits = {.opcode = (uint8_t)opcode, .fin = fin, .length = payload.len};
    const size_t len = ws_frame_write_header(&bits, header);
    return buffer_append(out, bytes_of(header, len)) && buffer_append(out, payload);
}

bool split_put_cut(struct buffer *out, const struct split_message *message, size_t at, bool ping)
{
    uint8_t data[SPLIT_MESSAGE_MAX];
    const struct bytes all = bytes_of(data, split_message_bytes(message, data));
    const unsigned opcode = message->text != NULL ? WS_OPCODE_TEXT : WS_OPCODE_BINARY;
    if (at >= all.len)
        return put_frame(out, opcode, true, all);
    return put_frame(out, opcode, false, bytes_of(all.data, at)) &&
           (!ping || put_frame(out, WS_OPCODE_PING, true, bytes_of_text("split"))) &&
           put_frame(out, WS_OPCODE_CONTINUATION, true, bytes_behind(all, at));
}

bool split_put_whole(struct buffer *out, const struct split_message *message)
{
    return split_put_cut(out, message, SPLIT_MESSAGE_MAX, false);
}
