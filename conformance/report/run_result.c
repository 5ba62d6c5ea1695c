#include "conformance/report/run_result.h"

#include <stdlib.h>
#include <string.h>

#include "codec/family.h"
#include "conformance/judge/verdict.h"

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
        if (run_case->result.checks[i].requirement == requirement &&
            run_case->result.checks[i].scope != SCOPE_CASE)
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
        if ((case_fails(result) && result->verdict != VERDICT_ERROR) ||
            result->verdict == VERDICT_NOT_REACHED)
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
    case VERDICT_PARTIAL:
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
        return run_case->result.binding ? RUN_FAILED : RUN_NOT_RUN;
    case VERDICT_XPASS:
    case VERDICT_FAIL:
    case VERDICT_ERROR:
        return RUN_FAILED;
    }
    return RUN_FAILED;
}

/* Also one that was under way. In memory a case for a real transport would not have been run anyway. */
bool run_case_was_interrupted(const struct run_result *run, const struct run_case *run_case)
{
    return run->interrupted && run_case_outcome(run, run_case) == RUN_NOT_RUN && !run_case->ran &&
           !(run_case->script->transport && strcmp(run->transport, "memory") == 0);
}

bool run_case_is_follower(const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++)
        if (result->checks[i].verdict == VERDICT_NOT_REACHED && result->checks[i].cause != NULL &&
            result->checks[i].cause != result->answered)
            return true;
    return false;
}

const struct check_result *run_case_note(const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    const struct check_result *note = NULL;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++) {
        const struct check_result *check = &result->checks[i];
        if (check->requirement != result->answered || strcmp(check->name, "wire") != 0)
            continue;
        if (verdict_worse(check->verdict, VERDICT_INFO) != VERDICT_INFO)
            return NULL; /* it was broken as well */
        note = check->verdict == VERDICT_INFO ? check : note;
    }
    return note;
}

const char *run_case_unjudged_reason(const struct run_result *run, const struct run_case *run_case)
{
    if (run_case_was_interrupted(run, run_case))
        return "not run, as the run was interrupted";
    switch (run_case_outcome(run, run_case)) {
    case RUN_PASSED:
    case RUN_TOLERATED:
    case RUN_FAILED:
        return "";
    case RUN_NOT_RUN:
        return !run_case->ran                                     ? "needs a real transport"
               : run_case->result.verdict == VERDICT_INCONCLUSIVE ? "inconclusive, as the machine was late"
               : run_case_is_follower(run_case)
                   ? "not judged, as what it found or did not reach follows from another fault"
               : run_case_note(run_case) != NULL
                   ? "not reached, as the mock refused what is too little for a breach"
               : run_case->result.answered != NULL ? "not reached, as the mock acted on another fault"
                                                   : "about what this client never got to";
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
    if (!run_case->ran || !case_fails(result))
        return NULL;
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].verdict == result->verdict && result->checks[i].scope != SCOPE_RUN)
            return &result->checks[i];
    return NULL;
}

/* ---- the requirements ---- */

static struct requirement_result *result_of(struct requirement_result *results,
                                            const struct requirement *requirement)
{
    return &results[requirement - REQUIREMENTS];
}

static void breach_take(struct requirement_result *row, enum verdict verdict)
{
    /* What was found of the client outweighs an error that is not its own. */
    if (!verdict_is_open(verdict) && row->verdict != VERDICT_FAIL)
        row->verdict = verdict == VERDICT_FAIL ? VERDICT_FAIL : verdict_worse(row->verdict, verdict);
}

static bool is_of_rule(const struct check_result *check)
{
    return strcmp(check->name, "wire") == 0 || strcmp(check->name, "output") == 0;
}

