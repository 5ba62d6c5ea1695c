/* What the builders of server steps share. Private to server/script. */
#ifndef SERVER_SCRIPT_SERVER_LINES_H
#define SERVER_SCRIPT_SERVER_LINES_H

#include "server/script/line.h"

extern const char *const YES_NO[];

/* ---- server_lines.c ---- */

/* The step's own members from its line; the table has checked that. */
bool step_build_kind(struct parser *parser, const struct node *node, const struct line *line,
                     struct server_step *step);
/* A name that later steps may use. A mark may be set again, a name may not. */
bool step_define_name(struct parser *parser, const struct value *value, bool mark);

/* ---- step_option.c ---- */

/* Keeps a name=value of the script with the step. */
bool step_add_option(struct parser *parser, struct server_step *step, const struct token *token);

/* ---- send_line.c ---- */

/* Checks kind and options, but not the pipes, of a send step whose options are kept already. */
bool send_build(struct parser *parser, const struct node *node, const struct line *line,
                struct server_step *step);

/* ---- pipe_line.c ---- */

/* Reads the pipes from the first "|" on; NULL: none. */
bool pipes_build(struct parser *parser, const struct node *node, const struct item *pipe,
                 struct server_step *step);

/* ---- raw_line.c ---- */

extern const char *const FRAME_MASKS[];
extern const char *const FRAME_FORMS[];
extern const struct number_word FRAME_OPCODES[];

enum frame_bit {
    FRAME_OPCODE,
    FRAME_FIN,
    FRAME_RSV,
    FRAME_MASK,
    FRAME_LENGTH,
    FRAME_LENGTH_FORM,
    FRAME_BITS_COUNT
};

/* The options that say a frame's bits, in the order of the enum. */
#define FRAME_BITS_RULES                                                                                     \
    {.name = "opcode",                                                                                       \
     .type = VALUE_COUNT,                                                                                    \
     .words = FRAME_OPCODES,                                                                                 \
     .counter = true,                                                                                        \
     .min = 0,                                                                                               \
     .max = 15,                                                                                              \
     .sentence = "the frame's opcode"},                                                                      \
        {.name = "fin", .type = VALUE_CHOICE, .choices = YES_NO, .sentence = "yes unless given"},            \
        {.name = "rsv",                                                                                      \
         .type = VALUE_COUNT,                                                                                \
         .counter = true,                                                                                    \
         .min = 0,                                                                                           \
         .max = 7,                                                                                           \
         .sentence = "the reserved bits, RSV1 counting 4"},                                                  \
        {.name = "mask",                                                                                     \
         .type = VALUE_CHOICE,                                                                               \
         .choices = FRAME_MASKS,                                                                             \
         .sentence = "yes: masked as a client's frame is; bad: it says so, and the payload is not"},         \
        {.name = "length",                                                                                   \
         .type = VALUE_SIZE,                                                                                 \
         .counter = true,                                                                                    \
         .min = 0,                                                                                           \
         .max = UINT64_MAX,                                                                                  \
         .sentence = "the length that the header tells; it may lie"},                                        \
    {                                                                                                        \
        .name = "length_form", .type = VALUE_CHOICE, .choices = FRAME_FORMS,                                 \
        .sentence = "the bits that hold the length; the fewest unless given"                                 \
    }

extern const struct value_rule RAW_OPTIONS[];
/* `options` by enum frame_bit. */
bool frame_bits_build(struct parser *parser, const struct value *options, struct script_frame *out);
bool raw_build(struct parser *parser, const struct node *node, const struct line *line,
               struct server_step *step);
/* The bytes of a hex value as the step's payload. */
bool payload_take_hex(struct parser *parser, const struct value *hex, struct server_step *step);

/* ---- quirk_line.c ---- */

/* quirk NAME[=VALUE] … */
bool quirk_build(struct parser *parser, const struct node *node, struct server_step *step);
/* serve quirk="NAME[=VALUE] …" */
bool quirk_take_list(struct parser *parser, const struct value *list, struct server_step *step);

#endif
