/* The causes that are no breach: how a client ended, and what was not reached. */
#include "conformance/report/cause_draft.h"

static bool ended_badly(const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    return run_case->ran && result->verdict != VERDICT_ERROR &&
           (result->end == CLIENT_CRASHED || result->end == CLIENT_TIMED_OUT ||
            (result->end == CLIENT_NEVER_CAME && result->verdict == VERDICT_NOT_REACHED));
}

/* The check that tells of the end; of a client that never came each does. NULL: none does. */
static const struct check_result *check_of_end(const struct run_case *run_case)
{
    const struct case_result *result = &run_case->result;
    for (size_t i = 0; i < result->check_count; i++)
        if (check_is_of_end(&result->checks[i]) ||
            (result->end == CLIENT_NEVER_CAME && result->checks[i].verdict == VERDICT_NOT_REACHED))
            return &result->checks[i];
    return NULL;
}

static void end_sentence(const struct run_case *run_case, char sentence[CAUSE_SENTENCE_MAX])
{
    const struct check_result *check = check_of_end(run_case);
    struct text text = text_of(sentence, CAUSE_SENTENCE_MAX);
    text_add(&text, run_case->result.end_text);
    if (check == NULL || (text.len > 0 && strstr(check->actual, "refused") == NULL))
        return;
    text_add(&text, text.len > 0 ? "; " : "");
    text_add(&text, cause_without_word(check->actual, client_end_name(run_case->result.end)));
}

/* Two crashes are the same when they are at one place, whatever they say. */
static void end_key(const struct run_case *run_case, const char *sentence, char key[CAUSE_KEY_MAX])
{
    struct text text = text_of(key, CAUSE_KEY_MAX);
    text_add(&text, crash_place(&run_case->result));
    if (text.len == 0)
        draft_key(sentence, key);
}

void draft_crash_key(const struct run_case *run_case, char key[CAUSE_KEY_MAX])
{
    char sentence[CAUSE_SENTENCE_MAX];
    end_sentence(run_case, sentence);
    end_key(run_case, sentence, key);
}

/* The breach that such a crash is, in whatever case. NULL: there is none, or its requirement is broken
 * in other sessions too, without a crash: a cause about those would hide the crash. */
static struct draft *draft_of_crash(struct builder *builder, const char *key)
{
    for (size_t n = 0; n < builder->run->case_count; n++) {
        const struct run_case *run_case = &builder->run->cases[n];
        char its_key[CAUSE_KEY_MAX];
        for (size_t i = 0; run_case->ran && i < run_case->result.check_count; i++) {
            const struct check_result *check = &run_case->result.checks[i];
            if (!check->by_crash || !verdict_is_broken(check->verdict))
                continue;
            draft_crash_key(run_case, its_key);
            struct draft *draft = draft_of_requirement(builder, CAUSE_BROKEN, check->requirement);
            if (strcmp(key, its_key) == 0 && draft != NULL && draft->cause.check->by_crash)
                return draft;
        }
    }
    return NULL;
}

/* A bad end that does not follow from a breach; NULL: there is none. */
static struct draft *draft_of_end(struct builder *builder, size_t n)
{
    const struct run_case *run_case = &builder->run->cases[n];
    const struct check_result *check = ended_badly(run_case) ? check_of_end(run_case) : NULL;
    char sentence[CAUSE_SENTENCE_MAX], key[CAUSE_KEY_MAX];
    if (!ended_badly(run_case) ||
        (check != NULL && (check->cause != NULL || check->verdict == VERDICT_INCONCLUSIVE)))
        return NULL;
    end_sentence(run_case, sentence);
    end_key(run_case, sentence, key);
    struct draft *draft = draft_of_crash(builder, key);
    if (draft != NULL) {
        draft_case_add(builder, draft, n);
        return draft;
    }
    draft = draft_by_key(builder, CAUSE_END, key);
    if (draft == NULL && (draft = draft_new(builder, CAUSE_END)) != NULL) {
        memcpy(draft->key, key, sizeof key);
        memcpy(draft->cause.sentence, sentence, sizeof sentence);
        draft->cause.word = client_end_name(run_case->result.end);
        draft->cause.first = run_case;
        draft->cause.check = check;
    }
    if (draft == NULL)
        return NULL;
    if (check != NULL && !verdict_is_open(check->verdict) && check->verdict != VERDICT_INFO)
        draft_requirement_add(draft, check->requirement);
    draft->cause.broken_count++;
    if (check != NULL && check_fails(check) &&
        requirement_fails(&builder->rows[check->requirement - REQUIREMENTS]))
        draft->cause.fails = true;
    draft_case_add(builder, draft, n);
    return draft;
}

