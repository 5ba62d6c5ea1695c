/* A session as a case, in the words of the script language. */
#include "conformance/fuzz/fuzz_session.h"

enum {
    PIECE_BYTES_MAX = 4096, /* of a step of the script: what hex= takes */
    LINE_BYTES_MAX = 3 * PIECE_BYTES_MAX,
    LIMIT_S = 5,            /* of a session, … */
    LIMIT_S_MAX = 60,       /* a case with a longer one is run only where it is asked for */
    LIMIT_FRAME_US = 200,   /* … and for each frame of a flood … */
    LIMIT_BYTES_PER_US = 5, /* … and its bytes */
    TEXT_BYTES_MAX = 400    /* of text=, so that it fits with all of it escaped */
};

static const char SPEAKING[] = "  wait 600ms\n";

struct writing {
    struct buffer *out;
    bool good;
};

static void add(struct writing *writing, const char *text)
{
    writing->good = writing->good && buffer_append(writing->out, bytes_of_text(text));
}

static void add_text(struct writing *writing, const struct text *text)
{
    writing->good =
        writing->good && !text->cut && buffer_append(writing->out, bytes_of(text->data, text->len));
}

static void add_number(struct writing *writing, const char *before, uint64_t number)
{
    char data[64];
    struct text text = text_of(data, sizeof data);
    text_add(&text, before);
    text_add_u64(&text, number);
    add_text(writing, &text);
}

/* ---- the bytes of a step ---- */

static bool is_plain(struct bytes data)
{
    for (size_t i = 0; i < data.len; i++)
        if (data.data[i] < ' ' || data.data[i] > '~')
            return false;
    return data.len > 0 && data.len <= TEXT_BYTES_MAX;
}

/* text="…" where people can read it, else hex="…". */
static void add_payload(struct writing *writing, struct bytes data)
{
    char line[LINE_BYTES_MAX];
    struct text text = text_of(line, sizeof line);
    if (is_plain(data)) {
        text_add(&text, " text=\"");
        for (size_t i = 0; i < data.len; i++) {
            if (data.data[i] == '"' || data.data[i] == '\\')
                text_add_char(&text, '\\');
            text_add_char(&text, (char)data.data[i]);
        }
    } else {
        text_add(&text, " hex=\"");
        text_add_hex(&text, data);
    }
    text_add(&text, "\"");
    add_text(writing, &text);
}

static void add_slices(struct writing *writing, const struct fuzz_step *step)
{
    if (step->slice_every > 0)
        add_number(writing, " | slice every=", step->slice_every);
    add(writing, "\n");
}

/* ---- frames ---- */

static void add_opcode(struct writing *writing, uint8_t opcode)
{
    static const char *const NAMES[16] = {[WS_OPCODE_CONTINUATION] = "continuation",
                                          [WS_OPCODE_TEXT] = "text",
                                          [WS_OPCODE_BINARY] = "binary",
                                          [WS_OPCODE_CLOSE] = "close",
                                          [WS_OPCODE_PING] = "ping",
                                          [WS_OPCODE_PONG] = "pong"};
    if (NAMES[opcode & 15] == NULL) {
        add_number(writing, "  raw opcode=", opcode & 15);
    } else {
        add(writing, "  raw opcode=");
        add(writing, NAMES[opcode & 15]);
    }
}

/* One frame with these bytes, its header that of `bits`. */
static void add_one_frame(struct writing *writing, const struct fuzz_step *step,
                          const struct ws_frame_bits *bits, uint32_t times, struct bytes data)
{
    static const char *const MASKS[] = {
        [WS_MASK_NONE] = "", [WS_MASK_GOOD] = " mask=yes", [WS_MASK_BAD] = " mask=bad"};
    add_opcode(writing, bits->opcode);
    add(writing, bits->fin ? "" : " fin=no");
    if (bits->rsv != 0)
        add_number(writing, " rsv=", bits->rsv & 7);
    add(writing, MASKS[bits->mask]);
    if (bits->form != WS_LENGTH_FORM_SHORTEST)
        add_number(writing, " length_form=", bits->form);
    if (step->length_lies)
        add_number(writing, " length=", bits->length);
    if (times > 1)
        add_number(writing, " times=", times);
    if (data.len > 0)
        add_payload(writing, data);
    add_slices(writing, step);
}

