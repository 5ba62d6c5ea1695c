/* Sessions: looked at, and reached into. */
#include <stdio.h>

#include "codec/wire/utf8.h"
#include "codec/ws/stream.h"
#include "server/control/control_state.h"
#include "server/control/wav.h"

enum { CLOSE_CODE_DEFAULT = WS_CLOSE_NORMAL };

static const char *const NONE[] = {NULL};

/* ---- looked at ---- */

static void counts_write(struct json_writer *json, const char *name, const struct counts *counts)
{
    json_open(json, name, '{');
    for (size_t n = 0; n < counts->used; n++) {
        json_open(json, counts->list[n].name, '{');
        json_u64(json, "messages", counts->list[n].events);
        json_u64(json, "bytes", counts->list[n].bytes);
        json_close(json, '}');
    }
    json_close(json, '}');
}

/* Of the latest input; before there is one what holds without. */
static void params_write(struct json_writer *json, const struct session_messages *messages,
                         const struct session_record *record)
{
    char unset[SESSION_PARAMS_TEXT_MAX];
    struct text text = text_of(unset, sizeof unset);
    if (record->params[0] == '\0')
        (void)messages->input_params(true, bytes_of(NULL, 0), &text);
    json_raw(json, "params", bytes_of_text(record->params[0] == '\0' ? unset : record->params));
}

static void code_write(struct json_writer *json, const char *name, uint16_t code)
{
    if (code == 0)
        json_text(json, name, NULL);
    else
        json_u64(json, name, code);
}

static void session_write(struct exchange *exchange, const char *name, const struct session_record *record)
{
    struct json_writer *json = &exchange->json;
    struct mock_session live;
    bool is_live = mock_service_session(record->service, record->number, &live);
    const char *state = is_live ? live.state : record->refused != 0 ? "refused" : "over";
    json_open(json, name, '{');
    json_u64(json, "session", record->number);
    json_text(json, "family", record->class->family->name);
    json_text(json, "state", state);
    json_text(json, "peer", record->peer);
    json_text(json, "path", record->path);
    json_text(json, "config_id", record->config_id);
    if (record->class->messages->session_id != NULL)
        json_text(json, "session_id", record->session_id[0] == '\0' ? NULL : record->session_id);
    json_u64(json, "begun_us", record->begun_us);
    if (!is_live)
        json_u64(json, "over_us", record->over_us);
    code_write(json, "refused", record->refused);
    code_write(json, "close_from_client", record->close_from_client);
    code_write(json, "close_from_server", record->close_from_server);
    counts_write(json, "received", &record->received);
    counts_write(json, "sent", &record->sent);
    json_u64(json, "findings", record->findings);
    json_u64(json, "notes", record->notes);
    json_u64(json, "audio_bytes", record->audio_bytes);
    params_write(json, record->class->messages, record);
    if (is_live)
        json_u64(json, "waiting_bytes", live.waiting_bytes);
    if (is_live && live.engine != NULL) {
        json_u64(json, "script_line", engine_line(live.engine));
        struct quirks quirks;
        engine_quirks(live.engine, &quirks);
        quirks_write(json, "quirks", record->class->quirks, &quirks);
    }
    json_close(json, '}');
}

void handle_sessions(struct exchange *exchange)
{
    struct session_list *list = &exchange->stage->sessions;
    struct json_writer *json = &exchange->json;
    if (!exchange_parameters(exchange, NONE))
        return;
    session_list_settle(list, control_now_us(exchange->control));
    json_open(json, NULL, '{');
    json_u64(json, "open", stage_open(exchange->stage));
    json_u64(json, "requests", stage_requests(exchange->stage));
    json_open(json, "sessions", '[');
    for (const struct session_record *record = list->first; record != NULL; record = record->next)
        session_write(exchange, NULL, record);
    json_close(json, ']');
    json_close(json, '}');
}

/* NULL: the error is written. */
static const struct session_record *record_of(struct exchange *exchange)
{
    struct session_list *list = &exchange->stage->sessions;
    session_list_settle(list, control_now_us(exchange->control));
    const struct session_record *record = session_list_find(list, exchange->number);
    for (size_t n = 0; record != NULL && n < exchange->stage->part_count; n++)
        if (exchange->stage->parts[n].service == record->service)
            exchange->part = &exchange->stage->parts[n];
    if (record == NULL)
        exchange_error(exchange, 404, "there is no session %lu, or it is forgotten",
                       (unsigned long)exchange->number);
    return record;
}

void handle_session(struct exchange *exchange)
{
    const struct session_record *record = exchange_parameters(exchange, NONE) ? record_of(exchange) : NULL;
    if (record != NULL)
        session_write(exchange, NULL, record);
}

void handle_session_audio(struct exchange *exchange)
{
    uint8_t head[WAV_HEAD_BYTES];
    const struct session_record *record = exchange_parameters(exchange, NONE) ? record_of(exchange) : NULL;
    if (record == NULL)
        return;
    wav_head(head, record->class->messages->input_rate, (uint32_t)record->audio.len);
    if (!buffer_append(&exchange->answer, bytes_of(head, sizeof head)) ||
        !buffer_append(&exchange->answer, buffer_bytes(&record->audio))) {
        exchange_error(exchange, 500, "there is no memory for the answer");
        return;
    }
    exchange->content_type = "audio/wav";
    snprintf(exchange->head_lines, sizeof exchange->head_lines,
             "Mock-Audio-Bytes-Received: %llu\r\nMock-Audio-Bytes-Kept: %zu\r\nMock-Audio-Cut: %s\r\n",
             (unsigned long long)record->audio_bytes, record->audio.len,
             record->audio.len < record->audio_bytes ? "true" : "false");
}

