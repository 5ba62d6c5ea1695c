/* What the run exits with, and why: both from the same verdicts as the table of requirements. */
#include "conformance/report/exit_status.h"

#include <stdlib.h>

#include "conformance/judge/verdict.h"
#include "conformance/report/run_result.h"

/* What a reason names: requirements, and of the cases that no requirement stands for the first. */
enum { NAMED_MAX = 24, CASES_NAMED_MAX = 3 };

static bool has_own_error(const struct run_case *run_case)
{
    return run_case->ran && run_case->result.verdict == VERDICT_ERROR;
}

static bool table_fails(const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    bool fails = false;
    if (rows == NULL)
        return true;
    run_requirements(run, rows);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        fails = fails || requirement_fails(&rows[i]);
    free(rows);
    return fails;
}

/* A breach that fails nobody is a judgement, too, also where what the case is about follows from it. */
static bool found_a_breach(const struct run_result *run)
{
    for (size_t i = 0; i < run->case_count; i++)
        for (size_t k = 0; run->cases[i].ran && k < run->cases[i].result.check_count; k++)
            if (verdict_is_broken(run->cases[i].result.checks[k].verdict))
                return true;
    return false;
}

int run_exit_code(const struct run_result *run)
{
    if (run->interrupted)
        return CONFORM_EXIT_INTERRUPTED;
    for (size_t i = 0; i < run->case_count; i++)
        if (has_own_error(&run->cases[i]))
            return CONFORM_EXIT_OWN_ERROR;
    struct run_totals totals;
    run_count(run, &totals);
    if (totals.failed > 0 || table_fails(run))
        return CONFORM_EXIT_NOT_MET;
    if (!run->empty_shard && totals.passed + totals.tolerated == 0 && !found_a_breach(run))
        return CONFORM_EXIT_OWN_ERROR;
    return run->judged_min > 0 && run_judged_count(run) < run->judged_min ? CONFORM_EXIT_NOT_MET
                                                                          : CONFORM_EXIT_MET;
}

/* ---- why ---- */

static void count_add(struct text *out, size_t count, const char *one, const char *many)
{
    text_add_u64(out, count);
    text_add(out, count == 1 ? one : many);
}

static bool is_unreached_in(const struct run_case *run_case, const struct requirement *requirement)
{
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++)
        if (run_case->result.checks[i].requirement == requirement &&
            run_case->result.checks[i].verdict == VERDICT_NOT_REACHED)
            return true;
    return false;
}

static bool was_found_in(const struct run_case *run_case, const struct requirement *requirement)
{
    for (size_t i = 0; i < run_case->result.check_count; i++) {
        const enum verdict verdict = run_case->result.checks[i].verdict;
        if (run_case->result.checks[i].requirement == requirement &&
            (verdict == VERDICT_DISPUTED || verdict == VERDICT_WARN))
            return true;
    }
    return false;
}

/* What was found where the requirement was not reached, and is no failure: nothing else would name it. */
static void found_instead_add(struct text *out, const struct run_result *run,
                              const struct requirement *requirement)
{
    size_t count = 0;
    for (size_t n = 0; n < REQUIREMENT_COUNT; n++) {
        bool found = false;
        for (size_t i = 0; i < run->case_count; i++)
            found = found || (is_unreached_in(&run->cases[i], requirement) &&
                              was_found_in(&run->cases[i], &REQUIREMENTS[n]));
        if (!found)
            continue;
        text_add(out, count++ == 0 ? " (see " : " ");
        text_add(out, REQUIREMENTS[n].id);
    }
    text_add(out, count > 0 ? ")" : "");
}

static void verdict_add(struct text *out, const struct run_result *run, const struct requirement_result *rows,
                        enum verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (rows[i].verdict != verdict || !requirement_fails(&rows[i]) || ++count > NAMED_MAX)
            continue;
        text_add(out, count == 1 ? (out->len > 0 ? "; " : "") : "");
        text_add(out, count == 1 ? verdict_name(verdict) : "");
        text_add(out, " ");
        text_add(out, rows[i].requirement->id);
        if (run->party == REQUIREMENT_SERVER && verdict == VERDICT_NOT_REACHED)
            found_instead_add(out, run, rows[i].requirement);
    }
    if (count > NAMED_MAX) {
        text_add(out, " and ");
        count_add(out, count - NAMED_MAX, " more", " more");
    }
}

