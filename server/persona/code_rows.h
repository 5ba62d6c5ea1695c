/*
 * Writing the block code's rows straight as JPEG data, without an encoder.
 *
 * A square of the code is one block of 16x16 pixels of a 4:2:0 picture (six 8x8 blocks), all black or all
 * white, so the bits it takes depend only on its own colour and on that of the square before it; the bytes it
 * takes also on how many bits of a byte were left over before it. All these are made once, from the Huffman
 * and quantisation tables in the picture's own header, and a square is a copy.
 */
#ifndef SERVER_PERSONA_CODE_ROWS_H
#define SERVER_PERSONA_CODE_ROWS_H

#include "codec/media/block_code.h"
#include "codec/wire/buffer.h"

/* What stands left of a square: nothing, black or white. */
enum code_before { CODE_BEFORE_START, CODE_BEFORE_BLACK, CODE_BEFORE_WHITE };

enum { CODE_BEFORE_COUNT = CODE_BEFORE_WHITE + 1, CODE_SQUARE_BYTES_MAX = 16 };

struct code_square {
    uint8_t bytes[CODE_SQUARE_BYTES_MAX]; /* those that are whole with it */
    uint8_t len;
    uint8_t left; /* bits over, fewer than 8 */
};

struct code_strings {
    /* By what stands before, then 0 black, 1 white, then how many bits were over. */
    struct code_square square[CODE_BEFORE_COUNT][2][8];
    uint8_t end[8]; /* the last byte of a row, by how many bits are over: the rest of it is ones */
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
