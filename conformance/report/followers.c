#include "conformance/report/followers.h"

#include "codec/rules/follows.h"
#include "conformance/judge/verdict.h"
#include "conformance/report/cause_key.h"

static bool is_hang(const struct check_result *check)
{
    return strcmp(check->name, "timeout") == 0;
}

/* Does it say something of its requirement, and not of how the client ended? */
static bool counts(const struct check_result *check)
{
    return check->scope != SCOPE_CASE && strcmp(check->name, "crash") != 0 && !is_hang(check);
}

static bool is_rule(const struct check_result *check)
{
    return strcmp(check->name, "wire") == 0;
}

/* How a requirement stands from which others follow. */
struct standing {
    enum verdict broken; /* the worst breach of it; PASS: there is none */
    bool open;           /* whether it was broken cannot be told (INCONCLUSIVE) … */
    bool fails;          /* … and it would be a FAIL */
};

static struct standing standing_of_both(struct standing a, struct standing b)
{
    return (struct standing){
        .broken = verdict_worse(a.broken, b.broken), .open = a.open || b.open, .fails = a.fails || b.fails};
}

/* Which breaches of a requirement are meant. */
struct meant {
    const char *id;
    bool by_rules; /* those that rules found, too */
    bool by_crash, otherwise;
    const struct case_result *crash; /* by crash: only by the same as that of this one; NULL: by any */
};

static bool is_meant(const struct check_result *check, const struct meant *meant)
{
    return counts(check) && (meant->by_rules || !is_rule(check)) &&
           (check->by_crash ? meant->by_crash : meant->otherwise) &&
           strcmp(check->requirement->id, meant->id) == 0;
}

static struct standing standing_in(const struct run_case *run_case, const struct meant *meant)
{
    struct standing standing = {.broken = VERDICT_PASS};
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (!is_meant(check, meant) ||
            (check->by_crash && meant->crash != NULL && !crash_is_same(&run_case->result, meant->crash)))
            continue;
        const bool open = check->verdict == VERDICT_INCONCLUSIVE;
        standing = standing_of_both(
            standing,
            (struct standing){.broken = verdict_is_broken(check->verdict) ? check->verdict : VERDICT_PASS,
                              .open = open,
                              .fails = open && check->binding});
    }
    return standing;
}

/* Is the case about one of the row's followers? */
static bool is_about(const struct run_case *run_case, const struct follow_row *row)
{
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (check->scope != SCOPE_RUN && follow_row_holds(row, check->requirement->id))
            return true;
    }
    return false;
}

/* In that case, by whatever. */
static struct standing standing_here(const struct run_case *run_case, const char *id)
{
    const struct meant meant = {.id = id, .by_rules = true, .by_crash = true, .otherwise = true};
    return standing_in(run_case, &meant);
}

/* In any case. */
static struct standing standing_in_run(const struct run_result *run, const struct meant *meant)
{
    struct standing standing = {.broken = VERDICT_PASS};
    for (size_t i = 0; i < run->case_count; i++)
        standing = standing_of_both(standing, standing_in(&run->cases[i], meant));
    return standing;
}

static void say(struct check_result *check, const char *words, const char *from, const char *then,
                const char *because)
{
    struct text actual = {
        .data = check->actual, .capacity = sizeof check->actual, .len = strlen(check->actual)};
    text_add(&actual, words);
    text_add(&actual, from);
    text_add(&actual, then);
    text_add(&actual, because);
}

static void follow(struct check_result *check, const char *from, const char *because)
{
    check->verdict = VERDICT_NOT_REACHED;
    check->excused = true;
    check->cause = requirement_by_id(from);
    say(check, "; that follows from ", from, ": ", because);
}

/* Whether the other was broken cannot be told: then neither can it be whether this follows from that. */
static void perhaps_follow(struct check_result *check, const char *from, const char *because)
{
    check->verdict = VERDICT_INCONCLUSIVE;
    say(check, "; that may follow from ", from, ", which the machine was too late to tell: ", because);
}

