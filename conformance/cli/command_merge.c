/*
 * ojin-conform merge: puts the reports of the shards of a run together.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/cli/commands.h"
#include "conformance/options/options.h"
#include "conformance/options/report_rows.h"
#include "conformance/report/followers.h"
#include "conformance/report/report_files.h"
#include "conformance/report/run_part.h"
#include "conformance/selection/suite_list.h"

struct merge_options {
    struct report_paths reports;
    const char *cases_folder;
};

#define AT(member) OPTION_INTO(struct merge_options, member)

static const struct option_row ROWS[] = {
    REPORT_ROWS(struct merge_options, reports),
    {"cases", "DIR", "folder of the case files", option_text, AT(cases_folder)},
    OPTION_HELP_ROW,
};

const struct option_page MERGE_PAGE = {
    .command = "merge",
    .operands = "FILE…",
    .brief = "puts the reports of shards together",
    .before =
        "Usage: ojin-conform merge [OPTION]… FILE…\n"
        "\n"
        "Puts the shards of a run together: each FILE is the JSON report of one of them, and all have to "
        "be there.\n"
        "The reports and the exit status are those of one run of all the cases:\n"
        "\n"
        "  ojin-conform run --shard 1/2 --json 1.json -- CMD\n"
        "  ojin-conform run --shard 2/2 --json 2.json -- CMD\n"
        "  ojin-conform merge --junit report.xml 1.json 2.json\n"
        "\n"
        "Shards are of one client, started the same way, with the same options and the same version of "
        "this\n"
        "program; the case files have to be those of the run.\n"
        "\n",
    OPTION_ROWS(ROWS),
    .column = 22,
    .after = "\n"
             "Exit: that of the whole run, as ojin-conform run --help has it; 2 also when the reports do not "
             "belong\n"
             "together, or one is missing.\n",
};

static int say(const char *sentence)
{
    fprintf(stderr, "ojin-conform merge: %s\n", sentence);
    return CONFORM_EXIT_USAGE;
}

static bool report_load(const char *path, struct run_report *out)
{
    char sentence[RUN_PART_ERROR_MAX];
    struct text error = text_of(sentence, sizeof sentence);
    struct bytes text;
    if (!file_read(path, RUN_PART_BYTES_MAX, &text)) {
        fprintf(stderr, "ojin-conform merge: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    const bool good = run_report_read(path, text, PROJECT_VERSION, out, &error);
    free((void *)(uintptr_t)text.data);
    if (!good)
        say(sentence);
    return good;
}

static int reports_merge(const struct merge_options *options, const struct run_report *reports, size_t count,
                         const struct case_set *set)
{
    char sentence[RUN_PART_ERROR_MAX];
    struct text error = text_of(sentence, sizeof sentence);
    const struct run_join join = {.scripts = (const struct case_script *const *)set->scripts,
                                  .script_count = set->count};
    struct run_result run = {0};
    int code = CONFORM_EXIT_USAGE;
    if (run_reports_agree(reports, count, &error) && run_reports_join(reports, count, &join, &run, &error)) {
        run_tell_followers(&run);
        code = report_files_write(&run, &options->reports,
                                  isatty(STDOUT_FILENO) != 0 && getenv("NO_COLOR") == NULL);
    } else {
        say(sentence);
    }
    run_join_free(&run);
    return code;
}

static int merge(const struct merge_options *options, bool own_cases, char *const paths[])
{
    struct case_set set;
    struct suite_list suite = {0};
    size_t count = 0, read = 0;
    while (paths[count] != NULL)
        count++;
    if (count > RUN_PARTS_MAX)
        return say("more reports than a run has shards: expected 1000 at most");
    if (!report_paths_check(&options->reports))
        return CONFORM_EXIT_USAGE;
    if (!case_set_load(options->cases_folder, CASES_ABOUT_CLIENTS, &set))
        return set.no_memory ? CONFORM_EXIT_OWN_ERROR : CONFORM_EXIT_USAGE;
    struct run_report *reports = calloc(count, sizeof *reports);
    int code = reports == NULL ? CONFORM_EXIT_OWN_ERROR : CONFORM_EXIT_USAGE;
    while (reports != NULL && read < count && report_load(paths[read], &reports[read]))
        read++;
    /* The cases of the run were those of its frozen suite. */
    const char *version = reports != NULL && read == count ? run_report_suite(&reports[0]) : NULL;
    const bool restored =
        version == NULL || (suite_list_load(version, &suite) && suite_list_restore(&suite, own_cases, &set));
    if (reports != NULL && read == count && restored)
        code = reports_merge(options, reports, count, &set);
    suite_list_free(&suite);
    for (size_t i = 0; i < read; i++)
        run_report_free(&reports[i]);
    free(reports);
    case_set_free(&set);
    return code;
}

int command_merge(int argc, char *argv[])
{
    char folder[OPTIONS_PATH_MAX];
    struct merge_options options = {.cases_folder = default_cases_folder(folder)};
    char **rest;
    const enum options_outcome outcome = conform_options_parse(&MERGE_PAGE, argc, argv, &options, &rest);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (rest[0] == NULL) {
        say("no report: expected the JSON reports of all shards of a run");
        return option_exit(option_hint("merge"));
    }
    return merge(&options, options.cases_folder != folder, rest);
}
