#include "conformance/fuzz/finding.h"

const char *fuzz_kind_name(enum fuzz_kind kind)
{
    switch (kind) {
    case FUZZ_WELL:
        return "well";
    case FUZZ_CRASH:
        return "crash";
    case FUZZ_HANG:
        return "hang";
    case FUZZ_SPIN:
        return "spin";
    case FUZZ_MEMORY:
        return "memory";
    case FUZZ_SLOW:
        return "slow";
    case FUZZ_MISREAD:
        return "misread";
    case FUZZ_UNUSABLE:
        return "unusable";
    case FUZZ_KIND_COUNT:
        break;
    }
    return "";
}

bool fuzz_outcome_same(const struct fuzz_outcome *a, const struct fuzz_outcome *b)
{
    return a->kind == b->kind && strcmp(a->place, b->place) == 0;
}

/* ---- what is broken ---- */

/* By what is read otherwise: part of the place. The first that fits. */
static const struct {
    const char *prefix, *place, *clause;
} CLAUSES[] = {
    {"OJ-", ": index", "OJ-OUT-07"},
    {"OJ-", ": timestamp", "OJ-OUT-07"},
    {"OJ-", ": final", "OJ-OUT-16"},
    {"OJ-", ": interaction", "OJ-OUT-17"},
    {"OJ-", ": sound", "OJ-OUT-01"},
    {"OJ-", ": picture", "OJ-OUT-01"},
    {"OJ-", ": too many", "OJ-OUT-08"},
    {"OJ-", "", "OJ-OUT-14"},
    {"DX-", "queue: ", "DX-CON-05"},
    {"DX-", "delta: final", "DX-OUT-03"},
    {"DX-", "delta: cache", "DX-OUT-06"},
    {"DX-", "delta: text", "DX-OUT-02"},
    {"DX-", "", "DX-OUT-01"},
    {"IV-", "transcript: ", "IV-OUT-03"},
    {"IV-", "result: ", "IV-OUT-04"},
    {"IV-", "status: ", "IV-OUT-05"},
    {"IV-", "", "IV-OUT-01"},
};

/* Which of those of a family bounds the memory of a client. */
static const struct {
    const char *prefix, *of_a_message, *of_a_flood;
} MEMORY_CLAUSES[] = {
    {"OJ-", "OJ-OUT-10", "OJ-BUF-02"}, {"DX-", "DX-OUT-01", "DX-OUT-01"}, {"IV-", "IV-OUT-01", "IV-OUT-01"}};

static const char SPLITS_CLAUSE[] = "OJ-OUT-12";

/* As it is the smallest, nothing but how the bytes are split makes it fail. */
static bool is_split(const struct fuzz_session *smallest)
{
    bool split = false;
    for (size_t i = 0; i < smallest->step_count; i++)
        split = split || smallest->steps[i].slice_every > 0 || smallest->steps[i].fragment_every > 0;
    return split;
}

static const char *clause_of_place(const char *prefix, const char *place)
{
    for (size_t i = 0; i < sizeof CLAUSES / sizeof CLAUSES[0]; i++)
        if (strcmp(CLAUSES[i].prefix, prefix) == 0 && strstr(place, CLAUSES[i].place) != NULL)
            return CLAUSES[i].clause;
    return NULL;
}

static const char *clause_of_memory(const char *prefix, bool flood)
{
    for (size_t i = 0; i < sizeof MEMORY_CLAUSES / sizeof MEMORY_CLAUSES[0]; i++)
        if (strcmp(MEMORY_CLAUSES[i].prefix, prefix) == 0)
            return flood ? MEMORY_CLAUSES[i].of_a_flood : MEMORY_CLAUSES[i].of_a_message;
    return NULL;
}

const char *fuzz_outcome_clause(const struct fuzz_outcome *outcome, const struct fuzz_session *smallest)
{
    const char *prefix = smallest->class->family->id_prefix;
    if (outcome->kind == FUZZ_MEMORY)
        return clause_of_memory(prefix, fuzz_session_floods(smallest));
    if (outcome->kind != FUZZ_MISREAD)
        return NULL;
    return is_split(smallest) && strncmp(SPLITS_CLAUSE, prefix, strlen(prefix)) == 0
               ? SPLITS_CLAUSE
               : clause_of_place(prefix, outcome->place);
}

/* ---- the book ---- */

/* One that is there, counted. */
static struct fuzz_finding *seen_again(struct fuzz_book *book, const struct fuzz_outcome *outcome)
{
    for (size_t i = 0; i < book->count; i++) {
        if (!fuzz_outcome_same(&book->of[i].outcome, outcome))
            continue;
        book->of[i].times++;
        book->of_kind[outcome->kind]++;
        return &book->of[i];
    }
    return NULL;
}

struct fuzz_finding *fuzz_book_count(struct fuzz_book *book, const struct fuzz_outcome *outcome)
{
    return seen_again(book, outcome);
}

struct fuzz_finding *fuzz_book_add(struct fuzz_book *book, const struct fuzz_outcome *outcome)
{
    if (seen_again(book, outcome) != NULL)
        return NULL;
    if (book->count == FUZZ_FINDINGS_MAX) {
        book->not_kept++;
        return NULL;
    }
    struct fuzz_finding *finding = &book->of[book->count++];
    *finding = (struct fuzz_finding){.outcome = *outcome, .times = 1};
    book->of_kind[outcome->kind]++;
    return finding;
}
