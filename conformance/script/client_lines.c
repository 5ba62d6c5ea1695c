/* The client { } block: the table of its steps, and lines to steps. */
#include "conformance/script/client_lines.h"

#include <stdlib.h>

#include "codec/rules/requirements.h"
#include "conformance/script/case_tables.h"

enum { COUNT_MAX = 100000, PERCENT_MAX = 1000, RECEIVES_MAX = 40 };

#define DURATION_RANGE .min = 1, .max = CLIENT_DURATION_MAX_US

/* ---- recv and none ---- */

static const struct value_rule RECEIVE_ARGS[] = {{.name = "what is to come", .type = VALUE_NAME},
                                                 {.name = NULL}};

enum { RECV_WITHIN, RECV_DUE, RECV_COUNT, RECV_CODE, RECV_UNLESS, RECV_STATUS, RECV_DATA, RECV_CLAUSE };
static const struct value_rule RECV_OPTIONS[] = {
    {.name = "within", .type = VALUE_DURATION, DURATION_RANGE, .sentence = "in that time"},
    {.name = "due",
     .type = VALUE_DURATION,
     DURATION_RANGE,
     .sentence =
         "when a documented limit of that time is over, which --speed divides; some seconds are granted"},
    {.name = "count",
     .type = VALUE_COUNT,
     .min = 1,
     .max = COUNT_MAX,
     .sentence = "number of messages; default 1"},
    {.name = "code",
     .type = VALUE_NONE,
     .sentence = "the codes that will do, with commas between them: of error and refusal by name (and "
                 "plain-text of refusal), of close by number, of others what the table of them says"},
    {.name = "unless",
     .type = VALUE_NONE,
     .sentence = "codes with which it may come first: then the case stops here, and nothing is said of the "
                 "requirement"},
    {.name = "status",
     .type = VALUE_COUNT,
     .min = 200,
     .max = 599,
     .sentence = "the HTTP status of a refusal"},
    {.name = "data", .type = VALUE_TEXT, .sentence = "what a pong brings back"},
    {.name = "clause",
     .type = VALUE_REQUIREMENT,
     .sentence = "the requirement it judges; the first of the case unless given"},
    {.name = NULL}};

enum { NONE_FOR, NONE_CODE, NONE_CLAUSE };
static const struct value_rule NONE_OPTIONS[] = {
    {.name = "for", .type = VALUE_DURATION, DURATION_RANGE, .sentence = "duration; must be there"},
    {.name = "code", .type = VALUE_NONE, .sentence = "as of recv"},
    {.name = "clause", .type = VALUE_REQUIREMENT, .sentence = "as of recv"},
    {.name = NULL}};

static const struct value_rule WAIT_ARGS[] = {{.name = "how long", .type = VALUE_DURATION, DURATION_RANGE},
                                              {.name = NULL}};
static const struct value_rule CLOSE_OPTIONS[] = {{.name = "code",
                                                   .type = VALUE_COUNT,
                                                   .min = 1000,
                                                   .max = 4999,
                                                   .sentence = "the close code; 1000 unless given"},
                                                  {.name = NULL}};
static const struct value_rule WATCH_ARGS[] = {{.name = "a name", .type = VALUE_LABEL}, {.name = NULL}};
static const struct value_rule COMPARE_ARGS[] = {{.name = "the name of a watch", .type = VALUE_LABEL},
                                                 {.name = "the name of another watch", .type = VALUE_LABEL},
                                                 {.name = NULL}};
enum { COMPARE_AT_MOST, COMPARE_CLAUSE };
static const struct value_rule COMPARE_OPTIONS[] = {
    {.name = "at-most",
     .type = VALUE_COUNT,
     .min = 1,
     .max = PERCENT_MAX,
     .sentence = "the percentage that may not be exceeded; must be there"},
    {.name = "clause", .type = VALUE_REQUIREMENT, .sentence = "as of recv"},
    {.name = NULL}};
static const struct value_rule REPEAT_ARGS[] = {
    {.name = "how often", .type = VALUE_COUNT, .min = 1, .max = COUNT_MAX}, {.name = NULL}};
