#include "conformance/server/client_bytes.h"

#include "codec/wire/base64.h"

/* A path, and a token longer than any server takes. */
enum { TARGET_MAX = 32 * 1024 };

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

/* ---- the request ---- */

bool client_request_write(const struct client_side *side, const struct client_target *target,
                          const struct profile *profile, const struct client_step *step,
                          const uint8_t nonce[16], struct buffer *out)
{
    const struct client_value *header = client_option(step, "header");
    char space[TARGET_MAX];
    struct text text = text_of(space, sizeof space);
    return side->target(target, profile, step, &text) && add(out, "GET ") && add(out, space) &&
           add(out, " HTTP/1.1\r\nHost: ") && add(out, target->authority) &&
           add(out, "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: ") &&
           base64_encode(bytes_of(nonce, 16), out) && add(out, "\r\n") && side->head(target, step, out) &&
           (!header->set || (add(out, header->text) && add(out, "\r\n"))) && add(out, "\r\n");
}

/* ---- frames ---- */

bool client_frame_write(enum ws_opcode opcode, struct bytes payload, const uint8_t mask[4],
                        struct buffer *out)
{
    const struct ws_frame_bits bits = {
        .opcode = (uint8_t)opcode, .fin = true, .mask = WS_MASK_GOOD, .length = payload.len};
    uint8_t *to = buffer_reserve(out, WS_FRAME_HEADER_BYTES_MAX + payload.len);
    if (to == NULL)
        return false;
    const size_t header_len = ws_frame_write_header(&bits, to);
    memcpy(to + header_len - WS_FRAME_MASK_BYTES, mask, WS_FRAME_MASK_BYTES);
    ws_mask_copy(to + header_len, payload, mask, 0);
    out->len += header_len + payload.len;
    return true;
}

/* ---- messages ---- */

static bool hex_add(const char *digits, struct buffer *out)
{
    static const char HEX[] = "0123456789abcdef";
    for (; digits[0] != '\0' && digits[1] != '\0'; digits += 2) {
        uint8_t byte = 0;
        for (int i = 0; i < 2; i++) {
            char lower = digits[i] >= 'A' && digits[i] <= 'F' ? (char)(digits[i] + ('a' - 'A')) : digits[i];
            const char *at = strchr(HEX, lower);
            byte = (uint8_t)(byte * 16 + (at == NULL ? 0 : at - HEX));
        }
        if (!buffer_append(out, bytes_of(&byte, 1)))
            return false;
    }
    return true;
}

bool client_message_write(const struct client_side *side, const struct client_step *step,
                          const struct client_writing *with, struct buffer *out)
{
    const struct client_value *data = client_option(step, "data");
    switch (step->send) {
    case STEP_SEND_TEXT:
        return add(out, step->text);
    case STEP_SEND_BINARY:
        return hex_add(client_option(step, "hex")->text, out);
    case STEP_SEND_PING:
        return !data->set || add(out, data->text);
    default: /* the number of a row */
        return side->write(step, with, out);
    }
}

enum ws_opcode client_message_opcode(const struct client_side *side, const struct client_step *step)
{
    switch (step->send) {
    case STEP_SEND_TEXT:
        return WS_OPCODE_TEXT;
    case STEP_SEND_BINARY:
        return WS_OPCODE_BINARY;
    case STEP_SEND_PING:
        return WS_OPCODE_PING;
    default:
        return side->is_binary(step) ? WS_OPCODE_BINARY : WS_OPCODE_TEXT;
    }
}
