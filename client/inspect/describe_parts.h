/* What the description of a message and that of a journal's line share. Private to client/inspect. */
#ifndef CLIENT_INSPECT_DESCRIBE_PARTS_H
#define CLIENT_INSPECT_DESCRIBE_PARTS_H

#include "client/inspect/description.h"
#include "client/inspect/inspect.h"
#include "codec/ojin/frame.h"

/* Adds the members of a message to the description; `kind` is not INSPECT_AUTO. */
void describe_message(struct description *description, struct bytes message, enum inspect_kind kind);
void describe_frame_header(struct description *description, const struct ojin_frame *frame);
/* "audio" and the like; NULL for a type that is not known. */
const char *payload_type_name(uint8_t type);

#endif
