/* Each check of each case: who was seen to fail it. */
#include <stdio.h>
#include <string.h>

#include "codec/family.h"
#include "codec/wire/text.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/verdict.h"
#include "conformance/selftest/selftest.h"

static const char WIRE[] = "wire", OUTPUT[] = "output", SURVIVES[] = "survives", MEMORY[] = "memory";

/* ---- which there are ---- */

static size_t base_length(const struct case_script *script)
{
    return strcspn(script->name, "[");
}

/* Variants of one file have their checks in common. */
static bool is_same_case(const struct case_script *a, const struct case_script *b)
{
    const size_t length = base_length(a);
    return length == base_length(b) && memcmp(a->name, b->name, length) == 0;
}

static bool has_rule(const struct case_script *script, const struct requirement *requirement)
{
    const struct rule_class *rules = script->class->family->rules;
    return rule_of_requirement(rules, requirement->id) < rules->count;
}

static bool is_secret(const struct case_script *script, const struct requirement *requirement)
{
    const char *secret = script->class->family->rules->secret_requirement;
    return secret != NULL && strcmp(secret, requirement->id) == 0;
}

/* The check of that case; `check_count` when there is none. */
static size_t find(const struct selftest *selftest, size_t at, const char *name,
                   const struct requirement *requirement)
{
    const struct selftest_group group = selftest->groups[at];
    for (size_t i = group.from; i < group.from + group.count; i++)
        if (selftest->checks[i].requirement == requirement && strcmp(selftest->checks[i].name, name) == 0)
            return i;
    return selftest->check_count;
}

static void add(struct selftest *out, size_t at, const char *name, const struct requirement *requirement)
{
    if (requirement == NULL || requirement->level == REQUIREMENT_MAY ||
        find(out, at, name, requirement) < out->check_count || out->check_count == SELFTEST_CHECKS_MAX)
        return;
    struct selftest_check *check = &out->checks[out->check_count++];
    *check = (struct selftest_check){.script = out->selection.cases[at].script, .requirement = requirement};
    struct text text = text_of(check->name, sizeof check->name);
    text_add(&text, name);
    out->groups[at].count++;
}

/* What asks for nothing cannot fail. */
static void add_all(struct selftest *out, size_t at)
{
    const struct case_script *script = out->selection.cases[at].script;
    for (size_t i = 0; i < script->check_count; i++)
        if (strcmp(script->checks[i].level, "INFO") != 0)
            add(out, at, script->checks[i].name, judge_check_clause(script, &script->checks[i]));
    for (size_t i = 0; i < script->clause_count; i++) {
        const struct requirement *requirement = script->clauses[i].requirement;
        if (strcmp(script->clauses[i].level, "INFO") == 0)
            continue;
        if (has_rule(script, requirement) && !judge_check_covers(script, requirement))
            add(out, at, WIRE, requirement);
        else if (i == 0 && !judge_check_covers(script, requirement))
            add(out, at, SURVIVES, requirement);
        if (is_secret(script, requirement))
            add(out, at, OUTPUT, requirement);
    }
    if (script->memory_max > 0)
        add(out, at, MEMORY, judge_first_clause(script));
}

/* The cases are in the order of their names, so that variants stand together. */
bool selftest_list_checks(struct selftest *out)
{
    const struct selection *selection = &out->selection;
    for (size_t i = 0; i < selection->count; i++) {
        const bool goes_on =
            i > 0 && is_same_case(selection->cases[i - 1].script, selection->cases[i].script);
        out->groups[i] = goes_on ? out->groups[i - 1] : (struct selftest_group){.from = out->check_count};
        add_all(out, i);
    }
    for (size_t i = selection->count; i-- > 1;) /* what a later variant added */
        if (out->groups[i - 1].from == out->groups[i].from)
            out->groups[i - 1] = out->groups[i];
    if (out->check_count < SELFTEST_CHECKS_MAX)
        return true;
    fprintf(stderr, "ojin-conform: too many checks: at most %d\n", SELFTEST_CHECKS_MAX - 1);
    return false;
}

