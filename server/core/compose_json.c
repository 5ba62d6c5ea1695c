#include "server/core/compose_json.h"

#include "codec/wire/json.h"
#include "codec/wire/utf8.h"

enum { MEMBERS_MAX = 4096 };

static bool is_fault(const struct compose_call *call, const struct compose_json *family, struct bytes text)
{
    return utf8_valid_prefix(text) != text.len || family->is_wrong(call->session, text);
}

bool compose_json_add(const struct compose_call *call, const struct compose_json *family, const void *message,
                      const char *label, struct bytes members)
{
    char data[MEMBERS_MAX];
    struct text text = text_of(data, sizeof data);
    const char *extra = compose_value(call, "extra");
    if (call->actions == NULL)
        return true;
    text_add_bytes(&text, members);
    text_add(&text, extra == NULL ? "" : ",");
    text_add(&text, extra == NULL ? "" : extra);
    if (text.cut)
        return compose_say(call, "extra is longer than 4095 bytes");
    if (!family->send(call->session, message, label, bytes_of(data, text.len), call->actions))
        return compose_say(call, "no room for the message");
    struct action *action = &call->actions->list[call->actions->count - 1];
    const struct bytes json = actions_bytes(call->actions, action);
    if (json_check(json).status == WIRE_NOT_JSON) {
        actions_take_back(call->actions);
        return compose_say(call, "extra: expected members as JSON has them (\"name\":value)");
    }
    action->fault = is_fault(call, family, json);
    return true;
}

bool compose_json_plain(const struct compose_call *call, const struct compose_json *family)
{
    const char *value = compose_value(call, "text");
    const struct bytes text = bytes_of_text(value != NULL ? value : "");
    if (strcmp(call->kind, "json") == 0 && json_check(text).status != WIRE_OK)
        return compose_fail_value(call, "text", value == NULL ? "" : value,
                                  "JSON (`send text` sends anything)");
    return call->actions == NULL ||
           compose_add(call, ACTION_SEND_TEXT, "text", text, is_fault(call, family, text));
}

bool compose_json_binary(const struct compose_call *call)
{
    const struct compose_option option = {.name = "hex", .value = compose_value(call, "hex")};
    uint8_t data[COMPOSE_HEX_BYTES_MAX];
    size_t len = 0;
    if (option.value != NULL && !compose_hex(&option, data, sizeof data, &len, call->error))
        return false;
    return call->actions == NULL ||
           compose_add(call, ACTION_SEND_BINARY, "binary", bytes_of(data, len), true);
}

bool compose_json_value(const struct compose_call *call, const char *name, bool *has, struct bytes *out)
{
    compose_text(call, name, has, out);
    return compose_value(call, name) == NULL || !*has || json_check(*out).status == WIRE_OK ||
           compose_fail_value(call, name, compose_value(call, name), "JSON, or absent");
}
