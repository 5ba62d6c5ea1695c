/* A send step of a client { } block: a table for each kind of message. */
#include "server/script/client_lines.h"
#include "server/script/tables.h"

enum { DURATION_MAX_US = 1800000000, SIZE_MAX_BYTES = 1048576 };

static const char *const PACES[] = {"off", NULL};

#define PACE_OPTION                                                                                          \
    {                                                                                                        \
        .name = "pace", .type = VALUE_CHOICE, .choices = PACES,                                              \
        .sentence = "sent at once, whatever went out before"                                                 \
    }
#define PARAMS_OPTION                                                                                        \
    {                                                                                                        \
        .name = "params", .type = VALUE_STRING, .sentence = "the JSON of the input's parameters"             \
    }
#define BYTES_RANGE .type = VALUE_SIZE, .min = 0, .max = SIZE_MAX_BYTES

static const struct value_rule KIND_ARGS[] = {{.name = "the kind of message", .type = VALUE_NAME},
                                              {.name = NULL}};
static const struct value_rule TEXT_ARGS[] = {{.name = "the kind of message", .type = VALUE_NAME},
                                              {.name = "the text", .type = VALUE_STRING},
                                              {.name = NULL}};

static const struct value_rule PACED_OPTIONS[] = {PACE_OPTION, {.name = NULL}};
static const struct value_rule SILENCE_OPTIONS[] = {PARAMS_OPTION, PACE_OPTION, {.name = NULL}};
static const struct value_rule SPEECH_OPTIONS[] = {
    {.name = "file", .type = VALUE_STRING, .sentence = "a sound file of fixtures/speech"},
    {.name = "from",
     .type = VALUE_DURATION,
     .min = 0,
     .max = DURATION_MAX_US,
     .sentence = "from there in the file"},
    {.name = "for", .type = VALUE_DURATION, .min = 1, .max = DURATION_MAX_US, .sentence = "for so long"},
    {.name = "size",
     BYTES_RANGE,
     .sentence = "no more than fills a message of so many bytes; zeros follow where it is too short"},
    PARAMS_OPTION,
    PACE_OPTION,
    {.name = NULL}};
static const struct value_rule INPUT_OPTIONS[] = {
    {.name = "type", .type = VALUE_COUNT, .min = 0, .max = 255},
    {.name = "timestamp", .type = VALUE_COUNT, .min = 0, .max = UINT64_MAX},
    {.name = "params-size",
     .type = VALUE_COUNT,
     .min = 0,
     .max = UINT32_MAX,
     .sentence = "what the header says of the length of params"},
    {.name = "audio", BYTES_RANGE, .sentence = "so many bytes of zero samples"},
    {.name = "size", BYTES_RANGE, .sentence = "zeros are added until the message has so many bytes"},
    {.name = "truncate", BYTES_RANGE, .sentence = "only so many bytes of the message are sent"},
    PARAMS_OPTION,
    PACE_OPTION,
    {.name = NULL}};
static const struct value_rule BINARY_OPTIONS[] = {
    {.name = "hex", .type = VALUE_TEXT, .sentence = "the bytes of the message"}, PACE_OPTION, {.name = NULL}};
static const struct value_rule PING_OPTIONS[] = {
    {.name = "data", .type = VALUE_TEXT, .sentence = "what the ping carries"}, {.name = NULL}};

