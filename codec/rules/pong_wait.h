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

#include "codec/wire/text.h"
#include "codec/wire/wire_event.h"

enum { PINGS_KEPT = 32, PING_BYTES_MAX = 125 };

struct ping {
    uint64_t at_us;
    size_t len;
    uint8_t data[PING_BYTES_MAX];
    bool has_other; /* a pong of other data came while it was the newest */
    size_t other_len;
};

/* Pings that neither they nor a newer one were answered for, oldest first. All zero is none. */
struct pong_state {
    size_t count;
    struct ping pings[PINGS_KEPT];
};

void pong_wait_ping(struct pong_state *pong, const struct wire_event *event);
enum pong_answer {
    PONG_UNASKED, /* none that waits has its data */
    PONG_ANSWERS, /* that one and all before it are done */
    PONG_PASSES   /* the same, but one before it had a wrong answer: the texts say which */
};
enum pong_answer pong_wait_pong(struct pong_state *pong, struct bytes data, struct text *expected,
                                struct text *actual);
/* At the end: did one that waits have a wrong answer? The texts say which. */
bool pong_wait_is_wrong(const struct pong_state *pong, struct text *expected, struct text *actual);
/* Has the newest ping waited for `wait_us`, or the oldest for `oldest_us`, whatever came after it? */
bool pong_wait_overdue(const struct pong_state *pong, uint64_t now_us, uint64_t wait_us, uint64_t oldest_us);
/* How long the oldest has waited; 0 when none waits. */
uint64_t pong_wait_waited_us(const struct pong_state *pong, uint64_t now_us);
/* What an overdue pong is told with: the data that is waited for, and for how long. */
void pong_wait_write(const struct pong_state *pong, uint64_t now_us, struct text *expected,
                     struct text *actual);

#endif
