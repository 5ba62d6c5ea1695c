/*
 * The messages of a script that are no frames, and the list of all kinds there are. A sessionReady or
 * errorResponse that says something the documents do not allow is a fault; plain text is not.
 */
#include "codec/wire/json.h"
#include "codec/wire/utf8.h"
#include "server/ojin/compose.h"

enum { COMPOSE_JSON_MAX = 8192 };

const struct send_kind OJIN_SEND_KINDS[] = {
    {"ready", "trace_id status load parameters timestamp extra"},
    {"silence", COMPOSE_FRAME_OPTIONS},
    {"speech", COMPOSE_FRAME_OPTIONS},
    {"fade", COMPOSE_FRAME_OPTIONS},
    {"final", COMPOSE_FRAME_OPTIONS},
    {"error", "code message interaction details timestamp"},
    {"text", "text"},
    {"json", "text"},
    {"binary", "hex"},
    {"ping", "data"},
    {NULL, NULL},
};

/* In the order of OJIN_SEND_KINDS. */
static compose_function *const FUNCTIONS[] = {compose_ready,  compose_frame, compose_frame, compose_frame,
                                              compose_frame,  compose_error, compose_plain, compose_plain,
                                              compose_binary, compose_ping};

/* Does the server say something that a reader must take for wrong? */
static bool text_is_fault(struct bytes text)
{
    if (utf8_valid_prefix(text) != text.len)
        return true;
    struct ojin_message message;
    ojin_message_read(text, &message);
    const bool judged =
        message.type == OJIN_MESSAGE_SESSION_READY || message.type == OJIN_MESSAGE_ERROR_RESPONSE;
    return judged && message.error.status != WIRE_OK;
}

/* `,"name":VALUE` with the value as it is. */
static void member_add(struct text *json, const char *name, const char *value)
{
    text_add_char(json, ',');
    text_add_json_string(json, bytes_of_text(name));
    text_add_char(json, ':');
    text_add(json, value);
}

static void timestamp_add(const struct compose_call *call, struct text *json, const char *timestamp)
{
    char now[24];
    struct text now_text = text_of(now, sizeof now);
    if (call->session != NULL)
        text_add_u64(&now_text, ojin_now_ms(call->session, call->now_us));
    else
        text_add(&now_text, "0");
    if (timestamp == NULL)
        member_add(json, "timestamp", now);
    else if (strcmp(timestamp, "absent") != 0)
        member_add(json, "timestamp", timestamp);
}

/* Sends `json` once it is known to be JSON: a value that was pasted in may have broken it. */
static bool json_send(const struct compose_call *call, const struct text *json, const char *label)
{
    const struct bytes bytes = bytes_of(json->data, json->len);
    if (json->cut)
        return compose_say(call, "the message is longer than 8192 bytes");
    const struct wire_error error = json_check(bytes);
    if (error.status != WIRE_OK) {
        struct text text = text_of(call->error, COMPOSE_ERROR_MAX);
        text_add(&text, "the values do not make JSON: ");
        text_add(&text, error.field);
        text_add(&text, " near ");
        text_add_printable(&text, bytes_of(json->data + error.offset, json->len - error.offset), 40);
        return false;
    }
    if (call->actions == NULL)
        return true;
    return compose_add(call, ACTION_SEND_TEXT, label, bytes, text_is_fault(bytes));
}

static void ready_trace_id(const struct compose_call *call, const char *trace_id, struct text *json)
{
    static const uint8_t nil[UUID_BYTES] = {0};
    if (trace_id != NULL) {
        text_add_json_string(json, bytes_of_text(trace_id));
        return;
    }
    text_add_char(json, '"');
    text_add_uuid(json, call->session != NULL ? call->session->trace_id : nil);
    text_add_char(json, '"');
}

