/* The selftest as JSON. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/selftest/selftest.h"

static cJSON *object_in(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    if (object != NULL && !cJSON_AddItemToArray(array, object)) {
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}

static bool add_string(cJSON *object, const char *name, const char *value)
{
    return cJSON_AddStringToObject(object, name, value) != NULL;
}

static bool add_bool(cJSON *object, const char *name, bool value)
{
    return cJSON_AddBoolToObject(object, name, value) != NULL;
}

static bool add_count(cJSON *object, const char *name, size_t value)
{
    return cJSON_AddNumberToObject(object, name, (double)value) != NULL;
}

static bool add_trips(cJSON *object, const char *name, const struct selftest *selftest,
                      const struct selftest_subject *subject)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    bool good = list != NULL;
    for (size_t i = 0; good && i < subject->trip_count; i++) {
        const struct selftest_trip *trip = &subject->trips[i];
        cJSON *row = object_in(list);
        good = row != NULL && add_string(row, "requirement", trip->requirement->id) &&
               add_string(row, "case", selftest->selection.cases[trip->at].script->name) &&
               add_string(row, "transport", trip->in_memory ? "memory" : "sockets");
    }
    return good;
}

static bool add_defect(cJSON *list, const struct selftest *selftest, const struct selftest_subject *subject)
{
    cJSON *object = object_in(list);
    bool good = object != NULL && add_string(object, "name", subject->defect->name) &&
                add_string(object, "wrong", subject->defect->wrong) &&
                add_bool(object, "caught", selftest_is_caught(selftest, subject)) &&
                add_bool(object, "good", selftest_is_good(selftest, subject));
    cJSON *cases = good ? cJSON_AddArrayToObject(object, "cases") : NULL;
    good = cases != NULL;
    for (size_t i = 0; good && i < selftest->selection.count; i++)
        if (subject->catches[i] || (selftest->options.extent == EXTENT_MEMORY && subject->shown[i]))
            good = cJSON_AddItemToArray(cases, cJSON_CreateString(selftest->selection.cases[i].script->name));
    return good && add_trips(object, "trips", selftest, subject) &&
           (subject->own_errors == 0 || add_string(object, "error", subject->own_error));
}

static bool add_requirement(cJSON *list, const struct selftest *selftest,
                            const struct requirement *requirement)
{
    cJSON *object = object_in(list);
    bool good = object != NULL && add_string(object, "id", requirement->id) &&
                add_bool(object, "met", selftest_requirement_is_met(selftest, requirement));
    cJSON *defects = good ? cJSON_AddArrayToObject(object, "defects") : NULL;
    good = defects != NULL;
    for (size_t n = 0; good && n < selftest->defect_count; n++)
        if (selftest_proves(&selftest->defects[n], requirement))
            good = add_defect(defects, selftest, &selftest->defects[n]);
    return good;
}

static bool add_client(cJSON *root, const struct selftest *selftest)
{
    cJSON *object = cJSON_AddObjectToObject(root, "client");
    return object != NULL && add_count(object, "cases", selftest->client->case_count) &&
           add_bool(object, "good", selftest_is_good(selftest, selftest->client)) &&
           add_trips(object, "failed", selftest, selftest->client) &&
           (selftest->client->own_errors == 0 || add_string(object, "error", selftest->client->own_error));
}

static bool add_check(cJSON *list, const struct selftest *selftest, size_t n)
{
    const struct selftest_check *check = &selftest->checks[n];
    char name[SCRIPT_NAME_MAX];
    (void)selftest_check_name(selftest, n, name);
    cJSON *object = object_in(list);
    bool good = object != NULL && add_string(object, "case", name) &&
                add_string(object, "check", check->name) &&
                add_string(object, "requirement", check->requirement->id) &&
                add_bool(object, "kept", selftest_check_is_kept(selftest, n)) &&
                add_bool(object, "proven", selftest_check_is_proven(selftest, n));
    cJSON *defects = good ? cJSON_AddArrayToObject(object, "defects") : NULL;
    good = defects != NULL;
    for (size_t i = 0; good && i < selftest->defect_count; i++)
        if (selftest->defects[i].breaks[n])
            good = cJSON_AddItemToArray(defects, cJSON_CreateString(selftest->defects[i].defect->name));
    return good;
}

static bool add_checks(cJSON *root, const struct selftest *selftest, const struct family *family)
{
    cJSON *list = cJSON_AddArrayToObject(root, "checks");
    bool good = list != NULL;
    for (size_t n = 0; good && n < selftest->check_count; n++)
        if (selftest_check_counts(selftest, n, family))
            good = add_check(list, selftest, n);
    return good;
}

static bool fill(cJSON *root, const struct selftest *selftest, const struct family *family, const char *build)
{
    bool good =
        add_count(root, "schema", 1) && add_string(root, "family", family != NULL ? family->name : "all") &&
        add_string(root, "build", build) && add_bool(root, "full", selftest->options.extent == EXTENT_FULL) &&
        add_bool(root, "met", selftest_is_met(selftest, family)) &&
        add_count(root, "duration_ms", (size_t)selftest->duration_ms) && add_client(root, selftest);
    cJSON *list = good ? cJSON_AddArrayToObject(root, "requirements") : NULL;
    good = list != NULL;
    for (size_t i = 0; good && i < REQUIREMENT_COUNT; i++)
        if (selftest->asked[i] && (family == NULL || family_has_requirement(family, REQUIREMENTS[i].id)))
            good = add_requirement(list, selftest, &REQUIREMENTS[i]);
    return good && add_checks(root, selftest, family);
}

bool selftest_write_json(const struct selftest *selftest, const struct family *family, const char *build,
                         FILE *out)
{
    cJSON *root = cJSON_CreateObject();
    char *text = root != NULL && fill(root, selftest, family, build) ? cJSON_Print(root) : NULL;
    const bool good = text != NULL && fputs(text, out) >= 0 && fputc('\n', out) != EOF;
    cJSON_free(text);
    cJSON_Delete(root);
    return good;
}