/* ---- what was not reached ---- */

/* What this case is about and breaks, in what fails a run; or an error that is not of the party judged. Where
 * what was not reached fails nobody, a breach that fails nobody does, too. NULL: there is none. */
static struct draft *draft_of_failure(struct builder *builder, const struct run_case *run_case,
                                      const struct check_result *unreached)
{
    const struct check_result *lesser = NULL;
    for (size_t i = 0; i < run_case->result.check_count; i++) {
        const struct check_result *check = &run_case->result.checks[i];
        if (check->verdict == VERDICT_ERROR) {
            char key[CAUSE_KEY_MAX];
            draft_key(check->actual, key);
            return draft_by_key(builder, CAUSE_OWN, key);
        }
        if (check->scope != SCOPE_CHECK || check_is_of_end(check))
            continue;
        if (check->verdict == VERDICT_FAIL)
            return draft_of_requirement(builder, CAUSE_BROKEN, check->requirement);
        if (lesser == NULL && verdict_is_broken(check->verdict) && !check_fails(unreached))
            lesser = check;
    }
    return lesser == NULL ? NULL : draft_of_requirement(builder, CAUSE_BROKEN, lesser->requirement);
}

static struct draft *draft_of_reason(struct builder *builder, const struct run_case *run_case,
                                     const struct check_result *check)
{
    char key[CAUSE_KEY_MAX];
    draft_key(check->actual, key);
    struct draft *draft = draft_by_key(builder, CAUSE_UNREACHED, key);
    if (draft == NULL && (draft = draft_new(builder, CAUSE_UNREACHED)) != NULL) {
        memcpy(draft->key, key, sizeof key);
        draft->cause.word = verdict_name(VERDICT_NOT_REACHED);
    }
    if (draft != NULL && draft->cause.check == NULL) {
        draft->cause.first = run_case;
        draft->cause.check = check;
    }
    return draft;
}

/* What the mock acted on was no more than a note: all that follows from notes on that requirement is one
 * cause, whose sentence is the first of them. NULL: it was none. */
static struct draft *draft_of_note(struct builder *builder, const struct run_case *run_case,
                                   const struct check_result *check)
{
    const struct check_result *note =
        check->cause == run_case->result.answered ? run_case_note(run_case) : NULL;
    if (note == NULL)
        return NULL;
    struct draft *draft = draft_by_key(builder, CAUSE_UNREACHED, note->requirement->id);
    if (draft != NULL || (draft = draft_new(builder, CAUSE_UNREACHED)) == NULL)
        return draft;
    struct text key = text_of(draft->key, sizeof draft->key);
    struct text sentence = text_of(draft->cause.sentence, sizeof draft->cause.sentence);
    text_add(&key, note->requirement->id);
    text_add(&sentence, note->requirement->id);
    text_add(&sentence, " by too little for a breach: ");
    text_add(&sentence, note->actual);
    draft->cause.word = verdict_name(VERDICT_NOT_REACHED);
    draft->cause.first = run_case;
    draft->cause.check = note;
    return draft;
}

/* The breach that it is told under: where what the mock acted on follows itself from another, that one. NULL:
 * it is told by none. */
