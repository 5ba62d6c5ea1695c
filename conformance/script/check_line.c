/* A check line: what must hold of the events of a session. */
#include <assert.h>

#include "codec/rules/requirements.h"
#include "conformance/script/case_tables.h"
#include "conformance/script/check_lines.h"

static const char *const LEVELS[] = {"MUST", "SHOULD", "INFO", NULL};

static const char *const EXPECTS[] = {"none",     "some",     "delivered", "shown", "heard", "sounded",
                                      "together", "seamless", "samples",   "only",  "timed", "growing",
                                      "slower",   "count",    "bytes",     NULL};
static const enum check_expect EXPECT_VALUES[] = {
    CHECK_NONE,    CHECK_SOME,     CHECK_DELIVERED, CHECK_SHOWN,   CHECK_HEARD,
    CHECK_SOUNDED, CHECK_TOGETHER, CHECK_SEAMLESS,  CHECK_SAMPLES, CHECK_ONLY,
    CHECK_TIMED,   CHECK_GROWING,  CHECK_SLOWER,    CHECK_COUNT,   CHECK_BYTES};
/* In the order of EXPECTS. */
const struct value_rule EXPECT_RULES[] = {
    {.name = "none",
     .sentence = "no event matches. Needs given=, after= or if=: a check that expects none must say what it "
                 "depends on"},
    {.name = "some", .sentence = "at least one does"},
    {.name = "delivered",
     .sentence =
         "every frame or delta sent that matches was seen by the client, whole and in order; the pattern "
         "is a sent: one"},
    {.name = "shown",
     .sentence = "every frame sent that matches was played by the client with its picture, in order; the "
                 "pattern is a sent: one"},
    {.name = "heard",
     .sentence = "every frame sent that matches was played by the client with its picture and its sound, in "
                 "order; of "
                 "a family whose speech comes as texts: every sample of what was sent was played, wherever"},
    {.name = "sounded",
     .sentence = "the sound of every frame sent that matches was played, whole and in order, with whatever "
                 "picture"},
    {.name = "together",
     .sentence =
         "every frame sent that matches was played with its picture and its own sound, or that of the "
         "frame sent before or after it: picture and sound are within one frame of each other"},
    {.name = "seamless",
     .sentence =
         "what was played of the speech that matches has no gap, overlap or repeat, nothing else in between, "
         "and is in order; the pattern is a sent: one, as of the next three"},
    {.name = "samples",
     .sentence =
         "with min=, max= or exactly=: that number of samples of the speech that matches were played; of a "
         "received: pattern, in either family: the messages that match hold that number of samples of "
         "audio, without their headers"},
    {.name = "only",
     .sentence = "nothing was played but speech that matches: each sample that is not silence is one of it"},
    {.name = "timed",
     .sentence =
         "the text of each message that matches is told (heard) where its sound was played, to 100 ms"},
    {.name = "growing",
     .sentence = "the times between one event that matches and the next grow, of three events and more; the "
                 "pattern is a received: or sent: one"},
    {.name = "slower",
     .sentence = "after after= (up to until=) one wait for the next event that matches is longer than any "
                 "before it, by an eighth; of three events and more before it. Needs after=; the pattern is "
                 "a received: or sent: one"},
    {.name = "count", .sentence = "with min=, max= or exactly=: that number of them"},
    {.name = "bytes",
     .sentence = "with min=, max= or exactly=: the messages that match, of a received: or sent: pattern, add "
                 "up to that number of bytes, headers included"},
    {.name = NULL}};
static_assert(sizeof EXPECT_RULES / sizeof EXPECT_RULES[0] == sizeof EXPECTS / sizeof EXPECTS[0],
              "one row each");

enum { ARG_NAME, ARG_LEVEL, ARG_EXPECT, ARG_PATTERN };
static const struct value_rule CHECK_ARGS[] = {
    {.name = "the check's name", .type = VALUE_NAME},
    {.name = "the level", .type = VALUE_CHOICE, .choices = LEVELS},
    {.name = "what is expected", .type = VALUE_CHOICE, .choices = EXPECTS},
    {.name = "the pattern", .type = VALUE_PATTERN},
    {.name = NULL}};

