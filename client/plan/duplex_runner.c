#include "client/plan/duplex_runner.h"

enum { TALK_AT_ONCE = 16384 }; /* samples converted at a time */

void duplex_plan_runner_init(struct duplex_plan_runner *runner, const struct client_plan *plan,
                             struct duplex_client *client)
{
    *runner = (struct duplex_plan_runner){.plan = plan, .client = client};
}

bool duplex_plan_runner_is_done(const struct duplex_plan_runner *runner)
{
    return runner->next >= runner->plan->step_count && !runner->waiting;
}

bool duplex_plan_can_do(const struct client_plan_step *step)
{
    return !step->unknown && step->what != DO_CANCEL && step->params[0] == '\0';
}

static bool has_happened(const struct client_plan_step *step, const struct duplex_client_progress *progress)
{
    const uint64_t count = step->after_count > 1 ? step->after_count : 1;
    switch (step->after) {
    case AFTER_NOTHING:
        return true;
    case AFTER_READY:
        return count == 1 ? progress->ready : progress->readies >= count;
    case AFTER_SPEECH:
        return progress->deltas >= count;
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

/* More speech than a client holds is a plan nobody can follow; what fits was said. */
static void talk(struct duplex_client *client, const struct client_plan_step *step)
{
    static const float FULL_SCALE = 32768;
    float samples[TALK_AT_ONCE];
    for (size_t at = 0; at < step->sample_count;) {
        size_t count = step->sample_count - at;
        count = count < TALK_AT_ONCE ? count : TALK_AT_ONCE;
        for (size_t i = 0; i < count; i++)
            samples[i] = (float)step->samples[at + i] / FULL_SCALE;
        if (!duplex_client_talk(client, samples, count))
            return;
        at += count;
    }
}

/* Carries the step out. True when that was a command to the client. */
static bool perform(struct duplex_plan_runner *runner, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions)
{
    struct duplex_client *client = runner->client;
    runner->next++;
    switch (step->what) {
    case DO_CONNECT: /* the host has connected, or is about to */
    case DO_CANCEL:
        return false;
    case DO_SPEAK:
        talk(client, step);
        return true;
    case DO_FORCE_LISTEN:
        duplex_client_force_listen(client, now_us, actions);
        return true;
    case DO_END:
        duplex_client_end(client, now_us, actions);
        return true;
    case DO_CLOSE:
        duplex_client_close(client, now_us, actions);
        return true;
    case DO_RECONNECT:
        duplex_client_set_reconnect(client, step->times);
        return false;
    case DO_WAIT:
        runner->waiting = true;
        runner->wait_until_us = now_us + step->wait_us;
        return false;
    }
    return false;
}

static bool runner_step(void *driver, uint64_t now_us, struct client_actions *actions)
{
    struct duplex_plan_runner *runner = driver;
    bool commanded = false;
    while (!duplex_plan_runner_is_done(runner)) {
        struct duplex_client_progress progress;
        duplex_client_progress(runner->client, &progress);
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

static uint64_t runner_deadline_us(const void *driver)
{
    const struct duplex_plan_runner *runner = driver;
    return runner->waiting ? runner->wait_until_us : UINT64_MAX;
}

const struct client_driver DUPLEX_PLAN_DRIVER = {.step = runner_step, .deadline_us = runner_deadline_us};
