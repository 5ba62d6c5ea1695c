#include "codec/ojin/messages.h"

/* A load of six decimals is finer than any server measures it. */
enum { LOAD_DECIMALS = 6 };

static void write_head(struct text *out, const char *type)
{
    text_add(out, "{\"type\":\"");
    text_add(out, type);
    text_add(out, "\",\"payload\":{");
}

static void write_string(struct text *out, const char *name, const char *value)
{
    text_add_json_string(out, bytes_of_text(name));
    text_add_char(out, ':');
    text_add_json_string(out, bytes_of_text(value));
    text_add_char(out, ',');
}

/* The timestamp comes last in every payload, so that the members before it can all end in a comma. */
static void write_tail(struct text *out, uint64_t now_ms)
{
    text_add(out, "\"timestamp\":");
    text_add_u64(out, now_ms);
    text_add(out, "}}");
}

void ojin_write_session_ready(struct text *out, const uint8_t trace_id[UUID_BYTES], double load,
                              uint64_t now_ms, const char *parameters_json)
{
    write_head(out, "sessionReady");
    text_add(out, "\"trace_id\":\"");
    text_add_uuid(out, trace_id);
    text_add(out, "\",\"status\":\"success\",\"load\":");
    text_add_double(out, load, LOAD_DECIMALS);
    text_add_char(out, ',');
    if (parameters_json != NULL) {
        text_add(out, "\"parameters\":");
        text_add(out, parameters_json);
        text_add_char(out, ',');
    }
    write_tail(out, now_ms);
}

void ojin_write_error_response(struct text *out, const char *code, const char *message,
                               const char *interaction_id, uint64_t now_ms)
{
    write_head(out, "errorResponse");
    write_string(out, "code", code);
    write_string(out, "message", message);
    if (interaction_id != NULL)
        write_string(out, "interaction_id", interaction_id);
    write_tail(out, now_ms);
}

void ojin_write_end_interaction(struct text *out, uint64_t now_ms)
{
    write_head(out, "endInteraction");
    write_tail(out, now_ms);
}

void ojin_write_cancel_interaction(struct text *out, uint64_t now_ms)
{
    write_head(out, "cancelInteraction");
    write_tail(out, now_ms);
}
