/*
 * Which pings still wait for their pong. RFC 6455 5.5.2, 5.5.3: a pong answers the ping whose data it carries
 * and all before it.
 *
 * Judged by the newest unanswered ping, as the older ones need no pong of their own; only when pings come so
 * fast that there is always a new one, by the oldest.
 */
#ifndef CODEC_RULES_PONG_WAIT_H
#define CODEC_RULES_PONG_WAIT_H

#include "codec/wire/text.h"
#include "codec/wire/wire_event.h"

enum { PINGS_KEPT = 32, PING_BYTES_MAX = 125 };

struct ping {
    uint64_t at_us;
    size_t len;
    uint8_t data[PING_BYTES_MAX];
};

/* Pings that neither they nor a newer one were answered for, oldest first. All zero is none. */
struct pong_state {
    size_t count;
    struct ping pings[PINGS_KEPT];
};

void pong_wait_ping(struct pong_state *pong, const struct wire_event *event);
/* True when the pong answers a ping that was waiting: that one and all before it are done. */
bool pong_wait_pong(struct pong_state *pong, struct bytes data);
/* Has the newest ping waited for `wait_us`, or the oldest for `oldest_us`, whatever came after it? */
bool pong_wait_overdue(const struct pong_state *pong, uint64_t now_us, uint64_t wait_us, uint64_t oldest_us);
/* How long the oldest has waited; 0 when none waits. */
uint64_t pong_wait_waited_us(const struct pong_state *pong, uint64_t now_us);
/* What an overdue pong is told with: the data that is waited for, and for how long. */
void pong_wait_write(const struct pong_state *pong, uint64_t now_us, struct text *expected,
                     struct text *actual);

#endif
