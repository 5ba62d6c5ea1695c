#include "server/core/json_send.h"

#include "server/core/json_escape.h"

static struct action *latest(struct actions *actions)
{
    return &actions->list[actions->count - 1];
}

/* Puts members in front of the brace that ends the latest action. */
static bool members_add(struct actions *actions, struct bytes members)
{
    struct buffer *tail = actions_tail(actions);
    if (members.len == 0)
        return true;
    if (buffer_reserve(tail, members.len + 1) == NULL)
        return false;
    tail->len--;
    buffer_append(tail, members);
    buffer_append(tail, bytes_of_text("}"));
    return true;
}

static bool escape(struct actions *actions)
{
    struct buffer *tail = actions_tail(actions);
    struct buffer escaped;
    actions_grown(actions);
    const struct bytes json = actions_bytes(actions, latest(actions));
    buffer_init(&escaped, tail->len_max);
    bool good = json_escape_all(json, &escaped);
    if (good) {
        tail->len -= json.len;
        good = buffer_append(tail, buffer_bytes(&escaped));
    }
    buffer_free(&escaped);
    return good;
}

struct buffer *json_send_begin(struct actions *actions, const char *label)
{
    return actions_add(actions, ACTION_SEND_TEXT, label, 0, NULL) == NULL ? NULL : actions_tail(actions);
}

bool json_send_end(struct actions *actions, bool written, const struct json_send_options *options)
{
    const struct bytes extra = bytes_of_text(options->extra == NULL ? "" : options->extra);
    if (!written || !members_add(actions, options->members) || !members_add(actions, extra) ||
        (options->escaped && !escape(actions))) {
        actions_take_back(actions);
        return false;
    }
    actions_grown(actions);
    latest(actions)->fault = options->fault;
    return true;
}

bool json_send_text(struct actions *actions, const char *label, struct bytes text, bool fault)
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
