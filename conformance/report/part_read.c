#include <stdlib.h>
#include <string.h>

#include "codec/family.h"
#include "conformance/report/json_report.h"
#include "conformance/report/part_fields.h"
#include "conformance/report/run_part.h"

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const cJSON *part_of(const struct run_report *report)
{
    return member(report->root, "part");
}

/* "" where it is no string. */
static const char *text_member(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(member(object, name));
    return text == NULL ? "" : text;
}

/* 0 where it is no number from 0 on. */
static uint64_t number_member(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    const double most = 1e15;
    return cJSON_IsNumber(item) && item->valuedouble > 0 && item->valuedouble < most
               ? (uint64_t)item->valuedouble
               : 0;
}

static bool refuse(struct text *error, const char *path, const char *sentence, const char *what)
{
    text_add(error, path);
    text_add(error, ": ");
    text_add(error, sentence);
    text_add_printable(error, bytes_of_text(what), 200);
    return false;
}

bool run_report_read(const char *path, struct bytes text, const char *version, struct run_report *out,
                     struct text *error)
{
    cJSON *root = cJSON_ParseWithLength((const char *)text.data, text.len);
    const cJSON *part = member(root, "part");
    const uint64_t of = number_member(part, "of"), shard = number_member(part, "shard");
    bool good = false;
    if (!cJSON_IsObject(root) || !cJSON_IsArray(member(root, "cases")))
        refuse(error, path, "this is no JSON report of ojin-conform run", "");
    else if (strcmp(text_member(root, "version"), version) != 0 ||
             number_member(root, "schema") != JSON_REPORT_SCHEMA)
        refuse(error, path, "merge reads reports of its own version alone, and this one is of ",
               text_member(root, "version"));
    else if (part == NULL)
        refuse(error, path, "this is the report of a whole run: expected one of ojin-conform run --shard I/N",
               "");
    else if (of < 1 || of > RUN_PARTS_MAX || shard < 1 || shard > of || !cJSON_IsArray(member(part, "cases")))
        refuse(error, path, "its member \"part\" is damaged: expected a shard, of how many, and cases", "");
    else
        good = true;
    *out = (struct run_report){.path = path, .root = good ? root : NULL};
    if (!good)
        cJSON_Delete(root);
    return good;
}

void run_report_free(struct run_report *report)
{
    cJSON_Delete(report->root);
    report->root = NULL;
}

/* ---- do they belong together? ---- */

/* What has to be the same in all, by member; those of the part behind those of the report. */
static const struct {
    const char *name, *title;
    bool of_part;
} SAME[] = {{"party", "the party judged", false},
            {"command", "the client's command", false},
            {"suite", "--suite", false},
            {"transport", "the transport", false},
            {"tier", "the client's tier", false},
            {"inferred", "--inferred", false},
            {"strict", "--strict", false},
            {"profiles", "the profiles", false},
            {"family", "the family", true},
            {"conditions", "its options", true},
            {"narrowed", "whether --run, --skip or --set left cases out", true},
            {"judged_min", "--min-judged", true},
            {"of", "the number of shards", true}};

static void value_add(struct text *out, const cJSON *value)
{
    char *text = value == NULL ? NULL : cJSON_PrintUnformatted(value);
    text_add_printable(out, bytes_of_text(text == NULL ? "none" : text), 200);
    cJSON_free(text);
}

static bool is_like(const struct run_report *first, const struct run_report *other, struct text *error)
{
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        const cJSON *a = member(SAME[i].of_part ? part_of(first) : first->root, SAME[i].name);
        const cJSON *b = member(SAME[i].of_part ? part_of(other) : other->root, SAME[i].name);
        if (cJSON_Compare(a, b, true))
            continue;
        refuse(error, other->path, "not of the same run: ", SAME[i].title);
        text_add(error, " is ");
        value_add(error, b);
        text_add(error, ", and in ");
        text_add(error, first->path);
        text_add(error, " ");
        value_add(error, a);
        return false;
    }
    return true;
}

