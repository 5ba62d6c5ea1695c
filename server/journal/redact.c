/*
 * Keeping the API key out of what is written. In a request head the key becomes "{key}", wherever it stands;
 * any other value of Authorization, or of a query parameter whose name speaks of a key, a token or a secret,
 * becomes "{other:HASH}", so that two of them can be told apart and none can be used. An unknown word in
 * front of one becomes "{scheme}". In texts the same is done to whatever the connection's request brought as
 * a secret: a server may quote it.
 */
#include <openssl/sha.h>
#include <stdlib.h>

#include "codec/wire/authorization.h"
#include "codec/wire/base64.h"
#include "codec/wire/http_head.h"
#include "codec/wire/secret.h"
#include "server/journal/journal_lines.h"

enum { HASH_BYTES_SHOWN = 4 };

static const char KEY_MARK[] = "{key}";

bool redact_replace(struct bytes text, struct bytes find, struct bytes with, struct buffer *out)
{
    size_t kept = 0;
    for (size_t i = 0; find.len > 0 && find.len <= text.len && i <= text.len - find.len;) {
        if (memcmp(text.data + i, find.data, find.len) != 0) {
            i++;
            continue;
        }
        if (!buffer_append(out, bytes_of(text.data + kept, i - kept)) || !buffer_append(out, with))
            return false;
        i += find.len;
        kept = i;
    }
    return kept == text.len || buffer_append(out, bytes_of(text.data + kept, text.len - kept));
}