enum {
    OPTION_CLAUSE,
    OPTION_GIVEN,
    OPTION_AFTER,
    OPTION_UNTIL,
    OPTION_MIN,
    OPTION_MAX,
    OPTION_EXACTLY,
    OPTION_IF,
    OPTION_UNLESS
};
static const struct value_rule CHECK_OPTIONS[] = {
    {.name = "clause",
     .type = VALUE_REQUIREMENT,
     .sentence = "the requirement it judges; the script's first clause unless given"},
    {.name = "given",
     .type = VALUE_PATTERN,
     .sentence = "must have happened, on whichever side; else the check is not reached"},
    {.name = "after",
     .type = VALUE_PATTERN,
     .sentence =
         "only what comes after its first occurrence counts; when it never comes the check is not reached"},
    {.name = "until", .type = VALUE_PATTERN, .sentence = "only what comes before its next occurrence counts"},
    {.name = "min", .type = VALUE_COUNT, .min = 0, .max = UINT32_MAX, .sentence = "the least number"},
    {.name = "max", .type = VALUE_COUNT, .min = 0, .max = UINT32_MAX, .sentence = "the greatest number"},
    {.name = "exactly", .type = VALUE_COUNT, .min = 0, .max = UINT32_MAX, .sentence = "the exact number"},
    {.name = "if",
     .type = VALUE_PATTERN,
     .sentence =
         "the check is for clients that get there: where this never happened, on whichever side, it drops "
         "out as unsupported"},
    {.name = "unless",
     .type = VALUE_PATTERN,
     .sentence =
         "where this happened, on whichever side, the check holds: the other way to meet the requirement"},
    {.name = NULL}};

const struct line_rule CHECK_RULES[] = {{"check", 0, LINE_OPEN_OPTIONS, CHECK_ARGS, CHECK_OPTIONS,
                                         "what must hold of the events that match the pattern"},
                                        {NULL, 0, 0, NULL, NULL, NULL}};

static bool pattern_option(struct parser *parser, const struct script_words *words, const struct line *line,
                           int option, struct event_pattern *out)
{
    return !line->options[option].set || pattern_read(parser, words, &line->options[option], out);
}

/* A check looks at every event that matches; how many there are to be, `count` says. */
static bool check_pattern_is_for_all(struct parser *parser, const struct line *line,
                                     const struct script_check *check)
{
    return check->pattern.occurrence == 1 ||
           complain_word(parser, line->args[ARG_PATTERN].place,
                         "no count in the pattern of the check itself (count PATTERN min=N max=N)",
                         check->pattern.text, NULL);
}

/* Filters are the name=value after the main pattern. */
static bool check_filters(struct parser *parser, const struct node *node, const struct line *line,
                          struct script_check *check)
{
    unsigned pattern_column = line->args[ARG_PATTERN].place.column;
    for (const struct item *item = node->items; item != NULL; item = item->next) {
        const struct token *token = &item->token;
        if (token->kind != TOKEN_OPTION || line_option_index(line->rule, token->text) >= 0)
            continue;
        if (token->place.column < pattern_column)
            return complain_word(
                parser, token->place,
                "clause=, if=, unless=, given=, after= or until= before the pattern (its filters follow it)",
                token->text, NULL);
        if (!pattern_add_filter(parser, &check->pattern, token->place, token->text, token->value_place,
                                token->value))
            return false;
    }
    return true;
}

static bool check_counts(struct parser *parser, const struct line *line, struct script_check *check)
{
    const struct value *min = &line->options[OPTION_MIN];
    const struct value *max = &line->options[OPTION_MAX];
    const struct value *exactly = &line->options[OPTION_EXACTLY];
    const struct value *given = min->set ? min : max->set ? max : exactly;
    const struct value *expect = &line->args[ARG_EXPECT];
    if (check->expect != CHECK_COUNT && check->expect != CHECK_BYTES && check->expect != CHECK_SAMPLES) {
        if (given->set)
            return complain_word(parser, given->place,
                                 "min=, max= and exactly= only with count, bytes or samples", given->text,
                                 NULL);
        check->min = check->expect == CHECK_NONE ? 0 : 1;
        check->max = check->expect == CHECK_NONE ? 0 : UINT64_MAX;
        return true;
    }
    if (!given->set || (exactly->set && (min->set || max->set)))
        return complain(parser, expect->place, "count, bytes or samples with min=, max= or both, or exactly=",
                        given->set ? "exactly= beside them" : "neither");
    check->min = exactly->set ? exactly->number : min->number;
    check->max = exactly->set ? exactly->number : max->set ? max->number : UINT64_MAX;
    if (check->min > check->max)
        return complain_word(parser, max->place, "max= not below min=", max->text, NULL);
    return true;
}

