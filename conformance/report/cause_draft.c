#include "conformance/report/cause_draft.h"

#include <stdlib.h>

enum { GROW_BY = 16 };

void draft_free(struct draft *draft)
{
    free(draft->is_blocked);
    free(draft->is_failed);
}

/* NULL when memory runs out. */
struct draft *draft_new(struct builder *builder, enum cause_kind kind)
{
    if (builder->count == builder->capacity) {
        struct draft *more =
            realloc(builder->drafts, (builder->capacity + GROW_BY) * sizeof *builder->drafts);
        if (more == NULL) {
            builder->whole = false;
            return NULL;
        }
        builder->drafts = more;
        builder->capacity += GROW_BY;
    }
    struct draft *draft = &builder->drafts[builder->count];
    *draft = (struct draft){.cause = {.kind = kind, .word = "", .answer = ""},
                            .worst = VERDICT_PASS,
                            .last_seen = SIZE_MAX,
                            .last_unreached = SIZE_MAX};
    draft->is_blocked = calloc(REQUIREMENT_COUNT, sizeof *draft->is_blocked);
    draft->is_failed = calloc(builder->run->case_count + 1, sizeof *draft->is_failed);
    if (draft->is_blocked == NULL || draft->is_failed == NULL) {
        draft_free(draft);
        builder->whole = false;
        return NULL;
    }
    builder->count++;
    return draft;
}

void draft_key(const char *sentence, char key[CAUSE_KEY_MAX])
{
    struct text text = text_of(key, CAUSE_KEY_MAX);
    cause_key_write(&text, sentence);
}

struct draft *draft_by_key(struct builder *builder, enum cause_kind kind, const char *key)
{
    for (size_t i = 0; i < builder->count; i++)
        if (builder->drafts[i].cause.kind == kind && strcmp(builder->drafts[i].key, key) == 0)
            return &builder->drafts[i];
    return NULL;
}

struct draft *draft_of_requirement(struct builder *builder, enum cause_kind kind,
                                   const struct requirement *requirement)
{
    for (size_t i = 0; requirement != NULL && i < builder->count; i++)
        for (size_t n = 0;
             builder->drafts[i].cause.kind == kind && n < builder->drafts[i].cause.requirement_count; n++)
            if (builder->drafts[i].cause.requirements[n] == requirement)
                return &builder->drafts[i];
    return NULL;
}

void draft_requirement_add(struct draft *draft, const struct requirement *requirement)
{
    struct cause *cause = &draft->cause;
    for (size_t i = 0; i < cause->requirement_count; i++)
        if (cause->requirements[i] == requirement)
            return;
    if (cause->requirement_count < CAUSE_REQUIREMENTS_MAX)
        cause->requirements[cause->requirement_count++] = requirement;
}

/* The case fails by it. */
void draft_case_add(struct builder *builder, struct draft *draft, size_t n)
{
    const struct run_case *run_case = &builder->run->cases[n];
    if (run_case_outcome(builder->run, run_case) != RUN_FAILED || draft->is_failed[n])
        return;
    draft->is_failed[n] = true;
    draft->cause.fails = true;
    if (draft->cause.case_count < CAUSE_CASES_MAX)
        draft->cause.cases[draft->cause.case_count] = run_case;
    draft->cause.case_count++;
}

/* "the client never connected" of "NOCONNECT: the client never connected": the word stands in front of the
 * sentence anyway. */
const char *cause_without_word(const char *sentence, const char *word)
{
    const size_t len = strlen(word);
    return strncmp(sentence, word, len) == 0 && strncmp(sentence + len, ": ", 2) == 0 ? sentence + len + 2
                                                                                      : sentence;
}

/* ---- what was broken ---- */

static uint64_t hash_of(const struct check_result *check)
{
    const uint64_t basis = 14695981039346656037u, prime = 1099511628211u;
    char key[CAUSE_KEY_MAX];
    const char *parts[] = {check->requirement->id, check->name, key};
    uint64_t hash = basis;
    draft_key(check->actual, key);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (const char *at = parts[i]; *at != '\0'; at++)
            hash = (hash ^ (unsigned char)*at) * prime;
    return hash;
}

/* The same words of another rule are no other way. */
static bool is_in_words_of(const struct draft *draft, const struct check_result *check)
{
    char key[CAUSE_KEY_MAX];
    draft_key(check->actual, key);
    return check_is_of_rule(check) && draft->key[0] != '\0' && strcmp(draft->key, key) == 0;
}

/* Remembers a way that was not there before. */
static void way_add(struct draft *draft, const struct run_case *run_case, const struct check_result *check)
{
    const uint64_t hash = hash_of(check);
    if (draft->cause.check != check && is_in_words_of(draft, check))
        return;
    for (size_t i = 0; i < draft->way_key_count; i++)
        if (draft->way_keys[i] == hash)
            return;
    if (draft->way_key_count == WAY_KEYS_MAX)
        return;
    draft->way_keys[draft->way_key_count++] = hash;
    if (draft->cause.check == check)
        return;
    if (draft->cause.way_count < CAUSE_WAYS_MAX)
        draft->cause.ways[draft->cause.way_count] = (struct cause_way){.run_case = run_case, .check = check};
    draft->cause.way_count++;
}

/* The first at its worst tells; what told before is another way. */
void draft_tell(struct draft *draft, const struct run_case *run_case, const struct check_result *check)
{
    const bool worse =
        draft->cause.check == NULL ||
        (verdict_worse(draft->worst, check->verdict) == check->verdict && draft->worst != check->verdict);
    if (worse) {
        const struct run_case *before_case = draft->cause.first;
        const struct check_result *before = draft->cause.check;
        draft->worst = check->verdict;
        draft->cause.first = run_case;
        draft->cause.check = check;
        draft->way_key_count = 0;
        draft->cause.way_count = 0;
        way_add(draft, run_case, check);
        if (before != NULL)
            way_add(draft, before_case, before);
        return;
    }
    way_add(draft, run_case, check);
}

bool check_is_of_rule(const struct check_result *check)
{
    return strcmp(check->name, "wire") == 0;
}

bool check_is_of_end(const struct check_result *check)
{
    return strcmp(check->name, "crash") == 0 || strcmp(check->name, "timeout") == 0;
}

bool check_fails_case(const struct run_case *run_case, const struct check_result *check)
{
    return check_fails(check) && check->scope != SCOPE_RUN && case_fails(&run_case->result);
}
