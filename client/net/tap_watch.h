/* What the server's bytes say that the WebSocket library would not tell. Private to the tap. */
#ifndef CLIENT_NET_TAP_WATCH_H
#define CLIENT_NET_TAP_WATCH_H

#include "client/net/tap.h"
#include "codec/wire/wire_event.h"

/* The sink of a ws_stream; `context` is a struct tap_seen. */
void tap_watch(void *context, const struct wire_event *event);

#endif
