/*
 * The bytes before an AVI's first frame: RIFF header, the main header, a list for each of the two streams,
 * and the beginning of the list of frames. They have one length, so they can be written first and filled in
 * last.
 */
#ifndef CLIENT_MEDIA_AVI_HEADER_H
#define CLIENT_MEDIA_AVI_HEADER_H

#include <stdint.h>

enum {
    AVI_CHUNK_BYTES = 8, /* four letters and a size */
    AVI_HEADER_BYTES = 324,
    AVI_MOVI_OFFSET = AVI_HEADER_BYTES - 4 /* of the letters "movi", from which the index counts */
};

struct avi_facts {
    unsigned frames_per_second;
    unsigned sample_rate; /* Hz */
    unsigned width;       /* pixels */
    unsigned height;
    uint32_t frame_count;
    uint32_t sample_count;
    uint32_t picture_bytes_max; /* the largest chunk of each stream */
    uint32_t sound_bytes_max;
    uint32_t movi_bytes;  /* chunks of frames, with their headers and padding */
    uint32_t index_bytes; /* entries only */
};

void avi_header_write(const struct avi_facts *facts, uint8_t out[AVI_HEADER_BYTES]);
/* Four letters and a size, little-endian. */
void avi_chunk_write(const char letters[5], uint32_t size, uint8_t out[AVI_CHUNK_BYTES]);
void avi_u32_write(uint32_t value, uint8_t out[4]);

#endif
