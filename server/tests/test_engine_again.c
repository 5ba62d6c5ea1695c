/* A client that a script turned away, and that comes again. */
#include <check.h>

#include "codec/tests/suite.h"
#include "server/tests/engine_rig.h"

static const struct {
    const char *name;
    const char *script;
    struct rig_event events[RIG_EVENTS_MAX];
    const char *expected;
} ROWS[] = {
    {"refused once: refused again",
     "refuse status=429",
     {REQUEST(10), REQUEST(20), REQUEST(30)},
     "@0 [refuse] @10 -429 done @20 [refuse] -429 @30 [refuse] -429"},
    {"refused, and then a wait: refused the same way meanwhile",
     "refuse status=401\nwait 100ms\nmark late",
     {REQUEST(10), REQUEST(50), REQUEST(200)},
     "@0 [refuse] @10 -401 [wait] @50 [refuse] -401 @110 [mark] mark:late done @200 [refuse] -401"},
    {"the script's own next connection comes first",
     "refuse status=401\nwait 20ms\nrefuse status=503",
     {REQUEST(10), REQUEST(20), REQUEST(100), REQUEST(110)},
     "@0 [refuse] @10 -401 [wait] @20 [refuse] -401 @30 [refuse] @100 -503 done @110 [refuse] -503"},
    {"an error and a close",
     "accept\nsend text text=no\nclose code=1008",
     {REQUEST(10), GONE(20), REQUEST(30), GONE(40)},
     "@0 [accept] @10 +101 [send] text(no) [close] close:1008 @20 done @30 [accept] +101 [send] text(no) "
     "[close] "
     "close:1008"},
    {"the client goes before it has heard all: the same again",
     "accept\nwait 50ms\nsend text text=no\nclose code=1008",
     {REQUEST(10), GONE(20), REQUEST(30), GONE(40), REQUEST(100), GONE(200)},
     "@0 [accept] @10 +101 [wait] @20 !wait(the client went during the wait) done @30 [accept] +101 [wait] "
     "@40 !wait(the client went during the wait) @100 [accept] +101 [wait] @150 [send] text(no) [close] "
     "close:1008"},
    {"of rounds the last, with its counter",
     "repeat from=4000 to=4001 as=k {\naccept\nclose code=$k\n}",
     {REQUEST(10), GONE(20), REQUEST(30), GONE(40), REQUEST(50), GONE(60)},
     "@0 [repeat] [accept] @10 +101 [close] close:4000 @20 [accept] @30 +101 [close] close:4001 @40 done @50 "
     "[accept] +101 [close] close:4001"},
    {"a connection that was waited for is not turned away",
     "accept\nserve for=10ms\nclose code=1011",
     {REQUEST(10), GONE(30), REQUEST(40)},
     "@0 [accept] @10 +101 [serve] ready @20 [close] close:1011 @30 done"},
    {"nor is one that the script leaves open",
     "accept\nsend text text=no",
     {REQUEST(10), GONE(30), REQUEST(40)},
     "@0 [accept] @10 +101 [send] text(no) close:1000 done"},
};

START_TEST(who_comes_again_hears_the_same_again)
{
    struct rig rig;
    rig_init(&rig, ROWS[_i].script, 7);
    rig_feed(&rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    for (size_t i = 0; ROWS[_i].events[i].at_ms != 0; i++) {
        rig_run_to(&rig, ROWS[_i].events[i].at_ms, 0);
        rig_feed(&rig, &ROWS[_i].events[i]);
    }
    rig_run_to(&rig, 500, 0);
    ck_assert_msg(strcmp(rig.data, ROWS[_i].expected) == 0, "%s:\n got      %s\n expected %s", ROWS[_i].name,
                  rig.data, ROWS[_i].expected);
    ck_assert_msg(engine_is_done(rig.engine), "%s: not done", ROWS[_i].name);
    ck_assert_uint_eq(engine_deadline_us(rig.engine), UINT64_MAX);
    rig_free(&rig);
}
END_TEST

static const struct {
    const char *script;
    bool again; /* is a client turned away once more when the script is over? */
} OVER[] = {
    {"refuse status=401", true},
    {"refuse status=401\nmark x", true},
    {"ignore for=10ms", true},
    {"accept any\nsend text text=no\nclose", true},
    {"accept any\nreset", true},
    {"accept any\nrepeat 3 {\nsend ping\nwait 1ms\n}\ndrop", true},
    {"accept any\nsend text text=no", false},
    {"accept any\nrecv any within=1ms\nclose", false},
    {"accept any\nrepeat 3 {\nserve for=1ms\n}\ndrop", false},
    {"accept any\nserve for=10ms\nclose", false},
    {"refuse status=401\naccept any\nserve for=10ms\nclose", false},
};

START_TEST(only_a_client_that_was_turned_away_is_so_again)
{
    struct rig rig;
    rig_init(&rig, OVER[_i].script, 1);
    for (unsigned ms = 10; !engine_is_done(rig.engine); ms += 100) {
        ck_assert_uint_lt(ms, 1000);
        rig_feed(&rig, &(struct rig_event)REQUEST(ms));
        rig_run_to(&rig, ms + 50, 0);
        rig_feed(&rig, &(struct rig_event)GONE(ms + 50));
    }
    ck_assert_msg(engine_wants_connection(rig.engine) == OVER[_i].again, "%s", OVER[_i].script);
    rig_free(&rig);
}
END_TEST

START_TEST(twenty_times_a_client_is_turned_away_again)
{
    struct rig rig;
    rig_init(&rig, "refuse status=401", 1);
    for (unsigned i = 0; i <= 20; i++) {
        ck_assert(engine_wants_connection(rig.engine));
        rig_feed(&rig, &(struct rig_event)REQUEST(10 + i));
    }
    ck_assert(!engine_wants_connection(rig.engine));
    rig_free(&rig);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("again");
    tcase_add_loop_test(tcase, who_comes_again_hears_the_same_again, 0, TABLE_COUNT(ROWS));
    tcase_add_loop_test(tcase, only_a_client_that_was_turned_away_is_so_again, 0, TABLE_COUNT(OVER));
    tcase_add_test(tcase, twenty_times_a_client_is_turned_away_again);
    return suite_run("engine again", tcase);
}
