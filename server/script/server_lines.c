/* The table of the server { } block, and the builder of each of its steps. */
#include <stdlib.h>

#include "server/script/server_lines.h"
#include "server/script/tables.h"

static const char *const ANY[] = {"any", NULL};

const struct condition_rule SERVE_CONDITIONS[] = {
    {"ready", false,
     "sessionReady is out, of duplex session.created, of interview the status connected, whenever that was"},
    {"audio", true, "bytes of the client's audio messages"},
    {"messages", true, "audio messages of the client"},
    {"received", true, "messages of the client, of any kind"},
    {"other", true, "messages of the client that are none of the family's"},
    {"cancel", true, "cancels of the client; of duplex, appends that force the server to listen"},
    {"end", true,
     "the client's messages that end its speech; of duplex session.close, of interview commit_audio"},
    {"ping", true, "pings of the client"},
    {"pong", true, "pongs of the client"},
    {"speech", true, "speech frames sent; of duplex deltas, of interview chunks of replies"},
    {"silence", true, "silence frames sent; of duplex response.listen"},
    {"fade", true, "fade frames sent (Ojin)"},
    {"error", true, "errors sent"},
    {"sent", true, "messages sent, of any kind"},
    {"idle", true, "speech fell back to silence; of duplex and interview, a turn of the server is over"},
    {"final", true,
     "a frame with is_final was sent, of duplex a delta with end_of_turn, of interview a chunk with "
     "is_final"},
    {"close", false, "the client closed or is gone"},
    {NULL, false, NULL},
};

enum { DURATION_MAX_US = 1800000000 };

#define DURATION_RANGE .min = 0, .max = DURATION_MAX_US

static const struct value_rule ACCEPT_ARGS[] = {
    {.name = "any", .type = VALUE_CHOICE, .choices = ANY, .optional = true}, {.name = NULL}};
enum { JOINED_MAX = 16 };
enum { ACCEPT_HEADER, ACCEPT_JOINED };
static const struct value_rule ACCEPT_OPTIONS[] = {
    {.name = "header",
     .type = VALUE_STRING,
     .many = true,
     .sentence =
         "a line of the response in place of its own of that name, or added; \"Name:\" takes one out"},
    {.name = "joined",
     .type = VALUE_COUNT,
     .min = 1,
     .max = JOINED_MAX,
     .sentence = "the response leaves in one TCP write with the next N messages, at a close or a second "
                 "later at the latest"},
    {.name = NULL}};

enum { REFUSE_STATUS, REFUSE_ERROR, REFUSE_BODY, REFUSE_HEADER };
static const struct value_rule REFUSE_OPTIONS[] = {
    {.name = "status", .type = VALUE_COUNT, .min = 200, .max = 599, .sentence = "the HTTP status"},
    {.name = "error", .type = VALUE_NAME, .sentence = "the body is an errorResponse with that code"},
    {.name = "body", .type = VALUE_TEXT, .sentence = "the body is this text"},
    {.name = "header",
     .type = VALUE_STRING,
     .many = true,
     .sentence = "\"Name: value\", in which {date+N} is the date in N seconds; Content-Type, "
                 "Content-Length and Connection are added unless given"},
    {.name = NULL}};

static const struct value_rule IGNORE_OPTIONS[] = {{.name = "for",
                                                    .type = VALUE_DURATION,
                                                    .min = 1,
                                                    .max = DURATION_MAX_US,
                                                    .sentence = "then the connection ends with FIN"},
                                                   {.name = NULL}};

enum { SERVE_FOR, SERVE_UNTIL, SERVE_QUIRK, SERVE_ON };
static const struct value_rule SERVE_OPTIONS[] = {
    {.name = "for", .type = VALUE_DURATION, DURATION_RANGE, .sentence = "duration"},
    {.name = "until", .type = VALUE_CONDITION, .conditions = SERVE_CONDITIONS, .sentence = "until then"},
    {.name = "quirk",
     .type = VALUE_TEXT,
     .sentence = "\"NAME[=VALUE] …\": quirks for the length of the step"},
    {.name = "on",
     .type = VALUE_NAME,
     .sentence = "the messages of the service that the pipes hang on: a kind of message, frame or any; with "
                 ":N the N-th of them alone"},
    {.name = NULL}};

static const struct value_rule SEND_ARGS[] = {{.name = "the kind of message to send", .type = VALUE_NAME},
                                              {.name = NULL}};
