#include "conformance/report/terminal_style.h"

#include "conformance/report/legend.h"

void terminal_word(FILE *out, const struct terminal_options *options, const char *word, int columns)
{
    const char *code = "";
    for (size_t i = 0; options->colour && legend_word(i) != NULL; i++)
        if (strcmp(legend_word(i)->word, word) == 0)
            code = legend_word(i)->colour;
    if (code[0] == '\0')
        fprintf(out, "%-*s", columns, word);
    else
        fprintf(out, "\033[%sm%-*s\033[0m", code, columns, word);
}

size_t terminal_columns(const struct terminal_options *options)
{
    unsigned width = options->width == 0 ? TERMINAL_WIDTH_DEFAULT : options->width;
    return width < TERMINAL_WIDTH_MIN ? TERMINAL_WIDTH_MIN : width;
}

static bool byte_continues(char byte)
{
    return ((unsigned char)byte & 0xc0U) == 0x80U;
}

static size_t columns_of(const char *string)
{
    size_t columns = 0;
    for (; *string != '\0'; string++)
        columns += byte_continues(*string) ? 0 : 1;
    return columns;
}

void terminal_text(FILE *out, const char *string, size_t columns)
{
    bool cut = columns_of(string) > columns;
    size_t room = cut && columns > 3 ? columns - 3 : columns;
    for (; *string != '\0'; string++) {
        if (!byte_continues(*string) && room-- == 0)
            break;
        unsigned char byte = (unsigned char)*string;
        fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
    }
    if (cut && columns > 3)
        fputs("...", out);
}