static const struct value_rule SEND_ARGS[] = {{.name = "the kind of message", .type = VALUE_NAME},
                                              {.name = NULL}};

/* The options of begin and connect are the family's: a row of its own. */
const struct line_rule CLIENT_RULES[] = {
    {"begin", CLIENT_STEP_BEGIN, LINE_OPEN_OPTIONS, NULL, NULL,
     "connects as told, and goes on once the session stands and what its family begins with is there"},
    {"connect", CLIENT_STEP_CONNECT, LINE_OPEN_OPTIONS, NULL, NULL,
     "asks for the upgrade, as told; the connection before it is dropped"},
    {"recv", CLIENT_STEP_RECV, 0, RECEIVE_ARGS, RECV_OPTIONS,
     "the message must come, among what came since the latest send, connect or recv"},
    {"none", CLIENT_STEP_NONE, 0, RECEIVE_ARGS, NONE_OPTIONS, "no such message may come"},
    {"send", CLIENT_STEP_SEND, LINE_OPEN_OPTIONS, SEND_ARGS, NULL,
     "sends a message of that kind; it waits for its turn when its family has a pace"},
    {"rest", CLIENT_STEP_REST, 0, NULL, NULL, "what every= began is sent no more"},
    {"wait", CLIENT_STEP_WAIT, 0, WAIT_ARGS, NULL, "does nothing; what comes is read"},
    {"close", CLIENT_STEP_CLOSE, 0, NULL, CLOSE_OPTIONS, "the closing handshake"},
    {"drop", CLIENT_STEP_DROP, 0, NULL, NULL, "ends the transport without a word"},
    {"hold", CLIENT_STEP_HOLD, 0, NULL, NULL,
     "the connection stays open to the end of the case, unread, beside the next connect; one in a case"},
    {"watch", CLIENT_STEP_WATCH, 0, WATCH_ARGS, NULL,
     "from here on the pictures of speech frames are measured under that name; the same name again is one "
     "more take"},
    {"compare", CLIENT_STEP_COMPARE, 0, COMPARE_ARGS, COMPARE_OPTIONS,
     "how far the mouth opens under the first name, measured against the second"},
    {"repeat", CLIENT_STEP_REPEAT, LINE_BLOCK, REPEAT_ARGS, NULL, "the block N times"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static bool receive_take(struct parser *parser, const struct client_side *side, const struct value *value,
                         struct client_step *step)
{
    const char *names[CLIENT_RECEIVES_MAX] = {NULL};
    char expected[SCRIPT_EXPECTED_MAX];
    client_receive_names(side, names);
    for (step->receive = 0; names[step->receive] != NULL; step->receive++)
        if (strcmp(names[step->receive], value->text) == 0)
            return true;
    choices_write(expected, "one of ", names);
    return complain_word(parser, value->place, expected, value->text, names);
}

static bool clause_take(struct parser *parser, const struct value *value, struct client_step *step)
{
    if (!value->set)
        return true;
    if (value->requirement->party != REQUIREMENT_SERVER)
        return complain_word(parser, value->place, "a requirement of servers", value->text, NULL);
    step->clause_id = value->requirement->id;
    return true;
}

static bool connect_build(struct parser *parser, const struct client_side *side, const struct node *node,
                          struct client_step *step)
{
    const struct line_rule *rule = side->connect;
    struct line line;
    if (!line_check(parser, rule, node, &line) || !client_options_take(parser, &line, step))
        return false;
    const struct value *header = &line.options[line_option_index(rule, "header")];
    return !header->set || (strchr(header->text, ':') != NULL && strpbrk(header->text, "\r\n") == NULL) ||
           complain_word(parser, header->place, "a header line \"Name: value\"", header->text, NULL);
}

/* What code= may be compared with: the names of errors, or anything. */
static bool takes_code(const struct client_side *side, int receive)
{
    return receive == RECEIVE_ERROR || receive == RECEIVE_REFUSAL || receive == RECEIVE_CLOSE ||
           (receive >= RECEIVE_FAMILY && side->receives[receive - RECEIVE_FAMILY].takes_code);
}

/* Codes with commas between them. */
static bool codes_take(struct parser *parser, const struct client_side *side, const struct value *value,
                       const struct client_step *step, char *out, size_t out_max)
{
    const bool errors = step->receive == RECEIVE_ERROR || step->receive == RECEIVE_REFUSAL;
    if (!value->set)
        return true;
    if (!takes_code(side, step->receive))
        return complain_word(parser, value->place, "code= and unless= only with a message that has one",
                             value->text, NULL);
    for (const char *at = value->text; errors; at++) {
        size_t len = strcspn(at, ",");
        bool plain = step->receive == RECEIVE_REFUSAL && bytes_equal_text(bytes_of(at, len), "plain-text");
        if (!plain && !parser->class->messages->is_error_code(bytes_of(at, len)))
            return complain_word(parser, value->place, "error codes with commas between them", at, NULL);
        at += len;
        if (*at == '\0')
            break;
    }
    return value_copy(parser, value, out, out_max);
}

static bool recv_build(struct parser *parser, const struct client_side *side, const struct line *line,
                       struct client_step *step)
{
    const struct value *status = &line->options[RECV_STATUS];
    const struct value *data = &line->options[RECV_DATA];
    const struct value *due = &line->options[RECV_DUE];
    if (!receive_take(parser, side, &line->args[0], step))
        return false;
    if (due->set && line->options[RECV_WITHIN].set)
        return complain_word(parser, due->place, "either within= or due=", due->text, NULL);
    step->is_limit = due->set;
    step->duration_us = due->set ? due->number : line->options[RECV_WITHIN].number;
    step->count = line->options[RECV_COUNT].set ? line->options[RECV_COUNT].number : 1;
    if (status->set && step->receive != RECEIVE_REFUSAL)
        return complain_word(parser, status->place, "status= only with refusal", status->text, NULL);
    if (data->set && step->receive != RECEIVE_PONG)
        return complain_word(parser, data->place, "data= only with pong", data->text, NULL);
    step->code = (uint16_t)status->number;
    step->has_text = data->set;
    return codes_take(parser, side, &line->options[RECV_CODE], step, step->codes, sizeof step->codes) &&
           codes_take(parser, side, &line->options[RECV_UNLESS], step, step->other, sizeof step->other) &&
           clause_take(parser, &line->options[RECV_CLAUSE], step) &&
           (!data->set || value_copy(parser, data, step->text, sizeof step->text));
}

static bool none_build(struct parser *parser, const struct client_side *side, const struct node *node,
                       const struct line *line, struct client_step *step)
{
    if (!receive_take(parser, side, &line->args[0], step))
        return false;
    if (!line->options[NONE_FOR].set)
        return complain(parser, node->end, "for=DURATION in a none step", node->found_at_end);
    step->duration_us = line->options[NONE_FOR].number;
    return codes_take(parser, side, &line->options[NONE_CODE], step, step->codes, sizeof step->codes) &&
           clause_take(parser, &line->options[NONE_CLAUSE], step);
}

/* Is there a watch of that name among the steps before? NULL, which line_check lets nobody pass, is none. */
static bool watch_is_known(const struct parser *parser, const char *name)
{
    return name != NULL && name_is_defined(parser, bytes_of_text(name), true);
}

static bool watch_build(struct parser *parser, const struct line *line, struct client_step *step)
{
    const struct value *name = &line->args[0];
    if (watch_is_known(parser, name->text)) /* one more take of it */
        return value_copy(parser, name, step->text, sizeof step->text);
    if (parser->name_count == CLIENT_WATCHES_MAX)
        return complain_word(parser, name->place, "at most 4 watches", name->text, NULL);
    struct defined_name *defined = &parser->names[parser->name_count++];
    defined->is_mark = true;
    return value_copy(parser, name, defined->name, sizeof defined->name) &&
           value_copy(parser, name, step->text, sizeof step->text);
}

static bool compare_build(struct parser *parser, const struct node *node, const struct line *line,
                          struct client_step *step)
{
    for (size_t i = 0; i < 2; i++)
        if (!watch_is_known(parser, line->args[i].text))
            return complain_word(parser, line->args[i].place, "the name of a watch before this step",
                                 line->args[i].text, NULL);
    if (!line->options[COMPARE_AT_MOST].set)
        return complain(parser, node->end, "at-most=PERCENT in a compare step", node->found_at_end);
    step->count = line->options[COMPARE_AT_MOST].number;
    return clause_take(parser, &line->options[COMPARE_CLAUSE], step) &&
           value_copy(parser, &line->args[0], step->text, sizeof step->text) &&
           value_copy(parser, &line->args[1], step->other, sizeof step->other);
}

static bool step_build_kind(struct parser *parser, const struct client_side *side, const struct node *node,
                            const struct line *line, struct client_step *step)
{
    switch (step->kind) {
    case CLIENT_STEP_BEGIN:
    case CLIENT_STEP_CONNECT:
        return connect_build(parser, side, node, step);
    case CLIENT_STEP_RECV:
        return recv_build(parser, side, line, step);
    case CLIENT_STEP_NONE:
        return none_build(parser, side, node, line, step);
    case CLIENT_STEP_SEND:
        return client_send_build(parser, side, node, step);
    case CLIENT_STEP_WAIT:
        step->duration_us = line->args[0].number;
        return true;
    case CLIENT_STEP_CLOSE:
        step->code = line->options[0].set ? (uint16_t)line->options[0].number : 1000;
        return true;
    case CLIENT_STEP_DROP:
    case CLIENT_STEP_HOLD:
    case CLIENT_STEP_REST:
        return true;
    case CLIENT_STEP_WATCH:
        return watch_build(parser, line, step);
    case CLIENT_STEP_COMPARE:
        return compare_build(parser, node, line, step);
    case CLIENT_STEP_REPEAT:
        step->count = line->args[0].number;
        return node->children != NULL ||
               complain(parser, node->open, "steps between \"{\" and \"}\"", "none");
    }
    return false;
}

/* Lines to steps. Recursion goes as deep as the tree: SCRIPT_DEPTH_MAX. */
static bool steps_build(struct parser *parser, const struct client_side *side, const struct node *lines,
                        struct client_step **steps, size_t *count)
{
    size_t total = 0;
    for (const struct node *node = lines; node != NULL; node = node->next) {
        if (++parser->step_count > SCRIPT_STEPS_MAX)
            return complain(parser, node->items->token.place, "at most 1024 steps", "one more");
        total++;
    }
    *steps = calloc(total + 1, sizeof **steps);
    if (*steps == NULL)
        return complain_memory(parser);
    for (const struct node *node = lines; node != NULL; node = node->next) {
        const struct line_rule *rule = line_find_rule(parser, CLIENT_RULES, node->items, "a client step");
        struct client_step *step = &(*steps)[(*count)++];
        struct line line = {.args = {{.text = ""}}};
        /* A send has its table by its kind, a connect by its family. */
        bool good =
            rule != NULL && ((rule->flags & LINE_OPEN_OPTIONS) != 0 || line_check(parser, rule, node, &line));
        if (good) {
            step->kind = (enum client_step_kind)rule->id;
            step->line = node->items->token.place.line;
            good = step_build_kind(parser, side, node, &line, step) &&
                   (!node->has_block ||
                    steps_build(parser, side, node->children, &step->children, &step->child_count));
        }
        if (!good && !parser_goes_on(parser))
            return false;
    }
    return true;
}

bool client_build(struct parser *parser, struct case_script *script, const struct node *block)
{
    if (script->client_side == NULL)
        return complain(parser, block->open, "a family whose servers can be put to the test", "another");
    if (block->children == NULL)
        return complain(parser, block->open, "steps between \"{\" and \"}\"", "none");
    const struct token *first = &block->children->items->token;
    if (strcmp(first->text, "begin") != 0 && strcmp(first->text, "connect") != 0)
        return complain_word(parser, first->place, "begin or connect before this step", first->text, NULL);
    return steps_build(parser, script->client_side, block->children, &script->client_steps,
                       &script->client_step_count);
}

void client_steps_free(struct client_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        client_steps_free(steps[i].children, steps[i].child_count);
        free(steps[i].options);
    }
    free(steps);
}
