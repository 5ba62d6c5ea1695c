/*
 * ojin-conform coverage: which cases are about a requirement, and which defects were seen to be caught.
 */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/json.h"
#include "conformance/cli/commands.h"
#include "conformance/options/option_values.h"
#include "conformance/selftest/selftest.h"

struct coverage_options {
    const struct family *family; /* NULL: all */
    bool json;
};

#define AT(member) OPTION_INTO(struct coverage_options, member)

static const struct option_row ROWS[] = {
    {"family", "NAME", "only ojin, duplex or interview", option_family, AT(family), OPTION_FAMILY_WORDS},
    {"json", NULL, "print JSON", option_flag, AT(json)},
    OPTION_HELP_ROW,
};

const struct option_page COVERAGE_PAGE = {
    .command = "coverage",
    .brief = "lists each requirement with its cases and the defects that were caught",
    .before = "Usage: ojin-conform coverage [--family NAME] [--json]\n"
              "\n"
              "Lists each requirement with its cases and the defects (see 'ojin-conform\n"
              "selftest') that the last selftest of this build saw caught; and each check of a case that no\n"
              "defect was seen to fail.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 17,
    .after = "\n"
             "Example: ojin-conform coverage --json\n"
             "\n"
             "Exit: 0 every check was seen to fail, or no selftest was kept; 1 some were not; 2 wrong usage; "
             "3 our own\n"
             "error.\n",
};

enum { RESULT_BYTES_MAX = 16 * 1024 * 1024, FAMILIES_MAX = 16 };

struct coverage {
    struct case_set clients, servers;
    const struct family *family;  /* NULL: all of them */
    cJSON *results[FAMILIES_MAX]; /* of the selftest, by the order of FAMILIES; NULL: none of this build */
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
static cJSON *result_of_this_build(const char *program, const struct family *family, const char *build)
{
    char path[OPTIONS_PATH_MAX];
    selftest_file_path(program, family, path);
    cJSON *json = read_result(path);
    const cJSON *its_build = json_member(json, "build");
    if (json != NULL && cJSON_IsString(its_build) && strcmp(its_build->valuestring, build) == 0)
        return json;
    fprintf(stderr,
            "ojin-conform: note: no defects of the family %s are shown, as %s: run 'ojin-conform selftest' "
            "(%s)\n",
            family->name,
            json == NULL ? "this build has had no selftest" : "the last selftest was of another build", path);
    cJSON_Delete(json);
    return NULL;
}

static bool is_wanted(const struct coverage *coverage, const struct family *family)
{
    return coverage->family == NULL || coverage->family == family;
}

static bool read_results(struct coverage *coverage)
{
    char build[BUILD_ID_MAX];
    struct run_options options;
    run_options_defaults(&options);
    if (!build_identify(&coverage->clients, build)) {
        fputs("ojin-conform: cannot read the program itself\n", stderr);
        return false;
    }
    for (size_t i = 0; FAMILIES[i] != NULL && i < FAMILIES_MAX; i++)
        if (is_wanted(coverage, FAMILIES[i]))
            coverage->results[i] = result_of_this_build(options.program, FAMILIES[i], build);
    return true;
}

static const cJSON *defects_in(const cJSON *result, const char *id)
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

static const cJSON *defects_of(const struct coverage *coverage, const char *id)
{
    for (size_t i = 0; FAMILIES[i] != NULL && i < FAMILIES_MAX; i++)
        if (family_has_requirement(FAMILIES[i], id))
            return defects_in(coverage->results[i], id);
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

static bool is_about(const struct case_script *script, const struct requirement *requirement)
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
    cJSON_ArrayForEach(defect, defects_of(coverage, requirement->id))
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

static bool is_shown(const struct coverage *coverage, const struct requirement *requirement)
{
    return coverage->family == NULL || family_has_requirement(coverage->family, requirement->id);
}

/* ---- checks ---- */

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *member = json_member(object, name);
    return cJSON_IsString(member) ? member->valuestring : "";
}

static bool is_proven(const cJSON *check)
{
    return cJSON_IsTrue(json_member(check, "proven"));
}

/* How many checks the selftests saw, and how many of them were seen to fail. */
static void count_checks(const struct coverage *coverage, size_t *count, size_t *proven)
{
    *count = *proven = 0;
    for (size_t i = 0; i < FAMILIES_MAX; i++) {
        const cJSON *check = NULL;
        cJSON_ArrayForEach(check, json_member(coverage->results[i], "checks"))
        {
            *count += 1;
            *proven += is_proven(check) ? 1 : 0;
        }
    }
}

static void print_checks(const struct coverage *coverage)
{
    size_t count, proven;
    count_checks(coverage, &count, &proven);
    for (size_t i = 0; i < FAMILIES_MAX; i++) {
        const cJSON *check = NULL;
        cJSON_ArrayForEach(check, json_member(coverage->results[i], "checks"))
        {
            if (!is_proven(check))
                printf("no defect fails %s of %s (%s)%s\n", string_of(check, "check"),
                       string_of(check, "case"), string_of(check, "requirement"),
                       cJSON_IsTrue(json_member(check, "kept")) ? "" : ", which no client passes");
        }
    }
    if (count > 0)
        printf("%zu of %zu checks were seen to fail\n", proven, count);
}

/* As the selftest has them. */
static bool add_checks(cJSON *root, const struct coverage *coverage)
{
    cJSON *list = cJSON_AddArrayToObject(root, "checks");
    bool good = list != NULL;
    for (size_t i = 0; good && i < FAMILIES_MAX; i++) {
        const cJSON *check = NULL;
        cJSON_ArrayForEach(check, json_member(coverage->results[i], "checks"))
        {
            cJSON *copy = good ? cJSON_Duplicate(check, true) : NULL;
            good = copy != NULL && cJSON_AddItemToArray(list, copy);
        }
    }
    return good;
}

static void print_table(const struct coverage *coverage)
{
    size_t totals[2] = {0, 0}, count = 0;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (!is_shown(coverage, &REQUIREMENTS[i]))
            continue;
        print_row(coverage, &REQUIREMENTS[i], totals);
        count++;
    }
    print_checks(coverage);
    printf("%zu requirements, %zu with cases, %zu with a defect that was caught\n", count, totals[0],
           totals[1]);
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
    cJSON_ArrayForEach(defect, defects_of(coverage, requirement->id))
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
        if (!is_shown(coverage, requirement))
            continue;
        cJSON *object = cJSON_CreateObject();
        const char *party = requirement->party == REQUIREMENT_SERVER ? "server" : "client";
        good = object != NULL && cJSON_AddItemToArray(list, object) &&
               cJSON_AddStringToObject(object, "id", requirement->id) != NULL &&
               cJSON_AddStringToObject(object, "party", party) != NULL &&
               add_names(object, coverage, requirement);
    }
    good = good && add_checks(root, coverage);
    char *text = good ? cJSON_Print(root) : NULL;
    good = text != NULL && puts(text) >= 0;
    cJSON_free(text);
    cJSON_Delete(root);
    return good;
}

