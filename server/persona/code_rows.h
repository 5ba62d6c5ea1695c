/*
 * Writing the block code's rows straight as JPEG data, without an encoder.
 *
 * A square of the code is one block of 16x16 pixels of a 4:2:0 picture (six 8x8 blocks), all black or all
 * white, so what it takes depends only on its own colour and on that of the square before it: six bit
 * strings, made once from the Huffman and quantisation tables in the picture's own header.
 */
#ifndef SERVER_PERSONA_CODE_ROWS_H
#define SERVER_PERSONA_CODE_ROWS_H

#include "codec/media/block_code.h"
#include "codec/wire/buffer.h"

struct code_string {
    uint64_t bits; /* the last bit is the lowest */
    unsigned count;
};

/* What stands left of a square: nothing, black or white. */
enum code_before { CODE_BEFORE_START, CODE_BEFORE_BLACK, CODE_BEFORE_WHITE };

enum { CODE_BEFORE_COUNT = CODE_BEFORE_WHITE + 1 };

struct code_strings {
    struct code_string square[CODE_BEFORE_COUNT][2]; /* by what stands before, then 0 black, 1 white */
};

/* `header` goes from SOI to the end of the SOS segment. False when it is not what jpeg_encode writes. */
bool code_strings_init(struct code_strings *strings, struct bytes header);

/*
 * Appends the code's rows for a picture of that width, of which the first is row `row` of the picture: their
 * data with the restart markers between them, but none after the last. False when `out` is full.
 */
bool code_rows_append(const struct code_strings *strings, const struct block_code *code, unsigned width,
                      unsigned row, struct buffer *out);

#endif
