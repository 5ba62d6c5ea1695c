#include "conformance/fuzz/shrink.h"

#include <stdlib.h>

#include "codec/mutate/mutate.h"

enum { HEAD_BYTES = 64 /* of a message, which decide what it is: tried first */ };

struct shrinking {
    struct fuzz_session *session;
    fuzz_still_fails *still_fails;
    void *context;
    unsigned tries, tries_max;
    bool coarse;
    bool smaller; /* in this round */
};

/* Takes over `candidate`: in place of the session when it still fails. */
static bool try_it(struct shrinking *shrinking, struct fuzz_session *candidate)
{
    if (shrinking->tries >= shrinking->tries_max) {
        fuzz_session_free(candidate);
        return false;
    }
    shrinking->tries++;
    if (!shrinking->still_fails(shrinking->context, candidate)) {
        fuzz_session_free(candidate);
        return false;
    }
    fuzz_session_free(shrinking->session);
    *shrinking->session = *candidate;
    shrinking->smaller = true;
    return true;
}

/* ---- whole steps ---- */

static bool try_without(struct shrinking *shrinking, size_t at, size_t count)
{
    struct fuzz_session candidate;
    if (!fuzz_session_copy(shrinking->session, &candidate))
        return false;
    fuzz_session_remove(&candidate, at, count);
    if (at < candidate.step_count)
        candidate.steps[at].displaced = true;
    return try_it(shrinking, &candidate);
}

static void drop_steps(struct shrinking *shrinking)
{
    for (size_t count = shrinking->session->step_count; count > 0; count /= 2) {
        size_t end = shrinking->session->step_count;
        while (end >= count && end > 0) { /* from the end: what comes last matters least */
            const size_t at = end - count;
            (void)try_without(shrinking, at, count);
            end = at < shrinking->session->step_count ? at : shrinking->session->step_count;
        }
    }
}

/* What sends much is all that matters, as often as not. */
static void try_flood_alone(struct shrinking *shrinking)
{
    struct fuzz_session candidate;
    if (!fuzz_session_floods(shrinking->session) || !fuzz_session_copy(shrinking->session, &candidate))
        return;
    const size_t at = (size_t)(fuzz_session_flood(&candidate) - candidate.steps);
    fuzz_session_remove(&candidate, at + 1, candidate.step_count - at - 1);
    fuzz_session_remove(&candidate, 0, at);
    candidate.opening = 0;
    candidate.plan = FUZZ_PLAN_LISTEN;
    candidate.steps[0].displaced = true;
    (void)try_it(shrinking, &candidate);
}

/* ---- settings ---- */

static void plain_session(struct shrinking *shrinking)
{
    struct fuzz_session candidate;
    if (shrinking->session->opening != 0 && fuzz_session_copy(shrinking->session, &candidate)) {
        candidate.opening = 0;
        (void)try_it(shrinking, &candidate);
    }
    if (shrinking->session->plan != FUZZ_PLAN_LISTEN && fuzz_session_copy(shrinking->session, &candidate)) {
        candidate.plan = FUZZ_PLAN_LISTEN;
        (void)try_it(shrinking, &candidate);
    }
}

static void plain_step(struct shrinking *shrinking, size_t n)
{
    struct fuzz_session candidate;
    const struct fuzz_step *step = &shrinking->session->steps[n];
    if ((step->slice_every > 0 || step->fragment_every > 0) &&
        fuzz_session_copy(shrinking->session, &candidate)) {
        candidate.steps[n].slice_every = candidate.steps[n].fragment_every = 0;
        candidate.steps[n].pings = false;
        (void)try_it(shrinking, &candidate);
    }
}

static void send_less_often(struct shrinking *shrinking, size_t n)
{
    struct fuzz_session candidate;
    for (uint32_t less = shrinking->session->steps[n].times / 2; less > 0; less /= 2) {
        while (shrinking->session->steps[n].times > less &&
               fuzz_session_copy(shrinking->session, &candidate)) {
            candidate.steps[n].times -= less;
            if (!try_it(shrinking, &candidate))
                break;
        }
    }
}

/* ---- bytes ---- */

