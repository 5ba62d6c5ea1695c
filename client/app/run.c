#include "client/app/run.h"

#include <signal.h>
#include <stdlib.h>

enum { GRACE_MS = 3000 }; /* after a signal or the timeout, for closing politely */

struct run {
    const struct run_options *options;
    uv_loop_t loop;
    uv_signal_t interrupt;
    uv_signal_t terminate;
    uv_timer_t limit;
    struct client *client;
    struct connector *connector;
    struct plan_drive drive;
    struct run_result *result;
    struct client_actions actions;
};

static void observe(void *context, uint64_t now_us, const struct client_action *action)
{
    struct run *run = context;
    run->options->observe(run->options->context, now_us, action);
}

static void stepped(void *context, uint64_t now_us)
{
    struct run *run = context;
    if (run->options->stepped != NULL)
        run->options->stepped(run->options->context, now_us, run->client);
}

static void over(void *context, uint64_t now_us)
{
    (void)now_us;
    struct run *run = context;
    uv_stop(&run->loop);
}

static void give_up(uv_timer_t *timer)
{
    struct run *run = timer->data;
    uv_stop(&run->loop);
}

static void close_politely(struct run *run)
{
    uv_timer_start(&run->limit, give_up, GRACE_MS, 0);
    run->actions.count = 0;
    client_close(run->client, connector_now_us(run->connector), &run->actions);
    connector_perform(run->connector, &run->actions);
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    struct run *run = handle->data;
    if (run->result->interrupted)
        uv_stop(&run->loop);
    run->result->interrupted = true;
    close_politely(run);
}

static void on_limit(uv_timer_t *timer)
{
    struct run *run = timer->data;
    run->result->timed_out = true;
    close_politely(run);
}

static void start_handles(struct run *run)
{
    uv_signal_init(&run->loop, &run->interrupt);
    uv_signal_init(&run->loop, &run->terminate);
    uv_timer_init(&run->loop, &run->limit);
    run->interrupt.data = run->terminate.data = run->limit.data = run;
    uv_signal_start(&run->interrupt, on_signal, SIGINT);
    uv_signal_start(&run->terminate, on_signal, SIGTERM);
    if (run->options->timeout_ms != 0)
        uv_timer_start(&run->limit, on_limit, run->options->timeout_ms, 0);
}

static void stop_handles(struct run *run)
{
    uv_close((uv_handle_t *)&run->interrupt, NULL);
    uv_close((uv_handle_t *)&run->terminate, NULL);
    uv_close((uv_handle_t *)&run->limit, NULL);
}

static bool run_on_loop(struct run *run, char error[CONNECTOR_ERROR_MAX])
{
    const struct run_options *options = run->options;
    struct client_config config = {.profile = options->profile,
                                   .epoch_ms = connector_epoch_ms(),
                                   .reconnect_times = options->reconnect_times,
                                   .reconnect_seed = options->reconnect_seed,
                                   .ready_wait_us = (uint64_t)options->ready_wait_s * 1000000,
                                   .ping_interval_us = (uint64_t)options->ping_s * 1000000,
                                   .seams = options->client_seams};
    run->client = client_new(&config);
    struct connector_options connection = {
        .url = options->url,
        .key = options->key != NULL ? options->key : "",
        .config_id = options->config,
        .ca_file = options->ca_file,
        .seams = options->channel_seams,
        .no_deflate = options->no_deflate,
        .client = &OJIN_CLIENT_CLASS,
        .core = run->client,
        .driver = options->plan != NULL ? &PLAN_DRIVER : NULL,
        .plan = &run->drive,
        .observe = observe,
        .stepped = stepped,
        .over = over,
        .context = run,
    };
    if (run->client == NULL) {
        struct text text = text_of(error, CONNECTOR_ERROR_MAX);
        text_add(&text, "no memory");
        return false;
    }
    run->drive.client = run->client;
    if (options->plan != NULL)
        plan_runner_init(&run->drive.runner, options->plan);
    run->connector = connector_start(&run->loop, &connection, error);
    if (run->connector == NULL)
        return false;
    start_handles(run);
    uv_run(&run->loop, UV_RUN_DEFAULT);
    run->result->summary = *client_summary(run->client);
    client_progress(run->client, &run->result->progress);
    connector_stop(run->connector);
    stop_handles(run);
    return true;
}

bool run_session(const struct run_options *options, struct run_result *out, char error[CONNECTOR_ERROR_MAX])
{
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL || uv_loop_init(&run->loop) != 0) {
        free(run);
        struct text text = text_of(error, CONNECTOR_ERROR_MAX);
        text_add(&text, "no memory");
        return false;
    }
    *out = (struct run_result){0};
    run->options = options;
    run->result = out;
    bool ran = run_on_loop(run, error);
    uv_run(&run->loop, UV_RUN_DEFAULT); /* closes the handles that are on their way out */
    uv_loop_close(&run->loop);
    client_free(run->client);
    free(run);
    return ran;
}
