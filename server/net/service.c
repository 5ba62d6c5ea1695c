/* The endpoints of a server: whose path is whose, and what each has for itself. */
#include <stdio.h>
#include <stdlib.h>

#include "server/net/net.h"

static const char *const HOST_QUIRKS[HOST_QUIRK_COUNT] = {[HOST_QUIRK_ANY_PATH] = "any-path",
                                                          [HOST_QUIRK_NO_PONG] = "no-pong",
                                                          [HOST_QUIRK_DEFLATE] = "permessage-deflate"};

/* ---- paths ---- */

/* How much of the path is matched by the first `own_len` bytes of a service's; *whole: they are used up. A
 * segment in braces takes what there is up to the next slash. */
static size_t path_match(const char *own, size_t own_len, struct bytes path, bool *whole)
{
    size_t i = 0, at = 0;
    while (i < own_len && at < path.len) {
        if (own[i] == '{' && path.data[at] != '/') {
            while (i < own_len && own[i] != '/')
                i++;
            while (at < path.len && path.data[at] != '/')
                at++;
        } else if (path.data[at] == (uint8_t)own[i]) {
            i++;
            at++;
        } else {
            break;
        }
    }
    *whole = i == own_len;
    return at;
}

bool service_has_path(const struct mock_service *service, struct bytes path)
{
    bool whole;
    return path_match(service->options.path, strlen(service->options.path), path, &whole) == path.len &&
           whole;
}

/* Beside its own last segment: none ("/s/one/realtime": also "/s/one/") and "ws". */
bool service_has_other_path(const struct mock_service *service, struct bytes path)
{
    const char *own = service->options.path;
    const size_t folder = (size_t)(strrchr(own, '/') - own) + 1;
    bool whole;
    const size_t at = path_match(own, folder, path, &whole);
    if (service->quirk_rows[HOST_QUIRK_ANY_PATH] < 0 || !whole)
        return false;
    const struct bytes rest = bytes_of(path.data + at, path.len - at);
    return rest.len == 0 || bytes_equal_text(rest, "ws");
}

size_t service_message_bytes_max(const struct mock_service *service)
{
    return service->options.engine.session_class->family->message_bytes_max;
}

bool service_is_own(const struct mock_service *service)
{
    return service == service->server->service || service->options.beside;
}

static struct mock_service *service_nearest(struct mock_server *server, struct bytes path)
{
    struct mock_service *nearest = server->service;
    bool whole;
    size_t most = path_match(nearest->options.path, strlen(nearest->options.path), path, &whole);
    for (struct mock_service *service = server->services; service != NULL; service = service->next) {
        const size_t matched = path_match(service->options.path, strlen(service->options.path), path, &whole);
        if (service->is_removed || !service->options.beside || matched <= most)
            continue;
        nearest = service;
        most = matched;
    }
    return nearest;
}

struct mock_service *service_find(struct mock_server *server, struct bytes path)
{
    for (struct mock_service *service = server->services; service != NULL; service = service->next)
        if (!service->is_removed &&
            (service_has_path(service, path) || service_has_other_path(service, path)))
            return service;
    return service_nearest(server, path);
}

/* ---- their lives ---- */

void service_free(struct mock_service *service)
{
    if (service->script_seat.engine != NULL)
        engine_free(service->script_seat.engine);
    recording_free(&service->recording);
    free((void *)(uintptr_t)service->options.path);
    free(service);
}

struct mock_service *service_new(struct mock_server *server, const struct mock_service_options *options,
                                 char error[MOCK_ERROR_MAX])
{
    struct mock_service *service = calloc(1, sizeof *service);
    char *path = strdup(options->path);
    if (service == NULL || path == NULL) {
        free(service);
        free(path);
        snprintf(error, MOCK_ERROR_MAX, "there is not enough memory");
        return NULL;
    }
    const struct quirk_kind *quirks = options->engine.session_class->quirks;
    service->server = server;
    service->options = *options;
    service->quirks_at_first = options->engine.session.quirks;
    service->options.path = path;
    service->numbering = options->beside ? server->service->numbering : &service->own_numbering;
    service->options.engine.session.epoch_ms = server->epoch_ms;
    service->options.recorder.rules.epoch_ms = server->epoch_ms;
    for (size_t n = 0; n < HOST_QUIRK_COUNT; n++)
        service->quirk_rows[n] = quirks == NULL ? -1 : quirk_row(quirks, bytes_of_text(HOST_QUIRKS[n]));
    service->script_seat.seed = options->engine.session.seed;
    bool whole = recording_init(&service->recording, service);
    if (whole && options->engine.script != NULL) {
        service->script_seat.engine = engine_new(&service->options.engine);
        whole = service->script_seat.engine != NULL;
    }
    if (!whole) {
        snprintf(error, MOCK_ERROR_MAX, "there is not enough memory");
        service_free(service);
        return NULL;
    }
    return service;
}

