#include "packages/c/codec_parts.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)OJIN_CODEC_FAULTS_MAX == (int)JSON_FAULTS_MAX, "all that are kept are told");

void codec_faults_tell(const struct json_faults *faults, char sentences[][OJIN_CODEC_ERROR_MAX],
                       const char *kept[OJIN_CODEC_FAULTS_MAX])
{
    for (size_t i = 0; i < faults->count && i < OJIN_CODEC_FAULTS_MAX; i++) {
        struct text text = text_of(sentences[i], OJIN_CODEC_ERROR_MAX);
        json_fault_write(&text, &faults->list[i]);
        kept[i] = sentences[i];
    }
}

char *codec_text_take(struct buffer *buffer, bool good, size_t *len)
{
    if (good && buffer_append(buffer, bytes_of("", 1))) {
        *len = buffer->len - 1;
        return (char *)buffer->data;
    }
    buffer_free(buffer);
    return NULL;
}

void ojin_codec_text_free(char *text)
{
    free(text);
}
