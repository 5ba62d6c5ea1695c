#include "client/app/ojin/run.h"

#include "client/app/host.h"

enum { GRACE_MS = 3000 };

struct run {
    const struct run_options *options;
    struct ojin_client *client;
    struct plan_runner runner;
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

bool run_session(const struct run_options *options, struct run_result *out, char error[CONNECTOR_ERROR_MAX])
{
    const struct ojin_client_config config = {.profile = options->profile,
                                              .life.epoch_ms = connector_epoch_ms(),
                                              .life.reconnect_times = options->reconnect_times,
                                              .life.reconnect_seed = options->reconnect_seed,
                                              .ready_wait_us = (uint64_t)options->ready_wait_s * 1000000,
                                              .life.ping_interval_us = (uint64_t)options->ping_s * 1000000};
    struct run run = {.options = options, .client = ojin_client_new(&config)};
    if (run.client == NULL) {
        struct text text = text_of(error, CONNECTOR_ERROR_MAX);
        text_add(&text, "no memory");
        return false;
    }
    const struct client_class *class = &OJIN_CLIENT_CLASS;
    void *core = run.client;
    client_enclose(options->shell, &class, &core);
    if (options->plan != NULL)
        plan_runner_init(&run.runner, options->plan, class->plan, core);
    const struct host_options host = {
        .connection = {.url = options->url,
                       .key = options->key != NULL ? options->key : "",
                       .config_id = options->config,
                       .ca_file = options->ca_file,
                       .seams = options->channel_seams,
                       .no_deflate = options->no_deflate,
                       .client = class,
                       .core = core,
                       .driver = options->plan != NULL ? &PLAN_DRIVER : NULL,
                       .plan = &run.runner},
        .timeout_ms = options->timeout_ms,
        .grace_ms = GRACE_MS,
        .observe = observe,
        .stepped = stepped,
        .context = &run,
    };
    struct host_result result;
    const bool ran = host_run(&host, &result, error);
    if (ran)
        *out = (struct run_result){.interrupted = result.interrupted,
                                   .timed_out = result.timed_out,
                                   .summary = *ojin_client_summary(run.client)};
    if (ran)
        ojin_client_progress(run.client, &out->progress);
    ojin_client_free(run.client);
    return ran;
}
