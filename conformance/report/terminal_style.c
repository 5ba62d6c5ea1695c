#include "conformance/report/terminal_style.h"

static const struct {
    const char *word;
    const char *code;
} COLOURS[] = {
    {"PASS", "32"},      {"INFO", "36"},       {"WARN", "33"},    {"DISPUTED", "33"},
    {"FAIL", "31"},      {"CRASH", "31"},      {"TIMEOUT", "31"}, {"ERROR", "35"},
    {"NOCONNECT", "31"}, {"NOTREACHED", "33"}, {"PARTIAL", "33"}, {"INCONCLUSIVE", "33"},
    {"XPASS", "31"},     {"XFAIL", "2"},       {"NEW", "33"},     {"FLAKY", "33"},
    {"SKIPPED", "2"},    {"UNSUPPORTED", "2"},
};

void terminal_word(FILE *out, const struct terminal_options *options, const char *word, int columns)
{
    const char *code = NULL;
    for (size_t i = 0; options->colour && i < sizeof COLOURS / sizeof COLOURS[0]; i++)
        if (strcmp(COLOURS[i].word, word) == 0)
            code = COLOURS[i].code;
    if (code == NULL)
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
