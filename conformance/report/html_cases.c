/* The cases of the page: what each asks, what its checks say, and the data of its picture. */
#include "conformance/report/html_page.h"
#include "conformance/report/xml_text.h"

static bool is_remarked(const struct run_case *run_case)
{
    return run_case->ran &&
           (run_case->result.verdict == VERDICT_WARN || run_case->result.verdict == VERDICT_DISPUTED);
}

static const char *kind_of(const struct run_result *run, const struct run_case *run_case)
{
    switch (run_case_outcome(run, run_case)) {
    case RUN_PASSED:
        return is_remarked(run_case) ? "remarked" : "passed";
    case RUN_TOLERATED:
        return "remarked";
    case RUN_FAILED:
        return "failed";
    case RUN_UNSUPPORTED:
    case RUN_NOT_RUN:
        break;
    }
    return "unjudged";
}

static void said_write(FILE *out, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    html_element(out, "dt", NULL, name);
    html_element(out, "dd", NULL, value);
}

static void check_write(FILE *out, const struct profile *profile, const struct check_result *check)
{
    const struct requirement *requirement = check->requirement;
    fprintf(out, "<div class=\"check v-%s\"><p>", verdict_name(check->verdict));
    html_badge(out, verdict_name(check->verdict));
    fprintf(out, " <a href=\"#%s\">%s</a> <span class=\"dim\">%s, %s, ", requirement->id, requirement->id,
            requirement_level_name(requirement->level),
            requirement_basis_name(requirement_basis_in(requirement, profile)));
    xml_text_write(out, requirement->source);
    fputs("</span></p><p>", out);
    xml_text_write(out, requirement->statement);
    fputs("</p><dl>", out);
    said_write(out, "check", check->name);
    said_write(out, "expected", check->expected);
    said_write(out, "actual", check->actual);
    fputs("</dl></div>\n", out);
}

/* What a reader has to see; the others in a list that opens. */
static bool check_stands_out(const struct check_result *check)
{
    return check_fails(check) || check->verdict == VERDICT_WARN || check->verdict == VERDICT_DISPUTED ||
           check->verdict == VERDICT_INCONCLUSIVE || check->verdict == VERDICT_XFAIL ||
           check->verdict == VERDICT_NEW || check->verdict == VERDICT_FLAKY;
}

static void checks_write(FILE *out, const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    size_t others = 0;
    for (size_t i = 0; i < result->check_count; i++) {
        if (check_stands_out(&result->checks[i]))
            check_write(out, run_case->profile, &result->checks[i]);
        else
            others++;
    }
    if (others == 0)
        return;
    fprintf(out, "<details class=\"others\"><summary>%zu more %s</summary><ul>\n", others,
            others == 1 ? "check" : "checks");
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check_result *check = &result->checks[i];
        if (check_stands_out(check))
            continue;
        fputs("<li>", out);
        html_badge(out, verdict_name(check->verdict));
        fprintf(out, " <a href=\"#%s\">%s</a> ", check->requirement->id, check->requirement->id);
        xml_text_write(out, check->name);
        fputs(": ", out);
        xml_text_write(out, check->verdict == VERDICT_PASS ? check->expected : check->actual);
        fputs("</li>\n", out);
    }
    fputs("</ul></details>\n", out);
}

/* A '<' stands in strings alone; as an escape it cannot end the element. */
static void picture_write(FILE *out, const struct run_case *run_case, size_t n)
{
    if (run_case->picture[0] == '\0')
        return;
    fprintf(out,
            "<figure class=\"picture\"><figcaption>The session <span class=\"dim\">messages as they crossed "
            "the wire; "
            "like ones in a row are one band</span></figcaption><div class=\"canvas\"></div><noscript>The "
            "picture "
            "takes the script of this page.</noscript></figure>\n<script type=\"application/json\" "
            "class=\"data\" "
            "id=\"picture-%zu\">",
            n + 1);
    for (const char *at = run_case->picture; *at != '\0'; at++) {
        if (*at == '<')
            fputs("\\u003c", out);
        else
            fputc(*at, out);
    }
    fputs("</script>\n", out);
}

static void pre_write(FILE *out, const char *title, const char *text, bool open)
{
    if (text[0] == '\0')
        return;
    fprintf(out, "<details class=\"text\"%s>", open ? " open" : "");
    html_element(out, "summary", NULL, title);
    html_element(out, "pre", NULL, text);
    fputs("</details>\n", out);
}

static void summary_write(FILE *out, const struct run_case *run_case)
{
    fputs("<summary>", out);
    html_badge(out, run_case_word(run_case));
    html_element(out, "b", NULL, run_case->script->name);
    if (run_case->profile != NULL)
        html_element(out, "span", "dim", run_case->profile->name);
    html_element(out, "span", "title", run_case->script->title);
    if (run_case->ran)
        fprintf(out, "<span class=\"dim took\">%llu ms</span>", (unsigned long long)run_case->duration_ms);
    fputs("</summary>\n", out);
}

static void body_write(FILE *out, const struct run_result *run, const struct run_case *run_case, size_t n)
{
    const bool failed = run_case_outcome(run, run_case) == RUN_FAILED;
    const char *reason = run_case_unjudged_reason(run, run_case);
    fputs("<div class=\"body\">\n<p class=\"expect\">", out);
    xml_text_write(out, run_case->script->expect);
    fputs("</p>\n", out);
    if (reason[0] != '\0')
        html_element(out, "p", "reason", reason);
    if (run_case->ran) {
        if (run_case->result.note[0] != '\0') {
            fputs("<p class=\"reason\">Ended: ", out);
            xml_text_write(out, run_case->result.note);
            fputs("</p>\n", out);
        }
        checks_write(out, run_case);
        picture_write(out, run_case, n);
    }
    pre_write(out, "rerun:", run_case->repro, failed);
    pre_write(out, "The end of what the client wrote", run_case->output_tail, failed);
    pre_write(out, "Last on the wire", run_case->picture[0] == '\0' ? run_case->wire_tail : "", failed);
    if (run_case->folder[0] != '\0') {
        fputs("<p class=\"dim\">Kept in <code>", out);
        xml_text_write(out, run_case->folder);
        fputs("</code></p>\n", out);
    }
    fputs("</div>\n", out);
}

static void case_write(FILE *out, const struct run_result *run, size_t n)
{
    const struct run_case *run_case = &run->cases[n];
    const char *kind = kind_of(run, run_case);
    fputs("<details class=\"case\" id=\"", out);
    html_case_id(out, n);
    fprintf(out, "\" data-kind=\"%s\">", kind);
    summary_write(out, run_case);
    body_write(out, run, run_case, n);
    fputs("</details>\n", out);
}

/* What failed comes first. */
void html_cases(FILE *out, const struct run_result *run)
{
    fputs(
        "<section id=\"cases\">\n<h2>Cases</h2>\n<p class=\"keys\"><kbd>/</kbd> to filter, <kbd>n</kbd> and "
        "<kbd>p</kbd> for the next and the previous failure; in a picture the arrow keys go from message to "
        "message</p>\n",
        out);
    for (int failed = 1; failed >= 0; failed--)
        for (size_t i = 0; i < run->case_count; i++)
            if ((run_case_outcome(run, &run->cases[i]) == RUN_FAILED) == (failed == 1))
                case_write(out, run, i);
    fputs("</section>\n", out);
}
