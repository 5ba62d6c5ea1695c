/* The selftest for people: a line a requirement, and what is wrong below it. */
#include <stdio.h>
#include <string.h>

#include "conformance/run/selftest.h"

static const char *case_name(const struct selftest *selftest, size_t at)
{
    return selftest->selection.cases[at].script->name;
}

static size_t first_catch(const struct selftest_subject *subject)
{
    size_t at = 0;
    while (!subject->catches[at])
        at++;
    return at;
}

static void print_catch(const struct selftest *selftest, const struct selftest_subject *subject, FILE *out)
{
    fprintf(out, "%s by %s", subject->defect->name, case_name(selftest, first_catch(subject)));
    if (subject->catch_count > 1)
        fprintf(out, " and %zu more", subject->catch_count - 1);
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
    if (!selftest_is_caught(subject))
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
        if (strcmp(subject->defect->requirement, requirement->id) != 0)
            continue;
        count++;
        if (!selftest_is_caught(subject))
            continue;
        fputs("  ", out);
        print_catch(selftest, subject, out);
    }
    fputs(count == 0 ? "  has no defect\n" : "\n", out);
    for (size_t n = 0; n < selftest->defect_count; n++)
        if (strcmp(selftest->defects[n].defect->requirement, requirement->id) == 0)
            print_faults(selftest, &selftest->defects[n], out);
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
    const bool good = selftest_is_good(selftest->client);
    fprintf(out, "%-4s  the correct client, %zu cases\n", good ? "ok" : "FAIL", selftest->client->case_count);
    print_trips(selftest, selftest->client, out);
    fprintf(out, "%zu defects in %.1f s\n", selftest->defect_count, (double)selftest->duration_ms / 1000);
    fprintf(out, "%zu of %zu requirements are seen to fail; the correct client %s\n", met, asked,
            good ? "passes" : "FAILS");
}
