/*
 * Waiting for a worker: the place in the queue as the client is told it. 002 Setup; field notes: the position
 * counts from 1, an update comes every 3 s even when nothing changed.
 */
#ifndef CODEC_DUPLEX_WAITING_H
#define CODEC_DUPLEX_WAITING_H

#include "codec/duplex/messages.h"

struct duplex_place {
    uint32_t position; /* from DUPLEX_QUEUE_POSITION_FIRST; 0: a worker is free */
    uint32_t length;   /* of the queue, this one included */
    uint64_t wait_us;  /* estimated */
};

/* The place of one with `ahead` others before it in a queue of `length`, where `workers` (at least 1) serve,
 * each as a rule for `session_us`. */
struct duplex_place duplex_place_of(uint32_t ahead, uint32_t length, uint32_t workers, uint64_t session_us);
/* When the next update is due: the place changed, or the last word is DUPLEX_QUEUE_UPDATE_US old. */
bool duplex_place_is_due(const struct duplex_place *told, const struct duplex_place *now, uint64_t told_us,
                         uint64_t now_us);
/* session.queued, with the ticket; or session.queue_update, without (`ticket` empty). Borrows the ticket. */
void duplex_place_message(struct duplex_message *out, const struct duplex_place *place, struct bytes ticket);

#endif