/* The last byte is a fragment of its own, so that a line can say how often it comes. */
static void add_frame_and_tail(struct writing *writing, const struct fuzz_step *step, size_t len)
{
    const bool repeated = step->times > 1;
    const struct ws_frame_bits tail = {.fin = true, .opcode = WS_OPCODE_CONTINUATION};
    struct ws_frame_bits head = step->bits;
    head.fin = false;
    add_one_frame(writing, step, &head, 1, bytes_of(step->data, len - 1));
    add(writing, repeated ? "  " : "");
    add_one_frame(writing, step, &tail, step->tail_times, bytes_of(step->data + len - 1, 1));
}

static void add_frame(struct writing *writing, const struct fuzz_step *step)
{
    const size_t len = step->len < PIECE_BYTES_MAX ? step->len : PIECE_BYTES_MAX;
    if (step->times > 1) {
        add_number(writing, "  repeat ", step->times);
        add(writing, " {\n  ");
    }
    if (step->tail_times > 1 && len > 1)
        add_frame_and_tail(writing, step, len);
    else
        add_one_frame(writing, step, &step->bits, step->payload_times, bytes_of(step->data, len));
    if (step->times > 1)
        add(writing, "  }\n");
}

/* A message in as many frames as it takes: each holds as much as a line of a script does. */
static void add_message(struct writing *writing, const struct fuzz_step *step)
{
    size_t piece = step->fragment_every > 0 ? step->fragment_every : PIECE_BYTES_MAX;
    if (step->times == 1 && step->len / piece >= FUZZ_FRAGMENTS_MAX)
        piece = step->len / FUZZ_FRAGMENTS_MAX + 1;
    if (piece > PIECE_BYTES_MAX)
        piece = PIECE_BYTES_MAX;
    size_t at = 0;
    do {
        const size_t left = step->len - at;
        const size_t len = step->times > 1 || left < piece ? left : piece;
        const bool last = at + len == step->len;
        if (at > 0 && step->pings)
            add(writing, "  raw opcode=ping\n");
        add_opcode(writing, at == 0 ? step->bits.opcode : WS_OPCODE_CONTINUATION);
        add(writing, last ? "" : " fin=no");
        if (step->times > 1)
            add_number(writing, " times=", step->times);
        if (len > 0)
            add_payload(writing, bytes_of(step->data + at, len));
        add_slices(writing, step);
        at += len;
    } while (at < step->len);
}

static void add_raw(struct writing *writing, const struct fuzz_step *step)
{
    for (size_t at = 0; at < step->len; at += PIECE_BYTES_MAX) {
        const size_t left = step->len - at;
        add(writing, "  raw");
        add_payload(writing, bytes_of(step->data + at, left < PIECE_BYTES_MAX ? left : PIECE_BYTES_MAX));
        add_slices(writing, step);
    }
}

/* With `raw` nothing is awaited: a client that still waits for the rest of a frame answers no close. */
static void add_close(struct writing *writing, const struct fuzz_step *step, bool raw)
{
    char line[2 * WS_CONTROL_BYTES_MAX + 64];
    struct text text = text_of(line, sizeof line);
    const size_t len = step->len < WS_CONTROL_BYTES_MAX ? step->len : WS_CONTROL_BYTES_MAX;
    text_add(&text, raw ? "  raw opcode=close hex=\"" : "  close hex=\"");
    text_add_hex(&text, bytes_of(step->data, len));
    text_add(&text, "\"\n");
    add_text(writing, &text);
}

static bool has_wrong(const struct fuzz_session *session)
{
    for (size_t i = 0; i < session->step_count; i++)
        if (session->steps[i].wrong)
            return true;
    return false;
}

