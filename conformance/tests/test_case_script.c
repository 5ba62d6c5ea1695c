/* Cases without a mistake, and what they become. */
#include <check.h>
#include <stdlib.h>

#include "codec/rules/requirements.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/text.h"
#include "conformance/script/case_script.h"
#include "conformance/script/case_tables.h"
#include "conformance/tests/fake_case.h"
#include "server/tests/script_texts.h"

enum { DESCRIPTION_MAX = 4096 };

static struct case_script *parse_right(const char *name, const char *source)
{
    char error[SCRIPT_ERROR_MAX];
    struct exact_copy copy = exact_copy_of(bytes_of_text(source));
    struct case_script *script = case_script_parse("dir/a.session", copy.bytes, FAKE_CASE, error);
    exact_copy_free(copy);
    ck_assert_msg(script != NULL, "%s: %s", name, error);
    ck_assert_str_eq(error, "");
    return script;
}

/* ---- cases as a line of text ---- */

static void describe_plan(struct text *out, const struct case_script *script)
{
    static const char *const WORDS[] = {
        [PLAN_CONNECT] = "connect", [PLAN_SPEAK] = "speak", [PLAN_CANCEL] = "cancel",
        [PLAN_END] = "end",         [PLAN_WAIT] = "wait",   [PLAN_CLOSE] = "close"};
    for (size_t i = 0; i < script->plan_count; i++) {
        const struct plan_step *step = &script->plan[i];
        text_add(out, i == 0 ? "" : "; ");
        text_add(out, WORDS[step->kind]);
        if (step->kind == PLAN_SPEAK)
            add_word(out, " ", step->file);
        add_number(out, " us=", step->wait_us);
        add_condition(out, " after=", &step->after);
    }
}

static void describe_pattern(struct text *out, const char *before, const struct event_pattern *pattern)
{
    static const char *const SIDES[] = {[EVENT_RECEIVED] = "received",
                                        [EVENT_SENT] = "sent",
                                        [EVENT_SEEN] = "seen",
                                        [EVENT_MARK] = "mark",
                                        [EVENT_STEP] = "step"};
    if (!pattern->set)
        return;
    text_add(out, before);
    text_add(out, SIDES[pattern->side]);
    for (size_t i = 0; i < pattern->type_count; i++)
        add_word(out, i == 0 ? ":" : ",", pattern->types[i]);
    for (size_t i = 0; i < pattern->filter_count; i++) {
        add_word(out, "/", pattern->filters[i].name);
        text_add(out, "=");
        text_add(out, pattern->filters[i].value);
    }
}

static void describe_check(struct text *out, const struct script_check *check)
{
    static const char *const EXPECTS[] = {
        [CHECK_NONE] = "none",           [CHECK_SOME] = "some",         [CHECK_COUNT] = "count",
        [CHECK_DELIVERED] = "delivered", [CHECK_SHOWN] = "shown",       [CHECK_HEARD] = "heard",
        [CHECK_SOUNDED] = "sounded",     [CHECK_TOGETHER] = "together", [CHECK_GROWING] = "growing",
        [CHECK_SLOWER] = "slower"};
    text_add(out, check->name);
    add_word(out, " ", check->level);
    add_word(out, " ", check->clause->id);
    describe_pattern(out, " given ", &check->given);
    describe_pattern(out, " after ", &check->after);
    describe_pattern(out, " until ", &check->until);
    add_word(out, " ", EXPECTS[check->expect]);
    describe_pattern(out, " ", &check->pattern);
    text_add(out, " ");
    text_add_u64(out, check->min);
    text_add(out, "-");
    if (check->max != UINT64_MAX)
        text_add_u64(out, check->max);
}

/* ---- tables ---- */

static const struct {
    const char *name;
    const char *plan; /* NULL: no block */
    enum client_tier tier;
    const char *expected;
} PLANS[] = {
    {"none", NULL, TIER_WIRE, "connect; speak hello-1s.wav; end"},
    {"empty", "", TIER_WIRE, "connect"},
    {"a connect of its own", "connect\nspeak \"a.wav\"\nend\nclose", TIER_WIRE,
     "connect; speak a.wav; end; close"},
    {"a connect where it is missing", "speak \"a.wav\"", TIER_WIRE, "connect; speak a.wav"},
    {"a condition", "speak \"a.wav\"\nend after=idle", TIER_PLAN, "connect; speak a.wav; end after=idle:1"},
    {"a cancel", "speak \"a.wav\"\ncancel after=speech:10", TIER_PLAN,
     "connect; speak a.wav; cancel after=speech:10"},
    {"waits", "wait 1s\nwait after=ready", TIER_PLAN, "connect; wait us=1000000; wait after=ready:1"},
    {"two speeches", "speak \"a.wav\"\nspeak \"b.wav\"", TIER_PLAN, "connect; speak a.wav; speak b.wav"},
};