/* Does the table say why the case fails? What a crash kept from being reached does not say that. */
static bool is_in_table(const struct run_case *run_case, const struct requirement_result *rows)
{
    const bool crashed = run_case->result.end == CLIENT_CRASHED;
    for (size_t i = 0; i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        const struct requirement_result *row = &rows[check->requirement - REQUIREMENTS];
        if (check->scope == SCOPE_CHECK && check_fails(check) && requirement_fails(row) &&
            (!crashed || row->verdict == VERDICT_FAIL))
            return true;
    }
    return false;
}

static void case_add(struct text *out, const struct run_case *run_case)
{
    const struct check_result *check = run_case_failing_check(run_case);
    text_add(out, out->len > 0 ? "; " : "");
    text_add(out, run_case_word(run_case));
    text_add(out, " ");
    text_add(out, run_case->script->name);
    if (check != NULL) {
        text_add(out, " (");
        text_add(out, check->requirement->id);
        text_add(out, ")");
    }
}

static void not_met_add(struct text *out, const struct run_result *run)
{
    static const enum verdict FAILING[] = {VERDICT_FAIL, VERDICT_XPASS, VERDICT_NOT_REACHED, VERDICT_PARTIAL};
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    if (rows == NULL)
        return;
    run_requirements(run, rows);
    for (size_t i = 0; i < sizeof FAILING / sizeof FAILING[0]; i++)
        verdict_add(out, run, rows, FAILING[i]);
    size_t named = 0;
    for (size_t i = 0; i < run->case_count; i++) {
        const struct run_case *run_case = &run->cases[i];
        if (run_case_outcome(run, run_case) == RUN_FAILED && !is_in_table(run_case, rows) &&
            ++named <= CASES_NAMED_MAX)
            case_add(out, run_case);
    }
    if (named > CASES_NAMED_MAX) {
        text_add(out, " and ");
        count_add(out, named - CASES_NAMED_MAX, " case more", " cases more");
    }
    const size_t judged = run_judged_count(run);
    if (judged < run->judged_min) {
        text_add(out, out->len > 0 ? "; " : "");
        count_add(out, judged, " requirement", " requirements");
        text_add(out, " reached of at least ");
        text_add_u64(out, run->judged_min);
    }
    free(rows);
}

/* What failed all the same is no less so for an error elsewhere. */
static void failed_add(struct text *out, const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    if (rows == NULL)
        return;
    run_requirements(run, rows);
    verdict_add(out, run, rows, VERDICT_FAIL);
    free(rows);
}

static void own_error_add(struct text *out, const struct run_result *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->case_count; i++)
        count += has_own_error(&run->cases[i]) ? 1 : 0;
    if (count == 0) {
        text_add(out, "nothing was judged");
        return;
    }
    text_add(out, "an error that is not the ");
    text_add(out, run->party == REQUIREMENT_SERVER ? "server's in " : "client's in ");
    count_add(out, count, " case", " cases");
    failed_add(out, run);
}

static void met_add(struct text *out, const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    size_t disputed = 0;
    size_t warned = 0;
    text_add(out, "nothing failed");
    if (rows == NULL)
        return;
    run_requirements(run, rows);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        disputed += rows[i].judged && rows[i].verdict == VERDICT_DISPUTED ? 1 : 0;
        warned += rows[i].judged && rows[i].verdict == VERDICT_WARN ? 1 : 0;
    }
    free(rows);
    if (disputed > 0) {
        text_add(out, "; ");
        count_add(out, disputed, " requirement is", " requirements are");
        text_add(out, " disputed, which fails with --inferred");
    }
    if (warned > 0) {
        text_add(out, "; ");
        count_add(out, warned, " requirement has", " requirements have");
        text_add(out, " warnings, which fail with --strict");
    }
}

void run_exit_reason(const struct run_result *run, struct text *out)
{
    switch (run_exit_code(run)) {
    case CONFORM_EXIT_INTERRUPTED:
        text_add(out, "interrupted");
        break;
    case CONFORM_EXIT_OWN_ERROR:
        own_error_add(out, run);
        break;
    case CONFORM_EXIT_NOT_MET:
        not_met_add(out, run);
        break;
    default:
        met_add(out, run);
        break;
    }
}
