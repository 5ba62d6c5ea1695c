/* How the bytes of a session leave, and frames that are none of RFC 6455. */
#include "conformance/fuzz/changes.h"

enum { SLICE_BYTES_MAX = 64, SLICES_MAX = 400, CONTROL_BYTES_MAX = 130 };

static void slice(struct fuzz_drawing *drawing)
{
    struct fuzz_step *step = fuzz_any_message(drawing);
    if (step == NULL)
        return;
    const size_t least = step->len * step->times / SLICES_MAX + 1;
    step->slice_every = (uint32_t)(least + fuzz_below(drawing, SLICE_BYTES_MAX));
    fuzz_label(step, "in slices");
}

static void fragment(struct fuzz_drawing *drawing)
{
    struct fuzz_step *step = fuzz_any_message(drawing);
    if (step == NULL || step->len < 2)
        return;
    step->fragment_every = (uint32_t)fuzz_below(drawing, step->len) + 1;
    step->pings = fuzz_one_in(drawing, 2);
    fuzz_label(step, step->pings ? "in fragments with pings" : "in fragments");
}

static struct fuzz_step *add_frame(struct fuzz_drawing *drawing, uint8_t opcode, size_t len,
                                   const char *label)
{
    uint8_t data[CONTROL_BYTES_MAX];
    memset(data, 'a', sizeof data);
    struct fuzz_step *step = fuzz_insert(drawing, FUZZ_FRAME, bytes_of(data, len), label);
    if (step != NULL)
        step->bits.opcode = opcode;
    return step;
}

static void add_control(struct fuzz_drawing *drawing)
{
    const uint8_t opcode = fuzz_one_in(drawing, 2) ? WS_OPCODE_PING : WS_OPCODE_PONG;
    const size_t len = fuzz_one_in(drawing, 2) ? 0 : fuzz_below(drawing, WS_CONTROL_BYTES_MAX + 1);
    (void)add_frame(drawing, opcode, len, opcode == WS_OPCODE_PING ? "ping" : "pong nobody asked for");
}

static void set_wrong(struct fuzz_step *step)
{
    if (step != NULL)
        step->wrong = true;
}

static void break_control(struct fuzz_drawing *drawing)
{
    const bool cut = fuzz_one_in(drawing, 2);
    struct fuzz_step *step = add_frame(drawing, WS_OPCODE_PING, cut ? 4 : WS_CONTROL_BYTES_MAX + 1,
                                       cut ? "ping in fragments" : "ping too long");
    if (step != NULL)
        step->bits.fin = !cut;
    set_wrong(step);
}

static void break_bits(struct fuzz_drawing *drawing)
{
    struct fuzz_step *step =
        add_frame(drawing, (uint8_t)fuzz_below(drawing, 16), fuzz_below(drawing, 20), "frame bits");
    if (step == NULL)
        return;
    step->bits.rsv = (uint8_t)(fuzz_one_in(drawing, 2) ? fuzz_below(drawing, 8) : 0);
    step->bits.fin = !fuzz_one_in(drawing, 3);
    step->bits.mask = (enum ws_mask)fuzz_below(drawing, 3);
    step->wrong = true;
}

static void break_length(struct fuzz_drawing *drawing)
{
    static const uint64_t LENGTHS[] = {
        0,         1,         125, 126, 127, 65535, 65536, 1048577, INT32_MAX, UINT32_MAX, UINT64_C(1) << 32,
        INT64_MAX, UINT64_MAX};
    static const enum ws_length_form FORMS[] = {WS_LENGTH_FORM_16, WS_LENGTH_FORM_64, WS_LENGTH_FORM_64};
    const uint8_t opcode = fuzz_one_in(drawing, 2) ? WS_OPCODE_TEXT : WS_OPCODE_BINARY;
    struct fuzz_step *step = add_frame(drawing, opcode, fuzz_below(drawing, 20), "frame length");
    if (step == NULL)
        return;
    step->bits.form = FORMS[fuzz_below(drawing, sizeof FORMS / sizeof FORMS[0])];
    step->bits.length = LENGTHS[fuzz_below(drawing, sizeof LENGTHS / sizeof LENGTHS[0])];
    if (step->bits.form == WS_LENGTH_FORM_16 && step->bits.length > UINT16_MAX)
        step->bits.length = UINT16_MAX;
    step->length_lies = !fuzz_one_in(drawing, 4);
    step->wrong = true;
}

static void break_fragments(struct fuzz_drawing *drawing)
{
    const bool begins = fuzz_one_in(drawing, 2);
    struct fuzz_step *step =
        add_frame(drawing, begins ? WS_OPCODE_BINARY : WS_OPCODE_CONTINUATION, fuzz_below(drawing, 20),
                  begins ? "message never ended" : "continuation of nothing");
    if (step != NULL)
        step->bits.fin = !begins && fuzz_one_in(drawing, 2);
    set_wrong(step);
}

static void add_bytes(struct fuzz_drawing *drawing)
{
    uint8_t data[40];
    const size_t len = fuzz_below(drawing, sizeof data) + 1;
    for (size_t i = 0; i < len; i++)
        data[i] = (uint8_t)seeded_next(&drawing->random);
    set_wrong(fuzz_insert(drawing, FUZZ_RAW, bytes_of(data, len), "bytes of no frame"));
}

static void break_utf8(struct fuzz_drawing *drawing)
{
    static const char *const TEXTS[] = {"\xFF", "\xC3(", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                        "{\"type\":\"\xC0\x80\"}"};
    const char *text = TEXTS[fuzz_below(drawing, sizeof TEXTS / sizeof TEXTS[0])];
    set_wrong(fuzz_insert(drawing, FUZZ_MESSAGE, bytes_of_text(text), "text of no UTF-8"));
}

static const struct fuzz_change FRAME_CHANGES[] = {{6, slice},           {6, fragment},   {4, add_control},
                                                   {1, break_control},   {2, break_bits}, {3, break_length},
                                                   {2, break_fragments}, {1, add_bytes},  {1, break_utf8}};

void fuzz_change_frames(struct fuzz_drawing *drawing)
{
    fuzz_draw_change(drawing, FRAME_CHANGES, sizeof FRAME_CHANGES / sizeof FRAME_CHANGES[0]);
}
