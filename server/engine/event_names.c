/* The events' names, as they stand in journals. */
#include "server/engine/engine.h"

#include <string.h>

static const char *const NAMES[] = {
    [ENGINE_REQUEST] = "request", [ENGINE_OPENED] = "opened", [ENGINE_TEXT] = "text",
    [ENGINE_BINARY] = "binary",   [ENGINE_PING] = "ping",     [ENGINE_PONG] = "pong",
    [ENGINE_CLOSE] = "close",     [ENGINE_GONE] = "gone",     [ENGINE_SHUTDOWN] = "shutdown",
    [ENGINE_TICK] = "tick"};

const char *engine_event_name(enum engine_event_kind kind)
{
    return NAMES[kind];
}

bool engine_event_by_name(const char *name, enum engine_event_kind *out)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *out = (enum engine_event_kind)i;
            return true;
        }
    }
    return false;
}