/* ---- reached into ---- */

/* False: the error is written. */
static bool session_is_open(struct exchange *exchange)
{
    struct mock_session live;
    if (record_of(exchange) == NULL)
        return false;
    if (mock_service_session(exchange->part->service, exchange->number, &live) &&
        strcmp(live.state, "open") == 0)
        return true;
    exchange_error(exchange, 409, "session %lu is not open", (unsigned long)exchange->number);
    return false;
}

static void done(struct exchange *exchange)
{
    json_open(&exchange->json, NULL, '{');
    json_u64(&exchange->json, "session", exchange->number);
    json_close(&exchange->json, '}');
}

/* The session's from now on, unless the error is written. */
static void inject(struct exchange *exchange, struct script *steps)
{
    if (steps == NULL)
        return;
    if (mock_session_inject(exchange->part->service, exchange->number, steps)) {
        done(exchange);
        return;
    }
    script_free(steps);
    exchange_error(exchange, 409, "the steps sent to session %lu before are still being played",
                   (unsigned long)exchange->number);
}

void handle_session_send(struct exchange *exchange)
{
    static const char *const names[] = {"kind", "options", "steps", NULL};
    if (!session_is_open(exchange))
        return;
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    bool wrong = false;
    const char *steps = exchange_text(exchange, body, "steps", &wrong);
    const char *kind = wrong ? NULL : exchange_text(exchange, body, "kind", &wrong);
    struct buffer line;
    buffer_init(&line, CONTROL_BODY_BYTES_MAX);
    if (!wrong && (steps == NULL) == (kind == NULL))
        exchange_error(exchange, 400, "expected either \"steps\" or \"kind\" (with \"options\")");
    else if (!wrong && steps != NULL)
        inject(exchange, body_steps(exchange, steps));
    else if (!wrong && send_line_write(exchange, kind, json_member(body, "options"), &line))
        inject(exchange, body_steps(exchange, (const char *)line.data));
    buffer_free(&line);
    cJSON_Delete(body);
}

void handle_session_close(struct exchange *exchange)
{
    static const char *const names[] = {"code", "reason", NULL};
    if (!session_is_open(exchange))
        return;
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    int64_t code = CLOSE_CODE_DEFAULT;
    bool wrong = false;
    const cJSON *given = json_member(body, "code");
    const char *reason = exchange_text(exchange, body, "reason", &wrong);
    if (given != NULL && !(json_integer(given, &code) && code > 0 && code <= UINT16_MAX &&
                           ws_close_code_is_legal((uint16_t)code))) {
        exchange_error(
            exchange, 400,
            "code: expected one that may be sent, 1000 to 1003, 1007 to 1014 or 3000 to 4999 (RFC 6455 "
            "7.4); others are there as the fault illegal-close-code");
        wrong = true;
    }
    if (!wrong && reason != NULL && strlen(reason) > WS_CLOSE_REASON_BYTES_MAX) {
        exchange_error(exchange, 400, "reason: expected at most %d bytes", WS_CLOSE_REASON_BYTES_MAX);
        wrong = true;
    }
    if (!wrong && mock_session_close(exchange->part->service, exchange->number, (uint16_t)code,
                                     bytes_of_text(reason == NULL ? "" : reason)))
        done(exchange);
    else if (!wrong)
        exchange_error(exchange, 409, "session %lu is not open", (unsigned long)exchange->number);
    cJSON_Delete(body);
}

void handle_session_quirks(struct exchange *exchange)
{
    static const char *const names[] = {"quirks", NULL};
    struct mock_session live;
    if (!session_is_open(exchange) ||
        !mock_service_session(exchange->part->service, exchange->number, &live) || live.engine == NULL)
        return;
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    bool wrong = false;
    struct quirks quirks;
    engine_quirks(live.engine, &quirks);
    const char *text = exchange_text(exchange, body, "quirks", &wrong);
    if (!wrong && text == NULL)
        exchange_error(exchange, 400, "expected \"quirks\"");
    else if (!wrong && body_quirks(exchange, text, &quirks) &&
             mock_session_set_quirks(exchange->part->service, exchange->number, &quirks)) {
        json_open(&exchange->json, NULL, '{');
        json_u64(&exchange->json, "session", exchange->number);
        quirks_write(&exchange->json, "quirks", part_class(exchange->part)->quirks, &quirks);
        json_close(&exchange->json, '}');
    }
    cJSON_Delete(body);
}

void handle_session_faults(struct exchange *exchange)
{
    static const char *const names[] = {"fault", NULL};
    if (!session_is_open(exchange))
        return;
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    bool wrong = false;
    const char *fault = exchange_text(exchange, body, "fault", &wrong);
    if (!wrong && fault == NULL)
        exchange_error(exchange, 400, "expected \"fault\"");
    else if (!wrong)
        inject(exchange, body_fault_steps(exchange, fault));
    cJSON_Delete(body);
}
