/* What the server's bytes say that the WebSocket library would not tell. Private to the tap. */
#ifndef CLIENT_NET_TAP_WATCH_H
#define CLIENT_NET_TAP_WATCH_H

#include "client/net/tap.h"
#include "codec/wire/wire_event.h"
#include "codec/ws/frame.h"

/* The code of the close frame that answers a violation: RFC 6455 7.4.1. */
enum tap_fail {
    TAP_FAIL_PROTOCOL = WS_CLOSE_PROTOCOL_ERROR,
    TAP_FAIL_NOT_UTF8 = WS_CLOSE_BAD_DATA,
    TAP_FAIL_TOO_BIG = WS_CLOSE_TOO_BIG
};

/* For each event of the stream. */
void tap_watch(struct tap_seen *seen, const struct wire_event *event);
/* The first violation is the one that counts. */
void tap_watch_violation(struct tap_seen *seen, enum tap_fail code, struct bytes sentence);

#endif
