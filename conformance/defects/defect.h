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
#include "client/core/life.h"
#include "client/plan/plan_runner.h"
#include "conformance/defects/ws_filter.h"

/* Longer than any session. */
#define DEFECT_FOR_EVER_US (UINT64_MAX / 2)

enum { DEFECT_IMPLIES_MAX = 8, DEFECT_KEPT_MAX = 3, DEFECT_KEY_MAX = 256 };
/* What a client takes for the header of any WAV file: that of one with no other chunks. */
enum { DEFECT_WAV_HEADER_BYTES = 44 };

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
    unsigned drops_first;    /* … and only after it sent this many of `drops` */
};

struct defect_state;
struct player;

/* A message of that type (the family's own number) with something wrong in that member; NULL: in any. */
struct defect_odd {
    int type;
    const char *member;
};

/* What stands once in a text, and what stands there in its place. */
struct defect_swap {
    const char *from, *to;
};

/* What the client makes of a message that comes in. */
enum defect_taking {
    DEFECT_TAKE,
    DEFECT_HIDE, /* it never hears of it */
    DEFECT_LEAVE /* it closes the session, and says nothing of why */
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

    /* What it does wrong: around the client core, which knows nothing of it (shell.h); each may be NULL. */
    void (*begin)(struct defect_state *state); /* once, of a new core */
    /* What goes in. */
    void (*event)(struct defect_state *state, struct client_event *event); /* any; may change it */
    /* A message: the client never hears of it, or closes the session and says nothing of why. */
    bool (*hides)(struct defect_state *state, struct bytes message);
    bool (*leaves_at)(struct defect_state *state, struct bytes message);
    /* The same; may take it for the other kind (`binary` of the state), and put what is heard in its place
     * into `instead`. */
    enum defect_taking (*hear)(struct defect_state *state, struct bytes message);
    bool (*command)(struct defect_state *state, const struct client_plan_step *step); /* false: not obeyed */
    /* After each event and command (`step` of the state): may change the core, and add actions. */
    void (*after)(struct defect_state *state);
    /* What comes out; false: it does not. */
    bool (*say)(struct defect_state *state, struct buffer *message); /* `binary`, as above */
    bool (*tell)(struct defect_state *state, struct observation *observation);
    bool (*act)(struct defect_state *state, struct client_action *action); /* any, before the two above */

    /* For a hook of its family that reads a message, to change what it holds; false: it stays as it was, or
     * is not said. */
    bool (*change)(struct defect_state *state, void *message);
    struct defect_odd odd;   /* for its family's hook for messages that are wrong in a member */
    struct defect_swap swap; /* for defect_swap_in_head and defect_swap_in_message */

    /* In its connection and its adapter (their contexts are set by defect_begin) … */
    struct conform_seams seams;
    /* … and in between it and the network. */
    ws_head_hook *request, *response;
    ws_frame_hook *up, *down;
};

/* What the functions of a defect know and may remember over a run of the client; what is theirs is zero at
 * first. */
struct defect_state {
    const struct defect *defect;
    void *core; /* the family's own client, to look at and to change */
    struct client_life *life;
    uint64_t now_us;
    struct client_actions *actions;
    const struct client_plan_step *step; /* the command that was obeyed last; NULL: an event came after it */
    bool binary;                         /* the message that comes in or out */
    struct buffer instead;               /* of one that comes in, while it is heard */
    uint64_t due_us; /* the client is to be stepped then at the latest; whoever sets it sets it back */

    uint64_t count;
    bool seen;
    bool said; /* of a blunt one: it sent what drops_since means */
    struct observation kept[DEFECT_KEPT_MAX];
    struct buffer bytes;
    void *stash; /* of what a function takes away from the core and puts back; freed at the end */
    struct ws_filter up, down;
    char key[DEFECT_KEY_MAX]; /* what the server knows the client by */
};

/* A defect as it runs. Not to be copied or moved: the seams point into it. */
struct defect_run {
    struct conform_seams seams;
    struct defect_state state;
    struct client_shell shell;
    const struct client_class *class; /* of the core */
    struct defect_message *messages;  /* that a hook changed, until the next step */
};

