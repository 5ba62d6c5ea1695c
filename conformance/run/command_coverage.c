/*
 * ojin-conform coverage: which cases are about a requirement, and which defects were seen to be caught.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/json.h"
#include "conformance/run/commands.h"
#include "conformance/run/selftest.h"

static const char COVERAGE_HELP[] =
    "Usage: ojin-conform coverage [--json]\n"
    "\n"
    "Shows each requirement with the cases that are about it, and the defects (see 'ojin-conform\n"
    "selftest') that the last selftest of this build saw caught.\n"
    "\n"
    "  --json         as JSON\n"
    "  -h, --help\n"
    "\n"
    "Example: ojin-conform coverage --json\n";

enum { RESULT_BYTES_MAX = 16 * 1024 * 1024 };

struct coverage {
    struct case_set clients, servers;
    cJSON *result; /* of the selftest; NULL: none of this build */
};

/* ---- what the selftest left ---- */

static cJSON *read_result(const char *path)
{
    struct bytes text;
    cJSON *json = NULL;
    if (!file_read(path, RESULT_BYTES_MAX, &text))
        return NULL;
    (void)json_parse(text, &json);
    free((void *)(uintptr_t)text.data);
    return json;
}

/* Says on standard error when there is none. */
static cJSON *result_of_this_build(const struct case_set *set)
{
    char path[OPTIONS_PATH_MAX], build[BUILD_ID_MAX];
    struct run_options options;
    run_options_defaults(&options);
    selftest_file_path(options.program, path);
    cJSON *json = read_result(path);
    const cJSON *its_build = json_member(json, "build");
    if (json != NULL && build_identify(set, build) && cJSON_IsString(its_build) &&
        strcmp(its_build->valuestring, build) == 0)
        return json;
    fprintf(stderr, "ojin-conform: note: no defects are shown, as %s: run 'ojin-conform selftest' (%s)\n",
            json == NULL ? "this build has had no selftest" : "the last selftest was of another build", path);
    cJSON_Delete(json);
    return NULL;
}

static const cJSON *defects_of(const cJSON *result, const char *id)
{
    const cJSON *row = NULL;
    cJSON_ArrayForEach(row, json_member(result, "requirements"))
    {
        const cJSON *its_id = json_member(row, "id");
        if (cJSON_IsString(its_id) && strcmp(its_id->valuestring, id) == 0)
            return json_member(row, "defects");
    }
    return NULL;
}

/* The name of a defect that was caught; NULL of another. */
static const char *caught_name(const cJSON *defect)
{
    const cJSON *name = json_member(defect, "name");
    return cJSON_IsTrue(json_member(defect, "caught")) && cJSON_IsString(name) ? name->valuestring : NULL;
}

/* ---- cases ---- */

static const struct case_set *set_for(const struct coverage *coverage, const struct requirement *requirement)
{
    return requirement->party == REQUIREMENT_SERVER ? &coverage->servers : &coverage->clients;
}

static bool is_about(const struct script *script, const struct requirement *requirement)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement == requirement)
            return true;
    return false;
}

/* ---- writing ---- */

static void print_row(const struct coverage *coverage, const struct requirement *requirement,
                      size_t totals[2])
{
    const struct case_set *set = set_for(coverage, requirement);
    const cJSON *defect = NULL;
    size_t cases = 0, defects = 0;
    for (size_t i = 0; i < set->count; i++)
        cases += is_about(set->scripts[i], requirement) ? 1 : 0;
    printf("%-10s  %-6s  %3zu case%s", requirement->id,
           requirement->party == REQUIREMENT_SERVER ? "server" : "client", cases, cases == 1 ? " " : "s");
    cJSON_ArrayForEach(defect, defects_of(coverage->result, requirement->id))
    {
        if (caught_name(defect) == NULL)
            continue;
        printf("%s%s", defects == 0 ? "  " : ", ", caught_name(defect));
        defects++;
    }
    putchar('\n');
    totals[0] += cases > 0 ? 1 : 0;
    totals[1] += defects > 0 ? 1 : 0;
}

static void print_table(const struct coverage *coverage)
{
    size_t totals[2] = {0, 0};
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        print_row(coverage, &REQUIREMENTS[i], totals);
    printf("%zu requirements, %zu with cases, %zu with a defect that was caught\n", REQUIREMENT_COUNT,
           totals[0], totals[1]);
}

static bool add_names(cJSON *object, const struct coverage *coverage, const struct requirement *requirement)
{
    const struct case_set *set = set_for(coverage, requirement);
    cJSON *cases = cJSON_AddArrayToObject(object, "cases");
    cJSON *defects = cJSON_AddArrayToObject(object, "defects");
    const cJSON *defect = NULL;
    bool good = cases != NULL && defects != NULL;
    for (size_t i = 0; good && i < set->count; i++)
        if (is_about(set->scripts[i], requirement))
            good = cJSON_AddItemToArray(cases, cJSON_CreateString(set->scripts[i]->name));
    cJSON_ArrayForEach(defect, defects_of(coverage->result, requirement->id))
    {
        if (good && caught_name(defect) != NULL)
            good = cJSON_AddItemToArray(defects, cJSON_CreateString(caught_name(defect)));
    }
    return good;
}

static bool print_json(const struct coverage *coverage)
{
    cJSON *root = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(root, "requirements");
    bool good = list != NULL;
    for (size_t i = 0; good && i < REQUIREMENT_COUNT; i++) {
        const struct requirement *requirement = &REQUIREMENTS[i];
        cJSON *object = cJSON_CreateObject();
        const char *party = requirement->party == REQUIREMENT_SERVER ? "server" : "client";
        good = object != NULL && cJSON_AddItemToArray(list, object) &&
               cJSON_AddStringToObject(object, "id", requirement->id) != NULL &&
               cJSON_AddStringToObject(object, "party", party) != NULL &&
               add_names(object, coverage, requirement);
    }
    char *text = good ? cJSON_Print(root) : NULL;
    good = text != NULL && puts(text) >= 0;
    cJSON_free(text);
    cJSON_Delete(root);
    return good;
}

static int show(bool as_json)
{
    struct coverage *coverage = calloc(1, sizeof *coverage);
    char folder[OPTIONS_PATH_MAX], server_folder[OPTIONS_PATH_MAX];
    int code = CONFORM_EXIT_OWN_ERROR;
    if (coverage == NULL)
        return code;
    if (!case_set_load(default_cases_folder(folder), CASES_ABOUT_CLIENTS, &coverage->clients) ||
        !case_set_load(default_server_cases_folder(server_folder), CASES_ABOUT_SERVERS, &coverage->servers)) {
        code = CONFORM_EXIT_USAGE;
    } else {
        coverage->result = result_of_this_build(&coverage->clients);
        code = CONFORM_EXIT_MET;
        if (!as_json)
            print_table(coverage);
        else if (!print_json(coverage))
            code = CONFORM_EXIT_OWN_ERROR;
    }
    cJSON_Delete(coverage->result);
    case_set_free(&coverage->clients);
    case_set_free(&coverage->servers);
    free(coverage);
    return code;
}

int command_coverage(int argc, char *argv[])
{
    const bool as_json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(COVERAGE_HELP, stdout);
        return CONFORM_EXIT_MET;
    }
    if (argc == 1 || as_json)
        return show(as_json);
    fprintf(stderr, "ojin-conform coverage: unexpected '%s'\n%s", argv[1], COVERAGE_HELP);
    return CONFORM_EXIT_USAGE;
}
