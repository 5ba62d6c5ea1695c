#include "conformance/report/tap_report.h"

#include <stdlib.h>

#include "codec/wire/utf8.h"

/* A description: what would begin a directive or an escape is escaped. */
static void description_write(FILE *out, const char *string)
{
    for (; *string != '\0'; string++) {
        if (*string == '#' || *string == '\\')
            fputc('\\', out);
        unsigned char byte = (unsigned char)*string;
        fputc(byte < 0x20 || byte == 0x7f ? ' ' : byte, out);
    }
}

static void quoted_byte_write(FILE *out, unsigned char byte)
{
    if (byte == '"' || byte == '\\')
        fprintf(out, "\\%c", byte);
    else if (byte == '\n')
        fputs("\\n", out);
    else if (byte < 0x20 || byte == 0x7f)
        fprintf(out, "\\x%02x", byte);
    else
        fputc(byte, out);
}

/* A double-quoted scalar of YAML; what is no UTF-8 becomes '?'. */
static void quoted_write(FILE *out, const char *string)
{
    struct bytes rest = bytes_of_text(string);
    fputc('"', out);
    while (rest.len > 0) {
        size_t valid = utf8_valid_prefix(rest);
        for (size_t i = 0; i < valid; i++)
            quoted_byte_write(out, rest.data[i]);
        if (valid == rest.len)
            break;
        fputc('?', out);
        rest = bytes_of(rest.data + valid + 1, rest.len - valid - 1);
    }
    fputs("\"\n", out);
}

static void member_write(FILE *out, const char *before, const char *name, const char *value)
{
    fprintf(out, "%s%s: ", before, name);
    quoted_write(out, value);
}

static bool worth_telling(enum verdict verdict)
{
    return verdict != VERDICT_PASS && verdict != VERDICT_UNSUPPORTED;
}

static bool has_remarks(const struct run_case *run_case)
{
    for (size_t i = 0; i < run_case->result.check_count; i++)
        if (worth_telling(run_case->result.checks[i].verdict))
            return true;
    return false;
}

static void check_write(FILE *out, const struct profile *profile, const struct check_result *check)
{
    const struct requirement *requirement = check->requirement;
    member_write(out, "    - ", "check", check->name);
    member_write(out, "      ", "requirement", requirement->id);
    member_write(out, "      ", "level", requirement_level_name(requirement->level));
    member_write(out, "      ", "basis", requirement_basis_name(requirement_basis_in(requirement, profile)));
    member_write(out, "      ", "statement", requirement->statement);
    member_write(out, "      ", "verdict", verdict_name(check->verdict));
    member_write(out, "      ", "expected", check->expected);
    member_write(out, "      ", "actual", check->actual);
}

static void diagnostics_write(FILE *out, const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    fputs("  ---\n", out);
    member_write(out, "  ", "verdict", run_case_word(run_case));
    member_write(out, "  ", "title", run_case->script->title);
    fprintf(out, "  duration_ms: %llu\n", (unsigned long long)run_case->duration_ms);
    if (result->note[0] != '\0')
        member_write(out, "  ", "ended", result->note);
    if (run_case->repro[0] != '\0')
        member_write(out, "  ", "rerun", run_case->repro);
    if (has_remarks(run_case)) {
        fputs("  checks:\n", out);
        for (size_t i = 0; i < result->check_count; i++)
            if (worth_telling(result->checks[i].verdict))
                check_write(out, run_case->profile, &result->checks[i]);
    }
    fputs("  ...\n", out);
}

static void point_write(FILE *out, const struct run_result *run, size_t n)
{
    const struct run_case *run_case = &run->cases[n];
    const enum run_outcome outcome = run_case_outcome(run, run_case);
    fprintf(out, "%s %zu - ", outcome == RUN_FAILED || outcome == RUN_TOLERATED ? "not ok" : "ok", n + 1);
    description_write(out, run_case->script->name);
    if (run_case->profile != NULL) {
        fputc(' ', out);
        description_write(out, run_case->profile->name);
    }
    const char *reason = run_case_unjudged_reason(run, run_case);
    if (reason[0] != '\0')
        fprintf(out, " # SKIP %s", reason);
    if (outcome == RUN_TOLERATED) { /* TAP's word for a failure that fails nobody */
        fprintf(out, " # TODO %s ", run_case_word(run_case));
        description_write(out, run_case->result.note);
    }
    fputc('\n', out);
    if (run_case->ran && (outcome == RUN_FAILED || outcome == RUN_TOLERATED ||
                          (outcome == RUN_PASSED && has_remarks(run_case))))
        diagnostics_write(out, run_case);
}

/* A requirement that fails the run: a case need not fail by it. */
static void requirement_write(FILE *out, const struct run_result *run, const struct requirement_result *row,
                              size_t number)
{
    char missing[RUN_REASON_MAX];
    struct text text = text_of(missing, sizeof missing);
    fprintf(out, "not ok %zu - requirement %s\n  ---\n", number, row->requirement->id);
    member_write(out, "  ", "verdict", verdict_name(row->verdict));
    member_write(out, "  ", "statement", row->requirement->statement);
    fprintf(out, "  judged: %zu\n  of: %zu\n  sessions: %zu\n  broken_sessions: %zu\n", row->judged_count,
            row->check_count, row->session_count, row->broken_session_count);
    if (run_requirement_missing(run, row, &text))
        member_write(out, "  ", "missing", missing);
    fputs("  ...\n", out);
}

static bool report_write(FILE *out, const struct run_result *run, unsigned version)
{
    struct requirement_result *rows = calloc(REQUIREMENT_COUNT, sizeof *rows);
    size_t count = run->case_count;
    if (rows == NULL)
        return false;
    run_requirements(run, rows);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        count += requirement_is_not_met(&rows[i]) ? 1 : 0;
    fprintf(out, "TAP version %u\n1..%zu\n", version, count);
    for (size_t i = 0; i < run->case_count; i++)
        point_write(out, run, i);
    count = run->case_count;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (requirement_is_not_met(&rows[i]))
            requirement_write(out, run, &rows[i], ++count);
    free(rows);
    if (run->interrupted)
        fputs("Bail out! interrupted\n", out);
    return ferror(out) == 0 && fflush(out) == 0;
}

bool tap_report_write(FILE *out, const struct run_result *run)
{
    return report_write(out, run, 14);
}

bool tap13_report_write(FILE *out, const struct run_result *run)
{
    return report_write(out, run, 13);
}
