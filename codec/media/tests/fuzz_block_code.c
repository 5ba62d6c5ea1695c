/*
 * The block code of pictures: any fifteen bytes as a code, and as squares of any grey in a picture of any
 * size. No harm; a code is read from a picture exactly when it fits into it and is one; what is packed reads
 * back.
 *
 * The input: width and height (2 bytes), the code (15), greys.
 */
#include <stdlib.h>

#include "codec/media/block_code.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PIXELS_MAX = 65536, HEIGHT_UNIT = 8, HEAD_BYTES = 2, CELL = BLOCK_CODE_CELL_PIXELS };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool same(const struct block_code *a, const struct block_code *b)
{
    return a->frame_number == b->frame_number && a->interaction == b->interaction &&
           a->sample_position == b->sample_position;
}

static void square_fill(struct picture *picture, unsigned left, unsigned top, uint8_t grey)
{
    for (unsigned y = top; y < top + CELL; y++)
        memset(picture->rgb + ((size_t)y * picture->width + left) * 3, grey, (size_t)CELL * 3);
}

/* A bit that is set is mid grey or lighter. False when the picture is too small for it. */
static bool code_draw(struct picture *picture, const uint8_t bits[BLOCK_CODE_BYTES], struct bytes greys)
{
    const unsigned cells = picture->width / CELL;
    const unsigned lines = block_code_rows(picture->width) * CELL;
    if (cells == 0 || picture->height < lines)
        return false;
    for (unsigned bit = 0; bit < BLOCK_CODE_BITS; bit++) {
        const bool set = (bits[bit / 8] << bit % 8 & 0x80) != 0;
        const unsigned grey = greys.len == 0 ? 0 : greys.data[bit % greys.len];
        square_fill(picture, bit % cells * CELL, picture->height - lines + bit / cells * CELL,
                    (uint8_t)(set ? grey | 0x80U : grey & 0x7FU));
    }
    return true;
}

static void try_code(struct picture *picture, const uint8_t bits[BLOCK_CODE_BYTES], struct bytes greys)
{
    struct block_code unpacked, seen;
    const bool good = block_code_unpack(bits, &unpacked);
    const bool fits = code_draw(picture, bits, greys);
    const bool read = block_code_read(picture, &seen);
    check(read == (fits && good) && (!read || same(&seen, &unpacked)));
    if (good) {
        uint8_t packed[BLOCK_CODE_BYTES];
        block_code_pack(&unpacked, packed);
        check(memcmp(packed, bits, sizeof packed) == 0);
    }
}

/* The code with sync and check of its own, as no input comes upon them. */
static void try_packed(struct picture *picture, const uint8_t bits[BLOCK_CODE_BYTES], struct bytes greys)
{
    uint32_t numbers[3];
    uint8_t packed[BLOCK_CODE_BYTES];
    struct block_code unpacked;
    memcpy(numbers, bits + 1, sizeof numbers);
    const struct block_code code = {
        .frame_number = numbers[0], .interaction = numbers[1], .sample_position = numbers[2]};
    block_code_pack(&code, packed);
    check(block_code_unpack(packed, &unpacked) && same(&code, &unpacked));
    try_code(picture, packed, greys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct picture picture;
    if (size < HEAD_BYTES + BLOCK_CODE_BYTES)
        return 0;
    const unsigned width = 1U + data[0], height = 1U + data[1] * (unsigned)HEIGHT_UNIT;
    const unsigned height_max = PIXELS_MAX / width;
    const uint8_t *bits = data + HEAD_BYTES;
    const struct bytes greys = bytes_of(bits + BLOCK_CODE_BYTES, size - HEAD_BYTES - BLOCK_CODE_BYTES);
    check(picture_init(&picture, width, height < height_max ? height : height_max));
    try_code(&picture, bits, greys);
    try_packed(&picture, bits, greys);
    picture_free(&picture);
    return 0;
}
