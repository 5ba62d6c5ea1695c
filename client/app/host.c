#include "client/app/host.h"

#include <signal.h>
#include <stdlib.h>

struct host {
    const struct host_options *options;
    uv_loop_t loop;
    uv_signal_t interrupt;
    uv_signal_t terminate;
    uv_timer_t limit;
    struct connector *connector;
    struct host_result *result;
    struct client_actions actions;
};

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    struct host *host = context;
    host->options->observe(host->options->context, now_us, action);
}

static void stepped(void *context, uint64_t now_us)
{
    struct host *host = context;
    if (host->options->stepped != NULL)
        host->options->stepped(host->options->context, now_us);
}

static void over(void *context, uint64_t now_us)
{
    (void)now_us;
    struct host *host = context;
    uv_stop(&host->loop);
}

static void give_up(uv_timer_t *timer)
{
    struct host *host = timer->data;
    uv_stop(&host->loop);
}

static void close_politely(struct host *host)
{
    uv_timer_start(&host->limit, give_up, host->options->grace_ms, 0);
    host->actions.count = 0;
    host->options->connection.client->close(host->options->connection.core, connector_now_us(host->connector),
                                            &host->actions);
    connector_perform(host->connector, &host->actions);
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    struct host *host = handle->data;
    if (host->result->interrupted)
        uv_stop(&host->loop);
    host->result->interrupted = true;
    close_politely(host);
}

static void on_limit(uv_timer_t *timer)
{
    struct host *host = timer->data;
    host->result->timed_out = true;
    close_politely(host);
}

static void start_handles(struct host *host)
{
    uv_signal_init(&host->loop, &host->interrupt);
    uv_signal_init(&host->loop, &host->terminate);
    uv_timer_init(&host->loop, &host->limit);
    host->interrupt.data = host->terminate.data = host->limit.data = host;
    uv_signal_start(&host->interrupt, on_signal, SIGINT);
    uv_signal_start(&host->terminate, on_signal, SIGTERM);
    if (host->options->timeout_ms != 0)
        uv_timer_start(&host->limit, on_limit, host->options->timeout_ms, 0);
}

static void stop_handles(struct host *host)
{
    uv_close((uv_handle_t *)&host->interrupt, NULL);
    uv_close((uv_handle_t *)&host->terminate, NULL);
    uv_close((uv_handle_t *)&host->limit, NULL);
}

static bool run_on_loop(struct host *host, char error[CONNECTOR_ERROR_MAX])
{
    struct connector_options connection = host->options->connection;
    connection.observe = observe;
    connection.stepped = stepped;
    connection.over = over;
    connection.context = host;
    host->connector = connector_start(&host->loop, &connection, error);
    if (host->connector == NULL)
        return false;
    start_handles(host);
    uv_run(&host->loop, UV_RUN_DEFAULT);
    connector_stop(host->connector);
    stop_handles(host);
    return true;
}

bool host_run(const struct host_options *options, struct host_result *out, char error[CONNECTOR_ERROR_MAX])
{
    struct host *host = calloc(1, sizeof *host);
    if (host == NULL || uv_loop_init(&host->loop) != 0) {
        free(host);
        struct text text = text_of(error, CONNECTOR_ERROR_MAX);
        text_add(&text, "no memory");
        return false;
    }
    *out = (struct host_result){0};
    host->options = options;
    host->result = out;
    bool ran = run_on_loop(host, error);
    uv_run(&host->loop, UV_RUN_DEFAULT); /* closes the handles that are on their way out */
    uv_loop_close(&host->loop);
    free(host);
    return ran;
}
