/* What can be done to the messages of a session, and to their order. */
#include "conformance/fuzz/changes.h"

#include <stdlib.h>

enum { MUTATED_BYTES_MAX = 4096, MUTATIONS_MAX = 3 };

size_t fuzz_below(struct fuzz_drawing *drawing, size_t n)
{
    return (size_t)(seeded_next(&drawing->random) % n);
}

void fuzz_label(struct fuzz_step *step, const char *what)
{
    char *end = memchr(step->label, '\0', sizeof step->label);
    const size_t len = (size_t)(end - step->label);
    struct text text = text_of(end, sizeof step->label - len);
    text_add(&text, len > 0 ? ": " : "");
    text_add(&text, what);
}

struct fuzz_step *fuzz_any_message(struct fuzz_drawing *drawing)
{
    struct fuzz_session *session = drawing->session;
    size_t count = 0;
    for (size_t i = 0; i < session->step_count; i++)
        count += session->steps[i].kind == FUZZ_MESSAGE ? 1 : 0;
    if (count == 0)
        return NULL;
    size_t n = fuzz_below(drawing, count);
    for (size_t i = 0; i < session->step_count; i++)
        if (session->steps[i].kind == FUZZ_MESSAGE && n-- == 0)
            return &session->steps[i];
    return NULL;
}

struct fuzz_step *fuzz_insert(struct fuzz_drawing *drawing, enum fuzz_step_kind kind, struct bytes data,
                              const char *label)
{
    struct fuzz_session *session = drawing->session;
    const size_t at = fuzz_below(drawing, session->step_count + 1);
    struct fuzz_step *added = fuzz_session_add(session, kind, data);
    if (added == NULL)
        return NULL;
    const struct fuzz_step step = *added;
    memmove(&session->steps[at + 1], &session->steps[at],
            (session->step_count - 1 - at) * sizeof session->steps[0]);
    session->steps[at] = step;
    fuzz_label(&session->steps[at], label);
    return &session->steps[at];
}

void fuzz_draw_change(struct fuzz_drawing *drawing, const struct fuzz_change *changes, size_t count)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        total += changes[i].weight;
    size_t drawn = fuzz_below(drawing, total);
    while (drawn >= changes[at].weight)
        drawn -= changes[at++].weight;
    changes[at].change(drawing);
}

/* ---- one message ---- */

static void change_message(struct fuzz_drawing *drawing)
{
    uint8_t data[MUTATED_BYTES_MAX];
    struct fuzz_step *step = fuzz_any_message(drawing);
    const struct fuzz_seeds *seeds = drawing->maker->seeds;
    if (step == NULL || step->len > sizeof data)
        return;
    const bool binary = step->bits.opcode == WS_OPCODE_BINARY;
    const struct fuzz_seed *other = &seeds->of[fuzz_below(drawing, seeds->count)];
    const struct mutate_form *form = mutate_form_of(drawing->maker->mutations, binary, false);
    if (form == NULL)
        form = &drawing->maker->mutations->forms[0];
    memcpy(data, step->data, step->len);
    size_t len = step->len;
    struct mutation mutation = {.what = NULL};
    for (size_t n = fuzz_below(drawing, MUTATIONS_MAX) + 1; n > 0; n--)
        len = mutate_message(form, &drawing->random, other->data, data, len, sizeof data, &mutation);
    if (mutation.what != NULL && fuzz_step_set(step, bytes_of(data, len)))
        fuzz_label(step, mutation.what);
}

static void change_type(struct fuzz_drawing *drawing)
{
    struct fuzz_step *step = fuzz_any_message(drawing);
    if (step == NULL)
        return;
    step->bits.opcode = step->bits.opcode == WS_OPCODE_BINARY ? WS_OPCODE_TEXT : WS_OPCODE_BINARY;
    step->changed = step->displaced = true;
    fuzz_label(step, "the other type");
}

static void change_to_nothing(struct fuzz_drawing *drawing)
{
    struct fuzz_step *step = fuzz_any_message(drawing);
    if (step != NULL && fuzz_step_set(step, bytes_of(NULL, 0)))
        fuzz_label(step, "empty");
}

/* ---- their order ---- */

