/* What the fuzz harnesses of the WebSocket endpoint share: its handshake done, in either role. */
#ifndef CODEC_TESTS_FUZZ_WS_BEGIN_H
#define CODEC_TESTS_FUZZ_WS_BEGIN_H

#include "codec/ws/endpoint.h"

/* A server is fed a right request. A client sends one, and is fed the answer that belongs to its key; what it
 * has sent stays to be drained. `compress`: the request offers compressed messages, and the answer takes
 * them. */
void fuzz_ws_begin(struct ws_endpoint *endpoint, enum ws_role role, bool compress);

#endif
