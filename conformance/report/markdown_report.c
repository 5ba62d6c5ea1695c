#include "conformance/report/markdown_report.h"

#include <stdlib.h>

#include "codec/wire/utf8.h"
#include "conformance/report/causes.h"

enum { CAUSES_WHOLE_MAX = 8, LOOK_WHOLE_MAX = 3, WROTE_LINES = 6, BLOCKED_NAMED_MAX = 30, ITEM_MAX = 2000 };

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

/* ---- the causes ---- */

/* Lines as they are, in a block that Markdown leaves alone. */
static void lines_write(FILE *out, const char *title, const char *lines)
{
    if (lines[0] == '\0')
        return;
    fprintf(out, "- %s\n  <pre>", title);
    for (const char *at = lines; *at != '\0';) {
        char line[EVIDENCE_WIRE_MAX];
        const size_t len = strcspn(at, "\n");
        struct text text = text_of(line, sizeof line);
        text_add_bytes(&text, bytes_of(at, len));
        cell_write(out, line);
        at += len + (at[len] == '\n' ? 1 : 0);
        fputs(*at == '\0' ? "" : "<br>", out);
    }
    fputs("</pre>\n", out);
}

static void item_write(FILE *out, const char *title, const char *value)
{
    if (value[0] == '\0')
        return;
    fprintf(out, "- %s", title);
    cell_write(out, value);
    fputc('\n', out);
}

static void ids_write(FILE *out, const struct cause *cause)
{
    char ids[JUDGE_TEXT_MAX];
    struct text text = text_of(ids, sizeof ids);
    cause_requirements(cause, 0, CAUSE_WAYS_MAX, &text);
    fprintf(out, "%s%s", text.len > 0 ? " " : "", ids);
}

static void requirement_item_write(FILE *out, const struct cause *cause)
{
    const struct requirement *requirement = cause->requirements[0];
    fprintf(out, "- %s, basis %s, ", requirement_level_name(requirement->level),
            requirement_basis_name(requirement_basis_in(requirement, cause->first->profile)));
    cell_write(out, requirement->source);
    fputs(": ", out);
    cell_write(out, requirement->statement);
    fputc('\n', out);
}

static void consequences_write(FILE *out, const struct cause *cause)
{
    char item[ITEM_MAX];
    struct text text = text_of(item, sizeof item);
    cause_where(cause, &text);
    if (cause->case_count > 0) {
        text_add(&text, "; fails ");
        text_add_u64(&text, cause->case_count);
        text_add(&text, cause->case_count == 1 ? " case" : " cases");
    }
    item_write(out, "Shows ", item);
    for (size_t i = 0; i < cause->way_count && i < CAUSE_WAYS_MAX; i++) {
        text = text_of(item, sizeof item);
        cause_way_write(&cause->ways[i], &text);
        item_write(out, "Also as ", item);
    }
    if (cause->way_count > CAUSE_WAYS_MAX)
        fprintf(out, "- and in %zu more ways\n", cause->way_count - CAUSE_WAYS_MAX);
    text = text_of(item, sizeof item);
    cause_answer(cause, &text);
    item_write(out, "The mock ", item);
    text = text_of(item, sizeof item);
    cause_blocked(cause, BLOCKED_NAMED_MAX, &text);
    item_write(out, "Not judged because of it, or in part: ", item);
}

static void cause_write(FILE *out, const struct cause *cause, size_t number)
{
    const bool said = cause->evidence != NULL && cause->evidence->seen[0] != '\0';
    fprintf(out, "\n%s %zu. %s", cause->fails ? "###" : "####", number, cause->word);
    ids_write(out, cause);
    fputs("\n\n", out);
    cell_write(out, cause->sentence);
    fputs("\n\n", out);
    if (cause->kind == CAUSE_BROKEN && cause->requirement_count > 0)
        requirement_item_write(out, cause);
    item_write(out, "Situation: ", cause_situation(cause));
    item_write(out, "To do: ", cause_task(cause));
    lines_write(out, cause_shows_message(cause) ? "On the wire" : "Last on the wire", cause_wire(cause));
    lines_write(out, said ? "The client said" : "The client said last", cause_said(cause));
    lines_write(out, "It wrote", cause_wrote(cause, WROTE_LINES));
    consequences_write(out, cause);
    lines_write(out, "rerun:", cause->first->repro);
}

static void short_row_write(FILE *out, const struct cause *cause, size_t number)
{
    char where[ITEM_MAX];
    struct text text = text_of(where, sizeof where);
    cause_where(cause, &text);
    fprintf(out, "| %zu | %s |", number, cause->word);
    ids_write(out, cause);
    fputs(" | ", out);
    cell_write(out, cause->sentence);
    fputs(" | ", out);
    cell_write(out, where);
    fputs(" |\n", out);
}

