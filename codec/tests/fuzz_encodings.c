/* Any bytes as what texts are written in: base64, percent-escapes, a request's head; and as a text that holds
 * a secret. The first byte says which. There and back is the same, and spans lie within what was read. */
#include <stdlib.h>

#include "codec/wire/base64.h"
#include "codec/wire/http_head.h"
#include "codec/wire/secret.h"
#include "codec/wire/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { KINDS = 4, ESCAPE_BYTES = 3 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void base64_there_and_back(struct bytes data)
{
    struct buffer text, back;
    buffer_init(&text, 2 * data.len + 4);
    buffer_init(&back, 2 * data.len + 4);
    check(base64_encode(data, &text) && base64_decode(buffer_bytes(&text), &back));
    check(bytes_equal(buffer_bytes(&back), data));
    buffer_clear(&text);
    buffer_clear(&back);
    if (base64_decode(data, &back)) /* only what is canonical is read */
        check(base64_encode(buffer_bytes(&back), &text) && bytes_equal(buffer_bytes(&text), data));
    buffer_free(&text);
    buffer_free(&back);
}

static void percent_there_and_back(struct bytes data)
{
    const size_t capacity = data.len * ESCAPE_BYTES + 1;
    char *value = calloc(data.len + 1, 1), *encoded = malloc(capacity);
    uint8_t *decoded = malloc(capacity);
    size_t len = 0;
    check(value != NULL && encoded != NULL && decoded != NULL);
    if (data.len > 0)
        memcpy(value, data.data, data.len);
    struct text text = text_of(encoded, capacity);
    percent_encode(&text, value);
    check(!text.cut && percent_encoding_is_clean(bytes_of_text(encoded)));
    check(percent_decode(bytes_of_text(encoded), decoded, &len));
    check(bytes_equal(bytes_of(decoded, len), bytes_of_text(value)));
    if (percent_decode(data, decoded, &len))
        check(len <= data.len);
    if (form_decode(data, decoded, &len))
        check(len <= data.len);
    free(value);
    free(encoded);
    free(decoded);
}

static void lies_within(struct bytes span, struct bytes whole)
{
    check(span.len == 0 || (span.data >= whole.data && span.data + span.len <= whole.data + whole.len));
}

static void head_read(struct bytes data)
{
    struct http_head head;
    if (!http_head_parse(data, &head))
        return;
    lies_within(head.method, data);
    lies_within(head.path, head.target);
    lies_within(head.query, head.target);
    check(head.header_count <= HTTP_HEADERS_MAX);
    for (size_t i = 0; i < head.header_count; i++) {
        lies_within(head.headers[i].name, data);
        lies_within(head.headers[i].value, data);
    }
}

/* Its first bytes are the secret, up to where they say; the rest is the text. */
static void secret_hidden(struct bytes data)
{
    struct buffer masked;
    size_t at, len;
    if (data.len < 2)
        return;
    const size_t own = data.data[0] % (data.len - 1) + 1;
    const struct bytes secret = bytes_of(data.data + 1, own < data.len ? own : data.len - 1);
    const struct bytes text = bytes_behind(data, 1 + secret.len);
    const struct secrets secrets = {.key = secret};
    buffer_init(&masked, data.len + 1);
    check(secrets_mask(text, &secrets, &masked) && masked.len == text.len);
    if (secret.data[0] != '*') /* one that stars begin comes about anew */
        check(memchr(secret.data, '*', secret.len) != NULL ||
              !secret_find(buffer_bytes(&masked), secret, &at, &len));
    if (secret_find(text, secret, &at, &len))
        check(len > 0 && at + len <= text.len);
    buffer_free(&masked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static void (*const kinds[KINDS])(struct bytes) = {base64_there_and_back, percent_there_and_back,
                                                       head_read, secret_hidden};
    if (len > 0)
        kinds[data[0] % KINDS](bytes_of(data + 1, len - 1));
    return 0;
}
