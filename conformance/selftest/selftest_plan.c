/* Who goes through which cases. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "codec/family.h"
#include "codec/rules/follows.h"
#include "codec/wire/nearest.h"
#include "conformance/selection/name_pattern.h"
#include "conformance/selftest/selftest.h"

enum { NEAR_BYTES_MAX = 120 };

static size_t row_of(const struct requirement *requirement)
{
    return (size_t)(requirement - REQUIREMENTS);
}

/* The table also has rows of families that are not built here. */
static bool is_about_clients(const struct selftest_options *options, const struct requirement *requirement)
{
    const struct family *asked = options->run.family;
    const struct family *family = family_of_requirement(requirement->id);
    return requirement->party == REQUIREMENT_CLIENT && family != NULL && (asked == NULL || family == asked);
}

/* ---- what is asked for ---- */

static bool matches(const struct selftest_options *options, const char *name)
{
    for (size_t i = 0; i < options->patterns.count; i++)
        if (name_pattern_matches(options->patterns.of[i], name))
            return true;
    return options->patterns.count == 0;
}

static const struct defect *table_at(const struct selftest_options *options, size_t n)
{
    return options->trial == TRIAL_DEFECTS ? defect_trial_at(n) : defect_at(n);
}

static size_t table_count(const struct selftest_options *options)
{
    size_t count = 0;
    while (table_at(options, count) != NULL)
        count++;
    return count;
}

/* A row that names what does not exist, or what follows anyhow, is our own mistake, and told as that. */
static bool row_is_right(const struct selftest_options *options, const struct defect *defect)
{
    const struct requirement *requirement = requirement_by_id(defect->requirement);
    bool right = requirement != NULL && is_about_clients(options, requirement);
    for (size_t i = 0; right && i < DEFECT_IMPLIES_MAX && defect->implies[i] != NULL; i++)
        right = requirement_by_id(defect->implies[i]) != NULL &&
                !requirement_follows(defect->implies[i], defect->requirement);
    if (!right)
        fprintf(stderr,
                "ojin-conform: defect %s names a requirement that does not exist, or follows anyhow\n",
                defect->name);
    return right;
}

/* There is a case in memory of its requirement that can see it. */
static bool shows_in_memory(const struct selftest *selftest, const struct defect *defect)
{
    for (size_t i = 0; defect_is_in_core(defect) && i < selftest->selection.count; i++) {
        const struct case_script *script = selftest->selection.cases[i].script;
        const char *pattern = defect->cases;
        if (!script->transport && (defect->blunt.set || selftest_is_own(defect, script)) &&
            (pattern == NULL || defect->blunt.set || case_name_matches(script->name, pattern)))
            return true;
    }
    return false;
}

static bool choose_defects(struct selftest *out)
{
    const struct selftest_options *options = &out->options;
    const struct defect *defect = NULL;
    for (size_t n = 0; (defect = table_at(options, n)) != NULL; n++) {
        const struct family *family = family_of_requirement(defect->requirement);
        if (family != NULL && options->run.family != NULL && family != options->run.family)
            continue; /* another family's */
        if (!row_is_right(options, defect))
            return false;
        if (options->extent == EXTENT_MEMORY && !shows_in_memory(out, defect))
            continue;
        if (!defect->blunt.set && !matches(options, defect->name) && !matches(options, defect->requirement))
            continue;
        out->defects[out->defect_count++].defect = defect;
        if (!defect->blunt.set)
            out->asked[row_of(requirement_by_id(defect->requirement))] = true;
    }
    return true;
}

/* In memory alone only those that some defect breaks there. */
static void choose_requirements(struct selftest *out)
{
    const bool in_memory = out->options.extent == EXTENT_MEMORY;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (!is_about_clients(&out->options, &REQUIREMENTS[i]))
            continue;
        out->asked[i] = out->asked[i] || (!in_memory && matches(&out->options, REQUIREMENTS[i].id));
        out->partial = out->partial || !out->asked[i];
    }
}

