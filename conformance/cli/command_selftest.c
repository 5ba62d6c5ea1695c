/*
 * ojin-conform selftest: the suite under test itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/cli/commands.h"
#include "conformance/options/option_values.h"
#include "conformance/process/host_clock.h"
#include "conformance/process/interrupt.h"
#include "conformance/process/out_folder.h"
#include "conformance/selftest/selftest.h"

static bool take_trial(struct option_given *given, void *context)
{
    static const char *const NAMES[] = {"", "defects", "client", NULL}; /* as enum selftest_trial */
    struct selftest_options *out = context;
    const int trial = option_word(given->value, NAMES);
    if (trial <= TRIAL_NONE)
        return option_wrong(given, "defects or client");
    out->trial = (enum selftest_trial)trial;
    return true;
}

static bool take_extent(struct option_given *given, void *context)
{
    static const char *const NAMES[] = {"", "quick", "memory", "full", NULL}; /* as enum selftest_extent */
    const enum selftest_extent extent = (enum selftest_extent)option_word(given->row->name, NAMES);
    struct selftest_options *out = context;
    if (out->extent != EXTENT_OWN && out->extent != extent) {
        fputs("ojin-conform selftest: --full, --quick and --memory: expected one of them\n", stderr);
        return false;
    }
    out->extent = extent;
    return true;
}

static bool take_jobs(struct option_given *given, void *out)
{
    return option_count(given, out) || option_wrong(given, "1 to 64");
}

#define AT(member) OPTION_INTO(struct selftest_options, member)

static const struct option_row ROWS[] = {
    {"family", "NAME", "only ojin, duplex or interview", option_family, AT(run.family), OPTION_FAMILY_WORDS},
    {"full", NULL, "run each defect through all cases in processes; takes hours", take_extent, AT(extent)},
    {"quick", NULL,
     "run each defect in processes only through one case that caught it in memory,\n"
     "and the transport cases; through all cases when none caught it in memory",
     take_extent, AT(extent)},
    {"memory", NULL, "run only in virtual time (a minute or two), without transport cases", take_extent,
     AT(extent)},
    {"run", "PATTERN", "only requirements or defects that match (may be repeated): OJ-CLS-*", option_pattern,
     AT(patterns)},
    {"json", "FILE", "write the result as JSON (- is standard output)", option_text, AT(json)},
    {"cases", "DIR", "folder of the case files", option_text, AT(run.cases_folder)},
    {"out", "DIR", "folder for cases that the correct client fails (default conform-out)", option_text,
     AT(run.out_folder)},
    {"jobs", "N",
     "cases run at the same time (default 12 per core; 24 for a family without\n"
     "pictures, 16 for all families)",
     take_jobs, OPTION_RANGE(struct selftest_options, run.jobs, 1, RUN_JOBS_MAX), .letter = 'j'},
    {"trial", "KIND",
     "test the selftest: with 'defects' that it must object to, or with a broken\n"
     "'client' in place of the correct one",
     take_trial, AT(trial)},
    OPTION_HELP_ROW,
};

const struct option_page SELFTEST_PAGE = {
    .command = "selftest",
    .brief = "tests the suite itself, with clients that break one requirement each",
    .before = "Usage: ojin-conform selftest [OPTION]…\n"
              "\n"
              "Tests the suite itself. For each client requirement there are defects, clients that break "
              "just that\n"
              "one (conformance/defects; 'ojin-conform defect --list' lists them). Each has to fail it and "
              "must break\n"
              "no other MUST that it does not declare; the correct client has to pass everything. A defect "
              "runs all\n"
              "cases in memory, in virtual time, and the cases of its requirement in processes of its own.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 19,
    .after =
        "\n"
        "Prints a line for each requirement: its defects, and the case that caught each; then each check of\n"
        "a case that no defect failed. The result of a whole test is kept beside this program for\n"
        "'ojin-conform coverage'.\n"
        "\n"
        "Exit: 0 every requirement was seen to fail and the correct client passes, and in a whole test "
        "every\n"
        "check was seen to fail; 1 not, 2 wrong usage, 3 our own error, 130 interrupted.\n",
};

/* Sessions without pictures from the service cost next to nothing, and each takes its time. */
static void choose_jobs(struct selftest_options *out)
{
    const struct family *family = out->run.family;
    const unsigned times = family == NULL ? 4 : family->picture_width == 0 ? 6 : 3;
    struct run_options defaults;
    if (out->run.jobs != 0)
        return;
    run_options_defaults(&defaults);
    out->run.jobs = times * defaults.jobs < RUN_JOBS_MAX ? times * defaults.jobs : RUN_JOBS_MAX;
}

