/*
 * ojin-conform splits: the same bytes in every split, and whether a client reports the same of them.
 */
#include <stdio.h>
#include <string.h>

#include "conformance/cli/command_exists.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/split_run.h"
#include "conformance/options/option_values.h"
#include "conformance/process/host_clock.h"
#include "conformance/process/interrupt.h"
#include "conformance/process/launch.h"
#include "conformance/process/out_folder.h"
#include "conformance/process/shell.h"
#include "conformance/report/run_result.h"
#include "conformance/runner/client_probe.h"

#define AT(member) OPTION_INTO(struct run_options, member)

static const struct option_row ROWS[] = {
    {"family", "NAME", "ojin (default), duplex or interview", option_family, AT(family), OPTION_FAMILY_WORDS},
    {"run", "PATTERN", "only ways that match (repeatable): ojin/splits/cut-*", option_pattern, AT(run)},
    {"persistent", NULL, "one process for many sessions, JSON lines on its standard input", option_flag,
     AT(persistent)},
    {"env", "NAME=VALUE", "set a variable; {url} and others are filled in (repeatable)", option_environment,
     AT(environment)},
    {"tls", NULL, "use wss://: the splits are then those of TLS records", option_flag, AT(tls)},
    {"jobs", "N", "sessions at the same time (default 5 per core)", option_run_number,
     OPTION_RANGE(struct run_options, jobs, 1, RUN_JOBS_MAX), .letter = 'j'},
    {"out", "DIR",
     "folder for what differs: script, wire journal, output, expected.txt, found.txt\n"
     "(default conform-out)",
     option_text, AT(out_folder)},
    OPTION_HELP_ROW,
};

const struct option_page SPLITS_PAGE = {
    .command = "splits",
    .brief = "sends a client the same bytes in every split: it has to report the same",
    .stops = true,
    .before =
        "Usage: ojin-conform splits [OPTION]… -- CMD ARG…\n"
        "\n"
        "Starts CMD against a mock that sends the same short session in every way: cut into two TCP\n"
        "segments at each byte in turn, in segments of a few bytes, several messages in one segment, each\n"
        "message in two fragments cut at each byte in turn, in fragments with pings between. What the\n"
        "client reports of the messages (its observations) has to be the same as of whole messages. The\n"
        "client obeys plans and reports what it sees: conformance/ADAPTERS.md.\n"
        "\n",
    OPTION_ROWS(ROWS),
    .column = 22,
    .indented = true,
    .after = "\n"
             "Example: ojin-conform splits --run 'ojin/splits/cut-*' -- ojin-client conform\n"
             "\n"
             "Exit: 0 the same in every way, 1 something differs, 2 wrong usage, 3 our own error, or a "
             "client that\n"
             "cannot start or reports nothing of what it reads, 130 interrupted.\n",
};

static enum options_outcome take_options(int argc, char *argv[], struct run_options *out)
{
    char **rest;
    run_options_defaults(out);
    out->subcommand = "splits";
    const enum options_outcome outcome = conform_options_parse(&SPLITS_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (*rest == NULL) {
        fputs("ojin-conform splits: no client command: expected '-- CMD ARG…'\n", stderr);
        return option_hint("splits");
    }
    out->command = rest;
    out->keep = true; /* until it is known what differs */
    if (!option_profile(out) ||
        !client_words_check(out->command, out->environment, out->environment_count, out->persistent))
        return OPTIONS_WRONG;
    return OPTIONS_RUN;
}

static int tell(struct split_run *run, const struct run_options *options, uint64_t began_ms)
{
    char command[RUN_COMMAND_MAX];
    struct split_outcome outcome;
    shell_line(options->command, command, sizeof command);
    split_run_tell(run, command, &outcome);
    const uint64_t took_ms = host_clock_ms() - began_ms;
    if (!outcome.compared) {
        fputs(outcome.fails_whole
                  ? "ojin-conform splits: the client fails on whole messages already, so there is nothing to "
                    "compare: mend that first\n"
                  : "ojin-conform splits: of whole messages the client reports too little, so there is "
                    "nothing to compare\n",
              stderr);
        return CONFORM_EXIT_OWN_ERROR;
    }
    printf("%s: %zu split points in %zu sessions, %.1f s: %s\n", options->family->name, outcome.points,
           outcome.sessions, (double)took_ms / 1000, outcome.failed == 0 ? "PASS" : "FAIL");
    printf("%d passed, %d failed\n", outcome.failed == 0, outcome.failed > 0);
    return outcome.failed == 0 ? CONFORM_EXIT_MET : CONFORM_EXIT_NOT_MET;
}

static int run_splits(const struct run_options *options)
{
    int code = CONFORM_EXIT_OWN_ERROR;
    const uint64_t began_ms = host_clock_ms();
    struct splits *splits = splits_new(options->family->name);
    struct split_run *run = splits == NULL ? NULL : split_run_new(options, splits);
    if (run != NULL && split_run_all(run))
        code = tell(run, options, began_ms);
    if (run != NULL)
        split_run_free(run);
    splits_free(splits);
    return code;
}

int command_splits(int argc, char *argv[])
{
    struct run_options options;
    const enum options_outcome outcome = take_options(argc, argv, &options);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    struct out_folder out;
    if (!out_folder_take("splits", options.out_folder, &out))
        return CONFORM_EXIT_USAGE;
    int code = CONFORM_EXIT_OWN_ERROR;
    interrupt_watch();
    if (!command_exists(options.command[0]) || !client_probe(&options, &interrupted, NULL))
        code = CONFORM_EXIT_OWN_ERROR;
    else if (options.tier < TIER_OBSERVE || options.plays_into_files)
        fputs("ojin-conform splits: the client does not obey plans and report what it reads, so there is "
              "nothing to "
              "compare; conformance/ADAPTERS.md tells how it can\n",
              stderr);
    else
        code = run_splits(&options);
    out_folder_leave(&out);
    return interrupted ? CONFORM_EXIT_INTERRUPTED : code;
}