static bool try_cut(struct shrinking *shrinking, size_t n, size_t at, size_t count)
{
    struct fuzz_session candidate;
    if (!fuzz_session_copy(shrinking->session, &candidate))
        return false;
    struct fuzz_step *step = &candidate.steps[n];
    memmove(step->data + at, step->data + at + count, step->len - at - count);
    step->len -= count;
    step->changed = true;
    return try_it(shrinking, &candidate);
}

/* Parts of a message, with what it says of its own sizes and counts kept true. */
static void drop_parts(struct shrinking *shrinking, size_t n)
{
    const bool binary = shrinking->session->steps[n].bits.opcode == WS_OPCODE_BINARY;
    const struct mutate_class *class = mutate_class_by_family(shrinking->session->class->family->name);
    const struct mutate_form *form = class == NULL ? NULL : mutate_form_of(class, binary, false);
    if (shrinking->session->steps[n].kind == FUZZ_RAW || form == NULL || form->smaller == NULL)
        return;
    for (size_t way = 0; shrinking->tries < shrinking->tries_max;) {
        struct fuzz_session candidate;
        if (!fuzz_session_copy(shrinking->session, &candidate))
            return;
        struct fuzz_step *step = &candidate.steps[n];
        const size_t len = form->smaller(way, step->data, step->len);
        const bool is_smaller = len < step->len; /* nor is MUTATE_NO_MORE */
        if (is_smaller) {
            step->len = len;
            step->changed = true;
            way += try_it(shrinking, &candidate) ? 0 : 1; /* the same way again, as long as it will do */
            continue;
        }
        fuzz_session_free(&candidate);
        if (len == MUTATE_NO_MORE)
            return;
        way++;
    }
}

/* From a comma to the next: a member of JSON, as often as not. */
static void drop_members(struct shrinking *shrinking, size_t n)
{
    size_t end = shrinking->session->steps[n].len;
    while (end > 0) {
        const struct fuzz_step *step = &shrinking->session->steps[n];
        size_t at = end - 1;
        while (at > 0 && step->data[at] != ',')
            at--;
        size_t behind = end;
        while (behind < step->len && step->data[behind] != ',' && step->data[behind] != '}')
            behind++;
        if (step->data[at] == ',')
            (void)try_cut(shrinking, n, at, behind - at);
        end = at;
    }
}

static void drop_bytes(struct shrinking *shrinking, size_t n)
{
    if (shrinking->session->steps[n].bits.opcode == WS_OPCODE_TEXT)
        drop_members(shrinking, n);
    for (size_t count = shrinking->session->steps[n].len; count > 0; count /= 2) {
        size_t end = shrinking->session->steps[n].len;
        while (end >= count && end > 0) {
            (void)try_cut(shrinking, n, end - count, count);
            end -= count;
        }
    }
}

/* Text stays text that people can read. */
static uint8_t filler_of(const struct fuzz_step *step)
{
    return step->bits.opcode == WS_OPCODE_TEXT && step->kind != FUZZ_RAW ? '0' : 0;
}

static bool is_filled(const struct fuzz_step *step, size_t at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (step->data[at + i] != filler_of(step))
            return false;
    return true;
}

static void fill_bytes(struct shrinking *shrinking, size_t n)
{
    struct fuzz_session candidate;
    for (size_t count = shrinking->session->steps[n].len; count > 0; count /= 2) {
        for (size_t at = 0; at + count <= shrinking->session->steps[n].len; at += count) {
            if (is_filled(&shrinking->session->steps[n], at, count) ||
                !fuzz_session_copy(shrinking->session, &candidate))
                continue;
            struct fuzz_step *step = &candidate.steps[n];
            memset(step->data + at, filler_of(step), count);
            step->changed = true;
            (void)try_it(shrinking, &candidate);
        }
    }
}

/* Frames that fill much: of such, what they are filled with is tried first. */
static bool is_bulk(const struct fuzz_step *step)
{
    return step->kind == FUZZ_FRAME && step->times > 1 && step->len > 1 && step->payload_times == 1 &&
           step->tail_times == 1;
}

