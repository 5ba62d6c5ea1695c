#include "conformance/report/terminal_report.h"

#include "conformance/report/terminal_style.h"

enum { TEXT_COLUMNS_MAX = 2000, ALIKE_CASES_MIN = 5, CAUSE_SHOWN_MAX = 1024 };

static void profile_add(FILE *out, const struct run_case *run_case)
{
    fprintf(out, "  %s", run_case->profile == NULL ? "" : run_case->profile->name);
}

void terminal_case(FILE *out, const struct run_case *run_case, const struct terminal_options *options)
{
    terminal_word(out, options, run_case_word(run_case), 11);
    fprintf(out, " %s", run_case->script->name);
    profile_add(out, run_case);
    if (run_case->ran)
        fprintf(out, "  %llu ms", (unsigned long long)run_case->duration_ms);
    fputc('\n', out);
}

void terminal_progress(FILE *out, const struct run_progress *progress, const struct terminal_options *options)
{
    char line[200];
    fputs("\r\033[K", out);
    if (progress->done < progress->count) {
        snprintf(line, sizeof line, "[%zu/%zu] %zu failed  %s", progress->done, progress->count,
                 progress->failed, progress->case_name);
        terminal_text(out, line, terminal_columns(options) - 1);
    }
    fflush(out);
}

static void member_write(FILE *out, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    fprintf(out, "    %-9s ", name);
    terminal_text(out, value, TEXT_COLUMNS_MAX);
    fputc('\n', out);
}

/* What was not reached beside a failure mostly follows from it: one line each. */
static void follower_write(FILE *out, const struct check_result *check,
                           const struct terminal_options *options)
{
    fputs("  ", out);
    terminal_word(out, options, verdict_name(check->verdict), 11);
    fprintf(out, "%s  %s: ", check->requirement->id, check->name);
    terminal_text(out, check->actual, terminal_columns(options));
    fputc('\n', out);
}

static void check_write(FILE *out, const struct profile *profile, const struct check_result *check,
                        const struct terminal_options *options)
{
    const struct requirement *requirement = check->requirement;
    fputs("  ", out);
    terminal_word(out, options, verdict_name(check->verdict), 11);
    fprintf(out, "%s  %s, basis %s  (%s)\n", requirement->id, requirement_level_name(requirement->level),
            requirement_basis_name(requirement_basis_in(requirement, profile)), requirement->source);
    member_write(out, "rule", requirement->statement);
    member_write(out, "check", check->name);
    member_write(out, "expected", check->expected);
    member_write(out, "actual", check->actual);
}

/* The lines of the tail, each set in. */
static void tail_write(FILE *out, const char *tail)
{
    if (tail[0] == '\0')
        return;
    fputs("  last on the wire\n    ", out);
    for (; *tail != '\0'; tail++) {
        unsigned char byte = (unsigned char)*tail;
        if (byte == '\n' && tail[1] != '\0')
            fputs("\n    ", out);
        else if (byte != '\n')
            fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
    }
    fputc('\n', out);
}

static void kept_write(FILE *out, const struct run_case *run_case)
{
    if (run_case->folder[0] != '\0')
        fprintf(out, "  kept in   %s\n", run_case->folder);
    if (run_case->repro[0] != '\0')
        fprintf(out, "  again     %s\n", run_case->repro);
}

static void failure_write(FILE *out, const struct run_case *run_case, const struct terminal_options *options)
{
    fputc('\n', out);
    terminal_word(out, options, run_case_word(run_case), 11);
    fprintf(out, " %s", run_case->script->name);
    profile_add(out, run_case);
    fputs("\n  ", out);
    terminal_text(out, run_case->script->title, terminal_columns(options) - 2);
    fputc('\n', out);
    const struct case_result *result = &run_case->result;
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check_result *check = &result->checks[i];
        if (check->verdict == VERDICT_NOT_REACHED && result->verdict != VERDICT_NOT_REACHED)
            follower_write(out, check, options);
        else if (check_fails(check) && check->scope != SCOPE_RUN)
            check_write(out, run_case->profile, check, options);
    }
    if (result->note[0] != '\0') {
        fputs("  ended     ", out);
        terminal_text(out, result->note, TEXT_COLUMNS_MAX);
        fputc('\n', out);
    }
    tail_write(out, run_case->wire_tail);
    kept_write(out, run_case);
}

static bool verdict_is_remark(enum verdict verdict)
{
    return verdict == VERDICT_XFAIL || verdict == VERDICT_NEW || verdict == VERDICT_FLAKY ||
           verdict == VERDICT_DISPUTED || verdict == VERDICT_WARN || verdict == VERDICT_INFO;
}

