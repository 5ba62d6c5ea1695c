#include "codec/ws/frame.h"
#include "codec/ws/stream.h"

const char *ws_violation_sentence(enum ws_violation violation)
{
    switch (violation) {
    case WS_VIOLATION_BAD_HEAD:
        return "a connection must begin with an HTTP/1.1 head of at most 64 KB (RFC 6455 4.1)";
    case WS_VIOLATION_UNMASKED:
        return "a client must mask every frame (RFC 6455 5.1)";
    case WS_VIOLATION_MASKED:
        return "a server must not mask a frame (RFC 6455 5.1)";
    case WS_VIOLATION_RESERVED_BITS:
        return "the reserved bits must be 0 as no extension was agreed on (RFC 6455 5.2)";
    case WS_VIOLATION_RESERVED_OPCODE:
        return "the opcode must not be one of the reserved 3 to 7 and 11 to 15 (RFC 6455 5.2)";
    case WS_VIOLATION_LENGTH_NOT_MINIMAL:
        return "the payload length must take the shortest of its three forms (RFC 6455 5.2)";
    case WS_VIOLATION_CONTROL_TOO_LONG:
        return "a control frame carries at most 125 bytes (RFC 6455 5.5)";
    case WS_VIOLATION_CONTROL_FRAGMENTED:
        return "a control frame must not be fragmented (RFC 6455 5.5)";
    case WS_VIOLATION_BAD_CONTINUATION:
        return "fragments must follow each other: one first frame, then continuations (RFC 6455 5.4)";
    case WS_VIOLATION_TEXT_NOT_UTF8:
        return "a text message must be UTF-8 (RFC 6455 8.1)";
    case WS_VIOLATION_BAD_CLOSE:
        return "a close frame carries nothing, or a legal code and a UTF-8 reason (RFC 6455 5.5.1, 7.4)";
    case WS_VIOLATION_AFTER_CLOSE:
        return "nothing but pongs may follow a close frame (RFC 6455 5.5.1, 5.5.2)";
    case WS_VIOLATION_LENGTH_ABSURD:
        return "the top bit of a 64-bit payload length must be 0 (RFC 6455 5.2)";
    case WS_VIOLATION_BAD_DEFLATE:
        return "a compressed message must be whole blocks of DEFLATE (RFC 7692 7.2.1)";
    case WS_VIOLATION_DEFLATE_TOO_MUCH:
        return "a compressed message must not grow beyond what is taken in (RFC 7692 7.2.2)";
    }
    return "";
}

const char *ws_violation_name(enum ws_violation violation)
{
    switch (violation) {
    case WS_VIOLATION_BAD_HEAD:
        return "bytes that are no such head";
    case WS_VIOLATION_UNMASKED:
        return "an unmasked frame";
    case WS_VIOLATION_MASKED:
        return "a masked frame";
    case WS_VIOLATION_RESERVED_BITS:
        return "a frame with a reserved bit set";
    case WS_VIOLATION_RESERVED_OPCODE:
        return "a frame with a reserved opcode";
    case WS_VIOLATION_LENGTH_NOT_MINIMAL:
        return "a longer form of the payload length than it needs";
    case WS_VIOLATION_CONTROL_TOO_LONG:
        return "a control frame of more than 125 bytes";
    case WS_VIOLATION_CONTROL_FRAGMENTED:
        return "a control frame in fragments";
    case WS_VIOLATION_BAD_CONTINUATION:
        return "a fragment out of its place";
    case WS_VIOLATION_TEXT_NOT_UTF8:
        return "a text message that is not UTF-8";
    case WS_VIOLATION_BAD_CLOSE:
        return "a close frame that carries something else";
    case WS_VIOLATION_AFTER_CLOSE:
        return "a frame after the close frame";
    case WS_VIOLATION_LENGTH_ABSURD:
        return "a payload length with its top bit set";
    case WS_VIOLATION_BAD_DEFLATE:
        return "a compressed message that cannot be read";
    case WS_VIOLATION_DEFLATE_TOO_MUCH:
        return "a compressed message that grows and grows";
    }
    return "";
}

size_t ws_server_header_bytes(size_t payload_bytes)
{
    if (payload_bytes <= 125)
        return 2;
    return payload_bytes <= UINT16_MAX ? 4 : 10;
}

bool ws_close_code_is_legal(uint16_t code)
{
    /* 1004 to 1006 and 1015 must not be sent; 1012 to 1014 were registered after the RFC; 3000 on are free.
     */
    return (code >= WS_CLOSE_NORMAL && code <= WS_CLOSE_UNSUPPORTED) ||
           (code >= WS_CLOSE_BAD_DATA && code <= WS_CLOSE_BAD_GATEWAY) ||
           (code >= WS_CLOSE_FREE_FIRST && code <= WS_CLOSE_FREE_LAST);
}

uint16_t ws_violation_close_code(enum ws_violation violation)
{
    switch (violation) {
    case WS_VIOLATION_UNMASKED:
    case WS_VIOLATION_MASKED:
    case WS_VIOLATION_RESERVED_BITS:
    case WS_VIOLATION_RESERVED_OPCODE:
    case WS_VIOLATION_CONTROL_TOO_LONG:
    case WS_VIOLATION_CONTROL_FRAGMENTED:
    case WS_VIOLATION_BAD_CONTINUATION:
    case WS_VIOLATION_LENGTH_ABSURD:
    case WS_VIOLATION_BAD_DEFLATE:
        return WS_CLOSE_PROTOCOL_ERROR;
    case WS_VIOLATION_TEXT_NOT_UTF8:
        return WS_CLOSE_BAD_DATA;
    case WS_VIOLATION_BAD_HEAD:
    case WS_VIOLATION_LENGTH_NOT_MINIMAL:
    case WS_VIOLATION_BAD_CLOSE:
    case WS_VIOLATION_AFTER_CLOSE:
    case WS_VIOLATION_DEFLATE_TOO_MUCH:
        return 0;
    }
    return 0;
}
