#include "server/core/rate_window.h"

bool rate_window_pass(struct rate_window *window, uint64_t now_us)
{
    if (window->count == OJIN_REQUESTS_PER_SECOND && now_us - window->times_us[window->next] < RATE_WINDOW_US)
        return false;
    window->times_us[window->next] = now_us;
    window->next = (window->next + 1) % OJIN_REQUESTS_PER_SECOND;
    if (window->count < OJIN_REQUESTS_PER_SECOND)
        window->count++;
    return true;
}