/* One more check that this run could judge. */
static void check_take(const struct run_result *run, struct requirement_result *row,
                       const struct check_result *check)
{
    row->judged = true;
    row->unheard = row->unheard || check->unheard;
    if (check->verdict == VERDICT_UNSUPPORTED && (check->unsaid != 0 || run->party == REQUIREMENT_SERVER)) {
        row->beyond_count++;
        return;
    }
    if (check->verdict == VERDICT_INFO && is_of_rule(check)) { /* a note beside what the rule comes to */
        breach_take(row, check->verdict);
        return;
    }
    row->check_count++;
    row->judged_count += verdict_is_open(check->verdict) ? 0 : 1;
    row->not_reached_count += check->verdict == VERDICT_NOT_REACHED ? 1 : 0;
    row->inconclusive_count += check->verdict == VERDICT_INCONCLUSIVE ? 1 : 0;
    row->unsupported_count += check->verdict == VERDICT_UNSUPPORTED ? 1 : 0;
    row->binding = row->binding || (check->verdict == VERDICT_NOT_REACHED && check_fails(check));
    breach_take(row, check->verdict);
}

static void sessions_settle(const struct run_result *run, struct requirement_result *row)
{
    bool decided = false, open = false, followed = false;
    for (size_t i = 0; i < run->case_count; i++) {
        const struct run_case *run_case = &run->cases[i];
        bool judged = false, broken = false;
        for (size_t k = 0; run_case->ran && k < run_case->result.check_count; k++) {
            const struct check_result *check = &run_case->result.checks[k];
            if (check->requirement != row->requirement || !is_of_rule(check))
                continue;
            const bool counts = !verdict_is_open(check->verdict) && check->verdict != VERDICT_INFO;
            decided = decided || (check->scope == SCOPE_RUN && counts);
            open = open || (check->scope == SCOPE_RUN && check->verdict == VERDICT_INCONCLUSIVE);
            followed = followed || (check->scope == SCOPE_RUN && check->verdict == VERDICT_NOT_REACHED);
            judged = judged || counts;
            broken = broken || (counts && check->verdict != VERDICT_PASS);
        }
        row->session_count += judged ? 1 : 0;
        row->broken_session_count += broken ? 1 : 0;
    }
    /* The sessions that could be judged are one check, those that could not are another. */
    row->check_count += decided ? 1 : 0;
    row->check_count += open ? 1 : 0;
    row->check_count += followed ? 1 : 0;
    row->judged_count += decided ? 1 : 0;
    row->inconclusive_count += open ? 1 : 0;
    row->not_reached_count += followed ? 1 : 0;
}

/* Checks of a script that stand for a requirement; one where a rule, or coming through, judges it. */
static size_t checks_of(const struct case_script *script, const struct requirement *requirement)
{
    size_t count = 0;
    for (size_t i = 0; i < script->check_count; i++) {
        const struct requirement *clause = script->checks[i].clause != NULL ? script->checks[i].clause
                                           : script->clause_count > 0       ? script->clauses[0].requirement
                                                                            : NULL;
        count += clause == requirement ? 1 : 0;
    }
    return count > 0 ? count : 1;
}

static void case_take(const struct run_result *run, const struct run_case *run_case,
                      struct requirement_result *out)
{
    const struct case_script *script = run_case->script;
    for (size_t i = 0; !run_case->ran && above_tier(run, run_case) && i < script->clause_count; i++) {
        struct requirement_result *row = result_of(out, script->clauses[i].requirement);
        row->judged = true;
        row->beyond_count += checks_of(script, row->requirement);
    }
    if (!run_case->ran)
        return;
    for (size_t i = 0; i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        struct requirement_result *row = result_of(out, check->requirement);
        switch (check->scope) {
        case SCOPE_CHECK:
            check_take(run, row, check);
            break;
        case SCOPE_RUN:
            row->judged = true;
            breach_take(row, check->verdict);
            break;
        case SCOPE_CASE:
            break;
        }
    }
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        out[i].case_count += run_case_judged(run_case, &REQUIREMENTS[i]) ? 1 : 0;
}