static bool append_text(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

static bool append_hash(struct bytes value, struct buffer *out)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t hash[SHA256_DIGEST_LENGTH];
    char hex[2 * HASH_BYTES_SHOWN + 1] = {0};
    (void)SHA256(value.data, value.len, hash);
    for (size_t i = 0; i < HASH_BYTES_SHOWN; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    return append_text(out, "{other:") && append_text(out, hex) && append_text(out, "}");
}

bool redact_secrets(struct bytes text, const struct secrets *secrets, struct buffer *out)
{
    const struct bytes key = secrets->key;
    struct secrets_scan scan;
    struct bytes found;
    size_t at;
    size_t len;
    secrets_scan_init(&scan, secrets, text.len);
    while (secrets_scan_next(&scan, text, &found, &at, &len)) {
        const bool is_key = key.len == 0 || bytes_equal(found, key);
        if (!buffer_append(out, bytes_of(text.data, at)) ||
            !(is_key ? append_text(out, KEY_MARK) : append_hash(found, out)))
            return false;
        text = bytes_of(text.data + at + len, text.len - at - len);
    }
    return text.len == 0 || buffer_append(out, text);
}

static bool redact_key(struct bytes text, struct bytes key, struct buffer *out)
{
    return redact_secrets(text, &(struct secrets){.key = key}, out);
}

static bool decodes_to(struct bytes value, struct bytes key)
{
    uint8_t *decoded = malloc(value.len > 0 ? value.len : 1);
    size_t len = 0;
    if (decoded == NULL)
        return false;
    const bool equal = percent_decode(value, decoded, &len) && bytes_equal(bytes_of(decoded, len), key);
    free(decoded);
    return equal;
}

/* A secret by itself: the key, something that holds the key, or another. */
static bool append_secret(struct bytes value, struct bytes key, struct buffer *out)
{
    if (value.len == 0)
        return true;
    if (key.len == 0 || decodes_to(value, key))
        return append_text(out, KEY_MARK);
    struct secrets_scan scan;
    struct bytes found;
    size_t at;
    size_t len;
    secrets_scan_init(&scan, &(struct secrets){.key = key}, value.len);
    if (secrets_scan_next(&scan, value, &found, &at, &len))
        return redact_key(value, key, out);
    return append_hash(value, out);
}

static struct bytes bytes_after(struct bytes text, size_t n)
{
    return bytes_of(text.data + n, text.len - n);
}

/* "Bearer XYZ": the scheme, or that there is one, stays to be judged. */
static bool append_authorization(struct bytes value, struct bytes key, struct buffer *out)
{
    const struct authorization read = authorization_of(value);
    if (bytes_equal(value, key) || read.word.len == 0)
        return append_secret(value, key, out);
    return (read.scheme != NULL ? buffer_append(out, read.word) : append_text(out, "{scheme}")) &&
           buffer_append(out, read.blanks) && append_secret(read.secret, key, out);
}

static bool append_parameter(struct bytes parameter, struct bytes key, struct buffer *out)
{
    const size_t equals = bytes_find_byte(parameter, '=');
    const struct bytes name = bytes_of(parameter.data, equals);
    if (equals == parameter.len)
        return redact_key(parameter, key, out);
    const struct bytes value = bytes_after(parameter, equals + 1);
    if (!redact_key(name, key, out) || !append_text(out, "="))
        return false;
    if (secret_name(name) || (key.len > 0 && decodes_to(value, key)))
        return append_secret(value, key, out);
    return redact_key(value, key, out);
}

/* What a request line is made of, whole or not: words, and parameters after the first '?' or blank. */
static bool is_between(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '?' || c == '&' || c == ';' || c == '#';
}

/* The request line: METHOD SP path ? parameters SP version; where it is none, parameters wherever they stand.
 */
static bool append_request_line(struct bytes line, struct bytes key, struct buffer *out)
{
    size_t begin = 0;
    for (size_t i = 0; i <= line.len; i++) {
        if (i < line.len && !is_between(line.data[i]))
            continue;
        if (!append_parameter(bytes_of(line.data + begin, i - begin), key, out) ||
            (i < line.len && !buffer_append(out, bytes_of(line.data + i, 1))))
            return false;
        begin = i + 1;
    }
    return true;
}

/* ---- headers that hold secrets ---- */

enum header_secret {
    HEADER_PLAIN,         /* none but the key, should it stand there */
    HEADER_AUTHORIZATION, /* a scheme and a secret */
    HEADER_WHOLE,         /* all of it: X-Api-Key */
    HEADER_COOKIES,       /* what is after each '=' */
    HEADER_SUBPROTOCOLS   /* a name that speaks of a secret, and what is behind it: some clients have no other
                             way */
};

static bool is_named(struct bytes name, const char *word)
{
    return name.len == strlen(word) && secret_name_contains(name, word);
}

static enum header_secret header_secret_of(struct bytes name)
{
    if (is_named(name, "sec-websocket-key") || is_named(name, "www-authenticate"))
        return HEADER_PLAIN;
    if (is_named(name, "sec-websocket-protocol"))
        return HEADER_SUBPROTOCOLS;
    if (is_named(name, "cookie") || is_named(name, "cookie2"))
        return HEADER_COOKIES;
    if (secret_name_contains(name, "authorization"))
        return HEADER_AUTHORIZATION;
    return secret_name(name) ? HEADER_WHOLE : HEADER_PLAIN;
}

/* One that is not the place for a server's key: where that is not known, it is none. */
static bool append_other(struct bytes value, struct bytes key, struct buffer *out)
{
    return key.len > 0 || value.len == 0 ? append_secret(value, key, out) : append_hash(value, out);
}

/* A part of a cookie or subprotocol header: up to the next separator, and without the blanks around it. */
struct part {
    struct bytes before, text, after; /* `after` begins with the separator; empty at the end */
};

static struct part part_of(struct bytes value, uint8_t separator)
{
    const size_t len = bytes_find_byte(value, separator);
    size_t start = 0;
    size_t end = len;
    while (start < end && (value.data[start] == ' ' || value.data[start] == '\t'))
        start++;
    while (end > start && (value.data[end - 1] == ' ' || value.data[end - 1] == '\t'))
        end--;
    return (struct part){.before = bytes_of(value.data, start),
                         .text = bytes_of(value.data + start, end - start),
                         .after = bytes_after(value, end)};
}

/* How much of a cookie is its name and '='; 0 where nothing is behind that: then all of it may be the secret.
 */
static size_t cookie_name(struct bytes cookie)
{
    const size_t equals = bytes_find_byte(cookie, '=');
    size_t end = cookie.len;
    while (end > equals && cookie.data[end - 1] == '=') /* the end of base64 */
        end--;
    return equals + 1 < end ? equals + 1 : 0;
}

static bool append_cookies(struct bytes value, struct bytes key, struct buffer *out)
{
    while (value.len > 0) {
        const struct part part = part_of(value, ';');
        const size_t name = cookie_name(part.text);
        if (!buffer_append(out, part.before) || !redact_key(bytes_of(part.text.data, name), key, out) ||
            !append_other(bytes_after(part.text, name), key, out))
            return false;
        const size_t separator = bytes_find_byte(part.after, ';');
        const size_t taken = separator < part.after.len ? separator + 1 : separator;
        if (!buffer_append(out, bytes_of(part.after.data, taken)))
            return false;
        value = bytes_after(part.after, taken);
    }
    return true;
}

/* Is it one of a server's names, and none that carries something? */
static bool is_plain_subprotocol(struct bytes name)
{
    enum { NAME_MAX_PLAIN = 24 };
    return name.len <= NAME_MAX_PLAIN && !secret_name(name) && !secret_name_contains(name, "bearer");
}

static bool append_subprotocols(struct bytes value, struct bytes key, struct buffer *out)
{
    bool behind_secret = false;
    while (value.len > 0) {
        const struct part part = part_of(value, ',');
        const bool plain = !behind_secret && is_plain_subprotocol(part.text);
        behind_secret = behind_secret || !plain;
        if (!buffer_append(out, part.before) ||
            !(plain ? redact_key(part.text, key, out) : append_other(part.text, key, out)))
            return false;
        const size_t separator = bytes_find_byte(part.after, ',');
        const size_t taken = separator < part.after.len ? separator + 1 : separator;
        if (!buffer_append(out, bytes_of(part.after.data, taken)))
            return false;
        value = bytes_after(part.after, taken);
    }
    return true;
}

static bool append_header_value(enum header_secret kind, struct bytes value, struct bytes key,
                                struct buffer *out)
{
    switch (kind) {
    case HEADER_PLAIN:
        return redact_key(value, key, out);
    case HEADER_AUTHORIZATION:
        return append_authorization(value, key, out);
    case HEADER_WHOLE:
        return append_other(value, key, out);
    case HEADER_COOKIES:
        return append_cookies(value, key, out);
    case HEADER_SUBPROTOCOLS:
        return append_subprotocols(value, key, out);
    }
    return false;
}

static bool append_header_line(struct bytes line, struct bytes key, struct buffer *out)
{
    const size_t colon = bytes_find_byte(line, ':');
    const struct bytes name = bytes_of(line.data, colon);
    const enum header_secret kind = colon < line.len ? header_secret_of(name) : HEADER_PLAIN;
    if (kind == HEADER_PLAIN)
        return redact_key(line, key, out);
    size_t start = colon + 1;
    size_t end = line.len;
    while (start < end && (line.data[start] == ' ' || line.data[start] == '\t'))
        start++;
    while (end > start &&
           (line.data[end - 1] == '\r' || line.data[end - 1] == ' ' || line.data[end - 1] == '\t'))
        end--;
    return buffer_append(out, bytes_of(line.data, start)) &&
           append_header_value(kind, bytes_of(line.data + start, end - start), key, out) &&
           buffer_append(out, bytes_after(line, end));
}

/* ---- what a head holds of them ---- */

/* The values of cookies, or of subprotocols that carry something. */
static bool secrets_of_parts(struct bytes value, uint8_t separator, struct bytes key, struct buffer *out)
{
    bool behind_secret = false;
    while (value.len > 0) {
        const struct part part = part_of(value, separator);
        const struct bytes secret = bytes_after(part.text, separator == ';' ? cookie_name(part.text) : 0);
        behind_secret = behind_secret || separator == ';' || !is_plain_subprotocol(part.text);
        if (behind_secret && !secrets_add(secret, key, out))
            return false;
        const size_t at = bytes_find_byte(part.after, separator);
        value = bytes_after(part.after, at < part.after.len ? at + 1 : at);
    }
    return true;
}

/* user:password, of which a text may say the password alone. */
static bool secrets_of_basic(struct bytes encoded, struct bytes key, struct buffer *out)
{
    struct buffer decoded;
    buffer_init(&decoded, encoded.len + 1);
    bool good = true;
    if (base64_decode(encoded, &decoded)) {
        const struct bytes pair = buffer_bytes(&decoded);
        const size_t colon = bytes_find_byte(pair, ':');
        good = colon == pair.len || secrets_add(bytes_after(pair, colon + 1), key, out);
    }
    good = good && !decoded.no_memory;
    buffer_free(&decoded);
    return good;
}

static bool secrets_of_authorization(struct bytes value, struct bytes key, struct buffer *out)
{
    const struct authorization read = authorization_of(value);
    return secrets_add(read.secret, key, out) &&
           (!bytes_equal_text_ignoring_case(read.word, "Basic") || secrets_of_basic(read.secret, key, out));
}

static bool secrets_of_header(struct bytes name, struct bytes value, struct bytes key, struct buffer *out)
{
    switch (header_secret_of(name)) {
    case HEADER_PLAIN:
        return true;
    case HEADER_AUTHORIZATION:
        return secrets_of_authorization(value, key, out);
    case HEADER_WHOLE:
        return secrets_add(value, key, out);
    case HEADER_COOKIES:
        return secrets_of_parts(value, ';', key, out);
    case HEADER_SUBPROTOCOLS:
        return secrets_of_parts(value, ',', key, out);
    }
    return false;
}

bool request_secrets(struct bytes request, struct bytes key, struct buffer *out)
{
    struct bytes rest = request;
    bool first = true;
    while (rest.len > 0) {
        const size_t newline = bytes_find_byte(rest, '\n');
        const struct bytes line = bytes_of(rest.data, newline);
        const size_t colon = bytes_find_byte(line, ':');
        const size_t query = bytes_find_byte(line, '?');
        bool good = true;
        if (first && query < line.len) {
            const struct bytes after = bytes_after(line, query + 1);
            const size_t blank = bytes_find_byte(after, ' ');
            good = secrets_of_query(bytes_of(after.data, blank), key, out);
        } else if (!first && colon < line.len) {
            size_t begin = colon + 1;
            size_t end = line.len;
            while (begin < end && (line.data[begin] == ' ' || line.data[begin] == '\t'))
                begin++;
            while (end > begin && (line.data[end - 1] == '\r' || line.data[end - 1] == ' '))
                end--;
            good = secrets_of_header(bytes_of(line.data, colon), bytes_of(line.data + begin, end - begin),
                                     key, out);
        }
        if (!good)
            return false;
        first = false;
        rest = bytes_after(rest, newline < rest.len ? newline + 1 : newline);
    }
    return true;
}

/* By what each piece of the head is. */
static bool redact_pieces(struct bytes head, struct bytes key, struct buffer *out)
{
    bool first = true;
    while (head.len > 0) {
        const size_t newline = bytes_find_byte(head, '\n');
        const size_t taken = newline < head.len ? newline + 1 : newline;
        const struct bytes line = bytes_of(head.data, newline);
        const bool done = first ? append_request_line(line, key, out) : append_header_line(line, key, out);
        if (!done || (newline < head.len && !append_text(out, "\n")))
            return false;
        first = false;
        head = bytes_after(head, taken);
    }
    return true;
}

bool redact_head(struct bytes head, const struct journal_entry *entry, struct buffer *out)
{
    struct buffer pieces;
    const struct secrets secrets = journal_entry_secrets(entry);
    buffer_init(&pieces, JOURNAL_LINE_BYTES_MAX);
    /* Then wherever else one of them stands, across pieces and in those that nobody knows. */
    const bool good =
        redact_pieces(head, entry->key, &pieces) && redact_secrets(buffer_bytes(&pieces), &secrets, out);
    buffer_free(&pieces);
    return good;
}

struct secrets journal_entry_secrets(const struct journal_entry *entry)
{
    const struct bytes key = entry->key.len < REDACTED_KEY_BYTES_MIN ? (struct bytes){0} : entry->key;
    return (struct secrets){.key = key, .others = entry->others};
}

bool journal_told(const struct journal_entry *entry, struct bytes text, struct buffer *out)
{
    struct secrets secrets = journal_entry_secrets(entry);
    secrets.cut = true;
    return redact_secrets(text, &secrets, out);
}

bool journal_entry_shown(const struct journal_entry *entry, size_t bytes_max, struct buffer *out)
{
    const struct wire_event *wire = &entry->wire;
    const bool is_head = entry->kind == JOURNAL_WIRE && wire->kind == WIRE_EVENT_REQUEST;
    const bool is_text = !is_head && entry->kind != JOURNAL_TRANSPORT && wire->kind != WIRE_EVENT_BINARY;
    struct secrets secrets = journal_entry_secrets(entry);
    secrets.cut = wire->direction == WIRE_FROM_SERVER;
    const size_t begin = out->len;
    /* The longest spelling of a secret may begin before the cut. */
    const size_t looked_at =
        bytes_max +
        SECRET_SPELLING_MAX * (secrets.key.len > secrets.others.len ? secrets.key.len : secrets.others.len);
    bool done;
    if (is_head)
        done = redact_head(wire->data, entry, out);
    else if (is_text)
        done = redact_secrets(wire->data, &secrets, out);
    else
        done =
            secrets_mask(bytes_of(wire->data.data, wire->data.len < looked_at ? wire->data.len : looked_at),
                         &secrets, out);
    if (out->len - begin > bytes_max)
        out->len = begin + bytes_max;
    return done;
}