/* What its rules find counts with `anywhere` alone: they would have found it in each session that it was in.
 */
static struct standing otherwise_in_run(const struct run_result *run, const struct follow_row *row)
{
    const struct meant meant = {.id = row->from, .by_rules = row->anywhere, .otherwise = true};
    return standing_in_run(run, &meant);
}

/* By a client that crashed as in that case. */
static struct standing crashed_in_run(const struct run_result *run, const struct follow_row *row,
                                      const struct case_result *crash)
{
    const struct meant meant = {.id = row->from, .by_rules = row->anywhere, .by_crash = true, .crash = crash};
    return standing_in_run(run, &meant);
}

/* Is there a check of it that was kept, by a client that did not crash, and that weighs as much as a breach
 * with this verdict? */
static bool is_kept(const struct run_result *run, const char *id, enum verdict as)
{
    for (size_t n = 0; n < run->case_count; n++) {
        const struct case_result *result = &run->cases[n].result;
        for (size_t i = 0; run->cases[n].ran && result->end != CLIENT_CRASHED && i < result->check_count;
             i++) {
            const struct check_result *check = &result->checks[i];
            if (counts(check) && check->scope == SCOPE_CHECK && check->verdict == VERDICT_PASS &&
                (check->binding || as != VERDICT_FAIL) && strcmp(check->requirement->id, id) == 0)
                return true;
        }
    }
    return false;
}

/* Did its rule see all of it kept in that case? */
static bool rule_is_kept(const struct run_case *run_case, const char *id)
{
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (is_rule(check) && check->verdict == VERDICT_PASS && strcmp(check->requirement->id, id) == 0)
            return true;
    }
    return false;
}

/* What a check of the row's followers may follow from. In another session a crash explains what a crash at
 * the same place broke, and nothing that is none; nor does that explain a crash. What a rule saw kept in this
 * session explains nothing here. */
static struct standing standing_for(const struct run_result *run, const struct run_case *run_case,
                                    const struct check_result *check, const struct follow_row *row,
                                    struct standing otherwise)
{
    const struct case_result *crash = &run_case->result;
    if (row->by_crash) {
        const struct standing standing =
            check->by_crash ? crashed_in_run(run, row, crash) : (struct standing){.broken = VERDICT_PASS};
        return row->what[0] != NULL || is_kept(run, row->from, standing.broken)
                   ? standing
                   : (struct standing){.broken = VERDICT_PASS};
    }
    const struct standing here = standing_here(run_case, row->from);
    if (!row->anywhere &&
        (is_rule(check) || (!verdict_is_broken(here.broken) && rule_is_kept(run_case, row->from))))
        return here;
    return standing_of_both(here, check->by_crash ? crashed_in_run(run, row, crash) : otherwise);
}

/* Was it not reached, and nothing yet says why, in a session in which the other was broken as badly? */
static bool is_unreached_by(const struct check_result *check, struct standing here)
{
    return check->verdict == VERDICT_NOT_REACHED && check->cause == NULL && !check->excused &&
           (check->binding ? here.broken == VERDICT_FAIL : verdict_is_broken(here.broken));
}

/* How badly it was broken; at most, where a later try passed. */
static enum verdict broken_as(const struct check_result *check)
{
    if (check->verdict != VERDICT_FLAKY)
        return check->verdict;
    return check->binding ? VERDICT_FAIL : VERDICT_DISPUTED;
}

