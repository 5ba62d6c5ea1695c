#include "server/net/slicer.h"

#include <assert.h>

void slicer_init(struct slicer *slicer)
{
    memset(slicer, 0, sizeof *slicer);
}

bool slicer_has_room(const struct slicer *slicer, size_t frames)
{
    return SLICER_FRAMES_MAX - slicer->count >= frames;
}

bool slicer_is_needed(const struct delivery *delivery)
{
    return delivery->slice_every > 0 || delivery->slice_at > 0;
}

static struct sliced_frame *frame_at(struct slicer *slicer, size_t n)
{
    return &slicer->frames[(slicer->first + n) % SLICER_FRAMES_MAX];
}

void slicer_add(struct slicer *slicer, const struct sliced_frame *frame)
{
    assert(slicer_has_room(slicer, 1));
    *frame_at(slicer, slicer->count++) = *frame;
}

/* The frame's first cut behind `position`; UINT64_MAX: none. */
static uint64_t frame_cut(const struct sliced_frame *frame, uint64_t position)
{
    const struct delivery *delivery = &frame->delivery;
    uint64_t end = frame->start + frame->header_bytes + frame->payload_bytes;
    uint64_t cut = UINT64_MAX;
    if (delivery->slice_every > 0) {
        uint64_t limit = end;
        if (delivery->slice_for > 0 && delivery->slice_for < end - frame->start)
            limit = frame->start + delivery->slice_for;
        if (position < frame->start)
            return frame->start;
        uint64_t next =
            frame->start + ((position - frame->start) / delivery->slice_every + 1) * delivery->slice_every;
        if (next <= limit)
            cut = next;
    }
    if (delivery->slice_at > 0 && delivery->slice_at < frame->payload_bytes) {
        uint64_t at = frame->start + frame->header_bytes + delivery->slice_at;
        if (at > position && at < cut)
            cut = at;
    }
    return cut;
}

void slicer_forget(struct slicer *slicer, uint64_t position)
{
    while (slicer->count > 0) {
        const struct sliced_frame *frame = frame_at(slicer, 0);
        if (position < frame->start + frame->header_bytes + frame->payload_bytes)
            return;
        slicer->first = (slicer->first + 1) % SLICER_FRAMES_MAX;
        slicer->count--;
    }
}

uint64_t slicer_next_cut(struct slicer *slicer, uint64_t position, uint32_t *gap_us)
{
    *gap_us = 0;
    slicer_forget(slicer, position);
    if (slicer->count == 0)
        return UINT64_MAX;
    const struct sliced_frame *frame = frame_at(slicer, 0);
    const uint64_t end = frame->start + frame->header_bytes + frame->payload_bytes;
    const uint64_t cut = frame_cut(frame, position);
    if (cut == UINT64_MAX)
        return end; /* so that the next frame's cuts are looked for from there */
    *gap_us = cut > frame->start && cut < end ? frame->delivery.gap_us : 0;
    return cut;
}
