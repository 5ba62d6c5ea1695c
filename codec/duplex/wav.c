#include "codec/duplex/wav.h"

enum {
    RIFF_BYTES = 12,
    CHUNK_BYTES = 8,
    FORMAT_BYTES = 16,
    EXTENSIBLE_BYTES = 40,
    FORMAT_EXTENSIBLE = 0xfffe
};

/* Little-endian, as everything in a RIFF file; the caller has seen that the bytes are there. */
static uint16_t u16_at(struct bytes file, size_t at)
{
    return (uint16_t)(file.data[at] | file.data[at + 1] << 8);
}

static uint32_t u32_at(struct bytes file, size_t at)
{
    return (uint32_t)u16_at(file, at) | (uint32_t)u16_at(file, at + 2) << 16;
}

static bool tag_is(struct bytes file, size_t at, const char *tag)
{
    return memcmp(file.data + at, tag, 4) == 0;
}

static bool format_read(struct bytes chunk, struct wav *wav)
{
    if (chunk.len < FORMAT_BYTES)
        return false;
    wav->format = u16_at(chunk, 0);
    wav->channels = u16_at(chunk, 2);
    wav->rate = u32_at(chunk, 4);
    wav->bits = u16_at(chunk, 14);
    if (wav->format == FORMAT_EXTENSIBLE && chunk.len >= EXTENSIBLE_BYTES)
        wav->format = u16_at(chunk, 24);
    return wav->channels > 0 && wav->rate > 0;
}

bool wav_read(struct bytes file, struct wav *out, const char **expected)
{
    struct wav wav = {.channels = 0};
    *expected = "a WAV file, which begins with RIFF and WAVE";
    if (file.len < RIFF_BYTES || !tag_is(file, 0, "RIFF") || !tag_is(file, 8, "WAVE"))
        return false;
    for (size_t at = RIFF_BYTES; file.len - at >= CHUNK_BYTES;) {
        const size_t left = file.len - at - CHUNK_BYTES;
        const size_t said = u32_at(file, at + 4);
        const struct bytes chunk = bytes_of(file.data + at + CHUNK_BYTES, said < left ? said : left);
        *expected = "a fmt chunk of a WAV file";
        if (tag_is(file, at, "fmt ") && !format_read(chunk, &wav))
            return false;
        if (tag_is(file, at, "data")) {
            wav.data = chunk;
            if (wav.channels > 0)
                *out = wav;
            return wav.channels > 0;
        }
        /* Chunks begin at even places. */
        const size_t step = chunk.len + (chunk.len % 2);
        if (step > left)
            break;
        at += CHUNK_BYTES + step;
    }
    *expected = "a data chunk of a WAV file";
    return false;
}
