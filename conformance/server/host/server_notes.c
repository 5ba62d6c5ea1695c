#include "conformance/server/host/server_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/script/client_probe.h"
#include "conformance/server/host/server_probe.h"

static const char SOME_CASES_NOTE[] = "not all cases about it were run: --run, --skip or --requirement left "
                                      "some out";
enum { OWN_NOTES = 2 };

static void note_add(struct run_result *run, struct run_note *notes, const char *id, const char *sentence)
{
    notes[run->note_count++] = (struct run_note){.requirement_id = id, .sentence = sentence};
}

static bool is_about(const struct case_script *script, const struct requirement *requirement)
{
    for (size_t i = 0; i < script->clause_count; i++)
        if (script->clauses[i].requirement == requirement)
            return true;
    return false;
}

static bool is_in_run(const struct run_result *run, const struct case_script *script)
{
    for (size_t i = 0; i < run->case_count; i++)
        if (run->cases[i].script == script)
            return true;
    return false;
}

/* Did the run leave out a case about it? */
static bool is_left_out(const struct run_result *run, const struct case_set *set,
                        const struct server_options *options, const struct requirement *requirement)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct case_script *script = set->scripts[i];
        if (server_options_match(options, script->profiles) && is_about(script, requirement) &&
            !is_in_run(run, script))
            return true;
    }
    return false;
}

static bool has_failed(const struct run_result *run, const char *id)
{
    for (size_t i = 0; i < run->case_count; i++) {
        const struct case_result *result = &run->cases[i].result;
        for (size_t n = 0; run->cases[i].ran && n < result->check_count; n++)
            if (strcmp(result->checks[n].requirement->id, id) == 0 &&
                result->checks[n].verdict == VERDICT_FAIL)
                return true;
    }
    return false;
}

/* A stream that starts at the wrong time may be the right one of another revision. */
static void hint_add(struct server_options *options, const struct client_trial *trial)
{
    const size_t len = strlen(options->profile_note);
    snprintf(options->profile_note + len, sizeof options->profile_note - len,
             "; %s failed: is the server of the other revision, --profile %s?", trial->requirement,
             trial->other(options->profiles[0]));
}

bool server_notes_take(struct server_options *options, const struct case_set *set, struct run_result *run,
                       struct run_note **notes)
{
    const struct client_probe *probe = server_probe_of(options);
    *notes = calloc(REQUIREMENT_COUNT + OWN_NOTES, sizeof **notes);
    if (*notes == NULL)
        return false;
    if (options->width == 0 && probe->pictures_requirement != NULL)
        note_add(run, *notes, probe->pictures_requirement, probe->pictures_note);
    if (options->start_unjudged)
        note_add(run, *notes, probe->trial->requirement, probe->trial->note);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (is_left_out(run, set, options, &REQUIREMENTS[i]))
            note_add(run, *notes, REQUIREMENTS[i].id, SOME_CASES_NOTE);
    if (probe->trial != NULL && has_failed(run, probe->trial->requirement))
        hint_add(options, probe->trial);
    run->notes = *notes;
    run->profile_note = options->profile_note;
    return true;
}
