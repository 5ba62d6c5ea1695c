/*
 * ojin-conform run: selects, probes, runs, reports.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/family.h"
#include "conformance/cli/command_exists.h"
#include "conformance/cli/commands.h"
#include "conformance/process/host_clock.h"
#include "conformance/process/interrupt.h"
#include "conformance/process/out_folder.h"
#include "conformance/process/shell.h"
#include "conformance/report/followers.h"
#include "conformance/report/report_files.h"
#include "conformance/report/run_part.h"
#include "conformance/runner/client_probe.h"
#include "conformance/runner/memory_cases.h"
#include "conformance/runner/rounds.h"
#include "conformance/runner/worker.h"
#include "conformance/selection/expectations.h"
#include "conformance/selection/pattern_hints.h"
#include "conformance/selection/selection.h"

enum { RUN_PROFILES_MAX = 8, CONDITIONS_MAX = 1024 };

/* Are cases left out by choice, and not by the shard? */
static bool is_narrowed(const struct run_options *options)
{
    return options->run.count > 0 || options->skip.count > 0 || options->set != SCRIPT_SET_SLOW;
}

/* Are there cases to run, in other shards? */
static bool is_empty_shard(const struct run_options *options, const struct case_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (selection_reason(set->scripts[i], options) == LEFT_OUT_SHARD)
            return true;
    return false;
}

/* ---- running ---- */

struct progress {
    bool shown;
    size_t failed;
};

static void case_ended(void *context, size_t done, size_t count, const struct worker_slot *slot)
{
    struct progress *progress = context;
    if (case_fails(&slot->run_case.result))
        progress->failed++;
    if (progress->shown)
        report_progress(done, count, progress->failed, slot->run_case.script->name);
}

/* Where a case comes in the order of the run: those that may take long begin first, so that none of them is
 * waited for alone at the end. */
struct turn {
    size_t case_index;
    uint64_t limit_us;
};

static int turn_compare(const void *a, const void *b)
{
    const struct turn *left = a, *right = b;
    if (left->limit_us != right->limit_us)
        return left->limit_us > right->limit_us ? -1 : 1;
    return left->case_index < right->case_index ? -1 : 1;
}

/* NULL when memory runs out. */
static struct turn *turns_new(const struct selection *selection)
{
    struct turn *turns = calloc(selection->count + 1, sizeof *turns);
    for (size_t i = 0; turns != NULL && i < selection->count; i++)
        turns[i] = (struct turn){i, selection->cases[i].script->limit_us};
    if (turns != NULL)
        qsort(turns, selection->count, sizeof *turns, turn_compare);
    return turns;
}

/* In processes of their own. False when nothing could be run or the run was interrupted. */
static bool run_processes(const struct run_options *options, const struct selection *selection,
                          struct pool_clients *clients, struct run_result *run)
{
    struct worker_slot *slots = pool_slots_new(selection->count);
    struct worker_job *jobs = calloc(selection->count, sizeof *jobs);
    size_t *case_of = calloc(selection->count, sizeof *case_of);
    struct turn *turns = turns_new(selection);
    bool whole = slots != NULL && jobs != NULL && case_of != NULL && turns != NULL;
    size_t count = 0;
    for (size_t n = 0; whole && n < selection->count; n++) {
        const size_t i = turns[n].case_index;
        if (selection->cases[i].script->tier > options->tier)
            continue;
        slots[count].run_case = run->cases[i];
        case_of[count] = i;
        jobs[count] = (struct worker_job){.run = worker_run,
                                          .options = options,
                                          .script = selection->cases[i].script,
                                          .script_text = selection->cases[i].text,
                                          .profile = selection->cases[i].profile,
                                          .tier = options->tier,
                                          .attempt = 1,
                                          .clients = clients,
                                          .slot = &slots[count]};
        count++;
    }
    struct progress progress = {.shown = options->progress};
    whole = whole && rounds_run(options, jobs, count, &interrupted, case_ended, &progress);
    for (size_t i = 0; slots != NULL && i < count; i++) {
        run->cases[case_of[i]] = slots[i].run_case;
        run->cases[case_of[i]].ran = slots[i].finished || slots[i].run_case.result.verdict == VERDICT_ERROR;
    }
    pool_slots_free(slots, selection->count);
    free(jobs);
    free(case_of);
    free(turns);
    return whole;
}

/* Options that the verdicts hang on beside those that every report has: "tls, says ready". */
static void conditions_add(const struct run_options *options, struct text *out)
{
    text_add(out, options->tls ? "tls " : "");
    text_add(out, options->says_known ? "says=" : "");
    text_add(out, options->says_known ? options->says_text : "");
    text_add(out, options->says_known ? " " : "");
    for (size_t i = 0; i < options->quirk_count; i++) {
        text_add(out, "quirk=");
        text_add(out, options->quirk_texts[i]);
        text_add(out, " ");
    }
    text_add(out, options->baseline_path == NULL ? "" : "baseline ");
    text_add(out, "seed=");
    text_add_u64(out, options->seed);
    text_add(out, " repeat=");
    text_add_u64(out, options->repeat);
    text_add(out, " retries=");
    text_add_u64(out, options->retries);
    text_add(out, " timeout_ms=");
    text_add_u64(out, options->timeout_ms);
}