/* What the mock received and sent, its marks and its steps are on one clock; what the client saw is on
 * another. */
static bool on_one_clock(const struct event_pattern *a, const struct event_pattern *b)
{
    return (a->side == EVENT_SEEN) == (b->side == EVENT_SEEN);
}

static bool check_same_clock(struct parser *parser, const struct line *line, int option,
                             const struct event_pattern *other, const struct event_pattern *main_pattern)
{
    const struct value *value = &line->options[option];
    if (!value->set || on_one_clock(other, main_pattern))
        return true;
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    text_add(&text, CHECK_OPTIONS[option].name);
    text_add(&text, "= on the same clock as ");
    text_add_printable(&text, bytes_of_text(main_pattern->text), SCRIPT_FOUND_MAX);
    text_add(&text, " (given= may be on another)");
    return complain_word(parser, value->place, expected, value->text, NULL);
}

bool check_counts_input(const struct script_check *check)
{
    return check->expect == CHECK_SAMPLES && check->pattern.side == EVENT_RECEIVED;
}

/* What an expectation looks at. */
enum nature {
    NATURE_WIRE,     /* messages */
    NATURE_DELIVERY, /* what reached the client's user; of that … */
    NATURE_FRAMES,   /* … pictures with their sound, … */
    NATURE_SPEECH,   /* … sound where speech comes as texts, else frames, … */
    NATURE_SOUND     /* … and sound alone */
};

static const enum nature NATURES[] = {
    [CHECK_NONE] = NATURE_WIRE,          [CHECK_SOME] = NATURE_WIRE,    [CHECK_COUNT] = NATURE_WIRE,
    [CHECK_BYTES] = NATURE_WIRE,         [CHECK_GROWING] = NATURE_WIRE, [CHECK_SLOWER] = NATURE_WIRE,
    [CHECK_DELIVERED] = NATURE_DELIVERY, [CHECK_SHOWN] = NATURE_FRAMES, [CHECK_SOUNDED] = NATURE_FRAMES,
    [CHECK_TOGETHER] = NATURE_FRAMES,    [CHECK_HEARD] = NATURE_SPEECH, [CHECK_SEAMLESS] = NATURE_SOUND,
    [CHECK_SAMPLES] = NATURE_SOUND,      [CHECK_ONLY] = NATURE_SOUND,   [CHECK_TIMED] = NATURE_SOUND};

static enum nature nature_of(const struct script_check *check)
{
    return check_counts_input(check) ? NATURE_WIRE : NATURES[check->expect];
}

static bool has_speech(const struct session_class *class)
{
    return class->messages != NULL && class->messages->speech != NULL;
}

bool check_is_delivery(const struct script_check *check)
{
    return nature_of(check) != NATURE_WIRE;
}

bool check_is_sound(const struct session_class *class, const struct script_check *check)
{
    const enum nature nature = nature_of(check);
    return nature == NATURE_SOUND || (nature == NATURE_SPEECH && has_speech(class));
}

/* Frames have pictures; speech that comes as texts has none. */
static bool check_suits_family(struct parser *parser, const struct line *line,
                               const struct script_check *check)
{
    const bool speech = has_speech(parser->class);
    const struct value *expect = &line->args[ARG_EXPECT];
    if (nature_of(check) != (speech ? NATURE_FRAMES : NATURE_SOUND))
        return true;
    return complain_word(
        parser, expect->place,
        speech ? "an expectation of this family, which has no frames (heard, seamless, samples, "
                 "timed, delivered)"
               : "an expectation of this family, which has frames (heard, shown, sounded, together, "
                 "delivered, samples received:...)",
        expect->text, NULL);
}

