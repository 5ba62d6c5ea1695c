/*
 * Any bytes as a request to the control interface, head and body, to a mock that really listens: an answer
 * that is whole JSON, a status that fits it, and a mock that is as it was once it is reset. The mock has
 * services of two families, and a journal with a session that is over.
 *
 * An input that begins with '{' is a body alone: what the routes of open sessions make of it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "server/control/control_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROUNDS_MAX = 64, BODY_ANSWER_MAX = 4 * 1024 * 1024, WAIT_MS = 1000 };

struct host {
    uv_loop_t loop;
    struct mock_server_options options;
    struct control *control;
    struct mock_server *server;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* Made once: a listener takes longer than all that a request can ask for. */
static struct host *the_host(void)
{
    static struct host host;
    static const struct control_options control = {.any_peer = true};
    char error[MOCK_ERROR_MAX] = "";
    if (host.server != NULL)
        return &host;
    const struct session_class *class = SESSION_CLASSES[0], *other = SESSION_CLASSES[1];
    check(uv_loop_init(&host.loop) == 0);
    host.options = (struct mock_server_options){
        .path = class->family->path,
        .engine = {.session_class = class,
                   .session = {.profile = class->family->profiles[0], .seed = 7, .speed = 1, .key = "key"}},
        .recorder = {.rules = {.profile = class->family->profiles[0]}, .session_class = class}};
    host.control = control_new(&control, &host.options);
    check(host.control != NULL);
    host.server = mock_server_start(&host.loop, &host.options, error);
    check(host.server != NULL);
    control_begin(host.control, host.server, &host.loop);
    struct mock_service_options beside = {
        .path = other->family->path,
        .beside = true,
        .engine = {.session_class = other,
                   .session = {.profile = other->family->profiles[0], .seed = 7, .speed = 1}},
        .recorder = {.rules = {.profile = other->family->profiles[0]}, .session_class = other}};
    check(control_beside(host.control, &beside));
    struct mock_service *service = mock_service_add(host.server, &beside, error);
    check(service != NULL);
    control_beside_begin(host.control, service);
    return &host;
}

static void record(struct host *host, enum wire_event_kind kind, enum wire_direction direction,
                   const char *label, const char *text)
{
    static uint64_t sequence;
    const struct journal_entry entry = {.sequence = sequence++,
                                        .connection = 1,
                                        .class = SESSION_CLASSES[0],
                                        .kind = JOURNAL_WIRE,
                                        .wire = {.direction = direction,
                                                 .kind = kind,
                                                 .message_bytes = strlen(text),
                                                 .data = bytes_of_text(text)}};
    struct journal_entry labelled = entry;
    struct text out = text_of(labelled.label, sizeof labelled.label);
    text_add(&out, label);
    host->options.recorder.sink(host->options.recorder.context, &labelled);
}

static void record_session(struct host *host)
{
    record(host, WIRE_EVENT_REQUEST, WIRE_FROM_CLIENT, "upgrade",
           "GET /realtime?config_id=a HTTP/1.1\r\nHost: h\r\n\r\n");
    record(host, WIRE_EVENT_TEXT, WIRE_FROM_CLIENT, "other", "{\"type\":\"x\",\"quote\":\"\\\"\"}");
    record(host, WIRE_EVENT_TEXT, WIRE_FROM_SERVER, "error", "{\"error\":{\"code\":\"NO_BACKEND\"}}");
    record(host, WIRE_EVENT_END, WIRE_FROM_CLIENT, "end", "");
}

static struct exchange exchange_of(struct host *host, const struct http_head *head, struct bytes body)
{
    return (struct exchange){.control = host->control,
                             .stage = host->control->own,
                             .part = &host->control->own->parts[0],
                             .head = head,
                             .body = body,
                             .status = 200,
                             .content_type = "application/json"};
}

static void exchange_begin(struct exchange *exchange)
{
    buffer_init(&exchange->answer, BODY_ANSWER_MAX);
    exchange->json = json_writer_of(&exchange->answer);
}

static void exchange_check(struct exchange *exchange)
{
    check(exchange->status >= 200 && exchange->status < 600);
    check(memchr(exchange->head_lines, '\0', sizeof exchange->head_lines) != NULL);
    if (strcmp(exchange->content_type, "application/json") == 0)
        check(json_check(buffer_bytes(&exchange->answer)).status == WIRE_OK);
    if (exchange->status >= 400)
        check(exchange->answer.len > strlen("{\"error\":\"\"}"));
    buffer_free(&exchange->answer);
}

