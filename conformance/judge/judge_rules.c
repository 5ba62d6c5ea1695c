/* What the rules of codec/rules found on the wire, as results of the case. */
#include "conformance/judge/judge_parts.h"
#include "conformance/judge/results.h"
#include "conformance/judge/verdict.h"

static const char WIRE_NAME[] = "wire";

/* The first finding for that requirement; NULL when the journal has none. */
static const struct journal_entry *finding_of(const struct journal *journal, const char *id, bool note)
{
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_FINDING && entry->finding.note == note &&
            strcmp(entry->finding.requirement, id) == 0)
            return entry;
    }
    return NULL;
}

/* A finding of a requirement that the case is not about is one of the run. A script without clauses, such as
 * a recorded session, is about all that it shows. */
static enum check_scope scope_of(const struct judge_input *input, const struct requirement *requirement)
{
    const bool is_about =
        input->script->clause_count == 0 || judge_clause_is_named(input->script, requirement);
    return is_about ? SCOPE_CHECK : SCOPE_RUN;
}

/* Was that found in the end of a connection that nobody closed, of a client that crashed? */
static bool is_by_crash(const struct judge_input *input, const struct journal_entry *finding)
{
    if (input->end != CLIENT_CRASHED || finding == NULL)
        return false;
    for (uint64_t i = finding->sequence; i > 0; i--) {
        const struct journal_entry *entry = journal_at(input->journal, (size_t)i - 1);
        if (entry->kind == JOURNAL_WIRE)
            return entry->wire.kind == WIRE_EVENT_END && entry->wire.direction == WIRE_FROM_CLIENT;
    }
    return false;
}

static void finding_add(const struct judge_input *input, struct case_result *out,
                        const struct requirement *requirement, enum verdict verdict,
                        const struct journal_entry *entry)
{
    struct check_result *result = results_add(out, WIRE_NAME, requirement, verdict);
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected,
                 entry == NULL ? requirement->statement : entry->finding.expected);
    results_copy(result->actual, sizeof result->actual,
                 entry == NULL ? "broken; the journal is cut before the finding" : entry->finding.actual);
    if (is_by_crash(input, entry) && verdict_is_broken(verdict))
        judge_say_crash(input, result);
    result->scope = scope_of(input, requirement);
    judge_say_lateness(input, result);
    if (entry != NULL)
        result->journal_sequence = entry->sequence;
}

static void not_reached_add(const struct judge_input *input, const struct requirement *requirement,
                            struct case_result *out)
{
    const struct rule_condition *condition = rule_condition_of(judge_rules_of(input), requirement->id);
    const struct free_act *act = judge_left_out_form(input, requirement);
    const char *unmet = condition == NULL ? NULL : condition->left_out;
    struct check_result *result = results_add(
        out, WIRE_NAME, requirement,
        unmet != NULL || act != NULL ? VERDICT_UNSUPPORTED : judge_verdict_unreached(input, UINT64_MAX));
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected, requirement->statement);
    results_copy(result->actual, sizeof result->actual,
                 unmet != NULL ? unmet : "too little traffic to judge it");
    result->awaits_mock = unmet == NULL && act == NULL;
    judge_say_lateness(input, result);
    judge_say_cause(input, UINT64_MAX, result);
    if (act != NULL)
        judge_say_left_out(act, result);
}

static void kept_add(const struct judge_input *input, const struct requirement *requirement,
                     struct case_result *out)
{
    /* What a case about it would have come to after a crash may have broken it. */
    const bool cut_short = input->end == CLIENT_CRASHED && judge_clause_is_named(input->script, requirement);
    struct check_result *result =
        results_add(out, WIRE_NAME, requirement, cut_short ? VERDICT_NOT_REACHED : VERDICT_PASS);
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected, requirement->statement);
    results_copy(result->actual, sizeof result->actual,
                 cut_short ? "kept until the client ended, which was too early to tell" : "kept");
    result->scope = scope_of(input, requirement);
}

static void rule_add(const struct judge_input *input, size_t n, struct case_result *out)
{
    const struct requirement *requirement = requirement_by_id(judge_rules_of(input)->requirement(n));
    const struct case_script *script = input->script;
    switch (input->rule_verdicts[n]) {
    case RULE_NOT_REACHED:
        if (judge_clause_is_named(script, requirement) && !judge_check_covers(script, requirement))
            not_reached_add(input, requirement, out);
        break;
    case RULE_KEPT:
        kept_add(input, requirement, out);
        break;
    case RULE_BROKEN:
        finding_add(input, out, requirement, judge_verdict_of_rule(input, requirement),
                    finding_of(input->journal, requirement->id, false));
        break;
    }
}

/* What no wire shows: the key in the client's own log. */
static void judge_key_leak(const struct judge_input *input, struct case_result *out)
{
    const char *id = judge_rules_of(input)->secret_requirement;
    const struct requirement *requirement = id == NULL ? NULL : requirement_by_id(id);
    if (input->key_leak == NULL || requirement == NULL)
        return;
    struct check_result *result =
        results_add(out, "output", requirement, judge_verdict_of_clause(input, requirement));
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected, "the key nowhere in the client's own output");
    results_copy(result->actual, sizeof result->actual, input->key_leak);
    result->scope = scope_of(input, requirement);
}

void judge_rules(const struct judge_input *input, struct case_result *out)
{
    judge_key_leak(input, out);
    for (size_t n = 0; n < judge_rules_of(input)->count; n++) {
        rule_add(input, n, out);
        const struct journal_entry *note =
            finding_of(input->journal, judge_rules_of(input)->requirement(n), true);
        if (note != NULL)
            finding_add(input, out, requirement_by_id(judge_rules_of(input)->requirement(n)), VERDICT_INFO,
                        note);
    }
}

void judge_failed_rules(const struct judge_input *input, struct case_result *out)
{
    judge_key_leak(input, out);
    for (size_t n = 0; n < judge_rules_of(input)->count; n++) {
        const struct requirement *requirement = requirement_by_id(judge_rules_of(input)->requirement(n));
        if (input->rule_verdicts[n] == RULE_BROKEN &&
            judge_verdict_of_rule(input, requirement) == VERDICT_FAIL)
            rule_add(input, n, out);
    }
}