/* What a check as a whole must be like. */
static bool check_whole(struct parser *parser, const struct line *line, const struct script_check *check)
{
    const struct value *expect = &line->args[ARG_EXPECT];
    if (check->expect == CHECK_NONE && !check->given.set && !check->after.set && !check->only_if.set)
        return complain_word(parser, expect->place,
                             "given=, after= or if= (a check that expects none must say what it depends on)",
                             "none", NULL);
    if (check->expect == CHECK_BYTES && check->pattern.side != EVENT_SENT &&
        check->pattern.side != EVENT_RECEIVED)
        return complain_word(parser, line->args[ARG_PATTERN].place,
                             "a pattern received:... or sent:... after bytes", check->pattern.text, NULL);
    if (check_is_delivery(check) && check->pattern.side != EVENT_SENT)
        return complain_word(
            parser, line->args[ARG_PATTERN].place,
            "a pattern sent:... after delivered, shown, heard, sounded, together, seamless, samples "
            "or timed",
            check->pattern.text, NULL);
    if (check->expect == CHECK_GROWING && check->pattern.side == EVENT_SEEN)
        return complain_word(parser, line->args[ARG_PATTERN].place,
                             "a pattern received:... or sent:... after growing", check->pattern.text, NULL);
    if (check->expect == CHECK_SLOWER && check->pattern.side == EVENT_SEEN)
        return complain_word(parser, line->args[ARG_PATTERN].place,
                             "a pattern received:... or sent:... after slower", check->pattern.text, NULL);
    if (check->expect == CHECK_SLOWER && !check->after.set)
        return complain_word(parser, expect->place, "after= (slower than before what?)", "slower", NULL);
    if (!check_suits_family(parser, line, check))
        return false;
    return check_is_sound(parser->class, check) ||
           (check_same_clock(parser, line, OPTION_AFTER, &check->after, &check->pattern) &&
            check_same_clock(parser, line, OPTION_UNTIL, &check->until, &check->pattern));
}

static bool check_clause(struct parser *parser, const struct case_script *script, const struct line *line,
                         struct script_check *check)
{
    if (line->options[OPTION_CLAUSE].set)
        check->clause = line->options[OPTION_CLAUSE].requirement;
    else if (script->clause_count > 0)
        check->clause = script->clauses[0].requirement;
    else
        return complain(parser, line->place, "clause=ID (the script has no clause of its own)", "none");
    for (const struct script_check *other = script->checks; other != check; other++)
        if (strcmp(other->name, check->name) == 0)
            return complain_word(parser, line->args[ARG_NAME].place, "a name that no other check has",
                                 check->name, NULL);
    return true;
}

static void check_set_expect(struct script_check *check, const char *word)
{
    for (size_t i = 0; EXPECTS[i] != NULL; i++)
        if (strcmp(EXPECTS[i], word) == 0)
            check->expect = EXPECT_VALUES[i];
}

bool check_build(struct parser *parser, const struct case_script *script, const struct node *node,
                 struct script_check *check)
{
    struct line line;
    if (!line_check(parser, &CHECK_RULES[0], node, &line))
        return false;
    check->line = line.place.line;
    check_set_expect(check, line.args[ARG_EXPECT].text);
    return value_copy(parser, &line.args[ARG_NAME], check->name, sizeof check->name) &&
           value_copy(parser, &line.args[ARG_LEVEL], check->level, sizeof check->level) &&
           pattern_option(parser, script->words, &line, OPTION_IF, &check->only_if) &&
           pattern_option(parser, script->words, &line, OPTION_UNLESS, &check->unless) &&
           pattern_option(parser, script->words, &line, OPTION_GIVEN, &check->given) &&
           pattern_option(parser, script->words, &line, OPTION_AFTER, &check->after) &&
           pattern_option(parser, script->words, &line, OPTION_UNTIL, &check->until) &&
           pattern_read(parser, script->words, &line.args[ARG_PATTERN], &check->pattern) &&
           check_pattern_is_for_all(parser, &line, check) && check_filters(parser, node, &line, check) &&
           check_counts(parser, &line, check) && check_whole(parser, &line, check) &&
           check_clause(parser, script, &line, check);
}
