#include "conformance/script/plan_lines.h"

#include <stdlib.h>

#include "codec/wire/json.h"
#include "conformance/script/case_tables.h"
#include "conformance/script/words.h"

enum { PLAN_STEPS_MAX = 63, PLAN_WAIT_MAX_US = 1800000000, PLAN_RECONNECTS_MAX = 100 };

const struct condition_rule PLAN_CONDITIONS[] = {
    {"ready", true,
     "sessionReady was received, of duplex session.created, of interview the status connected; ready:2, a "
     "second one, after a reconnect"},
    {"speech", true,
     "speech frames played since the latest speak; of duplex deltas, of interview chunks that began to be "
     "played"},
    {"sent", false, "all speech handed over is on the wire"},
    {"idle", false,
     "a silence frame was played after speech; of duplex and interview, a turn is over and nothing is "
     "queued"},
    {"final", false, "a final frame was played; of duplex, session.closed came; of interview, is_final"},
    {"error", false, "an error was received"},
    {"closed", false, "a connection is over"},
    {"listen", true, "response.listen came, since the latest speak or force-listen (duplex)"},
    {"turn", true,
     "turns of the server that were over, heard to the end or cut off, since the latest speak (duplex, "
     "interview: replies)"},
    {NULL, false, NULL},
};

enum { PLAN_AFTER };
static const struct value_rule AFTER_OPTION[] = {
    {.name = "after",
     .type = VALUE_CONDITION,
     .conditions = PLAN_CONDITIONS,
     .sentence = "the step is due once this has come, as the client itself sees it"},
    {.name = NULL}};

enum { SPEAK_PARAMS = 1 };
static const struct value_rule SPEAK_OPTIONS[] = {
    {.name = "after",
     .type = VALUE_CONDITION,
     .conditions = PLAN_CONDITIONS,
     .sentence = "the step is due once this has come, as the client itself sees it"},
    {.name = "params",
     .type = VALUE_STRING,
     .sentence = "the params of its messages, a JSON object; a client that sends none cannot do the plan"},
    {.name = NULL}};

static const struct value_rule SPEAK_ARGS[] = {{.name = "the name of a sound file", .type = VALUE_STRING},
                                               {.name = NULL}};

static const struct value_rule WAIT_ARGS[] = {
    {.name = "how long", .type = VALUE_DURATION, .min = 0, .max = PLAN_WAIT_MAX_US, .optional = true},
    {.name = NULL}};

static const struct value_rule RECONNECT_ARGS[] = {
    {.name = "how often", .type = VALUE_COUNT, .min = 0, .max = PLAN_RECONNECTS_MAX}, {.name = NULL}};

