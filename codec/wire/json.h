/*
 * JSON on the wire: a strict check of RFC 8259 first, then cJSON.
 *
 * cJSON by itself accepts leading zeros, broken UTF-8, repeated members and rubbish after the value; json_check
 * does not. Depth is limited to JSON_DEPTH_MAX, without recursion on input.
 */
#ifndef CODEC_WIRE_JSON_H
#define CODEC_WIRE_JSON_H

#include <cjson/cJSON.h>

#include "codec/wire/bytes.h"
#include "codec/wire/wire_status.h"

enum { JSON_DEPTH_MAX = 64 };

/*
 * WIRE_OK for exactly one JSON value with white space around it; else WIRE_NOT_JSON with the offset of the first
 * wrong byte and, in `field`, what was expected ("string", "member name", "repeated member", "UTF-8", "depth" …).
 */
struct wire_error json_check(struct bytes text);

/* Checks, then parses. On success `*out` is owned by the caller (cJSON_Delete); on failure it is left alone. */
struct wire_error json_parse(struct bytes text, cJSON **out);

/* The member of an object, or NULL; NULL too when `object` is NULL or no object. Names compare exactly. */
const cJSON *json_member(const cJSON *object, const char *name);
/* True and *out for a number with an integral value in the range of int64 that a double holds exactly. */
bool json_integer(const cJSON *value, int64_t *out);

#endif
