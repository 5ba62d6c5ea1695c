#include "server/script/expand.h"

#include "codec/wire/uuid.h"

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* The reference after a "$" at `at`: its text goes to `out`. Returns the bytes it takes, 0 when unknown. */
static size_t expand_one(const char *at, const struct expand_source *source, struct text *out)
{
    static const char SUFFIX[] = ".interaction";
    size_t len = 0;
    while (is_name_byte(at[len]))
        len++;
    struct bytes name = bytes_of(at, len);
    if (at[0] == '$') {
        text_add(out, "$");
        return 1;
    }
    if (strncmp(at + len, SUFFIX, sizeof SUFFIX - 1) == 0) {
        uint8_t interaction[UUID_BYTES];
        if (!source->interaction(source->context, name, interaction))
            return 0;
        text_add_uuid(out, interaction);
        return len + sizeof SUFFIX - 1;
    }
    uint64_t counter = 0;
    if (!source->counter(source->context, name, &counter))
        return 0;
    text_add_u64(out, counter);
    return len;
}

bool expand_references(const char *value, const struct expand_source *source, struct buffer *out,
                       const char **unknown)
{
    *unknown = NULL;
    const char *at = value;
    for (const char *dollar = strchr(at, '$'); dollar != NULL; dollar = strchr(at, '$')) {
        char filled[UUID_TEXT_BYTES + 1];
        struct text text = text_of(filled, sizeof filled);
        size_t len = expand_one(dollar + 1, source, &text);
        if (len == 0) {
            *unknown = dollar;
            return false;
        }
        if (!buffer_append(out, bytes_of(at, (size_t)(dollar - at))) ||
            !buffer_append(out, bytes_of(filled, text.len)))
            return false;
        at = dollar + 1 + len;
    }
    return buffer_append(out, bytes_of(at, strlen(at) + 1));
}
