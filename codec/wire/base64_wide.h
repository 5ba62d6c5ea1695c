/*
 * The middle of a long base64 text, sixteen characters at a time, on processors that can; private to
 * base64.c. The speech and the pictures of a full-duplex session are most of what its messages hold.
 *
 * How a character is told and turned into its six bits, and back, by looking up halves of bytes: Wojciech
 * Muła and Daniel Lemire, "Faster Base64 Encoding and Decoding Using AVX2 Instructions", ACM Transactions on
 * the Web 12 (2018).
 */
#ifndef CODEC_WIRE_BASE64_WIDE_H
#define CODEC_WIRE_BASE64_WIDE_H

#include <stddef.h>
#include <stdint.h>

/* Writes the text of the first bytes of `data` to `out`, which has room for that of all of them. Returns of
 * how many: a multiple of 3, and 0 where the processor cannot. */
size_t base64_wide_encode(const uint8_t *data, size_t len, uint8_t *out);
/* Reads whole groups from the start of `text`, up to one that holds anything else, into `out`, which has room
 * for all and may be where the text begins. Returns how many characters it took: a multiple of 4. */
size_t base64_wide_read(const uint8_t *text, size_t len, uint8_t *out);

#endif
