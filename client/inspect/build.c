#include "client/inspect/inspect_class.h"

static bool build_kind(struct builder *builder, const char *kind, const cJSON *object)
{
    for (size_t i = 0; INSPECT_CLASSES[i] != NULL; i++)
        if (INSPECT_CLASSES[i]->build != NULL && INSPECT_CLASSES[i]->build(builder, kind, object))
            return true;
    return false;
}

static void build(struct builder *builder, const cJSON *object)
{
    const cJSON *member = json_member(object, "kind");
    const char *kind = cJSON_IsString(member) ? member->valuestring : "";
    if (!cJSON_IsObject(object))
        builder_fail(builder, "", "message", "a JSON object");
    else if (builder_span(builder, object, "", builder->data))
        builder_append(builder, buffer_bytes(builder->data));
    else if (build_kind(builder, kind, object))
        return;
    else if (strcmp(kind, "text") != 0)
        builder_fail(builder, "", "kind", "\"input\", \"frame\" or \"text\"");
    else if (builder_text_or_json(builder, object, "text", "json", builder->data))
        builder_append(builder, buffer_bytes(builder->data));
    else
        builder_fail(builder, "", "text", "it, or \"json\"");
}

bool inspect_build(struct bytes json, struct buffer *out, char error[INSPECT_ERROR_MAX])
{
    cJSON *object = NULL;
    struct buffer data;
    const size_t len = out->len;
    struct builder builder = {.out = out, .data = &data, .error = text_of(error, INSPECT_ERROR_MAX)};
    struct wire_error wrong = json_parse(json, &object);
    buffer_init(&data, INSPECT_MESSAGE_BYTES_MAX);
    if (wrong.status == WIRE_OK) {
        build(&builder, object);
    } else {
        builder.failed = true;
        text_add(&builder.error, "not JSON at byte ");
        text_add_u64(&builder.error, wrong.offset);
        text_add(&builder.error, ": ");
        text_add(&builder.error, wrong.field == NULL ? wire_status_sentence(wrong.status) : wrong.field);
    }
    buffer_free(&data);
    cJSON_Delete(object);
    if (builder.failed)
        out->len = len;
    return !builder.failed;
}
