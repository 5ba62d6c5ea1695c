/*
 * When to try again after a connection was lost or refused, and for how long: 000 Best Practices, Error
 * Handling; RFC 9110 10.2.3 for Retry-After. A small state machine without a clock: it is asked at each loss
 * and answers with a delay. The cores ask it; the command line knows its limits.
 *
 * Delays double from RECONNECT_FIRST_DELAY_US to RECONNECT_DELAY_MAX_US. A session that held for
 * RECONNECT_HEALTHY_US, and nothing less, begins the count anew, so a server that drops every session soon
 * after sessionReady is given up as well.
 */
#ifndef CLIENT_CORE_RECONNECT_H
#define CLIENT_CORE_RECONNECT_H

#include "client/core/observation.h"
#include "codec/wire/bytes.h"
#include "codec/wire/text.h"

enum {
    RECONNECT_FIRST_DELAY_US = 500000,
    RECONNECT_DELAY_MAX_US = 30000000,
    RECONNECT_ASKED_MAX_US = 300000000, /* a Retry-After beyond it is not waited for: the client gives up */
    RECONNECT_HEALTHY_US = 30000000,
    RECONNECT_TIMES_DEFAULT = 5, /* attempts in a row, for a user who wants it and names no number */
    RECONNECT_TIMES_MAX = 100    /* the most in a row that can be asked for */
};

struct reconnect {
    uint32_t times; /* in a row; 0: not at all */
    uint32_t tried;
    uint64_t random; /* 0: no jitter; else delays grow by up to a quarter, always the same for a seed */
};

/* The delay before the next attempt, not less than `asked_us` (0: the server asked for none). False when the
 * limit is reached, or the server asks for more than RECONNECT_ASKED_MAX_US. */
bool reconnect_next(struct reconnect *reconnect, uint64_t asked_us, uint64_t *delay_us);
void reconnect_healthy(struct reconnect *reconnect);
/* What a client reports of an attempt, with `code` as the state it is in: "connecting, attempt 2 of 5", or
 * when it waits, after which delay that comes … */
void reconnect_observe(const struct reconnect *reconnect, const char *code, bool waits, uint64_t delay_us,
                       struct observation *out);
/* … and why reconnect_next was false. */
void reconnect_say_end(const struct reconnect *reconnect, uint64_t asked_us, struct text *out);

/* Can another attempt, unchanged, end otherwise? A 401 cannot, a 503 can. 0: there was no connection. */
bool reconnect_status_can_pass(uint16_t http_status);
/* The same of a close code of the server: 1008 cannot, nor 1000, which is an end in good order, nor the
 * private codes, which name refusals (field notes: 4001, 4401). */
bool reconnect_close_can_pass(uint16_t close_code);

/* A Retry-After: seconds, or a date in one of the three forms of RFC 9110 5.6.7. False when it is neither. A
 * date that is past gives 0. */
bool retry_after_read(struct bytes value, uint64_t now_ms, uint64_t *wait_us);

#endif
