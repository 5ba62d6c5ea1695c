#include "server/net/epoch.h"

enum { CLOCKS_APART_MS_MAX = 1000 };

uint64_t epoch_for(uint64_t epoch_ms, uint64_t now_ms, uint64_t wall_ms)
{
    const uint64_t ours_ms = epoch_ms + now_ms;
    const uint64_t apart_ms = ours_ms > wall_ms ? ours_ms - wall_ms : wall_ms - ours_ms;
    /* A clock that stands before the start of the server leaves no epoch. */
    return apart_ms <= CLOCKS_APART_MS_MAX || wall_ms < now_ms ? epoch_ms : wall_ms - now_ms;
}
