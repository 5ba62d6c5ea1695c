#define _GNU_SOURCE
#include "conformance/report/report_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conformance/report/annotations.h"
#include "conformance/report/exit_status.h"
#include "conformance/report/html_report.h"
#include "conformance/report/json_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/markdown_report.h"
#include "conformance/report/tap_report.h"
#include "conformance/report/terminal_report.h"

typedef bool report_writer(FILE *out, const struct run_result *run);

static report_writer *const WRITERS[REPORT_COUNT] = {
    [REPORT_JSON] = json_report_write, [REPORT_JUNIT] = junit_report_write,
    [REPORT_TAP] = tap_report_write,   [REPORT_TAP13] = tap13_report_write,
    [REPORT_HTML] = html_report_write, [REPORT_MARKDOWN] = markdown_report_write};

static bool is_standard_output(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* 0, or an errno. */
static int path_error(const char *path)
{
    struct stat file;
    char folder[PATH_MAX];
    if (stat(path, &file) == 0) {
        if (S_ISDIR(file.st_mode))
            return EISDIR;
        return access(path, W_OK) == 0 ? 0 : errno;
    }
    if (errno != ENOENT)
        return errno;
    const char *slash = strrchr(path, '/');
    const size_t len = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (len >= sizeof folder)
        return ENAMETOOLONG;
    snprintf(folder, sizeof folder, "%.*s", (int)len, path);
    return access(len == 0 ? "." : folder, W_OK | X_OK) == 0 ? 0 : errno;
}

bool report_paths_check(const struct report_paths *paths)
{
    bool good = true;
    size_t on_output = 0;
    for (int i = 0; i < REPORT_COUNT; i++)
        on_output += is_standard_output(paths->of[i]) ? 1 : 0;
    if (on_output > 1) {
        fprintf(stderr, "ojin-conform: %zu reports would go to standard output (-), where one has room\n",
                on_output);
        good = false;
    }
    for (int i = 0; i < REPORT_COUNT; i++) {
        const char *path = paths->of[i];
        const int error = path == NULL || is_standard_output(path) ? 0 : path_error(path);
        if (error == 0)
            continue;
        fprintf(stderr, "ojin-conform: cannot write %s: %s\n", path, strerror(error));
        good = false;
    }
    return good;
}

bool report_paths_picture(const struct report_paths *paths, bool of_shard)
{
    return paths->of[REPORT_HTML] != NULL || (of_shard && paths->of[REPORT_JSON] != NULL);
}

static bool write_report(const char *path, const char *mode, const struct run_result *run,
                         report_writer *write)
{
    if (path == NULL)
        return true;
    if (is_standard_output(path))
        return write(stdout, run);
    FILE *file = fopen(path, mode);
    const bool good = file != NULL && write(file, run);
    if (file == NULL || fclose(file) != 0 || !good) {
        fprintf(stderr, "ojin-conform: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

static unsigned terminal_columns(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return TERMINAL_WIDTH_DEFAULT;
}

void report_progress(size_t done, size_t count, size_t failed, const char *case_name)
{
    const struct run_progress progress = {
        .done = done, .count = count, .failed = failed, .case_name = case_name};
    terminal_progress(stderr, &progress,
                      &(struct terminal_options){.width = terminal_columns(STDERR_FILENO)});
}

static void host_look(const struct run_result *run, struct run_host *out)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    const time_t began = time(NULL) - (time_t)(run->recorded ? 0 : run->duration_ms / 1000);
    struct tm parts;
    *out = (struct run_host){.version = PROJECT_VERSION, .cpu_count = cpus > 0 ? (unsigned)cpus : 0};
    if (gmtime_r(&began, &parts) == NULL ||
        strftime(out->date, sizeof out->date, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        out->date[0] = '\0';
    if (getloadavg(out->load, (int)(sizeof out->load / sizeof out->load[0])) < 0)
        memset(out->load, 0, sizeof out->load);
}

int report_files_write(struct run_result *run, const struct report_paths *paths, bool colour)
{
    bool written = true;
    if (run->host.date[0] == '\0')
        host_look(run, &run->host);
    FILE *people = stdout;
    for (int i = 0; i < REPORT_COUNT; i++) {
        written = write_report(paths->of[i], "we", run, WRITERS[i]) && written;
        if (is_standard_output(paths->of[i]))
            people = stderr;
    }
    const char *summary = getenv("GITHUB_STEP_SUMMARY"), *actions = getenv("GITHUB_ACTIONS");
    written = write_report(summary, "ae", run, markdown_report_write) && written;
    const bool annotated = summary != NULL || (actions != NULL && strcmp(actions, "true") == 0);
    if (people == stdout && annotated)
        annotations_write(stdout, run);
    const struct terminal_options terminal = {.colour = colour && people == stdout,
                                              .verbose = paths->verbose,
                                              .width = terminal_columns(fileno(people))};
    terminal_report(people, run, &terminal);
    fflush(people);
    return written ? run_exit_code(run) : CONFORM_EXIT_OWN_ERROR;
}
