#include "server/core/compose.h"

enum { SHOWN_MAX = 40 };

/* ---- what is wrong ---- */

bool compose_say(const struct compose_call *call, const char *sentence)
{
    struct text text = text_of(call->error, COMPOSE_ERROR_MAX);
    text_add(&text, sentence);
    return false;
}

bool compose_fail(char error[COMPOSE_ERROR_MAX], const struct compose_option *option, const char *expected)
{
    struct text text = text_of(error, COMPOSE_ERROR_MAX);
    text_add(&text, option->name);
    text_add(&text, ": expected ");
    text_add(&text, expected);
    text_add(&text, ", found \"");
    text_add_printable(&text, bytes_of_text(option->value), SHOWN_MAX);
    text_add(&text, "\"");
    return false;
}

/* ---- values ---- */

const char *compose_value(const struct compose_call *call, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < call->option_count; i++)
        if (strcmp(call->options[i].name, name) == 0)
            value = call->options[i].value;
    return value;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool compose_hex(const struct compose_option *option, uint8_t *out, size_t capacity, size_t *len,
                 char error[COMPOSE_ERROR_MAX])
{
    const size_t digits = strlen(option->value);
    if (digits % 2 != 0 || digits / 2 > capacity)
        return compose_fail(error, option, "pairs of hex digits within the limit");
    for (size_t i = 0; i < digits / 2; i++) {
        const int high = hex_digit(option->value[2 * i]);
        const int low = hex_digit(option->value[2 * i + 1]);
        if (high < 0 || low < 0)
            return compose_fail(error, option, "pairs of hex digits");
        out[i] = (uint8_t)(high * 16 + low);
    }
    *len = digits / 2;
    return true;
}

/* ---- messages ---- */

bool compose_add(const struct compose_call *call, enum action_kind kind, const char *label, struct bytes data,
                 bool fault)
{
    struct action *action = NULL;
    uint8_t *out = actions_add(call->actions, kind, label, data.len, &action);
    if (out == NULL)
        return compose_say(call, "no room for the message");
    if (data.len > 0)
        memcpy(out, data.data, data.len);
    action->fault = fault;
    return true;
}

bool compose_ping(const struct compose_call *call)
{
    const struct compose_option option = {.name = "data", .value = compose_value(call, "data")};
    const struct bytes data = bytes_of_text(option.value != NULL ? option.value : "");
    if (data.len > COMPOSE_PING_BYTES_MAX)
        return compose_fail(call->error, &option, "at most 125 bytes");
    return call->actions == NULL || compose_add(call, ACTION_SEND_PING, "ping", data, false);
}

/* ---- kinds ---- */

/* Is `name` one of the space-separated `names`? */
static bool takes(const char *names, const char *name)
{
    const size_t len = strlen(name);
    for (const char *at = names; *at != '\0';) {
        const size_t word = strcspn(at, " ");
        if (word == len && memcmp(at, name, len) == 0)
            return true;
        at += word;
        at += strspn(at, " ");
    }
    return false;
}

static bool options_are_known(const struct compose_call *call, const struct send_kind *kind)
{
    for (size_t i = 0; i < call->option_count; i++) {
        if (takes(kind->options, call->options[i].name))
            continue;
        struct text text = text_of(call->error, COMPOSE_ERROR_MAX);
        text_add(&text, "send ");
        text_add(&text, kind->name);
        text_add(&text, " takes no ");
        text_add_printable(&text, bytes_of_text(call->options[i].name), SHOWN_MAX);
        return false;
    }
    return true;
}

bool compose_by_kind(const struct compose_call *call, const struct send_kind *kinds,
                     compose_function *const *functions)
{
    call->error[0] = '\0';
    for (size_t i = 0; kinds[i].name != NULL; i++)
        if (strcmp(kinds[i].name, call->kind) == 0)
            return options_are_known(call, &kinds[i]) && functions[i](call);
    struct text text = text_of(call->error, COMPOSE_ERROR_MAX);
    text_add(&text, "there is no message called ");
    text_add_printable(&text, bytes_of_text(call->kind), SHOWN_MAX);
    return false;
}
