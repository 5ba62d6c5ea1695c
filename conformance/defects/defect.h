/*
 * Defects: clients that break one requirement each, on top of the reference client. `ojin-conform selftest`
 * shows with them that every requirement is seen to fail; `ojin-conform defect NAME` is one as a program.
 *
 * The tables stand in the folder of their family, by area, each row beside the function that does the wrong.
 * A row names the requirement, says in one sentence what the client does wrong, and declares what follows
 * from it unavoidably.
 */
#ifndef CONFORMANCE_DEFECTS_DEFECT_H
#define CONFORMANCE_DEFECTS_DEFECT_H

#include "client/app/conform.h"
#include "conformance/defects/ws_filter.h"

enum { DEFECT_IMPLIES_MAX = 8, DEFECT_KEPT_MAX = 3, DEFECT_KEY_MAX = 256 };

struct defect {
    const char *name;
    const char *requirement;
    const char *wrong;                       /* what it does wrong: "puts a scheme before the key" */
    const char *implies[DEFECT_IMPLIES_MAX]; /* requirements that follow: broken too wherever they are met */
    const char *cases; /* a pattern, where not every case of the requirement can see it; NULL: all of them */
    /* It may hang in any case, or crash: how a case ends counts for this requirement alone. */
    bool ends_badly;
    bool crashes; /* not to be run in a process of ours */
    bool alone;   /* it comes through no other case than those of its requirement: others show nothing */
    /* What it does wrong: in the client (their contexts are set by defect_begin) … */
    struct conform_seams seams;
    /* … and in between it and the network. */
    ws_head_hook *request, *response;
    ws_frame_hook *up, *down;
};

/* What the functions of a defect may remember over a run of the client; zero at first. */
struct defect_state {
    const struct defect *defect;
    uint64_t count;
    bool seen;
    struct observation kept[DEFECT_KEPT_MAX];
    struct buffer bytes;
    struct ws_filter up, down;
    char key[DEFECT_KEY_MAX]; /* what the server knows the client by */
};

/* A defect as it runs. Not to be copied or moved: the seams point into it. */
struct defect_run {
    struct conform_seams seams;
    struct defect_state state;
};

void defect_begin(const struct defect *defect, const char *key, struct defect_run *out);
void defect_end(struct defect_run *run);
/* Does the client core alone do it, so that it shows in memory too? */
bool defect_is_in_core(const struct defect *defect);
/* Is this requirement broken by it, declared or as its own? */
bool defect_breaks(const struct defect *defect, const char *requirement);

/* All defects in the order of their requirements' areas; and those on which the selftest itself is tried,
 * which it must object to. */
size_t defect_count(void);
const struct defect *defect_at(size_t n);
size_t defect_trial_count(void);
const struct defect *defect_trial_at(size_t n);
/* Also a trial one; NULL: there is none of that name. */
const struct defect *defect_by_name(const char *name);

/* The tables. */
struct defect_table {
    const struct defect *rows;
    size_t count;
};
extern const struct defect_table DEFECTS_CONNECT, DEFECTS_READY, DEFECTS_INPUT, DEFECTS_FRAME, DEFECTS_PLAY,
    DEFECTS_TURN, DEFECTS_ERROR, DEFECTS_CLOSE, DEFECTS_TRIAL;
#define DEFECT_TABLE(list)                                                                                   \
    {                                                                                                        \
        (list), sizeof(list) / sizeof((list)[0])                                                             \
    }

/* Does the message hold that text anywhere? */
bool defect_holds(struct bytes message, const char *text);

#endif
