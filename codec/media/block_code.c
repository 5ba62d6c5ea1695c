#include "codec/media/block_code.h"

enum {
    CODE_CRC_BYTES = 2,
    CODE_COVERED_BYTES = BLOCK_CODE_BYTES - CODE_CRC_BYTES,
    CELL_MARGIN_PIXELS = 4, /* what JPEG smears at the edge of a square is left out */
    CELL_INNER_PIXELS = BLOCK_CODE_CELL_PIXELS - 2 * CELL_MARGIN_PIXELS,
    CELL_MID_SUM = CELL_INNER_PIXELS * CELL_INNER_PIXELS * 3 * 128
};

unsigned block_code_rows(unsigned width)
{
    const unsigned cells = width / BLOCK_CODE_CELL_PIXELS;
    return cells == 0 ? BLOCK_CODE_BITS : (BLOCK_CODE_BITS + cells - 1) / cells;
}

/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, nothing reflected; four bits at a time. */
static uint16_t crc16(const uint8_t *bytes, size_t len)
{
    static const uint16_t steps[16] = {0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
                                       0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF};
    uint32_t crc = 0xFFFF;
    for (size_t i = 0; i < len; i++) {
        crc = (crc << 4 & 0xFFFFu) ^ steps[crc >> 12 ^ bytes[i] >> 4];
        crc = (crc << 4 & 0xFFFFu) ^ steps[crc >> 12 ^ (bytes[i] & 0x0Fu)];
    }
    return (uint16_t)crc;
}

static void put_u32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        out[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static uint32_t get_u32(const uint8_t *in)
{
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

void block_code_pack(const struct block_code *code, uint8_t out[BLOCK_CODE_BYTES])
{
    out[0] = BLOCK_CODE_SYNC;
    put_u32(out + 1, code->frame_number);
    put_u32(out + 5, code->interaction);
    put_u32(out + 9, code->sample_position);
    const uint16_t crc = crc16(out, CODE_COVERED_BYTES);
    out[CODE_COVERED_BYTES] = (uint8_t)(crc >> 8);
    out[CODE_COVERED_BYTES + 1] = (uint8_t)crc;
}

bool block_code_unpack(const uint8_t in[BLOCK_CODE_BYTES], struct block_code *out)
{
    const uint32_t crc = (uint32_t)in[CODE_COVERED_BYTES] << 8 | in[CODE_COVERED_BYTES + 1];
    if (in[0] != BLOCK_CODE_SYNC || crc != crc16(in, CODE_COVERED_BYTES)) {
        return false;
    }
    *out = (struct block_code){
        .frame_number = get_u32(in + 1),
        .interaction = get_u32(in + 5),
        .sample_position = get_u32(in + 9),
    };
    return true;
}

static bool cell_is_white(const struct picture *picture, unsigned left, unsigned top)
{
    unsigned sum = 0;
    for (unsigned y = 0; y < CELL_INNER_PIXELS; y++) {
        const size_t line = (size_t)(top + CELL_MARGIN_PIXELS + y) * picture->width;
        const uint8_t *pixel = picture->rgb + (line + left + CELL_MARGIN_PIXELS) * 3;
        for (unsigned i = 0; i < CELL_INNER_PIXELS * 3; i++) {
            sum += pixel[i];
        }
    }
    return sum >= CELL_MID_SUM;
}

bool block_code_read(const struct picture *picture, struct block_code *out)
{
    const unsigned cells = picture->width / BLOCK_CODE_CELL_PIXELS;
    const unsigned lines = block_code_rows(picture->width) * BLOCK_CODE_CELL_PIXELS;
    if (cells == 0 || picture->height < lines) {
        return false;
    }
    uint8_t packed[BLOCK_CODE_BYTES] = {0};
    for (unsigned bit = 0; bit < BLOCK_CODE_BITS; bit++) {
        const unsigned left = bit % cells * BLOCK_CODE_CELL_PIXELS;
        const unsigned top = picture->height - lines + bit / cells * BLOCK_CODE_CELL_PIXELS;
        if (cell_is_white(picture, left, top)) {
            packed[bit / 8] = (uint8_t)(packed[bit / 8] | 0x80u >> bit % 8);
        }
    }
    return block_code_unpack(packed, out);
}

bool block_code_read_jpeg(struct bytes jpeg, struct block_code *out)
{
    struct picture picture;
    if (!jpeg_decode(jpeg, &picture)) {
        return false;
    }
    const bool read = block_code_read(&picture, out);
    picture_free(&picture);
    return read;
}
