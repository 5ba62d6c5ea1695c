/*
 * ojin-conform judge: the rules of the wire over a recorded journal, with the reports of a run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/program/data_path.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/judge_journal.h"
#include "conformance/options/option_values.h"
#include "conformance/options/options.h"
#include "conformance/options/report_rows.h"
#include "conformance/process/artefacts.h"
#include "conformance/process/shell.h"
#include "conformance/report/followers.h"
#include "conformance/selection/case_set.h"

/* Any value does: "{key}" in the journal reads back as it. */
static const char KEY[] = "the-key-of-the-journal";

enum { WORDS_MAX = 2 * RULE_SPEECHES_MAX + 16 };

struct judge_options {
    const struct profile *profile; /* NULL: the journal's */
    size_t speech_count;
    struct sound speech[RULE_SPEECHES_MAX];
    const char *speech_paths[RULE_SPEECHES_MAX];
    uint32_t connection; /* 0: all */
    bool inferred, strict;
    struct report_paths reports;
    char program[OPTIONS_PATH_MAX]; /* for the line that judges again */
    const char *path;
    char journal_path[ARTEFACT_PATH_MAX];
};

static bool wrong(const char *what, const char *word)
{
    fprintf(stderr, "ojin-conform judge: %s%s%s%s\n", what, word != NULL ? " '" : "",
            word != NULL ? word : "", word != NULL ? "'" : "");
    return false;
}

static bool take_profile(struct option_given *given, void *context)
{
    struct judge_options *out = context;
    out->profile = profile_by_name(given->value);
    return out->profile != NULL || wrong("no such profile:", given->value);
}

static bool take_audio(struct option_given *given, void *context)
{
    struct judge_options *out = context;
    if (out->speech_count == RULE_SPEECHES_MAX)
        return wrong("too many --audio", NULL);
    out->speech_paths[out->speech_count++] = given->value;
    return true;
}

static bool take_connection(struct option_given *given, void *out)
{
    return option_count(given, out) || wrong("--connection takes a number from 1, not", given->value);
}

#define AT(member) OPTION_INTO(struct judge_options, member)

static const struct option_row ROWS[] = {
    {"profile", "NAME",
     "judge only connections of this profile's family, by this profile\n"
     "(default: the journal's)",
     take_profile, AT(profile), .words = OPTION_PROFILES},
    {"audio", "FILE",
     "speech that the client was given, for OJ-IN-06, DX-APP-07 and IV-IN-02\n"
     "(may be repeated, in order)",
     take_audio, AT(speech)},
    {"connection", "N", "judge connection N alone", take_connection,
     OPTION_RANGE(struct judge_options, connection, 1, UINT32_MAX)},
    {"inferred", NULL, "a broken MUST that the documents only imply fails too", option_flag, AT(inferred)},
    {"strict", NULL, "a broken SHOULD fails too", option_flag, AT(strict)},
    REPORT_ROWS(struct judge_options, reports),
    OPTION_HELP_ROW,
};

const struct option_page JUDGE_PAGE = {
    .command = "judge",
    .brief = "judges a recorded journal",
    .before = "Usage: ojin-conform judge [OPTION]… JOURNAL | FOLDER\n"
              "\n"
              "Judges a client by a journal, which ojin-mock --journal wrote or a failing case left (its "
              "folder, or\n"
              "the wire.jsonl in it). Each connection counts as a case. A journal shows only the wire: what "
              "a client\n"
              "does with what it receives is not judged.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 22,
    .after = "\n"
             "Exit: 0 no requirement is broken, 1 some are, 2 wrong usage or no journal, 3 our own error or "
             "a journal\n"
             "without connections.\n",
};

