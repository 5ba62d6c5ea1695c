/* A defect around a client core: what goes in and what comes out passes its functions, and nothing else
 * changes. */
#include <check.h>
#include <stdlib.h>

#include "conformance/defects/defect.h"

/* A core that notes what goes in, and says the same in each step. */
struct fake {
    struct client_life life;
    enum client_event_kind kind;
    char heard[32];
    unsigned commands;
};

static void begin_session(void *owner, uint64_t now_us)
{
    (void)owner;
    (void)now_us;
}

static const struct client_life_family FAMILY = {.begin = begin_session};

static void fake_step(void *core, const struct client_event *event, struct client_actions *actions)
{
    struct fake *fake = core;
    struct text heard = text_of(fake->heard, sizeof fake->heard);
    fake->kind = event->kind;
    text_add_bytes(&heard, event->data);
    client_action_add(actions, CLIENT_SEND_TEXT)->data = bytes_of_text("one");
    client_action_add(actions, CLIENT_SEND_PING);
    client_action_add(actions, CLIENT_SEND_BINARY)->data = bytes_of_text("two");
    client_action_add(actions, CLIENT_OBSERVE)->observation.kind = OBSERVED_READY;
    client_action_add(actions, CLIENT_OBSERVE)->observation.kind = OBSERVED_FRAME;
}

static uint64_t fake_deadline_us(const void *core)
{
    (void)core;
    return 500;
}

static const struct client_life *fake_life(const void *core)
{
    return &((const struct fake *)core)->life;
}

static bool fake_perform(void *core, const struct client_plan_step *step, uint64_t now_us,
                         struct client_actions *actions)
{
    (void)step;
    (void)now_us;
    ((struct fake *)core)->commands++;
    client_action_add(actions, CLIENT_SEND_TEXT)->data = bytes_of_text("obeyed");
    return true;
}

static const struct plan_class PLAN = {.perform = fake_perform};
static const struct client_class CLASS = {
    .step = fake_step, .deadline_us = fake_deadline_us, .life = fake_life, .plan = &PLAN};

struct stage {
    struct fake fake;
    struct defect_run run;
    const struct client_class *class;
    void *core;
    struct client_actions actions;
};

static struct stage *stage_new(const struct defect *defect)
{
    static const struct client_life_options OPTIONS = {.epoch_ms = 0};
    struct stage *stage = calloc(1, sizeof *stage);
    ck_assert_ptr_nonnull(stage);
    client_life_init(&stage->fake.life, &FAMILY, &stage->fake, &OPTIONS);
    defect_begin(defect, "a-key", &stage->run);
    stage->class = &CLASS;
    stage->core = &stage->fake;
    client_enclose(&stage->run.shell, &stage->class, &stage->core);
    return stage;
}

static void stage_free(struct stage *stage)
{
    defect_end(&stage->run);
    free(stage);
}

static void stage_hear(struct stage *stage, const char *text)
{
    const struct client_event event = {.kind = CLIENT_TEXT, .now_us = 100, .data = bytes_of_text(text)};
    stage->actions.count = 0;
    stage->class->step(stage->core, &event, &stage->actions);
}

static bool is_said(const struct stage *stage, size_t n, const char *text)
{
    return n < stage->actions.count && bytes_equal_text(stage->actions.list[n].data, text);
}

START_TEST(none_changes_nothing)
{
    static const struct defect NONE = {.name = "none"};
    struct stage *stage = stage_new(&NONE);
    stage_hear(stage, "hello");
    ck_assert_str_eq(stage->fake.heard, "hello");
    ck_assert_uint_eq(stage->actions.count, 5);
    ck_assert(is_said(stage, 0, "one"));
    ck_assert(is_said(stage, 2, "two"));
    ck_assert_uint_eq(stage->class->deadline_us(stage->core), 500);
    stage_free(stage);
}
END_TEST

static bool say(struct defect_state *state, struct buffer *message)
{
    return state->binary || !buffer_append(message, bytes_of_text("!")) || message->len != 4;
}

static bool tell(struct defect_state *state, struct observation *observation)
{
    (void)state;
    observation->index = 5;
    return observation->kind != OBSERVED_READY;
}

static bool act(struct defect_state *state, struct client_action *action)
{
    (void)state;
    return action->kind != CLIENT_SEND_PING;
}

