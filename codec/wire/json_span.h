/* A member of an object as its text has it, for what is passed on and not read. */
#ifndef CODEC_WIRE_JSON_SPAN_H
#define CODEC_WIRE_JSON_SPAN_H

#include "codec/wire/bytes.h"

/* The value of the last member of that name in the object that `text` is, without white space around it;
 * borrowed from `text`, which json_check or json_parse_last has taken. False: it has none. */
bool json_member_span(struct bytes text, const char *name, struct bytes *out);

#endif