static enum options_outcome take_options(int argc, char *argv[], struct judge_options *out)
{
    char **rest;
    const enum options_outcome outcome = conform_options_parse(&JUDGE_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (rest[0] == NULL || rest[1] != NULL) {
        wrong(rest[0] == NULL ? "no journal: expected one file, or the folder of a case"
                              : "expected one journal, not also",
              rest[0] == NULL ? NULL : rest[1]);
        return option_hint("judge");
    }
    out->path = artefacts_journal_in(rest[0], out->journal_path);
    return OPTIONS_RUN;
}

/* The speech, at the rate at which clients of these profiles send theirs. */
static bool read_speech(struct judge_options *options, const struct profile *const profiles[], size_t count)
{
    char error[SOUND_ERROR_MAX];
    unsigned rate = 0;
    for (size_t i = 0; i < count && options->speech_count > 0; i++) {
        const unsigned own = session_class_by_family(profiles[i]->family)->messages->input_rate;
        if (rate != 0 && own != rate)
            return wrong(
                "--audio needs --profile or --connection: the journal has connections of families with "
                "different sample rates",
                NULL);
        rate = own;
    }
    for (size_t i = 0; i < options->speech_count; i++)
        if (!sound_read(options->speech_paths[i], rate, &options->speech[i], error))
            return wrong(error, NULL);
    return true;
}

/* The line that judges this connection again. */
static void repro_write(const struct judge_options *options, uint32_t connection, struct run_case *out)
{
    char number[16];
    const char *words[WORDS_MAX] = {options->program, "judge", "--connection", number};
    size_t count = 4;
    snprintf(number, sizeof number, "%u", (unsigned)connection);
    if (options->profile != NULL) {
        words[count++] = "--profile";
        words[count++] = options->profile->name;
    }
    for (size_t i = 0; i < options->speech_count; i++) {
        words[count++] = "--audio";
        words[count++] = options->speech_paths[i];
    }
    if (options->inferred)
        words[count++] = "--inferred";
    if (options->strict)
        words[count++] = "--strict";
    words[count] = options->path;
    char *line = shell_line_new(words);
    if (line != NULL)
        snprintf(out->repro, sizeof out->repro, "%s", line);
    free(line);
}

static int cases_report(const struct judge_options *options, const struct journal_judging *judging,
                        const uint32_t *connections, struct run_result *run, struct case_script *scripts)
{
    if (run->cases == NULL || scripts == NULL ||
        !journal_judge(judging, connections, run->case_count, run->cases, scripts)) {
        fputs("ojin-conform judge: out of memory\n", stderr);
        return CONFORM_EXIT_OWN_ERROR;
    }
    for (size_t i = 0; i < run->case_count; i++) {
        if (evidence_is_wanted(&run->cases[i].result))
            repro_write(options, connections[i], &run->cases[i]);
        run->duration_ms += run->cases[i].duration_ms;
    }
    run_tell_followers(run);
    return report_files_write(run, &options->reports,
                              isatty(STDOUT_FILENO) != 0 && getenv("NO_COLOR") == NULL);
}

static int judge_all(struct judge_options *options, const struct journal_judging *judging)
{
    char command[RUN_COMMAND_MAX];
    const struct profile *profiles[JOURNAL_PROFILES_MAX];
    const char *unknown = journal_unknown_profile(judging);
    if (unknown != NULL) {
        fprintf(stderr, "ojin-conform judge: %s: no profile '%s'\n", options->path, unknown);
        return CONFORM_EXIT_USAGE;
    }
    const size_t profile_count = journal_profiles(judging, options->connection, profiles);
    struct run_result run = {.command = command,
                             .transport = "journal",
                             .tier = TIER_WIRE,
                             .inferred = options->inferred,
                             .strict = options->strict,
                             .recorded = true,
                             .profile_count = profile_count,
                             .profiles = profiles};
    uint32_t *connections = journal_connections(judging, options->connection, &run.case_count);
    snprintf(command, sizeof command, "journal %s", options->path);
    if (connections != NULL && run.case_count == 0) {
        fprintf(stderr, "ojin-conform judge: %s: there is no %sconnection in it\n", options->path,
                options->connection == 0 ? "" : "such ");
        free(connections);
        return CONFORM_EXIT_OWN_ERROR;
    }
    if (!read_speech(options, profiles, profile_count)) {
        free(connections);
        return CONFORM_EXIT_USAGE;
    }
    run.cases = connections == NULL ? NULL : calloc(run.case_count, sizeof *run.cases);
    struct case_script *scripts = calloc(run.case_count + 1, sizeof *scripts);
    const int code = cases_report(options, judging, connections, &run, scripts);
    free(run.cases);
    free(scripts);
    free(connections);
    return code;
}

static int judge_file(struct judge_options *options)
{
    struct bytes text;
    char error[200];
    if (!file_read(options->path, JOURNAL_DATA_BYTES_MAX, &text)) {
        fprintf(stderr, "ojin-conform judge: cannot read %s: %s\n", options->path, strerror(errno));
        return CONFORM_EXIT_USAGE;
    }
    int code = CONFORM_EXIT_USAGE;
    struct journal *journal = journal_read(text, SESSION_CLASSES, bytes_of_text(KEY), error);
    if (journal == NULL) {
        fprintf(stderr, "ojin-conform judge: %s: %s\n", options->path, error);
    } else {
        if (error[0] != '\0')
            fprintf(stderr, "ojin-conform judge: %s: %s\n", options->path, error);
        const struct journal_judging judging = {.journal = journal,
                                                .path = options->path,
                                                .key = bytes_of_text(KEY),
                                                .profile = options->profile,
                                                .speech_count = options->speech_count,
                                                .speech = options->speech,
                                                .inferred = options->inferred,
                                                .strict = options->strict,
                                                .pictured = options->reports.of[REPORT_HTML] != NULL};
        code = judge_all(options, &judging);
    }
    journal_free(journal);
    free((void *)(uintptr_t)text.data);
    return code;
}

int command_judge(int argc, char *argv[])
{
    struct judge_options *options = calloc(1, sizeof *options);
    if (options == NULL)
        return CONFORM_EXIT_OWN_ERROR;
    program_path("ojin-conform", options->program, sizeof options->program);
    const enum options_outcome outcome = take_options(argc, argv, options);
    const int code = outcome == OPTIONS_RUN ? judge_file(options) : option_exit(outcome);
    for (size_t i = 0; i < options->speech_count; i++)
        sound_free(&options->speech[i]);
    free(options);
    return code;
}
