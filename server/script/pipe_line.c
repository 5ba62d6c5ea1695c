/* The pipes behind a step: what happens to its message on the way out. */
#include <stdlib.h>

#include "server/script/server_lines.h"
#include "server/script/tables.h"

enum { GAP_MAX_US = 60000000, DELAY_MAX_US = 1800000000, PATCH_BYTES_MAX = 4096, MUTATE_COUNT_MAX = 100000 };

enum { SLICE_EVERY, SLICE_FOR, SLICE_AT, SLICE_GAP };
static const struct value_rule SLICE_OPTIONS[] = {
    {.name = "every", .type = VALUE_SIZE, .min = 1, .max = UINT32_MAX, .sentence = "bytes of a TCP write"},
    {.name = "for", .type = VALUE_SIZE, .min = 1, .max = UINT32_MAX, .sentence = "only in the first N bytes"},
    {.name = "at",
     .type = VALUE_SIZE,
     .counter = true,
     .min = 1,
     .max = UINT32_MAX,
     .sentence = "one cut, after N bytes"},
    {.name = "gap",
     .type = VALUE_DURATION,
     .min = 0,
     .max = GAP_MAX_US,
     .sentence = "a pause between two writes"},
    {.name = NULL}};

enum { FRAGMENT_AT, FRAGMENT_EVERY, FRAGMENT_PINGS };
static const struct value_rule FRAGMENT_OPTIONS[] = {
    {.name = "at",
     .type = VALUE_SIZE,
     .counter = true,
     .min = 1,
     .max = UINT32_MAX,
     .sentence = "two fragments, cut after N bytes"},
    {.name = "every", .type = VALUE_SIZE, .min = 1, .max = UINT32_MAX, .sentence = "fragments of N bytes"},
    {.name = "pings",
     .type = VALUE_CHOICE,
     .choices = YES_NO,
     .sentence = "a ping between every two of them"},
    {.name = NULL}};

static const struct value_rule DELAY_ARGS[] = {
    {.name = "how long", .type = VALUE_DURATION, .min = 1, .max = DELAY_MAX_US}, {.name = NULL}};

enum { JITTER_MAX, JITTER_SEED };
static const struct value_rule JITTER_OPTIONS[] = {
    {.name = "max", .type = VALUE_DURATION, .min = 1, .max = DELAY_MAX_US, .sentence = "the longest delay"},
    {.name = "seed",
     .type = VALUE_COUNT,
     .counter = true,
     .min = 0,
     .max = UINT64_MAX,
     .sentence = "the delays follow from it"},
    {.name = NULL}};

enum { CORRUPT_AT, CORRUPT_XOR };
static const struct value_rule CORRUPT_OPTIONS[] = {{.name = "at",
                                                     .type = VALUE_SIZE,
                                                     .counter = true,
                                                     .min = 0,
                                                     .max = UINT32_MAX,
                                                     .sentence = "which byte, from 0"},
                                                    {.name = "xor",
                                                     .type = VALUE_COUNT,
                                                     .min = 1,
                                                     .max = UINT8_MAX,
                                                     .sentence = "the bits that change; 255 unless given"},
                                                    {.name = NULL}};

enum { MUTATE_SEED, MUTATE_COUNT };
static const struct value_rule MUTATE_OPTIONS[] = {{.name = "seed",
                                                    .type = VALUE_COUNT,
                                                    .counter = true,
                                                    .min = 0,
                                                    .max = UINT64_MAX,
                                                    .sentence = "places and values follow from it"},
                                                   {.name = "count",
                                                    .type = VALUE_COUNT,
                                                    .min = 1,
                                                    .max = MUTATE_COUNT_MAX,
                                                    .sentence = "number of bytes; default 1"},
                                                   {.name = NULL}};

static const struct value_rule TRUNCATE_OPTIONS[] = {{.name = "at",
                                                      .type = VALUE_SIZE,
                                                      .counter = true,
                                                      .min = 0,
                                                      .max = UINT32_MAX,
                                                      .sentence = "number of bytes that stay"},
                                                     {.name = NULL}};