const struct line_rule CLIENT_SEND_RULES[] = {
    {"silence", STEP_SEND_SILENCE, 0, KIND_ARGS, SILENCE_OPTIONS, "an input of 640 zero samples"},
    {"speech", STEP_SEND_SPEECH, 0, KIND_ARGS, SPEECH_OPTIONS, "inputs with the samples of a sound file"},
    {"input", STEP_SEND_INPUT, 0, KIND_ARGS, INPUT_OPTIONS,
     "an input whose every part can be said; what is not said is as it ought to be"},
    {"end", STEP_SEND_END, 0, KIND_ARGS, PACED_OPTIONS, "endInteraction"},
    {"cancel", STEP_SEND_CANCEL, 0, KIND_ARGS, PACED_OPTIONS, "cancelInteraction"},
    {"text", STEP_SEND_TEXT, 0, TEXT_ARGS, PACED_OPTIONS, "any text message"},
    {"binary", STEP_SEND_BINARY, 0, KIND_ARGS, BINARY_OPTIONS, "any binary message"},
    {"ping", STEP_SEND_PING, 0, KIND_ARGS, PING_OPTIONS, "a ping"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static const struct value *option(const struct line *line, const char *name)
{
    static const struct value NONE = {.set = false};
    int index = line_option_index(line->rule, name);
    return index < 0 ? &NONE : &line->options[index];
}

static struct client_number number(const struct line *line, const char *name)
{
    const struct value *value = option(line, name);
    return (struct client_number){.set = value->set, .value = value->number};
}

static bool hex_is_good(const char *text)
{
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    return text[digits] == '\0' && digits % 2 == 0;
}

static bool text_take(struct parser *parser, const struct value *value, struct client_step *step)
{
    step->has_text = step->has_text || value->set;
    return !value->set || value_copy(parser, value, step->text, sizeof step->text);
}

static bool speech_build(struct parser *parser, const struct node *node, const struct line *line,
                         struct client_step *step)
{
    const struct value *file = option(line, "file");
    if (!file->set)
        return complain(parser, node->end, "file=\"…\" in a send speech step", node->found_at_end);
    step->input.size = number(line, "size");
    step->from_us = option(line, "from")->number;
    step->for_us = option(line, "for")->number;
    return value_copy(parser, file, step->other, sizeof step->other);
}

static bool binary_build(struct parser *parser, const struct node *node, const struct line *line)
{
    const struct value *hex = option(line, "hex");
    if (!hex->set)
        return complain(parser, node->end, "hex=DIGITS in a send binary step", node->found_at_end);
    return hex_is_good(hex->text) ||
           complain_word(parser, hex->place, "an even number of hex digits", hex->text, NULL);
}

static bool ping_build(struct parser *parser, const struct value *data)
{
    enum { CONTROL_BYTES_MAX = 125 };
    return !data->set || strlen(data->text) <= CONTROL_BYTES_MAX ||
           complain_word(parser, data->place, "at most 125 bytes", data->text, NULL);
}

static bool kind_build(struct parser *parser, const struct node *node, const struct line *line,
                       struct client_step *step)
{
    switch (step->send) {
    case STEP_SEND_SPEECH:
        return speech_build(parser, node, line, step);
    case STEP_SEND_INPUT:
        step->input = (struct client_input){.type = number(line, "type"),
                                            .timestamp = number(line, "timestamp"),
                                            .params_size = number(line, "params-size"),
                                            .audio = number(line, "audio"),
                                            .size = number(line, "size"),
                                            .truncate = number(line, "truncate")};
        return true;
    case STEP_SEND_BINARY:
        return binary_build(parser, node, line);
    case STEP_SEND_PING:
        return ping_build(parser, option(line, "data"));
    case STEP_SEND_TEXT:
        return text_take(parser, &line->args[1], step);
    case STEP_SEND_SILENCE:
    case STEP_SEND_END:
    case STEP_SEND_CANCEL:
        return true;
    }
    return false;
}

bool client_send_build(struct parser *parser, const struct node *node, struct client_step *step)
{
    static const struct value_rule KIND = {.name = "the kind of message", .type = VALUE_NAME};
    const struct item *kind = node->items->next;
    char expected[SCRIPT_EXPECTED_MAX];
    struct line line;
    if (kind == NULL || kind->token.kind != TOKEN_WORD) {
        value_expected(expected, &KIND);
        return complain(parser, kind == NULL ? node->end : kind->token.place, expected,
                        kind == NULL ? node->found_at_end : "something else");
    }
    const struct line_rule *rule = line_find_rule(parser, CLIENT_SEND_RULES, kind, "a kind of message");
    if (rule == NULL || !line_check(parser, rule, node, &line))
        return false;
    step->send = (enum step_send)rule->id;
    step->unpaced = option(&line, "pace")->set;
    return kind_build(parser, node, &line, step) && text_take(parser, option(&line, "params"), step) &&
           text_take(parser, option(&line, "hex"), step) && text_take(parser, option(&line, "data"), step);
}