START_TEST(a_plan_becomes_its_steps_and_its_tier)
{
    char source[1024];
    char description[DESCRIPTION_MAX];
    struct text text = text_of(source, sizeof source);
    struct text out = text_of(description, sizeof description);
    text_add(&text, "case c\nserver {\naccept\n}\n");
    if (PLANS[_i].plan != NULL) {
        text_add(&text, "plan {\n");
        text_add(&text, PLANS[_i].plan);
        text_add(&text, "\n}\n");
    }
    struct case_script *script = parse_right(PLANS[_i].name, source);
    describe_plan(&out, script);
    ck_assert_msg(strcmp(description, PLANS[_i].expected) == 0, "%s: got %s", PLANS[_i].name, description);
    ck_assert_msg(script->tier == PLANS[_i].tier, "%s: tier %d", PLANS[_i].name, (int)script->tier);
    case_script_free(script);
}
END_TEST

static const struct {
    const char *name;
    const char *line;
    enum client_tier tier;
    const char *expected;
} CHECKS[] = {
    {"some", "check a MUST some sent:speech", TIER_WIRE, "a MUST OJ-CAN-03 some sent:speech 1-"},
    {"none given", "check a SHOULD given=sent:close none received:audio", TIER_WIRE,
     "a SHOULD OJ-CAN-03 given sent:close none received:audio 0-0"},
    {"given on another clock", "check a MUST given=mark:m some seen:played,frame", TIER_OBSERVE,
     "a MUST OJ-CAN-03 given mark:m some seen:played,frame 1-"},
    {"a given that is seen", "check a MUST given=seen:error none received:audio", TIER_OBSERVE,
     "a MUST OJ-CAN-03 given seen:error none received:audio 0-0"},
    {"after and until", "check a MUST after=sent:speech until=sent:close none sent:silence", TIER_WIRE,
     "a MUST OJ-CAN-03 after sent:speech until sent:close none sent:silence 0-0"},
    {"a clause of its own", "check a INFO clause=OJ-OUT-12 some received:cancel", TIER_WIRE,
     "a INFO OJ-OUT-12 some received:cancel 1-"},
    {"count", "check a MUST count received:upgrade min=2 max=3", TIER_WIRE,
     "a MUST OJ-CAN-03 count received:upgrade 2-3"},
    {"count at most", "check a MUST count max=3 received:upgrade", TIER_WIRE,
     "a MUST OJ-CAN-03 count received:upgrade 0-3"},
    {"count at least", "check a MUST count received:upgrade min=2", TIER_WIRE,
     "a MUST OJ-CAN-03 count received:upgrade 2-"},
    {"count exactly", "check a MUST count exactly=0 given=sent:close received:audio", TIER_WIRE,
     "a MUST OJ-CAN-03 given sent:close count received:audio 0-0"},
    {"delivered", "check a MUST delivered sent:frame step=turn", TIER_OBSERVE,
     "a MUST OJ-CAN-03 delivered sent:frame/step=turn 1-"},
    {"shown", "check a MUST shown sent:speech", TIER_OBSERVE, "a MUST OJ-CAN-03 shown sent:speech 1-"},
    {"heard", "check a MUST heard sent:speech", TIER_OBSERVE, "a MUST OJ-CAN-03 heard sent:speech 1-"},
    {"together", "check a MUST together sent:speech", TIER_OBSERVE,
     "a MUST OJ-CAN-03 together sent:speech 1-"},
    {"sounded", "check a MUST sounded sent:speech", TIER_OBSERVE, "a MUST OJ-CAN-03 sounded sent:speech 1-"},
    {"growing", "check a MUST growing received:upgrade", TIER_WIRE,
     "a MUST OJ-CAN-03 growing received:upgrade 1-"},
    {"slower", "check a MUST after=sent:error slower received:audio", TIER_WIRE,
     "a MUST OJ-CAN-03 after sent:error slower received:audio 1-"},
    {"after on another side of the same clock", "check a MUST after=sent:close some received:close",
     TIER_WIRE, "a MUST OJ-CAN-03 after sent:close some received:close 1-"},
    {"filters", "check a MUST some seen:played kind=speech index=1 interaction=$turn.interaction final=true",
     TIER_OBSERVE,
     "a MUST OJ-CAN-03 some seen:played/kind=speech/index=1/interaction=$turn.interaction/final=true 1-"},
    {"filters with words and strings", "check a MUST some seen:error,closed code=4001 text=\"a b\" clean=no",
     TIER_OBSERVE, "a MUST OJ-CAN-03 some seen:error,closed/code=4001/text=a b/clean=no 1-"},
    {"filters in brackets",
     "check a MUST given=sent:frame[step=turn,index=1] some seen:frame interaction=nil", TIER_OBSERVE,
     "a MUST OJ-CAN-03 given sent:frame/step=turn/index=1 some seen:frame/interaction=nil 1-"},
    {"a named step", "check a MUST given=step:turn none received:other bytes=0", TIER_WIRE,
     "a MUST OJ-CAN-03 given step:turn none received:other/bytes=0 0-0"},
};

