#include "server/core/worker_pool.h"

#include <stddef.h>

void worker_pool_init(struct worker_pool *pool, uint32_t workers, uint32_t queue_max)
{
    *pool = (struct worker_pool){.workers = workers, .queue_max = queue_max};
}

static void assign(struct worker_seat *seat, uint64_t now_us)
{
    seat->state = WORKER_SEAT_ASSIGNED;
    seat->ahead = 0;
    seat->assigned_us = now_us;
    if (seat->pool != NULL)
        seat->pool->busy++;
}

static void wait_behind(struct worker_seat *seat)
{
    struct worker_pool *pool = seat->pool;
    seat->state = WORKER_SEAT_WAITING;
    seat->ahead = pool->waiting++;
    seat->next = NULL;
    if (pool->last == NULL)
        pool->first = seat;
    else
        pool->last->next = seat;
    pool->last = seat;
}

void worker_seat_take(struct worker_seat *seat, struct worker_pool *pool, uint64_t now_us)
{
    *seat = (struct worker_seat){.pool = pool, .ticket = pool == NULL ? 1 : ++pool->tickets};
    if (pool == NULL || pool->workers == 0 || pool->busy < pool->workers)
        assign(seat, now_us);
    else if (pool->waiting < pool->queue_max)
        wait_behind(seat);
    else
        seat->state = WORKER_SEAT_TURNED_AWAY;
}

/* Those behind it move up. */
static void queue_remove(struct worker_seat *seat)
{
    struct worker_pool *pool = seat->pool;
    struct worker_seat *before = NULL;
    for (struct worker_seat *other = pool->first; other != seat; other = other->next)
        before = other;
    if (before == NULL)
        pool->first = seat->next;
    else
        before->next = seat->next;
    if (pool->last == seat)
        pool->last = before;
    for (struct worker_seat *other = seat->next; other != NULL; other = other->next)
        other->ahead--;
    pool->waiting--;
    seat->next = NULL;
}

void worker_seat_leave(struct worker_seat *seat, uint64_t now_us)
{
    struct worker_pool *pool = seat->pool;
    if (pool != NULL && seat->state == WORKER_SEAT_WAITING)
        queue_remove(seat);
    if (pool != NULL && seat->state == WORKER_SEAT_ASSIGNED) {
        pool->busy--;
        struct worker_seat *first = pool->first;
        if (first != NULL) {
            queue_remove(first);
            assign(first, now_us);
        }
    }
    seat->state = WORKER_SEAT_NONE;
    seat->pool = NULL;
}
