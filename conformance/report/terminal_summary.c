/* The table by requirement, and what the run comes to. */
#include <stdlib.h>
#include <string.h>

#include "conformance/report/causes.h"
#include "conformance/report/terminal_style.h"

enum {
    VERDICT_COLUMNS = 13,
    JUDGED_COLUMNS = 9,
    STATEMENT_COLUMN = 34,
    MISSING_MAX = 500,
    BARE_NAMED_MAX = 6
};

/* "3 of 5", "in part" or "all". */
static void judged_write(FILE *out, const struct requirement_result *row)
{
    char words[JUDGE_TEXT_MAX];
    struct text text = text_of(words, sizeof words);
    if (row->judged_count < row->check_count) {
        text_add_u64(&text, row->judged_count);
        text_add(&text, " of ");
        text_add_u64(&text, row->check_count);
    } else {
        text_add(&text, row->check_count == 0 ? "none" : requirement_is_in_part(row) ? "in part" : "all");
    }
    fprintf(out, "%-*s ", JUDGED_COLUMNS, words);
}

static void row_write(FILE *out, const struct run_result *run, const struct requirement_result *row,
                      const struct terminal_options *options)
{
    const struct requirement *requirement = row->requirement;
    char missing[MISSING_MAX];
    struct text text = text_of(missing, sizeof missing);
    fprintf(out, "%-10s ", requirement->id);
    terminal_word(out, options, verdict_name(row->verdict), VERDICT_COLUMNS);
    judged_write(out, row);
    terminal_text(out, requirement->statement, terminal_columns(options) - STATEMENT_COLUMN);
    fputc('\n', out);
    if (row->verdict != VERDICT_PARTIAL || !run_requirement_missing(run, row, &text))
        return;
    const char *why = strstr(missing, "; ");
    fprintf(out, "%*s", STATEMENT_COLUMN, "");
    terminal_text(out, why == NULL ? missing : why + 2, terminal_columns(options) - STATEMENT_COLUMN);
    fputc('\n', out);
}

/* What was not reached is told by the cause that kept it from being judged. */
static bool is_told_by_cause(const struct requirement_result *row, const struct causes *causes)
{
    bool told = false;
    for (size_t i = 0; row->verdict == VERDICT_NOT_REACHED && i < causes->count && !told; i++)
        told = cause_is_of(&causes->list[i], row->requirement);
    return told;
}

/* Does its row say more than its count? */
static bool row_stands_out(const struct requirement_result *row, const struct causes *causes)
{
    return row->verdict != VERDICT_PASS && row->verdict != VERDICT_UNSUPPORTED &&
           !is_told_by_cause(row, causes);
}

/* The rows that are one count: those that passed, were not judged for what the client is, or are told by
 * their cause. */
static void folded_write(FILE *out, const struct requirement_result *rows, const struct causes *causes,
                         bool are_listed)
{
    size_t passed = 0, in_part = 0, unsupported = 0, unreached = 0;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (!rows[i].judged)
            continue;
        passed += rows[i].verdict == VERDICT_PASS ? 1 : 0;
        in_part += rows[i].verdict == VERDICT_PASS && requirement_is_in_part(&rows[i]) ? 1 : 0;
        unsupported += rows[i].verdict == VERDICT_UNSUPPORTED ? 1 : 0;
        unreached += is_told_by_cause(&rows[i], causes) ? 1 : 0;
    }
    fprintf(out, "%zu PASS", passed);
    if (in_part > 0)
        fprintf(out, ", %zu of them in part", in_part);
    if (unsupported > 0)
        fprintf(out, "; %zu UNSUPPORTED", unsupported);
    if (unreached > 0)
        fprintf(out, "; %zu NOTREACHED, see the causes", unreached);
    fputs(!are_listed && passed + unsupported + unreached > 0 ? " (--verbose lists them)\n" : "\n", out);
}

/* Why nothing is said of a requirement. */
static const char *why_bare(const struct run_result *run, bool one)
{
    if (run->recorded)
        return one ? "does not occur in it, or does not show on the wire"
                   : "do not occur in it, or do not show on the wire";
    if (run->narrowed)
        return one ? "has no case among those chosen" : "have no case among those chosen";
    return one ? "has no case" : "have no case";
}