static enum options_outcome parse(int argc, char *argv[], struct selftest_options *out)
{
    char **rest;
    run_options_defaults(&out->run);
    out->run.family = NULL;
    out->run.jobs = 0;
    const enum options_outcome outcome = conform_options_parse(&SELFTEST_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    choose_jobs(out);
    if (*rest == NULL)
        return OPTIONS_RUN;
    fprintf(stderr, "ojin-conform selftest: unexpected '%s'\n", *rest);
    return OPTIONS_WRONG;
}

/* ---- what it leaves ---- */

static bool write_json(const struct selftest *selftest, const char *build)
{
    const char *path = selftest->options.json;
    if (path == NULL)
        return true;
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
    bool good = file != NULL && selftest_write_json(selftest, selftest->options.run.family, build, file);
    if (file != NULL && file != stdout)
        good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "ojin-conform: cannot write %s: %s\n", path, strerror(errno));
    return good;
}

/* A folder that cannot be written to only leaves `coverage` without it. */
static void keep(const struct selftest *selftest, const struct family *family, const char *build)
{
    char path[OPTIONS_PATH_MAX], fresh[OPTIONS_PATH_MAX + 16];
    selftest_file_path(selftest->options.run.program, family, path);
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(fresh, "we");
    bool good = file != NULL && selftest_write_json(selftest, family, build, file);
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (good && rename(fresh, path) == 0)
        return;
    fprintf(stderr, "ojin-conform: note: cannot write %s: %s\n", path, strerror(errno));
    unlink(fresh);
}

/* A test of parts of a family, in memory alone, or a trial, says nothing of the build. */
static void keep_all(const struct selftest *selftest, const char *build)
{
    if (selftest->options.extent == EXTENT_MEMORY)
        return;
    for (size_t i = 0; FAMILIES[i] != NULL && selftest->options.trial == TRIAL_NONE; i++)
        if (selftest_is_about(selftest, FAMILIES[i]))
            keep(selftest, FAMILIES[i], build);
}

static bool has_own_errors(const struct selftest *selftest)
{
    size_t count = selftest->client->own_errors;
    for (size_t n = 0; n < selftest->defect_count; n++)
        count += selftest->defects[n].own_errors;
    return count > 0;
}

static int conclude(const struct selftest *selftest)
{
    char build[BUILD_ID_MAX];
    if (!build_identify(&selftest->set, build)) {
        fputs("ojin-conform: cannot read the program itself\n", stderr);
        return CONFORM_EXIT_OWN_ERROR;
    }
    const bool to_stdout = selftest->options.json != NULL && strcmp(selftest->options.json, "-") == 0;
    selftest_report(selftest, to_stdout ? stderr : stdout);
    keep_all(selftest, build);
    if (!write_json(selftest, build) || has_own_errors(selftest))
        return CONFORM_EXIT_OWN_ERROR;
    return selftest_is_met(selftest, NULL) ? CONFORM_EXIT_MET : CONFORM_EXIT_NOT_MET;
}

static int run(struct selftest *selftest)
{
    const uint64_t began_ms = host_clock_ms();
    interrupt_watch();
    if (!selftest_plan(selftest))
        return CONFORM_EXIT_USAGE;
    struct out_folder out;
    const bool in_memory = selftest->options.extent == EXTENT_MEMORY;
    if (!in_memory && !out_folder_take("selftest", selftest->options.run.out_folder, &out))
        return CONFORM_EXIT_USAGE;
    bool whole = selftest_run_memory(selftest);
    if (whole) {
        selftest_narrow(selftest);
        whole = selftest_run_processes(selftest);
    }
    if (!in_memory)
        out_folder_leave(&out);
    selftest->duration_ms = host_clock_ms() - began_ms;
    if (interrupted)
        return CONFORM_EXIT_INTERRUPTED;
    return whole ? conclude(selftest) : CONFORM_EXIT_OWN_ERROR;
}

int command_selftest(int argc, char *argv[])
{
    struct selftest *selftest = calloc(1, sizeof *selftest);
    if (selftest == NULL)
        return CONFORM_EXIT_OWN_ERROR;
    const enum options_outcome outcome = parse(argc, argv, &selftest->options);
    const int code = outcome == OPTIONS_RUN ? run(selftest) : option_exit(outcome);
    selftest_free(selftest);
    free(selftest);
    return code;
}
