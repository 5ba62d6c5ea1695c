/*
 * print-reference TEMPLATE: prints the file with each line "{{TABLE}}" or "{{TABLE FAMILY}}" replaced by that
 * table of the language. How SCRIPTS.md is made of SCRIPTS.md.in: target `scripts-reference`.
 */
#include <stdio.h>
#include <string.h>

#include "conformance/script/reference.h"

enum { LINE_MAX_BYTES = 4096, TABLE_BYTES_MAX = 1048576 };

/* "receive", or "receive duplex": of that family. */
static bool print_table(char *name)
{
    struct buffer out;
    char *family = strchr(name, ' ');
    if (family != NULL)
        *family++ = '\0';
    const struct case_family tables =
        case_family_by_name(family == NULL ? SESSION_CLASSES[0]->family->name : family);
    buffer_init(&out, TABLE_BYTES_MAX);
    bool good = tables.class != NULL && case_reference_write(name, &tables, &out) &&
                fwrite(out.data, 1, out.len, stdout) == out.len;
    buffer_free(&out);
    if (!good)
        fprintf(stderr, "print-reference: there is no table \"%s\", or a row of it has no sentence\n", name);
    return good;
}

static bool print_line(char *line)
{
    const size_t len = strlen(line);
    if (strncmp(line, "{{", 2) != 0 || len < 6 || strcmp(line + len - 3, "}}\n") != 0)
        return fputs(line, stdout) >= 0;
    line[len - 3] = '\0';
    return print_table(line + 2);
}

int main(int argc, char **argv)
{
    char line[LINE_MAX_BYTES];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: print-reference TEMPLATE\n");
        return 2;
    }
    bool good = true;
    while (good && fgets(line, sizeof line, file) != NULL)
        good = print_line(line);
    fclose(file);
    return good && fflush(stdout) == 0 ? 0 : 1;
}
