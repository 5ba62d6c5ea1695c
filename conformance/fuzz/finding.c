#include "conformance/fuzz/finding.h"

#include <string.h>

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

/* One that is there, counted. */
static struct fuzz_finding *seen_again(struct fuzz_book *book, const struct fuzz_outcome *outcome)
{
    for (size_t i = 0; i < book->count; i++) {
        if (!fuzz_outcome_same(&book->of[i].outcome, outcome))
            continue;
        book->of[i].times++;
        return &book->of[i];
    }
    return NULL;
}

struct fuzz_finding *fuzz_book_count(struct fuzz_book *book, const struct fuzz_outcome *outcome)
{
    book->of_kind[outcome->kind]++;
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
    return finding;
}