/* Causes [from, to): the first `whole` of them as blocks, the others in a table. */
static void stretch_write(FILE *out, const struct causes *causes, size_t from, size_t to, size_t whole,
                          const char *title)
{
    size_t rows = 0;
    for (size_t i = from; i < to; i++) {
        if (i - from < whole) {
            cause_write(out, &causes->list[i], i + 1);
            continue;
        }
        if (rows++ == 0)
            fprintf(out, "\n%s\n\n| # | verdict | requirement | what | where |\n|---|---|---|---|---|\n",
                    title);
        if (rows <= MARKDOWN_ROWS_MAX)
            short_row_write(out, &causes->list[i], i + 1);
    }
    if (rows > MARKDOWN_ROWS_MAX)
        fprintf(out, "\n%zu more rows are left out.\n", rows - MARKDOWN_ROWS_MAX);
}

static void causes_write(FILE *out, const struct causes *causes)
{
    stretch_write(out, causes, 0, causes->failing_count, CAUSES_WHOLE_MAX, "### More causes");
    if (causes->count > causes->failing_count)
        fputs("\n### Worth a look\n\nNone of these fails the run.\n", out);
    stretch_write(out, causes, causes->failing_count, causes->count, LOOK_WHOLE_MAX, "#### More of these");
}

/* ---- the requirements ---- */

static void requirements_write(FILE *out, const struct run_result *run)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    size_t passed = 0, in_part = 0, unsupported = 0, written = 0;
    if (rows == NULL)
        return;
    run_requirements(run, rows);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        const struct requirement_result *row = &rows[i];
        const bool pass = row->judged && row->verdict == VERDICT_PASS;
        passed += pass ? 1 : 0;
        in_part += requirement_is_in_part(row) ? 1 : 0;
        unsupported += row->judged && row->verdict == VERDICT_UNSUPPORTED ? 1 : 0;
        if (!row->judged || pass || row->verdict == VERDICT_UNSUPPORTED)
            continue;
        if (written++ == 0)
            fputs("\n<details><summary>Requirements that are not PASS</summary>\n\n"
                  "| requirement | verdict | judged | statement |\n|---|---|---|---|\n",
                  out);
        fprintf(out, "| %s | %s | %zu of %zu | ", row->requirement->id, verdict_name(row->verdict),
                row->judged_count, row->check_count);
        cell_write(out, row->requirement->statement);
        fputs(" |\n", out);
    }
    fprintf(out, "%s\nRequirements: %zu PASS", written > 0 ? "\n</details>\n" : "", passed);
    if (in_part > 0)
        fprintf(out, " (%zu in part)", in_part);
    fprintf(out, ", %zu UNSUPPORTED, %zu others.\n", unsupported, written);
    free(rows);
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

static void host_write(FILE *out, const struct run_host *host)
{
    if (host->date[0] == '\0')
        return;
    fprintf(out, "%s, ojin-conform %s, %u CPUs, load %.1f %.1f %.1f.\n", host->date,
            host->version == NULL ? "" : host->version, host->cpu_count, host->load[0], host->load[1],
            host->load[2]);
}

bool markdown_report_write(FILE *out, const struct run_result *run)
{
    struct run_totals totals;
    struct causes causes;
    char headline[RUN_REASON_MAX];
    struct text text = text_of(headline, sizeof headline);
    run_count(run, &totals);
    causes_init(run, &causes);
    causes_headline(&causes, &text);
    const bool any = text.len > 0;
    char counts[ITEM_MAX];
    text = text_of(counts, sizeof counts);
    run_totals_write(&totals, &text);
    fprintf(out, "## ojin-conform: %s\n\n", counts);
    if (any) {
        fputs("**", out);
        cell_write(out, headline);
        fputs("**\n\n", out);
    }
    fputs("Tested: <code>", out);
    cell_write(out, run->command == NULL ? "" : run->command);
    text = text_of(counts, sizeof counts);
    run_totals_rest_write(&totals, &text);
    fprintf(out, "</code>, %zu %s in %llu.%llu s%s. ", run->case_count,
            run->case_count == 1 ? "case" : "cases", (unsigned long long)(run->duration_ms / 1000),
            (unsigned long long)(run->duration_ms / 100 % 10), counts);
    host_write(out, &run->host);
    fputc('\n', out);
    if (run->interrupted)
        fputs("\n**Interrupted**: this is not the whole run.\n", out);
    causes_write(out, &causes);
    requirements_write(out, run);
    unjudged_write(out, run);
    fputc('\n', out);
    causes_free(&causes);
    return ferror(out) == 0 && fflush(out) == 0;
}
