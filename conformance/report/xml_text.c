#include "conformance/report/xml_text.h"

#include "codec/wire/utf8.h"

static void byte_write(FILE *out, unsigned char byte)
{
    switch (byte) {
    case '&':
        fputs("&amp;", out);
        return;
    case '<':
        fputs("&lt;", out);
        return;
    case '>':
        fputs("&gt;", out);
        return;
    case '"':
        fputs("&quot;", out);
        return;
    case '\n':
        fputs("&#10;", out);
        return;
    default:
        break;
    }
    if (byte >= 0x20 && byte != 0x7f)
        fputc(byte, out);
    else if (byte == '\t')
        fputc(' ', out);
}

/* U+FFFE and U+FFFF are good UTF-8, but no characters of XML. */
static bool at_noncharacter(struct bytes text, size_t at)
{
    return text.len - at >= 3 && text.data[at] == 0xef && text.data[at + 1] == 0xbf &&
           text.data[at + 2] >= 0xbe;
}

static void valid_write(FILE *out, struct bytes text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (at_noncharacter(text, i))
            i += 2;
        else
            byte_write(out, text.data[i]);
    }
}

void xml_text_write(FILE *out, const char *string)
{
    struct bytes rest = bytes_of_text(string);
    while (rest.len > 0) {
        size_t valid = utf8_valid_prefix(rest);
        valid_write(out, bytes_of(rest.data, valid));
        if (valid == rest.len)
            return;
        fputc('?', out);
        rest = bytes_of(rest.data + valid + 1, rest.len - valid - 1);
    }
}