/* No breach: all, some or none of it was judged. */
static void row_settle(const struct run_result *run, struct requirement_result *row)
{
    const bool broken = row->verdict != VERDICT_PASS && row->verdict != VERDICT_INFO;
    if (broken)
        return;
    /* What a server does not do in one case, it may have no occasion for; the other cases show that it can.
     */
    if (run->party == REQUIREMENT_SERVER && row->judged_count > 0)
        row->binding = false;
    if (row->judged_count > 0 && (row->judged_count < row->check_count || row->unheard))
        row->verdict = VERDICT_PARTIAL;
    else if (row->judged_count == 0)
        row->verdict = row->not_reached_count > 0    ? VERDICT_NOT_REACHED
                       : row->inconclusive_count > 0 ? VERDICT_INCONCLUSIVE
                                                     : VERDICT_UNSUPPORTED;
}

void run_requirements(const struct run_result *run, struct requirement_result *out)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        out[i] = (struct requirement_result){.requirement = &REQUIREMENTS[i], .verdict = VERDICT_PASS};
    for (size_t i = 0; i < run->case_count; i++)
        case_take(run, &run->cases[i], out);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        sessions_settle(run, &out[i]);
        row_settle(run, &out[i]);
    }
}

bool requirement_fails(const struct requirement_result *row)
{
    const bool unreached = row->verdict == VERDICT_NOT_REACHED || row->verdict == VERDICT_PARTIAL;
    return row->judged && (verdict_is_failure(row->verdict) || (unreached && row->binding));
}

bool requirement_is_not_met(const struct requirement_result *row)
{
    return requirement_fails(row) && row->verdict != VERDICT_ERROR;
}

bool requirement_is_in_part(const struct requirement_result *row)
{
    return row->judged && (row->verdict == VERDICT_PASS || row->verdict == VERDICT_INFO) &&
           row->beyond_count > 0;
}

const char *requirement_word(const struct requirement_result *row)
{
    return row->judged ? verdict_name(row->verdict) : "NOCASE";
}

/* ---- what is missing ---- */

enum { MISSING_NAMED_MAX = 2, MISSING_WHY_MAX = 100 };

static void missing_name(const struct run_result *run, const struct requirement *requirement,
                         enum verdict verdict, size_t count, const char *word, struct text *out)
{
    size_t named = 0;
    for (size_t i = 0; i < run->case_count && named < MISSING_NAMED_MAX; i++) {
        const struct case_result *result = &run->cases[i].result;
        for (size_t k = 0; run->cases[i].ran && k < result->check_count && named < MISSING_NAMED_MAX; k++) {
            const struct check_result *check = &result->checks[k];
            if (check->requirement != requirement || check->verdict != verdict || check->unsaid != 0 ||
                check->scope == SCOPE_CASE)
                continue;
            text_add(out, named++ == 0 ? word : ", ");
            text_add(out, run->cases[i].script->name);
            text_add(out, " ");
            text_add(out, check->name);
            text_add(out, " (");
            text_add_printable(out, bytes_of_text(check->actual), MISSING_WHY_MAX);
            text_add(out, ")");
        }
    }
    if (named > 0 && count > named) {
        text_add(out, " and ");
        text_add_u64(out, count - named);
        text_add(out, " more");
    }
}

static void beyond_add(const struct requirement_result *row, const struct run_result *run, struct text *out)
{
    text_add_u64(out, row->beyond_count);
    text_add(out, row->beyond_count == 1 ? " check needs " : " checks need ");
    text_add(out, run->tier == TIER_WIRE   ? "a client that obeys the plan or says what it saw"
                  : run->tier == TIER_PLAN ? "a client that says what it saw"
                                           : "reports that this client does not give");
}

bool run_requirement_missing(const struct run_result *run, const struct requirement_result *row,
                             struct text *out)
{
    const size_t before = out->len;
    if (row->judged && row->judged_count < row->check_count) {
        text_add_u64(out, row->judged_count);
        text_add(out, " of ");
        text_add_u64(out, row->check_count);
        text_add(out, " judged");
        missing_name(run, row->requirement, VERDICT_NOT_REACHED, row->not_reached_count,
                     "; not reached: ", out);
        missing_name(run, row->requirement, VERDICT_INCONCLUSIVE, row->inconclusive_count,
                     "; inconclusive: ", out);
        missing_name(run, row->requirement, VERDICT_UNSUPPORTED, row->unsupported_count,
                     "; unsupported: ", out);
    }
    if (row->judged && row->beyond_count > 0 && run->party == REQUIREMENT_CLIENT) {
        text_add(out, out->len > before ? "; " : row->judged_count > 0 ? "in part: " : "not judged: ");
        beyond_add(row, run, out);
    }
    if (row->unheard)
        text_add(out, out->len > before ? "; the client reports when it plays, but not what"
                                        : "the client reports when it plays, but not what");
    return out->len > before;
}

