#include "server/persona/code_rows.h"

#include <string.h>

enum {
    MARKER_DHT = 0xC4,
    MARKER_SOI = 0xD8,
    MARKER_DQT = 0xDB,
    MARKER_RESTART = 0xD0, /* and seven more */
    HUFFMAN_LENGTHS = 16,
    LUMA_BLOCKS = 4,
    CHROMA_BLOCKS = 2,
    SYMBOL_END_OF_BLOCK = 0, /* of an AC table; in a DC table 0 says "as before" */
    SYMBOL_NO_CHANGE = 0,
    LEVEL_WHITE = 8 * 127, /* the mean of an 8x8 block as its DC coefficient, before quantisation */
    LEVEL_BLACK = 8 * -128,
    STRING_BITS_MAX = 8 * CODE_SQUARE_BYTES_MAX / 2 - 8, /* with 7 more, every byte of it stuffed */
    SQUARES_MAX = BLOCK_CODE_BITS + JPEG_SIDE_MAX / BLOCK_CODE_CELL_PIXELS,
    CODE_BYTES_MAX = (SQUARES_MAX + 1) * CODE_SQUARE_BYTES_MAX + BLOCK_CODE_BITS * 4
};

/* The tables as the header holds them: class 0 is DC, 1 is AC; table 0 is luma, 1 is chroma. */
struct tables {
    struct bytes huffman[2][2]; /* 16 counts, then the symbols */
    unsigned luma_step;         /* what the DC coefficient is divided by */
};

static unsigned get_u16(const uint8_t *in)
{
    return (unsigned)in[0] << 8 | in[1];
}

/* A DHT segment holds one table or several. */
static bool tables_add_huffman(struct tables *tables, struct bytes segment)
{
    while (segment.len > HUFFMAN_LENGTHS) {
        const unsigned class_id = segment.data[0];
        size_t len = HUFFMAN_LENGTHS;
        for (int i = 1; i <= HUFFMAN_LENGTHS; i++) {
            len += segment.data[i];
        }
        if ((class_id & 0xEEu) != 0 || len > segment.len - 1) {
            return false;
        }
        tables->huffman[class_id >> 4][class_id & 1] = bytes_of(segment.data + 1, len);
        segment = bytes_of(segment.data + 1 + len, segment.len - 1 - len);
    }
    return segment.len == 0;
}

/* The first of a table's steps is that of the DC coefficient. Table 0 comes alone or first, with 8-bit steps.
 */
static void tables_add_steps(struct tables *tables, struct bytes segment)
{
    if (segment.len > 1 && segment.data[0] == 0) {
        tables->luma_step = segment.data[1];
    }
}

static bool tables_read(struct tables *tables, struct bytes header)
{
    if (header.len < 2 || header.data[0] != 0xFF || header.data[1] != MARKER_SOI) {
        return false;
    }
    size_t at = 2;
    while (header.len - at >= 4 && header.data[at] == 0xFF) {
        const unsigned len = get_u16(header.data + at + 2);
        if (len < 2 || len > header.len - at - 2) {
            return false;
        }
        const struct bytes segment = bytes_of(header.data + at + 4, len - 2);
        if (header.data[at + 1] == MARKER_DHT && !tables_add_huffman(tables, segment)) {
            return false;
        }
        if (header.data[at + 1] == MARKER_DQT) {
            tables_add_steps(tables, segment);
        }
        at += 2 + len;
    }
    return at == header.len && tables->luma_step != 0;
}

struct code_string {
    uint64_t bits; /* the last bit is the lowest */
    unsigned count;
};

static void string_add(struct code_string *string, unsigned bits, unsigned count)
{
    string->bits = string->bits << count | bits;
    string->count += count;
}

/* Adds the symbol's code; codes are numbered within a length and doubled from one length to the next. */
static bool string_add_symbol(struct code_string *string, struct bytes table, unsigned symbol)
{
    unsigned code = 0;
    size_t at = HUFFMAN_LENGTHS;
    if (table.len < HUFFMAN_LENGTHS) {
        return false;
    }
    for (unsigned length = 1; length <= HUFFMAN_LENGTHS; length++) {
        for (unsigned i = 0; i < table.data[length - 1]; i++, at++, code++) {
            if (table.data[at] == symbol) {
                string_add(string, code, length);
                return true;
            }
        }
        code *= 2;
    }
    return false;
}

/* A DC difference: how many bits it takes, then those bits, a negative one less by one. */
static bool string_add_difference(struct code_string *string, struct bytes table, int difference)
{
    unsigned size = 0;
    unsigned magnitude = (unsigned)(difference < 0 ? -difference : difference);
    while (magnitude >> size != 0) {
        size++;
    }
    if (!string_add_symbol(string, table, size)) {
        return false;
    }
    if (size > 0) {
        string_add(string, difference > 0 ? magnitude : (1u << size) - 1 - magnitude, size);
    }
    return true;
}

/* Four luma blocks of which the first may differ from what came before, then two chroma blocks of plain grey.
 */
