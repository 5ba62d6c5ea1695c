/* The error codes of the full-duplex protocol, and the reasons why a session ends. 002 Error Codes, Close. */
#ifndef CODEC_DUPLEX_ERROR_CODE_H
#define CODEC_DUPLEX_ERROR_CODE_H

#include "codec/wire/bytes.h"

enum duplex_error_code {
#define DUPLEX_ERROR(enumerator, wire_name, type, closes, source, description) DUPLEX_ERROR_##enumerator,
#include "codec/duplex/error_code.def"
#undef DUPLEX_ERROR
    DUPLEX_ERROR_COUNT
};

/* All static strings. */
const char *duplex_error_name(enum duplex_error_code code);
const char *duplex_error_description(enum duplex_error_code code);
/* "client_error" or "server_error". */
const char *duplex_error_type(enum duplex_error_code code);
/* Where it comes from: "002 Error Codes". */
const char *duplex_error_source(enum duplex_error_code code);
/* The close code that follows it: 1013, or 0 when the session goes on. */
uint16_t duplex_error_close(enum duplex_error_code code);
/* False for a name that is none of them. */
bool duplex_error_by_name(struct bytes name, enum duplex_error_code *out);

enum duplex_reason {
    DUPLEX_REASON_USER_STOP,       /* of session.close */
    DUPLEX_REASON_STOPPED,         /* of session.closed, as those that follow */
    DUPLEX_REASON_TIMEOUT,         /* the session has lasted its time */
    DUPLEX_REASON_CONTEXT_FULL,    /* DUPLEX_CONTEXT_TOKENS are reached */
    DUPLEX_REASON_SERVER_SHUTDOWN, /* the server goes */
    DUPLEX_REASON_ERROR,           /* nothing could be done about it */
    DUPLEX_REASON_COUNT
};

const char *duplex_reason_name(enum duplex_reason reason);
bool duplex_reason_by_name(struct bytes name, enum duplex_reason *out);

#endif
