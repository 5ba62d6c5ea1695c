#include "conformance/report/json_report.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "codec/wire/text.h"

/* Strings may hold what a client said: bytes that are no UTF-8 must not get into the report. */
static bool string_add(cJSON *object, const char *name, const char *value)
{
    size_t capacity = 6 * strlen(value) + 3;
    char *data = malloc(capacity);
    if (data == NULL)
        return false;
    struct text text = text_of(data, capacity);
    text_add_json_string(&text, bytes_of_text(value));
    bool good = cJSON_AddRawToObject(object, name, data) != NULL;
    free(data);
    return good;
}

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

/* A new object at the end of `array`; NULL when memory runs out. */
static cJSON *object_append(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    if (object != NULL)
        cJSON_AddItemToArray(array, object);
    return object;
}

static bool name_append(cJSON *array, const char *name)
{
    cJSON *item = cJSON_CreateString(name);
    return item != NULL && cJSON_AddItemToArray(array, item);
}

static bool run_case_is_repeat(const struct run_result *run, size_t n, const struct requirement *requirement)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(run->cases[i].script->name, run->cases[n].script->name) == 0 &&
            run_case_judged(&run->cases[i], requirement))
            return true;
    return false;
}

static bool requirement_add(cJSON *array, const struct run_result *run, const struct requirement_result *row)
{
    cJSON *object = object_append(array);
    if (object == NULL)
        return false;
    const struct requirement *requirement = row->requirement;
    bool good = string_add(object, "id", requirement->id) &&
                string_add(object, "verdict", verdict_name(row->verdict)) &&
                string_add(object, "level", requirement_level_name(requirement->level)) &&
                string_add(object, "basis", requirement_basis_name(requirement->basis)) &&
                string_add(object, "source", requirement->source) &&
                string_add(object, "statement", requirement->statement);
    const char *note = run_requirement_note(run, row);
    good = good && (note == NULL || string_add(object, "note", note));
    cJSON *cases = cJSON_AddArrayToObject(object, "cases");
    for (size_t i = 0; cases != NULL && i < run->case_count; i++)
        if (run_case_judged(&run->cases[i], requirement) && !run_case_is_repeat(run, i, requirement))
            good = good && name_append(cases, run->cases[i].script->name);
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
            good = name_append(uncovered, rows[i].requirement->id);
    }
    free(rows);
    return good;
}

static bool check_add(cJSON *array, const struct check_result *check)
{
    cJSON *object = object_append(array);
    return object != NULL && string_add(object, "name", check->name) &&
           string_add(object, "requirement", check->requirement->id) &&
           string_add(object, "verdict", verdict_name(check->verdict)) &&
           string_add(object, "expected", check->expected) && string_add(object, "actual", check->actual);
}

static bool case_add(cJSON *array, const struct run_result *run, const struct run_case *run_case)
{
    cJSON *object = object_append(array);
    if (object == NULL)
        return false;
    const struct case_result *result = &run_case->result;
    enum run_outcome outcome = run_case_outcome(run, run_case);
    const char *unrun = outcome == RUN_UNSUPPORTED ? verdict_name(VERDICT_UNSUPPORTED) : "SKIPPED";
    bool good = string_add(object, "name", run_case->script->name) &&
                string_add(object, "title", run_case->script->title) &&
                string_add(object, "verdict", run_case->ran ? verdict_name(result->verdict) : unrun) &&
                string_add(object, "outcome", outcome_name(outcome)) &&
                string_add(object, "end", run_case->ran ? client_end_name(result->end) : "") &&
                string_add(object, "note", run_case->ran ? result->note : "") &&
                string_add(object, "tier", client_tier_name(run_case->script->tier)) &&
                cJSON_AddBoolToObject(object, "transport", run_case->script->transport) != NULL &&
                cJSON_AddBoolToObject(object, "new", run_case->is_new) != NULL &&
                string_add(object, "profile", run_case->profile == NULL ? "" : run_case->profile->name) &&
                cJSON_AddNumberToObject(object, "duration_ms", (double)run_case->duration_ms) != NULL &&
                cJSON_AddNumberToObject(object, "lateness_us", (double)run_case->lateness_us) != NULL &&
                cJSON_AddNumberToObject(object, "session_us", (double)run_case->session_us) != NULL &&
                string_add(object, "folder", run_case->folder) &&
                string_add(object, "repro", run_case->repro);
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

static bool summary_add(cJSON *root, const struct run_result *run)
{
    struct run_totals totals;
    char reason[RUN_REASON_MAX];
    struct text text = text_of(reason, sizeof reason);
    run_count(run, &totals);
    run_exit_reason(run, &text);
    cJSON *summary = cJSON_AddObjectToObject(root, "summary");
    return summary != NULL && cJSON_AddNumberToObject(summary, "passed", (double)totals.passed) != NULL &&
           cJSON_AddNumberToObject(summary, "disputed", (double)totals.disputed) != NULL &&
           cJSON_AddNumberToObject(summary, "tolerated", (double)totals.tolerated) != NULL &&
           cJSON_AddNumberToObject(summary, "failed", (double)totals.failed) != NULL &&
           cJSON_AddNumberToObject(summary, "unsupported", (double)totals.unsupported) != NULL &&
           cJSON_AddNumberToObject(summary, "not_run", (double)totals.not_run) != NULL &&
           cJSON_AddNumberToObject(summary, "judged", (double)run_judged_count(run)) != NULL &&
           cJSON_AddNumberToObject(summary, "exit", run_exit_code(run)) != NULL &&
           string_add(summary, "reason", reason);
}

static bool options_add(cJSON *root, const struct run_result *run)
{
    bool good = cJSON_AddNumberToObject(root, "schema", JSON_REPORT_SCHEMA) != NULL &&
                string_add(root, "party", run->party == REQUIREMENT_SERVER ? "server" : "client") &&
                string_add(root, "command", run->command == NULL ? "" : run->command) &&
                string_add(root, "transport", run->transport) &&
                string_add(root, "tier", client_tier_name(run->tier)) &&
                string_add(root, "suite", run->suite == NULL ? "" : run->suite) &&
                cJSON_AddBoolToObject(root, "inferred", run->inferred) != NULL &&
                cJSON_AddBoolToObject(root, "strict", run->strict) != NULL &&
                cJSON_AddBoolToObject(root, "interrupted", run->interrupted) != NULL &&
                cJSON_AddNumberToObject(root, "duration_ms", (double)run->duration_ms) != NULL;
    if (run->profile_note != NULL)
        good = good && string_add(root, "profile_note", run->profile_note);
    cJSON *profiles = cJSON_AddArrayToObject(root, "profiles");
    good = good && profiles != NULL;
    for (size_t i = 0; good && i < run->profile_count; i++)
        good = name_append(profiles, run->profiles[i]->name);
    return good;
}

bool json_report_write(FILE *out, const struct run_result *run)
{
    cJSON *root = cJSON_CreateObject();
    bool good = root != NULL && options_add(root, run) && requirements_add(root, run) &&
                cases_add(root, run) && summary_add(root, run);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL)
        return false;
    good = fputs(text, out) >= 0 && fputc('\n', out) != EOF && fflush(out) == 0;
    cJSON_free(text);
    return good;
}
