#include "conformance/selection/baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/text.h"
#include "conformance/judge/verdict.h"
#include "conformance/selection/check_names.h"
#include "conformance/selection/name_pattern.h"
#include "conformance/selection/selection.h"

/* ---- reading ---- */

struct line {
    const char *path;
    unsigned number;
    struct bytes text;
};

static bool complain(const struct line *line, size_t offset, const char *expected, struct bytes found)
{
    fprintf(stderr, "%s:%u:%zu: expected %s, found ", line->path, line->number, offset + 1, expected);
    if (found.len == 0)
        fputs("the end of the line\n", stderr);
    else
        fprintf(stderr, "'%.*s'\n", (int)(found.len < 80 ? found.len : 80), (const char *)found.data);
    return false;
}

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static struct bytes trimmed(struct bytes text)
{
    while (text.len > 0 && is_space(text.data[0]))
        text = bytes_of(text.data + 1, text.len - 1);
    while (text.len > 0 && is_space(text.data[text.len - 1]))
        text.len--;
    return text;
}

/* False when it does not fit. */
static bool copy(struct bytes text, char *out, size_t capacity)
{
    if (text.len >= capacity || memchr(text.data, '\0', text.len) != NULL)
        return false;
    memcpy(out, text.data, text.len);
    out[text.len] = '\0';
    return true;
}

static bool fits_a_case(const struct case_set *set, const char *pattern)
{
    for (size_t i = 0; i < set->count; i++)
        if (case_name_matches(set->scripts[i]->name, pattern))
            return true;
    return false;
}

static struct bytes rest_of(const struct line *line, size_t offset)
{
    return bytes_of(line->text.data + offset, line->text.len - offset);
}

/* A line that is neither empty nor a comment. */
static bool parse_entry(const struct line *line, const struct case_set *set, struct baseline_entry *out)
{
    size_t start = 0, end = 0;
    while (is_space(line->text.data[start]))
        start++;
    for (end = start; end < line->text.len && !is_space(line->text.data[end]); end++)
        continue;
    struct bytes pattern = bytes_of(line->text.data + start, end - start);
    const uint8_t *colon = memchr(pattern.data, ':', pattern.len);
    struct bytes check = bytes_of(pattern.data + pattern.len, 0);
    if (colon != NULL) {
        const size_t before = (size_t)(colon - pattern.data);
        check = bytes_of(colon + 1, pattern.len - before - 1);
        pattern.len = before;
        if (check.len == 0)
            return complain(line, end, "a check or a requirement after the colon",
                            trimmed(rest_of(line, end)));
    }
    out->line = line->number;
    if (!copy(pattern, out->pattern, sizeof out->pattern) || !copy(check, out->check, sizeof out->check))
        return complain(line, start, "a pattern of at most 159 bytes", pattern);
    if (!fits_a_case(set, out->pattern))
        return complain(line, start, "a pattern that fits a case of the suite", pattern);
    if (check.len > 0 && !check_name_fits(set, out->pattern, out->check))
        return complain(line, start + pattern.len + 1, "a check or a requirement of those cases", check);
    size_t hash = end;
    while (hash < line->text.len && is_space(line->text.data[hash]))
        hash++;
    if (hash == line->text.len || line->text.data[hash] != '#')
        return complain(line, hash, "'# ' and the reason", rest_of(line, hash));
    const struct bytes reason = trimmed(rest_of(line, hash + 1));
    if (reason.len == 0)
        return complain(line, line->text.len, "the reason after '#'", reason);
    const struct bytes kept = bytes_of(
        reason.data, reason.len < BASELINE_REASON_MAX - 1 ? reason.len : (size_t)BASELINE_REASON_MAX - 1);
    return copy(kept, out->reason, sizeof out->reason) ||
           complain(line, hash + 1, "a reason without zero bytes", bytes_of_text("a zero byte"));
}

/* The line of `text` that begins at `*offset`, which moves behind it. */
static struct bytes take_line(struct bytes text, size_t *offset)
{
    const uint8_t *start = text.data + *offset;
    const size_t left = text.len - *offset;
    const uint8_t *newline = memchr(start, '\n', left);
    const size_t len = newline == NULL ? left : (size_t)(newline - start);
    *offset += newline == NULL ? len : len + 1;
    return bytes_of(start, len);
}

static bool is_entry(struct bytes line)
{
    line = trimmed(line);
    return line.len > 0 && line.data[0] != '#';
}

static bool parse(struct baseline *baseline, const struct case_set *set)
{
    bool good = true;
    struct line line = {.path = baseline->path};
    for (size_t offset = 0; offset < baseline->text.len;) {
        line.number++;
        line.text = take_line(baseline->text, &offset);
        if (!is_entry(line.text))
            continue;
        if (baseline->count == BASELINE_ENTRIES_MAX)
            return complain(&line, 0, "at most 2048 lines", line.text);
        if (parse_entry(&line, set, &baseline->entries[baseline->count]))
            baseline->count++;
        else
            good = false;
    }
    return good;
}

