/* What the parts of the tap share: tap.c, its life, and tap_flow.c, its bytes. */
#ifndef SERVER_NET_TAP_PARTS_H
#define SERVER_NET_TAP_PARTS_H

#include "server/net/tap.h"

static inline uint64_t tap_now_us(const struct tap *tap)
{
    return tap->events.now_us(tap->events.context);
}

static inline size_t tap_left_in(const struct buffer *buffer, size_t sent)
{
    return buffer->len - sent;
}

/* tap_flow.c */
/* Is what the client sends taken in now? */
bool tap_reads_client(const struct tap *tap);
void tap_read_client(struct tap *tap);
/* Until nothing is left, a gap is due or the client does not take more. */
void tap_write_client(struct tap *tap);
void tap_read_library(struct tap *tap);
void tap_write_library(struct tap *tap);

/* tap.c */
/* The next tick from then on reads what the client has sent, of which no poll tells. */
void tap_look_again(struct tap *tap, uint64_t at_us);
/* What the polls are to wait for has changed. */
void tap_set_interests(struct tap *tap);
/* The client has ended its side. */
void tap_client_end(struct tap *tap, bool reset);
/* Its socket is of no use any more. */
void tap_client_fail(struct tap *tap);
/* The library's side is over. */
void tap_close_pair(struct tap *tap);

#endif
