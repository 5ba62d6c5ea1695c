#include "codec/ojin/messages.h"
#include "conformance/vectors/ojin/parts.h"

#include <string.h>

#define TIME_MS UINT64_C(1700000000123)

enum { TEXT_MAX = 1024 };

static void add(struct vector_maker *maker, const char *name, bool from_client, const struct text *text)
{
    vectors_add_text(maker, name, NULL, from_client, bytes_of(text->data, text->len));
}

static void add_texts(struct vector_maker *maker)
{
    static const uint8_t TRACE[UUID_BYTES] = {0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x42, 0xd3,
                                              0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00};
    char out[TEXT_MAX];
    struct text text = text_of(out, sizeof out);
    ojin_write_session_ready(&text, TRACE, 0.25, TIME_MS, "{\"fps\":25}");
    add(maker, "sessionReady", false, &text);
    text = text_of(out, sizeof out);
    ojin_write_error_response(&text, ojin_error_name(OJIN_ERROR_RATE_LIMITED), "Too many messages.",
                              "5b6c7d8e-9fa0-b1c2-d3e4-f5061728394a", TIME_MS);
    add(maker, "errorResponse", false, &text);
    for (int code = 0; code < OJIN_ERROR_COUNT; code++) {
        const char *name = ojin_error_name((enum ojin_error_code)code);
        char what[VECTOR_NAME_MAX];
        struct text named = text_of(what, sizeof what);
        text = text_of(out, sizeof out);
        ojin_write_error_response(&text, name, ojin_error_description((enum ojin_error_code)code), NULL,
                                  TIME_MS);
        text_add(&named, "errorResponse with code ");
        text_add(&named, name);
        vectors_add(maker, what, "text", NULL, false, bytes_of(text.data, text.len), NULL);
    }
    text = text_of(out, sizeof out);
    ojin_write_end_interaction(&text, TIME_MS);
    add(maker, "endInteraction", true, &text);
    text = text_of(out, sizeof out);
    ojin_write_cancel_interaction(&text, TIME_MS);
    add(maker, "cancelInteraction", true, &text);
    vectors_add_strange_texts(maker, NULL, false);
    vectors_add_strange_texts(maker, NULL, true);
}

static const char *requirement_of(const struct ojin_message *message, bool from_client, bool valid)
{
    if (from_client && !valid)
        return "OJ-SRV-13";
    switch (message->type) {
    case OJIN_MESSAGE_SESSION_READY:
        return !valid                                              ? "OJ-RDY-09"
               : message->has_parameters || message->has_timestamp ? "OJ-RDY-02"
                                                                   : "OJ-RDY-01";
    case OJIN_MESSAGE_ERROR_RESPONSE:
        return valid ? "OJ-ERR-01" : "OJ-SRV-14";
    case OJIN_MESSAGE_END_INTERACTION:
        return "OJ-END-01";
    case OJIN_MESSAGE_CANCEL_INTERACTION:
        return "OJ-CAN-01";
    case OJIN_MESSAGE_OTHER:
    case OJIN_MESSAGE_NO_OBJECT:
    case OJIN_MESSAGE_UNREADABLE:
        return "OJ-ERR-06";
    case OJIN_MESSAGE_PLAIN_TEXT:
        return "OJ-ERR-04";
    }
    return NULL;
}

static void judge_text(struct vector *vector)
{
    struct ojin_message message;
    ojin_message_read(vector->message, &message);
    if (message.error.status != WIRE_OK)
        ojin_vectors_set_error(vector, message.error);
    if (vector->requirement == NULL)
        vector->requirement = requirement_of(&message, vector->from_client, vector->valid);
    vector_put_text(vector, "type", bytes_of_text(ojin_message_type_name(message.type)));
    if (!vector->valid)
        return;
    if (message.has_timestamp)
        vector_put_u64(vector, "timestamp_ms", (uint64_t)message.timestamp_ms);
    if (message.type == OJIN_MESSAGE_SESSION_READY) {
        vector_put_text(vector, "trace_id", bytes_of_text(message.trace_id));
        vector_put_number(vector, "load", message.load);
        vector_put_bool(vector, "has_parameters", message.has_parameters);
    }
    if (message.type == OJIN_MESSAGE_ERROR_RESPONSE) {
        vector_put_text(vector, "code", bytes_of_text(message.code));
        vector_put_text(vector, "message", bytes_of_text(message.message));
        vector_put_text(vector, "interaction_id", bytes_of_text(message.interaction_id));
    }
}

static void judge(struct vector *vector)
{
    if (strcmp(vector->kind, "frame") == 0)
        ojin_vectors_judge_frame(vector);
    else if (strcmp(vector->kind, "input") == 0)
        ojin_vectors_judge_input(vector);
    else
        judge_text(vector);
}

static void make(struct vector_maker *maker)
{
    ojin_vectors_add_frames(maker);
    ojin_vectors_add_inputs(maker);
    add_texts(maker);
}

const struct vector_class OJIN_VECTORS = {.family = "ojin", .make = make, .judge = judge};
