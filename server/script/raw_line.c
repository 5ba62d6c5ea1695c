/* The raw step: bytes for the wire, or one frame with its bits said. */
#include <assert.h>
#include <stdlib.h>

#include "server/script/server_lines.h"

const char *const YES_NO[] = {"yes", "no", NULL};
const char *const FRAME_MASKS[] = {"yes", "no", "bad", NULL};
const char *const FRAME_FORMS[] = {"7", "16", "64", NULL};
const struct number_word FRAME_OPCODES[] = {{"continuation", WS_OPCODE_CONTINUATION},
                                            {"text", WS_OPCODE_TEXT},
                                            {"binary", WS_OPCODE_BINARY},
                                            {"close", WS_OPCODE_CLOSE},
                                            {"ping", WS_OPCODE_PING},
                                            {"pong", WS_OPCODE_PONG},
                                            {NULL, 0}};

enum { RAW_HEX = FRAME_BITS_COUNT, RAW_TEXT, RAW_BYTES, RAW_TIMES, RAW_OPTION_COUNT };
enum { RAW_HEX_BYTES_MAX = 4096, RAW_TIMES_MAX = 1048576, RAW_FILL = 0x5A };
static_assert((int)RAW_OPTION_COUNT <= (int)LINE_OPTIONS_MAX, "a line holds them all");

const struct value_rule RAW_OPTIONS[] = {
    FRAME_BITS_RULES,
    {.name = "hex", .type = VALUE_HEX, .min = 0, .max = RAW_HEX_BYTES_MAX, .sentence = "the bytes"},
    {.name = "text", .type = VALUE_TEXT, .sentence = "the bytes, as text; a $ stands for itself"},
    {.name = "bytes",
     .type = VALUE_SIZE,
     .min = 0,
     .max = SCRIPT_PAYLOAD_MAX,
     .sentence = "number of bytes, all 0x5A"},
    {.name = "times",
     .type = VALUE_COUNT,
     .min = 1,
     .max = RAW_TIMES_MAX,
     .sentence = "the bytes that often, one after another, at most 16 MB in all; 1 unless given"},
    {.name = NULL}};

static enum ws_mask mask_of(const struct value *value)
{
    if (!value->set || strcmp(value->text, "no") == 0)
        return WS_MASK_NONE;
    return strcmp(value->text, "yes") == 0 ? WS_MASK_GOOD : WS_MASK_BAD;
}

static enum ws_length_form form_of(const struct value *value)
{
    if (!value->set)
        return WS_LENGTH_FORM_SHORTEST;
    if (strcmp(value->text, "7") == 0)
        return WS_LENGTH_FORM_7;
    return strcmp(value->text, "16") == 0 ? WS_LENGTH_FORM_16 : WS_LENGTH_FORM_64;
}

/* A length must go into the form that was asked for; a counter is cut. */
static bool length_fits(struct parser *parser, const struct value *length, enum ws_length_form form)
{
    if (!length->set || length->counter != NULL)
        return true;
    if (form == WS_LENGTH_FORM_7 && length->number > 127)
        return complain_word(parser, length->place, "a length of at most 127 with length_form=7",
                             length->text, NULL);
    if (form == WS_LENGTH_FORM_16 && length->number > UINT16_MAX)
        return complain_word(parser, length->place, "a length of at most 65535 with length_form=16",
                             length->text, NULL);
    return true;
}

bool frame_bits_build(struct parser *parser, const struct value *options, struct script_frame *out)
{
    const struct value *fin = &options[FRAME_FIN];
    *out = (struct script_frame){.set = true,
                                 .has_opcode = options[FRAME_OPCODE].set,
                                 .has_length = options[FRAME_LENGTH].set,
                                 .fin = !fin->set || strcmp(fin->text, "yes") == 0,
                                 .mask = mask_of(&options[FRAME_MASK]),
                                 .form = form_of(&options[FRAME_LENGTH_FORM]),
                                 .opcode = value_number(&options[FRAME_OPCODE]),
                                 .rsv = value_number(&options[FRAME_RSV]),
                                 .length = value_number(&options[FRAME_LENGTH])};
    return length_fits(parser, &options[FRAME_LENGTH], out->form);
}

bool payload_take_hex(struct parser *parser, const struct value *hex, struct server_step *step)
{
    step->payload = value_hex(hex);
    return step->payload.data != NULL || complain_memory(parser);
}

static bool payload_fill(struct parser *parser, const char *text, size_t len, struct server_step *step)
{
    uint8_t *data = malloc(len + 1);
    if (data == NULL)
        return complain_memory(parser);
    if (text != NULL)
        memcpy(data, text, len);
    else
        memset(data, RAW_FILL, len);
    step->payload = bytes_of(data, len);
    return true;
}

/* The bytes as often as is asked for. */
static bool payload_repeat(struct parser *parser, const struct value *times, struct server_step *step)
{
    const size_t len = step->payload.len;
    if (!times->set || times->number == 1 || len == 0)
        return true;
    if (times->number > SCRIPT_PAYLOAD_MAX / len)
        return complain_word(parser, times->place, "at most 16 MB in all", times->text, NULL);
    uint8_t *data = malloc(len * (size_t)times->number);
    if (data == NULL)
        return complain_memory(parser);
    for (size_t i = 0; i < times->number; i++)
        memcpy(data + i * len, step->payload.data, len);
    free((void *)(uintptr_t)step->payload.data);
    step->payload = bytes_of(data, len * (size_t)times->number);
    return true;
}

static bool raw_payload(struct parser *parser, const struct value *options, struct server_step *step)
{
    if (options[RAW_HEX].set)
        return payload_take_hex(parser, &options[RAW_HEX], step);
    if (options[RAW_TEXT].set)
        return payload_fill(parser, options[RAW_TEXT].text, strlen(options[RAW_TEXT].text), step);
    return !options[RAW_BYTES].set || payload_fill(parser, NULL, (size_t)options[RAW_BYTES].number, step);
}

bool raw_build(struct parser *parser, const struct node *node, const struct line *line,
               struct server_step *step)
{
    const struct value *payload = NULL;
    for (size_t i = RAW_HEX; i <= RAW_BYTES; i++) {
        if (!line->options[i].set)
            continue;
        if (payload != NULL)
            return complain_word(parser, line->options[i].place,
                                 "one of hex=, text= and bytes=", line->options[i].text, NULL);
        payload = &line->options[i];
    }
    for (size_t i = FRAME_FIN; i < FRAME_BITS_COUNT; i++)
        if (line->options[i].set && !line->options[FRAME_OPCODE].set)
            return complain_word(parser, line->options[i].place, "opcode= with the bits of a frame",
                                 line->options[i].text, NULL);
    if (payload == NULL && !line->options[FRAME_OPCODE].set)
        return complain(parser, node->end, "hex=, text=, bytes= or opcode= in a raw step",
                        node->found_at_end);
    if (line->options[FRAME_OPCODE].set && !frame_bits_build(parser, line->options, &step->frame))
        return false;
    step->fault = true;
    parser->script->transport = true;
    return raw_payload(parser, line->options, step) &&
           payload_repeat(parser, &line->options[RAW_TIMES], step);
}
