/*
 * Prints the man page of a program, as troff: names, synopsis, options. The sections of PROGRAM.more.1 are
 * put behind it by the build.
 */
#include <ctype.h>

#include "codec/options/options.h"

static void print_escaped(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else
            fputc(text[i], out);
    }
}

/* A line of text, which must not look like a request. */
static void print_line(FILE *out, const char *line, size_t len)
{
    if (len > 0 && (line[0] == '.' || line[0] == '\''))
        fputs("\\&", out);
    print_escaped(out, line, len);
    fputc('\n', out);
}

static void print_upper(FILE *out, const char *word)
{
    for (; *word != '\0'; word++)
        fputc(toupper((unsigned char)*word), out);
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line == '\n' ? line + 1 : line;
}

/* Do lines up to the next empty one begin with a space: a table, or examples below each other? */
static bool is_laid_out(const char *text)
{
    for (; *text != '\0' && *text != '\n'; text = next_line(text))
        if (*text == ' ')
            return true;
    return false;
}

static void print_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        if (*text == '\n') {
            text++;
            continue;
        }
        const bool laid_out = is_laid_out(text);
        fputs(laid_out ? ".PP\n.nf\n" : ".PP\n", out);
        for (; *text != '\0' && *text != '\n'; text = next_line(text))
            print_line(out, text, strcspn(text, "\n"));
        fputs(laid_out ? ".fi\n" : "", out);
    }
}

/* Behind the lines that say how it is called. */
static const char *behind_usage(const char *before)
{
    while (*before != '\0' && *before != '\n' && (strncmp(before, "Usage: ", 7) == 0 || *before == ' '))
        before = next_line(before);
    return before;
}

static void print_usage(FILE *out, const struct option_page *page)
{
    const char *end = behind_usage(page->before);
    for (const char *line = page->before; line < end; line = next_line(line))
        print_line(out, line + strlen("Usage: "), strcspn(line, "\n") - strlen("Usage: "));
}

static void print_row(FILE *out, const struct option_row *row)
{
    if (row->name == NULL && row->value != NULL) {
        fprintf(out, ".SS %s\n", row->value);
    } else if (row->name == NULL) {
        print_text(out, row->help);
    } else if (row->help != NULL) {
        fputs(".TP\n\\fB", out);
        if (row->letter != 0)
            fprintf(out, "\\-%c\\fP, \\fB", row->letter);
        fputs("\\-\\-", out);
        print_escaped(out, row->name, strlen(row->name));
        fputs(row->value == NULL || row->value[0] == '[' ? "\\fP" : "\\fP ", out);
        if (row->value != NULL) {
            fputs("\\fI", out);
            print_escaped(out, row->value, strlen(row->value));
            fputs("\\fP", out);
        }
        fputc('\n', out);
        for (const char *line = row->help; *line != '\0'; line = next_line(line))
            print_line(out, line, strcspn(line, "\n"));
    }
}

static void print_page(FILE *out, const struct option_program *program, const struct option_page *page)
{
    fputs(".SH ", out);
    print_upper(out, page->command == NULL ? "description" : page->command);
    fputc('\n', out);
    print_text(out, behind_usage(page->before));
    if (page->list != NULL) {
        fputs(".nf\n", out);
        page->list(out);
        fputs(".fi\n", out);
    }
    for (size_t i = 1; page->command == NULL && program->pages[i] != NULL; i++)
        if (program->pages[i]->brief != NULL) {
            fprintf(out, ".TP\n.B %s\n", program->pages[i]->command);
            print_line(out, program->pages[i]->brief, strlen(program->pages[i]->brief));
        }
    for (size_t i = 0; i < page->row_count; i++)
        print_row(out, &page->rows[i]);
    print_text(out, page->after == NULL ? "" : page->after);
}

void options_man(FILE *out, const struct option_program *program)
{
    fputs(".TH ", out);
    print_upper(out, program->name);
    fputs(" 1\n.SH NAME\n", out);
    print_escaped(out, program->name, strlen(program->name));
    fprintf(out, " \\- %s\n.SH SYNOPSIS\n.nf\n", program->summary);
    for (size_t i = 0; program->pages[i] != NULL; i++)
        if (program->pages[i]->before != NULL)
            print_usage(out, program->pages[i]);
    fputs(".fi\n", out);
    for (size_t i = 0; program->pages[i] != NULL; i++)
        if (program->pages[i]->before != NULL)
            print_page(out, program, program->pages[i]);
}