/* Nothing is left of what was asked for. */
static void host_reset(struct host *host)
{
    struct control *control = host->control;
    while (control->scenarios != NULL)
        control_scenario_remove(control, control->scenarios);
    for (unsigned n = 0; n < ROUNDS_MAX && control->leaving != NULL; n++)
        (void)uv_run(&host->loop, UV_RUN_NOWAIT);
    check(control->leaving == NULL && control->scenario_count == 0);
    for (size_t n = 0; n < control->own->part_count; n++) {
        check(part_set_fault(&control->own->parts[n], "", NULL));
        part_reset_quirks(&control->own->parts[n]);
    }
    stage_forget(control->own);
}

static bool waits(const struct http_head *head)
{
    static const char name[] = "wait";
    const size_t len = sizeof name - 1;
    return head->path.len >= len && memcmp(head->path.data + head->path.len - len, name, len) == 0;
}

/* Those that may wait have a connection to be answered on; what they read is read here. */
static void try_find(const struct http_head *head)
{
    struct find find;
    char error[QUERY_ERROR_MAX] = "", value[QUERY_VALUE_MAX];
    bool wrong = false;
    uint64_t number = 0;
    if (!find_read(head, &find, error))
        check(error[0] != '\0' && memchr(error, '\0', sizeof error) != NULL);
    if (query_text(head, "timeout", value, &wrong))
        check(!query_duration(value, WAIT_MS, &number) || number <= WAIT_MS);
    if (query_text(head, "count", value, &wrong))
        check(!query_number(value, WAIT_MS, &number) || number <= WAIT_MS);
}

static size_t head_length(const uint8_t *data, size_t size)
{
    static const char end[] = "\r\n\r\n";
    for (size_t n = 0; n + 4 <= size; n++)
        if (memcmp(data + n, end, 4) == 0)
            return n + 4;
    return size;
}

static void try_request(struct host *host, const uint8_t *data, size_t size)
{
    struct http_head head;
    const size_t len = head_length(data, size);
    if (!http_head_parse(bytes_of(data, len), &head))
        return;
    const char *refusal = guard_refuses(&host->control->guard, &head, true);
    check(refusal == NULL || *refusal != '\0');
    record_session(host);
    if (waits(&head)) {
        try_find(&head);
    } else {
        struct exchange exchange = exchange_of(host, &head, bytes_of(data + len, size - len));
        exchange_begin(&exchange);
        control_route(&exchange, 0);
        if (exchange.walked != NULL) {
            check(walk_go_on(&exchange.walk, exchange.walk_json, NULL, NULL));
            exchange.walked(&exchange);
        }
        check(!exchange.later);
        exchange_check(&exchange);
    }
    host_reset(host);
}

/* The bodies for sessions that are open, which no session is here. */
static void take_body(struct exchange *exchange, const cJSON *body)
{
    bool wrong = false;
    struct quirks quirks = {0};
    struct script *steps = NULL;
    struct buffer line;
    const char *text = exchange_text(exchange, body, "steps", &wrong);
    const char *kind = wrong ? NULL : exchange_text(exchange, body, "kind", &wrong);
    const char *fault = wrong ? NULL : exchange_text(exchange, body, "fault", &wrong);
    const char *named = wrong ? NULL : exchange_text(exchange, body, "quirks", &wrong);
    buffer_init(&line, CONTROL_BODY_BYTES_MAX);
    if (wrong)
        check(exchange->status == 400);
    else if (text != NULL)
        steps = body_steps(exchange, text);
    else if (fault != NULL)
        steps = body_fault_steps(exchange, fault);
    else if (named != NULL)
        check(body_quirks(exchange, named, &quirks) == (exchange->status == 200));
    else if (kind != NULL && send_line_write(exchange, kind, json_member(body, "options"), &line))
        steps = body_steps(exchange, (const char *)line.data);
    check(steps == NULL || exchange->status == 200);
    if (steps != NULL)
        script_free(steps);
    buffer_free(&line);
}

static void try_body(struct host *host, struct bytes data)
{
    static const char *const names[] = {"kind", "options", "steps", "fault", "quirks", NULL};
    struct exchange exchange = exchange_of(host, NULL, data);
    exchange_begin(&exchange);
    cJSON *body = exchange_body(&exchange, names);
    check((body == NULL) == (exchange.status == 400));
    if (body != NULL)
        take_body(&exchange, body);
    cJSON_Delete(body);
    if (exchange.status == 200)
        buffer_free(&exchange.answer);
    else
        exchange_check(&exchange);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct host *host = the_host();
    if (size > 0 && data[0] == '{')
        try_body(host, bytes_of(data, size));
    else
        try_request(host, data, size);
    return 0;
}