/* ---- cases ---- */

bool selftest_is_own(const struct defect *defect, const struct case_script *script)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (strcmp(script->clauses[i].requirement->id, defect->requirement) == 0)
            return true;
    return false;
}

bool selftest_is_of(const struct defect *defect, const struct case_script *script)
{
    return family_has_requirement(script->class->family, defect->requirement);
}

static bool is_to_go_through(enum selftest_extent extent, const struct defect *defect,
                             const struct case_script *script)
{
    if (defect->blunt.set)
        return defect->cases != NULL &&
               (strcmp(script->name, defect->cases) == 0 ||
                (script->transport && case_name_matches(script->name, defect->cases)));
    if (selftest_is_own(defect, script))
        return true;
    return extent == EXTENT_FULL && script->set < SCRIPT_SET_SLOW && !defect->alone &&
           selftest_is_of(defect, script);
}

static void choose_cases(const struct selftest *selftest, struct selftest_subject *subject)
{
    const struct selection *selection = &selftest->selection;
    const struct defect *defect = subject->defect;
    const enum selftest_extent extent = selftest->options.extent;
    for (size_t i = 0; i < selection->count; i++)
        subject->wanted[i] = extent != EXTENT_MEMORY &&
                             (!defect->blunt.set || selftest_has_checks(selftest, i)) &&
                             is_to_go_through(extent, defect, selection->cases[i].script);
}

/* The correct client goes through all cases but slow ones that nobody needs; in part of a test through those
 * that a defect goes through. */
static void choose_client_cases(struct selftest *selftest)
{
    for (size_t i = 0; i < selftest->selection.count; i++) {
        const struct case_script *script = selftest->selection.cases[i].script;
        bool wanted =
            !selftest->partial && selftest->options.extent != EXTENT_MEMORY && script->set < SCRIPT_SET_SLOW;
        for (size_t n = 0; n < selftest->defect_count; n++)
            wanted = wanted || selftest->defects[n].wanted[i];
        selftest->client->wanted[i] = wanted;
    }
}

/* Those that can see it; the slow ones only where there are no others. */
static void leave_blind_ones_out(const struct selftest *selftest, struct selftest_subject *subject)
{
    const struct selection *selection = &selftest->selection;
    const char *pattern = subject->defect->cases;
    bool quick = false;
    for (size_t i = 0; i < selection->count; i++) {
        const struct case_script *script = selection->cases[i].script;
        subject->wanted[i] =
            subject->wanted[i] && (pattern == NULL || case_name_matches(script->name, pattern));
        quick = quick || (subject->wanted[i] && script->set < SCRIPT_SET_SLOW);
    }
    for (size_t i = 0; quick && i < selection->count; i++)
        subject->wanted[i] = subject->wanted[i] && selection->cases[i].script->set < SCRIPT_SET_SLOW;
}

/* Of the cases that caught it in memory the one that is over first, as far as its limit tells; the count of
 * all when there is none. */
static size_t shortest_shown(const struct selftest *selftest, const struct selftest_subject *subject)
{
    const struct selected_case *cases = selftest->selection.cases;
    size_t best = selftest->selection.count;
    for (size_t i = 0; i < selftest->selection.count; i++)
        if (subject->wanted[i] && subject->shown[i] &&
            (best == selftest->selection.count || cases[i].script->limit_us < cases[best].script->limit_us))
            best = i;
    return best;
}

static void narrow(const struct selftest *selftest, struct selftest_subject *subject)
{
    if (subject->defect->blunt.set)
        return;
    leave_blind_ones_out(selftest, subject);
    const size_t kept = shortest_shown(selftest, subject);
    if (kept == selftest->selection.count) /* nothing of it shows in memory */
        return;
    for (size_t i = 0; i < selftest->selection.count; i++)
        subject->wanted[i] =
            i == kept || (subject->wanted[i] && selftest->selection.cases[i].script->transport);
}

