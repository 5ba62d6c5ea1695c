#include "conformance/server/server_judge.h"

#include "conformance/judge/results.h"
#include "conformance/judge/verdict.h"

static const struct server_rule_class *rules_of(const struct case_script *script)
{
    return script->class->family->server_rules;
}

static const char WIRE_NAME[] = "wire";

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Were we too late ourselves to tell? `waited`: something did not come in time. */
static bool is_open(const struct server_judge_input *input, const struct requirement *requirement,
                    bool waited)
{
    const bool timed = server_traits_of_requirement(rules_of(input->script), requirement->id).timed;
    return (timed && later(input->lateness_us, input->waited_us) > SERVER_LATENESS_MAX_US) ||
           (waited && later(input->lateness_us, input->waited_long_us) > SERVER_FROZEN_US);
}

static enum verdict broken_verdict(const struct server_judge_input *input,
                                   const struct requirement *requirement, bool waited)
{
    const struct script_clause *clause = case_script_clause_of(input->script, requirement->id);
    const enum weight asked =
        clause == NULL ? weight_of_requirement(requirement) : weight_of_word(clause->level);
    if (is_open(input, requirement, waited))
        return VERDICT_INCONCLUSIVE;
    return verdict_when_broken(asked, requirement, input->profile, input->inferred, input->strict);
}

/* Messages whose form is broken so that what this requirement is judged by cannot be read. */
static unsigned blur_of(const struct server_judge_input *input, const struct requirement *requirement)
{
    return drive_blur(input->drive) &
           server_traits_of_requirement(rules_of(input->script), requirement->id).blur;
}

static void blurred_say(struct text *actual, const struct server_judge_input *input, unsigned blur)
{
    text_add(actual, "; its messages cannot be read for that, see ");
    text_add(actual, rules_of(input->script)->blur_requirement(blur));
}

/* ---- rules ---- */

/* The first finding for that requirement; NULL when the journal has none. */
static const struct journal_entry *finding_of(const struct journal *journal, const char *id)
{
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_FINDING && !entry->finding.note &&
            strcmp(entry->finding.requirement, id) == 0)
            return entry;
    }
    return NULL;
}

static void broken_add(const struct server_judge_input *input, const struct requirement *requirement,
                       struct case_result *out)
{
    const struct journal_entry *entry = finding_of(input->journal, requirement->id);
    const unsigned blur = blur_of(input, requirement);
    struct check_result *result =
        results_add(out, WIRE_NAME, requirement,
                    blur != 0 ? VERDICT_NOT_REACHED
                              : broken_verdict(input, requirement, entry != NULL && entry->finding.waited));
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected,
                 entry == NULL ? requirement->statement : entry->finding.expected);
    struct text actual = text_of(result->actual, sizeof result->actual);
    text_add(&actual,
             entry == NULL ? "broken; the journal is cut before the finding" : entry->finding.actual);
    if (blur != 0)
        blurred_say(&actual, input, blur);
    if (entry != NULL)
        result->journal_sequence = entry->sequence;
}

static void rules_add(const struct server_judge_input *input, struct case_result *out)
{
    for (size_t n = 0; n < rules_of(input->script)->count; n++) {
        const struct requirement *requirement = requirement_by_id(rules_of(input->script)->requirement(n));
        switch (drive_rule_verdict(input->drive, n)) {
        case RULE_NOT_REACHED:
            break;
        case RULE_KEPT:
            results_say(out, WIRE_NAME, requirement, VERDICT_PASS, requirement->statement, "kept");
            break;
        case RULE_BROKEN:
            broken_add(input, requirement, out);
            break;
        }
    }
}

static const char *broken_rule(const struct server_judge_input *input)
{
    for (size_t n = 0; n < rules_of(input->script)->count; n++)
        if (drive_rule_verdict(input->drive, n) == RULE_BROKEN)
            return rules_of(input->script)->requirement(n);
    return NULL;
}

/* ---- framing ---- */

/* The journal's entry of it, which the excerpt of the wire points at; NULL when the journal is cut before. */
static const struct journal_entry *violation_of(const struct journal *journal)
{
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
            entry->wire.kind == WIRE_EVENT_VIOLATION)
            return entry;
    }
    return NULL;
}

/* No requirement of servers is about framing, and nothing holds without it: it fails whatever the case is
 * about. */
static void framing_add(const struct server_judge_input *input, struct case_result *out)
{
    const char *sentence = drive_violation(input->drive);
    const struct case_script *script = input->script;
    if (sentence == NULL || script->clause_count == 0)
        return;
    struct check_result *result = results_add(out, "framing", script->clauses[0].requirement, VERDICT_FAIL);
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected, "what the server sends keeps to RFC 6455");
    struct text actual = text_of(result->actual, sizeof result->actual);
    text_add(&actual, "the server broke RFC 6455: ");
    text_add(&actual, sentence);
    const struct journal_entry *entry = violation_of(input->journal);
    if (entry != NULL)
        result->journal_sequence = entry->sequence;
}

/* ---- steps ---- */