START_TEST(a_check_becomes_its_patterns)
{
    char source[1024];
    char description[DESCRIPTION_MAX];
    struct text text = text_of(source, sizeof source);
    struct text out = text_of(description, sizeof description);
    text_add(&text, "case c\nclause OJ-CAN-03\n");
    text_add(&text, CHECKS[_i].line);
    text_add(&text, "\nserver {\naccept\nserve as turn\nmark m\n}\n");
    struct case_script *script = parse_right(CHECKS[_i].name, source);
    ck_assert_uint_eq(script->check_count, 1);
    ck_assert_uint_eq(script->checks[0].line, 3);
    describe_check(&out, &script->checks[0]);
    ck_assert_msg(strcmp(description, CHECKS[_i].expected) == 0, "%s: got %s", CHECKS[_i].name, description);
    ck_assert_msg(script->tier == CHECKS[_i].tier, "%s: tier %d", CHECKS[_i].name, (int)script->tier);
    case_script_free(script);
}
END_TEST

START_TEST(the_lines_outside_the_blocks_are_kept)
{
    struct case_script *script =
        parse_right("whole", "case ojin/a\ntitle \"A title\"\nexpect \"That it works\"\n"
                             "clause OJ-CAN-03\nclause OJ-IN-10\nclause OJ-CAN-01 INFO\n"
                             "profiles earlier\nconfig \"a/b?c\"\nneeds transport end\n"
                             "limit 1500ms\nserver {\n accept\n}\n");
    ck_assert_str_eq(script->path, "dir/a.session");
    ck_assert_str_eq(script->name, "ojin/a");
    ck_assert_str_eq(script->title, "A title");
    ck_assert_str_eq(script->expect, "That it works");
    ck_assert_str_eq(script->profiles, "earlier");
    ck_assert_str_eq(script->config, "a/b?c");
    ck_assert_uint_eq(script->limit_us, 1500000);
    ck_assert(script->transport);
    ck_assert_int_eq(script->tier, TIER_WIRE);
    ck_assert_uint_eq(script->clause_count, 3);
    ck_assert_str_eq(script->clauses[0].requirement->id, "OJ-CAN-03");
    ck_assert_str_eq(script->clauses[0].level, "MUST");
    ck_assert_str_eq(script->clauses[1].level, "SHOULD");
    ck_assert_str_eq(script->clauses[2].level, "INFO");
    ck_assert_uint_eq(script->clauses[2].line, 6);
    ck_assert_uint_eq(script->played.steps[0].line, 12);
    case_script_free(script);
}
END_TEST

START_TEST(what_is_not_written_has_its_default)
{
    struct case_script *script = parse_right("least", "case c\nserver { accept }");
    ck_assert_str_eq(script->title, "");
    ck_assert_str_eq(script->profiles, "all");
    ck_assert_str_eq(script->config, "persona-1");
    ck_assert_uint_eq(script->limit_us, 10000000);
    ck_assert(!script->transport);
    ck_assert_uint_eq(script->clause_count, 0);
    ck_assert_uint_eq(script->check_count, 0);
    case_script_free(script);
}
END_TEST

static const struct {
    const char *needs;
    enum client_tier tier;
} NEEDS[] = {{"transport", TIER_WIRE},
             {"end", TIER_WIRE},
             {"cancel", TIER_PLAN},
             {"played", TIER_OBSERVE},
             {"closed cancel", TIER_OBSERVE}};

START_TEST(needs_raise_the_tier)
{
    char source[256];
    struct text text = text_of(source, sizeof source);
    text_add(&text, "case c\nneeds ");
    text_add(&text, NEEDS[_i].needs);
    text_add(&text, "\nserver { accept }\n");
    struct case_script *script = parse_right(NEEDS[_i].needs, source);
    ck_assert_int_eq(script->tier, NEEDS[_i].tier);
    case_script_free(script);
}
END_TEST

START_TEST(a_mock_knows_every_line_of_a_suite)
{
    for (const struct line_rule *rule = CASE_RULES; rule->word != NULL; rule++) {
        char source[256];
        char error[SCRIPT_ERROR_MAX];
        struct text text = text_of(source, sizeof source);
        if (strcmp(rule->word, "case") == 0 || strcmp(rule->word, "vary") == 0 ||
            strcmp(rule->word, "server") == 0)
            continue;
        text_add(&text, rule->word);
        text_add(&text, " of who knows what\ncase c\nserver {\naccept\n}\n");
        struct script *played = script_parse("a", bytes_of(source, text.len), &FAKE_SESSION_CLASS, error);
        ck_assert_msg(played != NULL, "%s", error);
        script_free(played);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("case script");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, a_plan_becomes_its_steps_and_its_tier, 0,
                        (int)(sizeof PLANS / sizeof PLANS[0]));
    tcase_add_loop_test(cases, a_check_becomes_its_patterns, 0, (int)(sizeof CHECKS / sizeof CHECKS[0]));
    tcase_add_test(cases, the_lines_outside_the_blocks_are_kept);
    tcase_add_test(cases, a_mock_knows_every_line_of_a_suite);
    tcase_add_test(cases, what_is_not_written_has_its_default);
    tcase_add_loop_test(cases, needs_raise_the_tier, 0, (int)(sizeof NEEDS / sizeof NEEDS[0]));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
