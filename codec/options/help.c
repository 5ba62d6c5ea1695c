/* The help of a page. */
#include "codec/options/options.h"

enum { LINE_MAX_BYTES = 160 };

/* "  -j, --jobs N". */
static void head_of(const struct option_page *page, const struct option_row *row, struct text *out)
{
    const char letter[] = {'-', row->letter, ',', ' ', '\0'};
    text_add(out, row->letter != 0 ? "  " : page->indented ? "      " : "  ");
    text_add(out, row->letter != 0 ? letter : "");
    text_add(out, "--");
    text_add(out, row->name);
    text_add(out, row->value == NULL || row->value[0] == '[' ? "" : " ");
    text_add(out, row->value == NULL ? "" : row->value);
}

/* Lines of a text that begin in a column; the first one behind `head`, or below it when that is too long. */
static void print_lines(FILE *out, const char *head, unsigned column, const char *lines)
{
    fputs(head, out);
    size_t at = strlen(head);
    if (at + 2 > column) {
        fputc('\n', out);
        at = 0;
    }
    for (;;) {
        const size_t len = strcspn(lines, "\n");
        fprintf(out, "%*s%.*s\n", (int)(column - at), "", (int)len, lines);
        if (lines[len] == '\0')
            return;
        lines += len + 1;
        at = 0;
    }
}

static void print_row(FILE *out, const struct option_page *page, const struct option_row *row)
{
    char head[LINE_MAX_BYTES];
    struct text text = text_of(head, sizeof head);
    if (row->name == NULL && row->value != NULL)
        fprintf(out, "\n%s\n", row->value);
    else if (row->name == NULL)
        fputs(row->help, out);
    else if (row->help != NULL) {
        head_of(page, row, &text);
        print_lines(out, head, page->column, row->help);
    }
}

static void print_commands(FILE *out, const struct option_program *program)
{
    char head[LINE_MAX_BYTES];
    for (size_t i = 1; program->pages[i] != NULL; i++) {
        struct text text = text_of(head, sizeof head);
        if (program->pages[i]->brief == NULL)
            continue;
        text_add(&text, "  ");
        text_add(&text, program->pages[i]->command);
        text_add(&text, program->pages[i]->operands == NULL ? "" : " ");
        text_add(&text, program->pages[i]->operands == NULL ? "" : program->pages[i]->operands);
        print_lines(out, head, program->pages[0]->list_column, program->pages[i]->brief);
    }
}

void options_help(FILE *out, const struct option_program *program, const struct option_page *page)
{
    fputs(page->before, out);
    if (page->list != NULL)
        page->list(out);
    if (page->command == NULL && program->pages != NULL) {
        print_commands(out, program);
        /* A heading, or a text between, brings its empty line itself. */
        if (page->row_count > 0 && page->rows[0].name != NULL)
            fputc('\n', out);
    }
    for (size_t i = 0; i < page->row_count; i++)
        print_row(out, page, &page->rows[i]);
    if (page->after != NULL)
        fputs(page->after, out);
}