/* Those of which nothing is said: named, where they are few. */
static void bare_write(FILE *out, const struct run_result *run, const struct requirement *const *first,
                       size_t count)
{
    if (count == 0)
        return;
    fprintf(out, "%zu more %s of %s %s", count, count == 1 ? "requirement" : "requirements",
            run->profile_count > 1 ? "these profiles" : "this profile", why_bare(run, count == 1));
    for (size_t i = 0; count <= BARE_NAMED_MAX && i < count; i++)
        fprintf(out, "%s%s", i == 0 ? ": " : ", ", first[i]->id);
    fputc('\n', out);
}

void terminal_requirements(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    if (rows == NULL)
        return;
    struct causes causes;
    run_requirements(run, rows);
    causes_init(run, &causes);
    const struct requirement *bare[BARE_NAMED_MAX];
    size_t bare_count = 0;
    bool any = options->verbose;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        any = any || (rows[i].judged && row_stands_out(&rows[i], &causes));
    fputc('\n', out);
    if (any)
        fprintf(out, "%-10s %-*s%-*s %s\n", "id", VERDICT_COLUMNS, "verdict", JUDGED_COLUMNS, "judged",
                "requirement");
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (rows[i].judged && (options->verbose || row_stands_out(&rows[i], &causes)))
            row_write(out, run, &rows[i], options);
        else if (rows[i].judged)
            continue;
        else if (run_requirement_applies(run, rows[i].requirement)) {
            if (bare_count < BARE_NAMED_MAX)
                bare[bare_count] = rows[i].requirement;
            bare_count++;
        }
    }
    folded_write(out, rows, &causes, options->verbose);
    causes_free(&causes);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        const char *note = run_requirement_note(run, &rows[i]);
        if (note != NULL)
            fprintf(out, "%s in part: %s\n", rows[i].requirement->id, note);
        if (rows[i].unheard)
            fprintf(out, "%s not judged: the client reports when it plays, but not what\n",
                    rows[i].requirement->id);
    }
    if (run->profile_note != NULL)
        fprintf(out, "profile: %s\n", run->profile_note);
    bare_write(out, run, bare, bare_count);
    free(rows);
}

/* ---- what would unlock what ---- */

enum lock {
    LOCK_CONDITION,
    LOCK_SECRET, /* of a server's tokens */
    LOCK_PLAN,
    LOCK_OBSERVE,
    LOCK_DECLINED,
    LOCK_UNSAID,
    LOCK_UNHEARD,
    LOCK_NEVER_DONE, /* such as trying again: the checks that ask for it dropped out */
    LOCK_INTERRUPTED,
    LOCK_TRANSPORT,
    LOCK_INCONCLUSIVE,
    LOCK_FOLLOWS,  /* it found what follows from a breach: the cause says it */
    LOCK_NOTED,    /* the mock refused what is no more than a note: so does it */
    LOCK_ANSWERED, /* the mock acted on a breach: so does it */
    LOCK_COUNT
};

/* What keeps a case from being judged; LOCK_COUNT: nothing. */
static enum lock lock_of(const struct run_result *run, const struct run_case *run_case)
{
    enum run_outcome outcome = run_case_outcome(run, run_case);
    if (run_case_was_interrupted(run, run_case))
        return LOCK_INTERRUPTED;
    if (outcome == RUN_PASSED || outcome == RUN_TOLERATED || outcome == RUN_FAILED)
        return LOCK_COUNT;
    if (outcome == RUN_NOT_RUN)
        return !run_case->ran                                     ? LOCK_TRANSPORT
               : run_case->result.verdict == VERDICT_INCONCLUSIVE ? LOCK_INCONCLUSIVE
               : run_case_is_follower(run_case)                   ? LOCK_FOLLOWS
               : run_case_note(run_case) != NULL                  ? LOCK_NOTED
               : run_case->result.answered != NULL                ? LOCK_ANSWERED
                                                                  : LOCK_NEVER_DONE;
    if (run->party == REQUIREMENT_SERVER)
        return run_case->script->condition[0] != '\0' ? LOCK_CONDITION : LOCK_SECRET;
    if (run_case->ran && run_case->result.end == CLIENT_DECLINED)
        return LOCK_DECLINED;
    if (run_case_unsaid(run_case) != 0)
        return LOCK_UNSAID;
    if (run_case_is_unheard(run_case))
        return LOCK_UNHEARD;
    if (run_case->ran)
        return LOCK_NEVER_DONE;
    return run_case->script->tier == TIER_OBSERVE ? LOCK_OBSERVE : LOCK_PLAN;
}