static struct draft *draft_of_cause(struct builder *builder, const struct run_case *run_case,
                                    const struct requirement *cause)
{
    enum { STEPS_MAX = 8 };
    struct draft *draft = draft_of_requirement(builder, CAUSE_BROKEN, cause);
    for (size_t step = 0; draft == NULL && cause != NULL && step < STEPS_MAX; step++) {
        const struct requirement *further = NULL;
        for (size_t i = 0; further == NULL && i < run_case->result.check_count; i++)
            if (run_case->result.checks[i].requirement == cause)
                further = run_case->result.checks[i].cause;
        cause = further;
        draft = draft_of_requirement(builder, CAUSE_BROKEN, cause);
    }
    return draft;
}

/* Where the mock acted on the breach: so the check was not reached. */
static void follower_take(struct draft *draft, const struct run_case *run_case, size_t n,
                          const struct check_result *check)
{
    struct cause *cause = &draft->cause;
    if (run_case->result.answered != check->cause)
        return;
    cause->answer = cause->answer[0] == '\0' ? run_case->result.answer : cause->answer;
    cause->unreached_count += draft->last_unreached != n ? 1 : 0;
    cause->hung_count += check_is_of_end(check) ? 1 : 0;
    draft->last_unreached = n;
}

static void unreached_take(struct builder *builder, size_t n, const struct check_result *check,
                           struct draft *end)
{
    const struct run_case *run_case = &builder->run->cases[n];
    const struct requirement_result *row = &builder->rows[check->requirement - REQUIREMENTS];
    struct draft *draft = draft_of_cause(builder, run_case, check->cause);
    if (draft == NULL)
        draft = draft_of_note(builder, run_case, check);
    if (draft != NULL)
        follower_take(draft, run_case, n, check);
    else
        draft = end;
    if (draft == NULL)
        draft = draft_of_failure(builder, run_case, check);
    if (draft == NULL)
        draft = draft_of_reason(builder, run_case, check);
    if (draft == NULL)
        return;
    if (row->verdict == VERDICT_NOT_REACHED || row->verdict == VERDICT_PARTIAL) {
        draft->is_blocked[check->requirement - REQUIREMENTS] = true;
        draft->cause.fails = draft->cause.fails || (check_fails(check) && requirement_fails(row));
    }
    if (check_fails_case(run_case, check))
        draft_case_add(builder, draft, n);
    if (draft->cause.kind == CAUSE_UNREACHED && draft->last_seen != n)
        draft->cause.broken_count++;
    draft->last_seen = n;
}

static bool is_counted(const struct builder *builder, size_t n)
{
    for (size_t i = 0; i < builder->count; i++)
        if (builder->drafts[i].is_failed[n])
            return true;
    return false;
}

/* Nothing of it is left untold. */
static void rest_take(struct builder *builder, size_t n)
{
    const struct run_case *run_case = &builder->run->cases[n];
    const bool own = run_case->result.verdict == VERDICT_ERROR;
    char key[CAUSE_KEY_MAX];
    if (!run_case->ran || run_case_outcome(builder->run, run_case) != RUN_FAILED || is_counted(builder, n))
        return;
    draft_key(run_case->result.note, key);
    struct draft *draft = draft_by_key(builder, own ? CAUSE_OWN : CAUSE_END, key);
    if (draft == NULL && (draft = draft_new(builder, own ? CAUSE_OWN : CAUSE_END)) != NULL) {
        memcpy(draft->key, key, sizeof key);
        draft->cause.word = run_case_word(run_case);
        draft->cause.first = run_case;
        struct text text = text_of(draft->cause.sentence, sizeof draft->cause.sentence);
        text_add(&text, run_case->result.note);
    }
    if (draft == NULL)
        return;
    draft->cause.broken_count++;
    draft_case_add(builder, draft, n);
}

void draft_ends_take(struct builder *builder, size_t n)
{
    const struct case_result *result = &builder->run->cases[n].result;
    const struct draft *end = draft_of_end(builder, n);
    const size_t at = end == NULL ? SIZE_MAX : (size_t)(end - builder->drafts);
    for (size_t i = 0; i < result->check_count; i++)
        if (result->checks[i].verdict == VERDICT_NOT_REACHED)
            unreached_take(builder, n, &result->checks[i], at == SIZE_MAX ? NULL : &builder->drafts[at]);
    rest_take(builder, n);
}
