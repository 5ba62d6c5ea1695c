#include "packages/c/ojin_mock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codec/wire/json.h"
#include "packages/c/setup.h"

enum { URL_BYTES_MAX = 256, MS_PER_SECOND = 1000, NS_PER_MS = 1000000, NS_PER_SECOND = 1000000000 };

struct ojin_mock {
    struct setup setup;
    char url[URL_BYTES_MAX], control_url[URL_BYTES_MAX];
    uv_loop_t loop;
    uv_async_t stop;
    struct mock_server *server;
    struct control *control;
    pthread_t thread;
    pthread_mutex_t lock; /* of what stands below */
    pthread_cond_t changed;
    struct ring ring;
    struct findings findings;
};

/* ---- on the thread of the loop ---- */

static void on_entry(void *context, const struct journal_entry *entry)
{
    struct ojin_mock *mock = context;
    pthread_mutex_lock(&mock->lock);
    findings_entry(&mock->findings, entry);
    (void)ring_add(&mock->ring, entry);
    pthread_cond_broadcast(&mock->changed);
    pthread_mutex_unlock(&mock->lock);
}

static void on_choose(void *context, const struct http_head *head, struct engine_config *config)
{
    const struct ojin_mock *mock = context;
    (void)head;
    if (config->script == NULL)
        config->script = mock->setup.behaviour.script;
}

static void on_stopped(void *context)
{
    struct ojin_mock *mock = context;
    uv_close((uv_handle_t *)&mock->stop, NULL);
}

static void on_stop(uv_async_t *stop)
{
    struct ojin_mock *mock = stop->data;
    control_drain(mock->control);
    mock_server_stop(mock->server, on_stopped, mock);
}

static void *serve(void *context)
{
    struct ojin_mock *mock = context;
    uv_run(&mock->loop, UV_RUN_DEFAULT);
    return NULL;
}

/* ---- the beginning and the end ---- */

static void mock_free(struct ojin_mock *mock)
{
    if (mock->control != NULL)
        control_free(mock->control);
    ring_free(&mock->ring);
    findings_clear(&mock->findings);
    pthread_cond_destroy(&mock->changed);
    pthread_mutex_destroy(&mock->lock);
    setup_free(&mock->setup);
    free(mock);
}

/* What is waited for is not moved by a clock that is set. */
static void locks_init(struct ojin_mock *mock)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&mock->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&mock->lock, NULL);
}

static bool listen_begin(struct ojin_mock *mock, const struct ojin_mock_options *asked,
                         char error[OJIN_MOCK_ERROR_MAX])
{
    struct mock_server_options options = setup_server(&mock->setup, asked);
    options.recorder.sink = on_entry;
    options.recorder.context = mock;
    options.choose = on_choose;
    options.context = mock;
    mock->control = control_new(&(struct control_options){.any_peer = false}, &options);
    if (mock->control == NULL) {
        snprintf(error, OJIN_MOCK_ERROR_MAX, "there is not enough memory");
        return false;
    }
    mock->server = mock_server_start(&mock->loop, &options, error);
    if (mock->server == NULL)
        return false;
    control_begin(mock->control, mock->server, &mock->loop);
    uv_async_init(&mock->loop, &mock->stop, on_stop);
    mock->stop.data = mock;
    const unsigned port = mock_server_port(mock->server);
    snprintf(mock->url, sizeof mock->url, "ws://127.0.0.1:%u%s", port, options.path);
    snprintf(mock->control_url, sizeof mock->control_url, "http://127.0.0.1:%u" CONTROL_PREFIX, port);
    return true;
}

