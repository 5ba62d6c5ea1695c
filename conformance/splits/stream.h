/* The bytes of messages as a server sends them: WebSocket frames, whole or in fragments. Private to
 * conformance/splits. */
#ifndef CONFORMANCE_SPLITS_STREAM_H
#define CONFORMANCE_SPLITS_STREAM_H

#include "codec/wire/buffer.h"
#include "conformance/splits/split_class.h"

enum { SPLIT_MESSAGE_MAX = 1024 };

/* The bytes of the message; at most SPLIT_MESSAGE_MAX. */
size_t split_message_bytes(const struct split_message *message, uint8_t out[SPLIT_MESSAGE_MAX]);
bool split_message_is_end(const struct split_message *message);

/* Each appends frames; false when memory runs out. Whole: */
bool split_put_whole(struct buffer *out, const struct split_message *message);
/* Two fragments, cut after `at` bytes, with a ping between or not; a message that is not longer than that is
 * whole. */
bool split_put_cut(struct buffer *out, const struct split_message *message, size_t at, bool ping);

#endif