bool baseline_load(const char *path, const struct case_set *set, bool may_be_missing, struct baseline *out)
{
    *out = (struct baseline){.path = path,
                             .entries = calloc(BASELINE_ENTRIES_MAX, sizeof(struct baseline_entry))};
    if (out->entries == NULL) {
        fputs("ojin-conform: out of memory\n", stderr);
        return false;
    }
    if (!file_read(path, BASELINE_BYTES_MAX, &out->text)) {
        if (errno == ENOENT && may_be_missing)
            return true;
        fprintf(stderr, "ojin-conform: cannot read the baseline %s: %s\n", path, strerror(errno));
        baseline_free(out);
        return false;
    }
    if (parse(out, set))
        return true;
    baseline_free(out);
    return false;
}

void baseline_free(struct baseline *baseline)
{
    free((void *)(uintptr_t)baseline->text.data);
    free(baseline->entries);
    *baseline = (struct baseline){0};
}

/* ---- what a line covers ---- */

static bool covers_check(const struct baseline_entry *entry, const struct check_result *check)
{
    if (entry->check[0] == '\0')
        return true;
    return name_pattern_matches(entry->check, check->name) ||
           name_pattern_matches(entry->check, check->requirement->id);
}

static bool covers_case(const struct baseline_entry *entry, const struct run_case *run_case)
{
    return run_case->ran && run_case->result.verdict != VERDICT_ERROR &&
           case_name_matches(run_case->script->name, entry->pattern);
}

/* Fails in a way that a baseline may know. */
static bool is_failure(const struct check_result *check)
{
    return check->verdict == VERDICT_FAIL ||
           (check->verdict == VERDICT_NOT_REACHED && check_would_fail(check));
}

static bool is_pass(enum verdict verdict)
{
    return verdict == VERDICT_PASS || verdict == VERDICT_INFO || verdict == VERDICT_WARN ||
           verdict == VERDICT_DISPUTED;
}

/* What a line comes to over a run. */
struct standing {
    bool fails;
    bool passes; /* something it covers was judged and passes */
};

static struct standing standing_of(const struct baseline_entry *entry, const struct run_result *run)
{
    struct standing standing = {false, false};
    for (size_t i = 0; i < run->case_count; i++) {
        const struct case_result *result = &run->cases[i].result;
        if (!covers_case(entry, &run->cases[i]))
            continue;
        for (size_t k = 0; k < result->check_count; k++) {
            if (!covers_check(entry, &result->checks[k]))
                continue;
            standing.fails = standing.fails || is_failure(&result->checks[k]);
            standing.passes = standing.passes || is_pass(result->checks[k].verdict);
        }
    }
    return standing;
}

/* ---- applying ---- */

static const char PASSES[] = "it passes, but is listed as failing: ";

/* Puts a sentence before what the text says already. */
static void sentence_add(const struct baseline *baseline, const struct baseline_entry *entry,
                         const char *what, char text[JUDGE_TEXT_MAX])
{
    char data[JUDGE_TEXT_MAX];
    struct text note = text_of(data, sizeof data);
    text_add(&note, what);
    text_add(&note, entry->reason);
    text_add(&note, " (");
    text_add(&note, baseline->path);
    text_add(&note, ":");
    text_add_u64(&note, entry->line);
    text_add(&note, ")");
    if (text[0] != '\0') {
        text_add(&note, "; ");
        text_add(&note, text);
    }
    memcpy(text, data, note.len + 1);
}

/* False when it is about none of the case's results. */
static bool entry_apply(const struct baseline *baseline, const struct baseline_entry *entry, bool fails,
                        struct case_result *result)
{
    bool changed = false;
    for (size_t k = 0; k < result->check_count; k++) {
        struct check_result *check = &result->checks[k];
        if (!covers_check(entry, check))
            continue;
        if (fails ? !is_failure(check) : !is_pass(check->verdict))
            continue;
        check->verdict = fails ? VERDICT_XFAIL : VERDICT_XPASS;
        changed = changed || check->scope != SCOPE_RUN;
    }
    if (changed)
        sentence_add(baseline, entry, fails ? "known: " : PASSES, result->note);
    if (changed && !fails)
        sentence_add(baseline, entry, PASSES, result->listed);
    return changed;
}

