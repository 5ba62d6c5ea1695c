#include "conformance/report/json_parts.h"
#include "conformance/report/part_fields.h"
#include "conformance/report/run_part.h"

static bool checks_add(cJSON *object, const struct case_result *result)
{
    cJSON *checks = cJSON_AddArrayToObject(object, "checks");
    bool good = checks != NULL;
    for (size_t i = 0; good && i < result->check_count; i++)
        good = part_fields_write(json_object_append(checks), PART_CHECK, &result->checks[i]);
    return good;
}

static bool evidence_add(cJSON *object, const struct evidence *evidence)
{
    cJSON *items = cJSON_AddArrayToObject(object, "evidence");
    bool good = items != NULL;
    for (size_t i = 0; good && i < EVIDENCE_MAX && evidence->items[i].requirement != NULL; i++)
        good = part_fields_write(json_object_append(items), PART_EVIDENCE, &evidence->items[i]);
    return good;
}

static bool case_add(cJSON *cases, const struct run_case *run_case)
{
    cJSON *object = json_object_append(cases);
    return object != NULL && json_string_add(object, "name", run_case->script->name) &&
           json_string_add(object, "profile", run_case->profile->name) &&
           part_fields_write(object, PART_CASE, run_case) && checks_add(object, &run_case->result) &&
           evidence_add(object, &run_case->evidence);
}

cJSON *run_part_new(const struct run_result *run, const struct run_part_place *place)
{
    cJSON *part = cJSON_CreateObject();
    cJSON *cases = NULL;
    bool good = part != NULL && cJSON_AddNumberToObject(part, "shard", place->shard) != NULL &&
                cJSON_AddNumberToObject(part, "of", place->of) != NULL &&
                json_string_add(part, "family", place->family) &&
                json_string_add(part, "conditions", place->conditions) &&
                cJSON_AddBoolToObject(part, "narrowed", place->narrowed) != NULL &&
                cJSON_AddNumberToObject(part, "judged_min", (double)run->judged_min) != NULL &&
                (cases = cJSON_AddArrayToObject(part, "cases")) != NULL;
    for (size_t i = 0; good && i < run->case_count; i++)
        good = case_add(cases, &run->cases[i]);
    if (good)
        return part;
    cJSON_Delete(part);
    return NULL;
}

void run_part_free(cJSON *part)
{
    cJSON_Delete(part);
}
