/*
 * JSON on the wire: a strict check of RFC 8259, and values of cJSON made of what passes it.
 *
 * The parser of cJSON accepts leading zeros, broken UTF-8, repeated members and rubbish after the value;
 * json_check does not. Depth is limited to JSON_DEPTH_MAX, without recursion on input.
 */
#ifndef CODEC_WIRE_JSON_H
#define CODEC_WIRE_JSON_H

#include <cjson/cJSON.h>

#include "codec/wire/bytes.h"
#include "codec/wire/wire_status.h"

enum {
    JSON_DEPTH_MAX = 64,
    JSON_MEMBERS_MAX = 4096,    /* members of all objects that are open at one place of the text */
    JSON_NUMBER_BYTES_MAX = 63, /* of one number */
    JSON_MESSAGE_BYTES_MAX = 8 * 1024 * 1024 /* of a text that json_message_parse takes */
};

/*
 * WIRE_OK for exactly one JSON value with white space around it; else one of these, with the offset of the
 * first wrong byte and what was expected or wrong in `field`.
 *
 * WIRE_NOT_JSON: the grammar refuses it ("value", "member name", "escape" …), or it holds broken UTF-8
 * ("UTF-8") or begins with a byte order mark.
 *
 * WIRE_UNREADABLE_JSON: RFC 8259 lets it pass, and it is not read here all the same: \u0000 in any string,
 * which in cJSON would be its end ("NUL"), half a surrogate pair in escapes ("surrogate pair"), a member
 * name that comes twice in an object (compared decoded; told at its second occurrence: "repeated member"),
 * and what is past one of the limits above ("depth", "number of members", "number length"). Past the depth
 * nothing more is looked at.
 */
struct wire_error json_check(struct bytes text);

/* Checks, then parses. On success `*out` is owned by the caller (cJSON_Delete); on failure it is left alone.
 * Statuses: those of json_check, and WIRE_NO_SPACE without memory. */
struct wire_error json_parse(struct bytes text, cJSON **out);

/* For what a peer sends: the same, but a member name that comes twice in an object is no error. The last
 * member of a name stands, as most readers have it, and `*out` holds no other. */
struct wire_error json_parse_last(struct bytes text, cJSON **out);
/* Does json_parse_last take it, and is there such a name in it? */
bool json_repeats(struct bytes text);

/* A tree as compact text, to be freed with cJSON_free; NULL without memory. Numbers that json_parse or
 * json_parse_last read have the digits that they had: cJSON alone writes fifteen. */
char *json_print(const cJSON *tree);
/* A number of which json_print writes all digits, up to 2^64 - 1; its valuedouble is the nearest double. NULL
 * without memory. */
cJSON *json_number_new(uint64_t value);

/* The member of an object, or NULL; NULL too when `object` is NULL or no object. Names compare exactly. */
const cJSON *json_member(const cJSON *object, const char *name);
/* True and *out for a number with an integral value (1.0 and 1e3 are) from -2^53 to 2^53, where a double is
 * exact. */
bool json_integer(const cJSON *value, int64_t *out);
/* The same, and why not: WIRE_WRONG_MEMBER_TYPE for what is no number or has a fraction, WIRE_OUT_OF_RANGE
 * for a number beyond 2^53 on either side. */
enum wire_status json_integer_read(const cJSON *value, int64_t *out);

#endif