enum { SEND_COUNT };
static const struct value_rule SEND_OPTIONS[] = {{.name = "count",
                                                  .type = VALUE_COUNT,
                                                  .min = 1,
                                                  .max = SCRIPT_REPEAT_MAX,
                                                  .sentence = "number of messages; default 1"},
                                                 {.name = NULL}};

static const struct value_rule RECV_ARGS[] = {{.name = "the type of message to wait for", .type = VALUE_NAME},
                                              {.name = NULL}};
static const struct value_rule RECV_OPTIONS[] = {
    {.name = "within", .type = VALUE_DURATION, DURATION_RANGE, .sentence = "in that time; 5s unless given"},
    {.name = NULL}};

static const struct value_rule WAIT_ARGS[] = {{.name = "how long", .type = VALUE_DURATION, DURATION_RANGE},
                                              {.name = NULL}};

enum { CLOSE_CODE, CLOSE_REASON, CLOSE_HEX, CLOSE_HEX_BYTES_MAX = 125 };
static const struct value_rule CLOSE_OPTIONS[] = {
    {.name = "code",
     .type = VALUE_COUNT,
     .counter = true,
     .min = 1,
     .max = 65535,
     .sentence = "the close code, any at all; 1000 unless given"},
    {.name = "reason", .type = VALUE_STRING, .sentence = "at most 123 bytes"},
    {.name = "hex",
     .type = VALUE_HEX,
     .min = 0,
     .max = CLOSE_HEX_BYTES_MAX,
     .sentence = "in place of both the frame's whole payload, right or wrong"},
    {.name = NULL}};

static const struct value_rule STOP_OPTIONS[] = {{.name = "for",
                                                  .type = VALUE_DURATION,
                                                  .min = 1,
                                                  .max = DURATION_MAX_US,
                                                  .sentence = "duration; default: to the end"},
                                                 {.name = NULL}};

static const struct value_rule QUIRK_ARGS[] = {
    {.name = "the name of a quirk", .type = VALUE_NAME, .optional = true, .many = true}, {.name = NULL}};

static const struct value_rule MARK_ARGS[] = {{.name = "the mark's name", .type = VALUE_LABEL},
                                              {.name = NULL}};

static const struct value_rule REPEAT_ARGS[] = {
    {.name = "how often", .type = VALUE_COUNT, .min = 1, .max = SCRIPT_REPEAT_MAX, .optional = true},
    {.name = NULL}};
enum { REPEAT_FROM, REPEAT_TO, REPEAT_AS };
static const struct value_rule REPEAT_OPTIONS[] = {
    {.name = "from",
     .type = VALUE_COUNT,
     .min = 0,
     .max = UINT32_MAX,
     .sentence = "the counter begins there"},
    {.name = "to",
     .type = VALUE_COUNT,
     .min = 0,
     .max = UINT32_MAX,
     .sentence = "and ends there, itself included"},
    {.name = "as", .type = VALUE_LABEL, .sentence = "the counter's name"},
    {.name = NULL}};

static const struct value_rule ALT_OPTIONS[] = {
    {.name = "within",
     .type = VALUE_DURATION,
     .min = 1,
     .max = DURATION_MAX_US,
     .sentence = "in that time, else the step fails; without it for as long as the client is there"},
    {.name = NULL}};

static const struct value_rule BRANCH_ARGS[] = {
    {.name = "what is waited for", .type = VALUE_CONDITION, .conditions = SERVE_CONDITIONS}, {.name = NULL}};

const struct line_rule BRANCH_RULES[] = {
    {"on", STEP_BRANCH, LINE_BLOCK, BRANCH_ARGS, NULL,
     "one of the branches of an alt, up to 8: its steps are taken when its condition comes first"},
    {NULL, 0, 0, NULL, NULL, NULL}};

