/* The causes, in the order and with the numbers of the other reports. */
#include "conformance/report/json_parts.h"

enum { WROTE_LINES = 8 };

static bool about_add(cJSON *object, const struct cause *cause)
{
    const bool broken = cause->requirement_count > 0 && cause->kind == CAUSE_BROKEN;
    const struct requirement *requirement = broken ? cause->requirements[0] : NULL;
    cJSON *ids = cJSON_AddArrayToObject(object, "requirements");
    bool good = ids != NULL;
    for (size_t i = 0; good && i < cause->requirement_count; i++)
        good = json_name_append(ids, cause->requirements[i]->id);
    return good && json_string_add(object, "statement", broken ? requirement->statement : "") &&
           json_string_add(object, "level", broken ? requirement_level_name(requirement->level) : "") &&
           json_string_add(
               object, "basis",
               broken ? requirement_basis_name(requirement_basis_in(requirement, cause->first->profile))
                      : "") &&
           json_string_add(object, "source", broken ? requirement->source : "");
}

static bool shown_add(cJSON *object, const struct cause *cause)
{
    const struct check_result *check = cause->check;
    const bool shown = cause_shows_message(cause);
    return json_string_add(object, "case", cause->first->script->name) &&
           json_string_add(object, "profile",
                           cause->first->profile == NULL ? "" : cause->first->profile->name) &&
           json_string_add(object, "check", check == NULL ? "" : check->name) &&
           json_string_add(object, "expected", check == NULL ? "" : check->expected) &&
           json_string_add(object, "actual", check == NULL ? "" : check->actual) &&
           json_string_add(object, "wire", shown ? cause_wire(cause) : "") &&
           json_string_add(object, "wire_last", shown ? "" : cause_wire(cause)) &&
           json_string_add(object, "said", cause_said(cause)) &&
           json_string_add(object, "wrote", cause_wrote(cause, WROTE_LINES)) &&
           json_string_add(object, "folder", cause->first->folder) &&
           json_string_add(object, "rerun", cause->first->repro);
}

static bool ways_add(cJSON *object, const struct cause *cause)
{
    cJSON *ways = cJSON_AddArrayToObject(object, "also");
    bool good = ways != NULL;
    for (size_t i = 0; good && i < cause->way_count && i < CAUSE_WAYS_MAX; i++) {
        const struct cause_way *way = &cause->ways[i];
        cJSON *entry = json_object_append(ways);
        good = entry != NULL && json_string_add(entry, "case", way->run_case->script->name) &&
               json_string_add(entry, "requirement", way->check->requirement->id) &&
               json_string_add(entry, "check", way->check->name) &&
               json_string_add(entry, "expected", way->check->expected) &&
               json_string_add(entry, "actual", way->check->actual);
    }
    return good && cJSON_AddNumberToObject(object, "also_count", (double)cause->way_count) != NULL;
}

static bool cause_add(cJSON *array, const struct cause *cause, size_t number)
{
    cJSON *object = json_object_append(array);
    bool good = object != NULL && cJSON_AddNumberToObject(object, "number", (double)number) != NULL &&
                json_string_add(object, "kind", cause_kind_name(cause->kind)) &&
                json_string_add(object, "verdict", cause->word) &&
                cJSON_AddBoolToObject(object, "fails", cause->fails) != NULL &&
                json_string_add(object, "sentence", cause->sentence) && about_add(object, cause) &&
                cJSON_AddNumberToObject(object, "sessions", (double)cause->session_count) != NULL &&
                cJSON_AddNumberToObject(object, "broken_sessions", (double)cause->broken_count) != NULL &&
                cJSON_AddNumberToObject(object, "failed_cases", (double)cause->case_count) != NULL &&
                json_string_add(object, "answer", cause->answer) &&
                cJSON_AddNumberToObject(object, "unreached_cases", (double)cause->unreached_count) != NULL &&
                cJSON_AddNumberToObject(object, "hung_cases", (double)cause->hung_count) != NULL &&
                shown_add(object, cause) && ways_add(object, cause);
    cJSON *blocked = good ? cJSON_AddArrayToObject(object, "not_judged") : NULL;
    good = blocked != NULL;
    for (size_t i = 0; good && i < cause->blocked_count; i++)
        good = json_name_append(blocked, cause->blocked[i]->id);
    return good;
}

bool json_causes_add(cJSON *root, const struct causes *causes)
{
    cJSON *array = cJSON_AddArrayToObject(root, "causes");
    bool good = array != NULL;
    for (size_t i = 0; good && i < causes->count; i++)
        good = cause_add(array, &causes->list[i], i + 1);
    return good;
}
