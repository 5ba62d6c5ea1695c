#include "client/plan/plan.h"

void plan_runner_init(struct plan_runner *runner, const struct client_plan *plan)
{
    *runner = (struct plan_runner){.plan = plan};
}

bool client_plan_can_do(const struct client_plan_step *step)
{
    return !step->unknown && step->what != DO_FORCE_LISTEN && step->after != AFTER_LISTEN &&
           step->after != AFTER_TURN;
}

static bool has_happened(const struct client_plan_step *step, const struct client_progress *progress)
{
    switch (step->after) {
    case AFTER_NOTHING:
        return true;
    case AFTER_READY:
        return step->after_count <= 1 ? progress->ready : progress->readies >= step->after_count;
    case AFTER_SPEECH:
        return progress->speech_played >= step->after_count;
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
    case AFTER_LISTEN:
    case AFTER_TURN:
        return true; /* there is no such thing to wait for: see client_plan_can_do */
    }
    return false;
}

/* Carries the step out. True when that was a command to the client. */
static bool perform(struct plan_runner *runner, const struct client_plan_step *step, struct client *client,
                    uint64_t now_us, struct client_actions *actions)
{
    runner->next++;
    switch (step->what) {
    case DO_CONNECT: /* the host has connected, or is about to */
    case DO_FORCE_LISTEN:
        return false;
    case DO_SPEAK:
        /* More speech than a client holds is a plan nobody can follow; what fits was said. */
        (void)client_speak_with(client, now_us, step->samples, step->sample_count,
                                bytes_of_text(step->params), actions);
        return true;
    case DO_CANCEL:
        client_cancel(client, now_us, actions);
        return true;
    case DO_END:
        client_end(client, now_us, actions);
        return true;
    case DO_CLOSE:
        client_close(client, now_us, actions);
        return true;
    case DO_RECONNECT:
        client_set_reconnect(client, step->times);
        return false;
    case DO_WAIT:
        runner->waiting = true;
        runner->wait_until_us = now_us + step->wait_us;
        return false;
    }
    return false;
}

bool plan_runner_step(struct plan_runner *runner, struct client *client, uint64_t now_us,
                      struct client_actions *actions)
{
    bool commanded = false;
    while (!plan_runner_is_done(runner)) {
        struct client_progress progress;
        client_progress(client, &progress);
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
        commanded = perform(runner, step, client, now_us, actions) || commanded;
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
    struct plan_drive *drive = driver;
    return plan_runner_step(&drive->runner, drive->client, now_us, actions);
}

static uint64_t drive_deadline_us(const void *driver)
{
    const struct plan_drive *drive = driver;
    return plan_runner_deadline_us(&drive->runner);
}

const struct client_driver PLAN_DRIVER = {.step = drive_step, .deadline_us = drive_deadline_us};
