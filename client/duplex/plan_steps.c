/* The client as plans see one of any family. It cannot cancel; an end closes once the answer was heard. */
#include "client/duplex/client.h"
#include "client/plan/plan_runner.h"

enum { TALK_AT_ONCE = 16384 }; /* samples converted at a time */

static bool can_do(const struct client_plan_step *step)
{
    return step->what != DO_CANCEL && step->params[0] == '\0';
}

static void progress(const void *core, struct client_progress *out)
{
    duplex_client_progress(core, out);
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

static bool perform(void *core, const struct client_plan_step *step, uint64_t now_us,
                    struct client_actions *actions)
{
    switch (step->what) {
    case DO_SPEAK:
        talk(core, step);
        return true;
    case DO_FORCE_LISTEN:
        duplex_client_force_listen(core, now_us, actions);
        return true;
    case DO_END:
        duplex_client_end(core, now_us, actions);
        return true;
    case DO_CLOSE:
        duplex_client_close(core, now_us, actions);
        return true;
    case DO_RECONNECT:
        duplex_client_set_reconnect(core, step->times);
        return false;
    case DO_CONNECT:
    case DO_WAIT:
    case DO_CANCEL:
        return false;
    }
    return false;
}

const struct plan_class DUPLEX_PLAN_CLASS = {.can_do = can_do, .progress = progress, .perform = perform};