static void case_follow(const struct run_result *run, struct run_case *run_case, const struct follow_row *row,
                        struct standing otherwise)
{
    struct case_result *result = &run_case->result;
    bool any = false;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        if (!counts(check) || !follow_row_holds(row, check->requirement->id))
            continue;
        const bool unreached = !row->by_crash && is_unreached_by(check, standing_here(run_case, row->from));
        const enum verdict as = broken_as(check);
        if (!verdict_is_broken(as) && !unreached)
            continue;
        const struct standing cause = standing_for(run, run_case, check, row, otherwise);
        if (unreached || verdict_worse(as, cause.broken) == cause.broken)
            follow(check, row->from, row->because);
        else if (as == VERDICT_FAIL ? cause.fails : cause.open)
            perhaps_follow(check, row->from, row->because);
        else
            continue;
        any = true;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

/* Was it not reached, as something never came from the mock; or not done, by a client that had left, that is
 * behind, or for which no session began? */
static bool was_stopped(const struct case_result *result, const struct check_result *check,
                        const struct stop_row *row, bool left)
{
    const bool unreached = check->verdict == VERDICT_NOT_REACHED;
    if (row->mute || row->unbegun)
        return check->cause == NULL && judge_never_began(result, check, row);
    if (row->what[0] != NULL)
        return check->behind && (verdict_is_broken(check->verdict) || (unreached && check->cause == NULL)) &&
               (is_hang(check) || stop_row_holds(row, check->requirement->id));
    const bool waits = unreached && check->awaits_mock;
    const bool lacks = left && check->lacking && (unreached || verdict_is_broken(check->verdict));
    return (waits || lacks) && check->cause == NULL && strcmp(check->requirement->id, row->from) != 0;
}

/* What did not come, as the client did not let the session go on. */
static void case_stop(struct run_case *run_case, const struct stop_row *row, struct standing in_run)
{
    struct case_result *result = &run_case->result;
    const struct standing here = standing_here(run_case, row->from);
    const struct standing cause = standing_of_both(here, in_run);
    bool any = false;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        const bool left = row->leaves && verdict_is_broken(here.broken);
        const bool may_have_left = row->leaves && (left || here.open);
        if (verdict_is_broken(cause.broken) && was_stopped(result, check, row, left))
            follow(check, row->from, row->because);
        else if (cause.open && was_stopped(result, check, row, may_have_left))
            perhaps_follow(check, row->from, row->because);
        else
            continue;
        if (is_hang(check)) {
            result->end_verdict = check->verdict;
            result->end_binding = false;
        }
        any = true;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

/* What a baseline, a newer suite or a later try lets pass. */
static bool is_tolerated(enum verdict verdict)
{
    return verdict == VERDICT_XFAIL || verdict == VERDICT_NEW || verdict == VERDICT_FLAKY;
}

/* What the mock acted on excuses nothing once it is tolerated. */
static void case_withdraw_excuses(struct run_case *run_case)
{
    struct case_result *result = &run_case->result;
    bool any = false;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        if (!check->excused || !is_tolerated(case_verdict_on(result, check->cause)))
            continue;
        check->excused = false;
        any = true;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

/* By the rows about sessions that never begin, or by the others. */
static void run_stop(struct run_result *run, bool unbegun)
{
    for (size_t n = 0; n < STOPS_COUNT; n++) {
        if ((STOPS[n].mute || STOPS[n].unbegun) != unbegun)
            continue;
        const struct meant by_checks = {.id = STOPS[n].from, .by_crash = true, .otherwise = true};
        const struct standing in_run = standing_in_run(run, &by_checks);
        for (size_t i = 0; i < run->case_count; i++)
            case_stop(&run->cases[i], &STOPS[n], in_run);
    }
}

/* Is it broken where no follower could be what it follows from? */
static bool is_broken_without(const struct run_result *run, const struct follow_row *row)
{
    for (size_t i = 0; i < run->case_count; i++)
        if (!is_about(&run->cases[i], row) &&
            verdict_is_broken(standing_here(&run->cases[i], row->from).broken))
            return true;
    return false;
}

/* The breach, in whatever case, that the client did not do what this check hangs on: in the same words. NULL:
 * there is none that weighs as much. */
static const struct check_result *breach_of_absence(const struct run_result *run,
                                                    const struct check_result *unreached)
{
    for (size_t n = 0; n < run->case_count; n++) {
        const struct case_result *result = &run->cases[n].result;
        for (size_t i = 0; run->cases[n].ran && i < result->check_count; i++) {
            const struct check_result *check = &result->checks[i];
            if (check->lacking && !check->by_crash && strcmp(check->actual, unreached->actual) == 0 &&
                (unreached->binding ? check->verdict == VERDICT_FAIL : verdict_is_broken(check->verdict)))
                return check;
        }
    }
    return NULL;
}

/* What hangs on an act of the client that never came, of a client that ended as if all was done: where that
 * it never came is a breach, it follows from that. */
static void case_lack(const struct run_result *run, struct run_case *run_case)
{
    struct case_result *result = &run_case->result;
    bool any = false;
    for (size_t i = 0; run_case->ran && result->end == CLIENT_ENDED && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        if (check->verdict != VERDICT_NOT_REACHED || !check->lacking || check->cause != NULL)
            continue;
        const struct check_result *breach = breach_of_absence(run, check);
        if (breach == NULL)
            continue;
        follow(check, breach->requirement->id, "it is not done where that is asked for, either");
        any = true;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

/* The breach, in whatever case, by what clients that hung after such a message did not do; the worst, and of
 * those the first. NULL: there is none. */
static const struct check_result *breach_of_hang(const struct run_result *run, const char *hung_after)
{
    const struct check_result *worst = NULL;
    for (size_t n = 0; n < run->case_count && hung_after[0] != '\0'; n++) {
        const struct case_result *result = &run->cases[n].result;
        for (size_t i = 0; run->cases[n].ran && i < result->check_count; i++) {
            const struct check_result *check = &result->checks[i];
            if (check->by_hang && verdict_is_broken(check->verdict) &&
                strcmp(result->hung_after, hung_after) == 0 &&
                (worst == NULL || verdict_worse(worst->verdict, check->verdict) != worst->verdict))
                worst = check;
        }
    }
    return worst;
}

/* A client that hangs after the same message as where that is a breach hangs of the same: then the hang
 * follows, and what was not reached, and nothing else says why. */
static void case_hang(const struct run_result *run, struct run_case *run_case)
{
    struct case_result *result = &run_case->result;
    const struct check_result *breach = breach_of_hang(run, result->hung_after);
    bool any = false;
    if (!run_case->ran || breach == NULL)
        return;
    for (size_t i = 0; i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        const bool unreached = check->verdict == VERDICT_NOT_REACHED || is_hang(check);
        if (!unreached || check->cause != NULL || check->verdict == VERDICT_INCONCLUSIVE ||
            (check->binding && breach->verdict != VERDICT_FAIL))
            continue;
        any = true;
        follow(check, breach->requirement->id, "it hangs after the same message");
        if (!is_hang(check))
            continue;
        result->end_verdict = check->verdict;
        result->end_binding = false;
    }
    if (any)
        case_take_worst(result, result->end_verdict);
}

void run_tell_followers(struct run_result *run)
{
    for (size_t i = 0; i < run->case_count; i++)
        case_withdraw_excuses(&run->cases[i]);
    run_stop(run, true); /* where nothing began nothing follows from anything else */
    for (size_t n = 0; n < FOLLOWS_COUNT; n++) {
        if (FOLLOWS[n].without && !is_broken_without(run, &FOLLOWS[n]))
            continue;
        const struct standing otherwise = otherwise_in_run(run, &FOLLOWS[n]);
        for (size_t i = 0; i < run->case_count; i++)
            case_follow(run, &run->cases[i], &FOLLOWS[n], otherwise);
    }
    run_stop(run, false);
    for (size_t i = 0; i < run->case_count; i++) {
        case_hang(run, &run->cases[i]);
        case_lack(run, &run->cases[i]);
    }
}
