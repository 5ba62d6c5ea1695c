#include "codec/wire/base64_wide.h"

#if defined(__x86_64__)

#include <stdbool.h>
#include <tmmintrin.h>

enum {
    STEP_CHARACTERS = 16,
    STEP_BYTES = 12,
    /* A step reads and writes sixteen bytes of which twelve are its own: the rest has to be there. */
    SPARE_BYTES = 4,
    SPARE_CHARACTERS = 8
};

#define WITH_SSSE3 __attribute__((target("ssse3")))

static bool can(void)
{
    return __builtin_cpu_supports("ssse3") != 0;
}

static WITH_SSSE3 __m128i load(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static WITH_SSSE3 void store(uint8_t *at, __m128i value)
{
    _mm_storeu_si128((__m128i *)(void *)at, value);
}

/* Twelve bytes to sixteen values of six bits: three bytes are laid into each four, then pulled apart by
 * multiplying. */
static WITH_SSSE3 __m128i values_of_bytes(__m128i bytes)
{
    const __m128i laid =
        _mm_shuffle_epi8(bytes, _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
    const __m128i first_and_third =
        _mm_mulhi_epu16(_mm_and_si128(laid, _mm_set1_epi32(0x0fc0fc00)), _mm_set1_epi32(0x04000040));
    const __m128i second_and_fourth =
        _mm_mullo_epi16(_mm_and_si128(laid, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
    return _mm_or_si128(first_and_third, second_and_fourth);
}

/* Letters, digits and signs each lie at a distance of their own from their values: 0 for A to Z, 1 for a to
 * z, 2 to 11 for the digits, 12 and 13 for the signs. */
static WITH_SSSE3 __m128i characters_of_values(__m128i values)
{
    const __m128i distances =
        _mm_setr_epi8('A', 'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                      '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 0, 0);
    const __m128i behind_letters = _mm_subs_epu8(values, _mm_set1_epi8(51));
    const __m128i is_no_capital = _mm_cmpgt_epi8(values, _mm_set1_epi8(25)); /* as -1 */
    return _mm_add_epi8(values, _mm_shuffle_epi8(distances, _mm_sub_epi8(behind_letters, is_no_capital)));
}

static WITH_SSSE3 size_t encode(const uint8_t *data, size_t len, uint8_t *out)
{
    size_t at = 0;
    for (; at + STEP_BYTES + SPARE_BYTES <= len; at += STEP_BYTES, out += STEP_CHARACTERS)
        store(out, characters_of_values(values_of_bytes(load(data + at))));
    return at;
}

/* False when one of the sixteen is no character of the alphabet. Both halves of a byte look up a set of bits;
 * for one of the alphabet the sets have none in common. */
static WITH_SSSE3 bool values_of_characters(__m128i characters, __m128i *out)
{
    const __m128i of_low = _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13,
                                         0x1a, 0x1b, 0x1b, 0x1b, 0x1a);
    const __m128i of_high = _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10,
                                          0x10, 0x10, 0x10, 0x10, 0x10);
    const __m128i distances = _mm_setr_epi8(0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a',
                                            0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i half = _mm_set1_epi8(0x0f);
    const __m128i high = _mm_and_si128(_mm_srli_epi32(characters, 4), half);
    const __m128i low = _mm_and_si128(characters, half);
    const __m128i wrong = _mm_and_si128(_mm_shuffle_epi8(of_low, low), _mm_shuffle_epi8(of_high, high));
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(wrong, _mm_setzero_si128())) != 0xffff)
        return false;
    const __m128i is_slash = _mm_cmpeq_epi8(characters, _mm_set1_epi8('/')); /* as -1 */
    *out = _mm_add_epi8(characters, _mm_shuffle_epi8(distances, _mm_add_epi8(is_slash, high)));
    return true;
}

/* Sixteen values of six bits to twelve bytes: pairs, then fours are joined, and the gaps are left out. */
static WITH_SSSE3 __m128i bytes_of_values(__m128i values)
{
    const __m128i pairs = _mm_maddubs_epi16(values, _mm_set1_epi32(0x01400140));
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00011000));
    return _mm_shuffle_epi8(fours, _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
}

static WITH_SSSE3 size_t decode(const uint8_t *text, size_t len, uint8_t *out)
{
    size_t at = 0;
    __m128i values;
    for (; at + STEP_CHARACTERS + SPARE_CHARACTERS <= len; at += STEP_CHARACTERS, out += STEP_BYTES) {
        if (!values_of_characters(load(text + at), &values))
            break;
        store(out, bytes_of_values(values));
    }
    return at;
}

size_t base64_wide_encode(const uint8_t *data, size_t len, uint8_t *out)
{
    return can() ? encode(data, len, out) : 0;
}

size_t base64_wide_read(const uint8_t *text, size_t len, uint8_t *out)
{
    return can() ? decode(text, len, out) : 0;
}

#else

size_t base64_wide_encode(const uint8_t *data, size_t len, uint8_t *out)
{
    (void)data;
    (void)len;
    (void)out;
    return 0;
}

size_t base64_wide_read(const uint8_t *text, size_t len, uint8_t *out)
{
    (void)text;
    (void)len;
    (void)out;
    return 0;
}

#endif
