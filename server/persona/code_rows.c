#include "server/persona/code_rows.h"

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
    WORD_BITS = 64,
    SQUARE_BYTES_MAX = 14, /* at most 55 bits, every byte stuffed */
    SQUARES_MAX = BLOCK_CODE_BITS + JPEG_SIDE_MAX / BLOCK_CODE_CELL_PIXELS,
    CODE_BYTES_MAX = SQUARES_MAX * SQUARE_BYTES_MAX + BLOCK_CODE_BITS * 4
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

bool code_strings_init(struct code_strings *strings, struct bytes header)
{
    struct tables tables = {.luma_step = 0};
    if (!tables_read(&tables, header)) {
        return false;
    }
    const int step = (int)tables.luma_step;
    const int levels[2] = {divide_rounded(LEVEL_BLACK, step), divide_rounded(LEVEL_WHITE, step)};
    const int before[CODE_BEFORE_COUNT] = {0, levels[0], levels[1]};
    for (int i = 0; i < CODE_BEFORE_COUNT; i++) {
        for (int white = 0; white < 2; white++) {
            if (!string_init(&strings->square[i][white], &tables, levels[white] - before[i])) {
                return false;
            }
        }
    }
    return true;
}

/* Bits on their way into bytes, eight of these at a time. The caller has made room. */
struct bit_writer {
    uint8_t *at;
    uint64_t bits; /* the last is the lowest */
    unsigned room; /* for so many more, at least one between calls */
};

static void byte_put(struct bit_writer *writer, uint8_t byte)
{
    *writer->at++ = byte;
    if (byte == 0xFF) {
        *writer->at++ = 0; /* so that it is not taken for a marker */
    }
}

static inline bool has_ff(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    return ((~word - ones) & word & tops) != 0;
}

static inline void word_put(struct bit_writer *writer, uint64_t word)
{
    if (has_ff(word)) {
        for (unsigned i = 0; i < WORD_BITS / 8; i++)
            byte_put(writer, (uint8_t)(word >> (WORD_BITS - 8 - 8 * i)));
        return;
    }
    for (unsigned i = 0; i < WORD_BITS / 8; i++)
        writer->at[i] = (uint8_t)(word >> (WORD_BITS - 8 - 8 * i));
    writer->at += WORD_BITS / 8;
}

/* Fewer than WORD_BITS of them. */
static inline void bits_put(struct bit_writer *writer, uint64_t bits, unsigned count)
{
    if (count < writer->room) {
        writer->bits = writer->bits << count | bits;
        writer->room -= count;
        return;
    }
    const unsigned left = count - writer->room; /* for the next word */
    word_put(writer, writer->bits << writer->room | bits >> left);
    writer->bits = bits; /* what is above the lowest `left` is shifted out in time */
    writer->room = WORD_BITS - left;
}

/* The rest of the last byte is ones. */
static void bits_end(struct bit_writer *writer)
{
    const unsigned fill = writer->room % 8;
    bits_put(writer, (UINT64_C(1) << fill) - 1, fill);
    for (unsigned left = WORD_BITS - writer->room; left > 0; left -= 8)
        byte_put(writer, (uint8_t)(writer->bits >> (left - 8)));
    writer->bits = 0;
    writer->room = WORD_BITS;
}

static unsigned code_bit(const uint8_t packed[BLOCK_CODE_BYTES], unsigned bit)
{
    return bit < BLOCK_CODE_BITS ? (unsigned)packed[bit / 8] >> (7 - bit % 8) & 1u : 0;
}

bool code_rows_append(const struct code_strings *strings, const struct block_code *code, unsigned width,
                      unsigned row, struct buffer *out)
{
    const unsigned squares = width / BLOCK_CODE_CELL_PIXELS;
    const unsigned rows = block_code_rows(width);
    uint8_t packed[BLOCK_CODE_BYTES];
    uint8_t data[CODE_BYTES_MAX];
    struct bit_writer writer = {.at = data, .room = WORD_BITS};
    block_code_pack(code, packed);
    for (unsigned i = 0; i < rows; i++) {
        enum code_before before = CODE_BEFORE_START;
        if (i > 0) {
            *writer.at++ = 0xFF;
            *writer.at++ = (uint8_t)(MARKER_RESTART + (row + i - 1) % 8);
        }
        for (unsigned x = 0; x < squares; x++) {
            const unsigned white = code_bit(packed, i * squares + x);
            const struct code_string *string = &strings->square[before][white];
            bits_put(&writer, string->bits, string->count);
            before = white ? CODE_BEFORE_WHITE : CODE_BEFORE_BLACK;
        }
        bits_end(&writer);
    }
    return buffer_append(out, bytes_of(data, (size_t)(writer.at - data)));
}
