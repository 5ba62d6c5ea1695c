#include "conformance/fuzz/generate.h"

#include "conformance/fuzz/changes.h"

enum {
    CHANGES_MAX = 4,
    SPEAKS_EVERY = 100, /* of the first, from SPEAKS_AT on; such a session takes as long as 300 others */
    SPEAKS_AT = 25,
    SPEAKS_EVERY_LATER = 500,
    OPENS_WRONG_ONE_IN = 24,
    SESSION_BYTES_MAX = 90000,
    NESTED_EVERY = 50,
    FLOOD_EVERY = 300, /* of the first … */
    FLOOD_AT = 99,     /* … from this one on: a slow client plays thirty sessions a second */
    FLOODS_FIRST = 1200,
    FLOOD_EVERY_LATER = 10000 /* a flood takes as long as a thousand other sessions */
};

static bool add_flow(const struct fuzz_maker *maker, size_t n, struct fuzz_session *session)
{
    const struct fuzz_seeds *seeds = maker->seeds;
    for (size_t i = 0; i < seeds->flow_lengths[n]; i++) {
        const struct fuzz_seed *seed = &seeds->of[seeds->flows[n][i]];
        struct fuzz_step *step = fuzz_session_add(session, FUZZ_MESSAGE, seed->data);
        if (step == NULL)
            return false;
        step->bits.opcode = seed->is_binary ? WS_OPCODE_BINARY : WS_OPCODE_TEXT;
        fuzz_label(step, seed->kind);
    }
    return true;
}

static bool add_close(struct fuzz_session *session, uint16_t code)
{
    const uint8_t data[WS_CLOSE_CODE_BYTES] = {(uint8_t)(code >> 8), (uint8_t)code};
    return fuzz_session_add(session, FUZZ_CLOSE, bytes_of(data, sizeof data)) != NULL;
}

/* How it ends: mostly in order, so that what came before is what is tried. */
static bool add_end(struct fuzz_drawing *drawing)
{
    static const uint16_t CODES[] = {0,    999,  1001, 1002, 1003, 1005, 1006, 1007,
                                     1008, 1009, 1011, 1012, 1013, 1015, 4000, 65535};
    uint8_t data[WS_CONTROL_BYTES_MAX];
    struct fuzz_session *session = drawing->session;
    struct fuzz_step *step = NULL;
    switch (fuzz_below(drawing, 16)) {
    case 0:
        return add_close(session, CODES[fuzz_below(drawing, sizeof CODES / sizeof CODES[0])]);
    case 1: {
        const size_t len = fuzz_below(drawing, sizeof data + 1);
        for (size_t i = 0; i < len; i++)
            data[i] = (uint8_t)seeded_next(&drawing->random);
        step = fuzz_session_add(session, FUZZ_CLOSE, bytes_of(data, len));
        break;
    }
    case 2:
    case 3:
        step = fuzz_session_add(session, FUZZ_DROP, bytes_of(NULL, 0));
        break;
    case 4:
        step = fuzz_session_add(session, FUZZ_RESET, bytes_of(NULL, 0));
        break;
    default:
        return add_close(session, WS_CLOSE_NORMAL);
    }
    if (step != NULL)
        fuzz_label(step, step->kind == FUZZ_CLOSE  ? "close: payload"
                         : step->kind == FUZZ_DROP ? "FIN"
                                                   : "RST");
    return step != NULL;
}

static size_t count_openings(void)
{
    size_t count = 0;
    while (fuzz_opening(count) != NULL)
        count++;
    return count;
}

/* Which flood a session is, from 1; 0: it is none. */
static size_t flood_of(uint64_t number)
{
    const uint64_t every = number < FLOODS_FIRST ? FLOOD_EVERY : FLOOD_EVERY_LATER;
    return number % every == FLOOD_AT ? (size_t)(number / every) + 1 : 0;
}

/* Which session in which the client speaks it is, from 1; 0: it does not. */
static uint64_t speaking_of(uint64_t number)
{
    const uint64_t every = number < FLOODS_FIRST ? SPEAKS_EVERY : SPEAKS_EVERY_LATER;
    return number % every == SPEAKS_AT ? number / every + 1 : 0;
}

/* A right session from which only the end is missing: what a client waits for that has spoken. */
static bool cut_short(struct fuzz_drawing *drawing)
{
    struct fuzz_session *session = drawing->session;
    if (!add_flow(drawing->maker, 0, session))
        return false;
    const size_t left = 1 + fuzz_below(drawing, session->step_count - 1);
    fuzz_session_remove(session, left, session->step_count - left);
    fuzz_label(&session->steps[left - 1], "and no more");
    return add_end(drawing);
}

bool fuzz_generate(const struct fuzz_maker *maker, uint64_t seed, uint64_t number, struct fuzz_session *out)
{
    struct fuzz_drawing drawing = {.maker = maker, .session = out, .random = {.state = seed}};
    drawing.random.state = seeded_next(&drawing.random) ^ (number * UINT64_C(0xD1B54A32D192ED03));
    fuzz_session_init(out, maker->class);
    out->seed = seed;
    out->number = number;
    out->plan = speaking_of(number) > 0 ? FUZZ_PLAN_SPEAK : FUZZ_PLAN_LISTEN;
    if (speaking_of(number) % 2 == 1)
        return cut_short(&drawing);
    bool good = add_flow(maker, fuzz_below(&drawing, maker->seeds->flow_count), out);
    if (fuzz_one_in(&drawing, OPENS_WRONG_ONE_IN))
        out->opening = fuzz_below(&drawing, count_openings());
    for (size_t n = fuzz_below(&drawing, CHANGES_MAX) + 1; good && n > 0; n--) {
        if (fuzz_session_bytes(out) > SESSION_BYTES_MAX || out->step_count + 4 > FUZZ_STEPS_MAX)
            break;
        if (fuzz_one_in(&drawing, 4))
            fuzz_change_frames(&drawing);
        else
            fuzz_change_messages(&drawing);
    }
    if (good && number % NESTED_EVERY == NESTED_EVERY - 1)
        fuzz_nest(&drawing);
    if (good && flood_of(number) > 0)
        fuzz_flood(&drawing, flood_of(number));
    return good && add_end(&drawing);
}

bool fuzz_generate_good(const struct fuzz_maker *maker, struct fuzz_session *out)
{
    fuzz_session_init(out, maker->class);
    return add_flow(maker, 0, out) && add_close(out, WS_CLOSE_NORMAL);
}
