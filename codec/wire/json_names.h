/*
 * The member names of the objects that are open while JSON is checked, to tell a repeated one. Private to
 * codec/wire/json_*.c.
 *
 * Names are spans of the text, without their quotes, escapes still in place, and already known to be
 * well-formed. Time is n log n in the names of an object, whatever the names are: there is no hash that could
 * be flooded.
 */
#ifndef CODEC_WIRE_JSON_NAMES_H
#define CODEC_WIRE_JSON_NAMES_H

#include "codec/wire/bytes.h"
#include "codec/wire/json.h"

struct json_names {
    size_t count;
    struct bytes names[JSON_MEMBERS_MAX];
};

/* False when there are JSON_MEMBERS_MAX already. */
bool json_names_add(struct json_names *names, struct bytes name);
/* Forgets the names from `first` on, which are those of one object. False when one of them came twice:
 * *repeated is then the earliest in the text that repeats another. */
bool json_names_close(struct json_names *names, size_t first, struct bytes *repeated);

/* Takes the code point of an escape off the front of `text`, which begins with the backslash of one. Half a
 * surrogate pair is a code point of its own. */
uint32_t json_escape_take(struct bytes *text);

/* json_check, but that a repeated name is no error: it sets *repeats, which is left alone otherwise. */
struct wire_error json_check_last(struct bytes text, bool *repeats);
/* The same, or json_check with `repeats` NULL, and on success the value in `*out`, the caller's to delete;
 * WIRE_NO_SPACE without memory for it. A name that is repeated is in it as often as in the text. */
struct wire_error json_check_and_keep(struct bytes text, bool *repeats, cJSON **out);

#endif