const struct line_rule PLAN_RULES[] = {
    {"connect", PLAN_CONNECT, 0, NULL, NULL, "opens a connection"},
    {"speak", PLAN_SPEAK, 0, SPEAK_ARGS, SPEAK_OPTIONS, "hands over a sound file of fixtures/speech"},
    {"cancel", PLAN_CANCEL, 0, NULL, AFTER_OPTION, "cancels the interaction (Ojin); of interview, the reply"},
    {"end", PLAN_END, 0, NULL, AFTER_OPTION,
     "ends the interaction; of duplex and interview, closes once the answer was heard"},
    {"wait", PLAN_WAIT, 0, WAIT_ARGS, AFTER_OPTION, "does nothing for a time, or until after="},
    {"close", PLAN_CLOSE, 0, NULL, AFTER_OPTION,
     "closes the connection, for good; of duplex, session.close and what follows"},
    {"reconnect", PLAN_RECONNECT, 0, RECONNECT_ARGS, AFTER_OPTION,
     "from here on tries again when the connection is lost or refused, at most that number of times in a "
     "row; a client "
     "that "
     "never reconnects cannot do the plan"},
    {"force-listen", PLAN_FORCE_LISTEN, 0, NULL, AFTER_OPTION,
     "interrupts the server by the next append (duplex)"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static bool plan_wait_check(struct parser *parser, const struct node *node, const struct line *line)
{
    bool duration = line->arg_count == 1;
    if (duration != line->options[PLAN_AFTER].set)
        return true;
    return complain(parser, duration ? line->options[PLAN_AFTER].place : node->end,
                    "a duration such as 200ms or after=, one of them",
                    duration ? "both" : node->found_at_end);
}

static bool plan_params_take(struct parser *parser, const struct value *value, struct plan_step *step)
{
    cJSON *params = NULL;
    if (!value->set)
        return true;
    if (!value_keep(parser, value, SCRIPT_TEXT_MAX, &step->params))
        return false;
    bool good = json_parse(bytes_of_text(step->params), &params).status == WIRE_OK && cJSON_IsObject(params);
    cJSON_Delete(params);
    return good || complain_word(parser, value->place, "the text of one JSON object", step->params, NULL);
}

static bool plan_step_build(struct parser *parser, const struct script_words *words, const struct node *node,
                            struct plan_step *step)
{
    const struct line_rule *rule = line_find_rule(parser, PLAN_RULES, node->items, "a plan step");
    struct line line;
    if (rule == NULL || !line_check(parser, rule, node, &line))
        return false;
    step->kind = (enum plan_step_kind)rule->id;
    step->line = line.place.line;
    step->after = line.options[PLAN_AFTER].condition;
    if (!words_plan_check(parser, words, line.place, rule->word) ||
        !words_condition_check(parser, words, line.options[PLAN_AFTER].place, step->after.name))
        return false;
    if (step->kind == PLAN_SPEAK)
        step->file_column = line.args[0].place.column;
    if (step->kind == PLAN_SPEAK)
        return value_keep(parser, &line.args[0], SCRIPT_TEXT_MAX, &step->file) &&
               plan_params_take(parser, &line.options[SPEAK_PARAMS], step);
    if (step->kind == PLAN_RECONNECT)
        step->times = (uint32_t)line.args[0].number;
    if (step->kind == PLAN_WAIT && line.arg_count == 1)
        step->wait_us = line.args[0].number;
    return step->kind != PLAN_WAIT || plan_wait_check(parser, node, &line);
}

static bool plan_connects(const struct node *block)
{
    for (const struct node *node = block->children; node != NULL; node = node->next)
        if (strcmp(node->items->token.text, "connect") == 0)
            return true;
    return false;
}

static bool plan_default(struct parser *parser, struct case_script *script)
{
    static const enum plan_step_kind KINDS[] = {PLAN_CONNECT, PLAN_SPEAK, PLAN_END};
    enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };
    script->plan = calloc(KIND_COUNT, sizeof *script->plan);
    if (script->plan == NULL)
        return complain_memory(parser);
    script->plan_count = KIND_COUNT;
    for (size_t i = 0; i < KIND_COUNT; i++)
        script->plan[i].kind = KINDS[i];
    script->plan[1].file = parser->class->family->speech;
    return true;
}

bool plan_build(struct parser *parser, struct case_script *script, const struct node *block)
{
    size_t count = 0;
    if (block == NULL)
        return plan_default(parser, script);
    for (const struct node *node = block->children; node != NULL; node = node->next)
        if (++count > PLAN_STEPS_MAX)
            return complain(parser, node->items->token.place, "at most 63 plan steps", "one more");
    script->plan = calloc(count + 1, sizeof *script->plan);
    if (script->plan == NULL)
        return complain_memory(parser);
    /* A connect that is not written comes first. */
    if (!plan_connects(block)) {
        script->plan[0].line = block->items->token.place.line;
        script->plan_count = 1;
    }
    for (const struct node *node = block->children; node != NULL; node = node->next)
        if (!plan_step_build(parser, script->words, node, &script->plan[script->plan_count++]) &&
            !parser_goes_on(parser))
            return false;
    return true;
}
