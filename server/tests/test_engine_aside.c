/* Two connections at a time: one goes on by itself, the script takes the next. */
#include <check.h>

#include "codec/tests/suite.h"
#include "server/tests/engine_rig.h"

/* The rig of the connection that parted, on the same clock. */
static void part(struct rig *from, struct rig *to)
{
    *to = (struct rig){.shown_ms = UINT64_MAX, .now_us = from->now_us, .script = NULL};
    to->out = text_of(to->data, sizeof to->data);
    actions_init(&to->actions);
    to->engine = engine_take_aside(from->engine);
    ck_assert_ptr_nonnull(to->engine);
    ck_assert_ptr_null(engine_take_aside(from->engine));
}

static const struct {
    const char *name;
    const char *script;
    struct rig_event first[RIG_EVENTS_MAX];  /* what comes on the first connection once it has parted … */
    struct rig_event second[RIG_EVENTS_MAX]; /* … and on the script's next */
    const char *script_said, *aside_said;
} ROWS[] = {
    {"each has its own steps",
     "accept\nserve for=10ms\naside {\nwait 50ms\nsend text text=late\nclose code=1001\n}\naccept\nserve "
     "for=20ms\nclose",
     {{0}},
     {REQUEST(30), GONE(100)},
     "@0 [accept] @10 +101 [serve] ready @20 [aside] [accept] @30 +101 [serve] ready @50 [close] close:1000 "
     "@100 done",
     "@20 [wait] @70 [send] text(late) [close] close:1001"},
    {"what comes on one is nothing to the other",
     "accept\nserve for=10ms\naside {\nrecv cancel within=1s\nmark came\n}\naccept\nrecv other "
     "within=1s\nmark "
     "other",
     {SAYS(40, "cancel")},
     {REQUEST(30), SAYS(60, "hello"), GONE(90)},
     "@0 [accept] @10 +101 [serve] ready @20 [aside] [accept] @30 +101 [recv] @60 [mark] mark:other "
     "close:1000 done",
     "@20 [recv] @40 [mark] mark:came close:1000"},
    {"the client goes: the rest of the block is left out",
     "accept\nserve for=10ms\naside {\nwait 50ms\nsend text text=late\n}\naccept\nserve for=20ms",
     {GONE(40)},
     {REQUEST(60), GONE(70)},
     "@0 [accept] @10 +101 [serve] ready @20 [aside] [accept] @60 +101 [serve] ready @70 done",
     "@20 [wait] @40 !wait(the client went during the wait)"},
    {"the service goes on in it",
     "accept\nserve for=10ms\naside {\nserve until=close\n}\nrefuse status=503",
     {CLOSES(45), GONE(50)},
     {REQUEST(60)},
     "@0 [accept] @10 +101 [serve] ready @20 [aside] [refuse] @60 -503 done",
     "@20 [serve]"},
};

static void feed_all(struct rig *rig, const struct rig_event *events)
{
    for (size_t i = 0; events[i].at_ms != 0; i++) {
        rig_run_to(rig, events[i].at_ms, 0);
        rig_feed(rig, &events[i]);
    }
    rig_run_to(rig, 500, 0);
}

START_TEST(a_connection_goes_on_by_itself)
{
    struct rig script, aside;
    rig_init(&script, ROWS[_i].script, 7);
    rig_feed(&script, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    rig_run_to(&script, 10, 0);
    rig_feed(&script, &(struct rig_event)REQUEST(10));
    ck_assert(!engine_wants_connection(script.engine));
    rig_run_to(&script, 25, 0);
    ck_assert(engine_wants_connection(script.engine));
    part(&script, &aside);
    aside.now_us = 20000;
    ck_assert(!engine_wants_connection(aside.engine));
    feed_all(&aside, ROWS[_i].first);
    feed_all(&script, ROWS[_i].second);
    ck_assert_msg(strcmp(script.data, ROWS[_i].script_said) == 0, "%s:\n got      %s\n expected %s",
                  ROWS[_i].name, script.data, ROWS[_i].script_said);
    ck_assert_msg(strncmp(aside.data, ROWS[_i].aside_said, strlen(ROWS[_i].aside_said)) == 0,
                  "%s:\n got      %s\n expected %s", ROWS[_i].name, aside.data, ROWS[_i].aside_said);
    ck_assert_msg(strstr(aside.data, "done") == NULL, "%s: the script is not over with it: %s", ROWS[_i].name,
                  aside.data);
    ck_assert(engine_is_done(script.engine));
    rig_free(&aside);
    rig_free(&script);
}
END_TEST

START_TEST(nobody_takes_it)
{
    struct rig rig;
    rig_init(&rig, "accept\naside {\nwait 50ms\n}\naccept\naside {\nwait 50ms\n}\naccept", 7);
    rig_feed(&rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    rig_feed(&rig, &(struct rig_event)REQUEST(10));
    rig_feed(&rig, &(struct rig_event)REQUEST(10));
    rig_free(&rig); /* and nothing of it is left */
}
END_TEST

START_TEST(names_go_along)
{
    static const char body[] = "accept\nserve until=speech:1 as old\naside {\nsend speech "
                               "interaction=$old.interaction as more\n}\naccept";
    struct rig script, aside;
    rig_init(&script, body, 7);
    rig_feed(&script, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    rig_run_to(&script, 10, 0);
    rig_feed(&script, &(struct rig_event)REQUEST(10));
    rig_feed(&script, &(struct rig_event)AUDIO(10, "1000"));
    rig_run_to(&script, 400, 0);
    part(&script, &aside);
    rig_run_to(&aside, 500, 0);
    ck_assert_msg(strstr(aside.data, "[send=more] speech") != NULL && strchr(aside.data, '!') == NULL, "%s",
                  aside.data);
    rig_free(&aside);
    rig_free(&script);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("aside");
    tcase_add_loop_test(tcase, a_connection_goes_on_by_itself, 0, TABLE_COUNT(ROWS));
    tcase_add_test(tcase, nobody_takes_it);
    tcase_add_test(tcase, names_go_along);
    return suite_run("engine aside", tcase);
}
