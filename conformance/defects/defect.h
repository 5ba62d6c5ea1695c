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

/*
 * A blunt client breaks much at once: it shows that checks can fail, and no more. It is no proof of its
 * requirement, and what it trips is not looked at. In processes it goes through the case that
 * `cases` names in full, or those that it matches and that cannot be had in memory (NULL: none). The members
 * say what hooks of its family (conformance/defects/FAMILY/blunt.c) do: a message is meant that holds the
 * text, and a frame by its words, as "frame speech final".
 */
struct defect_blunt {
    bool set;
    unsigned mute;           /* observations it does not report: bits of observation_kind */
    const char *deaf_to;     /* messages it does not hear … */
    const char *leaves_at;   /* … or closes the session at, and says nothing of why; both … */
    const char *since;       /* … only after it heard one of these; NULL: always */
    const char *drops;       /* messages it does not send, "audio" for those with sound … */
    const char *drops_since; /* … only after it sent one of these; NULL: always … */
    unsigned drops_first;    /* … and after so many of `drops` */
};

struct defect {
    const char *name;
    const char *requirement;
    const char *wrong;                       /* what it does wrong: "puts a scheme before the key" */
    const char *implies[DEFECT_IMPLIES_MAX]; /* requirements that follow: broken too wherever they are met */
    const char *cases; /* a pattern, where not every case of the requirement can see it; NULL: all of them. A
                          quick selftest takes no others */
    /* It may hang in any case, or crash: how a case ends counts for this requirement alone. */
    bool ends_badly;
    bool crashes; /* not to be run in a process of ours */
    struct defect_blunt blunt;
    bool alone; /* it comes through no other case than those of its requirement: others show nothing */
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
    bool said; /* of a blunt one: it sent what drops_since means */
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
/* For a core of the defect's family that runs without an adapter: its seams. */
const void *defect_core_seams(struct defect_run *run);
/* Does the client core alone do it, so that it shows in memory too? */
bool defect_is_in_core(const struct defect *defect);
/* Is this requirement broken by it, declared or as its own? */
bool defect_breaks(const struct defect *defect, const char *requirement);

/* All defects of all families, in the order of their requirements' areas. NULL: there are not so many. */
const struct defect *defect_at(size_t n);
/* Of all families those on which the selftest itself is tried. */
const struct defect *defect_trial_at(size_t n);
/* Also a trial one; NULL: there is none of that name. */
const struct defect *defect_by_name(const char *name);

/* One area of a family. */
struct defect_table {
    const struct defect *rows;
    size_t count;
};
#define DEFECT_TABLE(list)                                                                                   \
    {                                                                                                        \
        (list), sizeof(list) / sizeof((list)[0])                                                             \
    }

/* The defects of a family. */
struct defect_class {
    const struct defect_table *const *tables; /* by area; ended by NULL */
    /* Those on which the selftest itself is tried. It has to object to each but the first, which is also the
     * broken client that passes for the correct one. */
    const struct defect_table *trial;
    /* The seams of the family's client core among all of them, with that for their context. */
    void *(*seams)(struct conform_seams *seams, void *context);
};
/* The registry: the class of a family; NULL when it has no defects. */
const struct defect_class *defect_class_by_family(const char *family);

/* Observation hook of blunt clients. */
bool defect_tell(void *context, struct observation *observation);
/* What a blunt client makes of a message that comes in, in words, and whether it sends one. */
enum client_taking defect_hear(struct defect_state *state, struct bytes words);
bool defect_says(struct defect_state *state, struct bytes words);

/* Does the message hold that text anywhere? */
bool defect_holds(struct bytes message, const char *text);

#endif
