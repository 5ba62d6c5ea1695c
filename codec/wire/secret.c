#include "codec/wire/secret.h"

#include <ctype.h>

#include "codec/wire/http_head.h"

static int hex_of(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Two hex digits at `at` as a byte; -1 when they are none. */
static int hex_pair(struct bytes text, size_t at)
{
    if (text.len < 2 || at > text.len - 2)
        return -1;
    const int high = hex_of(text.data[at]);
    const int low = hex_of(text.data[at + 1]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* How many bytes an escape of `byte` at the start of `text` takes; 0 when there is none. */
static size_t escape_of(struct bytes text, uint8_t byte)
{
    if (text.len < 2)
        return 0;
    if (text.data[0] == '%')
        return hex_pair(text, 1) == byte ? 3 : 0;
    if (text.data[0] != '\\')
        return 0;
    if (text.data[1] == 'u')
        return byte < 0x80 && hex_pair(text, 2) == 0 && hex_pair(text, 4) == byte ? 6 : 0;
    if (text.data[1] == 'x' && hex_pair(text, 2) == byte)
        return 4;
    return text.data[1] == byte && (byte == '"' || byte == '\\' || byte == '/') ? 2 : 0;
}

/* How much of the text's first `at` bytes stands in front of a cut: at its end, or of dots; 0: it is not cut
 * there. The last of them may be a dot of the three. */
static size_t cut_of(struct bytes text, size_t at)
{
    if (at == text.len)
        return at;
    while (at > 0 && text.data[at - 1] == '.')
        at--;
    return text.len - at >= 3 && memcmp(text.data + at, "...", 3) == 0 ? at : 0;
}

/* How many bytes at the start of `text` spell the secret, or with `cut` its beginning; 0 when they do not.
 * Adds what that cost to *steps. */
static size_t spelled(struct bytes text, struct bytes secret, bool cut, uint64_t *steps)
{
    *steps += 1;
    if (secret.len <= text.len && text.data[0] == secret.data[0] &&
        memcmp(text.data, secret.data, secret.len) == 0)
        return secret.len;
    size_t at = 0;
    for (size_t i = 0; i < secret.len; i++) {
        size_t len = at == text.len ? 0 : escape_of(bytes_of(text.data + at, text.len - at), secret.data[i]);
        if (len == 0 && at < text.len && text.data[at] == secret.data[i])
            len = 1;
        if (len == 0)
            return cut && i >= SECRET_BYTES_MIN ? cut_of(text, at) : 0;
        at += len;
        *steps += 1;
    }
    return at;
}

/* ---- in hex and in base64 ---- */

enum { BITS_A_DIGIT = 6, HEX_BITS = 4, BYTE_BITS = 8, ALIGNMENTS = 3 /* of base64: bytes in front */ };

/* The value of a base64 digit of either alphabet; -1 for what is none. */
static int base64_of(int c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* A spelling of the secret in digits of some bits each; of those at its ends only what it alone decides. */
struct coding {
    unsigned bits;
    size_t first; /* the bit of the secret with which its first whole digit begins */
    size_t count; /* of whole digits */
};

static struct coding hex_coding(size_t len)
{
    return (struct coding){.bits = HEX_BITS, .count = 2 * len};
}

/* With as many bytes in front of it, in the same three. */
static struct coding base64_coding(size_t len, size_t in_front)
{
    const size_t first = (BYTE_BITS * in_front + BITS_A_DIGIT - 1) / BITS_A_DIGIT;
    return (struct coding){.bits = BITS_A_DIGIT,
                           .first = first * BITS_A_DIGIT - BYTE_BITS * in_front,
                           .count = BYTE_BITS * (in_front + len) / BITS_A_DIGIT - first};
}

static unsigned digit_of(struct bytes secret, const struct coding *coding, size_t n)
{
    const size_t bit = coding->first + n * coding->bits, byte = bit / BYTE_BITS;
    const unsigned low = byte + 1 < secret.len ? secret.data[byte + 1] : 0;
    const unsigned both = (unsigned)secret.data[byte] << BYTE_BITS | low;
    return both >> (2 * BYTE_BITS - coding->bits - bit % BYTE_BITS) & ((1u << coding->bits) - 1);
}

/* The digit at `at`, itself or escaped; *len: how many bytes it takes. -1: there is none. */
static int digit_read(struct bytes text, size_t at, unsigned bits, size_t *len)
{
    int c = at < text.len ? text.data[at] : -1;
    *len = 1;
    if (c == '%') {
        c = hex_pair(text, at + 1);
        *len = 3;
    } else if (c == '\\' && at + 1 < text.len && text.data[at + 1] == '/') {
        c = '/';
        *len = 2;
    }
    return c < 0 ? -1 : bits == HEX_BITS ? hex_of((uint8_t)c) : base64_of(c);
}

/* How many bytes at the start of `text` spell it so, or with `cut` its beginning; 0 when they do not. */
static size_t coded(struct bytes text, struct bytes secret, const struct coding *coding, bool cut,
                    uint64_t *steps)
{
    size_t at = 0, len = 0;
    for (size_t n = 0; n < coding->count; n++, at += len) {
        *steps += 1;
        if (digit_read(text, at, coding->bits, &len) != (int)digit_of(secret, coding, n))
            return cut && n * coding->bits >= (size_t)SECRET_BYTES_MIN * BYTE_BITS ? cut_of(text, at) : 0;
    }
    return at;
}

/* ---- anywhere ---- */

static void begins_with(struct secret_search *search, uint8_t byte, size_t spelling)
{
    search->begins[byte] |= (uint8_t)(1u << spelling);
}

static struct coding coding_of(size_t spelling, size_t secret_len)
{
    return spelling == 1 ? hex_coding(secret_len) : base64_coding(secret_len, spelling - 2);
}

/* Of each byte, the spellings that may begin with it: 0 is the secret itself, the others are in digits. */
static void search_init(struct secret_search *search, struct bytes secret)
{
    memset(search, 0, sizeof *search);
    search->secret = secret;
    begins_with(search, secret.data[0], 0);
    begins_with(search, '%', 0);
    begins_with(search, '\\', 0);
    if (secret.len < SECRET_BYTES_MIN)
        return;
    for (size_t spelling = 1; spelling <= ALIGNMENTS + 1; spelling++) {
        const struct coding coding = coding_of(spelling, secret.len);
        const int first = (int)digit_of(secret, &coding, 0);
        for (int c = 0; c < SECRETS_BYTE_VALUES; c++)
            if ((coding.bits == HEX_BITS ? hex_of((uint8_t)c) : base64_of(c)) == first)
                begins_with(search, (uint8_t)c, spelling);
        begins_with(search, '%', spelling);
        if (coding.bits != HEX_BITS)
            begins_with(search, '\\', spelling); /* of an escaped '/' */
    }
}

static size_t spelled_anyhow(const struct secret_search *search, struct bytes text, bool cut, uint64_t *steps)
{
    const struct bytes secret = search->secret;
    unsigned left = search->begins[text.data[0]];
    size_t len = 0;
    for (size_t spelling = 0; len == 0 && left != 0; spelling++, left >>= 1) {
        if ((left & 1) == 0)
            continue;
        const struct coding coding = spelling == 0 ? (struct coding){0} : coding_of(spelling, secret.len);
        len = spelling == 0 ? spelled(text, secret, cut, steps) : coded(text, secret, &coding, cut, steps);
    }
    return len;
}

bool secret_find(struct bytes text, struct bytes secret, size_t *at, size_t *len)
{
    struct secret_search search;
    uint64_t steps = 0;
    if (secret.len == 0 || text.len < secret.len)
        return false;
    search_init(&search, secret);
    for (size_t i = 0; i < text.len && secret.len <= text.len - i; i++) {
        if (search.begins[text.data[i]] == 0)
            continue;
        *len = spelled_anyhow(&search, bytes_of(text.data + i, text.len - i), false, &steps);
        *at = i;
        if (*len > 0)
            return true;
    }
    return false;
}

/* ---- several ---- */

bool secrets_add(struct bytes value, struct bytes key, struct buffer *others)
{
    uint8_t *at = buffer_reserve(others, value.len + 1);
    size_t len = 0;
    if (at == NULL)
        return false;
    if (!percent_decode(value, at, &len)) {
        memcpy(at, value.data, value.len);
        len = value.len;
    }
    if (len < SECRET_BYTES_MIN || memchr(at, 0, len) != NULL || bytes_equal(bytes_of(at, len), key))
        return true;
    at[len] = '\0';
    others->len += len + 1;
    return true;
}

bool secret_name_contains(struct bytes name, const char *word)
{
    const size_t len = strlen(word);
    for (size_t i = 0; len <= name.len && i <= name.len - len; i++) {
        size_t same = 0;
        while (same < len && tolower(name.data[i + same]) == word[same])
            same++;
        if (same == len)
            return true;
    }
    return false;
}

bool secret_name(struct bytes name)
{
    static const char *const words[] = {"key", "token", "secret", "auth", "password", "credential", "jwt"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (secret_name_contains(name, words[i]))
            return true;
    }
    return false;
}

bool secrets_of_query(struct bytes query, struct bytes key, struct buffer *others)
{
    for (size_t n = 0; query.len > 0 && n < SECRETS_OF_QUERY_MAX; n++) {
        const size_t len = bytes_find_byte(query, '&');
        const struct bytes name = bytes_of(query.data, bytes_find_byte(bytes_of(query.data, len), '='));
        if (name.len < len && secret_name(name) &&
            !secrets_add(bytes_of(query.data + name.len + 1, len - name.len - 1), key, others))
            return false;
        const size_t taken = len < query.len ? len + 1 : len;
        query = bytes_of(query.data + taken, query.len - taken);
    }
    return true;
}

static void scan_add(struct secrets_scan *scan, struct bytes secret)
{
    if (secret.len == 0)
        return;
    if (scan->count == SECRETS_MAX) {
        scan->too_many = true;
        return;
    }
    search_init(&scan->of[scan->count], secret);
    for (size_t c = 0; c < SECRETS_BYTE_VALUES; c++)
        if (scan->of[scan->count].begins[c] != 0)
            scan->begins[c] |= (uint64_t)1 << scan->count;
    const size_t least = scan->cut && secret.len > SECRET_BYTES_MIN ? SECRET_BYTES_MIN : secret.len;
    scan->least = scan->count == 0 || least < scan->least ? least : scan->least;
    scan->count++;
}

void secrets_scan_init(struct secrets_scan *scan, const struct secrets *secrets, size_t bytes)
{
    struct bytes others = secrets->others;
    scan->count = scan->least = 0;
    scan->cut = secrets->cut;
    scan->too_many = false;
    scan->steps_left = SECRETS_STEPS_MIN + (uint64_t)SECRETS_STEPS_A_BYTE * bytes;
    memset(scan->begins, 0, sizeof scan->begins);
    scan_add(scan, secrets->key);
    while (others.len > 0) {
        const struct bytes secret = bytes_of(others.data, bytes_find_byte(others, '\0'));
        scan_add(scan, secret);
        others = bytes_of(others.data + secret.len + 1, others.len - secret.len - 1);
    }
}

/* The longest of those that `text` begins with; 0: none of them. */
static size_t scan_here(struct secrets_scan *scan, struct bytes text, struct bytes *found)
{
    size_t longest = 0;
    uint64_t left = scan->begins[text.data[0]];
    for (size_t n = 0; left != 0; n++, left >>= 1) {
        uint64_t steps = 0;
        if ((left & 1) == 0)
            continue;
        const size_t len = spelled_anyhow(&scan->of[n], text, scan->cut, &steps);
        if (len > longest) {
            longest = len;
            *found = scan->of[n].secret;
        }
        scan->steps_left -= steps < scan->steps_left ? steps : scan->steps_left;
    }
    return longest;
}

bool secrets_scan_next(struct secrets_scan *scan, struct bytes text, struct bytes *found, size_t *at,
                       size_t *len)
{
    *len = 0;
    if (scan->count == 0)
        return false;
    for (size_t i = 0; i < text.len && scan->least <= text.len - i; i++) {
        *at = i;
        if (scan->too_many || scan->steps_left == 0) {
            *found = scan->of[0].secret;
            *len = text.len - i;
            return true;
        }
        if (scan->begins[text.data[i]] != 0 &&
            (*len = scan_here(scan, bytes_of(text.data + i, text.len - i), found)) > 0)
            return true;
    }
    return false;
}

bool secrets_mask(struct bytes data, const struct secrets *secrets, struct buffer *out)
{
    struct secrets_scan scan;
    struct bytes found;
    size_t at;
    size_t len;
    if (!buffer_append(out, data))
        return false;
    secrets_scan_init(&scan, secrets, data.len);
    while (secrets_scan_next(&scan, data, &found, &at, &len)) {
        memset(out->data + (out->len - data.len) + at, '*', len);
        data = bytes_of(data.data + at + len, data.len - at - len);
    }
    return true;
}

struct bytes secret_masked(struct bytes data, struct bytes key, struct bytes others, struct buffer *room)
{
    const struct secrets secrets = {
        .key = key.len < SECRET_BYTES_MIN ? (struct bytes){0} : key, .others = others, .cut = true};
    struct secrets_scan scan;
    struct bytes found;
    size_t at;
    size_t len;
    secrets_scan_init(&scan, &secrets, data.len);
    if (!secrets_scan_next(&scan, data, &found, &at, &len))
        return data;
    buffer_clear(room);
    return secrets_mask(data, &secrets, room) ? buffer_bytes(room) : (struct bytes){0};
}
