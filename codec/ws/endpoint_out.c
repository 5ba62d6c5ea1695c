/* What goes: messages and what breaks the rules, as frames in the queue. */
#include <assert.h>

#include "codec/wire/utf8.h"
#include "codec/wire/writer.h"
#include "codec/ws/endpoint_parts.h"

enum { RSV1_BIT = 4 };

void endpoint_random(struct ws_endpoint *endpoint, uint8_t out[WS_NONCE_BYTES])
{
    struct writer writer = writer_of(out, WS_NONCE_BYTES);
    writer_u64(&writer, seeded_next(&endpoint->random));
    writer_u64(&writer, seeded_next(&endpoint->random));
}

/* ---- one frame ---- */

/* A header and all of a block, of which the caller's hold ends here. NULL: there was no memory for it. */
static bool block_add(struct ws_endpoint *endpoint, enum ws_out_kind kind, struct bytes header,
                      struct ws_block *block)
{
    const struct ws_part part = block == NULL ? (struct ws_part){.block = NULL} : ws_part_of(block);
    const bool good = block != NULL && ws_out_add(&endpoint->out, kind, header, &part, 1);
    ws_block_drop(block);
    return good;
}

static bool is_client(const struct ws_endpoint *endpoint)
{
    return endpoint->options.role == WS_CLIENT;
}

/* The payload with the mask over it, in a block of its own: what is passed over in the parts begins at `from`
 * and has `len` bytes. */
static struct ws_block *masked_block(const struct ws_part *parts, size_t count, const uint8_t *mask)
{
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += parts[i].bytes.len;
    struct ws_block *block = ws_block_room(len);
    size_t at = 0;
    for (size_t i = 0; block != NULL && i < count; i++) {
        ws_mask_copy(ws_block_data(block) + at, parts[i].bytes, mask, at % WS_FRAME_MASK_BYTES);
        at += parts[i].bytes.len;
    }
    return block;
}

bool endpoint_add_frame(struct ws_endpoint *endpoint, enum ws_out_kind kind, struct ws_frame_bits bits,
                        const struct ws_part *parts, size_t count)
{
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    uint8_t mask[WS_NONCE_BYTES];
    bits.mask = is_client(endpoint) ? WS_MASK_GOOD : WS_MASK_NONE;
    const size_t len = ws_frame_write_header(&bits, header);
    if (!is_client(endpoint))
        return ws_out_add(&endpoint->out, kind, bytes_of(header, len), parts, count);
    endpoint_random(endpoint, mask);
    memcpy(header + len - WS_FRAME_MASK_BYTES, mask, WS_FRAME_MASK_BYTES);
    return block_add(endpoint, kind, bytes_of(header, len), masked_block(parts, count, mask));
}

bool endpoint_add_bytes(struct ws_endpoint *endpoint, struct bytes bytes)
{
    return block_add(endpoint, WS_OUT_CONTROL, bytes_of(NULL, 0), ws_block_new(bytes));
}

/* ---- messages ---- */

bool endpoint_may_send(const struct ws_endpoint *endpoint)
{
    return endpoint->state == WS_OPEN && !endpoint->broken_off;
}

/* A character may go over from one part to the next. */
static bool parts_are_utf8(const struct ws_part *parts, size_t count)
{
    uint8_t carry[2 * UTF8_CHARACTER_BYTES_MAX];
    size_t carried = 0;
    for (size_t i = 0; i < count; i++) {
        struct bytes bytes = parts[i].bytes;
        while (carried > 0 && bytes.len > 0) {
            carry[carried++] = bytes.data[0];
            bytes = bytes_of(bytes.data + 1, bytes.len - 1);
            if (utf8_valid_prefix(bytes_of(carry, carried)) == carried)
                carried = 0;
            else if (carried == UTF8_CHARACTER_BYTES_MAX)
                return false;
        }
        const size_t rest = bytes.len - utf8_valid_prefix(bytes);
        if (rest >= UTF8_CHARACTER_BYTES_MAX)
            return false;
        if (rest > 0)
            memcpy(carry + carried, bytes.data + bytes.len - rest, rest);
        carried += rest;
    }
    return carried == 0;
}

/* The message compressed, in a block of its own; NULL without memory. Parts are joined for it. */
static struct ws_block *pack(const struct ws_endpoint *endpoint, const struct ws_part *parts, size_t count)
{
    const unsigned window_bits =
        is_client(endpoint) ? WS_DEFLATE_WINDOW_BITS_MAX : endpoint->terms.server_window_bits;
    struct ws_block *joined = count == 1 ? NULL : masked_block(parts, count, NULL);
    struct ws_block *block = NULL;
    struct buffer packed;
    buffer_init(&packed, SIZE_MAX);
    if ((count == 1 || joined != NULL) &&
        ws_deflate_pack(window_bits, count == 1 ? parts[0].bytes : ws_block_bytes(joined), &packed))
        block = ws_block_take(&packed);
    buffer_free(&packed);
    ws_block_drop(joined);
    return block;
}