static const char *lock_sentence(enum lock lock, bool one)
{
    switch (lock) {
    case LOCK_CONDITION:
        return one ? "case needs --provoke with a command that brings about its condition"
                   : "cases need --provoke with a command that brings about their conditions";
    case LOCK_SECRET:
        return one ? "case needs --jwt-secret with what tokens are signed with"
                   : "cases need --jwt-secret with what tokens are signed with";
    case LOCK_PLAN:
        return one ? "case needs a client that obeys the plan" : "cases need a client that obeys the plan";
    case LOCK_OBSERVE:
        return one ? "case needs a client that says what it saw"
                   : "cases need a client that says what it saw";
    case LOCK_DECLINED:
        return one ? "case was declined by the client" : "cases were declined by the client";
    case LOCK_UNSAID:
        return one ? "case needs a report that this client does not give"
                   : "cases need reports that this client does not give";
    case LOCK_UNHEARD:
        return one ? "case needs a client that leaves sound.wav, or reports audio in heard, not only when it "
                     "plays"
                   : "cases need a client that leaves sound.wav, or reports audio in heard, not only when it "
                     "plays";
    case LOCK_NEVER_DONE:
        return one ? "case is about what this client never did"
                   : "cases are about what this client never did";
    case LOCK_INTERRUPTED:
        return one ? "case was not run, as the run was interrupted"
                   : "cases were not run, as the run was interrupted";
    case LOCK_TRANSPORT:
        return one ? "case needs a real transport" : "cases need a real transport";
    case LOCK_INCONCLUSIVE:
        return one ? "case was inconclusive, as the machine was late"
                   : "cases were inconclusive, as the machine was late";
    case LOCK_FOLLOWS:
        return one ? "case found what follows from another fault: see the causes"
                   : "cases found what follows from another fault: see the causes";
    case LOCK_NOTED:
        return one ? "case was not reached, as the mock refused what is too little for a breach: see the "
                     "causes"
                   : "cases were not reached, as the mock refused what is too little for a breach: see the "
                     "causes";
    case LOCK_ANSWERED:
        return one ? "case was not reached, as the mock acted on a fault: see the causes"
                   : "cases were not reached, as the mock acted on a fault: see the causes";
    case LOCK_COUNT:
        break;
    }
    return "";
}

/* Requirements that only cases behind this lock are about: nothing judged them. */
static size_t requirements_unlocked(const struct run_result *run, enum lock lock)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    bool *counted = calloc(REQUIREMENT_COUNT, sizeof *counted);
    size_t count = 0;
    if (rows != NULL && counted != NULL)
        run_requirements(run, rows);
    for (size_t i = 0; rows != NULL && counted != NULL && i < run->case_count; i++) {
        const struct case_script *script = run->cases[i].script;
        for (size_t k = 0; lock_of(run, &run->cases[i]) == lock && k < script->clause_count; k++) {
            const size_t n = (size_t)(script->clauses[k].requirement - REQUIREMENTS);
            const bool open = !rows[n].judged || rows[n].verdict == VERDICT_UNSUPPORTED ||
                              rows[n].verdict == VERDICT_INCONCLUSIVE;
            count += open && !counted[n] ? 1 : 0;
            counted[n] = true;
        }
    }
    free(rows);
    free(counted);
    return count;
}

