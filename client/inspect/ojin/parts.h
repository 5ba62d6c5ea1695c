/* What the files of this folder share: messages of the Ojin protocol as JSON, and back. */
#ifndef CLIENT_INSPECT_OJIN_PARTS_H
#define CLIENT_INSPECT_OJIN_PARTS_H

#include "client/inspect/inspect_class.h"
#include "codec/ojin/frame.h"

/* What a message most likely is: valid UTF-8 without control characters is text, else it is what it decodes
 * as. Never INSPECT_AUTO. */
enum inspect_kind ojin_inspect_guess(struct bytes message);
void ojin_inspect_message(struct description *description, struct bytes message, enum inspect_kind kind);
void ojin_inspect_frame_header(struct description *description, const struct ojin_frame *frame);
/* "audio" and the like; NULL for a type that is not known. */
const char *ojin_inspect_payload_name(uint8_t type);
void ojin_inspect_entry(struct description *description, const struct inspect_entry *entry);
bool ojin_inspect_build(struct builder *builder, const char *kind, const cJSON *object);

#endif
