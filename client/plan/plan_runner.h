/*
 * A plan on a client core, whatever its family: steps fall due in order, as what they wait for happens. What
 * a family can do of a plan, and how, is its own (struct plan_class, which the family's client_class holds).
 */
#ifndef CLIENT_PLAN_PLAN_RUNNER_H
#define CLIENT_PLAN_PLAN_RUNNER_H

#include "client/core/event.h"
#include "client/plan/plan.h"

/* A family's client, to who runs plans on it. `core` is that of its client_class. */
struct plan_class {
    bool (*can_do)(const struct client_plan_step *step);
    void (*progress)(const void *core, struct client_progress *out);
    /* Carries out any step but connect and wait that it can do. True when that was a command, so that the
     * core is to be stepped again. */
    bool (*perform)(void *core, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions);
};

/* Can a client of this class do all of the plan? It connects once, first of all. */
bool client_plan_can_follow(const struct plan_class *class, const struct client_plan *plan);

/* What it points to is borrowed. */
struct plan_runner {
    const struct client_plan *plan;
    const struct plan_class *class;
    void *core;
    size_t next;
    bool waiting;
    uint64_t wait_until_us;
};

void plan_runner_init(struct plan_runner *runner, const struct client_plan *plan,
                      const struct plan_class *class, void *core);
/* To be called after every step of the core, with the same list. True when it gave a command. */
bool plan_runner_step(struct plan_runner *runner, uint64_t now_us, struct client_actions *actions);
uint64_t plan_runner_deadline_us(const struct plan_runner *runner); /* UINT64_MAX: none */
bool plan_runner_is_done(const struct plan_runner *runner);

/* The same for a host that drives cores: its `plan` is a struct plan_runner. */
extern const struct client_driver PLAN_DRIVER;

#endif
