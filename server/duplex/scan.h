/* Finding single members of a client's message without parsing it: see codec/wire/json_scan.h. */
#ifndef SERVER_DUPLEX_SCAN_H
#define SERVER_DUPLEX_SCAN_H

#include "codec/wire/bytes.h"

/* The `type` of the outermost object; empty: there is none. */
struct bytes duplex_scan_type(struct bytes message);
bool duplex_scan_is_append(struct bytes message);
/* The string `audio` of the outermost object, or of an object in it. */
bool duplex_scan_audio(struct bytes message, struct bytes *out);

#endif
