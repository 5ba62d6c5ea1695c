#include "client/app/duplex/run.h"

#include "client/app/host.h"

enum { GRACE_MS = 8000, URL_BYTES_MAX = 2048 };

struct run {
    const struct duplex_run_options *options;
    struct duplex_client *client;
    struct plan_runner runner;
};

/* ---- the URL ---- */

/* The value of the query's member `mode`; false: it has none. */
static bool find_mode(const char *url, struct bytes *out)
{
    static const char NAME[] = DUPLEX_MODE_PARAMETER "=";
    for (const char *at = strchr(url, '?'); at != NULL; at = strchr(at + 1, '&'))
        if (strncmp(at + 1, NAME, sizeof NAME - 1) == 0) {
            const char *value = at + sizeof NAME;
            *out = bytes_of(value, strcspn(value, "&#"));
            return true;
        }
    return false;
}

static bool has_path(const char *url)
{
    const char *host = strstr(url, "://");
    return host == NULL || strchr(host + 3, '/') != NULL;
}

/* The URL with the mode in its query. False with a sentence: too long, or it names another mode. */
static bool url_write(struct text *out, const char *url, const struct duplex_profile *profile,
                      char error[CONNECTOR_ERROR_MAX])
{
    struct bytes mode;
    struct text text = text_of(error, CONNECTOR_ERROR_MAX);
    if (find_mode(url, &mode)) {
        text_add(out, url);
        if (!bytes_equal_text(mode, profile->mode_word)) {
            text_add(&text, "the URL asks for another mode than ");
            text_add(&text, profile->mode_word);
            return false;
        }
    } else {
        const size_t before_query = strcspn(url, "?");
        text_add_bytes(out, bytes_of(url, before_query));
        text_add(out, has_path(url) ? "" : DUPLEX_PATH);
        text_add(out, "?" DUPLEX_MODE_PARAMETER "=");
        text_add(out, profile->mode_word);
        if (url[before_query] == '?' && url[before_query + 1] != '\0') {
            text_add(out, "&");
            text_add(out, url + before_query + 1);
        }
    }
    if (out->cut)
        text_add(&text, "the URL is too long");
    return !out->cut;
}

/* ---- the session ---- */

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

bool duplex_run_session(const struct duplex_run_options *options, struct duplex_run_result *out,
                        char error[CONNECTOR_ERROR_MAX])
{
    struct duplex_client_config config = options->client;
    char url[URL_BYTES_MAX];
    struct text url_text = text_of(url, sizeof url);
    if (!url_write(&url_text, options->url, config.profile, error))
        return false;
    config.life.epoch_ms = connector_epoch_ms();
    struct run run = {.options = options, .client = duplex_client_new(&config)};
    if (run.client == NULL) {
        struct text text = text_of(error, CONNECTOR_ERROR_MAX);
        text_add(&text, "no memory");
        return false;
    }
    const struct client_class *class = &DUPLEX_CLIENT_CLASS;
    void *core = run.client;
    client_enclose(options->shell, &class, &core);
    plan_runner_init(&run.runner, options->plan, class->plan, core);
    const struct host_options host = {
        .connection = {.url = url,
                       .ca_file = options->ca_file,
                       .seams = options->channel_seams,
                       .no_deflate = options->no_deflate,
                       .client = class,
                       .core = core,
                       .driver = &PLAN_DRIVER,
                       .plan = &run.runner},
        .timeout_ms = options->timeout_ms,
        .grace_ms = GRACE_MS,
        .observe = observe,
        .stepped = stepped,
        .context = &run,
    };
    struct host_result result;
    const bool ran = host_run(&host, &result, error);
    if (ran) {
        *out = (struct duplex_run_result){.interrupted = result.interrupted,
                                          .timed_out = result.timed_out,
                                          .summary = *duplex_client_summary(run.client)};
        duplex_client_progress(run.client, &out->progress);
    }
    duplex_client_free(run.client);
    return ran;
}
