#include "conformance/report/run_result.h"

#include <stdlib.h>

#include "codec/family.h"

bool run_requirement_applies(const struct run_result *run, const struct requirement *requirement)
{
    if (requirement->party != run->party)
        return false;
    for (size_t i = 0; i < run->profile_count; i++)
        if (requirement_applies(requirement, run->profiles[i]))
            return true;
    return false;
}

bool run_case_judged(const struct run_case *run_case, const struct requirement *requirement)
{
    if (!run_case->ran)
        return false;
    for (size_t i = 0; i < run_case->result.check_count; i++)
        if (run_case->result.checks[i].requirement == requirement)
            return true;
    return false;
}

unsigned run_case_unsaid(const struct run_case *run_case)
{
    unsigned unsaid = 0;
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++)
        unsaid |= run_case->result.checks[i].unsaid;
    return unsaid;
}

bool run_case_is_unheard(const struct run_case *run_case)
{
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++)
        if (run_case->result.checks[i].unheard)
            return true;
    return false;
}

const char *run_case_word(const struct run_case *run_case)
{
    if (!run_case->ran)
        return "SKIPPED";
    const struct case_result *result = &run_case->result;
    switch (result->end) {
    case CLIENT_CRASHED:
    case CLIENT_TIMED_OUT:
    case CLIENT_NEVER_CAME:
        if (verdict_fails(result->verdict) && result->verdict != VERDICT_ERROR)
            return client_end_name(result->end);
        break;
    case CLIENT_ENDED:
    case CLIENT_DECLINED:
    case CLIENT_BROKEN:
    case CLIENT_NOT_STARTED:
        break;
    }
    return verdict_name(result->verdict);
}

static bool above_tier(const struct run_result *run, const struct run_case *run_case)
{
    return run_case->script->tier > run->tier;
}

enum run_outcome run_case_outcome(const struct run_result *run, const struct run_case *run_case)
{
    if (!run_case->ran)
        return above_tier(run, run_case) ? RUN_UNSUPPORTED : RUN_NOT_RUN;
    switch (run_case->result.verdict) {
    case VERDICT_PASS:
    case VERDICT_INFO:
    case VERDICT_WARN:
    case VERDICT_DISPUTED:
        return RUN_PASSED;
    case VERDICT_UNSUPPORTED:
        return RUN_UNSUPPORTED;
    case VERDICT_INCONCLUSIVE:
        return RUN_NOT_RUN;
    case VERDICT_XFAIL:
    case VERDICT_NEW:
    case VERDICT_FLAKY:
        return RUN_TOLERATED;
    case VERDICT_NOT_REACHED:
    case VERDICT_XPASS:
    case VERDICT_FAIL:
    case VERDICT_ERROR:
        return RUN_FAILED;
    }
    return RUN_FAILED;
}

const char *run_case_unjudged_reason(const struct run_result *run, const struct run_case *run_case)
{
    switch (run_case_outcome(run, run_case)) {
    case RUN_PASSED:
    case RUN_TOLERATED:
    case RUN_FAILED:
        return "";
    case RUN_NOT_RUN:
        return run_case->ran ? "inconclusive, as the machine was late" : "needs a real transport";
    case RUN_UNSUPPORTED:
        break;
    }
    if (run->party == REQUIREMENT_SERVER)
        return "needs --provoke with a command that brings about its condition";
    if (run_case->ran && run_case->result.end == CLIENT_DECLINED)
        return "declined by the client";
    if (run_case_unsaid(run_case) != 0)
        return "needs reports that this client does not give";
    if (run_case_is_unheard(run_case))
        return "needs sound.wav, or the audio of what was heard";
    if (run_case->ran)
        return "about what the client never did";
    return run_case->script->tier == TIER_OBSERVE ? "needs a client that says what it saw"
                                                  : "needs a client that obeys the plan";
}

const struct check_result *run_case_failing_check(const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    if (!run_case->ran || !verdict_fails(result->verdict))
        return NULL;
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].verdict == result->verdict)
            return &result->checks[i];
    return NULL;
}

