/* The text of one variant of a case with vary lines. */
#include <stdlib.h>

#include "conformance/script/case_script.h"
#include "server/script/vary.h"

static bool value_write(struct buffer *out, const struct vary_value *value)
{
    static const char HEX[] = "0123456789abcdef";
    bool good = !value->is_string || buffer_append(out, bytes_of_text("\""));
    for (const char *at = value->text; *at != '\0' && good; at++) {
        const unsigned char byte = (unsigned char)*at;
        const char escape[] = {'\\', 'x', HEX[byte >> 4], HEX[byte & 15]};
        const bool plain = byte >= 0x20 && byte != 0x7f && byte < 0x80 && byte != '"' && byte != '\\';
        good = plain ? buffer_append(out, bytes_of(at, 1)) : buffer_append(out, bytes_of(escape, 4));
    }
    return good && (!value->is_string || buffer_append(out, bytes_of_text("\"")));
}

static bool line_write(struct buffer *out, const struct vary *vary, size_t index)
{
    return buffer_append(out, bytes_of_text("vary ")) && buffer_append(out, bytes_of_text(vary->name)) &&
           buffer_append(out, bytes_of_text(" in ")) && value_write(out, &vary->values[index]);
}

static bool text_write(const struct parser *parser, size_t variant, struct buffer *out)
{
    size_t indices[SCRIPT_VARIES_MAX];
    for (size_t i = parser->vary_count; i-- > 0; variant /= parser->varies[i].count)
        indices[i] = variant % parser->varies[i].count;
    const uint8_t *at = parser->text.data;
    const uint8_t *end = at + parser->text.len;
    bool good = true;
    for (unsigned line = 1; at < end && good; line++) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
        const uint8_t *next = newline == NULL ? end : newline;
        size_t i = 0;
        while (i < parser->vary_count && parser->varies[i].line != line)
            i++;
        good = i < parser->vary_count ? line_write(out, &parser->varies[i], indices[i])
                                      : buffer_append(out, bytes_of(at, (size_t)(next - at)));
        if (newline != NULL && good)
            good = buffer_append(out, bytes_of_text("\n"));
        at = newline == NULL ? end : newline + 1;
    }
    return good;
}

bool case_script_variant_text(struct bytes text, size_t variant, struct buffer *out)
{
    char error[SCRIPT_ERROR_MAX];
    struct parser *parser = calloc(1, sizeof *parser);
    struct node *lines;
    struct place end;
    if (parser == NULL)
        return false;
    *parser = (struct parser){.path = "", .error = error, .text = text, .place = {1, 1}};
    const bool good = tree_read(parser, &lines, &end) && varies_read(parser, lines) &&
                      variant < parser->variant_count && text_write(parser, variant, out);
    arena_free(&parser->arena);
    free(parser);
    return good;
}
