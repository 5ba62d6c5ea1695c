#include "conformance/tests/run_of_checks.h"

#include <check.h>
#include <stdlib.h>

#include "codec/ojin/profile.h"

void copy(char *to, size_t capacity, const char *from)
{
    struct text text = text_of(to, capacity);
    text_add(&text, from);
}

void check_set(struct run *run, size_t n, const char *name, const char *id, enum verdict verdict,
               enum check_scope scope, const char *actual)
{
    struct case_result *result = &run->cases[n].result;
    struct check_result *check = &result->checks[result->check_count++];
    *check = (struct check_result){.requirement = requirement_by_id(id),
                                   .verdict = verdict,
                                   .scope = scope,
                                   .binding = true,
                                   .journal_sequence = UINT64_MAX};
    copy(check->name, sizeof check->name, name);
    copy(check->actual, sizeof check->actual, actual);
}

struct run *run_of_nothing(size_t count)
{
    struct run *run = calloc(1, sizeof *run);
    ck_assert_ptr_nonnull(run);
    for (size_t i = 0; i < count; i++) {
        copy(run->scripts[i].name, sizeof run->scripts[i].name, "ojin/test/some");
        run->cases[i].script = &run->scripts[i];
        run->cases[i].profile = &OJIN_PROFILES[0].base;
        run->cases[i].ran = true;
    }
    run->profiles[0] = &OJIN_PROFILES[0].base;
    run->result = (struct run_result){.transport = "memory",
                                      .tier = TIER_OBSERVE,
                                      .case_count = count,
                                      .cases = run->cases,
                                      .profile_count = 1,
                                      .profiles = run->profiles};
    return run;
}
