#include "conformance/report/terminal_report.h"

#include "conformance/report/cause_key.h"
#include "conformance/report/terminal_style.h"

enum { REMARKS_MAX = 10 };

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

/* ---- remarks ---- */

struct remark {
    const struct run_case *run_case;
    const struct check_result *check;
};

static bool is_alike(const struct check_result *a, const struct check_result *b)
{
    char of_a[CAUSE_KEY_MAX], of_b[CAUSE_KEY_MAX];
    struct text text_a = text_of(of_a, sizeof of_a), text_b = text_of(of_b, sizeof of_b);
    if (a->requirement != b->requirement)
        return false;
    cause_key_write(&text_a, a->actual);
    cause_key_write(&text_b, b->actual);
    return strcmp(of_a, of_b) == 0;
}

/* The remarks of the run, like ones once; how many there are. */
static size_t remarks_gather(const struct run_result *run, size_t most, struct remark *out)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < run->case_count; i++) {
        const struct run_case *run_case = &run->cases[i];
        for (size_t n = 0; run_case->ran && n < run_case->result.check_count; n++) {
            const struct check_result *check = &run_case->result.checks[n];
            bool known = check->verdict != VERDICT_INFO;
            for (size_t k = 0; k < kept && !known; k++)
                known = is_alike(out[k].check, check);
            if (known)
                continue;
            if (kept < most)
                out[kept++] = (struct remark){run_case, check};
            count++;
        }
    }
    return count;
}

static void remark_write(FILE *out, const struct remark *remark, const struct terminal_options *options)
{
    const struct check_result *check = remark->check;
    char line[2 * JUDGE_TEXT_MAX + 2 * SCRIPT_NAME_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, check->requirement->id);
    text_add(&text, "  ");
    text_add(&text, remark->run_case->script->name);
    text_add(&text, " ");
    text_add(&text, check->name);
    text_add(&text, ": ");
    text_add(&text, check->actual);
    fputs("  ", out);
    terminal_word(out, options, verdict_name(check->verdict), 5);
    terminal_text(out, line, 2 * terminal_columns(options));
    fputc('\n', out);
}

/* What asks for nothing, and is good to know. */
static void remarks_write(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    enum { KEPT_MAX = 200 };
    struct remark remarks[KEPT_MAX];
    const size_t most = options->verbose ? (size_t)KEPT_MAX : (size_t)REMARKS_MAX;
    const size_t count = remarks_gather(run, most, remarks);
    if (count > 0)
        fputs("\nRemarks\n", out);
    for (size_t i = 0; i < count && i < most; i++)
        remark_write(out, &remarks[i], options);
    if (count > most)
        fprintf(out, "  and more: --verbose shows them, --json and --html too\n");
}

void terminal_report(FILE *out, const struct run_result *run, const struct terminal_options *options)
{
    terminal_requirements(out, run, options);
    terminal_locks(out, run, options);
    remarks_write(out, run, options);
    terminal_causes(out, run, options);
    terminal_summary(out, run);
}