static void add_step(struct writing *writing, const struct fuzz_step *step, bool raw)
{
    switch (step->kind) {
    case FUZZ_MESSAGE:
        add_message(writing, step);
        break;
    case FUZZ_FRAME:
        add_frame(writing, step);
        break;
    case FUZZ_RAW:
        add_raw(writing, step);
        break;
    case FUZZ_CLOSE:
        add_close(writing, step, raw);
        break;
    case FUZZ_DROP:
        add(writing, "  drop\n");
        break;
    case FUZZ_RESET:
        add(writing, "  reset\n");
        break;
    }
}

/* Where frames are wrong, only the end of the connection ends the session for sure. */
static bool ends_by_drop(const struct fuzz_session *session)
{
    if (!has_wrong(session))
        return false;
    const enum fuzz_step_kind last = session->steps[session->step_count - 1].kind;
    return last != FUZZ_DROP && last != FUZZ_RESET;
}

/* ---- the case ---- */

static void add_plan(struct writing *writing, const struct fuzz_session *session)
{
    add(writing, "plan {\n");
    if (session->plan == FUZZ_PLAN_SPEAK) {
        add(writing, "  speak \"");
        add(writing, session->class->family->speech);
        add(writing, "\"\n  end\n");
    } else {
        add(writing, "  close after=closed\n");
    }
    add(writing, "}\n");
}

/* A client that speaks is given the time to say that it ends. */
static void add_steps(struct writing *writing, const struct fuzz_session *session)
{
    const bool raw = has_wrong(session);
    bool waits = session->plan == FUZZ_PLAN_SPEAK;
    for (size_t i = 0; i < session->step_count; i++) {
        const bool ends = i + 1 == session->step_count && session->steps[i].kind >= FUZZ_CLOSE;
        if (ends && waits)
            add(writing, SPEAKING);
        waits = waits && !ends;
        add_step(writing, &session->steps[i], raw);
    }
    add(writing, waits ? SPEAKING : "");
    add(writing, ends_by_drop(session) ? "  drop\n" : "");
}

/* A client ends by itself when that is over, in the middle of a flood as well: a slow one, on a machine that
 * has other things to do, is given the time for all of it. In seconds. */
static uint64_t limit_of(const struct fuzz_session *session)
{
    uint64_t limit_us = 0;
    for (size_t i = 0; i < session->step_count; i++) {
        const struct fuzz_step *step = &session->steps[i];
        const uint64_t bytes = (uint64_t)step->len * step->payload_times + step->tail_times;
        limit_us += step->times * (LIMIT_FRAME_US + bytes / LIMIT_BYTES_PER_US);
    }
    const uint64_t limit_s = LIMIT_S + limit_us / 1000000;
    return limit_s < LIMIT_S_MAX ? limit_s : LIMIT_S_MAX;
}

bool fuzz_session_write(const struct fuzz_session *session, const char *clause, const char *check,
                        struct buffer *out)
{
    struct writing writing = {.out = out, .good = true};
    char name[FUZZ_NAME_MAX];
    fuzz_session_name(session, name);
    add(&writing, "case ");
    add(&writing, name);
    add(&writing, "\ntitle \"What a fuzzer found\"\n"
                  "expect \"The client reads on, or ends and says why\"\n"
                  "limit ");
    add_number(&writing, "", limit_of(session));
    add(&writing, "s\n");
    if (session->memory_max > 0)
        add_number(&writing, "memory ", session->memory_max);
    add(&writing, session->memory_max > 0 ? "\n" : "");
    add(&writing, clause != NULL ? "clause " : "");
    add(&writing, clause != NULL ? clause : "");
    add(&writing, clause != NULL ? "\n" : "");
    add_plan(&writing, session);
    add(&writing, "server {\n  ");
    add(&writing, fuzz_opening(session->opening));
    add(&writing, "\n");
    if (strncmp(fuzz_opening(session->opening), "accept", 6) == 0)
        add_steps(&writing, session);
    add(&writing, "}\n");
    add(&writing, check);
    return writing.good;
}
