/* What a plan asks for and a client is free not to do (struct free_act): what hangs on it is not asked then.
 */
#include "conformance/judge/judge_parts.h"
#include "conformance/judge/plan_writer.h"

/* Does the plan ask for it, and had the client said what it has before that? */
static bool was_due(const struct judge_input *input, const struct free_act *act)
{
    const struct case_script *script = input->script;
    size_t speeches = 0;
    for (size_t i = 0; i < script->plan_count; i++) {
        if (strcmp(plan_step_name(script->plan[i].kind), act->step) == 0)
            return !act->follows_speech || input->speeches_said >= speeches;
        speeches += script->plan[i].kind == PLAN_SPEAK ? 1 : 0;
    }
    return false;
}

static bool client_sent(const struct journal *journal, const char *message)
{
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
            strcmp(entry->label, message) == 0)
            return true;
    }
    return false;
}

/* Who does not get so far for another reason tells of it, hangs, or is ended by the mock. */
static bool left_as_if_done(const struct judge_input *input)
{
    if (input->end != CLIENT_ENDED || input->exit_code != 0 || judge_saw_error(input) ||
        judge_mock_objected(input) || judge_is_idle(input))
        return false;
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (entry->kind == JOURNAL_WIRE &&
            (entry->wire.kind == WIRE_EVENT_CLOSE || entry->wire.kind == WIRE_EVENT_END))
            return entry->wire.direction == WIRE_FROM_CLIENT;
    }
    return false;
}

/* A place in the script, or a step of it: it stops where it waits for the act. */
static bool is_of_script(const struct event_pattern *pattern)
{
    bool step = pattern->side == EVENT_MARK || pattern->side == EVENT_STEP;
    for (size_t i = 0; i < pattern->filter_count; i++)
        step = step || pattern->filters[i].kind == FILTER_STEP ||
               (pattern->filters[i].kind == FILTER_INTERACTION && pattern->filters[i].value[0] == '$');
    return step;
}

static bool hangs_on(const struct event_pattern *pattern, const struct free_act *act)
{
    const bool is_act = pattern->side == EVENT_RECEIVED && pattern->type_count == 1 &&
                        strcmp(pattern->types[0], act->message) == 0;
    return is_act || strncmp(pattern->text, act->brings, strlen(act->brings)) == 0 || is_of_script(pattern);
}

static bool is_left_out(const struct judge_input *input, const struct free_act *act)
{
    return was_due(input, act) && !client_sent(input->journal, act->message) && left_as_if_done(input);
}

const struct free_act *judge_left_out(const struct judge_input *input, const struct event_pattern *unmet)
{
    for (const struct free_act *act = judge_rules_of(input)->free_acts;
         act != NULL && act->requirement != NULL; act++)
        if (hangs_on(unmet, act) && is_left_out(input, act))
            return act;
    return NULL;
}

const struct free_act *judge_left_out_form(const struct judge_input *input, const struct requirement *form)
{
    for (const struct free_act *act = judge_rules_of(input)->free_acts;
         act != NULL && act->requirement != NULL; act++)
        if (strcmp(act->form, form->id) == 0 && is_left_out(input, act))
            return act;
    return NULL;
}

void judge_say_left_out(const struct free_act *act, struct check_result *result)
{
    struct text actual = {
        .data = result->actual, .capacity = sizeof result->actual, .len = strlen(result->actual)};
    text_add(&actual, "; the client sent no ");
    text_add(&actual, act->message);
    text_add(&actual, ", which it is free not to do (");
    text_add(&actual, act->requirement);
    text_add(&actual, ")");
}