/* Where nothing was found it has to be said of what. */
static void remark_write(FILE *out, const struct check_result *check, const struct terminal_options *options)
{
    if (strcmp(check->actual, "none") != 0) {
        terminal_text(out, check->actual, terminal_columns(options));
        return;
    }
    fputs("found none, expected ", out);
    terminal_text(out, check->expected, terminal_columns(options));
}

/* What fails nobody but should be read: one line each. */
static void remarks_write(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    bool any = false;
    for (size_t i = 0; i < run->case_count; i++) {
        const struct run_case *run_case = &run->cases[i];
        for (size_t n = 0; run_case->ran && n < run_case->result.check_count; n++) {
            const struct check_result *check = &run_case->result.checks[n];
            if (!verdict_is_remark(check->verdict))
                continue;
            if (!any)
                fputs("\nWorth a look\n", out);
            any = true;
            fputs("  ", out);
            terminal_word(out, options, verdict_name(check->verdict), 9);
            fprintf(out, " %s  %s %s: ", check->requirement->id, run_case->script->name, check->name);
            remark_write(out, check, options);
            fputc('\n', out);
        }
        if (run_case->ran &&
            (run_case->result.verdict == VERDICT_DISPUTED || run_case->result.verdict == VERDICT_FLAKY))
            kept_write(out, run_case);
    }
}

/* ---- one cause of many failures ---- */

/* Why a case failed, as far as another may have failed for the same: how its client ended, where it broke
 * off, else what was found. */
static struct bytes cause_of(const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    const struct check_result *check = run_case_failing_check(run_case);
    const char *stopped = strstr(result->note, "stopped in line ");
    const char *why = stopped == NULL ? NULL : strstr(stopped, ": ");
    if (result->end != CLIENT_ENDED || check == NULL)
        return bytes_of(result->note, strcspn(result->note, ";"));
    if (check->verdict == VERDICT_NOT_REACHED && why != NULL)
        return bytes_of_text(why + 2);
    return bytes_of_text(check->actual);
}

static bool fails_alike(const struct run_result *run, const struct run_case *a, const struct run_case *b)
{
    const struct check_result *of_a = run_case_failing_check(a), *of_b = run_case_failing_check(b);
    const bool is_named = of_a != NULL && of_b != NULL && of_a->verdict == VERDICT_FAIL;
    return run_case_outcome(run, b) == RUN_FAILED && strcmp(run_case_word(a), run_case_word(b)) == 0 &&
           (!is_named || of_a->requirement == of_b->requirement) && bytes_equal(cause_of(a), cause_of(b));
}

/* The first that failed for the same as case `at`, where those are so many that nobody reads each of them;
 * else `at`. */
static size_t first_alike(const struct run_result *run, size_t at)
{
    size_t count = 0, first = at;
    for (size_t i = 0; i < run->case_count; i++) {
        if (!fails_alike(run, &run->cases[at], &run->cases[i]))
            continue;
        first = count++ == 0 ? i : first;
    }
    return count < ALIKE_CASES_MIN ? at : first;
}

static void alike_write(FILE *out, const struct run_case *run_case, const struct run_case *first,
                        const struct terminal_options *options)
{
    terminal_word(out, options, run_case_word(run_case), 11);
    fprintf(out, " %s", run_case->script->name);
    profile_add(out, run_case);
    fprintf(out, "  as %s: ", first->script->name);
    const struct bytes cause = cause_of(run_case);
    char shown[CAUSE_SHOWN_MAX];
    struct text text = text_of(shown, sizeof shown);
    text_add_bytes(&text, cause);
    terminal_text(out, shown, terminal_columns(options));
    fputc('\n', out);
}

static void failures_write(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    size_t alike = 0;
    bool in_lines = false;
    for (size_t i = 0; i < run->case_count; i++) {
        if (run_case_outcome(run, &run->cases[i]) != RUN_FAILED)
            continue;
        const size_t first = first_alike(run, i);
        if (first != i && !in_lines)
            fputc('\n', out);
        in_lines = first != i;
        if (first == i)
            failure_write(out, &run->cases[i], options);
        else
            alike_write(out, &run->cases[i], &run->cases[first], options);
        alike += in_lines ? 1 : 0;
    }
    if (alike > 0)
        fprintf(out,
                "\n%zu cases failed for the cause of another and are told in a line: --out has all of each\n",
                alike);
}

void terminal_report(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    failures_write(out, run, options);
    remarks_write(out, run, options);
    terminal_requirements(out, run, options);
    terminal_summary(out, run);
}
