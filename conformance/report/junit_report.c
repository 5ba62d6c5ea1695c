#include "conformance/report/junit_report.h"

#include <stdlib.h>

#include "codec/family.h"
#include "conformance/report/causes.h"
#include "conformance/report/xml_text.h"

enum { WROTE_LINES = 6 };

struct suite_counts {
    size_t tests, failures, errors, skipped;
    uint64_t duration_ms;
};

static bool is_error(const struct run_case *run_case)
{
    return run_case->ran && run_case->result.verdict == VERDICT_ERROR;
}

static void counts_add(const struct run_result *run, const struct run_case *run_case,
                       struct suite_counts *counts)
{
    counts->tests++;
    counts->duration_ms += run_case->duration_ms;
    switch (run_case_outcome(run, run_case)) {
    case RUN_PASSED:
        break;
    case RUN_FAILED:
        if (is_error(run_case))
            counts->errors++;
        else
            counts->failures++;
        break;
    case RUN_TOLERATED:
    case RUN_UNSUPPORTED:
    case RUN_NOT_RUN:
        counts->skipped++;
        break;
    }
}

static void attribute_write(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    xml_text_write(out, value);
    fputc('"', out);
}

/* The element of a suite counts what is skipped, that of all suites has no attribute for it. */
static void counts_write(FILE *out, const struct suite_counts *counts, bool of_suite)
{
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", counts->tests, counts->failures,
            counts->errors);
    if (of_suite)
        fprintf(out, " skipped=\"%zu\"", counts->skipped);
    fprintf(out, " time=\"%llu.%03llu\">\n", (unsigned long long)(counts->duration_ms / 1000),
            (unsigned long long)(counts->duration_ms % 1000));
}

/* Readers take a dot in a class name for the end of a package. */
static void class_write(FILE *out, const struct profile *profile)
{
    fputs(" classname=\"", out);
    for (const char *at = profile == NULL ? "ojin" : profile->name; *at != '\0'; at++)
        fputc(*at == '.' ? '_' : *at, out);
    fputc('"', out);
}

/* Under a title; nothing where there are none. */
static void lines_write(FILE *out, const char *title, const char *lines)
{
    if (lines[0] == '\0')
        return;
    xml_text_write(out, title);
    xml_text_write(out, lines);
    xml_text_write(out, "\n");
}

static void check_write(FILE *out, const struct run_case *run_case, const struct check_result *check)
{
    const struct evidence_item *item = evidence_of(&run_case->evidence, check);
    const char *const parts[] = {verdict_name(check->verdict),
                                 " ",
                                 check->requirement->id,
                                 " ",
                                 check->name,
                                 ": ",
                                 check->requirement->statement,
                                 "\n  expected: ",
                                 check->expected,
                                 "\n  actual:   ",
                                 check->actual,
                                 "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        xml_text_write(out, parts[i]);
    lines_write(out, "  on the wire:\n", item == NULL ? "" : item->wire);
    lines_write(out, "  it said:\n", item == NULL ? "" : item->seen);
}

static void failure_write(FILE *out, const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    const char *element = is_error(run_case) ? "error" : "failure";
    const struct check_result *first = run_case_failing_check(run_case);
    fprintf(out, "      <%s", element);
    attribute_write(out, "type", run_case_word(run_case));
    fputs(" message=\"", out);
    if (first != NULL) {
        xml_text_write(out, first->requirement->id);
        xml_text_write(out, " ");
        xml_text_write(out, first->name);
        xml_text_write(out, ": ");
    }
    xml_text_write(out, first == NULL ? result->note : first->actual);
    fputs("\">", out);
    for (size_t i = 0; i < result->check_count; i++)
        if (check_fails(&result->checks[i]) && result->checks[i].scope != SCOPE_RUN)
            check_write(out, run_case, &result->checks[i]);
    xml_text_write(out, result->note);
    fprintf(out, "</%s>\n", element);
}

static void remarks_write(FILE *out, const struct run_case *run_case)
{
    fputs("      <system-out>", out);
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if ((!check_fails(check) || check->scope == SCOPE_RUN) && check->verdict != VERDICT_PASS)
            check_write(out, run_case, check);
    }
    xml_text_write(out, run_case->wire_tail);
    xml_text_write(out, run_case->repro);
    fputs("</system-out>\n", out);
}

static void skipped_write(FILE *out, const struct run_result *run, const struct run_case *run_case)
{
    fputs("      <skipped", out);
    if (run_case_outcome(run, run_case) == RUN_TOLERATED) {
        fprintf(out, " message=\"%s: ", run_case_word(run_case));
        xml_text_write(out, run_case->result.note);
        fputc('"', out);
    } else {
        attribute_write(out, "message", run_case_unjudged_reason(run, run_case));
    }
    fputs("/>\n", out);
}

