/*
 * The block code: what a frame's picture says about itself, in black and white squares of 16x16 pixels in the
 * lowest rows, so that it survives JPEG. From it a player's gaps, repeats, reordering and audio/video offset
 * can be measured on what it shows.
 *
 * 120 bits, most significant first, filled row by row from the left of the first code row; unused squares are
 * black: sync 8 (0xA5), frame number 32, interaction 32 (first four bytes of its id, 0 for silence), sample
 * position 32 (first sample of the frame within its interaction's speech), CRC-16/CCITT-FALSE 16 over the 13
 * bytes before it. White is 1, black 0.
 */
#ifndef CODEC_MEDIA_BLOCK_CODE_H
#define CODEC_MEDIA_BLOCK_CODE_H

#include "codec/media/jpeg.h"

enum { BLOCK_CODE_CELL_PIXELS = 16, BLOCK_CODE_BYTES = 15, BLOCK_CODE_BITS = 120, BLOCK_CODE_SYNC = 0xA5 };

struct block_code {
    uint32_t frame_number;
    uint32_t interaction;
    uint32_t sample_position;
};

/* How many rows of 16 lines the code takes in a picture of that width: ceil(120 / (width / 16)). */
unsigned block_code_rows(unsigned width);
void block_code_pack(const struct block_code *code, uint8_t out[BLOCK_CODE_BYTES]);
/* False when sync or CRC do not match. */
bool block_code_unpack(const uint8_t in[BLOCK_CODE_BYTES], struct block_code *out);
/* Reads the code from decoded pixels (mean of the inner 8x8 pixels of each square against mid grey). */
bool block_code_read(const struct picture *picture, struct block_code *out);
/* Decodes the JPEG and reads its code; false when either fails. */
bool block_code_read_jpeg(struct bytes jpeg, struct block_code *out);

#endif