bool compose_ready(const struct compose_call *call)
{
    char data[COMPOSE_JSON_MAX];
    struct text json = text_of(data, sizeof data);
    const char *load = compose_value(call, "load");
    const char *status = compose_value(call, "status");
    const char *parameters = compose_value(call, "parameters");
    const char *extra = compose_value(call, "extra");
    text_add(&json, "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":");
    ready_trace_id(call, compose_value(call, "trace_id"), &json);
    text_add(&json, ",\"status\":");
    text_add_json_string(&json, bytes_of_text(status != NULL ? status : "success"));
    text_add(&json, ",\"load\":");
    if (load != NULL)
        text_add(&json, load);
    else
        text_add_double(&json, call->session != NULL ? call->session->load : 0.0, 6);
    if (parameters == NULL || strcmp(parameters, "absent") != 0)
        member_add(&json, "parameters", parameters != NULL ? parameters : "null");
    if (extra != NULL) {
        text_add_char(&json, ',');
        text_add(&json, extra);
    }
    timestamp_add(call, &json, compose_value(call, "timestamp"));
    text_add(&json, "}}");
    if (!json_send(call, &json, "ready"))
        return false;
    if (call->actions != NULL)
        ojin_stream_ready(call->session, call->now_us);
    return true;
}

static bool error_interaction(const struct compose_call *call, struct text *json)
{
    struct compose_option option = {.name = "interaction", .value = compose_value(call, "interaction")};
    struct compose_interaction asked = {0};
    if (option.value == NULL)
        return true;
    if (!compose_interaction(&option, &asked, call->error))
        return false;
    if (asked.kind == COMPOSE_ID_FRESH)
        return compose_fail(call->error, &option, "nil, current or a UUID");
    if (asked.kind == COMPOSE_ID_CURRENT && call->session != NULL)
        memcpy(asked.id, call->session->progress.interaction, UUID_BYTES);
    text_add(json, ",\"interaction_id\":\"");
    text_add_uuid(json, asked.id);
    text_add_char(json, '"');
    return true;
}

bool compose_error(const struct compose_call *call)
{
    char data[COMPOSE_JSON_MAX];
    struct text json = text_of(data, sizeof data);
    const char *code = compose_value(call, "code");
    const char *message = compose_value(call, "message");
    const char *details = compose_value(call, "details");
    if (code == NULL)
        code = ojin_error_name(OJIN_ERROR_INTERNAL_ERROR);
    enum ojin_error_code known = OJIN_ERROR_INTERNAL_ERROR;
    if (message == NULL)
        message = ojin_error_by_name(bytes_of_text(code), &known) ? ojin_error_description(known) : code;
    text_add(&json, "{\"type\":\"errorResponse\",\"payload\":{\"code\":");
    text_add_json_string(&json, bytes_of_text(code));
    text_add(&json, ",\"message\":");
    text_add_json_string(&json, bytes_of_text(message));
    if (!error_interaction(call, &json))
        return false;
    if (details != NULL)
        member_add(&json, "details", details);
    timestamp_add(call, &json, compose_value(call, "timestamp"));
    text_add(&json, "}}");
    return json_send(call, &json, "error");
}

bool compose_plain(const struct compose_call *call)
{
    const char *value = compose_value(call, "text");
    const struct bytes text = bytes_of_text(value != NULL ? value : "");
    if (strcmp(call->kind, "json") == 0) {
        const struct wire_error error = json_check(text);
        if (error.status != WIRE_OK) {
            const struct compose_option option = {.name = "text", .value = value != NULL ? value : ""};
            return compose_fail(call->error, &option, "JSON (`send text` sends anything)");
        }
    }
    if (call->actions == NULL)
        return true;
    return compose_add(call, ACTION_SEND_TEXT, "text", text, text_is_fault(text));
}

bool compose_binary(const struct compose_call *call)
{
    const struct compose_option option = {.name = "hex", .value = compose_value(call, "hex")};
    uint8_t data[COMPOSE_HEX_BYTES_MAX];
    size_t len = 0;
    if (option.value != NULL && !compose_hex(&option, data, sizeof data, &len, call->error))
        return false;
    if (call->actions == NULL)
        return true;
    struct ojin_frame frame;
    const bool decodes = ojin_frame_decode(bytes_of(data, len), &frame).status == WIRE_OK &&
                         (!frame.has_audio || frame.audio.len == OJIN_FRAME_AUDIO_BYTES);
    return compose_add(call, ACTION_SEND_BINARY, "binary", bytes_of(data, len), !decodes);
}

bool ojin_compose(struct session *session, uint64_t now_us, const char *kind,
                  const struct compose_option *options, size_t option_count, struct actions *actions,
                  char error[200])
{
    const struct compose_call call = {.session = session,
                                      .now_us = now_us,
                                      .kind = kind,
                                      .options = options,
                                      .option_count = option_count,
                                      .actions = actions,
                                      .error = error};
    return compose_by_kind(&call, OJIN_SEND_KINDS, FUNCTIONS);
}