static const struct run_report *of_shard(const struct run_report *reports, size_t count, uint64_t shard)
{
    for (size_t i = 0; i < count; i++)
        if (number_member(part_of(&reports[i]), "shard") == shard)
            return &reports[i];
    return NULL;
}

bool run_reports_agree(const struct run_report *reports, size_t count, struct text *error)
{
    const uint64_t of = number_member(part_of(&reports[0]), "of");
    for (size_t i = 1; i < count; i++) {
        const struct run_report *twin = of_shard(reports, i, number_member(part_of(&reports[i]), "shard"));
        if (!is_like(&reports[0], &reports[i], error))
            return false;
        if (twin != NULL && strcmp(twin->path, reports[i].path) == 0)
            return refuse(error, reports[i].path, "this file is named twice", "");
        if (twin != NULL)
            return refuse(error, reports[i].path, "this is the same shard as ", twin->path);
    }
    for (uint64_t shard = 1; shard <= of; shard++) {
        if (of_shard(reports, count, shard) != NULL)
            continue;
        text_add(error, "shard ");
        text_add_u64(error, shard);
        text_add(error, " of ");
        text_add_u64(error, of);
        text_add(error, " is missing: expected the reports of all shards");
        return false;
    }
    return true;
}

/* ---- the whole ---- */

/* A case of a part, and where its script stands. */
struct found_case {
    const cJSON *json;
    const char *path;
    size_t script;
};

static int found_compare(const void *a, const void *b)
{
    const struct found_case *left = a, *right = b;
    return (left->script > right->script) - (left->script < right->script);
}

static bool find_script(const struct run_join *join, const char *name, size_t *out)
{
    for (*out = 0; *out < join->script_count; (*out)++)
        if (strcmp(join->scripts[*out]->name, name) == 0)
            return true;
    return false;
}

static bool cases_find(const struct run_report *reports, size_t count, const struct run_join *join,
                       struct found_case *found, struct text *error)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const cJSON *json;
        cJSON_ArrayForEach(json, member(part_of(&reports[i]), "cases"))
        {
            const char *name = text_member(json, "name");
            found[n] = (struct found_case){.json = json, .path = reports[i].path};
            if (!find_script(join, name, &found[n++].script))
                return refuse(error, reports[i].path, "no such case here: ", name);
        }
    }
    qsort(found, n, sizeof *found, found_compare);
    for (size_t i = 1; i < n; i++) {
        if (found[i].script != found[i - 1].script)
            continue;
        refuse(error, found[i].path, "a case that is in ", found[i - 1].path);
        text_add(error, ", too: ");
        text_add(error, join->scripts[found[i].script]->name);
        return false;
    }
    return true;
}

static bool items_read(const cJSON *array, const struct part_field *fields, void *items, size_t size,
                       size_t max, size_t *count, const char **wrong)
{
    const cJSON *json;
    *count = 0;
    cJSON_ArrayForEach(json, array)
    {
        if (*count == max || !part_fields_read(json, fields, (char *)items + *count * size, wrong))
            return false;
        *wrong = "requirement";
        if (member(json, *wrong) == NULL)
            return false;
        (*count)++;
    }
    return true;
}

static bool case_read(const struct found_case *found, const struct case_script *script, struct run_case *out,
                      struct text *error)
{
    const char *wrong = "profile";
    size_t evidence_count;
    out->script = script;
    out->profile = profile_by_name(text_member(found->json, "profile"));
    const bool good =
        out->profile != NULL && part_fields_read(found->json, PART_CASE, out, &wrong) &&
        items_read(member(found->json, "checks"), PART_CHECK, out->result.checks,
                   sizeof out->result.checks[0], JUDGE_CHECKS_MAX, &out->result.check_count, &wrong) &&
        items_read(member(found->json, "evidence"), PART_EVIDENCE, out->evidence.items,
                   sizeof out->evidence.items[0], EVIDENCE_MAX, &evidence_count, &wrong);
    if (good)
        return true;
    refuse(error, found->path, "damaged in the case ", script->name);
    text_add(error, ": its member ");
    text_add(error, wrong);
    return false;
}

