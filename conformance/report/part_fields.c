#include "conformance/report/part_fields.h"

#include <string.h>

#include "conformance/report/json_parts.h"

enum { EXACT_MAX_BITS = 53 /* of a number in JSON, as it is read */ };

#define FIELD(type, json, which, member, most)                                                               \
    {                                                                                                        \
        json, which, offsetof(type, member), sizeof((type *)NULL)->member, most                              \
    }
#define CASE_BOOL(json, member)         FIELD(struct run_case, json, PART_BOOL, member, 0)
#define CASE_NUMBER(json, member, most) FIELD(struct run_case, json, PART_NUMBER, member, most)
#define CASE_TEXT(json, member)         FIELD(struct run_case, json, PART_TEXT, member, 0)

#define ANY_NUMBER ((uint64_t)1 << EXACT_MAX_BITS)

const struct part_field PART_CASE[] = {
    CASE_BOOL("ran", ran),
    CASE_BOOL("new", is_new),
    CASE_NUMBER("duration_ms", duration_ms, ANY_NUMBER),
    CASE_NUMBER("lateness_us", lateness_us, ANY_NUMBER),
    CASE_NUMBER("session_us", session_us, ANY_NUMBER),
    CASE_TEXT("folder", folder),
    CASE_TEXT("repro", repro),
    CASE_TEXT("wire_tail", wire_tail),
    CASE_TEXT("output_tail", output_tail),
    CASE_TEXT("picture", picture),
    CASE_TEXT("seen_last", evidence.seen_last),
    CASE_TEXT("wire_last", evidence.wire_last),
    CASE_NUMBER("verdict", result.verdict, VERDICT_ERROR),
    CASE_BOOL("binding", result.binding),
    CASE_NUMBER("end_verdict", result.end_verdict, VERDICT_ERROR),
    CASE_BOOL("end_binding", result.end_binding),
    CASE_NUMBER("end", result.end, CLIENT_NOT_STARTED),
    CASE_TEXT("note", result.note),
    CASE_TEXT("stood", result.stood),
    CASE_TEXT("listed", result.listed),
    CASE_TEXT("end_text", result.end_text),
    CASE_TEXT("raised", result.raised),
    CASE_TEXT("hung_after", result.hung_after),
    CASE_BOOL("mute", result.mute),
    CASE_BOOL("unbegun", result.unbegun),
    FIELD(struct run_case, "answered", PART_REQUIREMENT, result.answered, 0),
    CASE_TEXT("answer", result.answer),
    {.name = NULL},
};

#define CHECK_BOOL(json, member)         FIELD(struct check_result, json, PART_BOOL, member, 0)
#define CHECK_NUMBER(json, member, most) FIELD(struct check_result, json, PART_NUMBER, member, most)
#define CHECK_TEXT(json, member)         FIELD(struct check_result, json, PART_TEXT, member, 0)

const struct part_field PART_CHECK[] = {
    CHECK_TEXT("name", name),
    FIELD(struct check_result, "requirement", PART_REQUIREMENT, requirement, 0),
    CHECK_NUMBER("verdict", verdict, VERDICT_ERROR),
    CHECK_NUMBER("scope", scope, SCOPE_RUN),
    CHECK_BOOL("binding", binding),
    CHECK_BOOL("excused", excused),
    CHECK_NUMBER("unsaid", unsaid, UINT32_MAX),
    CHECK_BOOL("unheard", unheard),
    CHECK_BOOL("awaits_mock", awaits_mock),
    CHECK_BOOL("lacking", lacking),
    CHECK_BOOL("behind", behind),
    CHECK_BOOL("by_crash", by_crash),
    CHECK_BOOL("by_hang", by_hang),
    FIELD(struct check_result, "cause", PART_REQUIREMENT, cause, 0),
    CHECK_TEXT("expected", expected),
    CHECK_TEXT("actual", actual),
    {.name = NULL},
};

const struct part_field PART_EVIDENCE[] = {
    FIELD(struct evidence_item, "requirement", PART_REQUIREMENT, requirement, 0),
    FIELD(struct evidence_item, "check", PART_TEXT, check, 0),
    FIELD(struct evidence_item, "wire", PART_TEXT, wire, 0),
    FIELD(struct evidence_item, "seen", PART_TEXT, seen, 0),
    {.name = NULL},
};

/* ---- written ---- */

static uint64_t number_of(const struct part_field *field, const void *member)
{
    uint32_t small;
    uint64_t large;
    if (field->bytes == sizeof small) {
        memcpy(&small, member, sizeof small);
        return small;
    }
    memcpy(&large, member, sizeof large);
    return large;
}

static bool field_write(cJSON *object, const struct part_field *field, const char *member)
{
    const struct requirement *requirement;
    switch (field->kind) {
    case PART_BOOL:
        return !*(const bool *)member || cJSON_AddTrueToObject(object, field->name) != NULL;
    case PART_NUMBER:
        return number_of(field, member) == 0 ||
               cJSON_AddNumberToObject(object, field->name, (double)number_of(field, member)) != NULL;
    case PART_TEXT:
        return member[0] == '\0' || json_string_add(object, field->name, member);
    case PART_REQUIREMENT:
        memcpy(&requirement, member, sizeof requirement);
        return requirement == NULL || json_string_add(object, field->name, requirement->id);
    }
    return false;
}

bool part_fields_write(cJSON *object, const struct part_field *fields, const void *from)
{
    bool good = object != NULL;
    for (; good && fields->name != NULL; fields++)
        good = field_write(object, fields, (const char *)from + fields->at);
    return good;
}

/* ---- read ---- */

static bool number_read(const cJSON *item, const struct part_field *field, void *member)
{
    const double value = item->valuedouble;
    if (!cJSON_IsNumber(item) || !(value >= 0 && value <= (double)field->max))
        return false;
    const uint64_t large = (uint64_t)value;
    const uint32_t small = (uint32_t)large;
    if (field->bytes == sizeof small)
        memcpy(member, &small, sizeof small);
    else
        memcpy(member, &large, sizeof large);
    return true;
}

static bool text_read(const cJSON *item, const struct part_field *field, char *member)
{
    if (!cJSON_IsString(item))
        return false;
    struct text text = text_of(member, field->bytes);
    text_add(&text, item->valuestring);
    return true;
}

static bool requirement_read(const cJSON *item, void *member)
{
    const struct requirement *found = cJSON_IsString(item) ? requirement_by_id(item->valuestring) : NULL;
    memcpy(member, &found, sizeof found);
    return found != NULL;
}

static bool field_read(const cJSON *item, const struct part_field *field, char *member)
{
    switch (field->kind) {
    case PART_BOOL:
        *(bool *)member = cJSON_IsTrue(item);
        return cJSON_IsBool(item);
    case PART_NUMBER:
        return number_read(item, field, member);
    case PART_TEXT:
        return text_read(item, field, member);
    case PART_REQUIREMENT:
        return requirement_read(item, member);
    }
    return false;
}

bool part_fields_read(const cJSON *object, const struct part_field *fields, void *to, const char **wrong)
{
    for (; fields->name != NULL; fields++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, fields->name);
        *wrong = fields->name;
        if (item != NULL && !field_read(item, fields, (char *)to + fields->at))
            return false;
    }
    return true;
}