static void requirement_take(struct requirement_result *out, enum verdict verdict)
{
    out->verdict = out->judged ? verdict_combine(out->verdict, verdict) : verdict;
    out->judged = true;
}

static struct requirement_result *result_of(struct requirement_result *results,
                                            const struct requirement *requirement)
{
    return &results[requirement - REQUIREMENTS];
}

static void case_take(const struct run_result *run, const struct run_case *run_case,
                      struct requirement_result *out)
{
    if (!run_case->ran) {
        for (size_t i = 0; above_tier(run, run_case) && i < run_case->script->clause_count; i++)
            requirement_take(result_of(out, run_case->script->clauses[i].requirement), VERDICT_UNSUPPORTED);
        return;
    }
    for (size_t i = 0; i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        requirement_take(result_of(out, check->requirement), check->verdict);
        result_of(out, check->requirement)->unheard |= check->unheard;
    }
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        out[i].case_count += run_case_judged(run_case, &REQUIREMENTS[i]) ? 1 : 0;
}

/* What nobody heard is not met for all that else is seen of it, such as the deltas that were read. */
static void unheard_settle(struct requirement_result *row)
{
    row->unheard = row->unheard && (row->verdict == VERDICT_PASS || row->verdict == VERDICT_UNSUPPORTED);
    if (row->unheard)
        row->verdict = VERDICT_UNSUPPORTED;
}

void run_requirements(const struct run_result *run, struct requirement_result *out)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        out[i] = (struct requirement_result){.requirement = &REQUIREMENTS[i], .verdict = VERDICT_NOT_REACHED};
    for (size_t i = 0; i < run->case_count; i++)
        case_take(run, &run->cases[i], out);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        unheard_settle(&out[i]);
}

static bool is_unreached_by(const struct run_case *run_case, const struct requirement_result *rows)
{
    for (size_t i = 0; i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (check->verdict == VERDICT_NOT_REACHED &&
            rows[check->requirement - REQUIREMENTS].verdict == VERDICT_NOT_REACHED)
            return true;
    }
    return false;
}

void run_fail_unreached(struct run_result *run)
{
    struct requirement_result *rows =
        run->party == REQUIREMENT_SERVER ? calloc(REQUIREMENT_COUNT, sizeof *rows) : NULL;
    if (rows == NULL)
        return;
    run_requirements(run, rows);
    for (size_t i = 0; i < run->case_count; i++) {
        struct run_case *run_case = &run->cases[i];
        if (run_case_outcome(run, run_case) == RUN_PASSED && is_unreached_by(run_case, rows))
            run_case->result.verdict = VERDICT_NOT_REACHED;
    }
    free(rows);
}

static bool verdict_reached(enum verdict verdict)
{
    return verdict != VERDICT_UNSUPPORTED && verdict != VERDICT_NOT_REACHED &&
           verdict != VERDICT_INCONCLUSIVE;
}

const char *run_requirement_note(const struct run_result *run, const struct requirement_result *row)
{
    for (size_t i = 0; row->judged && verdict_reached(row->verdict) && i < run->note_count; i++)
        if (strcmp(run->notes[i].requirement_id, row->requirement->id) == 0)
            return run->notes[i].sentence;
    return NULL;
}

void run_count(const struct run_result *run, struct run_totals *out)
{
    *out = (struct run_totals){.passed = 0};
    for (size_t i = 0; i < run->case_count; i++) {
        switch (run_case_outcome(run, &run->cases[i])) {
        case RUN_PASSED:
            out->passed++;
            out->disputed += run->cases[i].result.verdict == VERDICT_DISPUTED ? 1 : 0;
            break;
        case RUN_TOLERATED:
            out->tolerated++;
            break;
        case RUN_FAILED:
            out->failed++;
            break;
        case RUN_UNSUPPORTED:
            out->unsupported++;
            break;
        case RUN_NOT_RUN:
            out->not_run++;
            break;
        }
    }
}

size_t run_judged_count(const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    size_t count = 0;
    if (rows == NULL)
        return 0;
    run_requirements(run, rows);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        count += rows[i].judged && verdict_reached(rows[i].verdict);
    free(rows);
    return count;
}