void service_set_epoch_ms(struct mock_service *service, uint64_t epoch_ms)
{
    service->options.engine.session.epoch_ms = epoch_ms;
    service->options.recorder.rules.epoch_ms = epoch_ms;
    recorder_set_epoch_ms(service->recording.recorder, epoch_ms);
    if (service->script_seat.engine != NULL)
        engine_set_epoch_ms(service->script_seat.engine, epoch_ms);
}

struct mock_service *mock_service_add(struct mock_server *server, const struct mock_service_options *options,
                                      char error[MOCK_ERROR_MAX])
{
    size_t count = 0;
    struct bytes path = bytes_of_text(options->path);
    for (const struct mock_service *other = server->services; other != NULL; other = other->next) {
        count++;
        if (!other->is_removed && service_has_path(other, path)) {
            snprintf(error, MOCK_ERROR_MAX, "the path %.200s is another service's", options->path);
            return NULL;
        }
    }
    if (path.len == 0 || path.len > MOCK_SERVICE_PATH_MAX || *options->path != '/') {
        snprintf(error, MOCK_ERROR_MAX, "a path begins with \"/\" and has at most %d bytes",
                 MOCK_SERVICE_PATH_MAX);
        return NULL;
    }
    if (server->stopping || count >= MOCK_SERVICES_MAX) {
        snprintf(error, MOCK_ERROR_MAX,
                 server->stopping ? "the server is stopping" : "there are too many services already");
        return NULL;
    }
    struct mock_service *service = service_new(server, options, error);
    if (service == NULL)
        return NULL;
    service->next = server->services; /* in front: the server's own stays the last */
    server->services = service;
    server_wake(server, seat_deadline_us(&service->script_seat));
    return service;
}

void service_join(struct mock_service *service, struct connection *connection)
{
    service->connections++;
    connection->service = service;
}

void service_leave(struct connection *connection)
{
    struct mock_service *service = connection->service;
    if (connection->chosen_script != NULL && service->options.chosen_is_over != NULL)
        service->options.chosen_is_over(service->options.context, connection->chosen_script);
    connection->chosen_script = NULL;
    connection->service = NULL;
    service->connections--;
}

/* ---- their time ---- */

void services_tick(struct mock_server *server, uint64_t now_us)
{
    for (struct mock_service *service = server->services; service != NULL; service = service->next)
        if (!service->is_removed || service->connections > 0)
            seat_tick(service, &service->script_seat, now_us);
}

uint64_t services_deadline_us(const struct mock_server *server)
{
    uint64_t due = UINT64_MAX;
    for (const struct mock_service *service = server->services; service != NULL; service = service->next) {
        uint64_t deadline = service->is_removed && service->connections == 0
                                ? UINT64_MAX
                                : seat_deadline_us(&service->script_seat);
        due = deadline < due ? deadline : due;
    }
    return due;
}

static void script_end_tell(struct mock_service *service, uint64_t now_us)
{
    if (service->script_is_told || service->is_removed || service->server->stopping ||
        service->script_seat.connection != NULL || !mock_service_script_is_done(service))
        return;
    service->script_is_told = true;
    if (service->options.script_done != NULL)
        service->options.script_done(service->options.context, now_us);
}

void services_settle(struct mock_server *server, uint64_t now_us)
{
    struct mock_service **link = &server->services;
    while (*link != NULL) {
        struct mock_service *service = *link;
        script_end_tell(service, now_us);
        if (!service->is_removed || service->connections > 0) {
            link = &service->next;
            continue;
        }
        void (*removed)(void *context) = service->removed;
        void *context = service->options.context;
        *link = service->next;
        service_free(service);
        if (removed != NULL)
            removed(context);
    }
}

/* ---- what can be asked ---- */

struct mock_service *mock_server_service(const struct mock_server *server)
{
    return server->service;
}

const char *mock_service_path(const struct mock_service *service)
{
    return service->options.path;
}

void mock_service_set_quirks(struct mock_service *service, const struct quirks *quirks)
{
    service->options.engine.session.quirks = *quirks;
    if (service->script_seat.engine == NULL)
        return;
    seat_tick(service, &service->script_seat, mock_server_now_us(service->server));
    seat_tell_quirks(service, &service->script_seat, quirks);
    engine_set_quirks(service->script_seat.engine, quirks);
}

uint64_t mock_service_requests(const struct mock_service *service)
{
    return service->requests;
}

bool mock_service_script_is_done(const struct mock_service *service)
{
    return service->script_seat.engine != NULL && engine_is_done(service->script_seat.engine);
}
