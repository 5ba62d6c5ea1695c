#include "server/ojin/pacer.h"

#include "codec/ojin/constants.h"

void pacer_start(struct pacer *pacer, uint64_t start_us, uint32_t percent)
{
    if (percent < 1)
        percent = 1;
    if (percent > PACER_PERCENT_MAX)
        percent = PACER_PERCENT_MAX;
    *pacer = (struct pacer){.start_us = start_us, .percent = percent};
}

uint64_t pacer_due_us(const struct pacer *pacer)
{
    return pacer->start_us + pacer->count * (uint64_t)OJIN_FRAME_US * 100u / pacer->percent;
}

void pacer_advance(struct pacer *pacer)
{
    pacer->count++;
}