void defect_begin(const struct defect *defect, const char *key, struct defect_run *out);
void defect_end(struct defect_run *run);
/* Does the client core alone do it, so that it shows in memory too? */
bool defect_is_in_core(const struct defect *defect);
/* Is this requirement broken by it, declared or as its own? */
bool defect_breaks(const struct defect *defect, const char *requirement);

/* The n-th (from 0) defect of all families, in the order of the requirements' areas; NULL: there are fewer.
 */
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
};
/* The registry: the class of a family; NULL when it has no defects. */
const struct defect_class *defect_class_by_family(const char *family);

/* Observation hook of blunt clients. */
bool defect_tell(struct defect_state *state, struct observation *observation);
/* What a blunt client makes of a message that comes in, in words, and whether it sends one. */
enum defect_taking defect_hear(struct defect_state *state, struct bytes words);
bool defect_says(struct defect_state *state, struct bytes words);

/* Hooks of what all families share: life.c. */
bool defect_send_no_ping(struct defect_state *state, struct client_action *action);
bool defect_await_no_pong(struct defect_state *state, struct client_action *action);
/* Of the frames that go up: they have no mask, or it answers no ping, or without the ping's data … */
bool defect_leave_unmasked(struct defect_state *state, struct ws_frame *frame);
bool defect_drop_pong(struct defect_state *state, struct ws_frame *frame);
bool defect_empty_pong(struct defect_state *state, struct ws_frame *frame);
/* … and of those that come down: it never sees a ping that comes between the fragments of a message. */
bool defect_overlook_ping_inside(struct defect_state *state, struct ws_frame *frame);
/* The user cannot close it before the session is ready, for which it waits without end … */
bool defect_stay_until_ready(struct defect_state *state, const struct client_plan_step *step);
void defect_wait_for_ready(struct defect_state *state);
/* … or while it is about to try again. */
bool defect_ignore_close_while_waiting(struct defect_state *state, const struct client_plan_step *step);
void defect_overlook_retry_after(struct defect_state *state, struct client_event *event);
void defect_come_back_never(struct defect_state *state, struct client_event *event);
/* Also where the plan does not ask for it, as a client does that is not told by plans. */
void defect_come_back_unasked(struct defect_state *state, struct client_event *event);
void defect_come_back_for_ever(struct defect_state *state, struct client_event *event);
void defect_come_back_nine_times(struct defect_state *state, struct client_event *event);
/* Whatever ended the session, or refused it; and also when that was the user. Both with
 * defect_tell_true_status. */
void defect_come_back_after_any(struct defect_state *state, struct client_event *event);
void defect_come_back_always(struct defect_state *state, struct client_event *event);
bool defect_tell_true_status(struct defect_state *state, struct observation *observation);
void defect_come_back_at_once(struct defect_state *state);
void defect_come_back_at_once_first(struct defect_state *state);
/* Together: it waits as long before each attempt. */
void defect_forget_attempts(struct defect_state *state, struct client_event *event);
void defect_remember_attempts(struct defect_state *state);
/* Closes, and says nothing of why. `for_good`: whether or not it is to come back. */
void defect_leave(struct defect_state *state, bool for_good);
/* Some time after its second session began it leaves that for a third. */
void defect_leave_second(struct defect_state *state);

/* What the loudspeaker holds is hidden from the core, which finds nothing to drop, … */
void defect_take_queue(struct defect_state *state, struct player *player);
/* … and is back. */
void defect_return_queue(struct defect_state *state, struct player *player);

/* Hooks for the head of the request, and for a message that is said: put `swap` in. */
void defect_swap_in_head(struct defect_state *state, struct buffer *head);
bool defect_swap_in_message(struct defect_state *state, struct buffer *message);

/* Does the message hold that text anywhere? */
bool defect_holds(struct bytes message, const char *text);

/* For `as_it_is` of the seams: of the form of a sound file each sees one half. */
bool defect_is_16k(unsigned rate, unsigned channels);
bool defect_is_mono(unsigned rate, unsigned channels);

#endif