static void case_write(FILE *out, const struct run_result *run, const struct run_case *run_case)
{
    fputs("    <testcase", out);
    class_write(out, run_case->profile);
    attribute_write(out, "name", run_case->script->name);
    fprintf(out, " time=\"%llu.%03llu\">\n", (unsigned long long)(run_case->duration_ms / 1000),
            (unsigned long long)(run_case->duration_ms % 1000));
    switch (run_case_outcome(run, run_case)) {
    case RUN_PASSED:
        break;
    case RUN_FAILED:
        failure_write(out, run_case);
        break;
    case RUN_TOLERATED:
    case RUN_UNSUPPORTED:
    case RUN_NOT_RUN:
        skipped_write(out, run, run_case);
        break;
    }
    remarks_write(out, run_case);
    fputs("    </testcase>\n", out);
}

static void suite_write(FILE *out, const struct run_result *run, const struct profile *profile)
{
    struct suite_counts counts = {.tests = 0};
    for (size_t i = 0; i < run->case_count; i++)
        if (run->cases[i].profile == profile)
            counts_add(run, &run->cases[i], &counts);
    if (counts.tests == 0)
        return;
    fputs("  <testsuite", out);
    attribute_write(out, "name", profile == NULL ? "ojin" : profile->name);
    counts_write(out, &counts, true);
    for (size_t i = 0; i < run->case_count; i++)
        if (run->cases[i].profile == profile)
            case_write(out, run, &run->cases[i]);
    fputs("  </testsuite>\n", out);
}

/* ---- requirements that fail the run: a case need not fail by each ---- */

static const struct cause *cause_of(const struct causes *causes, const struct requirement *requirement)
{
    for (size_t i = 0; i < causes->count; i++)
        if (cause_is_of(&causes->list[i], requirement))
            return &causes->list[i];
    return NULL;
}

static void requirement_write(FILE *out, const struct requirement_result *row, const struct cause *cause)
{
    char where[JUDGE_TEXT_MAX];
    struct text text = text_of(where, sizeof where);
    fputs("    <testcase classname=\"requirements\"", out);
    attribute_write(out, "name", row->requirement->id);
    fputs(" time=\"0.000\">\n      <failure", out);
    attribute_write(out, "type", verdict_name(row->verdict));
    attribute_write(out, "message", cause == NULL ? row->requirement->statement : cause->sentence);
    fputs(">", out);
    xml_text_write(out, row->requirement->statement);
    xml_text_write(out, "\n");
    if (cause != NULL) {
        cause_where(cause, &text);
        const char *const parts[] = {cause->sentence, "\n", where, "\n", cause_wire(cause), "\n"};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            xml_text_write(out, parts[i]);
        lines_write(out, "it said:\n", cause_said(cause));
        lines_write(out, "it wrote:\n", cause_wrote(cause, WROTE_LINES));
        lines_write(out, "rerun: ", cause->first->repro);
    }
    fputs("</failure>\n    </testcase>\n", out);
}

static size_t failing_count(const struct requirement_result *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        count += requirement_is_not_met(&rows[i]) ? 1 : 0;
    return count;
}

static void requirements_write(FILE *out, const struct run_result *run, const struct requirement_result *rows)
{
    const size_t failing = failing_count(rows);
    const struct suite_counts counts = {.tests = failing, .failures = failing};
    struct causes causes;
    if (failing == 0)
        return;
    causes_init(run, &causes);
    fputs("  <testsuite", out);
    attribute_write(out, "name", "requirements");
    counts_write(out, &counts, true);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (requirement_is_not_met(&rows[i]))
            requirement_write(out, &rows[i], cause_of(&causes, rows[i].requirement));
    fputs("  </testsuite>\n", out);
    causes_free(&causes);
}

bool junit_report_write(FILE *out, const struct run_result *run)
{
    struct suite_counts counts = {.tests = 0};
    for (size_t i = 0; i < run->case_count; i++)
        counts_add(run, &run->cases[i], &counts);
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    if (rows == NULL)
        return false;
    run_requirements(run, rows);
    counts.tests += failing_count(rows);
    counts.failures += failing_count(rows);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    attribute_write(out, "name", "ojin-conform");
    counts_write(out, &counts, false);
    for (size_t f = 0; FAMILIES[f] != NULL; f++)
        for (size_t i = 0; FAMILIES[f]->profiles[i] != NULL; i++)
            suite_write(out, run, FAMILIES[f]->profiles[i]);
    suite_write(out, run, NULL);
    requirements_write(out, run, rows);
    free(rows);
    fputs("</testsuites>\n", out);
    return ferror(out) == 0 && fflush(out) == 0;
}
