/*
 * The text messages a session sends: sessionReady and errorResponse as 000 has them, and what quirks make of
 * them or add to them (field notes, Text).
 */
#include "server/ojin/session.h"
#include "server/persona/persona.h"

static bool send_text(const char *label, struct bytes text, bool fault, struct actions *actions)
{
    struct action *action = NULL;
    uint8_t *out = actions_add(actions, ACTION_SEND_TEXT, label, text.len, &action);
    if (out == NULL)
        return false;
    if (text.len > 0)
        memcpy(out, text.data, text.len);
    action->fault = fault;
    return true;
}

void ojin_send_plain(const char *label, const char *string, struct actions *actions)
{
    (void)send_text(label, bytes_of_text(string), false, actions);
}

/* ---- errorResponse ---- */

/* What older servers said in place of a code; NULL: the same. */
static const char *const OLD_NAMES[OJIN_ERROR_COUNT] = {
    [OJIN_ERROR_MISSING_CONFIG_ID] = "INVALID_PERSONA_ID_CONFIGURATION",
    [OJIN_ERROR_MODEL_NOT_FOUND] = "CONFIG_NOT_FOUND",
    [OJIN_ERROR_BACKEND_UNAVAILABLE] = "NO_BACKEND_SERVER_AVAILABLE",
    [OJIN_ERROR_INTERNAL_ERROR] = "FAILED_CREATE_MODEL",
    [OJIN_ERROR_FRAME_SIZE_EXCEEDED] = "FRAME_SIZE_TOO_BIG",
    [OJIN_ERROR_INVALID_MESSAGE] = "INVALID_INTERACTION_ID",
};

/* They told an id that nothing has from one that can be none: here a test card that there is not. */
static const char *old_name(const struct session *session, enum ojin_error_code code)
{
    if (code == OJIN_ERROR_MODEL_NOT_FOUND && session->config.config_fault != NULL)
        return "INVALID_MODEL_ID";
    return OLD_NAMES[code];
}

static void write_bare_error(const char *code, const char *message, const char *interaction, struct text *out)
{
    text_add(out, "{\"type\":\"errorResponse\",\"payload\":{\"code\":");
    text_add_json_string(out, bytes_of_text(code));
    text_add(out, ",\"message\":");
    text_add_json_string(out, bytes_of_text(message));
    text_add(out, ",\"interaction_id\":");
    if (interaction != NULL)
        text_add_json_string(out, bytes_of_text(interaction));
    else
        text_add(out, "null");
    text_add(out, "}}");
}

void ojin_write_error(const struct session *session, uint64_t now_us, enum ojin_error_code code,
                      const char *message, const uint8_t *interaction, struct text *out)
{
    const char *old = ojin_quirk(session, OJIN_QUIRK_OLD_ERROR_CODES) != 0 ? old_name(session, code) : NULL;
    const char *name = old != NULL ? old : ojin_error_name(code);
    char id[2 * UUID_BYTES + 5];
    struct text id_text = text_of(id, sizeof id);
    if (interaction != NULL)
        text_add_uuid(&id_text, interaction);
    const char *given = interaction != NULL ? id : NULL;
    if (ojin_quirk(session, OJIN_QUIRK_BARE_ERRORS) != 0)
        write_bare_error(name, message, given, out);
    else
        ojin_write_error_response(out, name, message, given, ojin_now_ms(session, now_us));
}

static void send_error_about(struct session *session, uint64_t now_us, enum ojin_error_code code,
                             const char *message, const uint8_t *interaction, struct actions *actions)
{
    char json[OJIN_ERROR_BYTES_MAX];
    struct text text = text_of(json, sizeof json);
    ojin_write_error(session, now_us, code, message, interaction, &text);
    (void)send_text("error", bytes_of(json, text.len), false, actions);
}

void ojin_send_error(struct session *session, uint64_t now_us, enum ojin_error_code code, const char *message,
                     struct actions *actions)
{
    send_error_about(session, now_us, code, message, NULL, actions);
}

/* ---- sessionReady ---- */

/* A member that some servers add, in snake and in camel case; the value is JSON. */
struct ready_extra {
    const char *snake;
    const char *camel;
    const char *value; /* NULL: worked out */
};

enum { EXTRA_WIDTH = 4, EXTRA_HEIGHT = 5, PARAMETERS_BYTES_MAX = 64 };

static const struct ready_extra READY_EXTRAS[] = {
    {"num_clients", "numClients", "1"},
    {"max_capacity", "maxCapacity", "4"},
    {"server_id", "serverId", "\"mock-1\""},
    {"persona", "persona", "{\"name\":\"mock\"}"},
    [EXTRA_WIDTH] = {"video_width", "videoWidth", NULL},
    [EXTRA_HEIGHT] = {"video_height", "videoHeight", NULL},
    {"server_feed_initial_chunk_ms", "serverFeedInitialChunkMs", "400"},
};

