/* A requirement: what it says, where that stands, how sure it is, and how it is judged. */
#include "conformance/cli/explain.h"
#include "conformance/judge/check.h"

static const char *basis_sentence(enum requirement_basis basis)
{
    switch (basis) {
    case BASIS_DOC:
        return "it stands in a document";
    case BASIS_RFC6455:
        return "it stands in the WebSocket standard";
    case BASIS_INFERRED:
        return "it follows from a document, but is not said: DISPUTED when broken, a failure with --inferred";
    case BASIS_FIELD:
        return "it comes from practice alone: a warning when broken";
    }
    return "";
}

static const char *level_sentence(enum requirement_level level)
{
    switch (level) {
    case REQUIREMENT_MUST:
        return "a run fails that breaks it";
    case REQUIREMENT_SHOULD:
        return "a warning when broken, a failure with --strict";
    case REQUIREMENT_MAY:
        return "a remark";
    }
    return "";
}

/* ---- how it is judged ---- */

static bool names_clause(const struct case_script *script, const struct requirement *requirement)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement == requirement)
            return true;
    return false;
}

static bool check_judges(const struct case_script *script, size_t n, const struct requirement *requirement)
{
    return explain_check_clause(script, &script->checks[n]) == requirement;
}

static bool case_judges(const struct case_script *script, const struct requirement *requirement)
{
    for (size_t i = 0; i < script->check_count; i++)
        if (check_judges(script, i, requirement))
            return true;
    return names_clause(script, requirement);
}

static void case_write(FILE *out, const struct case_script *script, const struct requirement *requirement)
{
    size_t checks = 0;
    fprintf(out, "  %s  %s\n", script->name, script->title);
    for (size_t i = 0; i < script->check_count; i++) {
        if (!check_judges(script, i, requirement))
            continue;
        char words[JUDGE_TEXT_MAX * 2];
        struct text text = text_of(words, sizeof words);
        check_describe(&text, script, &script->checks[i]);
        fprintf(out, "    check %s: %s\n", script->checks[i].name, words);
        checks++;
    }
    if (checks == 0)
        fprintf(out, "    %s\n",
                explain_has_rule(requirement)              ? "gives the rule of the wire occasion to judge"
                : requirement->party == REQUIREMENT_SERVER ? "by the steps of its client block"
                                                           : "the client has to come through it whole");
}

static void requirement_write(FILE *out, const struct requirement *requirement, const struct case_set *cases)
{
    fprintf(out, "%s  %s %s\n  %s\n\n", requirement->id,
            requirement->party == REQUIREMENT_SERVER ? "server" : "client",
            requirement_level_name(requirement->level), requirement->statement);
    fprintf(out, "level     %s: %s\n", requirement_level_name(requirement->level),
            level_sentence(requirement->level));
    fprintf(out, "basis     %s: %s\n", requirement_basis_name(requirement->basis),
            basis_sentence(requirement->basis));
    fprintf(out, "profiles  %s\n", requirement->profiles);
    fprintf(out, "source    %s\n", requirement->source);
    fputs("\nHow it is judged\n", out);
    if (explain_has_rule(requirement))
        fputs("  by a rule of the wire, in every session\n", out);
    const struct family *family = family_of_requirement(requirement->id);
    if (requirement->party != REQUIREMENT_SERVER && family != NULL &&
        judge_is_timed(family->rules, requirement))
        fputs("  by time too: INCONCLUSIVE where the machine itself was too late to tell\n", out);
    size_t count = 0;
    for (size_t i = 0; i < cases->count; i++) {
        if (!case_judges(cases->scripts[i], requirement))
            continue;
        case_write(out, cases->scripts[i], requirement);
        count++;
    }
    if (count == 0)
        fputs(explain_has_rule(requirement) ? "  no case is about it\n"
                                            : "  it is not: no case is about it\n",
              out);
}

/* ---- as JSON ---- */

static void case_json(FILE *out, const struct case_script *script, const struct requirement *requirement)
{
    bool first = true;
    fputc('{', out);
    explain_json_member(out, true, "name", script->name);
    fputs(",\"checks\":[", out);
    for (size_t i = 0; i < script->check_count; i++) {
        if (!check_judges(script, i, requirement))
            continue;
        fputs(first ? "" : ",", out);
        explain_json_string(out, bytes_of_text(script->checks[i].name));
        first = false;
    }
    fputs("]}", out);
}

static void requirement_json(FILE *out, const struct requirement *requirement, const struct case_set *cases)
{
    bool first = true;
    fputc('{', out);
    explain_json_member(out, true, "id", requirement->id);
    explain_json_member(out, false, "party", requirement->party == REQUIREMENT_SERVER ? "server" : "client");
    explain_json_member(out, false, "level", requirement_level_name(requirement->level));
    explain_json_member(out, false, "basis", requirement_basis_name(requirement->basis));
    explain_json_member(out, false, "profiles", requirement->profiles);
    explain_json_member(out, false, "source", requirement->source);
    explain_json_member(out, false, "statement", requirement->statement);
    fprintf(out, ",\"rule\":%s,\"cases\":[", explain_has_rule(requirement) ? "true" : "false");
    for (size_t i = 0; i < cases->count; i++) {
        if (!case_judges(cases->scripts[i], requirement))
            continue;
        fputs(first ? "" : ",", out);
        case_json(out, cases->scripts[i], requirement);
        first = false;
    }
    fputs("]}\n", out);
}

void explain_requirement(FILE *out, const struct requirement *requirement, const struct case_set *cases,
                         bool json)
{
    if (json)
        requirement_json(out, requirement, cases);
    else
        requirement_write(out, requirement, cases);
}