/* Of a shard whose report is JSON: what ojin-conform merge needs. False when memory runs out. */
static bool part_make(const struct run_options *options, const struct run_result *run, struct cJSON **out)
{
    char conditions[CONDITIONS_MAX];
    struct text text = text_of(conditions, sizeof conditions);
    if (options->shard_count == 0 || options->reports.of[REPORT_JSON] == NULL)
        return true;
    conditions_add(options, &text);
    *out = run_part_new(run, &(struct run_part_place){.shard = options->shard_index,
                                                      .of = options->shard_count,
                                                      .family = options->family->name,
                                                      .conditions = conditions,
                                                      .narrowed = is_narrowed(options)});
    if (*out == NULL)
        fputs("ojin-conform: out of memory\n", stderr);
    return *out != NULL;
}

static int run_selection(struct run_options *options, const struct selection *selection,
                         const struct case_set *set, struct pool_clients *clients,
                         struct expectations *expectations)
{
    const struct profile *profiles[RUN_PROFILES_MAX];
    char command[RUN_COMMAND_MAX] = "the reference client in memory";
    struct run_result run = {.command = command,
                             .transport = options->memory ? "memory" : "sockets",
                             .inferred = options->inferred,
                             .strict = options->strict,
                             .suite = options->suite,
                             .narrowed = is_narrowed(options) || options->shard_count > 0,
                             .empty_shard = selection->count == 0,
                             .judged_min = options->judged_min,
                             .profiles = profiles,
                             .case_count = selection->count};
    const struct profile *const *known = options->family->profiles;
    for (size_t i = 0; known[i] != NULL && run.profile_count < RUN_PROFILES_MAX; i++) {
        if (options->all_profiles || known[i] == options->profile)
            profiles[run.profile_count++] = known[i];
    }
    run.cases = calloc(selection->count + 1, sizeof *run.cases); /* a shard may be empty */
    if (run.cases == NULL) {
        fputs("ojin-conform: out of memory\n", stderr);
        return CONFORM_EXIT_OWN_ERROR;
    }
    for (size_t i = 0; i < selection->count; i++) {
        run.cases[i].script = selection->cases[i].script;
        run.cases[i].profile = selection->cases[i].profile;
    }
    const uint64_t began_ms = host_clock_ms();
    bool whole = true;
    if (options->memory) {
        options->tier = TIER_OBSERVE;
        whole = memory_cases_run(options, run.cases, run.case_count);
    } else {
        if (options->attach)
            snprintf(command, sizeof command, "a client started by hand");
        else
            shell_line(options->command, command, sizeof command);
        whole = selection->count == 0 || run_processes(options, selection, clients, &run);
    }
    run.tier = options->tier;
    run.interrupted = interrupted != 0;
    run.duration_ms = host_clock_ms() - began_ms;
    whole = (whole || run.interrupted) && expectations_apply(options, set, expectations, &run);
    int code = CONFORM_EXIT_OWN_ERROR;
    struct cJSON *part = NULL;
    if (whole && part_make(options, &run, &part)) {
        run.part = part;
        run_tell_followers(&run);
        code = report_files_write(&run, &options->reports, options->colour);
    }
    run_part_free(part);
    free(run.cases);
    return code;
}

static int run_in_folder(struct run_options *options, const struct selection *selection, struct case_set *set,
                         struct expectations *expectations)
{
    struct pool_clients clients = {.stay = false};
    struct out_folder out;
    int code = CONFORM_EXIT_OWN_ERROR;
    if (!options->memory && !out_folder_take(options->subcommand, options->out_folder, &out))
        return CONFORM_EXIT_USAGE;
    interrupt_watch();
    if (options->command == NULL || client_probe(options, &interrupted, &clients))
        code = run_selection(options, selection, set, &clients, expectations);
    pool_clients_stop(&clients);
    if (!options->memory)
        out_folder_leave(&out);
    return interrupted ? CONFORM_EXIT_INTERRUPTED : code;
}

int command_run(int argc, char *argv[])
{
    struct run_options options;
    const enum options_outcome outcome = run_options_parse(argc, argv, &options);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    struct case_set set;
    struct selection selection;
    if (!case_set_load(options.cases_folder, CASES_ABOUT_CLIENTS, &set))
        return set.no_memory ? CONFORM_EXIT_OWN_ERROR : CONFORM_EXIT_USAGE;
    struct expectations expectations = {0};
    if (!expectations_load(&options, &set, &expectations) || !patterns_match(&options, &set)) {
        expectations_free(&expectations);
        case_set_free(&set);
        return CONFORM_EXIT_USAGE;
    }
    for (size_t i = 0; options.timeout_ms > 0 && i < set.count; i++)
        set.scripts[i]->limit_us = options.timeout_ms * 1000;
    select_cases(&set, &options, &selection);
    if (options.attach && !options.tier_known)
        fputs(
            "ojin-conform: a client started by hand is not asked what it can do: only cases of the wire tier "
            "are run, without --tier plan or --tier observe\n",
            stderr);
    int code = CONFORM_EXIT_OWN_ERROR;
    const bool empty_shard = selection.count == 0 && is_empty_shard(&options, &set);
    if (empty_shard)
        fprintf(stderr,
                "ojin-conform: all cases are in other shards than %u/%u: none is run, and the report is one "
                "for merge\n",
                options.shard_index, options.shard_count);
    if (selection.count == 0 && !empty_shard) {
        fputs("ojin-conform: no case matches --family, --run, --skip, --set and --profile: nothing ran\n",
              stderr);
    } else if (options.command == NULL || command_exists(options.command[0])) {
        code = run_in_folder(&options, &selection, &set, &expectations);
    }
    expectations_free(&expectations);
    case_set_free(&set);
    return code;
}
