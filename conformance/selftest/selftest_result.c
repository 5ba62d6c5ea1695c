/* What the cases come to. */
#include <stdio.h>
#include <string.h>

#include "codec/family.h"
#include "codec/rules/follows.h"
#include "codec/wire/text.h"
#include "conformance/selftest/selftest.h"

static void trip(struct selftest_subject *subject, const struct requirement *requirement, size_t at,
                 bool in_memory)
{
    for (size_t i = 0; i < subject->trip_count; i++)
        if (subject->trips[i].requirement == requirement)
            return;
    if (subject->trip_count == SELFTEST_TRIPS_MAX)
        return;
    subject->trips[subject->trip_count++] =
        (struct selftest_trip){.requirement = requirement, .at = at, .in_memory = in_memory};
}

/* Is it only said that the client did not come to a good end? */
static bool is_about_the_end(const struct check_result *check)
{
    return strcmp(check->name, "timeout") == 0 || strcmp(check->name, "crash") == 0;
}

static bool never_began(const struct defect *defect, const struct case_result *result,
                        const struct check_result *check)
{
    for (size_t n = 0; n < STOPS_COUNT; n++)
        if (strcmp(STOPS[n].from, defect->requirement) == 0 && judge_never_began(result, check, &STOPS[n]))
            return true;
    return false;
}

static bool is_trip(const struct defect *defect, const struct case_result *result,
                    const struct check_result *check)
{
    return !never_began(defect, result, check) && check->verdict == VERDICT_FAIL &&
           check->requirement->level == REQUIREMENT_MUST &&
           !requirement_follows(check->requirement->id, defect->requirement) &&
           !defect_breaks(defect, check->requirement->id) && !(defect->ends_badly && is_about_the_end(check));
}

bool selftest_trips(const struct defect *defect, const struct case_result *result)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (is_trip(defect, result, &result->checks[i]))
            return true;
    return false;
}

static void take_of_defect(struct selftest_subject *subject, size_t at, const struct case_result *result,
                           bool in_memory)
{
    const struct defect *defect = subject->defect;
    for (size_t i = 0; i < result->check_count; i++) {
        const struct check_result *check = &result->checks[i];
        if (check->verdict != VERDICT_FAIL)
            continue;
        if (strcmp(check->requirement->id, defect->requirement) == 0) {
            subject->catch_count += !in_memory && !subject->catches[at] ? 1 : 0;
            subject->catches[at] = subject->catches[at] || !in_memory;
            subject->shown_count += in_memory && !subject->shown[at] ? 1 : 0;
            subject->shown[at] = subject->shown[at] || in_memory;
        } else if (is_trip(defect, result, check)) {
            trip(subject, check->requirement, at, in_memory);
        }
    }
}

static void take_of_client(struct selftest_subject *subject, size_t at, const struct case_result *result,
                           bool in_memory)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (check_fails(&result->checks[i]))
            trip(subject, result->checks[i].requirement, at, in_memory);
}

void selftest_take(struct selftest_subject *subject, const struct selftest *selftest, size_t at,
                   const struct case_result *result, bool in_memory)
{
    subject->case_count += in_memory ? 0 : 1;
    if (result->verdict == VERDICT_ERROR) {
        if (subject->own_errors++ > 0)
            return;
        struct text text = text_of(subject->own_error, sizeof subject->own_error);
        text_add(&text, selftest->selection.cases[at].script->name);
        text_add(&text, ": ");
        text_add(&text, result->note);
        return;
    }
    selftest_take_checks(subject, selftest, at, result, in_memory);
    if (subject->defect == NULL)
        take_of_client(subject, at, result, in_memory);
    else if (!subject->defect->blunt.set)
        take_of_defect(subject, at, result, in_memory);
}

bool selftest_proves(const struct selftest_subject *defect, const struct requirement *requirement)
{
    return !defect->defect->blunt.set && strcmp(defect->defect->requirement, requirement->id) == 0;
}

bool selftest_is_caught(const struct selftest *selftest, const struct selftest_subject *defect)
{
    return defect->catch_count > 0 || (selftest->options.extent == EXTENT_MEMORY && defect->shown_count > 0);
}

bool selftest_is_good(const struct selftest *selftest, const struct selftest_subject *subject)
{
    const bool caught =
        subject->defect == NULL || subject->defect->blunt.set || selftest_is_caught(selftest, subject);
    return caught && subject->trip_count == 0 && subject->own_errors == 0;
}

bool selftest_requirement_is_met(const struct selftest *selftest, const struct requirement *requirement)
{
    size_t count = 0;
    for (size_t n = 0; n < selftest->defect_count; n++) {
        if (!selftest_proves(&selftest->defects[n], requirement))
            continue;
        if (!selftest_is_good(selftest, &selftest->defects[n]))
            return false;
        count++;
    }
    return count > 0;
}

static bool is_of(const struct family *family, const struct requirement *requirement)
{
    return family == NULL || family_has_requirement(family, requirement->id);
}

/* In part of a test, defects that fail a check may be missing. */
static bool checks_are_good(const struct selftest *selftest, const struct family *family)
{
    for (size_t i = 0; FAMILIES[i] != NULL && selftest->options.extent != EXTENT_MEMORY; i++)
        if ((family == NULL || family == FAMILIES[i]) && selftest_is_about(selftest, FAMILIES[i]) &&
            !selftest_checks_are_proven(selftest, FAMILIES[i]))
            return false;
    return true;
}

bool selftest_is_met(const struct selftest *selftest, const struct family *family)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (selftest->asked[i] && is_of(family, &REQUIREMENTS[i]) &&
            !selftest_requirement_is_met(selftest, &REQUIREMENTS[i]))
            return false;
    return selftest_is_good(selftest, selftest->client) && checks_are_good(selftest, family);
}

bool selftest_is_about(const struct selftest *selftest, const struct family *family)
{
    bool any = false;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (REQUIREMENTS[i].party != REQUIREMENT_CLIENT || !is_of(family, &REQUIREMENTS[i]))
            continue;
        if (!selftest->asked[i])
            return false;
        any = true;
    }
    return any;
}
