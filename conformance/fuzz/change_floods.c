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

/* The largest that a line of a script holds and that is shorter than that. */
static const struct fuzz_seed *largest_below(const struct fuzz_seeds *seeds, size_t len)
{
    const struct fuzz_seed *found = &seeds->of[0];
    for (size_t i = 0; i < seeds->count; i++)
        if (seeds->of[i].data.len < len && seeds->of[i].data.len > found->data.len)
            found = &seeds->of[i];
    return found;
}

/* Behind what a session begins with, so that it is taken. */
static void flood_with(struct fuzz_drawing *drawing, const struct fuzz_seed *seed)
{
    const struct fuzz_seeds *seeds = drawing->maker->seeds;
    struct fuzz_session *session = drawing->session;
    fuzz_session_remove(session, 0, session->step_count);
    session->opening = 0;
    session->plan = FUZZ_PLAN_LISTEN;
    for (size_t i = 0; i < seeds->flow_lengths[0]; i++) {
        const struct fuzz_seed *before = &seeds->of[seeds->flows[0][i]];
        if (before->is_binary || strcmp(before->kind, seed->kind) == 0)
            break;
        (void)fuzz_session_add(session, FUZZ_MESSAGE, before->data);
    }
    struct fuzz_step *step =
        append_frame(drawing, seed->is_binary ? WS_OPCODE_BINARY : WS_OPCODE_TEXT, true, seed->data);
    if (step == NULL)
        return;
    step->times = FLOOD_BYTES / (uint32_t)seed->data.len;
    if (step->times > FUZZ_TIMES_MAX)
        step->times = FUZZ_TIMES_MAX;
    fuzz_label(step, seed->kind);
    fuzz_label(step, "very often");
}

static void flood_of_largest(struct fuzz_drawing *drawing)
{
    flood_with(drawing, largest_below(drawing->maker->seeds, FLOOD_BYTES_OF_ONE + 1));
}

/* Another message: what a client does with it may cost less, so that more of it comes in. */
static void flood_of_next(struct fuzz_drawing *drawing)
{
    const struct fuzz_seeds *seeds = drawing->maker->seeds;
    flood_with(drawing, largest_below(seeds, largest_below(seeds, FLOOD_BYTES_OF_ONE + 1)->data.len));
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
    static void (*const FLOODS[])(struct fuzz_drawing * drawing) = {flood_of_largest, crumble, flood_of_next,
                                                                    flood_of_pings};
    FLOODS[(n - 1) % (sizeof FLOODS / sizeof FLOODS[0])](drawing);
}
