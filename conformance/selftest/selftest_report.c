/* The selftest for people: a line a requirement, and what is wrong below it. */
#include <stdio.h>
#include <string.h>

#include "conformance/selftest/selftest.h"

static const char *case_name(const struct selftest *selftest, size_t at)
{
    return selftest->selection.cases[at].script->name;
}

static size_t first_of(const bool *list)
{
    size_t at = 0;
    while (!list[at])
        at++;
    return at;
}

static void print_catch(const struct selftest *selftest, const struct selftest_subject *subject, FILE *out)
{
    const bool in_processes = subject->catch_count > 0;
    const size_t count = in_processes ? subject->catch_count : subject->shown_count;
    const size_t first = first_of(in_processes ? subject->catches : subject->shown);
    fprintf(out, "%s by %s", subject->defect->name, case_name(selftest, first));
    if (count > 1)
        fprintf(out, " and %zu more", count - 1);
}

static void print_trips(const struct selftest *selftest, const struct selftest_subject *subject, FILE *out)
{
    for (size_t i = 0; i < subject->trip_count; i++) {
        const struct selftest_trip *trip = &subject->trips[i];
        fprintf(out, "            %s %s %s in %s%s\n",
                subject->defect != NULL ? subject->defect->name : "the correct client",
                subject->defect != NULL ? "trips" : "fails", trip->requirement->id,
                case_name(selftest, trip->at), trip->in_memory ? ", in memory" : "");
    }
    if (subject->own_errors > 0)
        fprintf(out, "            ERROR in %zu case%s: %s\n", subject->own_errors,
                subject->own_errors == 1 ? "" : "s", subject->own_error);
}

/* What is wrong with a defect, each on a line of its own; nothing when it is good. */
static void print_faults(const struct selftest *selftest, const struct selftest_subject *subject, FILE *out)
{
    const bool caught = selftest_is_caught(selftest, subject);
    if (!caught && selftest->options.extent == EXTENT_MEMORY)
        fprintf(
            out,
            "            %s is not caught in memory: it %s. If only a real transport shows that, its row has "
            "to name those cases (cases)\n",
            subject->defect->name, subject->defect->wrong);
    else if (!caught)
        fprintf(out, "            %s is not caught: it %s, and %zu case%s let%s it pass\n",
                subject->defect->name, subject->defect->wrong, subject->case_count,
                subject->case_count == 1 ? "" : "s", subject->case_count == 1 ? "s" : "");
    print_trips(selftest, subject, out);
}

static void print_requirement(const struct selftest *selftest, const struct requirement *requirement,
                              FILE *out)
{
    size_t count = 0;
    fprintf(out, "%-4s  %s", selftest_requirement_is_met(selftest, requirement) ? "ok" : "FAIL",
            requirement->id);
    for (size_t n = 0; n < selftest->defect_count; n++) {
        const struct selftest_subject *subject = &selftest->defects[n];
        if (!selftest_proves(subject, requirement))
            continue;
        count++;
        if (!selftest_is_caught(selftest, subject))
            continue;
        fputs("  ", out);
        print_catch(selftest, subject, out);
    }
    fputs(count == 0 ? "  has no defect\n" : "\n", out);
    for (size_t n = 0; n < selftest->defect_count; n++)
        if (selftest_proves(&selftest->defects[n], requirement))
            print_faults(selftest, &selftest->defects[n], out);
}

/* Those that no defect failed, a line a case. */
static void print_unproven(const struct selftest *selftest, FILE *out)
{
    size_t count = 0, proven = 0;
    const struct case_script *before = NULL;
    char name[SCRIPT_NAME_MAX];
    for (size_t n = 0; n < selftest->check_count; n++) {
        const struct selftest_check *check = &selftest->checks[n];
        if (!selftest_check_counts(selftest, n, NULL))
            continue;
        count++;
        if (selftest_check_is_proven(selftest, n)) {
            proven++;
            continue;
        }
        (void)selftest_check_name(selftest, n, name);
        if (check->script != before)
            fprintf(out, "%s      no defect fails %s: ", before != NULL ? "\n" : "", name);
        fprintf(out, "%s%s (%s)%s", check->script == before ? ", " : "", check->name, check->requirement->id,
                selftest_check_is_kept(selftest, n) ? "" : " which no client passes");
        before = check->script;
    }
    fprintf(out, "%s%zu of %zu checks are seen to fail\n", before != NULL ? "\n" : "", proven, count);
}

void selftest_report(const struct selftest *selftest, FILE *out)
{
    size_t asked = 0, met = 0;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (!selftest->asked[i])
            continue;
        print_requirement(selftest, &REQUIREMENTS[i], out);
        asked++;
        met += selftest_requirement_is_met(selftest, &REQUIREMENTS[i]) ? 1 : 0;
    }
    const bool good = selftest_is_good(selftest, selftest->client);
    /* In processes it goes through what the defects go through there. */
    fprintf(out, "%-4s  the correct client, ", good ? "ok" : "FAIL");
    if (selftest->options.extent == EXTENT_MEMORY && selftest->client->case_count == 0)
        fprintf(out, "all cases in memory\n");
    else
        fprintf(out, "%zu cases\n", selftest->client->case_count);
    print_trips(selftest, selftest->client, out);
    print_unproven(selftest, out);
    fprintf(out, "%zu defects in %.1f s\n", selftest->defect_count, (double)selftest->duration_ms / 1000);
    fprintf(out, "%zu of %zu requirements are seen to fail; the correct client %s\n", met, asked,
            good ? "passes" : "FAILS");
}