bool ws_endpoint_send(struct ws_endpoint *endpoint, enum ws_opcode opcode, const struct ws_part *parts,
                      size_t count)
{
    assert(opcode == WS_OPCODE_TEXT || opcode == WS_OPCODE_BINARY);
    struct ws_frame_bits bits = {.opcode = (uint8_t)opcode, .fin = true};
    for (size_t i = 0; i < count; i++)
        bits.length += parts[i].bytes.len;
    if (!endpoint_may_send(endpoint) || endpoint->message_open || bits.length > SIZE_MAX / 2 ||
        !ws_out_has_room(&endpoint->out, (size_t)bits.length, 1) ||
        (opcode == WS_OPCODE_TEXT && !parts_are_utf8(parts, count)))
        return false;
    struct ws_block *packed = endpoint->compresses ? pack(endpoint, parts, count) : NULL;
    if (packed == NULL) /* without memory for it, it goes as it is: that is no breach */
        return endpoint_add_frame(endpoint, WS_OUT_DATA, bits, parts, count);
    const struct ws_part part = ws_part_of(packed);
    bits.rsv = RSV1_BIT;
    bits.length = part.bytes.len;
    const bool good = endpoint_add_frame(endpoint, WS_OUT_DATA, bits, &part, 1);
    ws_block_drop(packed);
    return good;
}

/* With what the headers of that many frames take. */
bool ws_endpoint_has_room(const struct ws_endpoint *endpoint, size_t bytes, size_t frames)
{
    return bytes <= SIZE_MAX / 2 && frames <= WS_OUT_FRAMES_MAX &&
           ws_out_has_room(&endpoint->out, bytes + frames * WS_FRAME_HEADER_BYTES_MAX, frames);
}

/* Where the fragment that begins at `from` ends. */
static size_t fragment_end(const struct ws_cut *cut, size_t from, size_t len, size_t count)
{
    size_t end = len;
    if (cut->every > 0 && count + 1 < WS_FRAGMENTS_MAX && cut->every < len - from)
        end = from + cut->every;
    if (cut->at > from && cut->at < end)
        end = cut->at;
    return end;
}

/* A message on its way through ws_endpoint_send_cut. */
struct cutting {
    struct ws_cut *cut;
    struct bytes payload;
    struct ws_block *packed; /* holds the payload; NULL: it is passing */
    bool goes_on;            /* the owner lets it */
};

/* Is there room for all of it, headers included? A message cannot be taken back once it has begun. */
static bool cutting_has_room(const struct ws_endpoint *endpoint, const struct cutting *cutting)
{
    size_t frames = 2;
    if (cutting->cut->every > 0)
        frames += cutting->payload.len / cutting->cut->every;
    if (frames > WS_FRAGMENTS_MAX)
        frames = WS_FRAGMENTS_MAX;
    return ws_endpoint_has_room(endpoint, cutting->payload.len, frames);
}

/* Adds the fragment that begins at `from`. */
static bool fragment_add(struct ws_endpoint *endpoint, struct cutting *cutting,
                         const struct ws_frame_bits *bits, size_t from)
{
    const struct ws_cut *cut = cutting->cut;
    const size_t end = from + (size_t)bits->length;
    const bool breaks_off = cut->break_off_at > 0 && cut->break_off_at <= end;
    const struct bytes sent =
        bytes_of(cutting->payload.data + from, breaks_off ? cut->break_off_at - from : end - from);
    const struct ws_part part = {.bytes = sent,
                                 .life = cutting->packed != NULL ? WS_PART_SHARED : WS_PART_PASSING,
                                 .block = cutting->packed};
    const uint64_t offset = ws_endpoint_queued(endpoint);
    if (!endpoint_add_frame(endpoint, WS_OUT_DATA, *bits, &part, 1))
        return false;
    endpoint->broken_off = breaks_off;
    endpoint->message_open = !bits->fin && !breaks_off;
    const struct ws_fragment fragment = {.offset = offset,
                                         .header_bytes =
                                             (size_t)(ws_endpoint_queued(endpoint) - offset) - sent.len,
                                         .payload_from = from,
                                         .payload_bytes = sent.len,
                                         .last = bits->fin || breaks_off};
    cutting->goes_on = cut->queued == NULL || cut->queued(cut->context, &fragment);
    return true;
}