static bool string_init(struct code_string *string, const struct tables *tables, int difference)
{
    bool ok = true;
    *string = (struct code_string){.count = 0};
    for (int i = 0; i < LUMA_BLOCKS; i++) {
        ok = ok && string_add_difference(string, tables->huffman[0][0], i == 0 ? difference : 0) &&
             string_add_symbol(string, tables->huffman[1][0], SYMBOL_END_OF_BLOCK);
    }
    for (int i = 0; i < CHROMA_BLOCKS; i++) {
        ok = ok && string_add_symbol(string, tables->huffman[0][1], SYMBOL_NO_CHANGE) &&
             string_add_symbol(string, tables->huffman[1][1], SYMBOL_END_OF_BLOCK);
    }
    return ok;
}

static int divide_rounded(int value, int step)
{
    return value < 0 ? -((-value + step / 2) / step) : (value + step / 2) / step;
}

/* 0xFF is followed by 0, so that it is not taken for a marker. */
static uint8_t *byte_put(uint8_t *at, uint8_t byte)
{
    *at++ = byte;
    if (byte == 0xFF)
        *at++ = 0;
    return at;
}

/* The square behind `left` bits of the one before it. */
static void square_init(struct code_square *square, const struct code_string *string, uint64_t over,
                        unsigned left)
{
    const uint64_t bits = (over & ((UINT64_C(1) << left) - 1)) << string->count | string->bits;
    unsigned count = left + string->count;
    uint8_t *at = square->bytes;
    for (; count >= 8; count -= 8)
        at = byte_put(at, (uint8_t)(bits >> (count - 8)));
    square->len = (uint8_t)(at - square->bytes);
    square->left = (uint8_t)count;
}

/* All squares end alike, with grey, so it does not matter whose bits are over. */
static bool squares_init(struct code_strings *strings, const struct code_string all[CODE_BEFORE_COUNT][2])
{
    const uint64_t over = all[0][0].bits & 0x7F;
    for (unsigned before = 0; before < CODE_BEFORE_COUNT; before++) {
        for (unsigned white = 0; white < 2; white++) {
            const struct code_string *string = &all[before][white];
            if (string->count > STRING_BITS_MAX || string->count < 8 || (string->bits & 0x7F) != over)
                return false;
            for (unsigned left = 0; left < 8; left++)
                square_init(&strings->square[before][white][left], string, over, left);
        }
    }
    for (unsigned left = 0; left < 8; left++)
        strings->end[left] = (uint8_t)(over << (8 - left) | (0xFFu >> left));
    return true;
}

bool code_strings_init(struct code_strings *strings, struct bytes header)
{
    struct code_string all[CODE_BEFORE_COUNT][2];
    struct tables tables = {.luma_step = 0};
    if (!tables_read(&tables, header)) {
        return false;
    }
    const int step = (int)tables.luma_step;
    const int levels[2] = {divide_rounded(LEVEL_BLACK, step), divide_rounded(LEVEL_WHITE, step)};
    const int before[CODE_BEFORE_COUNT] = {0, levels[0], levels[1]};
    for (int i = 0; i < CODE_BEFORE_COUNT; i++) {
        for (int white = 0; white < 2; white++) {
            if (!string_init(&all[i][white], &tables, levels[white] - before[i])) {
                return false;
            }
        }
    }
    return squares_init(strings, (const struct code_string(*)[2])all);
}

static unsigned code_bit(const uint8_t packed[BLOCK_CODE_BYTES], unsigned bit)
{
    return bit < BLOCK_CODE_BITS ? (unsigned)packed[bit / 8] >> (7 - bit % 8) & 1u : 0;
}

/* One row's squares, from bit `first` of the code on. Returns where its data ends. */
static uint8_t *row_write(const struct code_strings *strings, const uint8_t packed[BLOCK_CODE_BYTES],
                          unsigned first, unsigned squares, uint8_t *at)
{
    enum code_before before = CODE_BEFORE_START;
    unsigned left = 0;
    for (unsigned x = 0; x < squares; x++) {
        const unsigned white = code_bit(packed, first + x);
        const struct code_square *square = &strings->square[before][white][left];
        memcpy(at, square->bytes, sizeof square->bytes); /* what is not its own is written over */
        at += square->len;
        left = square->left;
        before = white ? CODE_BEFORE_WHITE : CODE_BEFORE_BLACK;
    }
    return left == 0 ? at : byte_put(at, strings->end[left]);
}

bool code_rows_append(const struct code_strings *strings, const struct block_code *code, unsigned width,
                      unsigned row, struct buffer *out)
{
    const unsigned squares = width / BLOCK_CODE_CELL_PIXELS;
    const unsigned rows = block_code_rows(width);
    uint8_t packed[BLOCK_CODE_BYTES];
    uint8_t data[CODE_BYTES_MAX];
    uint8_t *at = data;
    block_code_pack(code, packed);
    for (unsigned i = 0; i < rows; i++) {
        if (i > 0) {
            *at++ = 0xFF;
            *at++ = (uint8_t)(MARKER_RESTART + (row + i - 1) % 8);
        }
        at = row_write(strings, packed, i * squares, squares, at);
    }
    return buffer_append(out, bytes_of(data, (size_t)(at - data)));
}
