/* The head of a WAV file in memory, as far as a reference voice needs it (002 session.update: WAV at 16 kHz).
 * Nothing is converted. */
#ifndef CODEC_DUPLEX_WAV_H
#define CODEC_DUPLEX_WAV_H

#include "codec/wire/bytes.h"

struct wav {
    uint16_t format;   /* 1: integers, 3: float; of an extensible one what stands in its place */
    uint16_t channels; /* at least 1 */
    uint32_t rate;     /* Hz */
    uint16_t bits;     /* of a sample */
    struct bytes data; /* borrowed; cut at the end of the file, where it says more */
};

/* False with what was expected (static: "a RIFF header") when it is none; *out is then left alone. */
bool wav_read(struct bytes file, struct wav *out, const char **expected);

#endif
