/*
 * Without a tap the library has the client's socket, and some of what a script, a fault or a quirk asks for
 * cannot be done. Whoever fills in the options refuses it beforehand (server/script/tap_needs.h); what comes
 * here all the same is said as a step that failed, and what can be done of it is done.
 */
#include <stdio.h>

#include "server/net/delivery.h"
#include "server/script/tap_needs.h"

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
    else if (action->kind == ACTION_HALF_CLOSE)
        say(connection, "half-close", "the end of one side alone");
    else if (action->kind == ACTION_ACCEPT && action->len > 0)
        say(connection, "accept", "header lines of its own in the response");
    else if (action->kind == ACTION_ACCEPT && action->delivery.joined > 0)
        say(connection, "accept", "a response that waits for messages");
    else if (slicer_is_needed(&action->delivery) && !connection->slices_are_told) {
        connection->slices_are_told = true;
        say(connection, "slice", "TCP slices");
    }
    return action->kind == ACTION_STOP_READING || action->kind == ACTION_HALF_CLOSE;
}

void tapless_begin(struct connection *connection)
{
    const struct quirk_kind *kinds = connection->service->options.engine.session_class->quirks;
    struct quirks quirks;
    if (!is_tapless(connection) || kinds == NULL || connection->seat == NULL)
        return;
    engine_quirks(connection->seat->engine, &quirks);
    for (size_t row = 0; kinds[row].name != NULL; row++)
        if (quirk_needs_tap(kinds, row, quirks.value[row]))
            say(connection, "quirk", kinds[row].name);
}
