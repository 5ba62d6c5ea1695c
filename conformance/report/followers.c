#include "conformance/report/followers.h"

#include "codec/rules/follows.h"
#include "conformance/judge/verdict.h"

/* Does it say something of its requirement, and not of how the client ended? */
static bool counts(const struct check_result *check)
{
    return check->scope != SCOPE_CASE && strcmp(check->name, "crash") != 0 &&
           strcmp(check->name, "timeout") != 0;
}

static bool is_rule(const struct check_result *check)
{
    return strcmp(check->name, "wire") == 0;
}

/* The worst breach of it in that case, by whatever or by a check; PASS: there is none. */
static enum verdict verdict_in(const struct run_case *run_case, const char *id, bool by_rules)
{
    enum verdict worst = VERDICT_PASS;
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (counts(check) && (by_rules || !is_rule(check)) && verdict_is_broken(check->verdict) &&
            strcmp(check->requirement->id, id) == 0)
            worst = verdict_worse(worst, check->verdict);
    }
    return worst;
}

/* The worst in any case, of a check, or of rules too: they would have found it in each that it was in. */
static enum verdict verdict_in_run(const struct run_result *run, const char *id, bool by_rules)
{
    enum verdict worst = VERDICT_PASS;
    for (size_t i = 0; i < run->case_count; i++)
        worst = verdict_worse(worst, verdict_in(&run->cases[i], id, by_rules));
    return worst;
}

static void follow(struct check_result *check, const char *from, const char *because)
{
    struct text actual = {
        .data = check->actual, .capacity = sizeof check->actual, .len = strlen(check->actual)};
    check->verdict = VERDICT_NOT_REACHED;
    check->excused = true;
    check->cause = requirement_by_id(from);
    text_add(&actual, "; that follows from ");
    text_add(&actual, from);
    text_add(&actual, ": ");
    text_add(&actual, because);
}

static void case_follow(struct run_case *run_case, const struct follow_row *row, enum verdict in_run)
{
    struct case_result *result = &run_case->result;
    const enum verdict here = verdict_in(run_case, row->from, true);
    bool any = false;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        const enum verdict cause = is_rule(check) && !row->anywhere ? here : verdict_worse(here, in_run);
        if (!counts(check) || !verdict_is_broken(check->verdict) ||
            verdict_worse(check->verdict, cause) != cause ||
            !requirement_follows(check->requirement->id, row->from))
            continue;
        follow(check, row->from, row->because);
        any = true;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

/* Was it not reached, as something never came from the mock; or not done, by a client that had left, or that
 * is behind? */
static bool was_stopped(const struct check_result *check, const struct stop_row *row, bool left)
{
    const bool unreached = check->verdict == VERDICT_NOT_REACHED;
    if (row->what[0] != NULL)
        return check->behind && verdict_is_broken(check->verdict) &&
               stop_row_holds(row, check->requirement->id);
    const bool waits = unreached && check->awaits_mock;
    const bool lacks = left && check->lacking && (unreached || verdict_is_broken(check->verdict));
    return (waits || lacks) && check->cause == NULL && strcmp(check->requirement->id, row->from) != 0;
}

/* What did not come, as the client did not let the session go on. */
static void case_stop(struct run_case *run_case, const struct stop_row *row, enum verdict in_run)
{
    struct case_result *result = &run_case->result;
    const enum verdict here = verdict_in(run_case, row->from, true);
    const bool broken = verdict_is_broken(verdict_worse(here, in_run));
    const bool left = row->leaves && verdict_is_broken(here);
    bool any = false;
    for (size_t i = 0; broken && run_case->ran && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        if (!was_stopped(check, row, left))
            continue;
        follow(check, row->from, row->because);
        any = true;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

/* What the mock acted on excuses nothing once it is tolerated. */
static void case_withdraw_excuses(struct run_case *run_case)
{
    struct case_result *result = &run_case->result;
    bool any = false;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        if (!check->excused || verdict_is_broken(case_verdict_on(result, check->cause)))
            continue;
        check->excused = false;
        any = true;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

void run_tell_followers(struct run_result *run)
{
    for (size_t i = 0; i < run->case_count; i++)
        case_withdraw_excuses(&run->cases[i]);
    for (size_t n = 0; n < FOLLOWS_COUNT; n++) {
        const enum verdict in_run = verdict_in_run(run, FOLLOWS[n].from, FOLLOWS[n].anywhere);
        for (size_t i = 0; i < run->case_count; i++)
            case_follow(&run->cases[i], &FOLLOWS[n], in_run);
    }
    for (size_t n = 0; n < STOPS_COUNT; n++) {
        const enum verdict in_run = verdict_in_run(run, STOPS[n].from, false);
        for (size_t i = 0; i < run->case_count; i++)
            case_stop(&run->cases[i], &STOPS[n], in_run);
    }
}