/* A frame that is only to be of some size: one byte, and how often. */
static bool fill_frame(struct shrinking *shrinking, size_t n)
{
    struct fuzz_session candidate;
    if (!fuzz_session_copy(shrinking->session, &candidate))
        return false;
    struct fuzz_step *filled = &candidate.steps[n];
    filled->payload_times = (uint32_t)filled->len;
    filled->data[0] = filler_of(filled);
    filled->len = 1;
    filled->changed = true;
    return try_it(shrinking, &candidate);
}

/* The first bytes as they are; the rest is one byte, and how often. */
static bool fill_behind(struct shrinking *shrinking, size_t n, const struct fuzz_step *whole, size_t head)
{
    struct fuzz_session candidate;
    if (!fuzz_session_copy(shrinking->session, &candidate))
        return false;
    struct fuzz_step *filled = &candidate.steps[n];
    memcpy(filled->data, whole->data, head);
    filled->data[head] = filler_of(filled);
    filled->len = head + 1;
    filled->tail_times = (uint32_t)(whole->len - head);
    filled->changed = true;
    return try_it(shrinking, &candidate);
}

/* Is it a message, behind whose header there is only to be enough? The header is found by halves. */
static void fill_tail(struct shrinking *shrinking, size_t n)
{
    struct fuzz_session whole; /* as it was, for its bytes */
    size_t least = 0, most = shrinking->session->steps[n].len - 1;
    if (!shrinking->session->steps[n].bits.fin || !fuzz_session_copy(shrinking->session, &whole))
        return;
    for (size_t head = HEAD_BYTES < most ? HEAD_BYTES : most / 2; least + 1 < most;
         head = least + (most - least) / 2) {
        if (fill_behind(shrinking, n, &whole.steps[n], head))
            most = head;
        else
            least = head;
    }
    fuzz_session_free(&whole);
}

static void fill_bulk(struct shrinking *shrinking, size_t n)
{
    if (is_bulk(&shrinking->session->steps[n]) && !fill_frame(shrinking, n))
        fill_tail(shrinking, n);
}

/* Half as often, then half as much, as long as that will do. */
static void halve_step(struct shrinking *shrinking, size_t n)
{
    struct fuzz_session candidate;
    struct fuzz_session *session = shrinking->session;
    bool will_do = true;
    while (will_do && session->steps[n].times > 1 && fuzz_session_copy(session, &candidate)) {
        candidate.steps[n].times -= candidate.steps[n].times / 2;
        will_do = try_it(shrinking, &candidate);
    }
    will_do = true;
    while (will_do && session->steps[n].len > 1 && session->steps[n].tail_times == 1) {
        const size_t half = session->steps[n].len / 2;
        will_do = try_cut(shrinking, n, session->steps[n].len - half, half);
    }
}

/* ---- all of it ---- */

static void shrink_step(struct shrinking *shrinking, size_t n)
{
    plain_step(shrinking, n);
    if (shrinking->coarse) {
        fill_bulk(shrinking, n);
        halve_step(shrinking, n);
    } else {
        send_less_often(shrinking, n);
        drop_parts(shrinking, n);
        drop_bytes(shrinking, n);
    }
}

static void shrink_in_rounds(struct shrinking *shrinking)
{
    shrinking->smaller = true;
    while (shrinking->smaller && shrinking->tries < shrinking->tries_max) {
        shrinking->smaller = false;
        drop_steps(shrinking);
        plain_session(shrinking);
        for (size_t n = 0; n < shrinking->session->step_count; n++)
            shrink_step(shrinking, n);
    }
}

unsigned fuzz_shrink_coarse(struct fuzz_session *session, fuzz_still_fails *still_fails, void *context,
                            unsigned tries_max)
{
    struct shrinking shrinking = {.session = session,
                                  .still_fails = still_fails,
                                  .context = context,
                                  .tries_max = tries_max,
                                  .coarse = true};
    try_flood_alone(&shrinking);
    shrink_in_rounds(&shrinking);
    return shrinking.tries;
}

unsigned fuzz_shrink(struct fuzz_session *session, fuzz_still_fails *still_fails, void *context,
                     unsigned tries_max)
{
    struct shrinking shrinking = {
        .session = session, .still_fails = still_fails, .context = context, .tries_max = tries_max};
    shrink_in_rounds(&shrinking);
    for (size_t n = 0; n < session->step_count; n++)
        fill_bytes(&shrinking, n);
    return shrinking.tries;
}