static bool is_unreached_by(const struct run_case *run_case, const struct requirement_result *rows)
{
    for (size_t i = 0; i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (check->verdict == VERDICT_NOT_REACHED &&
            rows[check->requirement - REQUIREMENTS].verdict == VERDICT_NOT_REACHED)
            return check->binding;
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
        if (run_case_outcome(run, run_case) != RUN_PASSED || !is_unreached_by(run_case, rows))
            continue;
        run_case->result.verdict = VERDICT_NOT_REACHED;
        run_case->result.binding = true;
    }
    free(rows);
}

const char *run_requirement_note(const struct run_result *run, const struct requirement_result *row)
{
    for (size_t i = 0; row->judged && !verdict_is_open(row->verdict) && i < run->note_count; i++)
        if (strcmp(run->notes[i].requirement_id, row->requirement->id) == 0)
            return run->notes[i].sentence;
    return NULL;
}

/* Does a case that fails by itself show that the requirement does? */
static bool is_shown_by_case(const struct run_result *run, const struct requirement *requirement)
{
    for (size_t i = 0; i < run->case_count; i++) {
        const struct run_case *run_case = &run->cases[i];
        for (size_t k = 0; run_case->ran && k < run_case->result.check_count; k++) {
            const struct check_result *check = &run_case->result.checks[k];
            if (check->requirement == requirement && check->scope != SCOPE_RUN && check_fails(check))
                return true;
        }
    }
    return false;
}

static size_t broken_count(const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    size_t count = 0;
    if (rows == NULL)
        return 0;
    run_requirements(run, rows);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        count += requirement_fails(&rows[i]) && !is_shown_by_case(run, rows[i].requirement) ? 1 : 0;
    free(rows);
    return count;
}

void run_count(const struct run_result *run, struct run_totals *out)
{
    *out = (struct run_totals){.passed = 0};
    for (size_t i = 0; i < run->case_count; i++) {
        switch (run_case_outcome(run, &run->cases[i])) {
        case RUN_PASSED:
            out->passed++;
            out->disputed += run->cases[i].result.verdict == VERDICT_DISPUTED ? 1 : 0;
            out->warned += run->cases[i].result.verdict == VERDICT_WARN ? 1 : 0;
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
    out->broken = broken_count(run);
}

static void total_add(struct text *out, size_t count, const char *before, const char *words)
{
    if (count == 0)
        return;
    text_add(out, before);
    text_add_u64(out, count);
    text_add(out, words);
}

void run_totals_write(const struct run_totals *totals, struct text *out)
{
    const bool first = totals->failed == 0; /* nothing else says that the run is not met */
    if (first)
        total_add(out, totals->broken,
                  "NOT MET: ", totals->broken == 1 ? " requirement; " : " requirements; ");
    text_add_u64(out, totals->passed);
    text_add(out, " passed, ");
    text_add_u64(out, totals->failed);
    text_add(out, " failed");
    total_add(out, totals->disputed, "; ", " of the passed disputed");
    if (!first)
        total_add(out, totals->broken, "; besides, ",
                  totals->broken == 1 ? " requirement not met" : " requirements not met");
}

void run_totals_rest_write(const struct run_totals *totals, struct text *out)
{
    total_add(out, totals->unsupported, ", ", " unsupported");
    total_add(out, totals->not_run, ", ", " not judged");
    total_add(out, totals->tolerated, ", ", " known, new or flaky");
    total_add(out, totals->warned, "; ", " of the passed with warnings");
}

size_t run_judged_count(const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    size_t count = 0;
    if (rows == NULL)
        return 0;
    run_requirements(run, rows);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        count += rows[i].judged && !verdict_is_open(rows[i].verdict);
    free(rows);
    return count;
}
