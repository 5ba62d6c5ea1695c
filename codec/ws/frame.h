/*
 * The header of a WebSocket frame, as bytes: two of them, then the long forms of the length, then the mask
 * (RFC 6455 5.2). The functions look no further than the bytes they name.
 */
#ifndef CODEC_WS_FRAME_H
#define CODEC_WS_FRAME_H

#include "codec/wire/bytes.h"

enum { WS_FRAME_HEADER_BYTES_MIN = 2, WS_FRAME_HEADER_BYTES_MAX = 14, WS_FRAME_MASK_BYTES = 4 };

enum ws_opcode {
    WS_OPCODE_CONTINUATION = 0x0,
    WS_OPCODE_TEXT = 0x1,
    WS_OPCODE_BINARY = 0x2,
    WS_OPCODE_CLOSE = 0x8,
    WS_OPCODE_PING = 0x9,
    WS_OPCODE_PONG = 0xA
};

/* Of the payload of a control frame; what that of a close frame begins with, and what it may hold after that:
 * RFC 6455 5.5, 5.5.1. */
enum { WS_CONTROL_BYTES_MAX = 125, WS_CLOSE_CODE_BYTES = 2, WS_CLOSE_REASON_BYTES_MAX = 123 };

/* RFC 6455 7.4.1, and those registered later. Which of them may be sent: ws_close_code_is_legal. */
enum ws_close {
    WS_CLOSE_NORMAL = 1000,
    WS_CLOSE_GOING_AWAY = 1001,
    WS_CLOSE_PROTOCOL_ERROR = 1002,
    WS_CLOSE_UNSUPPORTED = 1003,
    WS_CLOSE_NO_CODE = 1005,  /* never sent: the close frame held none */
    WS_CLOSE_NO_FRAME = 1006, /* never sent: there was no close frame */
    WS_CLOSE_BAD_DATA = 1007,
    WS_CLOSE_POLICY = 1008,
    WS_CLOSE_TOO_BIG = 1009,
    WS_CLOSE_INTERNAL_ERROR = 1011,
    WS_CLOSE_RESTART = 1012,
    WS_CLOSE_TRY_AGAIN = 1013,
    WS_CLOSE_BAD_GATEWAY = 1014,
    WS_CLOSE_TLS_FAILED = 1015, /* never sent */
    WS_CLOSE_FREE_FIRST = 3000, /* libraries, then applications */
    WS_CLOSE_FREE_LAST = 4999
};

enum ws_length {
    WS_LENGTH_GOOD,
    WS_LENGTH_NOT_MINIMAL, /* a shorter form would have done */
    WS_LENGTH_ABSURD       /* the top bit of 64 is set */
};

/* Of the first two bytes. The opcode may be a reserved one. */
bool ws_frame_is_last(const uint8_t *header);
bool ws_frame_is_control(const uint8_t *header);
bool ws_frame_is_masked(const uint8_t *header);
bool ws_frame_has_reserved_bits(const uint8_t *header);
bool ws_frame_has_rsv1(const uint8_t *header);
bool ws_frame_has_reserved_opcode(const uint8_t *header);
unsigned ws_frame_opcode(const uint8_t *header);
/* Bytes of the whole header, by its first two; the mask is the last four of them. */
size_t ws_frame_header_bytes(const uint8_t *header);
/* The payload length of a whole header; *out is set unless it is absurd. */
enum ws_length ws_frame_length(const uint8_t *header, uint64_t *out);

/* Copies `in` with the mask over it (RFC 6455 5.3), which undoes it too; `offset` (0 to 3) is the place of
 * in.data[0] in the payload, modulo 4. Without a mask (NULL) it is a copy. `out` may be in.data itself, else
 * they do not overlap. */
void ws_mask_copy(uint8_t *out, struct bytes in, const uint8_t *mask, size_t offset);

/* ---- writing a frame, right or wrong ---- */

enum ws_mask {
    WS_MASK_NONE,
    WS_MASK_GOOD, /* the mask bit, a key, and the payload masked with it */
    WS_MASK_BAD   /* the mask bit and a key, and the payload as it was */
};

enum ws_length_form {
    WS_LENGTH_FORM_SHORTEST,
    WS_LENGTH_FORM_7 =
        7, /* holds the low 7 bits of the length, which may announce a form that is not there */
    WS_LENGTH_FORM_16 = 16,
    WS_LENGTH_FORM_64 = 64
};

struct ws_frame_bits {
    uint8_t opcode; /* 0 to 15 */
    uint8_t rsv;    /* 0 to 7, RSV1 is 4 */
    bool fin;
    enum ws_mask mask;
    enum ws_length_form form;
    uint64_t length; /* as declared; it need not be the payload's */
};

/* Writes the header and returns its length; the key of a mask is always the same four bytes. */
size_t ws_frame_write_header(const struct ws_frame_bits *bits, uint8_t out[WS_FRAME_HEADER_BYTES_MAX]);
/* Masks the payload in place where the bits ask for it. */
void ws_frame_mask_payload(const struct ws_frame_bits *bits, uint8_t *payload, size_t len);

#endif
