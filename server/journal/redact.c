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
    struct bytes found;
    size_t at;
    size_t len;
    while (secrets_find(text, secrets, &found, &at, &len)) {
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
    size_t at;
    size_t len;
    if (secret_find(value, key, &at, &len))
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
    if (!buffer_append(out, name) || !append_text(out, "="))
        return false;
    if (secret_name(name) || (key.len > 0 && decodes_to(value, key)))
        return append_secret(value, key, out);
    return redact_key(value, key, out);
}

/* The request line: METHOD SP path ? parameters SP version. */
static bool append_request_line(struct bytes line, struct bytes key, struct buffer *out)
{
    const size_t query = bytes_find_byte(line, '?');
    if (query == line.len)
        return redact_key(line, key, out);
    if (!redact_key(bytes_of(line.data, query), key, out) || !append_text(out, "?"))
        return false;
    struct bytes rest = bytes_after(line, query + 1);
    const size_t end = bytes_find_byte(rest, ' ');
    struct bytes parameters = bytes_of(rest.data, end);
    for (;;) {
        const size_t len = bytes_find_byte(parameters, '&');
        if (!append_parameter(bytes_of(parameters.data, len), key, out))
            return false;
        if (len == parameters.len)
            break;
        if (!append_text(out, "&"))
            return false;
        parameters = bytes_after(parameters, len + 1);
    }
    return buffer_append(out, bytes_after(rest, end));
}

static bool append_header_line(struct bytes line, struct bytes key, struct buffer *out)
{
    const size_t colon = bytes_find_byte(line, ':');
    const struct bytes name = bytes_of(line.data, colon);
    const bool secret = colon < line.len && secret_name_contains(name, "authorization");
    if (!secret)
        return redact_key(line, key, out);
    size_t start = colon + 1;
    size_t end = line.len;
    while (start < end && (line.data[start] == ' ' || line.data[start] == '\t'))
        start++;
    while (end > start &&
           (line.data[end - 1] == '\r' || line.data[end - 1] == ' ' || line.data[end - 1] == '\t'))
        end--;
    return buffer_append(out, bytes_of(line.data, start)) &&
           append_authorization(bytes_of(line.data + start, end - start), key, out) &&
           buffer_append(out, bytes_after(line, end));
}

bool request_secrets(struct bytes request, struct bytes key, struct buffer *out)
{
    struct http_head head;
    struct bytes value;
    if (!http_head_parse(request, &head))
        return true;
    return (!http_head_header(&head, "Authorization", 0, &value) ||
            secrets_add(authorization_of(value).secret, key, out)) &&
           secrets_of_query(head.query, key, out);
}

bool redact_head(struct bytes head, struct bytes key, struct buffer *out)
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
        bytes_max + 6 * (secrets.key.len > secrets.others.len ? secrets.key.len : secrets.others.len);
    bool done;
    if (is_head)
        done = redact_head(wire->data, entry->key, out);
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
