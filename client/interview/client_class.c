/* The client as its host sees one of any family. */
#include "client/interview/client.h"

static void *create(const struct client_making *making)
{
    const struct interview_client_config config = {.profile = interview_profile_of(making->profile),
                                                   .life.epoch_ms = making->epoch_ms};
    return interview_client_new(&config);
}

static void destroy(void *core)
{
    interview_client_free(core);
}

static void step(void *core, const struct client_event *event, struct client_actions *actions)
{
    interview_client_step(core, event, actions);
}

static uint64_t deadline_us(const void *core)
{
    return interview_client_deadline_us(core);
}

static const struct client_life *life(const void *core)
{
    return interview_client_life(core);
}

static void close_core(void *core, uint64_t now_us, struct client_actions *actions)
{
    interview_client_close(core, now_us, actions);
}

const struct client_class INTERVIEW_CLIENT_CLASS = {
    .speech_rate_hz = INTERVIEW_RATE,
    .create = create,
    .destroy = destroy,
    .step = step,
    .deadline_us = deadline_us,
    .life = life,
    .close = close_core,
    .plan = &INTERVIEW_PLAN_CLASS,
};
