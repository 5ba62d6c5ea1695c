/* The client as plans see one of any family. */
#include <assert.h>

#include "client/ojin/client.h"
#include "client/plan/plan_runner.h"

static_assert((int)CLIENT_PLAN_PARAMS_MAX == (int)OJIN_CLIENT_PARAMS_BYTES_MAX,
              "a plan holds what a speak takes");

static bool can_do(const struct client_plan_step *step)
{
    return step->what != DO_FORCE_LISTEN && step->after != AFTER_LISTEN && step->after != AFTER_TURN;
}

static void progress(const void *core, struct client_progress *out)
{
    ojin_client_progress(core, out);
}

static bool perform(void *core, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions)
{
    switch (step->what) {
    case DO_SPEAK:
        /* More speech than a client holds is a plan nobody can follow; what fits was said. */
        (void)ojin_client_speak_with(core, now_us, step->samples, step->sample_count,
                                     bytes_of_text(step->params), actions);
        return true;
    case DO_CANCEL:
        ojin_client_cancel(core, now_us, actions);
        return true;
    case DO_END:
        ojin_client_end(core, now_us, actions);
        return true;
    case DO_CLOSE:
        ojin_client_close(core, now_us, actions);
        return true;
    case DO_RECONNECT:
        ojin_client_set_reconnect(core, step->times);
        return false;
    case DO_CONNECT:
    case DO_WAIT:
    case DO_FORCE_LISTEN:
        return false;
    }
    return false;
}

const struct plan_class OJIN_PLAN_CLASS = {.can_do = can_do, .progress = progress, .perform = perform};
