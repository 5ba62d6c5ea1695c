#include "conformance/runner/worker_state.h"

enum { POLL_AT_END_MS = 1 }; /* between looks at whether the case is over, once the client has ended */

void worker_fail(struct worker *worker, const char *what, const char *why)
{
    if (worker->own_error[0] != '\0')
        return;
    struct text text = text_of(worker->own_error, sizeof worker->own_error);
    text_add(&text, what);
    text_add(&text, ": ");
    text_add(&text, why);
}

bool worker_was_reached(const struct worker *worker)
{
    return mock_server_requests(worker->server) > 0 || mock_server_tls_refusals(worker->server) > 0;
}

void worker_look_soon(struct worker *worker)
{
    uv_timer_start(&worker->poll, worker->on_poll, 0, POLL_AT_END_MS);
}
