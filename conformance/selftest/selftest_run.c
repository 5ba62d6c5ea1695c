/* Defects and the correct client in processes of their own, as any client is run. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/family.h"
#include "conformance/process/interrupt.h"
#include "conformance/runner/pool.h"
#include "conformance/runner/worker.h"
#include "conformance/selftest/selftest.h"

enum {
    BATCH_CASES = 2048,
    COMMAND_WORDS = 5,
    AGAIN_MAX = 3, /* times a case that a late machine left open is run again */
    AGAIN_JOBS = 2 /* at a time */
};

/* How one client is run: what workers borrow while they run it. */
struct way {
    struct run_options options;
    char *command[COMMAND_WORDS];
    char folder[SCRATCH_PATH_MAX + 128];
};

struct batch {
    const struct selftest *selftest;
    struct worker_slot *slots;
    struct worker_job jobs[BATCH_CASES];
    struct selftest_subject *subjects[BATCH_CASES];
    size_t at[BATCH_CASES]; /* of the selection */
    size_t count;
    struct worker_job again[BATCH_CASES];
    unsigned tries[BATCH_CASES]; /* how often each was run again */
    size_t done_before, all;     /* for the progress */
};

/* A client and a case that it goes through. */
struct turn {
    size_t subject; /* of subject_at */
    size_t at;      /* of the selection */
    uint64_t limit_us;
};

/* ---- how it is run ---- */

/* The client of the trial that passes for the correct one. */
static const char *defect_of_client(const struct selftest *selftest)
{
    const struct family *family = selftest->options.run.family;
    if (selftest->options.trial != TRIAL_BROKEN_CLIENT)
        return NULL;
    const struct defect_class *class =
        defect_class_by_family(family != NULL ? family->name : FAMILIES[0]->name);
    return class != NULL && class->trial->count > 0 ? class->trial->rows[0].name : NULL;
}

static bool make_folder(struct way *way, const struct selftest *selftest, const char *name)
{
    snprintf(way->folder, sizeof way->folder, "%s/%s", selftest->scratch.path, name);
    if (mkdir(way->folder, 0777) == 0)
        return true;
    fprintf(stderr, "ojin-conform: cannot make %s: %s\n", way->folder, strerror(errno));
    return false;
}

static bool way_of(struct way *way, const struct selftest *selftest, const struct selftest_subject *subject)
{
    static char word_defect[] = "defect";
    static char word_none[] = "none";
    char **word = way->command;
    const char *name = subject->defect != NULL ? subject->defect->name : defect_of_client(selftest);
    way->options = selftest->options.run;
    way->options.command = way->command;
    way->options.tier = TIER_OBSERVE;
    *word++ = way->options.program;
    *word++ = word_defect;
    *word++ = name != NULL ? (char *)(uintptr_t)name : word_none;
    *word = NULL;
    if (subject->defect == NULL)
        return true;
    way->options.out_folder = way->folder;
    return make_folder(way, selftest, subject->defect->name);
}

/* ---- batches ---- */

static void case_ended(void *context, size_t done, size_t count, const struct worker_slot *slot)
{
    const struct batch *batch = context;
    (void)count;
    if (batch->selftest->options.run.progress)
        report_progress(batch->done_before + done, batch->all, 0, slot->run_case.script->name);
}

static bool fails_for(const struct case_result *result, const char *requirement)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].verdict == VERDICT_FAIL &&
            strcmp(result->checks[i].requirement->id, requirement) == 0)
            return true;
    return false;
}

static bool is_caught(const struct batch *batch, const struct selftest_subject *subject)
{
    for (size_t i = 0; i < batch->count; i++)
        if (batch->subjects[i] == subject &&
            fails_for(&batch->slots[i].run_case.result, subject->defect->requirement))
            return true;
    return subject->catch_count > 0;
}

/* A busy machine may have been the cause: of the client a failure is tried again once, and what says nothing;
 * of a defect what it trips while the machine was late. */
