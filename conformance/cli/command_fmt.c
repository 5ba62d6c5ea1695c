/*
 * ojin-conform fmt: script files laid out the one way.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/commands.h"
#include "conformance/script/format.h"
#include "conformance/selection/case_set.h"

static const struct option_row ROWS[] = {
    {"check", NULL, "write nothing: name the files that would change", option_flag, .bytes = sizeof(bool)},
    OPTION_HELP_ROW,
};

const struct option_page FMT_PAGE = {
    .command = "fmt",
    .brief = "formats script files",
    .stops = true,
    .indented = true,
    .before = "Usage: ojin-conform fmt [--check] FILE…\n"
              "\n"
              "Formats script files: indentation, columns, empty lines; comments stay. It rewrites and names "
              "each file\n"
              "that changes.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 16,
    .after = "\n"
             "Exit: 0 done; 1 with --check: some files would change; 2 a file is no script.\n",
};

enum { FORMATTED_BYTES_MAX = 4 * SCRIPT_BYTES_MAX };

static bool write_file(const char *path, struct bytes data)
{
    FILE *file = fopen(path, "we");
    bool good = file != NULL && fwrite(data.data, 1, data.len, file) == data.len;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "ojin-conform: cannot write %s: %s\n", path, strerror(errno));
    return good;
}

static int format_text(const char *path, struct bytes text, bool check)
{
    char error[SCRIPT_ERROR_MAX];
    struct buffer out;
    int status = CONFORM_EXIT_MET;
    buffer_init(&out, FORMATTED_BYTES_MAX);
    if (!script_format(path, text, &out, error)) {
        fprintf(stderr, "%s\n", error[0] != '\0' ? error : "ojin-conform: out of memory");
        status = CONFORM_EXIT_USAGE;
    } else if (!bytes_equal(buffer_bytes(&out), text)) {
        puts(path);
        if (check)
            status = CONFORM_EXIT_NOT_MET;
        else if (!write_file(path, buffer_bytes(&out)))
            status = CONFORM_EXIT_USAGE;
    }
    buffer_free(&out);
    return status;
}

static int format_file(const char *path, bool check)
{
    struct bytes text;
    if (!file_read(path, SCRIPT_BYTES_MAX, &text)) {
        fprintf(stderr, "ojin-conform: cannot read %s: %s\n", path, strerror(errno));
        return CONFORM_EXIT_USAGE;
    }
    const int status = format_text(path, text, check);
    free((void *)(uintptr_t)text.data);
    return status;
}

int command_fmt(int argc, char *argv[])
{
    bool check = false;
    char **paths;
    const enum options_outcome outcome = conform_options_parse(&FMT_PAGE, argc, argv, &check, &paths);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (paths[0] == NULL) {
        option_usage(&FMT_PAGE, "no file");
        return CONFORM_EXIT_USAGE;
    }
    int worst = CONFORM_EXIT_MET;
    for (size_t i = 0; paths[i] != NULL; i++) {
        const int status = format_file(paths[i], check);
        worst = status > worst ? status : worst;
    }
    return worst;
}
