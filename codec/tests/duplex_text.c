#include "codec/tests/duplex_text.h"

#include "codec/wire/base64.h"

bool duplex_test_picture(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    (void)context;
    *width = 640;
    *height = 480;
    return jpeg.len == 4 && memcmp(jpeg.data, "\xff\xd8\xff\xd9", 4) == 0;
}

static void add_samples(struct buffer *out, size_t count)
{
    uint8_t *pcm = malloc(count * FLOAT32_BYTES + 1);
    if (pcm == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        float32_put(pcm + i * FLOAT32_BYTES, (float)(i % 64) / 64);
    if (!base64_encode(bytes_of(pcm, count * FLOAT32_BYTES), out))
        abort();
    free(pcm);
}

struct exact_copy duplex_test_text(const char *text)
{
    struct buffer out;
    buffer_init(&out, 64 * 1024 * 1024);
    while (*text != '\0') {
        const size_t len = strcspn(text, "@");
        if (!buffer_append(&out, bytes_of(text, len)))
            abort();
        text += len;
        if (*text == '@') {
            char *end;
            add_samples(&out, strtoul(text + 1, &end, 10));
            text = end;
        }
    }
    struct exact_copy copy = exact_copy_of(buffer_bytes(&out));
    buffer_free(&out);
    return copy;
}