static bool tier_read(const char *name, enum client_tier *out)
{
    static const enum client_tier TIERS[] = {TIER_WIRE, TIER_PLAN, TIER_OBSERVE};
    for (size_t i = 0; i < sizeof TIERS / sizeof TIERS[0]; i++) {
        *out = TIERS[i];
        if (strcmp(client_tier_name(TIERS[i]), name) == 0)
            return true;
    }
    return false;
}

const char *run_report_suite(const struct run_report *report)
{
    const char *suite = text_member(report->root, "suite");
    return suite[0] == '\0' ? NULL : suite;
}

/* What holds of the run as a whole. */
static bool head_read(const struct run_report *reports, size_t count, struct run_result *out,
                      const struct profile **profiles, struct text *error)
{
    const cJSON *root = reports[0].root, *part = part_of(&reports[0]), *json;
    *out = (struct run_result){.command = text_member(root, "command"),
                               .transport = text_member(root, "transport"),
                               .party = REQUIREMENT_CLIENT,
                               .inferred = cJSON_IsTrue(member(root, "inferred")),
                               .strict = cJSON_IsTrue(member(root, "strict")),
                               .suite = run_report_suite(&reports[0]),
                               .judged_min = number_member(part, "judged_min"),
                               .narrowed = cJSON_IsTrue(member(part, "narrowed")),
                               .profiles = profiles};
    if (!tier_read(text_member(root, "tier"), &out->tier))
        return refuse(error, reports[0].path, "no such tier: ", text_member(root, "tier"));
    cJSON_ArrayForEach(json, member(root, "profiles"))
    {
        const char *name = cJSON_IsString(json) ? json->valuestring : "";
        profiles[out->profile_count] = profile_by_name(name);
        if (profiles[out->profile_count++] == NULL)
            return refuse(error, reports[0].path, "no such profile: ", name);
    }
    const char *first = text_member(root, "date");
    for (size_t i = 0; i < count; i++) {
        const char *date = text_member(reports[i].root, "date");
        out->duration_ms += number_member(reports[i].root, "duration_ms");
        out->interrupted = out->interrupted || cJSON_IsTrue(member(reports[i].root, "interrupted"));
        first = strcmp(date, first) < 0 ? date : first;
    }
    struct text text = text_of(out->host.date, sizeof out->host.date);
    text_add(&text, first);
    out->host.version = text_member(root, "version");
    out->host.cpu_count = (unsigned)number_member(root, "cpus");
    for (int i = 0; i < 3; i++) {
        const cJSON *load = cJSON_GetArrayItem(member(root, "load"), i);
        out->host.load[i] = cJSON_IsNumber(load) ? load->valuedouble : 0;
    }
    return true;
}

static size_t cases_count(const struct run_report *reports, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (size_t)cJSON_GetArraySize(member(part_of(&reports[i]), "cases"));
    return sum;
}

bool run_reports_join(const struct run_report *reports, size_t count, const struct run_join *join,
                      struct run_result *out, struct text *error)
{
    const size_t case_count = cases_count(reports, count);
    const size_t profile_count = (size_t)cJSON_GetArraySize(member(reports[0].root, "profiles"));
    struct found_case *found = calloc(case_count + 1, sizeof *found);
    const struct profile **profiles = calloc(profile_count + 1, sizeof *profiles);
    *out = (struct run_result){.profiles = profiles};
    bool good = found != NULL && profiles != NULL && head_read(reports, count, out, profiles, error) &&
                cases_find(reports, count, join, found, error);
    /* Each case is there once and has a script: there are no more than that. */
    out->cases = good ? calloc(case_count + 1, sizeof *out->cases) : NULL;
    for (size_t i = 0; good && out->cases != NULL && i < case_count; i++)
        good = case_read(&found[i], join->scripts[found[i].script], &out->cases[i], error);
    out->case_count = good ? case_count : 0;
    good = good && out->cases != NULL;
    if (!good && error->len == 0)
        text_add(error, "out of memory");
    free(found);
    return good;
}

void run_join_free(struct run_result *run)
{
    free(run->cases);
    free((void *)(uintptr_t)run->profiles);
    *run = (struct run_result){0};
}