const struct line_rule SERVER_RULES[] = {
    {"accept", STEP_ACCEPT, 0, ACCEPT_ARGS, ACCEPT_OPTIONS,
     "waits for a request and admits it as the service does, or with any whatever it brings; when admission "
     "refuses, the script ends there"},
    {"refuse", STEP_REFUSE, 0, NULL, REFUSE_OPTIONS,
     "waits for a request and answers it with that status; 401, 403, 404, 429 and 503 have the errorResponse "
     "of the "
     "service as their body, unless error=, body= or a Content-Length says otherwise"},
    {"ignore", STEP_IGNORE, 0, NULL, IGNORE_OPTIONS,
     "waits for a request and never answers it; goes on when the client is gone, or the time is over"},
    {"serve", STEP_SERVE, LINE_AS | LINE_PIPES, NULL, SERVE_OPTIONS,
     "the normal service: for= a time, until= an event, or until the client goes"},
    {"send", STEP_SEND, LINE_AS | LINE_PIPES | LINE_OPEN_OPTIONS, SEND_ARGS, SEND_OPTIONS,
     "a message, or several of the same"},
    {"raw", STEP_RAW, LINE_AS | LINE_PIPES, NULL, RAW_OPTIONS,
     "bytes on the wire: as they are, or with opcode= as the payload of one frame whose bits are said"},
    {"recv", STEP_RECV, 0, RECV_ARGS, RECV_OPTIONS,
     "waits for a message of the client that comes after the step began; when none does in time the step "
     "fails and the script ends"},
    {"wait", STEP_WAIT, 0, WAIT_ARGS, NULL, "sends nothing; what the client sends is taken in"},
    {"close", STEP_CLOSE, 0, NULL, CLOSE_OPTIONS, "sends a close frame, goes on when the connection is over"},
    {"reset", STEP_RESET, 0, NULL, NULL, "ends the TCP connection with RST"},
    {"drop", STEP_DROP, 0, NULL, NULL, "ends the TCP connection with FIN, without a close frame"},
    {"half-close", STEP_HALF_CLOSE, 0, NULL, NULL,
     "ends our side with FIN; what the client still sends is taken in, until it ends its own"},
    {"stop-reading", STEP_STOP_READING, 0, NULL, STOP_OPTIONS,
     "reads nothing more from the client; what is sent goes on being sent"},
    {"quirk", STEP_QUIRK, LINE_OPEN_OPTIONS, QUIRK_ARGS, NULL,
     "sets quirks, NAME, NAME=VALUE or NAME=off, from here on: for this session and those after it"},
    {"mark", STEP_MARK, 0, MARK_ARGS, NULL,
     "leaves a mark in the journal, for checks; in several branches it may be the same"},
    {"alt", STEP_ALT, LINE_BLOCK, NULL, ALT_OPTIONS,
     "the normal service until the condition of one of the branches in its block comes, then the steps of "
     "that "
     "one; of two at once the upper"},
    {"repeat", STEP_REPEAT, LINE_AS | LINE_BLOCK, REPEAT_ARGS, REPEAT_OPTIONS,
     "the block N times, or with the counter from one number to another"},
    {"aside", STEP_ASIDE, LINE_BLOCK, NULL, NULL,
     "the connection goes on by itself with the steps of the block, up to their end; the script goes on "
     "without "
     "it at once, to its next accept, refuse or ignore"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static bool step_keep_options(struct parser *parser, const struct node *node, struct server_step *step)
{
    for (const struct item *item = node->items; item != NULL; item = item->next)
        if (item->token.kind == TOKEN_OPTION && !step_add_option(parser, step, &item->token))
            return false;
    return true;
}

bool step_define_name(struct parser *parser, const struct value *value, bool mark)
{
    bool known = name_is_defined(parser, bytes_of_text(value->text), mark);
    if (known && mark)
        return true;
    if (known)
        return complain_word(parser, value->place, "a name that no other step has", value->text, NULL);
    if (parser->name_count == SCRIPT_CAPTURES_MAX)
        return complain_word(parser, value->place, "at most 128 names and marks", value->text, NULL);
    struct defined_name *name = &parser->names[parser->name_count++];
    name->is_mark = mark;
    return value_copy(parser, value, name->name, sizeof name->name);
}

/* ---- one builder a step that needs more than its table ---- */

static bool header_is_good(const char *header)
{
    const char *colon = strchr(header, ':');
    for (const char *at = header; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return false;
    return colon != NULL && colon != header && strcspn(header, " \t") > (size_t)(colon - header);
}

static bool headers_check(struct parser *parser, const struct node *node)
{
    for (const struct item *item = node->items; item != NULL; item = item->next) {
        const struct token *token = &item->token;
        if (token->kind == TOKEN_OPTION && strcmp(token->text, "header") == 0 &&
            !header_is_good(token->value))
            return complain_word(parser, token->value_place, "a header line \"Name: value\"", token->value,
                                 NULL);
    }
    return true;
}

static bool accept_build(struct parser *parser, const struct node *node, const struct line *line,
                         struct server_step *step)
{
    if (line->arg_count > 0 && !value_copy(parser, &line->args[0], step->word, sizeof step->word))
        return false;
    step->count = line->options[ACCEPT_JOINED].set ? line->options[ACCEPT_JOINED].number : 0;
    if (!line->options[ACCEPT_HEADER].set && step->count == 0)
        return true;
    parser->script->transport = true;
    return headers_check(parser, node) && step_keep_options(parser, node, step);
}

static bool refuse_build(struct parser *parser, const struct node *node, const struct line *line,
                         struct server_step *step)
{
    if (!line->options[REFUSE_STATUS].set)
        return complain(parser, node->end, "status=N in a refuse step", node->found_at_end);
    if (line->options[REFUSE_ERROR].set && line->options[REFUSE_BODY].set)
        return complain_word(parser, line->options[REFUSE_BODY].place, "error= or body=, not both",
                             line->options[REFUSE_BODY].text, NULL);
    step->code = (uint16_t)line->options[REFUSE_STATUS].number;
    return headers_check(parser, node) && step_keep_options(parser, node, step);
}

static bool recv_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    static const char *const COMMON[] = {"any", "other", "ping", "pong", "close"};
    const char *types[32] = {NULL};
    size_t count = 0;
    while (count < 24 && parser->class->receive_types[count] != NULL) {
        types[count] = parser->class->receive_types[count];
        count++;
    }
    for (size_t i = 0; i < sizeof COMMON / sizeof COMMON[0]; i++)
        if (!choices_hold(types, COMMON[i]))
            types[count++] = COMMON[i];
    char expected[SCRIPT_EXPECTED_MAX];
    choices_write(expected, "one of ", types);
    if (!choices_hold(types, line->args[0].text))
        return complain_word(parser, line->args[0].place, expected, line->args[0].text, types);
    step->duration_us = line->options[0].set ? line->options[0].number : 0;
    return value_copy(parser, &line->args[0], step->word, sizeof step->word);
}

static bool close_build(struct parser *parser, const struct node *node, const struct line *line,
                        struct server_step *step)
{
    const struct value *reason = &line->options[CLOSE_REASON];
    const struct value *hex = &line->options[CLOSE_HEX];
    if (hex->set && (reason->set || line->options[CLOSE_CODE].set))
        return complain_word(parser, hex->place, "hex= alone, or code= and reason=", hex->text, NULL);
    if (hex->set) {
        parser->script->transport = true;
        step->raw_close = true;
        return payload_take_hex(parser, hex, step);
    }
    if (reason->set && strlen(reason->text) > WS_CLOSE_REASON_BYTES_MAX)
        return complain_word(parser, reason->place, "a reason of at most 123 bytes", reason->text, NULL);
    step->code = line->options[CLOSE_CODE].set ? (uint16_t)line->options[CLOSE_CODE].number : 1000;
    step->code_counter = value_number(&line->options[CLOSE_CODE]);
    return step_keep_options(parser, node, step);
}

/* `repeat 3`, `repeat 3 as k`, `repeat from=1 to=9 as=k`. */
static bool repeat_range(struct parser *parser, const struct node *node, const struct line *line,
                         struct server_step *step)
{
    const struct value *from = &line->options[REPEAT_FROM];
    const struct value *to = &line->options[REPEAT_TO];
    if (line->arg_count == 1) {
        if (from->set || to->set)
            return complain_word(parser, (from->set ? from : to)->place,
                                 "a number of times or from= and to=", (from->set ? from : to)->text, NULL);
        step->from = 1;
        step->to = line->args[0].number;
        return true;
    }
    if (!from->set || !to->set)
        return complain(parser, node->open, "a number of times or from= and to=", "\"{\"");
    if (to->number < from->number || to->number - from->number >= SCRIPT_REPEAT_MAX)
        return complain_word(parser, to->place, "to= not below from= and at most 100000 rounds", to->text,
                             NULL);
    step->from = from->number;
    step->to = to->number;
    return true;
}

static bool repeat_build(struct parser *parser, const struct node *node, const struct line *line,
                         struct server_step *step)
{
    if (!repeat_range(parser, node, line, step))
        return false;
    const struct value *as = line->as.set ? &line->as : &line->options[REPEAT_AS];
    if (as->set && !value_copy(parser, as, step->as, sizeof step->as))
        return false;
    step->count = step->to - step->from + 1;
    if (node->children == NULL)
        return complain(parser, node->open, "steps between \"{\" and \"}\"", "none");
    return true;
}

/* on=KIND or on=KIND:N; without a number every one of them. */
static bool serve_on(struct parser *parser, const struct value *on, struct script_condition *out)
{
    enum { ON_NAMES_MAX = 40 };
    const char *names[ON_NAMES_MAX + 3] = {"frame", "any"};
    const struct send_kind *kinds = parser->class->send_kinds;
    char name[SCRIPT_NAME_MAX];
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(name, sizeof name);
    const size_t len = strcspn(on->text, ":");
    for (size_t i = 0; kinds[i].name != NULL && i < ON_NAMES_MAX; i++)
        names[i + 2] = kinds[i].name;
    text_add_bytes(&text, bytes_of(on->text, len));
    choices_write(expected, "one of ", names);
    if (!choices_hold(names, name))
        return complain_word(parser, on->place, expected, name, names);
    struct text out_name = text_of(out->name, sizeof out->name);
    text_add(&out_name, name);
    if (on->text[len] == '\0')
        return true;
    struct place place = {on->place.line, on->place.column + (unsigned)len + 1};
    return number_read(on->text + len + 1, 1, UINT32_MAX, &out->count) ||
           complain_word(parser, place, "a count of at least 1", on->text + len + 1, NULL);
}

static bool serve_build(struct parser *parser, const struct node *node, const struct line *line,
                        struct server_step *step)
{
    const struct value *on = &line->options[SERVE_ON];
    step->duration_us = line->options[SERVE_FOR].set ? line->options[SERVE_FOR].number : 0;
    if (line->options[SERVE_FOR].set && step->duration_us == 0)
        return complain_word(parser, line->options[SERVE_FOR].place, "a duration above 0",
                             line->options[SERVE_FOR].text, NULL);
    step->until = line->options[SERVE_UNTIL].condition;
    if (line->options[SERVE_QUIRK].set && !quirk_take_list(parser, &line->options[SERVE_QUIRK], step))
        return false;
    if (on->set && line->pipe == NULL)
        return complain_word(parser, on->place, "pipes after a serve with on=", on->text, NULL);
    if (!on->set && line->pipe != NULL)
        return complain(parser, line->pipe->token.place, "on=KIND in a serve with pipes", "\"|\"");
    return !on->set || (serve_on(parser, on, &step->on) && pipes_build(parser, node, line->pipe, step));
}

static bool send_step_build(struct parser *parser, const struct node *node, const struct line *line,
                            struct server_step *step)
{
    step->count = line->options[SEND_COUNT].set ? line->options[SEND_COUNT].number : 1;
    for (const struct item *item = node->items; item != NULL && item->token.kind != TOKEN_PIPE;
         item = item->next)
        if (item->token.kind == TOKEN_OPTION && line_option_index(line->rule, item->token.text) < 0 &&
            !step_add_option(parser, step, &item->token))
            return false;
    return value_copy(parser, &line->args[0], step->word, sizeof step->word) &&
           send_build(parser, node, line, step) && pipes_build(parser, node, line->pipe, step);
}

/* Only a real transport has it. */
static bool transport_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    parser->script->transport = true;
    step->duration_us = line->options[0].set ? line->options[0].number : 0;
    return true;
}

bool step_build_kind(struct parser *parser, const struct node *node, const struct line *line,
                     struct server_step *step)
{
    switch (step->kind) {
    case STEP_ACCEPT:
        return accept_build(parser, node, line, step);
    case STEP_REFUSE:
        return refuse_build(parser, node, line, step);
    case STEP_SERVE:
        return serve_build(parser, node, line, step);
    case STEP_SEND:
        return send_step_build(parser, node, line, step);
    case STEP_RECV:
        return recv_build(parser, line, step);
    case STEP_WAIT:
        step->duration_us = line->args[0].number;
        return true;
    case STEP_CLOSE:
        return close_build(parser, node, line, step);
    case STEP_RAW:
        return raw_build(parser, node, line, step) && pipes_build(parser, node, line->pipe, step);
    case STEP_IGNORE:
    case STEP_HALF_CLOSE:
    case STEP_STOP_READING:
        return transport_build(parser, line, step);
    case STEP_QUIRK:
        return quirk_build(parser, node, step);
    case STEP_RESET:
    case STEP_DROP:
        return true;
    case STEP_MARK:
        return step_define_name(parser, &line->args[0], true) &&
               value_copy(parser, &line->args[0], step->word, sizeof step->word);
    case STEP_REPEAT:
        return repeat_build(parser, node, line, step);
    case STEP_ASIDE:
        parser->script->transport = true;
        return node->children != NULL ||
               complain(parser, node->open, "steps between \"{\" and \"}\"", "none");
    case STEP_ALT:
        step->duration_us = line->options[0].set ? line->options[0].number : 0;
        return node->children != NULL ||
               complain(parser, node->open, "branches \"on CONDITION {\" between \"{\" and \"}\"", "none");
    case STEP_BRANCH:
        step->until = line->args[0].condition;
        return node->children != NULL ||
               complain(parser, node->open, "steps between \"{\" and \"}\"", "none");
    }
    return false;
}
