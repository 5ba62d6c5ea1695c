#include "codec/ojin/messages.h"

#include "codec/wire/json.h"

/* What a message may hold besides its type is read by one function a type; the first thing wrong is kept. */
static void message_fail(struct ojin_message *message, enum wire_status status, const char *field)
{
    if (message->error.status == WIRE_OK)
        message->error = (struct wire_error){.status = status, .field = field};
}

/* Cuts at the size, but never inside a UTF-8 sequence. */
static void keep_text(char out[OJIN_TEXT_FIELD_MAX], const char *value)
{
    size_t len = strlen(value);
    if (len >= OJIN_TEXT_FIELD_MAX) {
        len = OJIN_TEXT_FIELD_MAX - 1;
        while (len > 0 && ((uint8_t)value[len] & 0xc0) == 0x80)
            len--;
    }
    memcpy(out, value, len);
    out[len] = '\0';
}

static bool is_absent(const cJSON *value)
{
    return value == NULL || cJSON_IsNull(value);
}

static void read_required_text(struct ojin_message *message, const cJSON *value, const char *field,
                               char out[OJIN_TEXT_FIELD_MAX])
{
    if (value == NULL)
        message_fail(message, WIRE_MISSING_MEMBER, field);
    else if (!cJSON_IsString(value))
        message_fail(message, WIRE_WRONG_MEMBER_TYPE, field);
    else
        keep_text(out, value->valuestring);
}

static void read_timestamp(struct ojin_message *message, const cJSON *payload, bool required)
{
    const char *field = "payload.timestamp";
    const cJSON *value = json_member(payload, "timestamp");
    if (value == NULL && required)
        message_fail(message, WIRE_MISSING_MEMBER, field);
    else if (json_integer(value, &message->timestamp_ms))
        message->has_timestamp = true;
    else if (!is_absent(value) || required)
        message_fail(message, json_integer_read(value, &message->timestamp_ms), field);
}

static void read_status(struct ojin_message *message, const cJSON *value)
{
    if (value == NULL)
        message_fail(message, WIRE_MISSING_MEMBER, "payload.status");
    else if (!cJSON_IsString(value))
        message_fail(message, WIRE_WRONG_MEMBER_TYPE, "payload.status");
    else if (strcmp(value->valuestring, "success") != 0)
        message_fail(message, WIRE_OUT_OF_RANGE, "payload.status");
}

static void read_load(struct ojin_message *message, const cJSON *value)
{
    if (value == NULL)
        message_fail(message, WIRE_MISSING_MEMBER, "payload.load");
    else if (!cJSON_IsNumber(value))
        message_fail(message, WIRE_WRONG_MEMBER_TYPE, "payload.load");
    else if (value->valuedouble < 0 || value->valuedouble > 1)
        message_fail(message, WIRE_OUT_OF_RANGE, "payload.load");
    else
        message->load = value->valuedouble;
}

/* Which of them a server gives is its own affair, so nothing in them is wrong. */
static void read_parameters(struct ojin_message *message, const cJSON *parameters)
{
    const cJSON *profile = json_member(parameters, "profile");
    message->has_parameters = parameters->child != NULL;
    if (!cJSON_IsString(profile) || strlen(profile->valuestring) >= sizeof message->profile)
        return;
    struct text text = text_of(message->profile, sizeof message->profile);
    text_add(&text, profile->valuestring);
}

static void read_session_ready(struct ojin_message *message, const cJSON *payload)
{
    read_required_text(message, json_member(payload, "trace_id"), "payload.trace_id", message->trace_id);
    read_status(message, json_member(payload, "status"));
    read_load(message, json_member(payload, "load"));
    read_timestamp(message, payload, false);
    const cJSON *parameters = json_member(payload, "parameters");
    if (cJSON_IsObject(parameters))
        read_parameters(message, parameters);
    else if (!is_absent(parameters))
        message_fail(message, WIRE_WRONG_MEMBER_TYPE, "payload.parameters");
}

