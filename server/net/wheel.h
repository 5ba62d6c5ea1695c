/*
 * A timer wheel: who is due when, in steps of a millisecond. Setting, taking off and finding what is due take
 * the same time whether ten are in it or a thousand.
 *
 * Entries belong to the caller, who embeds them; an entry is in at most one wheel, once. Times are
 * microseconds of the owner's clock and are kept exactly: the steps only say where an entry is looked for.
 *
 * A round: wheel_collect puts aside what is due, wheel_next gives it out, first come first served. What is
 * set anew during the round, even for a time that has passed, comes up in the next one, so that a round ends.
 */
#ifndef SERVER_NET_WHEEL_H
#define SERVER_NET_WHEEL_H

#include <stddef.h>
#include <stdint.h>

enum { WHEEL_SLOTS = 256, WHEEL_SLOT_US = 1000 };

struct wheel_entry {
    struct wheel_entry *next; /* of its slot, a ring with the slot's head; NULL: in no wheel */
    struct wheel_entry *previous;
    uint64_t due_us; /* UINT64_MAX: never */
};

struct wheel {
    uint64_t slot;                         /* everything before it has been collected */
    struct wheel_entry heads[WHEEL_SLOTS]; /* of slot n: those due in slot n, n + WHEEL_SLOTS, … */
    struct wheel_entry ready;              /* collected, not given out yet */
};

/* The wheel must not be moved afterwards: entries point into it. */
void wheel_init(struct wheel *wheel, uint64_t now_us);
void wheel_entry_init(struct wheel_entry *entry);
/* Puts it in, or moves it; UINT64_MAX takes it off. */
void wheel_set(struct wheel *wheel, struct wheel_entry *entry, uint64_t due_us);
void wheel_collect(struct wheel *wheel, uint64_t now_us);
/* Takes the next of what was collected off; NULL: there is none left. */
struct wheel_entry *wheel_next(struct wheel *wheel);
/* What wheel_next will give out, and what after that one; NULL: nothing. */
const struct wheel_entry *wheel_ahead(const struct wheel *wheel);
const struct wheel_entry *wheel_behind(const struct wheel *wheel, const struct wheel_entry *entry);
/* When the next one is due; UINT64_MAX: none is in. */
uint64_t wheel_due_us(const struct wheel *wheel);

#endif
