#include "conformance/report/annotations.h"

/* In a property a comma and a colon end it; what would end the line is escaped everywhere. */
static void escaped_write(FILE *out, const char *string, bool property)
{
    for (; *string != '\0'; string++) {
        const unsigned char byte = (unsigned char)*string;
        if (byte == '%' || byte == '\r' || byte == '\n' || (property && (byte == ',' || byte == ':')))
            fprintf(out, "%%%02X", (unsigned)byte);
        else
            fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
    }
}

/* Where the check stands in the case's file; a rule of the wire has no line there: the clause, or the first.
 */
static unsigned line_of(const struct script *script, const struct check_result *check)
{
    for (size_t i = 0; i < script->check_count; i++)
        if (script->checks[i].clause == check->requirement &&
            strcmp(script->checks[i].name, check->name) == 0)
            return script->checks[i].line;
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement == check->requirement)
            return script->clauses[i].line;
    return 1;
}

static void annotation_write(FILE *out, const struct run_case *run_case, const struct check_result *check)
{
    const struct script *script = run_case->script;
    fprintf(out, "::%s file=", check_fails(check) ? "error" : "warning");
    escaped_write(out, script->path, true);
    fprintf(out, ",line=%u,title=%s ", line_of(script, check), check->requirement->id);
    escaped_write(out, script->name, true);
    fputs("::", out);
    escaped_write(out, check->requirement->statement, false);
    fputs("%0Aexpected: ", out);
    escaped_write(out, check->expected, false);
    fputs("%0Aactual: ", out);
    escaped_write(out, check->actual, false);
    if (run_case->repro[0] != '\0') {
        fputs("%0Aagain: ", out);
        escaped_write(out, run_case->repro, false);
    }
    fputc('\n', out);
}

void annotations_write(FILE *out, const struct run_result *run)
{
    size_t left = ANNOTATIONS_MAX;
    for (int failures = 1; failures >= 0; failures--) {
        for (size_t i = 0; i < run->case_count; i++) {
            const struct run_case *run_case = &run->cases[i];
            for (size_t k = 0; run_case->ran && left > 0 && k < run_case->result.check_count; k++) {
                const struct check_result *check = &run_case->result.checks[k];
                const bool remarked = check->verdict == VERDICT_DISPUTED || check->verdict == VERDICT_WARN;
                const bool failed =
                    check_fails(check) && (check->scope == SCOPE_RUN || case_fails(&run_case->result));
                if (failures == 1 ? !failed : !remarked)
                    continue;
                annotation_write(out, run_case, check);
                left--;
            }
        }
    }
}
