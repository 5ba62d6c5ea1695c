#include "conformance/process/waits.h"

static uint64_t sum_of_latest(const struct waits *waits, uint64_t slots)
{
    uint64_t sum = 0;
    for (uint64_t n = 0; n < slots && n <= waits->slot; n++)
        sum += waits->waited[(waits->slot - n) % WAITS_SLOTS];
    return sum;
}

/* The slots between the latest and this one are empty. */
static void advance(struct waits *waits, uint64_t slot)
{
    for (uint64_t n = 0; n < WAITS_SLOTS && waits->slot < slot; n++)
        waits->waited[++waits->slot % WAITS_SLOTS] = 0;
    if (waits->slot < slot) { /* all of them were emptied */
        waits->slot = slot;
    }
}

void waits_add(struct waits *waits, uint64_t now_us, uint64_t waited_us)
{
    advance(waits, now_us / WAITS_SLOT_US);
    if (waited_us == 0)
        return;
    waits->waited[waits->slot % WAITS_SLOTS] += waited_us;
    const uint64_t in_short = sum_of_latest(waits, WAITS_SHORT_US / WAITS_SLOT_US);
    const uint64_t in_long = sum_of_latest(waits, WAITS_SLOTS);
    waits->worst_short_us = in_short > waits->worst_short_us ? in_short : waits->worst_short_us;
    waits->worst_long_us = in_long > waits->worst_long_us ? in_long : waits->worst_long_us;
}
