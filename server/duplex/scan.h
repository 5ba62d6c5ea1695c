/*
 * Finding single members of a client's message without parsing it: an append is large, and those who only
 * name or count messages see every one. Strings are skipped whole, so what stands in one is never taken for
 * a member; escapes in names are not decoded, as no client has any. Nothing is checked: a message that is
 * broken may give anything that stands in it.
 */
#ifndef SERVER_DUPLEX_SCAN_H
#define SERVER_DUPLEX_SCAN_H

#include "codec/wire/bytes.h"

/* The `type` of the outermost object; empty: there is none. */
struct bytes duplex_scan_type(struct bytes message);
bool duplex_scan_is_append(struct bytes message);
/* The string `audio` of the outermost object, or of an object in it. */
bool duplex_scan_audio(struct bytes message, struct bytes *out);

#endif
