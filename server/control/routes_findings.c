/* The findings of a stage. */
#include "server/control/control_state.h"

static const char *const NAMES[] = {"session", "family", "requirement", "since", NULL};

static bool matches(const struct find *find, const struct kept_finding *finding)
{
    const char *family = finding->class == NULL ? "" : finding->class->family->name;
    const char *requirement = finding->requirement == NULL ? "" : finding->requirement;
    return finding->sequence >= find->since && (find->session == 0 || find->session == finding->connection) &&
           (find->family[0] == '\0' || strcmp(find->family, family) == 0) &&
           (find->requirement[0] == '\0' || strcmp(find->requirement, requirement) == 0);
}

void handle_findings(struct exchange *exchange)
{
    const struct findings *findings = &exchange->stage->findings;
    struct json_writer *json = &exchange->json;
    struct find find;
    uint64_t breaches = 0, notes = 0;
    if (!stage_find(exchange, NAMES, &find))
        return;
    json_open(json, NULL, '{');
    json_open(json, "findings", '[');
    for (size_t n = 0; n < findings->count; n++) {
        if (!matches(&find, &findings->list[n]))
            continue;
        json_raw(json, NULL, bytes_of_text(findings->list[n].line));
        *(findings->list[n].note ? &notes : &breaches) += 1;
    }
    json_close(json, ']');
    json_u64(json, "found", breaches);
    json_u64(json, "notes", notes);
    json_u64(json, "lost", findings->lost);
    json_close(json, '}');
}
