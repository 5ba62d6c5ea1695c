#include "conformance/report/markdown_report.h"

#include "codec/wire/utf8.h"

/* In a cell of a table: what Markdown or HTML would take for markup is an entity. */
static void byte_write(FILE *out, unsigned char byte)
{
    if (byte < 0x20 || byte == 0x7f)
        fputc(' ', out);
    else if (strchr("&<>|`*_[]\\~@#!", byte) != NULL)
        fprintf(out, "&#%u;", (unsigned)byte);
    else
        fputc(byte, out);
}

static void cell_write(FILE *out, const char *string)
{
    struct bytes rest = bytes_of_text(string);
    while (rest.len > 0) {
        size_t valid = utf8_valid_prefix(rest);
        for (size_t i = 0; i < valid; i++)
            byte_write(out, rest.data[i]);
        if (valid == rest.len)
            return;
        fputc('?', out);
        rest = bytes_of(rest.data + valid + 1, rest.len - valid - 1);
    }
}

/* What was not reached in a case that fails nobody is no failure. */
static bool check_failed(const struct run_case *run_case, const struct check_result *check)
{
    return check_fails(check) && (check->scope == SCOPE_RUN || case_fails(&run_case->result));
}

static bool check_remarked(const struct run_case *run_case, const struct check_result *check)
{
    const enum verdict verdict = check->verdict;
    (void)run_case;
    return verdict == VERDICT_XFAIL || verdict == VERDICT_NEW || verdict == VERDICT_FLAKY ||
           verdict == VERDICT_DISPUTED || verdict == VERDICT_WARN;
}

static void check_row_write(FILE *out, const struct run_case *run_case, const struct check_result *check)
{
    fprintf(out, "| %s | %s | ",
            check->verdict == VERDICT_FAIL ? run_case_word(run_case) : verdict_name(check->verdict),
            check->requirement->id);
    cell_write(out, run_case->script->name);
    fputs(": ", out);
    cell_write(out, check->name);
    fputs(" | ", out);
    cell_write(out, check->expected);
    fputs(" | ", out);
    cell_write(out, check->actual);
    fputs(" |\n", out);
}

/* The checks for which `wanted` holds, under a heading; nothing when there are none. */
static void table_write(FILE *out, const struct run_result *run, const char *heading,
                        bool (*wanted)(const struct run_case *run_case, const struct check_result *check))
{
    size_t rows = 0;
    for (size_t i = 0; i < run->case_count; i++) {
        const struct run_case *run_case = &run->cases[i];
        for (size_t k = 0; run_case->ran && k < run_case->result.check_count; k++) {
            const struct check_result *check = &run_case->result.checks[k];
            if (!wanted(run_case, check))
                continue;
            if (rows == 0)
                fprintf(out,
                        "\n### %s\n\n| verdict | requirement | case | expected | actual "
                        "|\n|---|---|---|---|---|\n",
                        heading);
            if (rows++ < MARKDOWN_ROWS_MAX)
                check_row_write(out, run_case, check);
        }
    }
    if (rows > MARKDOWN_ROWS_MAX)
        fprintf(out, "\n%zu more rows are left out.\n", rows - MARKDOWN_ROWS_MAX);
}

static void repeat_write(FILE *out, const struct run_result *run)
{
    size_t lines = 0;
    for (size_t i = 0; i < run->case_count; i++) {
        const struct run_case *run_case = &run->cases[i];
        if (run_case_outcome(run, run_case) != RUN_FAILED || run_case->repro[0] == '\0')
            continue;
        if (lines++ == 0)
            fputs("\n<details><summary>To see them again</summary>\n\n<pre>", out);
        if (lines <= MARKDOWN_ROWS_MAX) {
            cell_write(out, run_case->repro);
            fputs("<br>", out);
        }
    }
    if (lines > 0)
        fputs("</pre>\n\n</details>\n", out);
}

static void unjudged_write(FILE *out, const struct run_result *run)
{
    bool any = false;
    for (size_t i = 0; i < run->case_count; i++) {
        const char *reason = run_case_unjudged_reason(run, &run->cases[i]);
        bool first = reason[0] != '\0';
        size_t count = 0;
        for (size_t k = 0; first && k < run->case_count; k++) {
            const bool same = strcmp(run_case_unjudged_reason(run, &run->cases[k]), reason) == 0;
            first = !(same && k < i);
            count += same ? 1 : 0;
        }
        if (!first)
            continue;
        fprintf(out, "%s%zu %s (%s)", any ? ", " : "\nNot judged: ", count, count == 1 ? "case" : "cases",
                reason);
        any = true;
    }
    if (any)
        fputs("\n", out);
}

bool markdown_report_write(FILE *out, const struct run_result *run)
{
    struct run_totals totals;
    run_count(run, &totals);
    fprintf(out, "## ojin-conform: %zu passed, %zu failed", totals.passed, totals.failed);
    if (totals.disputed > 0)
        fprintf(out, ", %zu disputed", totals.disputed);
    fputs("\n\n", out);
    fputs("Put to the test: <code>", out);
    cell_write(out, run->command == NULL ? "" : run->command);
    fprintf(out, "</code>, %zu %s in %llu.%llu s.\n", run->case_count,
            run->case_count == 1 ? "case" : "cases", (unsigned long long)(run->duration_ms / 1000),
            (unsigned long long)(run->duration_ms / 100 % 10));
    if (run->interrupted)
        fputs("\n**Interrupted**: this is not the whole run.\n", out);
    table_write(out, run, "Failed", check_failed);
    repeat_write(out, run);
    table_write(out, run, "Worth a look", check_remarked);
    unjudged_write(out, run);
    fputc('\n', out);
    return ferror(out) == 0 && fflush(out) == 0;
}