static bool is_in_doubt(const struct batch *batch, size_t i)
{
    const struct worker_slot *slot = &batch->slots[i];
    const struct case_result *result = &slot->run_case.result;
    const struct selftest_subject *subject = batch->subjects[i];
    if (subject->defect == NULL)
        return judge_was_inconclusive(result) || (case_fails(result) && batch->tries[i] == 0);
    return batch->tries[i] == 0 && slot->run_case.lateness_us > JUDGE_LATENESS_MAX_US &&
           selftest_trips(subject->defect, result);
}

/* A case of the defect's own that would tell more with less at work: it says nothing, or the machine was
 * late.
 */
static bool may_yet_catch(const struct batch *batch, size_t i)
{
    const struct run_case *run_case = &batch->slots[i].run_case;
    return (judge_was_inconclusive(&run_case->result) || run_case->lateness_us > JUDGE_LATENESS_MAX_US) &&
           selftest_is_own(batch->subjects[i]->defect, batch->jobs[i].script);
}

static bool is_tried_before(const struct batch *batch, size_t i, size_t other)
{
    if (batch->tries[i] != batch->tries[other])
        return batch->tries[i] < batch->tries[other];
    return batch->slots[i].run_case.duration_ms < batch->slots[other].run_case.duration_ms;
}

/* Of a defect that nothing caught, one case at a time: mostly the first tells. `chosen` is set for the jobs
 * of the next round. */
static void choose_catch(const struct batch *batch, const struct selftest_subject *subject, bool *chosen)
{
    size_t best = batch->count;
    if (is_caught(batch, subject))
        return;
    for (size_t i = 0; i < batch->count; i++)
        if (batch->subjects[i] == subject && batch->tries[i] < AGAIN_MAX && may_yet_catch(batch, i) &&
            (best == batch->count || is_tried_before(batch, i, best)))
            best = i;
    if (best < batch->count)
        chosen[best] = true;
}

static bool choose_again(struct batch *batch, bool *chosen)
{
    bool any = false;
    for (size_t i = 0; i < batch->count; i++)
        chosen[i] = batch->tries[i] < AGAIN_MAX && is_in_doubt(batch, i);
    for (size_t n = 0; n < batch->selftest->defect_count; n++)
        choose_catch(batch, &batch->selftest->defects[n], chosen);
    for (size_t i = 0; i < batch->count; i++)
        any = any || chosen[i];
    return any;
}

/* The last try of a case is alone. */
static bool run_late_ones_again(struct batch *batch)
{
    bool chosen[BATCH_CASES] = {false};
    bool whole = true;
    memset(batch->tries, 0, sizeof batch->tries);
    while (whole && choose_again(batch, chosen)) {
        size_t count = 0;
        bool alone = false;
        for (size_t i = 0; i < batch->count; i++) {
            if (!chosen[i])
                continue;
            batch->slots[i] = (struct worker_slot){
                .run_case = {.script = batch->jobs[i].script, .profile = batch->jobs[i].profile}};
            batch->again[count++] = batch->jobs[i];
            alone = ++batch->tries[i] == AGAIN_MAX || alone;
        }
        whole = pool_run(batch->again, count, alone ? 1 : AGAIN_JOBS, &interrupted, case_ended, batch);
    }
    return whole;
}

static bool run_batch(struct batch *batch)
{
    const struct run_options *options = &batch->selftest->options.run;
    batch->slots = pool_slots_new(batch->count);
    bool whole = batch->slots != NULL;
    for (size_t i = 0; whole && i < batch->count; i++) {
        batch->slots[i].run_case.script = batch->jobs[i].script;
        batch->slots[i].run_case.profile = batch->jobs[i].profile;
        batch->jobs[i].slot = &batch->slots[i];
    }
    whole = whole && pool_run(batch->jobs, batch->count, options->jobs, &interrupted, case_ended, batch);
    batch->done_before += batch->count;
    whole = whole && run_late_ones_again(batch);
    for (size_t i = 0; whole && i < batch->count; i++)
        selftest_take(batch->subjects[i], batch->selftest, batch->at[i], &batch->slots[i].run_case.result,
                      false);
    if (batch->slots != NULL)
        pool_slots_free(batch->slots, batch->count);
    batch->count = 0;
    return whole;
}

