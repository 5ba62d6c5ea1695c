#include "conformance/runner/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "codec/wire/text.h"
#include "conformance/judge/verdict.h"

enum { LATE_ONES_MAX = 20 }; /* cases that are run again alone since the machine was late */

struct rounds {
    const struct run_options *options;
    struct worker_job *jobs;
    size_t count;
    const volatile sig_atomic_t *interrupted;
    pool_progress *progress;
    void *context;
};

static struct text note_of(struct worker_slot *slot)
{
    struct case_result *result = &slot->run_case.result;
    struct text note = {.data = result->note, .capacity = sizeof result->note, .len = strlen(result->note)};
    text_add(&note, note.len > 0 ? "; " : "");
    return note;
}

/* By itself, or by a finding of the run that it shows. */
static bool is_failure(const struct worker_slot *slot)
{
    const struct case_result *result = &slot->run_case.result;
    bool fails = case_fails(result);
    for (size_t k = 0; k < result->check_count; k++)
        fails = fails || check_fails(&result->checks[k]);
    return slot->finished && result->verdict != VERDICT_ERROR && fails;
}

static bool is_against(enum verdict verdict)
{
    return verdict == VERDICT_FAIL || verdict == VERDICT_NOT_REACHED || verdict == VERDICT_WARN ||
           verdict == VERDICT_DISPUTED;
}

/* Does the case, or a rule in its session that the case is not about? */
static bool is_held_against_the_client(const struct worker_slot *slot)
{
    const struct case_result *result = &slot->run_case.result;
    bool held = is_against(result->verdict);
    for (size_t k = 0; k < result->check_count; k++)
        held = held || (result->checks[k].scope == SCOPE_RUN && is_against(result->checks[k].verdict));
    return slot->finished && (held || is_failure(slot));
}

static bool is_pass(const struct worker_slot *slot)
{
    const enum verdict verdict = slot->run_case.result.verdict;
    return slot->finished && !is_failure(slot) &&
           (verdict == VERDICT_PASS || verdict == VERDICT_INFO || verdict == VERDICT_WARN ||
            verdict == VERDICT_DISPUTED);
}

static bool run_jobs(const struct rounds *rounds, const struct worker_job *jobs, size_t count,
                     unsigned at_a_time)
{
    return pool_run(jobs, count, at_a_time, rounds->interrupted, rounds->progress, rounds->context);
}

/* It was held against the client as `before` has it, and passed in another run, as `how` says. */
static void become_flaky(const struct worker_slot *before, const char *how, struct worker_slot *slot)
{
    *slot = *before;
    struct case_result *result = &slot->run_case.result;
    struct text note = note_of(slot);
    text_add(&note, how);
    result->verdict = VERDICT_FLAKY;
    if (is_against(result->end_verdict))
        result->end_verdict = VERDICT_FLAKY;
    for (size_t k = 0; k < result->check_count; k++)
        if (is_against(result->checks[k].verdict))
            result->checks[k].verdict = VERDICT_FLAKY;
}

/*
 * Only timing that could not be judged is told anew, and a case whose machine stood still for so long that it
 * was not the case any more: what is said then stands. What was held against the client while the machine was
 * late, which may be for want of time, is no pass whatever comes: when it comes again the second run stands,
 * else it is FLAKY, with what was found and left the first time.
 */
static bool run_alone(const struct rounds *rounds, size_t i, struct worker_slot *before)
{
    struct worker_job job = rounds->jobs[i];
    struct worker_slot *slot = job.slot;
    const bool stood_still = slot->run_case.lateness_us > JUDGE_FROZEN_US;
    const bool held = is_held_against_the_client(slot) && !stood_still;
    *before = *slot;
    if (held) /* the folder of the first run stays */
        job.attempt += rounds->options->repeat + rounds->options->retries + 1;
    worker_slot_reset(slot);
    if (!run_jobs(rounds, &job, 1, 1)) {
        *slot = *before;
        return false;
    }
    if (held && rounds->options->strict && is_pass(slot) && !is_held_against_the_client(slot)) {
        *slot = *before;
        struct text note = note_of(slot);
        text_add(&note, "passed when it was run again alone, since the machine was late");
    } else if (held && is_pass(slot) && !is_held_against_the_client(slot)) {
        become_flaky(before, "passed when it was run again alone, since the machine was late", slot);
    } else if (held && !is_held_against_the_client(slot)) {
        *slot = *before; /* it says nothing: what was found stands */
    } else {
        struct text note = note_of(slot);
        text_add(&note, "run again alone, since the machine was late");
    }
    return true;
}

