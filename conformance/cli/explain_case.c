/* A case: what the client is asked to do, what the mock does, and what must hold. */
#include "conformance/cli/explain.h"
#include "conformance/judge/check.h"

static const char *tier_sentence(enum client_tier tier)
{
    switch (tier) {
    case TIER_WIRE:
        return "any client that connects, speaks and ends";
    case TIER_PLAN:
        return "a client that obeys the plan";
    case TIER_OBSERVE:
        return "a client that obeys the plan and says what it saw";
    }
    return "";
}

static void block_write(FILE *out, const char *title, struct bytes block)
{
    if (block.len == 0)
        return;
    fprintf(out, "\n%s\n", title);
    fwrite(block.data, 1, block.len, out);
}

static void check_write(FILE *out, const struct case_script *script, const struct script_check *check)
{
    const struct requirement *requirement = explain_check_clause(script, check);
    char words[JUDGE_TEXT_MAX * 2];
    struct text text = text_of(words, sizeof words);
    check_describe(&text, script, check);
    fprintf(out, "  %s  %s %s\n    expected: %s\n", check->name, requirement == NULL ? "" : requirement->id,
            check->level, words);
}

static void clauses_write(FILE *out, const struct case_script *script)
{
    fputs("\nRequirements\n", out);
    for (size_t i = 0; i < script->clause_count; i++) {
        const struct requirement *requirement = script->clauses[i].requirement;
        fprintf(out, "  %s  %s  (%s)\n    %s\n", requirement->id, requirement_level_name(requirement->level),
                requirement->source, requirement->statement);
    }
}

static void case_write(FILE *out, const struct case_script *script, struct bytes text)
{
    const bool about_server = script->client_steps != NULL;
    fprintf(out, "%s\n  %s\n  %s\n\n", script->name, script->title, script->expect);
    if (about_server && script->condition[0] != '\0')
        fprintf(out, "needs     --provoke, to bring about %s\n", script->condition);
    if (!about_server)
        fprintf(out, "tier      %s: %s\n", client_tier_name(script->tier), tier_sentence(script->tier));
    if (script->transport)
        fputs("transport needs a real connection; left out in memory\n", out);
    fprintf(out, "profiles  %s\nlimit     %llu.%llu s\nfile      %s\n", script->profiles,
            (unsigned long long)(script->limit_us / 1000000),
            (unsigned long long)(script->limit_us / 100000 % 10), script->path);
    clauses_write(out, script);
    block_write(out, "What the client is asked to do", explain_block(text, "plan"));
    block_write(out, "What the mock does", explain_block(text, "server"));
    block_write(out, "What our client does", explain_block(text, "client"));
    if (script->check_count > 0)
        fputs("\nWhat must hold\n", out);
    for (size_t i = 0; i < script->check_count; i++)
        check_write(out, script, &script->checks[i]);
    fputs("\nBesides, every rule of the wire is judged, as in every session.\n", out);
}

/* ---- as JSON ---- */

static void checks_json(FILE *out, const struct case_script *script)
{
    fputs(",\"checks\":[", out);
    for (size_t i = 0; i < script->check_count; i++) {
        const struct script_check *check = &script->checks[i];
        const struct requirement *requirement = explain_check_clause(script, check);
        char words[JUDGE_TEXT_MAX * 2];
        struct text text = text_of(words, sizeof words);
        check_describe(&text, script, check);
        fputs(i == 0 ? "{" : ",{", out);
        explain_json_member(out, true, "name", check->name);
        explain_json_member(out, false, "requirement", requirement == NULL ? "" : requirement->id);
        explain_json_member(out, false, "level", check->level);
        explain_json_member(out, false, "expected", words);
        fputc('}', out);
    }
    fputc(']', out);
}

static void block_json(FILE *out, const char *name, struct bytes block)
{
    fprintf(out, ",\"%s\":", name);
    explain_json_string(out, block);
}

static void case_json(FILE *out, const struct case_script *script, struct bytes text)
{
    fputc('{', out);
    explain_json_member(out, true, "name", script->name);
    explain_json_member(out, false, "title", script->title);
    explain_json_member(out, false, "expect", script->expect);
    explain_json_member(out, false, "party", script->client_steps != NULL ? "server" : "client");
    explain_json_member(out, false, "tier", client_tier_name(script->tier));
    explain_json_member(out, false, "condition", script->condition);
    explain_json_member(out, false, "profiles", script->profiles);
    explain_json_member(out, false, "file", script->path);
    fprintf(out, ",\"transport\":%s,\"limit_ms\":%llu,\"clauses\":[", script->transport ? "true" : "false",
            (unsigned long long)(script->limit_us / 1000));
    for (size_t i = 0; i < script->clause_count; i++) {
        fputs(i == 0 ? "" : ",", out);
        explain_json_string(out, bytes_of_text(script->clauses[i].requirement->id));
    }
    fputc(']', out);
    block_json(out, "plan", explain_block(text, "plan"));
    block_json(out, "server", explain_block(text, "server"));
    block_json(out, "client", explain_block(text, "client"));
    checks_json(out, script);
    fputs("}\n", out);
}

void explain_case(FILE *out, const struct case_script *script, struct bytes text, bool json)
{
    if (json)
        case_json(out, script, text);
    else
        case_write(out, script, text);
}
