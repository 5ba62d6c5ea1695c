/* How the causes are put together: drafts of them. Private to the causes. */
#ifndef CONFORMANCE_REPORT_CAUSE_DRAFT_H
#define CONFORMANCE_REPORT_CAUSE_DRAFT_H

#include "conformance/judge/verdict.h"
#include "conformance/report/cause_key.h"
#include "conformance/report/causes.h"

enum { WAY_KEYS_MAX = 64 };

/* What is known of a cause while it is put together. */
struct draft {
    struct cause cause;
    enum verdict worst;
    char key[CAUSE_KEY_MAX]; /* in what words */
    size_t last_seen;        /* the last case that shows it, or in which something was not reached for it */
    size_t last_unreached;   /* … as the mock acted on it */
    size_t way_key_count;
    uint64_t way_keys[WAY_KEYS_MAX]; /* hashes; the first is the first's */
    bool *is_blocked;                /* by requirement */
    bool *is_failed;                 /* by case: it fails by it */
};

struct builder {
    const struct run_result *run;
    struct requirement_result *rows;
    size_t count, capacity;
    struct draft *drafts;
    bool whole;
};

void draft_free(struct draft *draft); /* what it owns */
/* A new one; NULL when memory runs out. A draft is good until the next is made. */
struct draft *draft_new(struct builder *builder, enum cause_kind kind);
/* The key of that sentence. */
void draft_key(const char *sentence, char key[CAUSE_KEY_MAX]);
/* That in these words; NULL: there is none. */
struct draft *draft_by_key(struct builder *builder, enum cause_kind kind, const char *key);
/* That of a requirement; NULL: there is none. */
struct draft *draft_of_requirement(struct builder *builder, enum cause_kind kind,
                                   const struct requirement *requirement);
void draft_requirement_add(struct draft *draft, const struct requirement *requirement);
/* Case `n` fails by it, where it does fail. */
void draft_case_add(struct builder *builder, struct draft *draft, size_t n);
/* What is the same of two crashes that are one. */
void draft_crash_key(const struct run_case *run_case, char key[CAUSE_KEY_MAX]);
/* A breach shows it: the first at its worst tells of it, the others are further ways. */
void draft_tell(struct draft *draft, const struct run_case *run_case, const struct check_result *check);

/* Takes how the client of case `n` ended, where that is bad and follows from no breach, and what was not
 * reached; in the end, whatever of a failing case is told by none. The breaches of all cases are there. */
void draft_ends_take(struct builder *builder, size_t n);

/* "the client never connected" of "NOCONNECT: the client never connected", whose word stands before it
 * anyway. */
const char *cause_without_word(const char *sentence, const char *word);

/* Is it a finding of a rule? */
bool check_is_of_rule(const struct check_result *check);
/* Does it tell how the client ended? */
bool check_is_of_end(const struct check_result *check);
/* Does the case fail by it? */
bool check_fails_case(const struct run_case *run_case, const struct check_result *check);

#endif
