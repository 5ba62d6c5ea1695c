#include "conformance/report/causes.h"

#include <stdlib.h>

#include "conformance/report/cause_draft.h"

enum { ALIKE_CHARS_MIN = 12 };

/* ---- what was broken ---- */

static enum cause_kind kind_of(const struct check_result *check)
{
    return check->verdict == VERDICT_ERROR   ? CAUSE_OWN
           : check->verdict == VERDICT_XPASS ? CAUSE_LISTED
                                             : CAUSE_BROKEN;
}

/* What one line of the baseline lists is one cause, whatever it covers. */
static struct draft *draft_of_listed(struct builder *builder, const struct run_case *run_case,
                                     const struct requirement *requirement)
{
    for (size_t i = 0; i < builder->count; i++) {
        struct draft *draft = &builder->drafts[i];
        if (draft->cause.kind != CAUSE_LISTED ||
            strcmp(draft->cause.first->result.listed, run_case->result.listed) != 0)
            continue;
        draft_requirement_add(draft, requirement);
        return draft;
    }
    return NULL;
}

/* That of its requirement; else of a rule in the same words, or of the same crash; else a new one. */
static struct draft *draft_of_breach(struct builder *builder, const struct run_case *run_case,
                                     const struct check_result *check)
{
    const bool by_words = check_is_of_rule(check) || check->by_crash;
    char key[CAUSE_KEY_MAX];
    const enum cause_kind kind = kind_of(check);
    const bool listed = kind == CAUSE_LISTED && run_case->result.listed[0] != '\0';
    struct draft *draft = listed              ? draft_of_listed(builder, run_case, check->requirement)
                          : kind == CAUSE_OWN ? NULL
                                              : draft_of_requirement(builder, kind, check->requirement);
    if (check->by_crash)
        draft_crash_key(run_case, key);
    else
        draft_key(check->actual, key);
    if (draft != NULL)
        return draft;
    if (kind == CAUSE_OWN || (!listed && by_words && strlen(key) >= ALIKE_CHARS_MIN))
        draft = draft_by_key(builder, kind, key);
    if (draft == NULL && (draft = draft_new(builder, kind)) != NULL && (kind == CAUSE_OWN || by_words))
        memcpy(draft->key, key, sizeof key);
    if (draft != NULL && kind != CAUSE_OWN)
        draft_requirement_add(draft, check->requirement);
    return draft;
}

static bool is_breach(const struct check_result *check)
{
    switch (check->verdict) {
    case VERDICT_XFAIL:
    case VERDICT_NEW:
    case VERDICT_FLAKY:
    case VERDICT_XPASS:
    case VERDICT_WARN:
    case VERDICT_DISPUTED:
    case VERDICT_FAIL:
    case VERDICT_ERROR:
        return true;
    case VERDICT_PASS:
    case VERDICT_INFO:
    case VERDICT_PARTIAL:
    case VERDICT_UNSUPPORTED:
    case VERDICT_INCONCLUSIVE:
    case VERDICT_NOT_REACHED:
        break;
    }
    return false;
}

static void breach_take(struct builder *builder, size_t n, const struct check_result *check)
{
    const struct run_case *run_case = &builder->run->cases[n];
    const struct requirement_result *row = &builder->rows[check->requirement - REQUIREMENTS];
    struct draft *draft = draft_of_breach(builder, run_case, check);
    if (draft == NULL)
        return;
    draft_tell(draft, run_case, check);
    draft->cause.broken_count += draft->last_seen != n ? 1 : 0;
    draft->last_seen = n;
    draft->cause.fails = draft->cause.fails || (verdict_is_failure(check->verdict) && requirement_fails(row));
    if (check_fails_case(run_case, check))
        draft_case_add(builder, draft, n);
}

static void breaches_take(struct builder *builder, size_t n)
{
    const struct run_case *run_case = &builder->run->cases[n];
    const struct case_result *result = &run_case->result;
    for (size_t i = 0; run_case->ran && i < result->check_count; i++)
        if (is_breach(&result->checks[i]) && !check_is_of_end(&result->checks[i]))
            breach_take(builder, n, &result->checks[i]);
}

/* ---- the end of it ---- */

static bool is_of_cause(const struct cause *cause, const struct requirement *requirement)
{
    for (size_t i = 0; i < cause->requirement_count; i++)
        if (cause->requirements[i] == requirement)
            return true;
    return false;
}

/* In how many sessions could it have shown, and did? */
static void sessions_count(const struct builder *builder, struct cause *cause)
{
    const bool by_requirement = cause->kind == CAUSE_BROKEN || cause->kind == CAUSE_LISTED;
    cause->broken_count = by_requirement ? 0 : cause->broken_count;
    for (size_t n = 0; n < builder->run->case_count; n++) {
        const struct run_case *run_case = &builder->run->cases[n];
        bool judged = false, broken = false;
        for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
            const struct check_result *check = &run_case->result.checks[i];
            const bool counts = is_of_cause(cause, check->requirement) && kind_of(check) == cause->kind;
            judged = judged || (is_of_cause(cause, check->requirement) && !verdict_is_open(check->verdict) &&
                                check->verdict != VERDICT_INFO);
            broken = broken || (counts && is_breach(check) && !check_is_of_end(check));
        }
        cause->session_count += by_requirement ? judged : run_case->ran;
        cause->broken_count += by_requirement && broken ? 1 : 0;
    }
}

