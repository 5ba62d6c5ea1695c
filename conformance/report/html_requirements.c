/* The matrix of requirements: what the run says of each, and by which cases. */
#include <stdlib.h>

#include "conformance/judge/verdict.h"
#include "conformance/report/html_page.h"
#include "conformance/report/xml_text.h"

enum { PASSED_SHOWN_MAX = 20, MISSING_MAX = 1000 };

/* The worst that a case says of it; false when it says nothing. */
static bool case_verdict(const struct run_case *run_case, const struct requirement *requirement,
                         enum verdict *out)
{
    bool any = false;
    for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (check->requirement != requirement)
            continue;
        *out = any ? verdict_worse(*out, check->verdict) : check->verdict;
        any = true;
    }
    return any;
}

static void dot_write(FILE *out, const struct run_result *run, size_t n, enum verdict verdict)
{
    fprintf(out, "<a class=\"dot v-%s\" href=\"#", verdict_name(verdict));
    html_case_id(out, n);
    fprintf(out, "\" title=\"%s ", verdict_name(verdict));
    xml_text_write(out, run->cases[n].script->name);
    fprintf(out, "\" aria-label=\"%s ", verdict_name(verdict));
    xml_text_write(out, run->cases[n].script->name);
    fputs("\"></a>", out);
}

/* A rule of the wire is kept in nearly every case: of those that passed only some are shown. */
static void cases_write(FILE *out, const struct run_result *run, const struct requirement *requirement)
{
    size_t passed = 0;
    for (int passing = 0; passing <= 1; passing++) {
        for (size_t i = 0; i < run->case_count; i++) {
            enum verdict verdict;
            if (!case_verdict(&run->cases[i], requirement, &verdict) ||
                (verdict == VERDICT_PASS) != (passing == 1))
                continue;
            if (passing == 0 || passed++ < PASSED_SHOWN_MAX)
                dot_write(out, run, i, verdict);
        }
    }
    if (passed > PASSED_SHOWN_MAX)
        fprintf(out, "<small>and %zu more passed</small>", passed - PASSED_SHOWN_MAX);
}

static const char *word_of(const struct requirement_result *row)
{
    return requirement_word(row);
}

/* The id without what all have in common, in the colour of its verdict. */
static void chip_write(FILE *out, const struct requirement_result *row)
{
    const struct requirement *requirement = row->requirement;
    const char *dash = strchr(requirement->id, '-');
    fprintf(out, "<a class=\"badge v-%s\" href=\"#%s\" title=\"%s %s: ", word_of(row), requirement->id,
            word_of(row), requirement->id);
    xml_text_write(out, requirement->statement);
    fprintf(out, "\">%s</a>\n", dash == NULL ? requirement->id : dash + 1);
}

static const char *kind_of(const struct requirement_result *row)
{
    if (!row->judged || row->verdict == VERDICT_UNSUPPORTED || row->verdict == VERDICT_INCONCLUSIVE)
        return "unjudged";
    if (requirement_fails(row))
        return "failed";
    return row->verdict == VERDICT_PASS || row->verdict == VERDICT_INFO ? "passed" : "remarked";
}

static void row_write(FILE *out, const struct run_result *run, const struct requirement_result *row)
{
    const struct requirement *requirement = row->requirement;
    fprintf(out, "<tr id=\"%s\" data-kind=\"%s\"><th scope=\"row\">%s</th><td>", requirement->id,
            kind_of(row), requirement->id);
    html_badge(out, word_of(row));
    if (row->judged && row->judged_count < row->check_count)
        fprintf(out, "<small>%zu of %zu judged</small>", row->judged_count, row->check_count);
    else if (requirement_is_in_part(row))
        fputs("<small>in part</small>", out);
    if (row->broken_session_count > 0)
        fprintf(out, "<small>in %zu of %zu sessions</small>", row->broken_session_count, row->session_count);
    fprintf(out, "</td><td class=\"level\">%s<small>%s</small></td><td>",
            requirement_level_name(requirement->level), requirement_basis_name(requirement->basis));
    xml_text_write(out, requirement->statement);
    html_element(out, "small", NULL, requirement->source);
    char missing[MISSING_MAX];
    struct text text = text_of(missing, sizeof missing);
    if (run_requirement_missing(run, row, &text))
        html_element(out, "small", "missing", missing);
    fputs("</td><td class=\"dots\">", out);
    cases_write(out, run, requirement);
    fputs("</td></tr>\n", out);
}

static bool is_listed(const struct run_result *run, const struct requirement_result *row)
{
    return row->judged || run_requirement_applies(run, row->requirement);
}

/* "OJ-CON" of OJ-CON-01. */
static size_t area_length(const char *id)
{
    return (size_t)(strrchr(id, '-') - id);
}

static bool is_same_area(const char *a, const char *b)
{
    return area_length(a) == area_length(b) && strncmp(a, b, area_length(a)) == 0;
}

/* All at a glance, a line an area. */
static void glance_write(FILE *out, const struct run_result *run, const struct requirement_result *rows)
{
    const struct requirement *last = NULL;
    fputs("<div class=\"glance\">\n", out);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        const struct requirement *requirement = rows[i].requirement;
        if (!is_listed(run, &rows[i]))
            continue;
        if (last == NULL || !is_same_area(last->id, requirement->id))
            fprintf(out, "%s<span>%.*s</span><div>\n", last == NULL ? "" : "</div>\n",
                    (int)area_length(requirement->id), requirement->id);
        chip_write(out, &rows[i]);
        last = requirement;
    }
    fprintf(out, "%s</div>\n", last == NULL ? "" : "</div>\n");
}

void html_requirements(FILE *out, const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    if (rows == NULL)
        return;
    run_requirements(run, rows);
    fputs("<section id=\"requirements\">\n<h2>Requirements</h2>\n", out);
    glance_write(out, run, rows);
    fputs("<details class=\"matrix\"><summary>What each says, and the cases that judge it</summary>\n"
          "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">id</th><th "
          "scope=\"col\">verdict</th><th "
          "scope=\"col\">level</th><th scope=\"col\">requirement</th><th "
          "scope=\"col\">cases</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (is_listed(run, &rows[i]))
            row_write(out, run, &rows[i]);
    fputs("</tbody>\n</table></div>\n</details>\n</section>\n", out);
    free(rows);
}
