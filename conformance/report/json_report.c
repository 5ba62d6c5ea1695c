#include "conformance/report/json_report.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "codec/wire/text.h"
#include "conformance/report/json_parts.h"
#include "conformance/report/legend.h"

static const char *outcome_name(enum run_outcome outcome)
{
    switch (outcome) {
    case RUN_PASSED:
        return "passed";
    case RUN_TOLERATED:
        return "tolerated";
    case RUN_FAILED:
        return "failed";
    case RUN_UNSUPPORTED:
        return "unsupported";
    case RUN_NOT_RUN:
        return "not run";
    }
    return "";
}

static bool run_case_is_repeat(const struct run_result *run, size_t n, const struct requirement *requirement)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(run->cases[i].script->name, run->cases[n].script->name) == 0 &&
            run_case_judged(&run->cases[i], requirement))
            return true;
    return false;
}

/* How much of it was judged, and in how many sessions its rule was. */
static bool judged_add(cJSON *object, const struct run_result *run, const struct requirement_result *row)
{
    char missing[RUN_REASON_MAX];
    struct text text = text_of(missing, sizeof missing);
    run_requirement_missing(run, row, &text);
    return cJSON_AddNumberToObject(object, "judged", (double)row->judged_count) != NULL &&
           cJSON_AddNumberToObject(object, "of", (double)row->check_count) != NULL &&
           cJSON_AddBoolToObject(object, "in_part", requirement_is_in_part(row)) != NULL &&
           cJSON_AddBoolToObject(object, "fails", requirement_fails(row)) != NULL &&
           json_string_add(object, "missing", missing) &&
           cJSON_AddNumberToObject(object, "sessions", (double)row->session_count) != NULL &&
           cJSON_AddNumberToObject(object, "broken_sessions", (double)row->broken_session_count) != NULL;
}

static bool requirement_add(cJSON *array, const struct run_result *run, const struct requirement_result *row)
{
    cJSON *object = json_object_append(array);
    if (object == NULL)
        return false;
    const struct requirement *requirement = row->requirement;
    bool good = json_string_add(object, "id", requirement->id) &&
                json_string_add(object, "verdict", verdict_name(row->verdict)) &&
                json_string_add(object, "level", requirement_level_name(requirement->level)) &&
                json_string_add(object, "basis", requirement_basis_name(requirement->basis)) &&
                json_string_add(object, "source", requirement->source) &&
                json_string_add(object, "statement", requirement->statement);
    const char *note = run_requirement_note(run, row);
    good = good && judged_add(object, run, row);
    good = good && (note == NULL || json_string_add(object, "note", note));
    cJSON *cases = cJSON_AddArrayToObject(object, "cases");
    for (size_t i = 0; cases != NULL && i < run->case_count; i++)
        if (run_case_judged(&run->cases[i], requirement) && !run_case_is_repeat(run, i, requirement))
            good = good && json_name_append(cases, run->cases[i].script->name);
    return good && cases != NULL;
}

static bool requirements_add(cJSON *root, const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    cJSON *judged = cJSON_AddArrayToObject(root, "requirements");
    cJSON *uncovered = cJSON_AddArrayToObject(root, "uncovered");
    bool good = rows != NULL && judged != NULL && uncovered != NULL;
    if (good)
        run_requirements(run, rows);
    for (size_t i = 0; good && i < REQUIREMENT_COUNT; i++) {
        if (rows[i].judged)
            good = requirement_add(judged, run, &rows[i]);
        else if (run_requirement_applies(run, rows[i].requirement))
            good = json_name_append(uncovered, rows[i].requirement->id);
    }
    free(rows);
    return good;
}

static const char *scope_name(enum check_scope scope)
{
    switch (scope) {
    case SCOPE_CHECK:
        return "check";
    case SCOPE_CASE:
        return "case";
    case SCOPE_RUN:
        return "run";
    }
    return "";
}

static bool check_add(cJSON *array, const struct check_result *check)
{
    cJSON *object = json_object_append(array);
    return object != NULL && json_string_add(object, "name", check->name) &&
           json_string_add(object, "requirement", check->requirement->id) &&
           json_string_add(object, "verdict", verdict_name(check->verdict)) &&
           json_string_add(object, "scope", scope_name(check->scope)) &&
           json_string_add(object, "expected", check->expected) &&
           json_string_add(object, "actual", check->actual) &&
           (check->cause == NULL || json_string_add(object, "cause", check->cause->id));
}

static bool case_add(cJSON *array, const struct run_result *run, const struct run_case *run_case)
{
    cJSON *object = json_object_append(array);
    if (object == NULL)
        return false;
    const struct case_result *result = &run_case->result;
    enum run_outcome outcome = run_case_outcome(run, run_case);
    const char *unrun = outcome == RUN_UNSUPPORTED ? verdict_name(VERDICT_UNSUPPORTED) : "SKIPPED";
    bool good =
        json_string_add(object, "name", run_case->script->name) &&
        json_string_add(object, "title", run_case->script->title) &&
        json_string_add(object, "verdict", run_case->ran ? verdict_name(result->verdict) : unrun) &&
        json_string_add(object, "outcome", outcome_name(outcome)) &&
        json_string_add(object, "end", run_case->ran ? client_end_name(result->end) : "") &&
        json_string_add(object, "note", run_case->ran ? result->note : "") &&
        json_string_add(object, "tier", client_tier_name(run_case->script->tier)) &&
        cJSON_AddBoolToObject(object, "transport", run_case->script->transport) != NULL &&
        cJSON_AddBoolToObject(object, "new", run_case->is_new) != NULL &&
        json_string_add(object, "profile", run_case->profile == NULL ? "" : run_case->profile->name) &&
        cJSON_AddNumberToObject(object, "duration_ms", (double)run_case->duration_ms) != NULL &&
        cJSON_AddNumberToObject(object, "lateness_us", (double)run_case->lateness_us) != NULL &&
        cJSON_AddNumberToObject(object, "session_us", (double)run_case->session_us) != NULL &&
        json_string_add(object, "folder", run_case->folder) &&
        json_string_add(object, "repro", run_case->repro);
    cJSON *checks = cJSON_AddArrayToObject(object, "checks");
    good = good && checks != NULL;
    for (size_t i = 0; good && run_case->ran && i < result->check_count; i++)
        good = check_add(checks, &result->checks[i]);
    return good;
}

