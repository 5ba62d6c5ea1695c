/* Options that a step keeps as text. */
#include <stdlib.h>

#include "server/script/server_lines.h"

static char *text_copy(const char *text)
{
    size_t len = strlen(text);
    char *copy = malloc(len + 1);
    if (copy != NULL)
        memcpy(copy, text, len + 1);
    return copy;
}

bool step_add_option(struct parser *parser, struct server_step *step, const struct token *token)
{
    if (step->option_count == SCRIPT_OPTIONS_MAX)
        return complain_word(parser, token->place, "at most 24 options", token->text, NULL);
    struct script_option *more = realloc(step->options, (step->option_count + 1) * sizeof *more);
    if (more == NULL)
        return complain_memory(parser);
    step->options = more;
    struct script_option *option = &step->options[step->option_count++];
    option->name = text_copy(token->text);
    option->value = text_copy(token->value);
    option->line = token->place.line;
    option->column = token->place.column;
    return (option->name != NULL && option->value != NULL) || complain_memory(parser);
}
