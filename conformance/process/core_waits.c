#include "conformance/process/core_waits.h"

static uint64_t sum_of_latest(const struct core_waits *waits, uint64_t slots)
{
    uint64_t sum = 0;
    for (uint64_t n = 0; n < slots && n <= waits->slot; n++)
        sum += waits->waited[(waits->slot - n) % CORE_WAITS_SLOTS];
    return sum;
}

/* The slots between the latest and this one are empty. */
static void advance(struct core_waits *waits, uint64_t slot)
{
    for (uint64_t n = 0; n < CORE_WAITS_SLOTS && waits->slot < slot; n++)
        waits->waited[++waits->slot % CORE_WAITS_SLOTS] = 0;
    if (waits->slot < slot) { /* all of them were emptied */
        waits->slot = slot;
    }
}

void core_waits_add(struct core_waits *waits, uint64_t now_us, uint64_t waited_us)
{
    advance(waits, now_us / CORE_WAITS_SLOT_US);
    if (waited_us == 0)
        return;
    waits->waited[waits->slot % CORE_WAITS_SLOTS] += waited_us;
    const uint64_t in_short = sum_of_latest(waits, CORE_WAITS_SHORT_US / CORE_WAITS_SLOT_US);
    const uint64_t in_long = sum_of_latest(waits, CORE_WAITS_SLOTS);
    waits->worst_short_us = in_short > waits->worst_short_us ? in_short : waits->worst_short_us;
    waits->worst_long_us = in_long > waits->worst_long_us ? in_long : waits->worst_long_us;
}
