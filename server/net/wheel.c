#include "server/net/wheel.h"

static void ring_init(struct wheel_entry *head)
{
    *head = (struct wheel_entry){.next = head, .previous = head, .due_us = UINT64_MAX};
}

static void ring_add(struct wheel_entry *head, struct wheel_entry *entry)
{
    entry->next = head;
    entry->previous = head->previous;
    head->previous->next = entry;
    head->previous = entry;
}

static void ring_take_off(struct wheel_entry *entry)
{
    entry->previous->next = entry->next;
    entry->next->previous = entry->previous;
    entry->next = entry->previous = NULL;
}

void wheel_init(struct wheel *wheel, uint64_t now_us)
{
    wheel->slot = now_us / WHEEL_SLOT_US;
    for (size_t n = 0; n < WHEEL_SLOTS; n++)
        ring_init(&wheel->heads[n]);
    ring_init(&wheel->ready);
}

void wheel_entry_init(struct wheel_entry *entry)
{
    *entry = (struct wheel_entry){.due_us = UINT64_MAX};
}

void wheel_set(struct wheel *wheel, struct wheel_entry *entry, uint64_t due_us)
{
    if (entry->next != NULL)
        ring_take_off(entry);
    entry->due_us = due_us;
    if (due_us == UINT64_MAX)
        return;
    uint64_t slot = due_us / WHEEL_SLOT_US;
    if (slot < wheel->slot)
        slot = wheel->slot; /* what is past is found where the next round begins */
    ring_add(&wheel->heads[slot % WHEEL_SLOTS], entry);
}

/* Entries of later turns stay where they are. */
static void slot_collect(struct wheel *wheel, struct wheel_entry *head, uint64_t now_us)
{
    struct wheel_entry *entry = head->next;
    while (entry != head) {
        struct wheel_entry *next = entry->next;
        if (entry->due_us <= now_us) {
            ring_take_off(entry);
            ring_add(&wheel->ready, entry);
        }
        entry = next;
    }
}

void wheel_collect(struct wheel *wheel, uint64_t now_us)
{
    uint64_t last = now_us / WHEEL_SLOT_US;
    if (last < wheel->slot)
        last = wheel->slot;
    uint64_t first = last - wheel->slot >= WHEEL_SLOTS ? last - (WHEEL_SLOTS - 1) : wheel->slot;
    for (uint64_t slot = first; slot <= last; slot++)
        slot_collect(wheel, &wheel->heads[slot % WHEEL_SLOTS], now_us);
    wheel->slot = last; /* looked at again: it is not over yet */
}

struct wheel_entry *wheel_next(struct wheel *wheel)
{
    struct wheel_entry *entry = wheel->ready.next;
    if (entry == &wheel->ready)
        return NULL;
    ring_take_off(entry);
    entry->due_us = UINT64_MAX;
    return entry;
}

const struct wheel_entry *wheel_behind(const struct wheel *wheel, const struct wheel_entry *entry)
{
    return entry->next == &wheel->ready ? NULL : entry->next;
}

const struct wheel_entry *wheel_ahead(const struct wheel *wheel)
{
    return wheel_behind(wheel, &wheel->ready);
}

uint64_t wheel_due_us(const struct wheel *wheel)
{
    uint64_t due_us = UINT64_MAX;
    if (wheel->ready.next != &wheel->ready)
        return 0;
    for (uint64_t slot = wheel->slot; slot < wheel->slot + WHEEL_SLOTS; slot++) {
        const struct wheel_entry *head = &wheel->heads[slot % WHEEL_SLOTS];
        for (const struct wheel_entry *entry = head->next; entry != head; entry = entry->next)
            if (entry->due_us < due_us)
                due_us = entry->due_us;
        if (due_us < (slot + 1) * WHEEL_SLOT_US) /* none of the slots to come is earlier */
            return due_us;
    }
    return due_us;
}