/* All lines that are about the case. Where there is none, what its end alone says of it stays too. */
static void case_apply(const struct baseline *baseline, const struct standing *standings,
                       struct run_case *run_case)
{
    struct case_result *result = &run_case->result;
    bool changed = false;
    for (size_t n = 0; n < baseline->count; n++) {
        const struct baseline_entry *entry = &baseline->entries[n];
        if (covers_case(entry, run_case) && (standings[n].fails || standings[n].passes))
            changed = entry_apply(baseline, entry, standings[n].fails, result) || changed;
    }
    if (changed)
        case_take_worst(result, VERDICT_PASS);
}

void baseline_apply(const struct baseline *baseline, struct run_result *run)
{
    struct standing *standings = calloc(baseline->count + 1, sizeof *standings);
    for (size_t n = 0; standings != NULL && n < baseline->count; n++)
        standings[n] = standing_of(&baseline->entries[n], run);
    for (size_t i = 0; standings != NULL && i < run->case_count; i++)
        case_apply(baseline, standings, &run->cases[i]);
    free(standings);
}

/* ---- writing it anew ---- */

static bool text_append(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

static bool is_known(const struct baseline *baseline, const struct run_case *run_case,
                     const struct check_result *check)
{
    for (size_t n = 0; n < baseline->count; n++)
        if (covers_case(&baseline->entries[n], run_case) && covers_check(&baseline->entries[n], check))
            return true;
    return false;
}

static bool is_check_of_script(const struct case_script *script, const char *name)
{
    for (size_t i = 0; i < script->check_count; i++)
        if (strcmp(script->checks[i].name, name) == 0)
            return true;
    return false;
}

/* What follows from a failure fails as well, once that one is known. What follows from a breach that fails
 * nobody does not. */
static bool is_to_be_listed(const struct case_result *result, const struct check_result *check)
{
    return is_failure(check) && (!check->excused || case_verdict_on(result, check->cause) == VERDICT_FAIL);
}

/* The reason on one line. */
static bool reason_append(struct buffer *out, const struct check_result *check)
{
    char data[BASELINE_REASON_MAX];
    struct text text = text_of(data, sizeof data);
    text_add(&text, verdict_name(check->verdict));
    text_add(&text, ": ");
    text_add_printable(&text, bytes_of_text(check->actual), BASELINE_REASON_MAX / 2);
    return text_append(out, data);
}

/* A finding of the run stands in one line for all cases; `told`: an entry a requirement that has one. */
static bool failures_append(const struct baseline *baseline, const struct run_case *run_case, bool *told,
                            struct buffer *out)
{
    const struct case_result *result = &run_case->result;
    bool good = true;
    for (size_t k = 0; run_case->ran && k < result->check_count; k++) {
        const struct check_result *check = &result->checks[k];
        const bool named = is_check_of_script(run_case->script, check->name);
        const bool of_run = check->scope == SCOPE_RUN;
        if (!is_to_be_listed(result, check) || is_known(baseline, run_case, check) ||
            (of_run && told[check->requirement - REQUIREMENTS]))
            continue;
        told[check->requirement - REQUIREMENTS] = of_run;
        good = good && text_append(out, of_run ? "*" : run_case->script->name) && text_append(out, ":") &&
               text_append(out, named ? check->name : check->requirement->id) && text_append(out, " # ") &&
               reason_append(out, check) && text_append(out, "\n");
    }
    return good;
}

/* What stays of the file. */
static bool kept_append(const struct baseline *baseline, const struct run_result *run, struct buffer *out)
{
    size_t entry = 0;
    bool good = true;
    for (size_t offset = 0; offset < baseline->text.len;) {
        const struct bytes line = take_line(baseline->text, &offset);
        if (is_entry(line)) {
            const struct standing standing = standing_of(&baseline->entries[entry++], run);
            if (standing.passes && !standing.fails)
                continue;
        }
        good = good && buffer_append(out, line) && text_append(out, "\n");
    }
    return good;
}

static bool replace_file(const char *path, struct bytes data)
{
    char beside[OPTIONS_PATH_MAX];
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(beside, "w");
    if (file == NULL)
        return false;
    const bool written = data.len == 0 || fwrite(data.data, 1, data.len, file) == data.len;
    return fclose(file) == 0 && written && rename(beside, path) == 0;
}

bool baseline_update(const struct baseline *baseline, const struct run_result *run)
{
    struct buffer out;
    bool *told = calloc(REQUIREMENT_COUNT, sizeof *told);
    buffer_init(&out, 4 * (size_t)BASELINE_BYTES_MAX);
    bool good = told != NULL && kept_append(baseline, run, &out);
    for (size_t i = 0; good && i < run->case_count; i++)
        good = run->cases[i].result.verdict == VERDICT_ERROR ||
               failures_append(baseline, &run->cases[i], told, &out);
    free(told);
    if (!good)
        errno = ENOMEM;
    good = good && replace_file(baseline->path, buffer_bytes(&out));
    buffer_free(&out);
    return good;
}
