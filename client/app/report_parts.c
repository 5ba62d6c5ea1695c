#include "client/app/report_parts.h"

#include <inttypes.h>

void report_error_write(char error[REPORT_ERROR_MAX], const struct observation *seen)
{
    struct text text = text_of(error, REPORT_ERROR_MAX);
    observation_error_add(&text, strcmp(seen->code, "NO_CONNECTION") != 0 ? seen->code : "", seen->text);
}

void report_close_add(struct text *text, uint16_t code, const char *reason)
{
    text_add_u64(text, code);
    if (reason[0] == '\0')
        return;
    text_add(text, " (");
    text_add_printable(text, bytes_of_text(reason), OBSERVATION_TEXT_MAX);
    text_add(text, ")");
}

void report_words_print(const char *words, FILE *out)
{
    char line[OBSERVATION_TEXT_MAX], shown[4 * OBSERVATION_TEXT_MAX];
    struct text text = text_of(line, sizeof line), printable = text_of(shown, sizeof shown);
    for (const char *c = words; *c != '\0'; c++)
        text_add_char(&text, (unsigned char)*c < ' ' || *c == 0x7F ? ' ' : *c);
    text_add_printable(&printable, bytes_of_text(line), sizeof line);
    fputs(shown, out);
}

void report_string_write(FILE *out, const char *name, const char *value)
{
    char quoted[8192];
    struct text text = text_of(quoted, sizeof quoted);
    text_add_json_string(&text, bytes_of_text(value));
    fprintf(out, "\"%s\": %s", name, quoted);
}

void report_string_line(FILE *out, const char *name, const char *value)
{
    fputs("  ", out);
    report_string_write(out, name, value);
    fputs(",\n", out);
}

void report_number_line(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, "  \"%s\": %" PRIu64 ",\n", name, value);
}
