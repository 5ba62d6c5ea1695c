/*
 * ojin-conform server: looks whether there is one, runs the cases against it, reports.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/commands.h"
#include "conformance/process/host_clock.h"
#include "conformance/process/interrupt.h"
#include "conformance/process/out_folder.h"
#include "conformance/process/provoke.h"
#include "conformance/report/report_files.h"
#include "conformance/runner/pool.h"
#include "conformance/selection/case_set.h"
#include "conformance/selection/pattern_hints.h"
#include "conformance/selection/selection.h"
#include "conformance/server/host/server_notes.h"
#include "conformance/server/host/server_probe.h"
#include "conformance/server/host/server_worker.h"
#include "conformance/server/server_judge.h"

/* ---- which cases ---- */

static bool is_about_any(const struct case_script *script, const char *const *ids, size_t count)
{
    for (size_t i = 0; i < script->clause_count; i++)
        for (size_t k = 0; k < count; k++)
            if (strcmp(script->clauses[i].requirement->id, ids[k]) == 0)
                return true;
    return false;
}

static bool is_wanted(const struct server_options *options, const struct case_script *script)
{
    const bool matches =
        script->class->family == options->family && server_options_match(options, script->profiles);
    if (!matches || patterns_hold(&options->skip, script->name))
        return false;
    if (options->run.count > 0 && !patterns_hold(&options->run, script->name))
        return false;
    return options->requirement_count == 0 ||
           is_about_any(script, options->requirements, options->requirement_count);
}

/* ---- running ---- */

struct session {
    struct server_options *options;
    const struct case_set *set;
    size_t count;
    struct worker_job *jobs; /* those without a condition first */
    struct worker_slot *slots;
    size_t free_count; /* without a condition */
    size_t failed;
};

static void case_ended(void *context, size_t done, size_t count, const struct worker_slot *slot)
{
    struct session *session = context;
    if (case_fails(&slot->run_case.result))
        session->failed++;
    if (session->options->progress)
        report_progress(done, count, session->failed, slot->run_case.script->name);
}

/* What could not be judged because this machine was late, once more and alone. False when interrupted. */
static bool run_again_alone(struct session *session, const struct worker_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct worker_slot *slot = jobs[i].slot;
        if (!slot->finished || !judge_was_inconclusive(&slot->run_case.result))
            continue;
        *slot = (struct worker_slot){
            .run_case = {.script = slot->run_case.script, .profile = slot->run_case.profile}};
        if (!pool_run(&jobs[i], 1, 1, &interrupted, case_ended, session))
            return false;
    }
    return true;
}

static void leave_untried(struct worker_slot *slot, enum verdict verdict, const char *why)
{
    server_judge_untried(slot->run_case.script, verdict, why, &slot->run_case.result);
    slot->finished = true;
}

static void leave_all_untried(const struct worker_job *jobs, size_t count, enum verdict verdict,
                              const char *why)
{
    for (size_t i = 0; i < count; i++)
        leave_untried(jobs[i].slot, verdict, why);
}

/* Brings the condition about, runs its cases, and puts the server back. False when interrupted. */
static bool run_under_condition(struct session *session, const struct worker_job *jobs, size_t count)
{
    const struct server_options *options = session->options;
    const char *condition = jobs[0].script->condition;
    char sentence[PROVOKE_SENTENCE_MAX];
    char undone[PROVOKE_SENTENCE_MAX];
    if (options->provoke == NULL) {
        snprintf(sentence, sizeof sentence, "needs --provoke with a command that brings about %s", condition);
        leave_all_untried(jobs, count, VERDICT_UNSUPPORTED, sentence);
        return true;
    }
    switch (provoke(options->provoke, condition, options->url_text, sentence)) {
    case PROVOKE_CANNOT:
        leave_all_untried(jobs, count, VERDICT_UNSUPPORTED, sentence);
        return true;
    case PROVOKE_FAILED:
        leave_all_untried(jobs, count, VERDICT_ERROR, sentence);
        return true;
    case PROVOKE_DONE:
        break;
    }
    const bool whole = pool_run(jobs, count, options->jobs, &interrupted, case_ended, session) &&
                       run_again_alone(session, jobs, count);
    if (provoke(options->provoke, PROVOKE_RESTORE, options->url_text, undone) != PROVOKE_DONE)
        leave_all_untried(jobs, count, VERDICT_ERROR, undone);
    return whole;
}

/* How many of the jobs, from the first on, need the same condition. */
static size_t same_condition(const struct worker_job *jobs, size_t count)
{
    size_t n = 1;
    while (n < count && strcmp(jobs[n].script->condition, jobs[0].script->condition) == 0)
        n++;
    return n;
}

static bool run_all(struct session *session)
{
    bool whole = pool_run(session->jobs, session->free_count, session->options->jobs, &interrupted,
                          case_ended, session) &&
                 run_again_alone(session, session->jobs, session->free_count);
    for (size_t i = session->free_count; whole && i < session->count;) {
        const size_t count = same_condition(&session->jobs[i], session->count - i);
        whole = run_under_condition(session, &session->jobs[i], count);
        i += count;
    }
    return whole;
}

/* ---- from cases to a report ---- */

static void job_add(struct session *session, const struct case_set *set, size_t n,
                    const struct profile *profile)
{
    struct worker_slot *slot = &session->slots[session->count];
    slot->run_case.script = set->scripts[n];
    slot->run_case.profile = profile;
    session->jobs[session->count++] = (struct worker_job){.run = server_worker_run,
                                                          .server = session->options,
                                                          .script = set->scripts[n],
                                                          .script_text = set->texts[n],
                                                          .profile = profile,
                                                          .slot = slot};
}

