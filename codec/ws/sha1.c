#include "codec/ws/sha1.h"

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8, STATE_WORDS = 5, ROUNDS = 80 };

static uint32_t rotated(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

/* RFC 3174 5: the function and the constant of a round. */
static uint32_t mixed(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20)
        return ((b & c) | (~b & d)) + 0x5A827999U;
    if (round < 40)
        return (b ^ c ^ d) + 0x6ED9EBA1U;
    if (round < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCU;
    return (b ^ c ^ d) + 0xCA62C1D6U;
}

static void block_take(uint32_t state[STATE_WORDS], const uint8_t *block)
{
    uint32_t w[ROUNDS];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (size_t i = 16; i < ROUNDS; i++)
        w[i] = rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint32_t next = rotated(a, 5) + mixed(i, b, c, d) + e + w[i];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void sha1_of(struct bytes data, uint8_t out[SHA1_BYTES])
{
    uint32_t state[STATE_WORDS] = {0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};
    const uint64_t bits = (uint64_t)data.len * 8;
    uint8_t last[2 * BLOCK_BYTES] = {0};
    for (; data.len >= BLOCK_BYTES; data = bytes_of(data.data + BLOCK_BYTES, data.len - BLOCK_BYTES))
        block_take(state, data.data);
    /* The rest, one set bit, zeros and the length in bits: one block, or two where that is too much for it.
     */
    if (data.len > 0)
        memcpy(last, data.data, data.len);
    last[data.len] = 0x80;
    const size_t end = data.len < BLOCK_BYTES - LENGTH_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        last[end - 1 - i] = (uint8_t)(bits >> 8 * i);
    for (size_t at = 0; at < end; at += BLOCK_BYTES)
        block_take(state, last + at);
    for (size_t i = 0; i < SHA1_BYTES; i++)
        out[i] = (uint8_t)(state[i / 4] >> 8 * (3 - i % 4));
}
