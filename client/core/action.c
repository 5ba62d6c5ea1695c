#include "client/core/event.h"

#include <assert.h>

struct client_action *client_action_add(struct client_actions *actions, enum client_action_kind kind)
{
    assert(actions->count < CLIENT_ACTIONS_MAX);
    struct client_action *action = &actions->list[actions->count++];
    *action = (struct client_action){.kind = kind};
    return action;
}