static bool add_job(struct batch *batch, const struct way *way, struct selftest_subject *subject, size_t at)
{
    const struct selected_case *selected = &batch->selftest->selection.cases[at];
    if (batch->count == BATCH_CASES && !run_batch(batch))
        return false;
    batch->subjects[batch->count] = subject;
    batch->at[batch->count] = at;
    batch->jobs[batch->count++] = (struct worker_job){.run = worker_run,
                                                      .options = &way->options,
                                                      .script = selected->script,
                                                      .script_text = selected->text,
                                                      .profile = selected->profile,
                                                      .tier = TIER_OBSERVE,
                                                      .attempt = 1,
                                                      .leave_nothing = subject->defect != NULL};
    return true;
}

static struct selftest_subject *subject_at(const struct selftest *selftest, size_t n)
{
    return n == 0 ? selftest->client : &selftest->defects[n - 1];
}

static size_t jobs_in_all(const struct selftest *selftest)
{
    size_t count = 0;
    for (size_t n = 0; n <= selftest->defect_count; n++)
        for (size_t i = 0; i < selftest->selection.count; i++)
            count += subject_at(selftest, n)->wanted[i] ? 1 : 0;
    return count;
}

/* Those that may take long come first, so that none is waited for alone at the end. */
static int compare_turns(const void *a, const void *b)
{
    const struct turn *left = a, *right = b;
    if (left->limit_us != right->limit_us)
        return left->limit_us > right->limit_us ? -1 : 1;
    if (left->subject != right->subject)
        return left->subject < right->subject ? -1 : 1;
    return left->at < right->at ? -1 : left->at > right->at;
}

/* `turns` has room for all. */
static void take_turns(const struct selftest *selftest, struct turn *turns)
{
    size_t count = 0;
    for (size_t n = 0; n <= selftest->defect_count; n++)
        for (size_t i = 0; i < selftest->selection.count; i++)
            if (subject_at(selftest, n)->wanted[i])
                turns[count++] = (struct turn){
                    .subject = n, .at = i, .limit_us = selftest->selection.cases[i].script->limit_us};
    qsort(turns, count, sizeof *turns, compare_turns);
}

static bool run_all(struct batch *batch, const struct way *ways)
{
    const struct selftest *selftest = batch->selftest;
    struct turn *turns = calloc(batch->all + 1, sizeof *turns);
    bool good = turns != NULL;
    if (good)
        take_turns(selftest, turns);
    else
        fputs("ojin-conform: out of memory\n", stderr);
    for (size_t k = 0; good && k < batch->all; k++)
        good = add_job(batch, &ways[turns[k].subject], subject_at(selftest, turns[k].subject), turns[k].at);
    free(turns);
    return good && (batch->count == 0 || run_batch(batch));
}

bool selftest_run_processes(struct selftest *selftest)
{
    struct way *ways = calloc(selftest->defect_count + 1, sizeof *ways);
    struct batch *batch = calloc(1, sizeof *batch);
    bool good = ways != NULL && batch != NULL;
    if (!good)
        fputs("ojin-conform: out of memory\n", stderr);
    for (size_t n = 0; good && n <= selftest->defect_count; n++)
        good = way_of(&ways[n], selftest, subject_at(selftest, n));
    if (good) {
        batch->selftest = selftest;
        batch->all = jobs_in_all(selftest);
        good = run_all(batch, ways);
    }
    free(batch);
    free(ways);
    return good;
}
