/*
 * At most OJIN_REQUESTS_PER_SECOND messages within any second (000 Rate Limits & Constraints). A
 * message that was turned away does not count, so a client that keeps on gets its six a second through.
 */
#ifndef SERVER_OJIN_RATE_WINDOW_H
#define SERVER_OJIN_RATE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/ojin/constants.h"

enum { RATE_WINDOW_US = OJIN_RATE_WINDOW_US, RATE_WINDOW_MAX = 100 };

/* All zero is an empty window. */
struct rate_window {
    size_t count; /* times kept */
    size_t next;  /* where the next time goes; the oldest stands there when the window is full */
    uint64_t times_us[RATE_WINDOW_MAX];
};

/* True when one more message, that came at `came_us`, may pass; it is then counted. `limit`: from 1 to
 * RATE_WINDOW_MAX. */
bool rate_window_pass(struct rate_window *window, uint64_t came_us, size_t limit);

#endif
