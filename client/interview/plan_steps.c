/* The client as plans see one of any family. A speak is an answer; an end closes once the last reply was
 * heard. */
#include "client/interview/client.h"
#include "client/plan/plan_runner.h"

static bool can_do(const struct client_plan_step *step)
{
    return step->what != DO_FORCE_LISTEN && step->after != AFTER_LISTEN && step->params[0] == '\0';
}

static void progress(const void *core, struct client_progress *out)
{
    interview_client_progress(core, out);
}

static bool perform(void *core, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions)
{
    switch (step->what) {
    case DO_SPEAK: /* more than a client holds is a plan nobody can follow */
        (void)interview_client_answer(core, step->samples, step->sample_count);
        return true;
    case DO_CANCEL:
        interview_client_cancel(core, now_us, actions);
        return true;
    case DO_END:
        interview_client_end(core, now_us, actions);
        return true;
    case DO_CLOSE:
        interview_client_close(core, now_us, actions);
        return true;
    case DO_RECONNECT:
        interview_client_set_reconnect(core, step->times);
        return false;
    case DO_CONNECT:
    case DO_WAIT:
    case DO_FORCE_LISTEN:
        return false;
    }
    return false;
}

const struct plan_class INTERVIEW_PLAN_CLASS = {.can_do = can_do, .progress = progress, .perform = perform};
