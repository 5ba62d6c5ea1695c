#include "server/ojin/rate_window.h"

bool rate_window_pass(struct rate_window *window, uint64_t came_us, size_t limit)
{
    const size_t first = (window->next + RATE_WINDOW_MAX - limit) % RATE_WINDOW_MAX;
    if (window->count >= limit && came_us - window->times_us[first] < RATE_WINDOW_US)
        return false;
    window->times_us[window->next] = came_us;
    window->next = (window->next + 1) % RATE_WINDOW_MAX;
    if (window->count < RATE_WINDOW_MAX)
        window->count++;
    return true;
}
