/* The table of the routes, and those that concern the mock as a whole. */
#include <stdio.h>

#include "server/control/control_state.h"

static const char *const NONE[] = {NULL};

const struct route CONTROL_ROUTES[] = {
    {"GET", "", false, handle_index, "this list"},
    {"GET", "health", false, handle_health, "the mock runs"},
    {"GET", "ready", false, handle_ready, "200 while sessions are let in, 503 while it stops"},
    {"GET", "metrics", true, handle_metrics, "counters, in Prometheus text format"},
    {"GET", "sessions", true, handle_sessions, "the open sessions and those of the recent past"},
    {"GET", "sessions/{n}", true, handle_session, "one of them"},
    {"GET", "sessions/{n}/audio.wav", true, handle_session_audio, "the audio it has sent, as WAV"},
    {"POST", "sessions/{n}/send", true, handle_session_send,
     "sends a message: {\"kind\":\"error\",\"options\":{…}} or {\"steps\":\"…\"}"},
    {"POST", "sessions/{n}/close", true, handle_session_close, "closes it: {\"code\":1001,\"reason\":\"…\"}"},
    {"POST", "sessions/{n}/quirks", true, handle_session_quirks,
     "sets quirks of it: {\"quirks\":\"cancel-late=2s fade\"}"},
    {"POST", "sessions/{n}/faults", true, handle_session_faults,
     "plays a fault in it: {\"fault\":\"drop=10\"}"},
    {"GET", "quirks", true, handle_quirks, "the quirks of the next sessions"},
    {"POST", "quirks", true, handle_quirks_set, "sets some of them: {\"quirks\":\"…\"}"},
    {"DELETE", "quirks", true, handle_quirks_reset, "as at the start"},
    {"GET", "faults", true, handle_faults, "the fault that the next sessions play"},
    {"POST", "faults", true, handle_faults_set, "sets it: {\"fault\":\"drop=10\"}"},
    {"DELETE", "faults", true, handle_faults_reset, "none any more"},
    {"GET", "journal", true, handle_journal,
     "entries that match: session= family= direction= what= kind= label= event= type= requirement= text= "
     "since= "
     "limit="},
    {"GET", "journal/count", true, handle_journal_count, "how many match"},
    {"GET", "journal/wait", true, handle_journal_wait, "answers when count= match, or after timeout="},
    {"DELETE", "journal", true, handle_journal_clear, "empties it"},
    {"GET", "findings", true, handle_findings,
     "what clients did against the documents: session= family= requirement= since="},
    {"GET", "scenarios", false, handle_scenarios, "all scenarios"},
    {"POST", "scenarios", false, handle_scenario_add,
     "makes an endpoint with a behaviour of its own: {\"script\":\"…\"}, {\"quirks\":\"…\"}, "
     "{\"fault\":\"…\"} or "
     "{\"card\":\"…\"}, with \"family\" of another one than the first"},
    {"GET", "scenarios/{id}", false, handle_scenario, "one scenario; scenarios/{id}/… has the routes above"},
    {"DELETE", "scenarios/{id}", false, handle_scenario_remove, "ends it, its sessions with 1001"},
    {"POST", "reset", true, handle_reset, "forgets journal, counts, quirks and faults, and all scenarios"},
    {NULL, NULL, false, NULL, NULL}};

void handle_index(struct exchange *exchange)
{
    struct json_writer *json = &exchange->json;
    if (!exchange_parameters(exchange, NONE))
        return;
    json_open(json, NULL, '{');
    json_open(json, "routes", '[');
    for (const struct route *route = CONTROL_ROUTES; route->method != NULL; route++) {
        char path[120];
        snprintf(path, sizeof path, CONTROL_PREFIX "%s", route->pattern);
        json_open(json, NULL, '{');
        json_text(json, "method", route->method);
        json_text(json, "path", path);
        json_text(json, "what", route->sentence);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

void handle_health(struct exchange *exchange)
{
    json_open(&exchange->json, NULL, '{');
    json_text(&exchange->json, "status", "ok");
    json_u64(&exchange->json, "uptime_ms", control_now_us(exchange->control) / 1000);
    json_close(&exchange->json, '}');
}

void handle_ready(struct exchange *exchange)
{
    const struct control *control = exchange->control;
    if (control->draining || mock_server_is_stopping(control->server)) {
        exchange_error(exchange, 503, "the mock is stopping: no session is let in any more");
        return;
    }
    json_open(&exchange->json, NULL, '{');
    json_text(&exchange->json, "status", "ready");
    json_u64(&exchange->json, "sessions", mock_server_sessions(control->server));
    json_close(&exchange->json, '}');
}

/* What the next sessions do is as it was at the start, and nothing is known of those that are over. */
static void stage_reset(struct stage *stage)
{
    for (size_t n = 0; n < stage->part_count; n++) {
        part_set_fault(&stage->parts[n], "", NULL);
        part_reset_quirks(&stage->parts[n]);
    }
    stage_forget(stage);
}

void handle_reset(struct exchange *exchange)
{
    struct control *control = exchange->control;
    cJSON *body = exchange_body(exchange, NONE);
    if (body == NULL)
        return;
    cJSON_Delete(body);
    uint64_t removed = 0;
    stage_reset(exchange->stage);
    while (exchange->stage == control->own && control->scenarios != NULL) {
        control_scenario_remove(control, control->scenarios);
        removed++;
    }
    json_open(&exchange->json, NULL, '{');
    json_u64(&exchange->json, "scenarios_removed", removed);
    json_close(&exchange->json, '}');
}
