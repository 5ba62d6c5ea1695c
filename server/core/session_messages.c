#include "server/core/session_messages.h"

static const char *none_mistake(bool binary, struct bytes message, const struct frame_summary *frame)
{
    (void)binary;
    (void)message;
    (void)frame;
    return NULL;
}

static size_t none_input_audio(bool binary, struct bytes message, struct buffer *out, size_t bytes_max)
{
    (void)binary;
    (void)message;
    (void)out;
    (void)bytes_max;
    return SESSION_NO_INPUT;
}

static bool none_input_params(bool binary, struct bytes message, struct text *out)
{
    (void)binary;
    (void)message;
    text_add(out, "{}");
    return false;
}

static bool any_error_code(struct bytes code)
{
    (void)code;
    return true;
}

static bool none_blames_client(struct bytes message, struct text *out)
{
    (void)message;
    (void)out;
    return false;
}

static const char *none_error_of_status(uint16_t status)
{
    (void)status;
    return NULL;
}

static void none_error_body(struct text *out, const char *code, uint64_t now_ms)
{
    (void)now_ms;
    text_add(out, "{\"error\":");
    text_add_json_string(out, bytes_of_text(code));
    text_add(out, "}");
}

static size_t none_wrong_offset(struct bytes message)
{
    (void)message;
    return SIZE_MAX;
}

static bool none_error_code(struct bytes message, struct text *out)
{
    (void)message;
    (void)out;
    return false;
}

const struct session_messages NO_MESSAGES = {.wrong_offset = none_wrong_offset,
                                             .index_silence = 0,
                                             .index_speech = 1,
                                             .mistake = none_mistake,
                                             .input_rate = 16000,
                                             .input_audio = none_input_audio,
                                             .input_params = none_input_params,
                                             .is_error_code = any_error_code,
                                             .blames_client = none_blames_client,
                                             .error_code = none_error_code,
                                             .challenge = NULL,
                                             .error_of_status = none_error_of_status,
                                             .error_body = none_error_body};
