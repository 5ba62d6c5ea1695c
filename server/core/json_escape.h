/*
 * The other way to write the same JSON: with an escape for every character that may have one without need.
 * Some writers put all that is not ASCII as \uXXXX, some a slash as \/, in base64 too.
 */
#ifndef SERVER_CORE_JSON_ESCAPE_H
#define SERVER_CORE_JSON_ESCAPE_H

#include "codec/wire/buffer.h"

/* Appends good JSON so. False when there is no room. */
bool json_escape_all(struct bytes json, struct buffer *out);

#endif
