/* A send step: its kind and options as the family's class has them. */
#include "server/script/expand.h"
#include "server/script/server_lines.h"

enum { SEND_KINDS_SHOWN_MAX = 40 };

/* ---- kind and options ---- */

static const struct send_kind *send_kind_find(struct parser *parser, const struct value *word)
{
    const char *names[SEND_KINDS_SHOWN_MAX + 1] = {NULL};
    const struct send_kind *kinds = parser->class->send_kinds;
    for (size_t i = 0; kinds[i].name != NULL; i++) {
        if (strcmp(kinds[i].name, word->text) == 0)
            return &kinds[i];
        if (i < SEND_KINDS_SHOWN_MAX)
            names[i] = kinds[i].name;
    }
    char expected[SCRIPT_EXPECTED_MAX];
    choices_write(expected, "a kind of message: ", names);
    complain_word(parser, word->place, expected, word->text, names);
    return NULL;
}

/* Samples that stand for what is not known before the run. */
struct samples {
    const struct parser *parser;
    bool last_round;
};

static bool sample_counter(void *context, struct bytes name, uint64_t *out)
{
    const struct samples *samples = context;
    for (size_t i = samples->parser->counter_count; i > 0; i--) {
        const struct server_step *repeat = samples->parser->counters[i - 1];
        if (!bytes_equal_text(name, repeat->as))
            continue;
        *out = samples->last_round ? repeat->to : repeat->from;
        return true;
    }
    return false;
}

static bool sample_interaction(void *context, struct bytes name, uint8_t out[16])
{
    (void)context;
    (void)name;
    memset(out, 0x41, 16);
    return true;
}

/* Would the class make this message? With `skip` below the count: without that option. */
static bool send_is_right(struct parser *parser, const struct server_step *step, size_t skip, bool last_round,
                          char error[200])
{
    struct samples samples = {parser, last_round};
    const struct expand_source source = {sample_counter, sample_interaction, &samples};
    struct compose_option options[SCRIPT_OPTIONS_MAX];
    struct buffer values[SCRIPT_OPTIONS_MAX];
    size_t count = 0;
    bool right = true;
    for (size_t i = 0; i < step->option_count && right; i++) {
        const char *unknown = NULL;
        if (i == skip)
            continue;
        buffer_init(&values[count], EXPANDED_BYTES_MAX);
        right = expand_references(step->options[i].value, &source, &values[count], &unknown);
        options[count].name = step->options[i].name;
        options[count].value = (const char *)values[count].data;
        count++;
    }
    error[0] = '\0';
    right = right && parser->class->compose(NULL, 0, step->word, options, count, NULL, error);
    while (count > 0)
        buffer_free(&values[--count]);
    return right;
}

/* "count interaction index" split at spaces, for the error and its suggestion. */
struct option_names {
    char text[SCRIPT_TEXT_MAX];
    const char *names[SEND_KINDS_SHOWN_MAX + 2];
};

static void option_names_split(struct option_names *out, const char *spaced)
{
    *out = (struct option_names){.names = {"count"}};
    size_t count = 1;
    struct text text = text_of(out->text, sizeof out->text);
    text_add(&text, spaced == NULL ? "" : spaced);
    for (char *at = out->text; *at != '\0' && count <= SEND_KINDS_SHOWN_MAX;) {
        at += strspn(at, " ");
        if (*at == '\0')
            break;
        out->names[count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0')
            *at++ = '\0';
    }
}

/* What the class expects of a value: X of its sentence "NAME: expected X, found …", else all of it. */
static void expected_of_sentence(struct text *out, const char *name, const char *sentence)
{
    static const char EXPECTED[] = ": expected ";
    size_t name_len = strlen(name);
    const char *found = strstr(sentence, ", found ");
    bool own_form = strncmp(sentence, name, name_len) == 0 && found != NULL &&
                    strncmp(sentence + name_len, EXPECTED, sizeof EXPECTED - 1) == 0;
    const char *start = own_form ? sentence + name_len + sizeof EXPECTED - 1 : sentence;
    text_add(out, own_form ? "" : "another value (");
    text_add_bytes(out, bytes_of(start, own_form ? (size_t)(found - start) : strlen(start)));
    text_add(out, own_form ? "" : ")");
}

static bool send_option_complain(struct parser *parser, const struct send_kind *kind,
                                 const struct script_option *option, const char *sentence)
{
    struct option_names names;
    struct place place = {option->line, option->column};
    char before[SCRIPT_EXPECTED_MAX];
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(before, sizeof before);
    option_names_split(&names, kind->options);
    if (choices_hold(names.names, option->name)) {
        expected_of_sentence(&text, option->name, sentence);
        place.column += (unsigned)strlen(option->name) + 1;
        return complain_word(parser, place, before, option->value, NULL);
    }
    text_add(&text, "an option of send ");
    text_add(&text, kind->name);
    text_add(&text, ": ");
    choices_write(expected, before, names.names);
    return complain_word(parser, place, expected, option->name, names.names);
}

static bool send_complain(struct parser *parser, const struct send_kind *kind, const struct server_step *step,
                          const struct line *line, bool last_round, const char *sentence)
{
    char ignored[200];
    /* The option without which all is well is the wrong one. */
    for (size_t i = 0; i < step->option_count; i++)
        if (send_is_right(parser, step, i, last_round, ignored))
            return send_option_complain(parser, kind, &step->options[i], sentence);
    struct option_names names;
    option_names_split(&names, kind->options);
    for (size_t i = 0; i < step->option_count; i++)
        if (!choices_hold(names.names, step->options[i].name))
            return send_option_complain(parser, kind, &step->options[i], sentence);
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, "a message that can be made (");
    text_add(&text, sentence);
    text_add(&text, ")");
    return complain_word(parser, line->args[0].place, expected, step->word, NULL);
}

static bool options_check(struct parser *parser, const struct node *node, const struct line *line)
{
    for (const struct item *item = node->items; item != NULL && item->token.kind != TOKEN_PIPE;
         item = item->next) {
        const struct token *token = &item->token;
        if (token->kind != TOKEN_OPTION || line_option_index(line->rule, token->text) >= 0)
            continue;
        for (const struct item *other = node->items; other != item; other = other->next)
            if (other->token.kind == TOKEN_OPTION && strcmp(other->token.text, token->text) == 0)
                return complain_word(parser, token->place, "each option once", token->text, NULL);
        if (!references_check(parser, token->value_place, token->value, true))
            return false;
    }
    return true;
}

bool send_build(struct parser *parser, const struct node *node, const struct line *line,
                struct server_step *step)
{
    const struct send_kind *kind = send_kind_find(parser, &line->args[0]);
    if (kind == NULL || !options_check(parser, node, line))
        return false;
    for (int last = 0; last <= 1; last++) {
        char sentence[200];
        if (!send_is_right(parser, step, SIZE_MAX, last == 1, sentence))
            return send_complain(parser, kind, step, line, last == 1, sentence);
    }
    return true;
}
