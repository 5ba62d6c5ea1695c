/*
 * Without a tap the library has the client's socket, and some of what a script, a fault or a quirk asks for
 * cannot be done. That is said as a step that failed. What can be done of it is done.
 */
#include <stdio.h>

#include "server/net/delivery.h"

static bool is_tapless(const struct connection *connection)
{
    return connection->server->options.no_tap && connection->server->tls == NULL;
}

static void say(struct connection *connection, const char *label, const char *what)
{
    char line[160];
    struct actions actions;
    struct action *action;
    int len = snprintf(line, sizeof line, "%s cannot be had without the tap", what);
    actions_init(&actions);
    uint8_t *room = actions_add(&actions, ACTION_STEP_FAILED, label, (size_t)len, &action);
    if (room != NULL) {
        memcpy(room, line, (size_t)len);
        action->by_host = true;
        delivery_record(connection, &actions, action);
    }
    actions_free(&actions);
}

bool tapless_refuses(struct connection *connection, const struct action *action)
{
    if (!is_tapless(connection))
        return false;
    if (action->kind == ACTION_STOP_READING)
        say(connection, "stop-reading", "a stop of reading");
    else if (action->kind == ACTION_ACCEPT && action->len > 0)
        say(connection, "accept", "header lines of its own in the response");
    else if (slicer_is_needed(&action->delivery) && !connection->slices_are_told) {
        connection->slices_are_told = true;
        say(connection, "slice", "TCP slices");
    }
    return action->kind == ACTION_STOP_READING;
}

void tapless_begin(struct connection *connection)
{
    static const struct {
        const char *name;
        uint64_t value; /* 0: any but off */
    } quirks[] = {{"no-pong", 0}, {"permessage-deflate", 1}};
    for (size_t i = 0; i < sizeof quirks / sizeof quirks[0] && is_tapless(connection); i++) {
        uint64_t value = connection_quirk(connection, quirks[i].name);
        if (value != 0 && (quirks[i].value == 0 || value == quirks[i].value))
            say(connection, "quirk", quirks[i].name);
    }
}