static bool say_more(struct defect_state *state, struct buffer *message)
{
    return !state->binary && buffer_append(message, bytes_of_text(" more"));
}

START_TEST(what_comes_out_may_be_changed_and_dropped)
{
    static const struct defect DROPS = {.say = say, .tell = tell, .act = act};
    static const struct defect CHANGES = {.say = say_more};
    struct stage *stage = stage_new(&DROPS);
    stage_hear(stage, "");
    ck_assert_uint_eq(stage->actions.count, 2);
    ck_assert(is_said(stage, 0, "two"));
    ck_assert_int_eq(stage->actions.list[1].observation.kind, OBSERVED_FRAME);
    ck_assert_int_eq(stage->actions.list[1].observation.index, 5);
    stage_free(stage);
    stage = stage_new(&CHANGES);
    stage_hear(stage, "");
    ck_assert_uint_eq(stage->actions.count, 4);
    ck_assert(is_said(stage, 0, "one more"));
    stage_free(stage);
}
END_TEST

static bool is_secret(struct defect_state *state, struct bytes message)
{
    (void)state;
    return bytes_equal_text(message, "secret");
}

static enum defect_taking mishear(struct defect_state *state, struct bytes message)
{
    state->binary = bytes_equal_text(message, "hello");
    if (state->binary)
        (void)buffer_append(&state->instead, bytes_of_text("yellow"));
    return DEFECT_TAKE;
}

START_TEST(what_comes_in_may_be_hidden_and_changed)
{
    static const struct defect HIDES = {.hides = is_secret, .hear = mishear};
    static const struct defect LEAVES = {.leaves_at = is_secret};
    struct stage *stage = stage_new(&HIDES);
    stage_hear(stage, "secret");
    ck_assert_int_eq(stage->fake.kind, CLIENT_TICK);
    stage_hear(stage, "hello");
    ck_assert_int_eq(stage->fake.kind, CLIENT_BINARY);
    ck_assert_str_eq(stage->fake.heard, "yellow");
    stage_hear(stage, "other");
    ck_assert_int_eq(stage->fake.kind, CLIENT_TEXT);
    ck_assert_str_eq(stage->fake.heard, "other");
    stage_free(stage);
    stage = stage_new(&LEAVES);
    stage_hear(stage, "hello");
    ck_assert_int_eq(stage->fake.life.standing, CLIENT_STANDS_UP);
    stage_hear(stage, "secret");
    ck_assert_int_eq(stage->fake.life.standing, CLIENT_STANDS_CLOSING);
    stage_free(stage);
}
END_TEST

static bool speak_never(struct defect_state *state, const struct client_plan_step *step)
{
    (void)state;
    return step->what != DO_SPEAK;
}

static void add_after(struct defect_state *state)
{
    state->due_us = 300;
    if (state->step != NULL && state->step->what == DO_END)
        client_action_add(state->actions, CLIENT_SEND_PING);
}

START_TEST(a_command_may_be_refused_and_followed)
{
    static const struct defect DEFECT = {.command = speak_never, .after = add_after};
    static const struct client_plan_step SPEAK = {.what = DO_SPEAK}, END = {.what = DO_END};
    struct stage *stage = stage_new(&DEFECT);
    ck_assert(!stage->class->plan->perform(stage->core, &SPEAK, 100, &stage->actions));
    ck_assert_uint_eq(stage->fake.commands, 0);
    ck_assert(stage->class->plan->perform(stage->core, &END, 100, &stage->actions));
    ck_assert_uint_eq(stage->fake.commands, 1);
    ck_assert_uint_eq(stage->actions.count, 2);
    ck_assert(is_said(stage, 0, "obeyed"));
    ck_assert_int_eq(stage->actions.list[1].kind, CLIENT_SEND_PING);
    ck_assert_uint_eq(stage->class->deadline_us(stage->core), 300);
    stage_free(stage);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("defect shell");
    TCase *tcase = tcase_create("defect shell");
    tcase_add_test(tcase, none_changes_nothing);
    tcase_add_test(tcase, what_comes_out_may_be_changed_and_dropped);
    tcase_add_test(tcase, what_comes_in_may_be_hidden_and_changed);
    tcase_add_test(tcase, a_command_may_be_refused_and_followed);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