void selftest_narrow(struct selftest *selftest)
{
    const bool quick = selftest->options.extent == EXTENT_QUICK;
    for (size_t n = 0; quick && n < selftest->defect_count; n++)
        narrow(selftest, &selftest->defects[n]);
    choose_client_cases(selftest);
}

static bool make_room(struct selftest *out)
{
    const size_t count = table_count(&out->options) + 1;
    out->asked = calloc(REQUIREMENT_COUNT, sizeof *out->asked);
    void *subjects = mmap(NULL, count * sizeof(struct selftest_subject), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (out->asked == NULL || subjects == MAP_FAILED || count > SELFTEST_DEFECTS_MAX) {
        fputs("ojin-conform: out of memory\n", stderr);
        return false;
    }
    out->client = subjects;
    out->defects = out->client + 1;
    return true;
}

static bool make_folder(struct selftest *out)
{
    if (scratch_make(&out->scratch, "ojin-selftest"))
        return true;
    fprintf(stderr, "ojin-conform: cannot make a folder %s: %s\n", out->scratch.path, strerror(errno));
    out->scratch.path[0] = '\0';
    return false;
}

/* Does a requirement of a client or a defect have a name of that pattern? */
static bool names_any(const struct selftest_options *options, const char *pattern)
{
    const struct defect *defect = NULL;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (is_about_clients(options, &REQUIREMENTS[i]) && name_pattern_matches(pattern, REQUIREMENTS[i].id))
            return true;
    for (size_t i = 0; (defect = table_at(options, i)) != NULL; i++)
        if (name_pattern_matches(pattern, defect->name))
            return true;
    return false;
}

static void say_nothing_matches(const char *pattern)
{
    char near[NEAR_BYTES_MAX] = "";
    struct text text = text_of(near, sizeof near);
    const struct defect *defect = NULL;
    struct nearest nearest = nearest_to(bytes_of_text(pattern));
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        nearest_offer(&nearest, REQUIREMENTS[i].id);
    for (size_t i = 0; (defect = defect_at(i)) != NULL; i++)
        nearest_offer(&nearest, defect->name);
    text_add_nearest(&text, &nearest);
    fprintf(stderr, "ojin-conform selftest: no requirement and no defect matches --run '%s'%s\n", pattern,
            near[0] != '\0' ? near : ": 'ojin-conform defect --list' shows both");
}

static bool patterns_match(const struct selftest_options *options)
{
    bool good = true;
    for (size_t n = 0; n < options->patterns.count; n++) {
        if (names_any(options, options->patterns.of[n]))
            continue;
        say_nothing_matches(options->patterns.of[n]);
        good = false;
    }
    return good;
}

bool selftest_plan(struct selftest *out)
{
    struct run_options *run = &out->options.run;
    run->all_profiles = true;
    run->set = SCRIPT_SET_SLOW;
    run->inferred = true;
    run->strict = true;
    if (!patterns_match(&out->options))
        return false;
    if (!case_set_load(run->cases_folder, CASES_ABOUT_CLIENTS, &out->set) || !make_room(out))
        return false;
    select_cases(&out->set, run, &out->selection);
    if (!selftest_list_checks(out))
        return false;
    if (!choose_defects(out))
        return false;
    choose_requirements(out);
    bool any = false;
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        any = any || out->asked[i];
    if (!any) {
        fputs(
            "ojin-conform selftest: nothing of --run shows in memory, only over a real transport: leave out "
            "--memory\n",
            stderr);
        return false;
    }
    for (size_t n = 0; n < out->defect_count; n++)
        choose_cases(out, &out->defects[n]);
    return make_folder(out);
}

void selftest_free(struct selftest *selftest)
{
    if (selftest->client != NULL)
        munmap(selftest->client, (table_count(&selftest->options) + 1) * sizeof(struct selftest_subject));
    scratch_remove(&selftest->scratch);
    free(selftest->asked);
    case_set_free(&selftest->set);
}
