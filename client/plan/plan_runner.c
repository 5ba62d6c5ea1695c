#include "client/plan/plan_runner.h"

void plan_runner_init(struct plan_runner *runner, const struct client_plan *plan,
                      const struct plan_class *class, void *core)
{
    *runner = (struct plan_runner){.plan = plan, .class = class, .core = core};
}

bool client_plan_can_follow(const struct plan_class *class, const struct client_plan *plan)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct client_plan_step *step = &plan->steps[i];
        if (step->unknown || !class->can_do(step))
            return false;
        if (step->what == DO_CONNECT && (i > 0 || step->after != AFTER_NOTHING))
            return false;
    }
    return true;
}

static bool has_happened(const struct client_plan_step *step, const struct client_progress *progress)
{
    const uint64_t count = step->after_count > 1 ? step->after_count : 1;
    switch (step->after) {
    case AFTER_NOTHING:
        return true;
    case AFTER_READY:
        return count == 1 ? progress->ready : progress->readies >= count;
    case AFTER_SPEECH:
        return progress->speech >= count;
    case AFTER_LISTEN:
        return progress->listens >= count;
    case AFTER_TURN:
        return progress->turns >= count;
    case AFTER_SENT:
        return progress->sent;
    case AFTER_IDLE:
        return progress->idle;
    case AFTER_FINAL:
        return progress->final;
    case AFTER_ERROR:
        return progress->errors > 0;
    case AFTER_CLOSED:
        return progress->over || progress->closed > 0;
    }
    return false;
}

/* Carries the step out. True when that was a command to the client. */
static bool perform(struct plan_runner *runner, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions)
{
    runner->next++;
    if (step->what == DO_CONNECT) /* the host has connected, or is about to */
        return false;
    if (step->what != DO_WAIT)
        return runner->class->perform(runner->core, step, now_us, actions);
    runner->waiting = true;
    runner->wait_until_us = now_us + step->wait_us;
    return false;
}

bool plan_runner_step(struct plan_runner *runner, uint64_t now_us, struct client_actions *actions)
{
    bool commanded = false;
    while (!plan_runner_is_done(runner)) {
        struct client_progress progress = {.ready = false};
        runner->class->progress(runner->core, &progress);
        if (progress.over) {
            runner->next = runner->plan->step_count;
            runner->waiting = false;
            break;
        }
        if (runner->waiting) {
            if (now_us < runner->wait_until_us)
                break;
            runner->waiting = false;
            continue;
        }
        const struct client_plan_step *step = &runner->plan->steps[runner->next];
        if (!has_happened(step, &progress))
            break;
        commanded = perform(runner, step, now_us, actions) || commanded;
    }
    return commanded;
}

uint64_t plan_runner_deadline_us(const struct plan_runner *runner)
{
    return runner->waiting ? runner->wait_until_us : UINT64_MAX;
}

bool plan_runner_is_done(const struct plan_runner *runner)
{
    return runner->next >= runner->plan->step_count && !runner->waiting;
}

static bool drive_step(void *driver, uint64_t now_us, struct client_actions *actions)
{
    return plan_runner_step(driver, now_us, actions);
}

static uint64_t drive_deadline_us(const void *driver)
{
    return plan_runner_deadline_us(driver);
}

const struct client_driver PLAN_DRIVER = {.step = drive_step, .deadline_us = drive_deadline_us};
