/*
 * The messages that a script asks for, and the list of all kinds there are. Sending one moves the session on
 * as if it had been its own: after status connected the service is there.
 */
#include "server/interview/compose.h"

const struct send_kind INTERVIEW_SEND_KINDS[] = {
    {"status", "status message extra"},
    {"ai_audio_chunk", "audio samples source transcript is_final extra"},
    {"transcript", "speaker text timestamp extra"},
    {"function_result", "name result extra"},
    {"error", "code message details extra"},
    {"text", "text"},
    {"json", "text"},
    {"binary", "hex"},
    {"ping", "data"},
    {NULL, NULL},
};

static bool add(const struct compose_call *call, const struct interview_message *message)
{
    return compose_json_add(call, &INTERVIEW_COMPOSE, message, call->kind, bytes_of(NULL, 0));
}

static bool compose_plain(const struct compose_call *call)
{
    return compose_json_plain(call, &INTERVIEW_COMPOSE);
}

/* ---- the kinds ---- */

static bool compose_status(const struct compose_call *call)
{
    static const char *const words[] = {
        [INTERVIEW_STATUS_CONNECTING] = "connecting",
        [INTERVIEW_STATUS_CONNECTED] = "connected",
        [INTERVIEW_STATUS_DISCONNECTED] = "disconnected",
        [INTERVIEW_STATUS_COUNT] = "absent",
        NULL,
    };
    size_t status = 0;
    struct interview_message message = {
        .type = INTERVIEW_MESSAGE_STATUS, .has_message = true, .message = bytes_of_text("")};
    compose_text(call, "message", &message.has_message, &message.message);
    if (!compose_choice(call, "status", words, INTERVIEW_STATUS_CONNECTED, &status))
        return false;
    message.has_status = status != INTERVIEW_STATUS_COUNT;
    message.status = message.has_status ? (enum interview_status)status : INTERVIEW_STATUS_CONNECTED;
    if (!add(call, &message))
        return false;
    if (call->actions != NULL && status == INTERVIEW_STATUS_CONNECTED)
        interview_connected(call->session, call->now_us);
    return true;
}

static bool compose_transcript(const struct compose_call *call)
{
    static const char *const words[] = {"candidate", "ai", "absent", NULL};
    size_t speaker = 0;
    struct interview_message message = {.type = INTERVIEW_MESSAGE_TRANSCRIPT,
                                        .has_text = true,
                                        .text = bytes_of_text("An answer."),
                                        .has_timestamp = true};
    if (call->session != NULL)
        message.timestamp = interview_now(call->session, call->now_us);
    compose_text(call, "text", &message.has_text, &message.text);
    if (!compose_choice(call, "speaker", words, 0, &speaker) ||
        !compose_integer(call, "timestamp", &message.has_timestamp, &message.timestamp))
        return false;
    message.has_speaker = speaker <= INTERVIEW_SPEAKER_AI;
    message.speaker = message.has_speaker ? (enum interview_speaker)speaker : INTERVIEW_SPEAKER_CANDIDATE;
    return add(call, &message);
}

static bool compose_result(const struct compose_call *call)
{
    struct interview_message message = {
        .type = INTERVIEW_MESSAGE_FUNCTION_RESULT,
        .has_function_name = true,
        .function_name = bytes_of_text(INTERVIEW_FUNCTION),
        .has_result = true,
        .result = bytes_of_text("{\"answer_quality\":\"good\",\"next_action\":\"continue\","
                                "\"follow_up_needed\":false,\"score\":8}")};
    compose_text(call, "name", &message.has_function_name, &message.function_name);
    return compose_json_value(call, "result", &message.has_result, &message.result) && add(call, &message);
}

static bool compose_error(const struct compose_call *call)
{
    enum interview_error_code known = INTERVIEW_ERROR_AUDIO_PROCESSING;
    struct interview_message message = {
        .type = INTERVIEW_MESSAGE_ERROR, .has_code = true, .has_message = true};
    message.code = bytes_of_text(interview_error_name(known));
    compose_text(call, "code", &message.has_code, &message.code);
    message.message = interview_error_by_name(message.code, &known)
                          ? bytes_of_text(interview_error_description(known))
                          : message.code;
    compose_text(call, "message", &message.has_message, &message.message);
    return compose_json_value(call, "details", &message.has_details, &message.details) && add(call, &message);
}

/* ---- all of them ---- */

/* In the order of INTERVIEW_SEND_KINDS. */
static compose_function *const FUNCTIONS[] = {compose_status, interview_compose_chunk, compose_transcript,
                                              compose_result, compose_error,           compose_plain,
                                              compose_plain,  compose_json_binary,     compose_ping};

bool interview_compose(struct session *session, uint64_t now_us, const char *kind,
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
    return compose_by_kind(&call, INTERVIEW_SEND_KINDS, FUNCTIONS);
}
