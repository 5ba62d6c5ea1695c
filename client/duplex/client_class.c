/* The client as its host sees one of any family. */
#include "client/duplex/client.h"

static void *create(const struct client_making *making)
{
    const struct duplex_client_config config = {.profile = duplex_profile_of(making->profile),
                                                .epoch_ms = making->epoch_ms,
                                                .pictures = making->pictures,
                                                .picture_count = making->picture_count,
                                                .seams = making->seams};
    return duplex_client_new(&config);
}

static void destroy(void *core)
{
    duplex_client_free(core);
}

static void step(void *core, const struct client_event *event, struct client_actions *actions)
{
    duplex_client_step(core, event, actions);
}

static uint64_t deadline_us(const void *core)
{
    return duplex_client_deadline_us(core);
}

static enum client_standing standing(const void *core)
{
    switch (duplex_client_phase(core)) {
    case DUPLEX_CLIENT_BACKING_OFF:
        return CLIENT_STANDS_WAITING;
    case DUPLEX_CLIENT_CONNECTING:
    case DUPLEX_CLIENT_QUEUED:
    case DUPLEX_CLIENT_CREATING:
    case DUPLEX_CLIENT_STREAMING:
    case DUPLEX_CLIENT_STOPPING:
        return CLIENT_STANDS_UP;
    case DUPLEX_CLIENT_CLOSING:
        return CLIENT_STANDS_CLOSING;
    case DUPLEX_CLIENT_OVER:
        return CLIENT_STANDS_OVER;
    }
    return CLIENT_STANDS_OVER;
}

static void close_core(void *core, uint64_t now_us, struct client_actions *actions)
{
    duplex_client_close(core, now_us, actions);
}

const struct client_class DUPLEX_CLIENT_CLASS = {
    .create = create,
    .destroy = destroy,
    .step = step,
    .deadline_us = deadline_us,
    .standing = standing,
    .close = close_core,
    .plan = &DUPLEX_PLAN_CLASS,
};