static void write_extras(const struct session *session, bool camel, struct text *out)
{
    const struct persona *persona = session->config.persona;
    for (size_t i = 0; i < sizeof READY_EXTRAS / sizeof READY_EXTRAS[0]; i++) {
        const struct ready_extra *extra = &READY_EXTRAS[i];
        text_add(out, ",");
        text_add_json_string(out, bytes_of_text(camel ? extra->camel : extra->snake));
        text_add(out, ":");
        if (extra->value != NULL)
            text_add(out, extra->value);
        else if (i == EXTRA_WIDTH)
            text_add_u64(out, persona == NULL ? OJIN_PICTURE_WIDTH : persona_width(persona));
        else
            text_add_u64(out, persona == NULL ? OJIN_PICTURE_HEIGHT : persona_height(persona));
    }
}

/* A server may return parameters of the session (000 SessionReadyMessage). That a mock names the profile it
 * plays spares who judges it a guess. */
static void write_parameters(const struct session *session, struct text *out)
{
    text_add(out, "{\"profile\":");
    text_add_json_string(out, bytes_of_text(session->config.profile->name));
    text_add(out, "}");
}

static void write_unusual_ready(const struct session *session, uint64_t now_us, struct text *out)
{
    const bool camel = ojin_quirk(session, OJIN_QUIRK_CAMEL_CASE_READY) != 0;
    text_add(out, "{\"type\":\"sessionReady\",\"payload\":{\"");
    text_add(out, camel ? "traceId" : "trace_id");
    text_add(out, "\":\"");
    text_add_uuid(out, session->trace_id);
    text_add(out, "\",\"status\":\"success\",\"load\":");
    text_add_double(out, session->load, 6);
    text_add(out, ",\"timestamp\":");
    text_add_u64(out, ojin_now_ms(session, now_us));
    text_add(out, ",\"parameters\":");
    write_parameters(session, out);
    if (ojin_quirk(session, OJIN_QUIRK_EXTRA_READY) != 0)
        write_extras(session, camel, out);
    text_add(out, "}}");
}

bool ojin_send_ready(struct session *session, uint64_t now_us, struct actions *actions)
{
    char json[OJIN_ERROR_BYTES_MAX];
    struct text text = text_of(json, sizeof json);
    /* Without trace_id it is wrong, however readable. */
    const bool camel = ojin_quirk(session, OJIN_QUIRK_CAMEL_CASE_READY) != 0;
    if (camel || ojin_quirk(session, OJIN_QUIRK_EXTRA_READY) != 0) {
        write_unusual_ready(session, now_us, &text);
    } else {
        char parameters[PARAMETERS_BYTES_MAX];
        struct text written = text_of(parameters, sizeof parameters);
        write_parameters(session, &written);
        ojin_write_session_ready(&text, session->trace_id, session->load, ojin_now_ms(session, now_us),
                                 parameters);
    }
    return send_text("ready", bytes_of(json, text.len), camel, actions);
}

/* ---- notices ---- */

void ojin_send_session_ping(struct actions *actions)
{
    ojin_send_plain("text", "{\"type\":\"sessionPing\"}", actions);
}

void ojin_notice_add(struct session *session, uint64_t at_us, enum ojin_notice notice)
{
    /* Those that wait already are not put off. */
    if (session->notices == 0)
        session->notice_us = at_us;
    session->notices |= UINT32_C(1) << notice;
}

static void send_notice(struct session *session, uint64_t now_us, enum ojin_notice notice,
                        struct actions *actions)
{
    switch (notice) {
    case OJIN_NOTICE_READY_AGAIN:
        (void)ojin_send_ready(session, now_us, actions);
        break;
    case OJIN_NOTICE_SESSION_UPDATE:
        ojin_send_plain("text", "{\"type\":\"sessionUpdate\",\"payload\":{\"state\":\"active\"}}", actions);
        break;
    case OJIN_NOTICE_WEBRTC_STATUS:
        ojin_send_plain("text", "{\"type\":\"webrtcStatus\",\"payload\":{\"status\":\"disconnected\"}}",
                        actions);
        break;
    case OJIN_NOTICE_TURN:
        ojin_send_plain("text", "{\"type\":\"interactionStatus\",\"payload\":{\"stage\":\"rendering\"}}",
                        actions);
        break;
    case OJIN_NOTICE_CANCELLED:
        send_error_about(session, now_us, OJIN_ERROR_CANCELLED, ojin_error_description(OJIN_ERROR_CANCELLED),
                         session->progress.interaction, actions);
        break;
    case OJIN_NOTICE_COUNT:
        break;
    }
}

void ojin_notice_send(struct session *session, uint64_t now_us, struct actions *actions)
{
    for (uint32_t n = 0; n < OJIN_NOTICE_COUNT; n++) {
        const uint32_t bit = UINT32_C(1) << n;
        if ((session->notices & bit) == 0)
            continue;
        session->notices &= ~bit;
        send_notice(session, now_us, (enum ojin_notice)n, actions);
        return;
    }
}
