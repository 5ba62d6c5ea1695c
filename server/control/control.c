/* From a request to its handler, and the life of it all. */
#include <stdio.h>
#include <stdlib.h>

#include "server/control/control_state.h"

static const char SCENARIOS[] = "scenarios/";

/* ---- requests ---- */

/* The path below the prefix, and the scenario's stage where it names one: "scenarios/3/journal" becomes
 * "journal". False: there is no such scenario. */
static bool path_begin(struct exchange *exchange, struct bytes *path, bool *in_scenario)
{
    size_t prefix = strlen(CONTROL_PREFIX), len = strlen(SCENARIOS);
    struct bytes whole = exchange->head->path;
    *path = whole.len < prefix ? bytes_of_text("") : bytes_of(whole.data + prefix, whole.len - prefix);
    *in_scenario = false;
    if (path->len <= len || memcmp(path->data, SCENARIOS, len) != 0)
        return true;
    struct bytes rest = bytes_of(path->data + len, path->len - len);
    const uint8_t *slash = memchr(rest.data, '/', rest.len);
    size_t id = slash == NULL ? rest.len : (size_t)(slash - rest.data);
    if (slash == NULL || id + 1 == rest.len)
        return true; /* the scenario itself */
    if (id >= sizeof exchange->id)
        return false;
    memcpy(exchange->id, rest.data, id);
    exchange->id[id] = '\0';
    exchange->stage = control_scenario(exchange->control, exchange->id);
    exchange->part = exchange->stage == NULL ? NULL : &exchange->stage->parts[0];
    *in_scenario = true;
    *path = bytes_of(rest.data + id + 1, rest.len - id - 1);
    return exchange->stage != NULL;
}

static const char *wrong_sentence(uint16_t status)
{
    return status == 408   ? "the body did not come whole in time"
           : status == 411 ? "a Content-Length is needed; chunked bodies are not taken"
           : status == 413 ? "the body is larger than 1 MB (1,048,576 bytes)"
                           : "Content-Length must be one number";
}

void control_route(struct exchange *exchange, uint16_t wrong)
{
    struct bytes path;
    bool in_scenario;
    const struct route *found = NULL;
    char allowed[64];
    if (!path_begin(exchange, &path, &in_scenario)) {
        exchange_error(exchange, 404, "there is no such scenario");
        return;
    }
    switch (
        route_find(CONTROL_ROUTES, in_scenario, exchange->head->method, path, exchange, &found, allowed)) {
    case ROUTE_FOUND:
        if (wrong != 0)
            exchange_error(exchange, wrong, "%s", wrong_sentence(wrong));
        else
            found->handle(exchange);
        break;
    case ROUTE_NO_PATH:
        exchange_error(exchange, 404, "there is nothing here; GET " CONTROL_PREFIX " lists what there is");
        break;
    case ROUTE_NO_METHOD:
        exchange_error(exchange, 405, "this path takes %s", allowed);
        snprintf(exchange->head_lines, sizeof exchange->head_lines, "Allow: %s\r\n", allowed);
        break;
    }
}

/* ---- work that a round of the loop has no time for ---- */

enum { WORK_US = 2000 }; /* on a walk in one round */

struct work_time {
    const struct control *control;
    uint64_t until_us;
};

static bool work_time_is_over(void *context)
{
    const struct work_time *time = context;
    return control_now_us(time->control) >= time->until_us;
}

/* True: there is more to do. */
static bool on_go_on(void *context)
{
    struct control *control = context;
    struct exchange *exchange = &control->exchange;
    struct work_time time = {.control = control, .until_us = control_now_us(control) + WORK_US};
    if (control->works && !walk_go_on(&exchange->walk, exchange->walk_json, work_time_is_over, &time))
        return true;
    if (control->works) {
        control->works = false;
        exchange->walked(exchange);
        exchange_finish(exchange);
    }
    return false;
}

static void work_drop(struct control *control)
{
    if (control->works)
        buffer_free(&control->exchange.answer);
    control->works = false;
}