static void read_error_response(struct ojin_message *message, const cJSON *payload)
{
    read_required_text(message, json_member(payload, "code"), "payload.code", message->code);
    read_required_text(message, json_member(payload, "message"), "payload.message", message->message);
    const cJSON *interaction_id = json_member(payload, "interaction_id");
    if (!is_absent(interaction_id))
        read_required_text(message, interaction_id, "payload.interaction_id", message->interaction_id);
    const cJSON *details = json_member(payload, "details");
    if (!is_absent(details) && !cJSON_IsObject(details))
        message_fail(message, WIRE_WRONG_MEMBER_TYPE, "payload.details");
    read_timestamp(message, payload, false);
}

static void read_end_interaction(struct ojin_message *message, const cJSON *payload)
{
    read_timestamp(message, payload, true);
}

static void read_cancel_interaction(struct ojin_message *message, const cJSON *payload)
{
    read_timestamp(message, payload, false);
}

struct message_kind {
    const char *name;
    enum ojin_message_type type;
    void (*read)(struct ojin_message *message, const cJSON *payload);
};

static const struct message_kind MESSAGE_KINDS[] = {
    {"sessionReady", OJIN_MESSAGE_SESSION_READY, read_session_ready},
    {"errorResponse", OJIN_MESSAGE_ERROR_RESPONSE, read_error_response},
    {"endInteraction", OJIN_MESSAGE_END_INTERACTION, read_end_interaction},
    {"cancelInteraction", OJIN_MESSAGE_CANCEL_INTERACTION, read_cancel_interaction},
};

static const struct message_kind *kind_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof MESSAGE_KINDS / sizeof MESSAGE_KINDS[0]; i++)
        if (strcmp(MESSAGE_KINDS[i].name, name) == 0)
            return &MESSAGE_KINDS[i];
    return NULL;
}

static void read_payload(struct ojin_message *message, const cJSON *object, const struct message_kind *kind)
{
    const cJSON *payload = json_member(object, "payload");
    message->type = kind->type;
    if (payload == NULL)
        message_fail(message, WIRE_MISSING_MEMBER, "payload");
    else if (!cJSON_IsObject(payload))
        message_fail(message, WIRE_WRONG_MEMBER_TYPE, "payload");
    else
        kind->read(message, payload);
}

static void read_value(struct ojin_message *message, const cJSON *value)
{
    if (!cJSON_IsObject(value)) {
        message->type = OJIN_MESSAGE_NO_OBJECT;
        message_fail(message, WIRE_NOT_AN_OBJECT, "message");
        return;
    }
    const cJSON *type = json_member(value, "type");
    const struct message_kind *kind = cJSON_IsString(type) ? kind_by_name(type->valuestring) : NULL;
    message->type = OJIN_MESSAGE_OTHER;
    if (type == NULL)
        message_fail(message, WIRE_MISSING_MEMBER, "type");
    else if (!cJSON_IsString(type))
        message_fail(message, WIRE_WRONG_MEMBER_TYPE, "type");
    else if (kind == NULL)
        message_fail(message, WIRE_UNKNOWN_TYPE, "type");
    else
        read_payload(message, value, kind);
}

void ojin_message_read(struct bytes text, struct ojin_message *out)
{
    *out = (struct ojin_message){.type = OJIN_MESSAGE_PLAIN_TEXT};
    cJSON *value = NULL;
    out->error = json_parse_last(text, &value);
    if (out->error.status == WIRE_UNREADABLE_JSON)
        out->type = OJIN_MESSAGE_UNREADABLE;
    if (value == NULL)
        return;
    read_value(out, value);
    cJSON_Delete(value);
}

const char *ojin_message_type_name(enum ojin_message_type type)
{
    switch (type) {
    case OJIN_MESSAGE_SESSION_READY:
        return "sessionReady";
    case OJIN_MESSAGE_ERROR_RESPONSE:
        return "errorResponse";
    case OJIN_MESSAGE_END_INTERACTION:
        return "endInteraction";
    case OJIN_MESSAGE_CANCEL_INTERACTION:
        return "cancelInteraction";
    case OJIN_MESSAGE_OTHER:
        return "other";
    case OJIN_MESSAGE_NO_OBJECT:
        return "no-object";
    case OJIN_MESSAGE_UNREADABLE:
        return "unreadable";
    case OJIN_MESSAGE_PLAIN_TEXT:
        return "plain-text";
    }
    return "?";
}
