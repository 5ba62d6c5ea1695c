#include "conformance/script/step_json.h"

void step_json_put(struct step_json *json, const char *text)
{
    json->fits = json->fits && buffer_append(json->out, bytes_of_text(text));
}

bool step_leaves_out(const struct client_step *step, const char *name)
{
    const struct client_value *without = client_option(step, "without");
    for (const char *at = without->set ? without->text : ""; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        if (bytes_equal_text(bytes_of(at, len), name))
            return true;
        at += len + (at[len] == ',');
    }
    return false;
}

void step_json_begin(struct step_json *json)
{
    step_json_put(json, "{");
    json->first = true;
}

void step_json_begin_type(struct step_json *json, const char *type)
{
    step_json_begin(json);
    if (!step_json_name(json, "type"))
        return;
    step_json_put(json, "\"");
    step_json_put(json, type);
    step_json_put(json, "\"");
}

bool step_json_name(struct step_json *json, const char *name)
{
    return step_json_spelled(json, name, name);
}

bool step_json_spelled(struct step_json *json, const char *name, const char *documented)
{
    if (step_leaves_out(json->step, name) || step_leaves_out(json->step, documented))
        return false;
    step_json_put(json, json->first ? "\"" : ",\"");
    step_json_put(json, name);
    step_json_put(json, "\":");
    json->first = false;
    return true;
}

void step_json_member(struct step_json *json, const char *name, const char *documented, const char *right)
{
    const struct client_value *given = client_option(json->step, documented);
    const char *value = given->set ? given->text : right;
    if (value != NULL && step_json_spelled(json, name, documented))
        step_json_put(json, value);
}