/* The fragments from where the calls before left off, as far as the owner lets it go on. */
static bool cutting_run(struct ws_endpoint *endpoint, struct cutting *cutting, struct ws_frame_bits bits)
{
    struct ws_cut *cut = cutting->cut;
    const size_t len = cutting->payload.len;
    size_t from = cut->begun_bytes, count = cut->begun_frames;
    cut->begun_bytes = cut->begun_frames = 0;
    do {
        const size_t end = fragment_end(cut, from, len, count);
        bits.fin = end == len;
        bits.length = end - from;
        if (count++ > 0) {
            bits.opcode = WS_OPCODE_CONTINUATION;
            bits.rsv = 0;
        }
        if (!fragment_add(endpoint, cutting, &bits, from)) {
            endpoint->broken_off = endpoint->message_open; /* nothing may follow what has begun */
            endpoint->message_open = false;
            return false;
        }
        from = end;
    } while (endpoint->message_open && endpoint_may_send(endpoint) && cutting->goes_on);
    endpoint->message_open = endpoint->message_open && endpoint_may_send(endpoint);
    if (endpoint->message_open) {
        cut->begun_bytes = from;
        cut->begun_frames = count;
    }
    return true;
}

bool ws_endpoint_send_cut(struct ws_endpoint *endpoint, enum ws_opcode opcode, struct bytes payload,
                          struct ws_cut *cut)
{
    assert(opcode == WS_OPCODE_TEXT || opcode == WS_OPCODE_BINARY);
    const struct ws_part whole = {.bytes = payload, .life = WS_PART_PASSING};
    struct cutting cutting = {.cut = cut, .payload = payload};
    struct ws_frame_bits bits = {.opcode = (uint8_t)opcode};
    const bool begun = cut->begun_frames > 0;
    if (!endpoint_may_send(endpoint) || endpoint->message_open != begun ||
        (opcode == WS_OPCODE_TEXT && !cut->any_bytes && !begun && !parts_are_utf8(&whole, 1)))
        return false;
    if (endpoint->compresses)
        cutting.packed = pack(endpoint, &whole, 1);
    if (cutting.packed != NULL) {
        bits.rsv = RSV1_BIT;
        cutting.payload = ws_block_bytes(cutting.packed);
    }
    /* Without memory the rest cannot be as what has begun. */
    const bool lost = begun && endpoint->compresses && cutting.packed == NULL;
    endpoint->broken_off = endpoint->broken_off || lost;
    const bool good = !lost && cutting_has_room(endpoint, &cutting) && cutting_run(endpoint, &cutting, bits);
    ws_block_drop(cutting.packed);
    return good;
}

/* ---- breaking the rules ---- */

void ws_endpoint_mute(struct ws_endpoint *endpoint)
{
    endpoint->broken_off = true;
}

bool ws_endpoint_send_frame(struct ws_endpoint *endpoint, const struct ws_frame_bits *bits,
                            struct bytes payload)
{
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    const size_t len = ws_frame_write_header(bits, header);
    if (endpoint->ended || !ws_out_has_room(&endpoint->out, payload.len, 1))
        return false;
    if (bits->mask != WS_MASK_GOOD) {
        const struct ws_part part = {.bytes = payload, .life = WS_PART_PASSING};
        return ws_out_add(&endpoint->out, WS_OUT_DATA, bytes_of(header, len), &part, 1);
    }
    struct ws_block *block = ws_block_new(payload);
    if (block != NULL)
        ws_frame_mask_payload(bits, ws_block_data(block), payload.len);
    return block_add(endpoint, WS_OUT_DATA, bytes_of(header, len), block);
}

bool ws_endpoint_send_raw(struct ws_endpoint *endpoint, struct bytes bytes)
{
    const struct ws_part part = {.bytes = bytes, .life = WS_PART_PASSING};
    return !endpoint->ended && ws_out_has_room(&endpoint->out, bytes.len, 1) &&
           ws_out_add(&endpoint->out, WS_OUT_DATA, bytes_of(NULL, 0), &part, 1);
}

/* ---- writing ---- */

size_t ws_endpoint_pieces(const struct ws_endpoint *endpoint, struct bytes *pieces, size_t max)
{
    return ws_out_pieces(&endpoint->out, pieces, max);
}

bool ws_endpoint_keep(struct ws_endpoint *endpoint)
{
    return ws_out_keep(&endpoint->out);
}

size_t ws_endpoint_unsent(const struct ws_endpoint *endpoint)
{
    return endpoint->out.bytes;
}

uint64_t ws_endpoint_queued(const struct ws_endpoint *endpoint)
{
    return endpoint->out.queued;
}
