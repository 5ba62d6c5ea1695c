/* The client as its host sees one of any family. */
#include "client/ojin/client.h"
#include "codec/ojin/constants.h"

static void *create(const struct client_making *making)
{
    const struct ojin_client_config config = {.profile = making->profile, .life.epoch_ms = making->epoch_ms};
    return ojin_client_new(&config);
}

static void destroy(void *core)
{
    ojin_client_free(core);
}

static void step(void *core, const struct client_event *event, struct client_actions *actions)
{
    ojin_client_step(core, event, actions);
}

static uint64_t deadline_us(const void *core)
{
    return ojin_client_deadline_us(core);
}

static const struct client_life *life(const void *core)
{
    return ojin_client_life(core);
}

static void close_core(void *core, uint64_t now_us, struct client_actions *actions)
{
    ojin_client_close(core, now_us, actions);
}

const struct client_class OJIN_CLIENT_CLASS = {
    .sends_key = true,
    .speech_rate_hz = OJIN_SAMPLE_RATE,
    .create = create,
    .destroy = destroy,
    .step = step,
    .deadline_us = deadline_us,
    .life = life,
    .close = close_core,
    .plan = &OJIN_PLAN_CLASS,
};