enum { PATCH_AT, PATCH_HEX };
static const struct value_rule PATCH_OPTIONS[] = {{.name = "at",
                                                   .type = VALUE_SIZE,
                                                   .counter = true,
                                                   .min = 0,
                                                   .max = UINT32_MAX,
                                                   .sentence = "the first byte that is written over, from 0"},
                                                  {.name = "hex",
                                                   .type = VALUE_HEX,
                                                   .min = 1,
                                                   .max = PATCH_BYTES_MAX,
                                                   .sentence = "what stands there instead"},
                                                  {.name = NULL}};

static const struct value_rule APPEND_OPTIONS[] = {
    {.name = "hex", .type = VALUE_HEX, .min = 1, .max = PATCH_BYTES_MAX, .sentence = "what comes behind"},
    {.name = NULL}};

static const struct value_rule END_OPTIONS[] = {{.name = "at",
                                                 .type = VALUE_SIZE,
                                                 .counter = true,
                                                 .min = 1,
                                                 .max = UINT32_MAX,
                                                 .sentence = "after N bytes of the message"},
                                                {.name = NULL}};

static const struct value_rule BITS_OPTIONS[] = {FRAME_BITS_RULES, {.name = NULL}};

enum pipe {
    PIPE_SLICE,
    PIPE_FRAGMENT,
    PIPE_DELAY,
    PIPE_JITTER,
    PIPE_CORRUPT,
    PIPE_MUTATE,
    PIPE_TRUNCATE,
    PIPE_PATCH,
    PIPE_APPEND,
    PIPE_BITS,
    PIPE_RESET,
    PIPE_DROP,
    PIPE_FAULT,
    PIPE_COUNT
};

const struct line_rule PIPE_RULES[] = {
    {"slice", PIPE_SLICE, 0, NULL, SLICE_OPTIONS, "TCP writes of N bytes, or one cut"},
    {"fragment", PIPE_FRAGMENT, 0, NULL, FRAGMENT_OPTIONS, "the message in several WebSocket frames"},
    {"delay", PIPE_DELAY, 0, DELAY_ARGS, NULL, "the message leaves TIME later; what follows waits behind it"},
    {"jitter", PIPE_JITTER, 0, NULL, JITTER_OPTIONS,
     "each message is delayed by another time, from 0 to the longest"},
    {"corrupt", PIPE_CORRUPT, 0, NULL, CORRUPT_OPTIONS, "one byte is changed"},
    {"mutate", PIPE_MUTATE, 0, NULL, MUTATE_OPTIONS,
     "bytes here and there are changed, in each message others"},
    {"truncate", PIPE_TRUNCATE, 0, NULL, TRUNCATE_OPTIONS, "the end of the message is missing"},
    {"patch", PIPE_PATCH, 0, NULL, PATCH_OPTIONS, "bytes of the message are written over"},
    {"append", PIPE_APPEND, 0, NULL, APPEND_OPTIONS, "more bytes behind the message"},
    {"bits", PIPE_BITS, 0, NULL, BITS_OPTIONS,
     "the message is one WebSocket frame with these bits, right or wrong"},
    {"reset", PIPE_RESET, 0, NULL, END_OPTIONS,
     "the connection ends with RST in the middle of the message; the header told the whole length"},
    {"drop", PIPE_DROP, 0, NULL, END_OPTIONS, "the same with FIN, without a close frame"},
    {"fault", PIPE_FAULT, 0, NULL, NULL,
     "the message breaks the protocol on purpose; the rules for the mock's own side let it pass"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static bool missing(struct parser *parser, const struct line *line, const char *option)
{
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, line->rule->word);
    text_add(&text, " with ");
    text_add(&text, option);
    return complain(parser, line->place, expected, "none");
}

static bool slice_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    const struct value *every = &line->options[SLICE_EVERY];
    const struct value *at = &line->options[SLICE_AT];
    if (every->set == at->set)
        return complain(parser, line->place,
                        "slice with either every= or at=", every->set ? "both" : "neither");
    if (line->options[SLICE_FOR].set && !every->set)
        return complain(parser, line->options[SLICE_FOR].place, "for= only together with every=", "at=");
    step->delivery.slice_every = (uint32_t)every->number;
    step->delivery.slice_for = (uint32_t)line->options[SLICE_FOR].number;
    step->delivery.gap_us = (uint32_t)line->options[SLICE_GAP].number;
    step->slice_at = value_number(at);
    return true;
}

