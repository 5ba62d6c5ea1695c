#include "conformance/report/followers.h"

#include "codec/rules/follows.h"
#include "conformance/judge/verdict.h"

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
        if (!is_meant(check, meant))
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

/* How a row's requirement stands in the run. What its rules find counts with `anywhere` alone: they would
 * have found it in each session that it was in. */
struct in_run {
    struct standing by_crash, otherwise;
};

static struct in_run in_run_of(const struct run_result *run, const struct follow_row *row)
{
    const struct meant by_crash = {.id = row->from, .by_rules = row->anywhere, .by_crash = true};
    const struct meant otherwise = {.id = row->from, .by_rules = row->anywhere, .otherwise = true};
    return (struct in_run){standing_in_run(run, &by_crash), standing_in_run(run, &otherwise)};
}

/* Was it not reached, and nothing yet says why, in a session in which the other was broken as badly? */
static bool is_unreached_by(const struct check_result *check, struct standing here)
{
    return check->verdict == VERDICT_NOT_REACHED && check->cause == NULL && !check->excused &&
           (check->binding ? here.broken == VERDICT_FAIL : verdict_is_broken(here.broken));
}

/* In another session a crash explains crashes, and nothing that is none; nor does that explain a crash. */
static void case_follow(struct run_case *run_case, const struct follow_row *row, const struct in_run *in_run)
{
    struct case_result *result = &run_case->result;
    const struct standing here = standing_here(run_case, row->from);
    bool any = false;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++) {
        struct check_result *check = &result->checks[i];
        const struct standing elsewhere = check->by_crash ? in_run->by_crash : in_run->otherwise;
        const struct standing cause =
            is_rule(check) && !row->anywhere ? here : standing_of_both(here, elsewhere);
        if (!counts(check) || !follow_row_holds(row, check->requirement->id))
            continue;
        const bool unreached = is_unreached_by(check, here);
        if (!verdict_is_broken(check->verdict) && !unreached)
            continue;
        if (unreached || verdict_worse(check->verdict, cause.broken) == cause.broken)
            follow(check, row->from, row->because);
        else if (check->verdict == VERDICT_FAIL ? cause.fails : cause.open)
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

void run_tell_followers(struct run_result *run)
{
    for (size_t i = 0; i < run->case_count; i++)
        case_withdraw_excuses(&run->cases[i]);
    run_stop(run, true); /* where nothing began nothing follows from anything else */
    for (size_t n = 0; n < FOLLOWS_COUNT; n++) {
        if (FOLLOWS[n].without && !is_broken_without(run, &FOLLOWS[n]))
            continue;
        const struct in_run in_run = in_run_of(run, &FOLLOWS[n]);
        for (size_t i = 0; i < run->case_count; i++)
            case_follow(&run->cases[i], &FOLLOWS[n], &in_run);
    }
    run_stop(run, false);
}
