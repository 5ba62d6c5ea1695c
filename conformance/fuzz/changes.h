/*
 * What can be done to a session. Private to this folder: generate.c draws from the tables.
 */
#ifndef CONFORMANCE_FUZZ_CHANGES_H
#define CONFORMANCE_FUZZ_CHANGES_H

#include "conformance/fuzz/generate.h"

struct fuzz_drawing {
    const struct fuzz_maker *maker;
    struct fuzz_session *session;
    struct seeded random;
};

/* From 0 to n - 1; n is not 0. */
size_t fuzz_below(struct fuzz_drawing *drawing, size_t n);
static inline bool fuzz_one_in(struct fuzz_drawing *drawing, size_t n)
{
    return fuzz_below(drawing, n) == 0;
}
/* One of the messages of the session; NULL: it has none. */
struct fuzz_step *fuzz_any_message(struct fuzz_drawing *drawing);
/* A new step at a drawn place, before the end. NULL: there is no room. */
struct fuzz_step *fuzz_insert(struct fuzz_drawing *drawing, enum fuzz_step_kind kind, struct bytes data,
                              const char *label);
void fuzz_label(struct fuzz_step *step, const char *what);

/* A kind of change, and how often it is drawn. */
struct fuzz_change {
    unsigned weight;
    void (*change)(struct fuzz_drawing *drawing);
};
void fuzz_draw_change(struct fuzz_drawing *drawing, const struct fuzz_change *changes, size_t count);

/* changes.c: of messages and their order. Of frames: change_frames.c. Much of something: change_floods.c. */
void fuzz_change_messages(struct fuzz_drawing *drawing);
void fuzz_change_frames(struct fuzz_drawing *drawing);
void fuzz_nest(struct fuzz_drawing *drawing);
/* The n-th, of the few kinds there are in turn. */
void fuzz_flood(struct fuzz_drawing *drawing, size_t n);

#endif