static bool fragment_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    const struct value *every = &line->options[FRAGMENT_EVERY];
    const struct value *at = &line->options[FRAGMENT_AT];
    const struct value *pings = &line->options[FRAGMENT_PINGS];
    if (every->set == at->set)
        return complain(parser, line->place,
                        "fragment with either every= or at=", every->set ? "both" : "neither");
    if (pings->set && !every->set)
        return complain(parser, pings->place, "pings= only together with every=", "at=");
    step->delivery.fragment_every = (uint32_t)every->number;
    step->delivery.fragment_pings = pings->set && strcmp(pings->text, "yes") == 0;
    step->fragment_at = value_number(at);
    return true;
}

static bool jitter_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    if (!line->options[JITTER_MAX].set || !line->options[JITTER_SEED].set)
        return missing(parser, line, "max= and seed=");
    step->jitter_max_us = (uint32_t)line->options[JITTER_MAX].number;
    step->jitter_seed = value_number(&line->options[JITTER_SEED]);
    return true;
}

static bool end_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    if (!line->options[0].set)
        return missing(parser, line, "at=");
    if (step->end_at.number != 0)
        return complain_word(parser, line->place, "one end of the connection", line->rule->word, NULL);
    if (step->kind == STEP_SEND && step->count > 1)
        return complain(parser, line->place, "no such pipe after a send with count=: the connection ends",
                        line->rule->word);
    step->end_at = value_number(&line->options[0]);
    step->delivery.end_by_reset = line->rule->id == PIPE_RESET;
    step->fault = true;
    return true;
}

/* ---- changes of the bytes ---- */

static struct script_change *change_new(struct parser *parser, const struct line *line,
                                        struct server_step *step)
{
    if (step->change_count == SCRIPT_CHANGES_MAX) {
        complain_word(parser, line->place, "at most 8 changes of a message", line->rule->word, NULL);
        return NULL;
    }
    if (step->changes == NULL)
        step->changes = calloc(SCRIPT_CHANGES_MAX, sizeof *step->changes);
    if (step->changes == NULL) {
        complain_memory(parser);
        return NULL;
    }
    step->fault = true;
    return &step->changes[step->change_count++];
}

static bool change_data(struct parser *parser, const struct value *hex, struct script_change *change)
{
    change->data = value_hex(hex);
    return change->data.data != NULL || complain_memory(parser);
}

static bool corrupt_build(struct parser *parser, const struct line *line, struct script_change *change)
{
    if (!line->options[CORRUPT_AT].set)
        return missing(parser, line, "at=");
    change->kind = CHANGE_CORRUPT;
    change->at = value_number(&line->options[CORRUPT_AT]);
    change->mask = line->options[CORRUPT_XOR].set ? (uint8_t)line->options[CORRUPT_XOR].number : UINT8_MAX;
    return true;
}

static bool mutate_build(struct parser *parser, const struct line *line, struct script_change *change)
{
    if (!line->options[MUTATE_SEED].set)
        return missing(parser, line, "seed=");
    change->kind = CHANGE_MUTATE;
    change->seed = value_number(&line->options[MUTATE_SEED]);
    change->count = line->options[MUTATE_COUNT].set ? line->options[MUTATE_COUNT].number : 1;
    return true;
}

static bool truncate_build(struct parser *parser, const struct line *line, struct script_change *change)
{
    if (!line->options[0].set)
        return missing(parser, line, "at=");
    change->kind = CHANGE_TRUNCATE;
    change->at = value_number(&line->options[0]);
    return true;
}

static bool patch_build(struct parser *parser, const struct line *line, struct script_change *change)
{
    if (!line->options[PATCH_AT].set || !line->options[PATCH_HEX].set)
        return missing(parser, line, "at= and hex=");
    change->kind = CHANGE_PATCH;
    change->at = value_number(&line->options[PATCH_AT]);
    return change_data(parser, &line->options[PATCH_HEX], change);
}

static bool append_build(struct parser *parser, const struct line *line, struct script_change *change)
{
    if (!line->options[0].set)
        return missing(parser, line, "hex=");
    change->kind = CHANGE_APPEND;
    return change_data(parser, &line->options[0], change);
}

