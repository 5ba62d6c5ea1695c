#include "conformance/script/client_side.h"

#include "server/script/line.h"

const char *const CLIENT_PACES[] = {"off", NULL};

const struct value_rule CLIENT_KIND_ARGS[] = {{.name = "the kind of message", .type = VALUE_NAME},
                                              {.name = NULL}};

static const char *const RECEIVE_NAMES[RECEIVE_FAMILY] = {
    [RECEIVE_OPEN] = "open",   [RECEIVE_REFUSAL] = "refusal", [RECEIVE_ERROR] = "error",
    [RECEIVE_TEXT] = "text",   [RECEIVE_PING] = "ping",       [RECEIVE_PONG] = "pong",
    [RECEIVE_CLOSE] = "close", [RECEIVE_END] = "end",         [RECEIVE_ANY] = "any"};

const char *client_receive_name(const struct client_side *side, int receive)
{
    return receive < RECEIVE_FAMILY ? RECEIVE_NAMES[receive] : side->receives[receive - RECEIVE_FAMILY].name;
}

/* Into a list that a NULL ends. */
void client_receive_names(const struct client_side *side, const char *names[CLIENT_RECEIVES_MAX])
{
    size_t count = 0;
    for (; count < RECEIVE_FAMILY; count++)
        names[count] = RECEIVE_NAMES[count];
    for (size_t i = 0; side->receives[i].name != NULL && count + 1 < CLIENT_RECEIVES_MAX; i++)
        names[count++] = side->receives[i].name;
    names[count] = NULL;
}

const struct client_value *client_option(const struct client_step *step, const char *name)
{
    static const struct client_value NONE = {.set = false};
    const int index = step->options == NULL ? -1 : line_option_index(step->rule, name);
    return index < 0 ? &NONE : &step->options[index];
}

void seen_word_set(struct seen *seen, struct bytes bytes)
{
    struct text text = text_of(seen->word, sizeof seen->word);
    text_add_printable(&text, bytes, sizeof seen->word - 8);
}
