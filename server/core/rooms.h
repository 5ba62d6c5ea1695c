/*
 * Rooms: sessions of one server that exclude each other by a name, such as that of the interview they are
 * about. Made by whoever has the sessions; a session has a seat in it, which it owns. One thread, no clock.
 *
 * A room holds one session. Another is not let in, or takes it over: then the seat of the one that was there
 * tells it so when that one looks.
 */
#ifndef SERVER_CORE_ROOMS_H
#define SERVER_CORE_ROOMS_H

#include "codec/wire/bytes.h"

struct room_seat;

/* All zero: nobody is in any. */
struct rooms {
    struct room_seat *first;
};

/* All zero: outside. It may not move while it is in a room, and the name stays where it is. */
struct room_seat {
    struct rooms *rooms; /* NULL: outside */
    struct bytes name;   /* the case of ASCII letters makes no difference */
    bool lost;           /* another session has taken the room over */
    struct room_seat *next;
};

/* Is somebody in that room? With `rooms` NULL nobody ever is. */
bool room_is_taken(const struct rooms *rooms, struct bytes name);
/* Goes into the room; whoever is in there has lost it. With `rooms` NULL does nothing. */
void room_take(struct room_seat *seat, struct rooms *rooms, struct bytes name);
/* Does nothing outside. */
void room_leave(struct room_seat *seat);

#endif
