/*
 * A plan on a client core of the full-duplex family: speak talks (16 kHz), force-listen interrupts, end
 * closes once the answer was heard, close says session.close, wait and reconnect are as ever. It cannot
 * cancel.
 *
 * After: ready, ready:N: session.created. speech:N: N deltas of which the sound began to be played. listen,
 * listen:N: response.listen. turn, turn:N: turns that were over, heard to the end or cut off. These
 * three count since the latest speak, and listen since the latest force-listen. idle: such a turn was over,
 * and nothing is queued. sent, error, closed: as ever. final: session.closed.
 */
#ifndef CLIENT_PLAN_DUPLEX_RUNNER_H
#define CLIENT_PLAN_DUPLEX_RUNNER_H

#include "client/duplex/client.h"
#include "client/plan/plan.h"

struct duplex_plan_runner {
    const struct client_plan *plan;
    struct duplex_client *client;
    size_t next;
    bool waiting;
    uint64_t wait_until_us;
};

void duplex_plan_runner_init(struct duplex_plan_runner *runner, const struct client_plan *plan,
                             struct duplex_client *client);
bool duplex_plan_runner_is_done(const struct duplex_plan_runner *runner);
/* Can a client of this family do the step? */
bool duplex_plan_can_do(const struct client_plan_step *step);

/* Its `plan` is a struct duplex_plan_runner. */
extern const struct client_driver DUPLEX_PLAN_DRIVER;

#endif
