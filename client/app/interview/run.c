#include "client/app/interview/run.h"

#include <assert.h>

#include "client/app/host.h"

enum { GRACE_MS = 3000 };
static_assert((int)INTERVIEW_URL_ERROR_MAX <= (int)CONNECTOR_ERROR_MAX, "the sentence on a URL fits");

static bool run_client(const struct interview_run_options *options, const char *url,
                       struct interview_client *client, struct interview_run_result *out,
                       char error[CONNECTOR_ERROR_MAX])
{
    const struct client_class *class = &INTERVIEW_CLIENT_CLASS;
    void *core = client;
    client_enclose(options->shell, &class, &core);
    const struct host_options host = {
        .connection = {.url = url,
                       .ca_file = options->ca_file,
                       .seams = options->channel_seams,
                       .no_deflate = options->no_deflate,
                       .client = class,
                       .core = core,
                       .driver = options->driver,
                       .plan = options->drive},
        .timeout_ms = options->timeout_ms,
        .grace_ms = GRACE_MS,
        .observe = options->observe,
        .stepped = options->stepped,
        .context = options->context,
    };
    struct host_result result;
    options->made(options->context, client, class, core);
    if (!host_run(&host, &result, error))
        return false;
    *out = (struct interview_run_result){.interrupted = result.interrupted,
                                         .timed_out = result.timed_out,
                                         .summary = *interview_client_summary(client)};
    interview_client_progress(client, &out->progress);
    return true;
}

bool interview_run_session(const struct interview_run_options *options, struct interview_run_result *out,
                           char error[CONNECTOR_ERROR_MAX])
{
    char url[INTERVIEW_URL_BYTES_MAX];
    struct text text = text_of(url, sizeof url);
    struct interview_client_config config = options->client;
    if (!interview_url_write(&text, options->url, options->id, options->token, error))
        return false;
    config.life.epoch_ms = connector_epoch_ms();
    struct interview_client *client = interview_client_new(&config);
    if (client == NULL) {
        text = text_of(error, CONNECTOR_ERROR_MAX);
        text_add(&text, "no memory");
        return false;
    }
    const bool ran = run_client(options, url, client, out, error);
    interview_client_free(client);
    return ran;
}