static bool cases_add(cJSON *root, const struct run_result *run)
{
    cJSON *cases = cJSON_AddArrayToObject(root, "cases");
    bool good = cases != NULL;
    for (size_t i = 0; good && i < run->case_count; i++)
        good = case_add(cases, run, &run->cases[i]);
    return good;
}

static bool summary_add(cJSON *root, const struct run_result *run, const struct causes *causes)
{
    struct run_totals totals;
    char reason[RUN_REASON_MAX];
    struct text text = text_of(reason, sizeof reason);
    run_count(run, &totals);
    run_exit_reason(run, &text);
    char headline[RUN_REASON_MAX];
    text = text_of(headline, sizeof headline);
    causes_headline(causes, &text);
    cJSON *summary = cJSON_AddObjectToObject(root, "summary");
    return summary != NULL && cJSON_AddNumberToObject(summary, "passed", (double)totals.passed) != NULL &&
           cJSON_AddNumberToObject(summary, "disputed", (double)totals.disputed) != NULL &&
           cJSON_AddNumberToObject(summary, "tolerated", (double)totals.tolerated) != NULL &&
           cJSON_AddNumberToObject(summary, "failed", (double)totals.failed) != NULL &&
           cJSON_AddNumberToObject(summary, "unsupported", (double)totals.unsupported) != NULL &&
           cJSON_AddNumberToObject(summary, "not_run", (double)totals.not_run) != NULL &&
           cJSON_AddNumberToObject(summary, "judged", (double)run_judged_count(run)) != NULL &&
           cJSON_AddNumberToObject(summary, "exit", run_exit_code(run)) != NULL &&
           cJSON_AddNumberToObject(summary, "requirements_not_met", (double)totals.broken) != NULL &&
           json_string_add(summary, "reason", reason) && json_string_add(summary, "headline", headline);
}

static bool options_add(cJSON *root, const struct run_result *run)
{
    bool good = cJSON_AddNumberToObject(root, "schema", JSON_REPORT_SCHEMA) != NULL &&
                json_string_add(root, "party", run->party == REQUIREMENT_SERVER ? "server" : "client") &&
                json_string_add(root, "command", run->command == NULL ? "" : run->command) &&
                json_string_add(root, "transport", run->transport) &&
                json_string_add(root, "tier", client_tier_name(run->tier)) &&
                json_string_add(root, "suite", run->suite == NULL ? "" : run->suite) &&
                cJSON_AddBoolToObject(root, "inferred", run->inferred) != NULL &&
                cJSON_AddBoolToObject(root, "strict", run->strict) != NULL &&
                cJSON_AddBoolToObject(root, "interrupted", run->interrupted) != NULL &&
                cJSON_AddNumberToObject(root, "duration_ms", (double)run->duration_ms) != NULL;
    if (run->profile_note != NULL)
        good = good && json_string_add(root, "profile_note", run->profile_note);
    cJSON *profiles = cJSON_AddArrayToObject(root, "profiles");
    good = good && profiles != NULL;
    for (size_t i = 0; good && i < run->profile_count; i++)
        good = json_name_append(profiles, run->profiles[i]->name);
    return good;
}

static bool host_add(cJSON *root, const struct run_host *host)
{
    bool good = json_string_add(root, "date", host->date) &&
                json_string_add(root, "version", host->version == NULL ? "" : host->version) &&
                cJSON_AddNumberToObject(root, "cpus", host->cpu_count) != NULL;
    cJSON *load = cJSON_AddArrayToObject(root, "load");
    for (size_t i = 0; load != NULL && i < sizeof host->load / sizeof host->load[0]; i++) {
        cJSON *number = cJSON_CreateNumber(host->load[i]);
        good = good && number != NULL && cJSON_AddItemToArray(load, number);
    }
    return good && load != NULL;
}

static bool part_add(cJSON *root, const struct run_result *run)
{
    return run->part == NULL || cJSON_AddItemReferenceToObject(root, "part", (cJSON *)(uintptr_t)run->part);
}

static bool legend_add(cJSON *root)
{
    cJSON *legend = cJSON_AddArrayToObject(root, "legend");
    bool good = legend != NULL;
    for (size_t i = 0; good && legend_word(i) != NULL; i++) {
        cJSON *object = json_object_append(legend);
        good = object != NULL && json_string_add(object, "word", legend_word(i)->word) &&
               json_string_add(object, "meaning", legend_word(i)->meaning);
    }
    return good;
}

bool json_report_write(FILE *out, const struct run_result *run)
{
    cJSON *root = cJSON_CreateObject();
    struct causes causes;
    causes_init(run, &causes);
    bool good = root != NULL && causes.whole && options_add(root, run) && host_add(root, &run->host) &&
                legend_add(root) && json_causes_add(root, &causes) && requirements_add(root, run) &&
                cases_add(root, run) && summary_add(root, run, &causes) && part_add(root, run);
    causes_free(&causes);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL)
        return false;
    good = fputs(text, out) >= 0 && fputc('\n', out) != EOF && fflush(out) == 0;
    cJSON_free(text);
    return good;
}
