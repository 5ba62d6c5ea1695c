#include "conformance/judge/results.h"

#include "conformance/judge/verdict.h"

const char *const JUDGE_OWN_CHECKS[] = {"wire",         "output", "crash",       "timeout", "connect",
                                        "does-nothing", "exit",   "survives",    "memory",  "tier",
                                        "declined",     "own",    "observation", NULL};

bool results_are_worth_keeping(const struct case_result *result)
{
    bool any = case_fails(result);
    for (size_t i = 0; i < result->check_count; i++) {
        const enum verdict verdict = result->checks[i].verdict;
        any = any || check_fails(&result->checks[i]) || verdict_is_broken(verdict) ||
              verdict == VERDICT_NOT_REACHED;
    }
    return any;
}

void results_copy(char *to, size_t capacity, const char *from)
{
    struct text text = text_of(to, capacity);
    text_add(&text, from);
}

struct check_result *results_add(struct case_result *out, const char *name,
                                 const struct requirement *requirement, enum verdict verdict)
{
    if (requirement == NULL || out->check_count == JUDGE_CHECKS_MAX)
        return NULL;
    struct check_result *result = &out->checks[out->check_count++];
    *result =
        (struct check_result){.requirement = requirement, .verdict = verdict, .journal_sequence = UINT64_MAX};
    results_copy(result->name, sizeof result->name, name);
    return result;
}

void results_say(struct case_result *out, const char *name, const struct requirement *requirement,
                 enum verdict verdict, const char *expected, const char *actual)
{
    struct check_result *result = results_add(out, name, requirement, verdict);
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected, expected);
    results_copy(result->actual, sizeof result->actual, actual);
}