typedef bool change_builder(struct parser *parser, const struct line *line, struct script_change *change);

static change_builder *change_builder_of(enum pipe pipe)
{
    static change_builder *const BUILDERS[PIPE_COUNT] = {[PIPE_CORRUPT] = corrupt_build,
                                                         [PIPE_MUTATE] = mutate_build,
                                                         [PIPE_TRUNCATE] = truncate_build,
                                                         [PIPE_PATCH] = patch_build,
                                                         [PIPE_APPEND] = append_build};
    return BUILDERS[pipe];
}

/* ---- all of them ---- */

static bool bits_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    step->fault = true;
    return frame_bits_build(parser, line->options, &step->frame);
}

static bool pipe_build(struct parser *parser, const struct line *line, struct server_step *step)
{
    const enum pipe pipe = (enum pipe)line->rule->id;
    change_builder *const builder = change_builder_of(pipe);
    if (builder != NULL) {
        struct script_change *change = change_new(parser, line, step);
        return change != NULL && builder(parser, line, change);
    }
    if (pipe == PIPE_SLICE)
        return slice_build(parser, line, step);
    if (pipe == PIPE_FRAGMENT)
        return fragment_build(parser, line, step);
    if (pipe == PIPE_JITTER)
        return jitter_build(parser, line, step);
    if (pipe == PIPE_BITS)
        return bits_build(parser, line, step);
    if (pipe == PIPE_RESET || pipe == PIPE_DROP)
        return end_build(parser, line, step);
    if (pipe == PIPE_DELAY)
        step->delivery.delay_us = (uint32_t)line->args[0].number;
    else
        step->fault = true;
    return true;
}

/* Why a pipe cannot stand behind those before it; NULL when it can. */
static const char *pipe_clash(const bool seen[PIPE_COUNT], enum pipe pipe, const struct server_step *step)
{
    if (step->kind == STEP_RAW && pipe == PIPE_FRAGMENT)
        return "another pipe than fragment after raw: its bytes stand as they are";
    if (step->kind == STEP_RAW && pipe == PIPE_BITS)
        return "the bits of a raw step among its options";
    if (step->kind == STEP_RAW && pipe == PIPE_FAULT)
        return "no fault after raw, which always is one";
    if ((pipe == PIPE_BITS && seen[PIPE_FRAGMENT]) || (pipe == PIPE_FRAGMENT && seen[PIPE_BITS]))
        return "either bits, which is one frame, or fragment";
    if (pipe == PIPE_FRAGMENT && step->kind == STEP_SEND && strcmp(step->word, "ping") == 0)
        return "no fragment after a ping: control frames are whole";
    return NULL;
}

static bool pipe_takes_transport(const struct server_step *step)
{
    return step->frame.set || step->delivery.delay_us != 0 || step->jitter_max_us != 0 ||
           step->delivery.fragment_pings || step->end_at.number != 0;
}

bool pipes_build(struct parser *parser, const struct node *node, const struct item *pipe,
                 struct server_step *step)
{
    bool seen[PIPE_COUNT] = {false};
    while (pipe != NULL) {
        const struct item *word = pipe->next;
        if (word == NULL)
            return complain(parser, node->end, "a pipe such as slice after \"|\"", node->found_at_end);
        if (word->token.kind != TOKEN_WORD)
            return complain(parser, word->token.place, "a pipe such as slice after \"|\"",
                            word->token.kind == TOKEN_PIPE ? "\"|\"" : "something else");
        const struct line_rule *rule = line_find_rule(parser, PIPE_RULES, word, "a pipe");
        struct line line;
        if (rule == NULL || !line_check_pipe(parser, rule, word, node, &line))
            return false;
        const enum pipe kind = (enum pipe)rule->id;
        const char *clash = pipe_clash(seen, kind, step);
        if (clash != NULL)
            return complain_word(parser, word->token.place, clash, word->token.text, NULL);
        if (seen[kind] && change_builder_of(kind) == NULL)
            return complain_word(parser, word->token.place, "each pipe once", word->token.text, NULL);
        seen[kind] = true;
        if (!pipe_build(parser, &line, step))
            return false;
        pipe = line.pipe;
    }
    if (pipe_takes_transport(step))
        parser->script->transport = true;
    return true;
}
