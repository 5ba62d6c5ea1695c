/*
 * Finding one string of a message without parsing it: messages with sound are large, and those who only name
 * or count messages see every one. Strings are skipped whole, so what stands in one is never taken for a
 * member; escapes in names are not decoded, as no client has any. Nothing is checked: a message that is
 * broken may give anything that stands in it.
 */
#ifndef CODEC_WIRE_JSON_SCAN_H
#define CODEC_WIRE_JSON_SCAN_H

#include "codec/wire/bytes.h"

/* The first string of that name, undecoded, in the outermost object (depth 1) or in an object down to
 * `depth_max`. False: there is none. */
bool json_scan_text(struct bytes text, const char *name, unsigned depth_max, struct bytes *out);

#endif
