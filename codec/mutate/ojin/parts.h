/* Changes to the binary messages of the Ojin protocol. Private to codec/mutate/ojin. */
#ifndef CODEC_MUTATE_OJIN_PARTS_H
#define CODEC_MUTATE_OJIN_PARTS_H

#include "codec/mutate/edit.h"

/* The `change` of InteractionResponse; a message shorter than its header is left alone. */
bool mutate_ojin_frame(struct mutate_edit *edit);
/* Its `smaller`: entries left out, many first, and their data shortened. */
size_t mutate_ojin_frame_smaller(size_t n, uint8_t *data, size_t len);
/* The `change` of InteractionInput; the same. */
bool mutate_ojin_input(struct mutate_edit *edit);

#endif
