#include "codec/ws/frame.h"

/* The 7-bit length stands for itself up to 125; these two announce a longer form. */
enum { LENGTH_IN_16_BITS = 126, LENGTH_IN_64_BITS = 127 };

bool ws_frame_is_last(const uint8_t *header)
{
    return (header[0] & 0x80) != 0;
}
bool ws_frame_is_control(const uint8_t *header)
{
    return (header[0] & 0x08) != 0;
}
bool ws_frame_is_masked(const uint8_t *header)
{
    return (header[1] & 0x80) != 0;
}
bool ws_frame_has_reserved_bits(const uint8_t *header)
{
    return (header[0] & 0x70) != 0;
}

bool ws_frame_has_rsv1(const uint8_t *header)
{
    return (header[0] & 0x40) != 0;
}
unsigned ws_frame_opcode(const uint8_t *header)
{
    return header[0] & 0x0F;
}

bool ws_frame_has_reserved_opcode(const uint8_t *header)
{
    unsigned opcode = ws_frame_opcode(header);
    return opcode > WS_OPCODE_PONG || (opcode > WS_OPCODE_BINARY && opcode < WS_OPCODE_CLOSE);
}

static unsigned short_length(const uint8_t *header)
{
    return header[1] & 0x7F;
}

static size_t length_bytes(const uint8_t *header)
{
    if (short_length(header) == LENGTH_IN_64_BITS)
        return 8;
    return short_length(header) == LENGTH_IN_16_BITS ? 2 : 0;
}

size_t ws_frame_header_bytes(const uint8_t *header)
{
    size_t mask_bytes = ws_frame_is_masked(header) ? WS_FRAME_MASK_BYTES : 0;
    return WS_FRAME_HEADER_BYTES_MIN + length_bytes(header) + mask_bytes;
}

enum ws_length ws_frame_length(const uint8_t *header, uint64_t *out)
{
    size_t bytes = length_bytes(header);
    uint64_t length = bytes == 0 ? short_length(header) : 0;
    for (size_t i = 0; i < bytes; i++)
        length = length << 8 | header[WS_FRAME_HEADER_BYTES_MIN + i];
    if (length >> 63 != 0)
        return WS_LENGTH_ABSURD;
    *out = length;
    bool minimal = bytes == 0 || (bytes == 2 && length >= LENGTH_IN_16_BITS) || length > UINT16_MAX;
    return minimal ? WS_LENGTH_GOOD : WS_LENGTH_NOT_MINIMAL;
}

void ws_mask_copy(uint8_t *out, struct bytes in, const uint8_t *mask, size_t offset)
{
    if (mask == NULL) {
        if (in.len > 0 && out != in.data)
            memcpy(out, in.data, in.len);
        return;
    }
    uint8_t twice[2 * WS_FRAME_MASK_BYTES];
    uint64_t key, word;
    size_t done = 0;
    for (size_t i = 0; i < sizeof twice; i++)
        twice[i] = mask[(offset + i) % WS_FRAME_MASK_BYTES];
    memcpy(&key, twice, sizeof key);
    for (; in.len - done >= sizeof word; done += sizeof word) {
        memcpy(&word, in.data + done, sizeof word);
        word ^= key;
        memcpy(out + done, &word, sizeof word);
    }
    for (size_t i = 0; done < in.len; i++, done++)
        out[done] = in.data[done] ^ twice[i];
}

/* A key that shows: none of its bytes is 0, so a masked byte is never the byte itself. */
static const uint8_t MASK_KEY[WS_FRAME_MASK_BYTES] = {0x5A, 0xC3, 0x96, 0x0F};

static enum ws_length_form form_of(const struct ws_frame_bits *bits)
{
    if (bits->form != WS_LENGTH_FORM_SHORTEST)
        return bits->form;
    if (bits->length < LENGTH_IN_16_BITS)
        return WS_LENGTH_FORM_7;
    return bits->length <= UINT16_MAX ? WS_LENGTH_FORM_16 : WS_LENGTH_FORM_64;
}

size_t ws_frame_write_header(const struct ws_frame_bits *bits, uint8_t out[WS_FRAME_HEADER_BYTES_MAX])
{
    const enum ws_length_form form = form_of(bits);
    const size_t bytes = form == WS_LENGTH_FORM_7 ? 0 : (size_t)form / 8;
    size_t len = WS_FRAME_HEADER_BYTES_MIN;
    out[0] = (uint8_t)((bits->fin ? 0x80 : 0) | (bits->rsv & 7) << 4 | (bits->opcode & 0x0F));
    if (form == WS_LENGTH_FORM_7)
        out[1] = (uint8_t)(bits->length & 0x7F);
    else
        out[1] = form == WS_LENGTH_FORM_16 ? LENGTH_IN_16_BITS : LENGTH_IN_64_BITS;
    for (size_t i = bytes; i > 0; i--)
        out[len++] = (uint8_t)(bits->length >> (8 * (i - 1)));
    if (bits->mask == WS_MASK_NONE)
        return len;
    out[1] |= 0x80;
    memcpy(out + len, MASK_KEY, sizeof MASK_KEY);
    return len + sizeof MASK_KEY;
}

void ws_frame_mask_payload(const struct ws_frame_bits *bits, uint8_t *payload, size_t len)
{
    for (size_t i = 0; bits->mask == WS_MASK_GOOD && i < len; i++)
        payload[i] ^= MASK_KEY[i % sizeof MASK_KEY];
}
