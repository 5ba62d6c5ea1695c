/*
 * The messages that a script asks for, and the list of all kinds there are. Sending one moves the session on
 * as if it had been its own: after queue_done the client may set up, after created it may append.
 */
#include "server/duplex/compose.h"

const struct send_kind DUPLEX_SEND_KINDS[] = {
    {"queued", "position wait length ticket extra"},
    {"queue_update", "position wait length ticket extra"},
    {"queue_done", "extra"},
    {"created", "session_id prompt_length extra"},
    {"delta", "text audio samples source end_of_turn kv_cache_length extra"},
    {"listen", "kv_cache_length extra"},
    {"closed", "reason extra"},
    {"error", "code message kind extra"},
    {"text", "text"},
    {"json", "text"},
    {"binary", "hex"},
    {"ping", "data"},
    {NULL, NULL},
};

static bool add(const struct compose_call *call, const struct duplex_message *message)
{
    return compose_json_add(call, &DUPLEX_COMPOSE, message, call->kind, bytes_of(NULL, 0));
}

static bool compose_plain(const struct compose_call *call)
{
    return compose_json_plain(call, &DUPLEX_COMPOSE);
}

/* ---- the kinds ---- */

static bool compose_place(const struct compose_call *call)
{
    bool has_ticket = false;
    int64_t wait_s = 0;
    struct duplex_message message = {.type = strcmp(call->kind, "queued") == 0 ? DUPLEX_MESSAGE_QUEUED
                                                                               : DUPLEX_MESSAGE_QUEUE_UPDATE,
                                     .has_position = true,
                                     .position = 1,
                                     .has_queue_length = true,
                                     .queue_length = 1,
                                     .has_wait = true};
    if (message.type == DUPLEX_MESSAGE_QUEUED)
        message.ticket_id = bytes_of_text("ticket_1");
    compose_text(call, "ticket", &has_ticket, &message.ticket_id);
    if (!compose_integer(call, "position", &message.has_position, &message.position) ||
        !compose_integer(call, "length", &message.has_queue_length, &message.queue_length) ||
        !compose_integer(call, "wait", &message.has_wait, &wait_s))
        return false;
    message.wait_s = (double)wait_s;
    return add(call, &message);
}

static bool compose_queue_done(const struct compose_call *call)
{
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_QUEUE_DONE};
    if (!add(call, &message))
        return false;
    if (call->actions != NULL && call->session->phase == DUPLEX_PHASE_QUEUED) {
        duplex_queue_finish(call->session, call->now_us);
        duplex_receive_early(call->session, call->now_us, call->actions);
    }
    return true;
}

static bool compose_created(const struct compose_call *call)
{
    char id[DUPLEX_SESSION_ID_MAX] = "";
    struct duplex_message message = {.type = DUPLEX_MESSAGE_CREATED,
                                     .has_session_id = true,
                                     .has_prompt_length = true,
                                     .prompt_length = DUPLEX_PROMPT_TOKENS};
    if (call->session != NULL) {
        duplex_session_id(call->session, call->now_us, id);
        message.prompt_length = call->session->prompt_tokens;
    }
    message.session_id = bytes_of_text(id);
    compose_text(call, "session_id", &message.has_session_id, &message.session_id);
    if (!compose_integer(call, "prompt_length", &message.has_prompt_length, &message.prompt_length) ||
        !add(call, &message))
        return false;
    if (call->actions != NULL && call->session != NULL)
        duplex_active(call->session, call->now_us);
    return true;
}

static bool compose_listen(const struct compose_call *call)
{
    struct duplex_message message = {.type = DUPLEX_MESSAGE_LISTEN, .has_kv_cache_length = true};
    if (call->session != NULL)
        message.kv_cache_length = call->session->cache.tokens;
    if (!compose_integer(call, "kv_cache_length", &message.has_kv_cache_length, &message.kv_cache_length) ||
        !add(call, &message))
        return false;
    if (call->actions != NULL && call->session != NULL) {
        call->session->turn.active = false;
        duplex_speak_listened(call->session);
    }
    return true;
}

static bool compose_closed(const struct compose_call *call)
{
    struct duplex_message message = {.type = DUPLEX_MESSAGE_CLOSED,
                                     .has_reason = true,
                                     .reason = bytes_of_text(duplex_reason_name(DUPLEX_REASON_STOPPED))};
    compose_text(call, "reason", &message.has_reason, &message.reason);
    if (!add(call, &message))
        return false;
    if (call->actions != NULL)
        duplex_ended(call->session, call->now_us);
    return true;
}

static bool compose_error(const struct compose_call *call)
{
    bool has = true;
    enum duplex_error_code known = DUPLEX_ERROR_INFERENCE_ERROR;
    struct duplex_message message = {.type = DUPLEX_MESSAGE_ERROR};
    message.code = bytes_of_text(duplex_error_name(known));
    compose_text(call, "code", &has, &message.code);
    const bool is_known = duplex_error_by_name(message.code, &known);
    message.error_message = is_known ? bytes_of_text(duplex_error_description(known)) : message.code;
    message.error_type = bytes_of_text(duplex_error_type(known));
    compose_text(call, "message", &has, &message.error_message);
    compose_text(call, "kind", &has, &message.error_type);
    return add(call, &message);
}

/* ---- all of them ---- */

/* In the order of DUPLEX_SEND_KINDS. */
static compose_function *const FUNCTIONS[] = {
    compose_place,  compose_place, compose_queue_done, compose_created, duplex_compose_delta, compose_listen,
    compose_closed, compose_error, compose_plain,      compose_plain,   compose_json_binary,  compose_ping};

bool duplex_compose(struct session *session, uint64_t now_us, const char *kind,
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
    return compose_by_kind(&call, DUPLEX_SEND_KINDS, FUNCTIONS);
}