static void sentence_write(struct cause *cause)
{
    const struct check_result *check = cause->check;
    if (cause->sentence[0] != '\0')
        return;
    struct text text = text_of(cause->sentence, sizeof cause->sentence);
    if (check == NULL)
        text_add(&text, cause->word);
    if (check == NULL)
        return;
    if (cause->kind == CAUSE_LISTED) {
        const char *listed = cause->first->result.listed;
        text_add(&text, listed[0] != '\0' ? listed : "it passes, but is listed as failing");
    } else if (cause->kind == CAUSE_UNREACHED || cause->kind == CAUSE_OWN) {
        text_add(&text, check->actual);
    } else {
        text_add(&text, cause_without_word(check->actual, cause->word));
        text_add(&text, "; expected: ");
        text_add(&text, check->expected);
    }
}

/* What decides the exit: a crash fails the run whatever it breaks. */
static const char *word_of(const struct draft *draft)
{
    const struct cause *cause = &draft->cause;
    return cause->case_count > 0 && !verdict_is_failure(draft->worst) ? run_case_word(cause->cases[0])
                                                                      : verdict_name(draft->worst);
}

static bool blocked_list(struct draft *draft)
{
    struct cause *cause = &draft->cause;
    cause->blocked = calloc(REQUIREMENT_COUNT, sizeof *cause->blocked);
    if (cause->blocked == NULL)
        return false;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (draft->is_blocked[i])
            cause->blocked[cause->blocked_count++] = &REQUIREMENTS[i];
    return true;
}

/* 0: comes first. */
static int rank_of(const struct cause *cause)
{
    if (cause->kind == CAUSE_OWN)
        return 0;
    const int kind = cause->kind == CAUSE_UNREACHED ? 1 : 0;
    if (cause->fails)
        return 1 + kind;
    const bool tolerated = strcmp(cause->word, "XFAIL") == 0 || strcmp(cause->word, "NEW") == 0 ||
                           strcmp(cause->word, "FLAKY") == 0;
    return (tolerated ? 5 : 3) + kind;
}

static int cause_compare(const void *a, const void *b)
{
    const struct cause *left = a, *right = b;
    const int left_rank = rank_of(left), right_rank = rank_of(right);
    const size_t left_weight = left->case_count + left->unreached_count + left->blocked_count;
    const size_t right_weight = right->case_count + right->unreached_count + right->blocked_count;
    if (left_rank != right_rank)
        return left_rank < right_rank ? -1 : 1;
    if (left_weight != right_weight)
        return left_weight > right_weight ? -1 : 1;
    if (left->broken_count != right->broken_count)
        return left->broken_count > right->broken_count ? -1 : 1;
    return left->first < right->first   ? -1
           : left->first > right->first ? 1
                                        : strcmp(left->sentence, right->sentence);
}

static void settle(struct builder *builder, struct causes *out)
{
    out->list = calloc(builder->count + 1, sizeof *out->list);
    builder->whole = builder->whole && out->list != NULL;
    for (size_t i = 0; i < builder->count; i++) {
        struct draft *draft = &builder->drafts[i];
        struct cause *cause = &draft->cause;
        if (out->list != NULL && blocked_list(draft)) {
            if (cause->word[0] == '\0')
                cause->word = word_of(draft);
            if (cause->check != NULL)
                cause->evidence = evidence_of(&cause->first->evidence, cause->check);
            sessions_count(builder, cause);
            sentence_write(cause);
            out->list[out->count++] = *cause;
        } else {
            builder->whole = false;
        }
        draft_free(draft);
    }
    if (out->list == NULL)
        return;
    if (out->count > 0)
        qsort(out->list, out->count, sizeof *out->list, cause_compare);
    for (size_t i = 0; i < out->count; i++)
        out->failing_count += out->list[i].fails ? 1 : 0;
}

void causes_init(const struct run_result *run, struct causes *out)
{
    struct builder builder = {
        .run = run, .rows = calloc(REQUIREMENT_COUNT, sizeof *builder.rows), .whole = true};
    *out = (struct causes){.count = 0};
    if (builder.rows == NULL)
        return;
    run_requirements(run, builder.rows);
    for (size_t n = 0; n < run->case_count; n++)
        breaches_take(&builder, n);
    /* What was not reached in one case may belong to what was broken in a later one. */
    for (size_t n = 0; n < run->case_count; n++)
        draft_ends_take(&builder, n);
    settle(&builder, out);
    out->whole = builder.whole;
    free(builder.drafts);
    free(builder.rows);
}

void causes_free(struct causes *causes)
{
    for (size_t i = 0; i < causes->count; i++)
        free((void *)(uintptr_t)causes->list[i].blocked);
    free(causes->list);
    *causes = (struct causes){.count = 0};
}
