#include "server/core/rooms.h"

#include <stddef.h>

static bool names_equal(struct bytes a, struct bytes b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        const uint8_t x = a.data[i], y = b.data[i];
        const bool is_letter = (x | 0x20U) >= 'a' && (x | 0x20U) <= 'z';
        if (x != y && !(is_letter && (x ^ y) == 0x20))
            return false;
    }
    return true;
}

static struct room_seat *seat_find(const struct rooms *rooms, struct bytes name)
{
    struct room_seat *seat = rooms->first;
    while (seat != NULL && !names_equal(seat->name, name))
        seat = seat->next;
    return seat;
}

bool room_is_taken(const struct rooms *rooms, struct bytes name)
{
    return rooms != NULL && seat_find(rooms, name) != NULL;
}

void room_take(struct room_seat *seat, struct rooms *rooms, struct bytes name)
{
    if (rooms == NULL)
        return;
    struct room_seat *before = seat_find(rooms, name);
    if (before != NULL) {
        room_leave(before);
        before->lost = true;
    }
    *seat = (struct room_seat){.rooms = rooms, .name = name, .next = rooms->first};
    rooms->first = seat;
}

void room_leave(struct room_seat *seat)
{
    if (seat->rooms == NULL)
        return;
    struct room_seat **link = &seat->rooms->first;
    while (*link != seat)
        link = &(*link)->next;
    *link = seat->next;
    seat->rooms = NULL;
}