/* The signals of the process are for its own threads. */
static bool thread_start(struct ojin_mock *mock)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&mock->thread, NULL, serve, mock) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct ojin_mock *ojin_mock_start(const struct ojin_mock_options *options, char error[OJIN_MOCK_ERROR_MAX])
{
    struct ojin_mock *mock = calloc(1, sizeof *mock);
    snprintf(error, OJIN_MOCK_ERROR_MAX, "there is not enough memory");
    if (mock == NULL)
        return NULL;
    locks_init(mock);
    if (!setup_read(&mock->setup, options, error)) {
        mock_free(mock);
        return NULL;
    }
    uv_loop_init(&mock->loop);
    if (!listen_begin(mock, options, error)) {
        uv_run(&mock->loop, UV_RUN_DEFAULT);
        uv_loop_close(&mock->loop);
        mock_free(mock);
        return NULL;
    }
    if (thread_start(mock))
        return mock;
    snprintf(error, OJIN_MOCK_ERROR_MAX, "no thread could be started");
    on_stop(&mock->stop);
    uv_run(&mock->loop, UV_RUN_DEFAULT);
    uv_loop_close(&mock->loop);
    mock_free(mock);
    return NULL;
}

void ojin_mock_stop(struct ojin_mock *mock)
{
    if (mock == NULL)
        return;
    uv_async_send(&mock->stop);
    pthread_join(mock->thread, NULL);
    uv_loop_close(&mock->loop);
    mock_free(mock);
}

/* ---- on any thread ---- */

const char *ojin_mock_url(const struct ojin_mock *mock)
{
    return mock->url;
}

const char *ojin_mock_control_url(const struct ojin_mock *mock)
{
    return mock->control_url;
}

static struct timespec deadline_after(unsigned ms)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += ms / MS_PER_SECOND;
    at.tv_nsec += (long)(ms % MS_PER_SECOND) * NS_PER_MS;
    if (at.tv_nsec >= NS_PER_SECOND) {
        at.tv_sec++;
        at.tv_nsec -= NS_PER_SECOND;
    }
    return at;
}

static struct find find_of(const char *what)
{
    struct find find = {.session = 0};
    snprintf(find.what, sizeof find.what, "%s", what);
    return find;
}

bool ojin_mock_wait(struct ojin_mock *mock, const char *what, size_t count, unsigned timeout_ms)
{
    const struct timespec until = deadline_after(timeout_ms);
    const struct find find = find_of(what);
    int waited = 0;
    pthread_mutex_lock(&mock->lock);
    bool met = find_count(&find, &mock->ring) >= count;
    while (!met && waited != ETIMEDOUT) {
        waited = pthread_cond_timedwait(&mock->changed, &mock->lock, &until);
        met = find_count(&find, &mock->ring) >= count;
    }
    pthread_mutex_unlock(&mock->lock);
    return met;
}

size_t ojin_mock_count(struct ojin_mock *mock, const char *what)
{
    const struct find find = find_of(what);
    pthread_mutex_lock(&mock->lock);
    const size_t count = find_count(&find, &mock->ring);
    pthread_mutex_unlock(&mock->lock);
    return count;
}

static void finding_tell(const struct kept_finding *kept,
                         void (*each)(void *context, const struct ojin_mock_finding *finding), void *context)
{
    cJSON *json = cJSON_Parse(kept->line);
    const cJSON *text = json_member(json, "text");
    each(context, &(struct ojin_mock_finding){.session = kept->connection,
                                              .requirement = kept->requirement,
                                              .note = kept->note,
                                              .text = cJSON_IsString(text) ? text->valuestring : ""});
    cJSON_Delete(json);
}

size_t ojin_mock_findings(struct ojin_mock *mock,
                          void (*each)(void *context, const struct ojin_mock_finding *finding), void *context)
{
    size_t breaches = 0;
    pthread_mutex_lock(&mock->lock);
    for (size_t n = 0; n < mock->findings.count; n++) {
        breaches += mock->findings.list[n].note ? 0 : 1;
        if (each != NULL)
            finding_tell(&mock->findings.list[n], each, context);
    }
    breaches += mock->findings.lost;
    pthread_mutex_unlock(&mock->lock);
    return breaches;
}