static bool is_to_run_alone(const struct worker_slot *slot)
{
    return slot->finished &&
           (judge_was_inconclusive(&slot->run_case.result) ||
            (is_held_against_the_client(slot) && slot->run_case.lateness_us > JUDGE_LATENESS_MAX_US));
}

/* Does the case leave a requirement open of which none is taken yet? They are then. */
static bool takes_new(const struct case_result *result, bool *taken)
{
    bool any = false;
    for (size_t k = 0; k < result->check_count; k++) {
        const struct check_result *check = &result->checks[k];
        if (check->verdict != VERDICT_INCONCLUSIVE && !is_against(check->verdict))
            continue;
        bool *here = &taken[check->requirement - REQUIREMENTS];
        any = any || !*here;
        *here = true;
    }
    return any;
}

struct choice {
    size_t jobs[LATE_ONES_MAX];
    size_t count;
};

static bool is_chosen(const struct choice *choice, size_t job)
{
    for (size_t n = 0; n < choice->count; n++)
        if (choice->jobs[n] == job)
            return true;
    return false;
}

/* Those that are the first of a requirement, or all. Where more fail than there is room for, it is not for
 * want of time; but what others follow from may be among the last. */
static void choose(const struct rounds *rounds, bool *taken, bool all, struct choice *choice)
{
    for (size_t i = 0; i < rounds->count && choice->count < LATE_ONES_MAX; i++) {
        const struct worker_slot *slot = rounds->jobs[i].slot;
        if (is_to_run_alone(slot) && !is_chosen(choice, i) &&
            (takes_new(&slot->run_case.result, taken) || all))
            choice->jobs[choice->count++] = i;
    }
}

static bool run_late_ones_alone(const struct rounds *rounds)
{
    struct worker_slot *before = malloc(sizeof *before);
    bool *taken = calloc(REQUIREMENT_COUNT, sizeof *taken);
    bool whole = before != NULL && taken != NULL;
    struct choice choice = {.count = 0};
    if (whole) {
        choose(rounds, taken, false, &choice);
        choose(rounds, taken, true, &choice);
    }
    for (size_t n = 0; whole && n < choice.count; n++)
        whole = run_alone(rounds, choice.jobs[n], before);
    free(taken);
    free(before);
    return whole;
}

/* Who started a client by hand does not stand by to start it again unasked. */
static bool run_once(const struct rounds *rounds)
{
    return run_jobs(rounds, rounds->jobs, rounds->count, rounds->options->jobs) &&
           (rounds->options->attach || run_late_ones_alone(rounds));
}

/* ---- --repeat ---- */

struct tally {
    struct worker_slot worst;
    unsigned failed;
};

static bool is_worse(enum verdict verdict, enum verdict than)
{
    return verdict != than && verdict_worse(than, verdict) == verdict;
}

static bool is_same_check(const struct check_result *a, const struct check_result *b)
{
    return a->requirement == b->requirement && strcmp(a->name, b->name) == 0;
}

static struct check_result *same_check(struct case_result *result, const struct check_result *check)
{
    for (size_t k = 0; k < result->check_count; k++)
        if (is_same_check(&result->checks[k], check))
            return &result->checks[k];
    return NULL;
}

/* The folder that stays is of another run, so it shows nothing of this. */
static void check_take(struct check_result *into, const struct check_result *from)
{
    static const char ELSEWHERE[] = "in another run: ";
    *into = *from;
    into->journal_sequence = UINT64_MAX;
    into->observation_number = 0;
    if (strncmp(from->actual, ELSEWHERE, sizeof ELSEWHERE - 1) == 0)
        return;
    struct text actual = text_of(into->actual, sizeof into->actual);
    text_add(&actual, ELSEWHERE);
    text_add(&actual, from->actual);
}

/* What another run found besides. */
static void findings_take(struct case_result *into, const struct case_result *from)
{
    if (into->verdict == VERDICT_ERROR || from->verdict == VERDICT_ERROR)
        return;
    for (size_t k = 0; k < from->check_count; k++) {
        const struct check_result *check = &from->checks[k];
        struct check_result *here = same_check(into, check);
        if (!is_against(check->verdict) || (here != NULL && !is_worse(check->verdict, here->verdict)))
            continue;
        if (here == NULL && into->check_count == JUDGE_CHECKS_MAX)
            continue;
        check_take(here != NULL ? here : &into->checks[into->check_count++], check);
    }
}

