/*
 * Which pings still wait for their pong. RFC 6455 5.5.2, 5.5.3: a pong answers the ping whose data it carries
 * and all before it.
 *
 * Judged by the newest unanswered ping, as the older ones need no pong of their own; only when pings come so
 * fast that there is always a new one, by the oldest. A pong of other data answers none, and needs no ping.
 * But where it comes while a ping waits that is the newest, and that ping gets no pong of its own, it was the
 * answer, and a wrong one.
 */
#ifndef CODEC_RULES_PONG_WAIT_H
#define CODEC_RULES_PONG_WAIT_H

#include "codec/rules/finding_book.h"
#include "codec/wire/wire_event.h"

enum { PINGS_KEPT = 32, PING_BYTES_MAX = 125 };

struct ping {
    uint64_t at_us;
    uint64_t event; /* finding_book_event */
    size_t len;
    uint8_t data[PING_BYTES_MAX];
    bool has_other; /* a pong of other data came while it was the newest */
    size_t other_len;
    uint64_t other_event;
};

/* Pings that neither they nor a newer one were answered for, oldest first. All zero is none. */
struct pong_state {
    size_t count;
    struct ping pings[PINGS_KEPT];
};

/* Whose pongs are asked for, and how long one may take. */
struct pong_terms {
    enum wire_direction answerer;
    uint64_t wait_us;   /* of the newest ping */
    uint64_t oldest_us; /* of the oldest, whatever came after it */
};

/* Any event of the session, in order: what it shows of `rule` goes into the book. A ping that is a fault asks
 * for nothing. */
void pong_wait_event(struct pong_state *pong, const struct pong_terms *terms, const struct wire_event *event,
                     struct finding_book *book, size_t rule);
/* What waits at the end has not waited long enough; a wrong answer is one all the same. */
void pong_wait_ending(struct pong_state *pong, const struct pong_terms *terms, uint64_t now_us,
                      struct finding_book *book, size_t rule);

#endif