static int show(const struct family *family, bool as_json)
{
    struct coverage *coverage = calloc(1, sizeof *coverage);
    char folder[OPTIONS_PATH_MAX], server_folder[OPTIONS_PATH_MAX];
    int code = CONFORM_EXIT_OWN_ERROR;
    if (coverage == NULL)
        return code;
    coverage->family = family;
    if (!case_set_load(default_cases_folder(folder), CASES_ABOUT_CLIENTS, &coverage->clients) ||
        !case_set_load(default_server_cases_folder(server_folder), CASES_ABOUT_SERVERS, &coverage->servers)) {
        code = CONFORM_EXIT_USAGE;
    } else if (read_results(coverage)) {
        size_t count, proven;
        count_checks(coverage, &count, &proven);
        code = proven == count ? CONFORM_EXIT_MET : CONFORM_EXIT_NOT_MET;
        if (!as_json)
            print_table(coverage);
        else if (!print_json(coverage))
            code = CONFORM_EXIT_OWN_ERROR;
    }
    for (size_t i = 0; i < FAMILIES_MAX; i++)
        cJSON_Delete(coverage->results[i]);
    case_set_free(&coverage->clients);
    case_set_free(&coverage->servers);
    free(coverage);
    return code;
}

int command_coverage(int argc, char *argv[])
{
    struct coverage_options options = {.family = NULL};
    char **rest;
    const enum options_outcome outcome = conform_options_parse(&COVERAGE_PAGE, argc, argv, &options, &rest);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (*rest == NULL)
        return show(options.family, options.json);
    fprintf(stderr, "ojin-conform coverage: unexpected '%s'\n", *rest);
    option_hint("coverage");
    return CONFORM_EXIT_USAGE;
}
