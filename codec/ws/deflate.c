#define ZLIB_CONST /* it does not write to its input */
#include "codec/ws/deflate.h"

#include <stdlib.h>
#include <zlib.h>

enum {
    LEVEL = 1, /* many frames a second, of pictures that hardly shrink */
    MEMORY_LEVEL = 8,
    ZLIB_WINDOW_BITS_MIN = 9, /* of raw deflate */
    TAIL_BYTES = 4,           /* taken off each message: RFC 7692 7.2.1 */
    BLOCK_BYTES = 4096,
    PACKED_MORE_BYTES = 64 /* above what zlib thinks it needs, for the flush */
};

static const uint8_t TAIL[TAIL_BYTES] = {0x00, 0x00, 0xff, 0xff};

/* zlib knows no raw window of 8 bits; without any looking back the window does not matter. */
static bool packing_begin(z_stream *zlib, unsigned window_bits)
{
    bool small = window_bits < ZLIB_WINDOW_BITS_MIN;
    int bits = small ? ZLIB_WINDOW_BITS_MIN : (int)window_bits;
    *zlib = (z_stream){.next_in = NULL};
    return deflateInit2(zlib, LEVEL, Z_DEFLATED, -bits, MEMORY_LEVEL,
                        small ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY) == Z_OK;
}

bool ws_deflate_pack(unsigned window_bits, struct bytes message, struct buffer *out)
{
    z_stream zlib;
    if (message.len == 0) {
        static const uint8_t nothing[] = {0x00}; /* RFC 7692 7.2.3.6 */
        return buffer_append(out, bytes_of(nothing, sizeof nothing));
    }
    if (message.len > UINT32_MAX / 2 || !packing_begin(&zlib, window_bits))
        return false;
    size_t room = deflateBound(&zlib, message.len) + PACKED_MORE_BYTES;
    uint8_t *at = buffer_reserve(out, room);
    bool good = at != NULL;
    if (good) {
        zlib.next_in = message.data;
        zlib.avail_in = (uInt)message.len;
        zlib.next_out = at;
        zlib.avail_out = (uInt)room;
        /* With room left all is out, and the tail is there. */
        good = deflate(&zlib, Z_SYNC_FLUSH) == Z_OK && zlib.avail_in == 0 && zlib.avail_out > 0;
    }
    if (good)
        out->len += room - zlib.avail_out - TAIL_BYTES;
    deflateEnd(&zlib);
    return good;
}

struct ws_unpacker {
    z_stream zlib;
    uint64_t bytes;
    uint64_t bytes_max;
};

struct ws_unpacker *ws_unpacker_new(uint64_t message_bytes_max)
{
    struct ws_unpacker *unpacker = calloc(1, sizeof *unpacker);
    if (unpacker == NULL)
        return NULL;
    unpacker->bytes_max = message_bytes_max;
    if (inflateInit2(&unpacker->zlib, -WS_DEFLATE_WINDOW_BITS_MAX) != Z_OK) {
        free(unpacker);
        return NULL;
    }
    return unpacker;
}

void ws_unpacker_free(struct ws_unpacker *unpacker)
{
    if (unpacker == NULL)
        return;
    inflateEnd(&unpacker->zlib);
    free(unpacker);
}

uint64_t ws_unpacker_bytes(const struct ws_unpacker *unpacker)
{
    return unpacker->bytes;
}

/* As far as it fits. False: there is no memory. */
static bool keep(struct buffer *out, const uint8_t *data, size_t len)
{
    size_t room = out->len_max - out->len;
    if (len > room)
        len = room;
    return buffer_append(out, bytes_of(data, len));
}

enum ws_unpack_status ws_unpacker_feed(struct ws_unpacker *unpacker, struct bytes piece, struct buffer *out)
{
    uint8_t block[BLOCK_BYTES];
    z_stream *zlib = &unpacker->zlib;
    if (piece.len > UINT32_MAX)
        return WS_UNPACK_BAD;
    zlib->next_in = piece.data;
    zlib->avail_in = (uInt)piece.len;
    do {
        zlib->next_out = block;
        zlib->avail_out = sizeof block;
        int result = inflate(zlib, Z_SYNC_FLUSH);
        size_t got = sizeof block - zlib->avail_out;
        unpacker->bytes += got;
        if (unpacker->bytes > unpacker->bytes_max)
            return WS_UNPACK_TOO_MUCH;
        if (!keep(out, block, got) || result == Z_MEM_ERROR)
            return WS_UNPACK_NO_MEMORY;
        /* A last block need not be the last of the message: RFC 7692 7.2.3.4. */
        if (result == Z_STREAM_END)
            inflateReset(zlib);
        else if (result == Z_BUF_ERROR) /* there was no more */
            break;
        else if (result != Z_OK)
            return WS_UNPACK_BAD;
    } while (zlib->avail_in > 0 || zlib->avail_out == 0);
    return WS_UNPACK_GOOD;
}

enum ws_unpack_status ws_unpacker_end(struct ws_unpacker *unpacker, struct buffer *out)
{
    enum { BETWEEN_BLOCKS = 128 };
    enum ws_unpack_status status = ws_unpacker_feed(unpacker, bytes_of(TAIL, sizeof TAIL), out);
    if (status == WS_UNPACK_GOOD && (unpacker->zlib.data_type & BETWEEN_BLOCKS) == 0)
        return WS_UNPACK_BAD;
    return status;
}