static bool is_any_wanted(const struct session *session)
{
    for (size_t i = 0; i < session->set->count; i++)
        if (is_wanted(session->options, session->set->scripts[i]))
            return true;
    return false;
}

static int nothing_ran(void)
{
    fputs("ojin-conform: no case matches --family, --run, --skip, --requirement and --profile: nothing ran\n",
          stderr);
    return CONFORM_EXIT_OWN_ERROR;
}

/* A case in each profile that it is for. */
static void select_case(struct session *session, size_t n)
{
    const struct server_options *options = session->options;
    const struct case_script *script = session->set->scripts[n];
    for (size_t i = 0; is_wanted(options, script) && i < options->profile_count; i++)
        if (profile_matches(options->profiles[i], script->profiles))
            job_add(session, session->set, n, options->profiles[i]);
}

/* A case that lasts as long as a session may. */
static bool is_long(const struct worker_job *job)
{
    enum { LONG_US = 300000000 };
    return job->script->limit_us >= LONG_US;
}

/* Those of a condition together; among them, those that last longest are begun first. */
static int by_condition(const void *a, const void *b)
{
    const struct worker_job *first = a, *second = b;
    const int order = strcmp(first->script->condition, second->script->condition);
    if (order != 0)
        return order;
    if (is_long(first) != is_long(second))
        return is_long(first) ? -1 : 1;
    return first->slot < second->slot ? -1 : 1;
}

static void select_jobs(struct session *session)
{
    const struct case_set *set = session->set;
    for (int with_condition = 0; with_condition <= 1; with_condition++) {
        for (size_t i = 0; i < set->count; i++)
            if ((set->scripts[i]->condition[0] != '\0') == (with_condition == 1))
                select_case(session, i);
        if (with_condition == 0)
            session->free_count = session->count;
    }
    qsort(session->jobs, session->count, sizeof *session->jobs, by_condition);
}

static int report(const struct session *session, uint64_t duration_ms)
{
    struct server_options *options = session->options;
    struct run_result run = {.command = options->url_text,
                             .transport = "sockets",
                             .party = REQUIREMENT_SERVER,
                             .tier = TIER_OBSERVE,
                             .inferred = options->inferred,
                             .strict = options->strict,
                             .interrupted = interrupted != 0,
                             .narrowed = options->run.count > 0 || options->skip.count > 0 ||
                                         options->requirement_count > 0,
                             .duration_ms = duration_ms,
                             .case_count = session->count,
                             .profile_count = options->profile_count,
                             .profiles = options->profiles};
    run.cases = calloc(session->count + 1, sizeof *run.cases);
    if (run.cases == NULL) {
        fputs("ojin-conform: out of memory\n", stderr);
        return CONFORM_EXIT_OWN_ERROR;
    }
    for (size_t i = 0; i < session->count; i++) {
        const struct worker_slot *slot = &session->slots[i];
        run.cases[i] = slot->run_case;
        run.cases[i].ran = slot->finished || slot->run_case.result.verdict == VERDICT_ERROR;
    }
    run_fail_unreached(&run);
    struct run_note *notes = NULL;
    int code = CONFORM_EXIT_OWN_ERROR;
    if (server_notes_take(options, session->set, &run, &notes))
        code = report_files_write(&run, &options->reports, options->colour);
    else
        fputs("ojin-conform: out of memory\n", stderr);
    free(notes);
    free(run.cases);
    return code;
}

static int run_session(struct session *session)
{
    const uint64_t began_ms = host_clock_ms();
    interrupt_watch();
    if (case_family_by_name(session->options->family->name).client_side->one_connection)
        session->options->jobs = 1;
    if (!server_probe(session->options))
        return interrupted ? CONFORM_EXIT_INTERRUPTED : CONFORM_EXIT_OWN_ERROR;
    select_jobs(session);
    if (session->count == 0)
        return nothing_ran();
    struct out_folder out;
    if (!out_folder_take("server", session->options->out_folder, &out))
        return CONFORM_EXIT_USAGE;
    const bool whole = run_all(session);
    out_folder_leave(&out);
    return whole || interrupted ? report(session, host_clock_ms() - began_ms) : CONFORM_EXIT_OWN_ERROR;
}

int command_server(int argc, char *argv[])
{
    struct server_options options;
    const enum options_outcome outcome = server_options_parse(argc, argv, &options);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    struct case_set set;
    if (!case_set_load(options.cases_folder, CASES_ABOUT_SERVERS, &set))
        return set.no_memory ? CONFORM_EXIT_OWN_ERROR : CONFORM_EXIT_USAGE;
    const bool taken = run_patterns_match("server", options.family, &set, &options.run);
    if (!skip_patterns_match("server", &set, &options.skip) || !taken) {
        case_set_free(&set);
        return CONFORM_EXIT_USAGE;
    }
    struct session session = {.options = &options,
                              .set = &set,
                              .slots = pool_slots_new(set.count * SERVER_PROFILES_MAX),
                              .jobs = calloc(set.count * SERVER_PROFILES_MAX, sizeof *session.jobs)};
    int code = CONFORM_EXIT_OWN_ERROR;
    if (session.slots == NULL || session.jobs == NULL) {
        fputs("ojin-conform: out of memory\n", stderr);
    } else {
        code = is_any_wanted(&session) ? run_session(&session) : nothing_ran();
    }
    pool_slots_free(session.slots, set.count * SERVER_PROFILES_MAX);
    free(session.jobs);
    case_set_free(&set);
    return code;
}
