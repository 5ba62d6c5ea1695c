/*
 * The workers that sessions of one server share, and the queue of those that wait for one. Made by whoever
 * has the sessions; a session has a seat in it, which it owns. One thread, no clock.
 *
 * First come, first served: who leaves makes room for the first that waits, at once. The others learn it
 * from their own seats when they look.
 */
#ifndef SERVER_CORE_WORKER_POOL_H
#define SERVER_CORE_WORKER_POOL_H

#include <stdbool.h>
#include <stdint.h>

enum { WORKER_POOL_MAX = 1000000 /* workers, and places to wait */, WORKER_QUEUE_DEFAULT = 100 };

enum worker_seat_state {
    WORKER_SEAT_NONE,       /* outside, as at first and after leaving */
    WORKER_SEAT_WAITING,    /* in the queue */
    WORKER_SEAT_ASSIGNED,   /* it has a worker */
    WORKER_SEAT_TURNED_AWAY /* there was no worker and no place to wait */
};

struct worker_pool;

/* All zero: outside. It may not move while it waits. */
struct worker_seat {
    enum worker_seat_state state;
    uint32_t ahead;       /* WAITING: how many come first */
    uint64_t ticket;      /* from 1, in the order of coming */
    uint64_t assigned_us; /* ASSIGNED: since when */
    struct worker_pool *pool;
    struct worker_seat *next; /* in the queue */
};

/* Members are read by everybody and changed by the functions alone. */
struct worker_pool {
    uint32_t workers;   /* 0: as many as are asked for */
    uint32_t queue_max; /* places to wait */
    uint32_t busy;
    uint32_t waiting;
    uint64_t tickets;
    struct worker_seat *first;
    struct worker_seat *last;
};

void worker_pool_init(struct worker_pool *pool, uint32_t workers, uint32_t queue_max);
/* Asks for a worker; the seat's state says what came of it. With `pool` NULL there is always one. */
void worker_seat_take(struct worker_seat *seat, struct worker_pool *pool, uint64_t now_us);
/* Gives back the worker, or the place in the queue; does nothing outside. */
void worker_seat_leave(struct worker_seat *seat, uint64_t now_us);

#endif
