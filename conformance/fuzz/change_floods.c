/* Much of something: what costs a client that keeps all of it, or looks at it again and again. */
#include "conformance/fuzz/changes.h"

enum {
    NESTED_TIMES_MIN = 1000,
    NESTED_TIMES_MAX = 200000,
    PIECES = 90000, /* of one message */
    PIECE_BYTES = 8,
    FLOOD_BYTES = 300 * 1024 * 1024, /* above what a client is to take */
    FLOOD_BYTES_OF_ONE = 4096,
    PINGS = 20000
};

void fuzz_nest(struct fuzz_drawing *drawing)
{
    static const char *const OPENERS[] = {"[", "{\"a\":", "[{\"type\":"};
    const char *opener = OPENERS[fuzz_below(drawing, sizeof OPENERS / sizeof OPENERS[0])];
    struct fuzz_step *step = fuzz_insert(drawing, FUZZ_MESSAGE, bytes_of_text(opener), "deeply nested");
    const size_t most = FUZZ_SENT_BYTES_MAX / 2 / strlen(opener);
    if (step == NULL)
        return;
    step->times = NESTED_TIMES_MIN + (uint32_t)fuzz_below(drawing, NESTED_TIMES_MAX - NESTED_TIMES_MIN);
    if (step->times > most)
        step->times = (uint32_t)most;
}

/* All behind one another, before the end. */
static struct fuzz_step *append_frame(struct fuzz_drawing *drawing, uint8_t opcode, bool fin,
                                      struct bytes data)
{
    struct fuzz_step *step = fuzz_session_add(drawing->session, FUZZ_FRAME, data);
    if (step == NULL)
        return NULL;
    step->bits.opcode = opcode;
    step->bits.fin = fin;
    return step;
}

static void crumble(struct fuzz_drawing *drawing)
{
    uint8_t piece[PIECE_BYTES];
    memset(piece, ' ', sizeof piece);
    const uint8_t opcode = fuzz_one_in(drawing, 2) ? WS_OPCODE_TEXT : WS_OPCODE_BINARY;
    struct fuzz_step *first = append_frame(drawing, opcode, false, bytes_of(piece, sizeof piece));
    struct fuzz_step *rest =
        append_frame(drawing, WS_OPCODE_CONTINUATION, false, bytes_of(piece, sizeof piece));
    struct fuzz_step *last =
        append_frame(drawing, WS_OPCODE_CONTINUATION, true, bytes_of(piece, sizeof piece));
    if (first == NULL || rest == NULL || last == NULL)
        return;
    rest->times = PIECES;
    fuzz_label(rest, "many small fragments");
}

static void flood(struct fuzz_drawing *drawing)
{
    const struct fuzz_seeds *seeds = drawing->maker->seeds;
    const struct fuzz_seed *seed = &seeds->of[fuzz_below(drawing, seeds->count)];
    uint8_t data[FLOOD_BYTES_OF_ONE];
    const size_t len = seed->data.len < sizeof data ? seed->data.len : sizeof data;
    if (len < seed->data.len)
        return; /* half a message floods nothing */
    memcpy(data, seed->data.data, len);
    struct fuzz_step *step =
        append_frame(drawing, seed->is_binary ? WS_OPCODE_BINARY : WS_OPCODE_TEXT, true, bytes_of(data, len));
    if (step == NULL)
        return;
    step->times =
        len == 0 || FLOOD_BYTES / len > FUZZ_TIMES_MAX ? FUZZ_TIMES_MAX : (uint32_t)(FLOOD_BYTES / len);
    fuzz_label(step, seed->kind);
    fuzz_label(step, "very often");
}

static void flood_of_pings(struct fuzz_drawing *drawing)
{
    struct fuzz_step *step = append_frame(drawing, WS_OPCODE_PING, true, bytes_of_text("a"));
    if (step == NULL)
        return;
    step->times = PINGS;
    fuzz_label(step, "very many pings");
}

void fuzz_flood(struct fuzz_drawing *drawing, size_t n)
{
    static void (*const FLOODS[])(struct fuzz_drawing * drawing) = {crumble, flood, flood_of_pings};
    FLOODS[(n - 1) % (sizeof FLOODS / sizeof FLOODS[0])](drawing);
}