/* A line of the list; of what is not reported it says what that is. */
static void locked_case_write(FILE *out, const struct run_case *run_case, enum lock lock)
{
    fprintf(out, "  %s  %s", run_case->script->name,
            run_case->profile == NULL ? "" : run_case->profile->name);
    if (lock == LOCK_UNSAID) {
        char kinds[JUDGE_TEXT_MAX];
        struct text text = text_of(kinds, sizeof kinds);
        unsaid_describe(&text, run_case_unsaid(run_case));
        fprintf(out, "  (%s)", kinds);
    }
    fputc('\n', out);
}

/* What could not be told may be told another time: the options that run these cases. */
static void rerun_write(FILE *out, const struct run_result *run, size_t count)
{
    enum { NAMED_MAX = 4 };
    size_t named = 0;
    fprintf(out, "; run %s again when it is calmer:", count == 1 ? "it" : "them");
    for (size_t i = 0; named < NAMED_MAX && i < run->case_count; i++) {
        const char *name = run->cases[i].script->name;
        const char *quote = strchr(name, '[') != NULL ? "'" : "";
        if (lock_of(run, &run->cases[i]) != LOCK_INCONCLUSIVE)
            continue;
        fprintf(out, " --run %s%s%s", quote, name, quote);
        named++;
    }
    if (count > named)
        fprintf(out, " and %zu more", count - named);
}

static void lock_write(FILE *out, const struct run_result *run, enum lock lock,
                       const struct terminal_options *options)
{
    size_t count = 0;
    for (size_t i = 0; i < run->case_count; i++)
        count += lock_of(run, &run->cases[i]) == lock ? 1 : 0;
    if (count == 0)
        return;
    fprintf(out, "%zu %s", count, lock_sentence(lock, count == 1));
    if (lock == LOCK_INCONCLUSIVE)
        rerun_write(out, run, count);
    const size_t more = requirements_unlocked(run, lock);
    if (more > 0)
        fprintf(out, ", which would judge %zu more %s", more, more == 1 ? "requirement" : "requirements");
    fputs(options->verbose ? ":\n" : "\n", out);
    for (size_t i = 0; options->verbose && i < run->case_count; i++)
        if (lock_of(run, &run->cases[i]) == lock)
            locked_case_write(out, &run->cases[i], lock);
}

void terminal_locks(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    for (int lock = 0; lock < LOCK_COUNT; lock++)
        lock_write(out, run, (enum lock)lock, options);
}

static size_t ran_count(const struct run_result *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->case_count; i++)
        count += run->cases[i].ran ? 1 : 0;
    return count;
}

static void headline_write(FILE *out, const struct run_result *run)
{
    struct causes causes;
    char line[RUN_REASON_MAX];
    struct text text = text_of(line, sizeof line);
    causes_init(run, &causes);
    causes_headline(&causes, &text);
    causes_free(&causes);
    if (text.len > 0)
        fprintf(out, "%s\n", line);
}

void terminal_summary(FILE *out, const struct run_result *run)
{
    struct run_totals totals;
    run_count(run, &totals);
    fputc('\n', out);
    if (run->interrupted)
        fprintf(out, "interrupted: %zu of %zu cases were run\n", ran_count(run), run->case_count);
    const char *noun = run->recorded ? "connection" : "case";
    fprintf(out, "%zu %s%s %s %llu.%llu s %s %s", run->case_count, noun, run->case_count == 1 ? "" : "s",
            run->recorded ? "with" : "in", (unsigned long long)(run->duration_ms / 1000),
            (unsigned long long)(run->duration_ms / 100 % 10), run->recorded ? "of" : "over",
            run->recorded ? "a journal" : run->transport);
    char words[RUN_REASON_MAX];
    struct text text = text_of(words, sizeof words);
    run_totals_rest_write(&totals, &text);
    fputs(words, out);
    if (run->judged_min > 0)
        fprintf(out, "\n%zu requirements reached of at least %zu asked for", run_judged_count(run),
                run->judged_min);
    const int code = run_exit_code(run);
    fputs("\n", out);
    headline_write(out, run);
    text = text_of(words, sizeof words);
    run_exit_reason(run, &text);
    if (code != 0)
        fprintf(out, "exit %d: %s\n", code, words);
    text = text_of(words, sizeof words);
    run_totals_write(&totals, &text);
    fprintf(out, "%s\n", words);
}