static bool on_request(void *context, struct mock_http *http, const struct mock_http_request *request)
{
    struct control *control = context;
    struct exchange *exchange = &control->exchange;
    *exchange = (struct exchange){.control = control,
                                  .stage = control->own,
                                  .part = &control->own->parts[0],
                                  .http = http,
                                  .head = request->head,
                                  .body = request->body,
                                  .head_only = bytes_equal_text(request->head->method, "HEAD"),
                                  .status = 200,
                                  .content_type = "application/json"};
    buffer_init(&exchange->answer, ANSWER_BYTES_MAX);
    exchange->json = json_writer_of(&exchange->answer);
    control->requests++;
    const char *refusal = guard_refuses(&control->guard, request->head, request->peer_is_loopback);
    if (refusal != NULL) {
        control->refused++;
        exchange_error(exchange, 403, "%s", refusal);
    } else if (control->server == NULL) {
        exchange_error(exchange, 503, "the mock has not begun yet");
    } else {
        control_route(exchange, request->wrong);
    }
    exchange->head = NULL;
    exchange->body = bytes_of(NULL, 0);
    control->works = exchange->walked != NULL;
    if (control->works)
        return on_go_on(control);
    exchange_finish(exchange);
    return false;
}

static void on_gone(void *context, struct mock_http *http)
{
    struct control *control = context;
    if (control->exchange.http == http)
        work_drop(control);
    waits_drop(&control->waits, http);
}

/* ---- its life ---- */

struct control *control_new(const struct control_options *options, struct mock_server_options *server)
{
    struct control *control = calloc(1, sizeof *control);
    struct stage *own = calloc(1, sizeof *own);
    if (control == NULL || own == NULL) {
        free(control);
        free(own);
        return NULL;
    }
    control->options = *options;
    control->guard = (struct guard){.any_peer = options->any_peer,
                                    .address = server->address,
                                    .hosts = options->hosts,
                                    .host_count = options->host_count};
    control->handler = (struct mock_http_handler){.prefix = CONTROL_PREFIX,
                                                  .body_bytes_max = CONTROL_BODY_BYTES_MAX,
                                                  .request = on_request,
                                                  .go_on = on_go_on,
                                                  .gone = on_gone,
                                                  .context = control};
    control->own = own;
    own->control = control;
    struct mock_service_options service = {.path = server->path,
                                           .engine = server->engine,
                                           .recorder = server->recorder,
                                           .choose = server->choose,
                                           .chosen_is_over = server->chosen_is_over,
                                           .script_done = server->script_done,
                                           .script_again = server->script_again,
                                           .context = server->context};
    struct stage_part *part = stage_wire(own, &service);
    part->inner_log = server->log;
    server->recorder = service.recorder;
    server->choose = service.choose;
    server->chosen_is_over = service.chosen_is_over;
    server->script_done = service.script_done;
    server->context = part;
    server->log = server->log == NULL ? NULL : stage_log;
    server->http = &control->handler;
    return control;
}

void control_begin(struct control *control, struct mock_server *server, uv_loop_t *loop)
{
    control->server = server;
    control->own->parts[0].service = mock_server_service(server);
    waits_begin(&control->waits, loop);
}

bool control_beside(struct control *control, struct mock_service_options *options)
{
    return stage_wire(control->own, options) != NULL;
}

void control_beside_begin(struct control *control, struct mock_service *service)
{
    control->own->parts[control->own->part_count - 1].service = service;
}

void control_drain(struct control *control)
{
    control->draining = true;
    waits_end(&control->waits);
}

void control_free(struct control *control)
{
    work_drop(control);
    struct stage *lists[] = {control->scenarios, control->leaving, control->own};
    for (size_t n = 0; n < sizeof lists / sizeof lists[0]; n++) {
        for (struct stage *stage = lists[n]; stage != NULL;) {
            struct stage *next = stage->next;
            stage_free(stage);
            stage = next;
        }
    }
    free(control);
}
