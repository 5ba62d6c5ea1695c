#include "codec/duplex/waiting.h"

struct duplex_place duplex_place_of(uint32_t ahead, uint32_t length, uint32_t workers, uint64_t session_us)
{
    const uint64_t position = (uint64_t)ahead + DUPLEX_QUEUE_POSITION_FIRST;
    return (struct duplex_place){.position = (uint32_t)position,
                                 .length = length,
                                 .wait_us = session_us / (workers == 0 ? 1 : workers) * position};
}

bool duplex_place_is_due(const struct duplex_place *told, const struct duplex_place *now, uint64_t told_us,
                         uint64_t now_us)
{
    return told->position != now->position || told->length != now->length ||
           (now_us >= told_us && now_us - told_us >= DUPLEX_QUEUE_UPDATE_US);
}

void duplex_place_message(struct duplex_message *out, const struct duplex_place *place, struct bytes ticket)
{
    *out = (struct duplex_message){
        .type = ticket.len > 0 ? DUPLEX_MESSAGE_QUEUED : DUPLEX_MESSAGE_QUEUE_UPDATE,
        .has_position = true,
        .position = place->position,
        .has_wait = true,
        .wait_s = (double)place->wait_us / 1e6,
        .ticket_id = ticket,
        .has_queue_length = true,
        .queue_length = place->length,
    };
}