static void repeat_message(struct fuzz_drawing *drawing)
{
    const struct fuzz_step *step = fuzz_any_message(drawing);
    if (step == NULL)
        return;
    const struct ws_frame_bits bits = step->bits;
    struct fuzz_step *copy = fuzz_insert(drawing, FUZZ_MESSAGE, bytes_of(step->data, step->len), "repeated");
    if (copy == NULL)
        return;
    copy->bits = bits;
    copy->displaced = true;
}

static void leave_out(struct fuzz_drawing *drawing)
{
    struct fuzz_session *session = drawing->session;
    const struct fuzz_step *step = fuzz_any_message(drawing);
    if (step == NULL)
        return;
    const size_t at = (size_t)(step - session->steps);
    fuzz_session_remove(session, at, 1);
    if (at < session->step_count)
        session->steps[at].displaced = true;
}

static void exchange(struct fuzz_drawing *drawing)
{
    struct fuzz_step *a = fuzz_any_message(drawing), *b = fuzz_any_message(drawing);
    if (a == NULL || a == b)
        return;
    const struct fuzz_step kept = *a;
    *a = *b;
    *b = kept;
    a->displaced = b->displaced = true;
    fuzz_label(a, "out of order");
}

static void splice(struct fuzz_drawing *drawing)
{
    const struct fuzz_seeds *seeds = drawing->maker->seeds;
    const struct fuzz_seed *seed = &seeds->of[fuzz_below(drawing, seeds->count)];
    struct fuzz_step *step = fuzz_insert(drawing, FUZZ_MESSAGE, seed->data, seed->kind);
    if (step == NULL)
        return;
    step->bits.opcode = seed->is_binary ? WS_OPCODE_BINARY : WS_OPCODE_TEXT;
    step->displaced = true;
    fuzz_label(step, "spliced in");
}

static void say_something(struct fuzz_drawing *drawing)
{
    static const char *const TEXTS[] = {"No backend servers available",
                                        "",
                                        "null",
                                        "0",
                                        "[]",
                                        "{}",
                                        "\"\"",
                                        "true",
                                        "{",
                                        "}",
                                        "[1,2",
                                        "{\"type\":",
                                        "{\"type\":null}",
                                        "{\"type\":1}",
                                        "{\"type\":[]}",
                                        "{\"type\":{}}",
                                        "{\"type\":\"\"}",
                                        "{\"type\":\"x\"}",
                                        "{\"type\":\"x\",\"type\":\"y\"}",
                                        "-",
                                        "1e999",
                                        "NaN",
                                        "<html>",
                                        "\\u0000",
                                        "\xEF\xBB\xBF{}",
                                        "\"\\ud800\"",
                                        "{\"type\":\"\\ud800\"}",
                                        " ",
                                        "\n\n",
                                        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                                        "{\"\":\"\"}",
                                        "{\"__proto__\":1}"};
    const char *text = TEXTS[fuzz_below(drawing, sizeof TEXTS / sizeof TEXTS[0])];
    struct fuzz_step *step = fuzz_insert(drawing, FUZZ_MESSAGE, bytes_of_text(text), "text of no message");
    if (step != NULL)
        step->changed = true;
}

static void say_some_bytes(struct fuzz_drawing *drawing)
{
    uint8_t data[64];
    const size_t len = fuzz_below(drawing, sizeof data);
    const bool zeros = fuzz_one_in(drawing, 2);
    for (size_t i = 0; i < len; i++)
        data[i] = zeros ? 0 : (uint8_t)seeded_next(&drawing->random);
    struct fuzz_step *step = fuzz_insert(drawing, FUZZ_MESSAGE, bytes_of(data, len), "bytes of no message");
    if (step == NULL)
        return;
    step->bits.opcode = WS_OPCODE_BINARY;
    step->changed = true;
}

static const struct fuzz_change MESSAGE_CHANGES[] = {
    {24, change_message}, {1, change_type}, {1, change_to_nothing}, {2, repeat_message}, {2, leave_out},
    {2, exchange},        {2, splice},      {2, say_something},     {1, say_some_bytes}};

void fuzz_change_messages(struct fuzz_drawing *drawing)
{
    fuzz_draw_change(drawing, MESSAGE_CHANGES, sizeof MESSAGE_CHANGES / sizeof MESSAGE_CHANGES[0]);
}
