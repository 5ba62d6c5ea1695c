/*
 * The statuses of the codec layer, from one table (wire_status.def), and where in a message one was met.
 */
#ifndef CODEC_WIRE_WIRE_STATUS_H
#define CODEC_WIRE_WIRE_STATUS_H

#include <stddef.h>

enum wire_status {
#define WIRE_STATUS(enumerator, wire_name, sentence) WIRE_##enumerator,
#include "codec/wire/wire_status.def"
#undef WIRE_STATUS
};

/* `field` is a static string: the field or member the status is about; NULL when status is WIRE_OK. */
struct wire_error {
    enum wire_status status;
    size_t offset; /* bytes from the start of the message */
    const char *field;
};

/* Both return static strings. */
const char *wire_status_name(enum wire_status status);
const char *wire_status_sentence(enum wire_status status);

#endif
