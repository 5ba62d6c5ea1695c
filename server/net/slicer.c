#include "server/net/slicer.h"

#include <assert.h>

enum { OPCODE_CLOSE = 0x8, OPCODE_PONG = 0xA };

void slicer_init(struct slicer *slicer)
{
    memset(slicer, 0, sizeof *slicer);
}

bool slicer_has_room(const struct slicer *slicer)
{
    return slicer->count < SLICER_FRAMES_MAX;
}

void slicer_expect(struct slicer *slicer, const struct delivery *delivery)
{
    uint64_t ordinal = slicer->expected++;
    if (delivery->slice_every == 0 && delivery->slice_at == 0)
        return;
    assert(slicer_has_room(slicer));
    size_t at = (slicer->first + slicer->count++) % SLICER_FRAMES_MAX;
    slicer->frames[at] = (struct sliced_frame){.ordinal = ordinal, .delivery = *delivery};
}

static struct sliced_frame *frame_at(struct slicer *slicer, size_t n)
{
    return &slicer->frames[(slicer->first + n) % SLICER_FRAMES_MAX];
}

/* Takes bytes up to the empty line; returns how many. */
static size_t head_feed(struct slicer *slicer, struct bytes data)
{
    static const char end[] = "\r\n\r\n";
    size_t n = 0;
    while (n < data.len && !slicer->head_over) {
        uint8_t c = data.data[n++];
        if (c == (uint8_t)end[slicer->head_matched])
            slicer->head_matched++;
        else
            slicer->head_matched = c == '\r' ? 1 : 0;
        slicer->head_over = slicer->head_matched == sizeof end - 1;
    }
    return n;
}

/* What the library writes carries no mask. */
static size_t header_need(const struct slicer *slicer)
{
    if (slicer->header_len < 2)
        return 2;
    uint8_t length = slicer->header[1] & 0x7f;
    return length == 127 ? 10 : length == 126 ? 4 : 2;
}

static uint64_t payload_length(const struct slicer *slicer)
{
    size_t need = header_need(slicer);
    if (need == 2)
        return slicer->header[1] & 0x7f;
    uint64_t length = 0;
    for (size_t i = 2; i < need; i++)
        length = length << 8 | slicer->header[i];
    return length;
}

/* The header is whole: `position` is right behind it. */
static void header_end(struct slicer *slicer)
{
    uint8_t opcode = slicer->header[0] & 0x0f;
    slicer->payload_left = payload_length(slicer);
    if (opcode != OPCODE_CLOSE && opcode != OPCODE_PONG) {
        for (size_t n = 0; n < slicer->count; n++) {
            struct sliced_frame *frame = frame_at(slicer, n);
            if (frame->ordinal != slicer->seen)
                continue;
            frame->located = true;
            frame->start = slicer->position - slicer->header_len;
            frame->header_bytes = slicer->header_len;
            frame->payload_bytes = slicer->payload_left;
        }
        slicer->seen++;
    }
    slicer->header_len = 0;
}

void slicer_feed(struct slicer *slicer, struct bytes data)
{
    size_t n = slicer->head_over ? 0 : head_feed(slicer, data);
    slicer->position += n;
    while (n < data.len) {
        if (slicer->payload_left > 0) {
            size_t left = data.len - n;
            size_t take = slicer->payload_left < left ? (size_t)slicer->payload_left : left;
            slicer->payload_left -= take;
            slicer->position += take;
            n += take;
            continue;
        }
        slicer->header[slicer->header_len++] = data.data[n++];
        slicer->position++;
        if (slicer->header_len == header_need(slicer))
            header_end(slicer);
    }
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

uint64_t slicer_next_cut(struct slicer *slicer, uint64_t position, uint32_t *gap_us)
{
    *gap_us = 0;
    while (slicer->count > 0) {
        const struct sliced_frame *frame = frame_at(slicer, 0);
        if (!frame->located)
            return UINT64_MAX;
        uint64_t end = frame->start + frame->header_bytes + frame->payload_bytes;
        if (position < end) {
            uint64_t cut = frame_cut(frame, position);
            if (cut != UINT64_MAX) {
                *gap_us = cut > frame->start && cut < end ? frame->delivery.gap_us : 0;
                return cut;
            }
            return end; /* so that the next frame's cuts are looked for from there */
        }
        slicer->first = (slicer->first + 1) % SLICER_FRAMES_MAX;
        slicer->count--;
    }
    return UINT64_MAX;
}
