#include "codec/ws/out.h"

#include <assert.h>
#include <stdlib.h>

/* ---- blocks ---- */

struct ws_block {
    size_t holders;
    size_t len;
    uint8_t *taken; /* holds the bytes; NULL: they lie inside */
    uint8_t inside[];
};

struct ws_block *ws_block_room(size_t len)
{
    struct ws_block *block = len > SIZE_MAX - sizeof *block ? NULL : malloc(sizeof *block + len);
    if (block == NULL)
        return NULL;
    *block = (struct ws_block){.holders = 1, .len = len};
    return block;
}

struct ws_block *ws_block_new(struct bytes bytes)
{
    struct ws_block *block = ws_block_room(bytes.len);
    if (block != NULL && bytes.len > 0)
        memcpy(block->inside, bytes.data, bytes.len);
    return block;
}

uint8_t *ws_block_data(struct ws_block *block)
{
    return block->taken != NULL ? block->taken : block->inside;
}

struct ws_block *ws_block_take(struct buffer *buffer)
{
    struct ws_block *block = ws_block_room(0);
    if (block == NULL)
        return NULL;
    block->len = buffer->len;
    block->taken = buffer->data;
    buffer_init(buffer, buffer->len_max);
    return block;
}

struct bytes ws_block_bytes(const struct ws_block *block)
{
    return bytes_of(block->taken != NULL ? block->taken : block->inside, block->len);
}

struct ws_part ws_part_of(struct ws_block *block)
{
    return (struct ws_part){.bytes = ws_block_bytes(block), .life = WS_PART_SHARED, .block = block};
}

struct ws_block *ws_block_hold(struct ws_block *block)
{
    block->holders++;
    return block;
}

void ws_block_drop(struct ws_block *block)
{
    if (block == NULL || --block->holders > 0)
        return;
    free(block->taken);
    free(block);
}

/* ---- frames ---- */

struct ws_out_frame {
    struct ws_out_frame *next;
    enum ws_out_kind kind;
    uint8_t header_len;
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    size_t len; /* of all */
    size_t part_count;
    struct ws_part parts[];
};

void ws_out_init(struct ws_out *out, size_t bytes_max)
{
    *out = (struct ws_out){.bytes_max = bytes_max};
}

static void first_drop(struct ws_out *out)
{
    struct ws_out_frame *frame = out->first;
    for (size_t i = 0; i < frame->part_count; i++)
        if (frame->parts[i].life == WS_PART_SHARED)
            ws_block_drop(frame->parts[i].block);
    if (out->passing == frame)
        out->passing = frame->next;
    out->frames--;
    if (frame->kind == WS_OUT_PONG)
        out->pongs--;
    out->first = frame->next;
    if (out->first == NULL)
        out->last = NULL;
    out->first_sent = 0;
    free(frame);
}

void ws_out_free(struct ws_out *out)
{
    while (out->first != NULL)
        first_drop(out);
    out->bytes = 0;
}

/* SIZE_MAX when they are more than can be counted. */
static size_t length_of(struct bytes header, const struct ws_part *parts, size_t count)
{
    size_t len = header.len;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].bytes.len > SIZE_MAX - len)
            return SIZE_MAX;
        len += parts[i].bytes.len;
    }
    return len;
}

bool ws_out_has_room(const struct ws_out *out, size_t bytes, size_t frames)
{
    return out->bytes <= out->bytes_max && bytes <= out->bytes_max - out->bytes &&
           out->frames <= WS_OUT_FRAMES_MAX && frames <= WS_OUT_FRAMES_MAX - out->frames;
}

bool ws_out_add(struct ws_out *out, enum ws_out_kind kind, struct bytes header, const struct ws_part *parts,
                size_t count)
{
    assert(count <= WS_PARTS_MAX && header.len <= WS_FRAME_HEADER_BYTES_MAX);
    const size_t len = length_of(header, parts, count);
    if (len > SIZE_MAX - out->bytes || (kind == WS_OUT_DATA && !ws_out_has_room(out, len, 1)))
        return false;
    if (len == 0)
        return true;
    struct ws_out_frame *frame = malloc(sizeof *frame + count * sizeof *parts);
    if (frame == NULL)
        return false;
    *frame = (struct ws_out_frame){.kind = kind, .header_len = (uint8_t)header.len, .len = len};
    if (header.len > 0)
        memcpy(frame->header, header.data, header.len);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].bytes.len == 0)
            continue;
        frame->parts[frame->part_count++] = parts[i];
        if (parts[i].life == WS_PART_SHARED)
            ws_block_hold(parts[i].block);
    }
    if (out->last == NULL)
        out->first = frame;
    else
        out->last->next = frame;
    out->last = frame;
    if (out->passing == NULL)
        out->passing = frame;
    out->pongs += kind == WS_OUT_PONG ? 1 : 0;
    out->frames++;
    out->bytes += len;
    out->queued += len;
    return true;
}

/* Forgets what of the first frame has left, so that it is not copied. */
static void first_trim(struct ws_out *out)
{
    struct ws_out_frame *frame = out->first;
    size_t gone = out->first_sent;
    if (frame == NULL || gone == 0)
        return;
    const size_t of_header = gone < frame->header_len ? gone : frame->header_len;
    memmove(frame->header, frame->header + of_header, frame->header_len - of_header);
    frame->header_len = (uint8_t)(frame->header_len - of_header);
    frame->len -= gone;
    gone -= of_header;
    for (size_t i = 0; i < frame->part_count; i++) {
        struct bytes *bytes = &frame->parts[i].bytes;
        const size_t of_part = gone < bytes->len ? gone : bytes->len;
        *bytes = bytes_of(bytes->data + of_part, bytes->len - of_part);
        gone -= of_part;
    }
    out->first_sent = 0;
}

bool ws_out_keep(struct ws_out *out)
{
    if (out->passing != NULL)
        first_trim(out);
    for (; out->passing != NULL; out->passing = out->passing->next) {
        for (size_t i = 0; i < out->passing->part_count; i++) {
            struct ws_part *part = &out->passing->parts[i];
            if (part->life != WS_PART_PASSING || part->bytes.len == 0)
                continue;
            struct ws_block *block = ws_block_new(part->bytes);
            if (block == NULL)
                return false;
            *part = ws_part_of(block);
        }
    }
    return true;
}

/* ---- leaving ---- */

/* Adds what of a span is behind the first `*skip` bytes; those are counted down. */
static size_t piece_add(struct bytes span, size_t *skip, struct bytes *piece)
{
    const size_t gone = *skip < span.len ? *skip : span.len;
    *skip -= gone;
    if (gone == span.len)
        return 0;
    *piece = bytes_of(span.data + gone, span.len - gone);
    return 1;
}

size_t ws_out_pieces(const struct ws_out *out, struct bytes *pieces, size_t max)
{
    size_t count = 0;
    size_t skip = out->first_sent;
    for (const struct ws_out_frame *frame = out->first; frame != NULL; frame = frame->next) {
        if (count < max)
            count += piece_add(bytes_of(frame->header, frame->header_len), &skip, &pieces[count]);
        for (size_t i = 0; i < frame->part_count && count < max; i++)
            count += piece_add(frame->parts[i].bytes, &skip, &pieces[count]);
        if (count == max)
            break;
    }
    return count;
}

void ws_out_sent(struct ws_out *out, size_t len)
{
    assert(len <= out->bytes);
    out->bytes -= len;
    while (out->first != NULL && len >= out->first->len - out->first_sent) {
        len -= out->first->len - out->first_sent;
        first_drop(out);
    }
    out->first_sent += len;
}