/* ---- what cases say of them ---- */

/* A client that hangs or crashes does not come through. */
static bool is_no_good_end(const struct check_result *result)
{
    return strcmp(result->name, "timeout") == 0 || strcmp(result->name, "crash") == 0;
}

void selftest_take_checks(struct selftest_subject *subject, const struct selftest *selftest, size_t at,
                          const struct case_result *result, bool in_memory)
{
    bool leaked = in_memory; /* nobody reads the output of a client in memory */
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check_result *check = &result->checks[i];
        const char *name = is_no_good_end(check) ? SURVIVES : check->name;
        const size_t found = find(selftest, at, name, check->requirement);
        const bool broken = verdict_is_broken(check->verdict);
        leaked = leaked || strcmp(name, OUTPUT) == 0;
        if (found == selftest->check_count)
            continue;
        subject->breaks[found] = subject->breaks[found] || broken;
        subject->keeps[found] = subject->keeps[found] || check->verdict == VERDICT_PASS;
    }
    const struct selftest_group group = selftest->groups[at];
    for (size_t i = group.from; !leaked && i < group.from + group.count; i++)
        if (strcmp(selftest->checks[i].name, OUTPUT) == 0)
            subject->keeps[i] = true;
}

/* ---- what it comes to ---- */

static bool is_of_processes(const struct selftest_check *check)
{
    return strcmp(check->name, OUTPUT) == 0 || strcmp(check->name, MEMORY) == 0;
}

/* Not looked at, in a test that is to be quick. */
static bool is_out_of_sight(enum selftest_extent extent, const struct selftest_check *check)
{
    const struct case_script *script = check->script;
    if (extent == EXTENT_MEMORY)
        return script->transport || is_of_processes(check);
    return extent == EXTENT_QUICK && script->transport && script->set == SCRIPT_SET_SLOW;
}

bool selftest_check_counts(const struct selftest *selftest, size_t n, const struct family *family)
{
    const struct requirement *requirement = selftest->checks[n].requirement;
    return selftest->asked[requirement - REQUIREMENTS] &&
           !is_out_of_sight(selftest->options.extent, &selftest->checks[n]) &&
           (family == NULL || family_has_requirement(family, requirement->id));
}

bool selftest_has_checks(const struct selftest *selftest, size_t at)
{
    const struct selftest_group group = selftest->groups[at];
    for (size_t i = group.from; i < group.from + group.count; i++)
        if (selftest->asked[selftest->checks[i].requirement - REQUIREMENTS])
            return true;
    return false;
}

bool selftest_check_is_kept(const struct selftest *selftest, size_t n)
{
    bool kept = selftest->client->keeps[n];
    for (size_t i = 0; !kept && !selftest->client->breaks[n] && i < selftest->defect_count; i++)
        kept = selftest->defects[i].keeps[n];
    return kept;
}

bool selftest_check_is_proven(const struct selftest *selftest, size_t n)
{
    bool broken = false;
    for (size_t i = 0; !broken && i < selftest->defect_count; i++)
        broken = selftest->defects[i].breaks[n];
    return broken && selftest_check_is_kept(selftest, n);
}

size_t selftest_check_name(const struct selftest *selftest, size_t n, char name[SCRIPT_NAME_MAX])
{
    const struct case_script *script = selftest->checks[n].script;
    struct text text = text_of(name, SCRIPT_NAME_MAX);
    text_add_bytes(&text, bytes_of(script->name, base_length(script)));
    return text.len;
}

bool selftest_checks_are_proven(const struct selftest *selftest, const struct family *family)
{
    for (size_t n = 0; n < selftest->check_count; n++)
        if (selftest_check_counts(selftest, n, family) && !selftest_check_is_proven(selftest, n))
            return false;
    return true;
}