static void outcome_add(const struct server_judge_input *input, const struct drive_outcome *outcome,
                        struct case_result *out)
{
    const struct requirement *requirement = requirement_by_id(outcome->clause_id);
    const char *cause = broken_rule(input);
    enum verdict verdict = outcome->held ? VERDICT_PASS : broken_verdict(input, requirement, outcome->waited);
    char actual[JUDGE_TEXT_MAX];
    struct text text = text_of(actual, sizeof actual);
    text_add(&text, outcome->actual);
    const unsigned blur = blur_of(input, requirement);
    if (blur != 0) { /* what holds may hold by mistake */
        verdict = VERDICT_NOT_REACHED;
        blurred_say(&text, input, blur);
    } else if (!outcome->held && outcome->prelude && cause != NULL && strcmp(cause, requirement->id) != 0) {
        verdict = VERDICT_NOT_REACHED;
        text_add(&text, "; see ");
        text_add(&text, cause);
    }
    results_say(out, outcome->name, requirement, verdict, outcome->expected, actual);
}

static bool is_judged(const struct case_result *out, const struct requirement *requirement)
{
    for (size_t i = 0; i < out->check_count; i++)
        if (out->checks[i].requirement == requirement)
            return true;
    return false;
}

static bool has_rule(const struct case_script *script, const char *id)
{
    return server_rule_of_requirement(rules_of(script), id) < rules_of(script)->count;
}

static bool steps_judge(const struct case_script *script, const struct client_step *steps, size_t count,
                        const char *id)
{
    for (size_t i = 0; i < count; i++) {
        const char *of_step =
            steps[i].clause_id != NULL ? steps[i].clause_id : script->clauses[0].requirement->id;
        const bool judges = steps[i].kind == CLIENT_STEP_RECV || steps[i].kind == CLIENT_STEP_NONE ||
                            steps[i].kind == CLIENT_STEP_COMPARE;
        if ((judges && strcmp(of_step, id) == 0) ||
            steps_judge(script, steps[i].children, steps[i].child_count, id))
            return true;
    }
    return false;
}

/* What else was found, that may be why a clause was not reached; NULL: nothing. */
static const char *found_instead(const struct case_result *out)
{
    for (size_t i = 0; i < out->check_count; i++) {
        const enum verdict verdict = out->checks[i].verdict;
        if (verdict != VERDICT_PASS && verdict != VERDICT_INFO && verdict != VERDICT_NOT_REACHED)
            return out->checks[i].requirement->id;
    }
    return NULL;
}

static void unreached_add(const struct requirement *requirement, const char *why, struct case_result *out)
{
    char actual[JUDGE_TEXT_MAX];
    struct text text = text_of(actual, sizeof actual);
    const char *cause = found_instead(out);
    text_add(&text, why);
    text_add(&text, cause != NULL ? "; see " : "");
    text_add(&text, cause != NULL ? cause : "");
    results_say(out, "reached", requirement, VERDICT_NOT_REACHED, requirement->statement, actual);
}

/* Of a clause that nothing was said of. */
static void silent_clause_add(const struct server_judge_input *input, const struct requirement *requirement,
                              struct case_result *out)
{
    const struct case_script *script = input->script;
    const bool through = drive_broken_line(input->drive) == 0;
    const bool judged_by_others =
        has_rule(script, requirement->id) ||
        steps_judge(script, script->client_steps, script->client_step_count, requirement->id);
    if (through && !judged_by_others)
        results_say(out, "through", requirement, VERDICT_PASS, script->expect, "the case came through");
    else
        unreached_add(requirement,
                      through ? "nothing on the wire gave occasion to judge it" : "the case broke off before",
                      out);
}

/* What was not reached because something else was found weighs no more than what was found. */
static void worst_take(struct case_result *out)
{
    bool missed = false;
    out->verdict = VERDICT_PASS;
    for (size_t i = 0; i < out->check_count; i++) {
        out->checks[i].binding = true;
        if (out->checks[i].verdict == VERDICT_NOT_REACHED)
            missed = true;
        else
            out->verdict = verdict_worse(out->verdict, out->checks[i].verdict);
    }
    const bool found = out->verdict != VERDICT_PASS && out->verdict != VERDICT_INFO;
    if (missed && !found)
        out->verdict = VERDICT_NOT_REACHED;
    out->binding = true;
}

static void note_take(const struct server_judge_input *input, struct case_result *out)
{
    struct text note = text_of(out->note, sizeof out->note);
    if (drive_broken_line(input->drive) == 0)
        return;
    text_add(&note, "stopped in line ");
    text_add_u64(&note, drive_broken_line(input->drive));
    text_add(&note, ": ");
    text_add(&note, drive_broken_why(input->drive));
}

void server_judge_case(const struct server_judge_input *input, struct case_result *out)
{
    const struct case_script *script = input->script;
    *out = (struct case_result){.verdict = VERDICT_PASS};
    if (input->own_error[0] != '\0') {
        server_judge_untried(script, VERDICT_ERROR, input->own_error, out);
        return;
    }
    framing_add(input, out);
    rules_add(input, out);
    for (size_t i = 0; i < drive_outcome_count(input->drive); i++)
        outcome_add(input, drive_outcome_at(input->drive, i), out);
    for (size_t i = 0; i < script->clause_count; i++)
        if (!is_judged(out, script->clauses[i].requirement))
            silent_clause_add(input, script->clauses[i].requirement, out);
    note_take(input, out);
    worst_take(out);
}

void server_judge_untried(const struct case_script *script, enum verdict verdict, const char *why,
                          struct case_result *out)
{
    *out = (struct case_result){.verdict = verdict, .binding = true};
    for (size_t i = 0; i < script->clause_count; i++)
        results_say(out, "reached", script->clauses[i].requirement, verdict, script->expect, why);
    for (size_t i = 0; i < out->check_count; i++)
        out->checks[i].binding = true;
    results_copy(out->note, sizeof out->note, why);
}
