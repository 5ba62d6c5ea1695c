#include "conformance/fuzz/fuzz_session.h"

#include <stdlib.h>

static const char *const OPENINGS[] = {
    "accept any",
    "accept any joined=16",
    ("accept any header=\"X-Padding: "
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""),
    "accept any header=\"Sec-WebSocket-Accept: bm9uc2Vuc2U=\"",
    "accept any header=\"Sec-WebSocket-Accept:\"",
    "accept any header=\"Upgrade:\"",
    "accept any header=\"Connection: close\"",
    "accept any header=\"Sec-WebSocket-Protocol: chat\"",
    "accept any header=\"Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99\"",
    "refuse status=429",
    "refuse status=503 body=\"\"",
    "refuse status=401 body=\"<html></html>\"",
    "refuse status=200 body=\"{}\"",
    "refuse status=500 body=\"[[[[\" header=\"Content-Type: application/json\"",
    "refuse status=503 header=\"Retry-After: -1\" body=\"x\"",
};
enum { GOOD_OPENINGS = 3, OPENINGS_COUNT = sizeof OPENINGS / sizeof OPENINGS[0] };

const char *fuzz_opening(size_t n)
{
    return n < OPENINGS_COUNT ? OPENINGS[n] : NULL;
}

bool fuzz_opening_is_good(size_t n)
{
    return n < GOOD_OPENINGS;
}

void fuzz_session_init(struct fuzz_session *session, const struct session_class *class)
{
    *session = (struct fuzz_session){.class = class};
}

void fuzz_session_free(struct fuzz_session *session)
{
    for (size_t i = 0; i < session->step_count; i++)
        free(session->steps[i].data);
    session->step_count = 0;
}

static uint8_t *copy_of(struct bytes data)
{
    uint8_t *copy = malloc(data.len + 1);
    if (copy != NULL && data.len > 0)
        memcpy(copy, data.data, data.len);
    return copy;
}

bool fuzz_session_copy(const struct fuzz_session *from, struct fuzz_session *to)
{
    *to = *from;
    to->step_count = 0;
    for (size_t i = 0; i < from->step_count; i++) {
        struct fuzz_step *step = &to->steps[i];
        *step = from->steps[i];
        step->data = copy_of(bytes_of(from->steps[i].data, from->steps[i].len));
        if (step->data == NULL) {
            fuzz_session_free(to);
            return false;
        }
        to->step_count++;
    }
    return true;
}

struct fuzz_step *fuzz_session_add(struct fuzz_session *session, enum fuzz_step_kind kind, struct bytes data)
{
    if (session->step_count == FUZZ_STEPS_MAX || data.len > FUZZ_MESSAGE_BYTES_MAX)
        return NULL;
    uint8_t *copy = copy_of(data);
    if (copy == NULL)
        return NULL;
    struct fuzz_step *step = &session->steps[session->step_count++];
    *step = (struct fuzz_step){
        .kind = kind, .data = copy, .len = data.len, .times = 1, .payload_times = 1, .tail_times = 1};
    step->bits = (struct ws_frame_bits){.fin = true, .opcode = WS_OPCODE_TEXT};
    return step;
}

void fuzz_session_remove(struct fuzz_session *session, size_t at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(session->steps[at + i].data);
    memmove(&session->steps[at], &session->steps[at + count],
            (session->step_count - at - count) * sizeof session->steps[0]);
    session->step_count -= count;
}

bool fuzz_step_set(struct fuzz_step *step, struct bytes data)
{
    uint8_t *copy = copy_of(data);
    if (copy == NULL)
        return false;
    free(step->data);
    step->data = copy;
    step->len = data.len;
    step->changed = true;
    return true;
}

static size_t flood_at(const struct fuzz_session *session)
{
    size_t at = 0;
    while (at < session->step_count &&
           (session->steps[at].kind != FUZZ_FRAME || session->steps[at].times < FUZZ_FLOOD_TIMES))
        at++;
    return at;
}

struct fuzz_step *fuzz_session_flood(struct fuzz_session *session)
{
    const size_t at = flood_at(session);
    return at < session->step_count ? &session->steps[at] : NULL;
}

bool fuzz_session_floods(const struct fuzz_session *session)
{
    return flood_at(session) < session->step_count;
}

size_t fuzz_session_bytes(const struct fuzz_session *session)
{
    size_t bytes = 0;
    for (size_t i = 0; i < session->step_count; i++)
        bytes += session->steps[i].len;
    return bytes;
}

void fuzz_session_name(const struct fuzz_session *session, char name[FUZZ_NAME_MAX])
{
    struct text text = text_of(name, FUZZ_NAME_MAX);
    text_add(&text, session->class->family->name);
    text_add(&text, "/fuzz/");
    text_add_u64(&text, session->seed);
    text_add(&text, "-");
    text_add_u64(&text, session->number);
}