/* Of two runs the worse one stands, with what the other found besides. */
static void tally_take(struct tally *tally, struct worker_slot *slot, bool first)
{
    struct case_result *worst = &tally->worst.run_case.result, *result = &slot->run_case.result;
    tally->failed += is_failure(slot) ? 1 : 0;
    if (first) {
        tally->worst = *slot;
    } else if ((tally->worst.finished && !slot->finished) ||
               (tally->worst.finished == slot->finished && is_worse(result->verdict, worst->verdict))) {
        findings_take(result, worst);
        tally->worst = *slot;
    } else {
        findings_take(worst, result);
    }
}

static void tally_stands(const struct tally *tally, unsigned runs, struct worker_slot *slot)
{
    *slot = tally->worst;
    if (tally->failed == 0)
        return;
    struct text note = note_of(slot);
    text_add(&note, "failed in ");
    text_add_u64(&note, tally->failed);
    text_add(&note, " of ");
    text_add_u64(&note, runs);
    text_add(&note, " runs");
}

static bool run_repeatedly(const struct rounds *rounds)
{
    const unsigned runs = rounds->options->repeat;
    struct tally *tallies = calloc(rounds->count + 1, sizeof *tallies);
    bool whole = tallies != NULL;
    unsigned done = 0; /* whole rounds */
    for (unsigned run = 1; whole && run <= runs; run++) {
        for (size_t i = 0; i < rounds->count; i++) {
            worker_slot_reset(rounds->jobs[i].slot);
            rounds->jobs[i].attempt = run;
        }
        whole = run_once(rounds);
        for (size_t i = 0; whole && i < rounds->count; i++)
            tally_take(&tallies[i], rounds->jobs[i].slot, run == 1);
        done += whole ? 1 : 0;
    }
    /* What the rounds before an interruption found stands. */
    for (size_t i = 0; done > 0 && i < rounds->count; i++)
        tally_stands(&tallies[i], done, rounds->jobs[i].slot);
    free(tallies);
    return whole;
}

/* ---- --retries ---- */

/* It failed as `before` has it, and passed in `attempt`. */
static void pass_late(const struct rounds *rounds, const struct worker_slot *before, unsigned attempt,
                      struct worker_slot *slot)
{
    char how[64];
    struct text text = text_of(how, sizeof how);
    text_add(&text, "passed in try ");
    text_add_u64(&text, attempt);
    if (!rounds->options->strict) {
        become_flaky(before, how, slot);
        return;
    }
    *slot = *before;
    struct text note = note_of(slot);
    text_add(&note, how);
}

/* One further try of all that still fail; `again` and `before` have room for all jobs. */
static bool retry(const struct rounds *rounds, unsigned attempt, struct worker_job *again,
                  struct worker_slot *before, size_t *left)
{
    *left = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        if (!is_failure(rounds->jobs[i].slot))
            continue;
        again[*left] = rounds->jobs[i];
        again[*left].attempt = attempt;
        before[*left] = *rounds->jobs[i].slot;
        worker_slot_reset(rounds->jobs[i].slot);
        (*left)++;
    }
    const struct rounds of_them = {.options = rounds->options,
                                   .jobs = again,
                                   .count = *left,
                                   .interrupted = rounds->interrupted,
                                   .progress = rounds->progress,
                                   .context = rounds->context};
    if (*left > 0 && !run_once(&of_them)) {
        for (size_t i = 0; i < *left; i++)
            *again[i].slot = before[i];
        return false;
    }
    for (size_t i = 0; i < *left; i++) {
        if (is_pass(again[i].slot))
            pass_late(rounds, &before[i], attempt, again[i].slot);
        else if (!is_failure(again[i].slot))
            *again[i].slot = before[i]; /* it says nothing: the failure stands */
    }
    return true;
}

static bool run_failures_again(const struct rounds *rounds)
{
    struct worker_job *again = calloc(rounds->count + 1, sizeof *again);
    struct worker_slot *before = calloc(rounds->count + 1, sizeof *before);
    bool whole = again != NULL && before != NULL;
    size_t left = 1;
    for (unsigned n = 1; whole && left > 0 && n <= rounds->options->retries; n++)
        whole = retry(rounds, rounds->options->repeat + n, again, before, &left);
    free(again);
    free(before);
    return whole;
}

bool rounds_run(const struct run_options *options, struct worker_job *jobs, size_t count,
                const volatile sig_atomic_t *interrupted, pool_progress *progress, void *context)
{
    const struct rounds rounds = {.options = options,
                                  .jobs = jobs,
                                  .count = count,
                                  .interrupted = interrupted,
                                  .progress = progress,
                                  .context = context};
    return (options->repeat > 1 ? run_repeatedly(&rounds) : run_once(&rounds)) && run_failures_again(&rounds);
}
