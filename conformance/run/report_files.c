#define _GNU_SOURCE
#include "conformance/run/report_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "conformance/report/json_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/terminal_report.h"
#include "conformance/run/commands.h"

static bool write_report(const char *path, const struct run_result *run,
                         bool (*write)(FILE *out, const struct run_result *run))
{
    if (path == NULL)
        return true;
    FILE *file = fopen(path, "we");
    const bool good = file != NULL && write(file, run);
    if (file == NULL || fclose(file) != 0 || !good) {
        fprintf(stderr, "ojin-conform: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

static unsigned terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return TERMINAL_WIDTH_DEFAULT;
}

int report_files_write(const struct run_result *run, const char *json_path, const char *junit_path,
                       bool colour)
{
    const bool written =
        write_report(json_path, run, json_report_write) && write_report(junit_path, run, junit_report_write);
    const struct terminal_options terminal = {.colour = colour, .width = terminal_columns()};
    terminal_report(stdout, run, &terminal);
    fflush(stdout);
    return written ? run_exit_code(run) : CONFORM_EXIT_OWN_ERROR;
}
