#include "conformance/report/html_report.h"

#include <stdlib.h>

#include "conformance/report/html_page.h"
#include "conformance/report/xml_text.h"

static void head_write(FILE *out)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; "
          "script-src 'unsafe-inline'; img-src data:\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>Conformance report</title>\n<style>\n",
          out);
    fputs(PAGE_STYLE, out);
    fputs("</style>\n</head>\n<body>\n", out);
}

static void tile_write(FILE *out, const char *kind, size_t count, const char *words)
{
    fprintf(out, "<div class=\"tile %s\"><b>%zu</b><span>%s</span></div>\n", count == 0 ? "none" : kind,
            count, words);
}

static void fact_write(FILE *out, const char *name, const char *value)
{
    fputs("<div>", out);
    html_element(out, "dt", NULL, name);
    html_element(out, "dd", NULL, value);
    fputs("</div>\n", out);
}

static void host_write(FILE *out, const struct run_host *host)
{
    if (host->date[0] == '\0')
        return;
    fact_write(out, "date", host->date);
    fact_write(out, "ojin-conform", host->version == NULL ? "" : host->version);
    fprintf(out, "<div><dt>machine</dt><dd>%u CPUs, load %.1f, %.1f, %.1f</dd></div>\n", host->cpu_count,
            host->load[0], host->load[1], host->load[2]);
}

static void facts_write(FILE *out, const struct run_result *run)
{
    fputs("<dl class=\"facts\">\n", out);
    fact_write(out, run->party == REQUIREMENT_SERVER ? "server" : "client",
               run->command == NULL ? "" : run->command);
    fputs("<div><dt>profile</dt><dd>", out);
    for (size_t i = 0; i < run->profile_count; i++) {
        fputs(i == 0 ? "" : ", ", out);
        xml_text_write(out, run->profiles[i]->name);
    }
    fputs("</dd></div>\n", out);
    if (run->party == REQUIREMENT_CLIENT)
        fact_write(out, "tier", client_tier_name(run->tier));
    fact_write(out, "transport", run->transport);
    fprintf(out, "<div><dt>took</dt><dd>%llu.%llu s</dd></div>\n",
            (unsigned long long)(run->duration_ms / 1000), (unsigned long long)(run->duration_ms / 100 % 10));
    host_write(out, &run->host);
    if (run->inferred || run->strict)
        fact_write(out, "judged",
                   run->inferred && run->strict ? "inferred, strict"
                   : run->inferred              ? "inferred"
                                                : "strict");
    fputs("</dl>\n", out);
}

/* What decided the run's exit status, and what would. */
static void why_write(FILE *out, const struct run_result *run, const struct causes *causes)
{
    char reason[RUN_REASON_MAX];
    struct text text = text_of(reason, sizeof reason);
    causes_headline(causes, &text);
    if (text.len > 0)
        html_element(out, "p", "headline", reason);
    text = text_of(reason, sizeof reason);
    run_exit_reason(run, &text);
    if (text.len > 0)
        html_element(out, "p", "why", reason);
}

static void summary_write(FILE *out, const struct run_result *run, const struct causes *causes)
{
    struct run_totals totals;
    run_count(run, &totals);
    fprintf(out, "<header>\n<h1>Conformance report</h1>\n<p class=\"result %s\">%s</p>\n",
            run_exit_code(run) != 0 ? "bad" : "good",
            run->interrupted                         ? "Interrupted: this is not the whole run"
            : totals.failed > 0 || totals.broken > 0 ? "Not met"
            : totals.passed == 0                     ? "Nothing was judged"
                                                     : "Met, as far as it was judged");
    why_write(out, run, causes);
    fputs("<div class=\"tiles\">\n", out);
    tile_write(out, "good", totals.passed, "passed");
    tile_write(out, "bad", totals.failed, "failed");
    if (totals.broken > 0)
        tile_write(out, "bad", totals.broken,
                   totals.broken == 1 ? "requirement not met besides" : "requirements not met besides");
    if (totals.disputed > 0)
        tile_write(out, "warn", totals.disputed, "of the passed disputed");
    if (totals.warned > 0)
        tile_write(out, "warn", totals.warned, "of the passed with warnings");
    if (totals.tolerated > 0)
        tile_write(out, "dim", totals.tolerated, "known, new or flaky");
    tile_write(out, "dim", totals.unsupported, "unsupported");
    tile_write(out, "dim", totals.not_run, "not judged");
    fputs("</div>\n", out);
    facts_write(out, run);
    fputs("</header>\n", out);
}

static void filter_write(FILE *out)
{
    static const struct {
        const char *value, *words;
    } CHOICES[] = {{"all", "All"},
                   {"failed", "Failed"},
                   {"remarked", "Worth a look"},
                   {"passed", "Passed"},
                   {"unjudged", "Not judged"}};
    fputs("<form class=\"filter\" id=\"filter\" role=\"search\">\n<label>Filter <input type=\"search\" "
          "id=\"words\" "
          "autocomplete=\"off\" placeholder=\"case, requirement, verdict, "
          "text\"></label>\n<fieldset><legend>Show</legend>",
          out);
    for (size_t i = 0; i < sizeof CHOICES / sizeof CHOICES[0]; i++)
        fprintf(out, "<label><input type=\"radio\" name=\"show\" value=\"%s\"%s><span>%s</span></label>",
                CHOICES[i].value, i == 0 ? " checked" : "", CHOICES[i].words);
    fputs("</fieldset>\n<output id=\"found\"></output>\n</form>\n", out);
}

bool html_report_write(FILE *out, const struct run_result *run)
{
    struct causes causes;
    causes_init(run, &causes);
    head_write(out);
    summary_write(out, run, &causes);
    html_causes(out, run, &causes);
    causes_free(&causes);
    filter_write(out);
    fputs("<main>\n", out);
    html_legend(out);
    html_requirements(out, run);
    html_cases(out, run);
    fputs("</main>\n<div id=\"tip\" role=\"tooltip\" hidden></div>\n<script>\n", out);
    fputs(PAGE_SCRIPT, out);
    fputs("</script>\n</body>\n</html>\n", out);
    return ferror(out) == 0 && fflush(out) == 0;
}
