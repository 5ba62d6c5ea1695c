/* The engine's faults: steps and pipes by their transcripts, quirks, and steps from outside. */
#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "server/tests/engine_rig.h"
#include "server/tests/fake_session.h"

/* clang-format off */
static const struct {
    const char *name;
    const char *script;
    unsigned until_ms;
    struct rig_event events[RIG_EVENTS_MAX];
    const char *expected;
} ROWS[] = {
    {"ignore ends with FIN when its time is over", "ignore for=50ms\nmark over", 500, {REQUEST(10)},
     "@0 [ignore] @60 drop [mark] mark:over done"},
    {"ignore goes on when the client is gone", "ignore\nmark over", 500, {REQUEST(10), GONE(40)},
     "@0 [ignore] @40 [mark] mark:over done"},
    {"accept with headers of its own", "accept any header=\"Upgrade:\" header=\"X: y\"\nwait 1ms", 500, {REQUEST(10)},
     "@0 [accept] @10 +101(Upgrade:\r\nX: y\r\n) [wait] @11 close:1000 done"},
    {"raw bytes", "accept\nraw hex=c0ffee as x", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw=x] <c0ffee>raw!fault=x close:1000 done"},
    {"raw text", "accept\nraw text=\"$a\"", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw] <2461>raw!fault close:1000 done"},
    {"a frame with a reserved bit", "accept\nraw opcode=text rsv=4 text=hi", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw] <c1026869>raw!fault close:1000 done"},
    {"a masked frame", "accept\nraw opcode=binary mask=yes hex=0000", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw] <82825ac3960f5ac3>raw!fault close:1000 done"},
    {"a frame that says it is masked", "accept\nraw opcode=binary mask=bad hex=0000", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw] <82825ac3960f0000>raw!fault close:1000 done"},
    {"a length that is too long for its form", "accept\nraw opcode=ping length_form=64 hex=aa", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw] <897f0000000000000001aa>raw!fault close:1000 done"},
    {"the largest length", "accept\nraw opcode=2 fin=no length=18446744073709551615", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw] <027fffffffffffffffff>raw!fault close:1000 done"},
    {"counters in a frame", "accept\nrepeat from=3 to=4 as=k {\nraw opcode=$k length=$k\n}", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [repeat] [raw] <8303>raw!fault [raw] <8404>raw!fault close:1000 done"},
    {"raw bytes in slices, late, and then the end", "accept\nraw hex=010203 | slice every=1 | delay 5ms | reset at=2\nmark over", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [raw] <010203>raw/slice=1,0,0,0/delay=5000/reset=2!fault [mark] mark:over done"},
    {"drop", "accept\ndrop\nmark over", 500, {REQUEST(10)}, "@0 [accept] @10 +101 [drop] drop [mark] mark:over done"},
    {"half-close: nothing more is sent, the client is heard", "accept\nhalf-close\nrecv other\nsend text text=no\nmark no", 500, {REQUEST(10), SAYS(20, "x"), GONE(30)},
     "@0 [accept] @10 +101 [half-close] half-close [recv] @20 [send] !send(our side of the connection is closed) done"},
    {"stop-reading", "accept\nstop-reading for=1s\nstop-reading\nsend text text=a", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [stop-reading] stop-reading=1000000 [stop-reading] stop-reading [send] text(a) close:1000 done"},
    {"a close frame with one byte", "accept\nclose hex=03", 500, {REQUEST(10)}, "@0 [accept] @10 +101 [close] close:0<03>!fault"},
    {"a close frame with broken UTF-8", "accept\nclose hex=03e8ff", 500, {REQUEST(10)}, "@0 [accept] @10 +101 [close] close:1000<03e8ff>!fault"},
    {"an illegal close code is a fault, by a counter too", "accept\nrepeat from=1005 to=1005 as=k {\nclose code=$k\n}", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [repeat] [close] close:1005!fault"},
    {"fragments with pings, and a delay", "accept\nsend text text=abcd | fragment every=2 pings=yes | delay 40ms", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] text(abcd)/pings=2/delay=40000 close:1000 done"},
    {"corrupt one byte", "accept\nsend text text=abc | corrupt at=1 xor=3", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] text(aac)!fault close:1000 done"},
    {"changes one after another", "accept\nsend text text=abcdef | truncate at=4 | patch at=1 hex=5858 | append hex=21", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] text(aXXd!)!fault close:1000 done"},
    {"a change beyond the message fails", "accept\nsend text text=abc | corrupt at=3\nmark no", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] !send(corrupt at=3: the message has 3 bytes) close:1000 done"},
    {"an end beyond the message fails", "accept\nsend text text=abc | drop at=4\nmark no", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] !send(drop at=4: the message has 3 bytes) close:1000 done"},
    {"an end within a message is the end", "accept\nsend text text=abc | drop at=3\nmark over", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] text(abc)/drop=3!fault [mark] mark:over done"},
    {"bits: header and cuts move along", "accept\nsend text text=ab | bits rsv=2 | slice at=1", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] <a1026162>text/slice=0,0,3,0!fault close:1000 done"},
    {"bits with an opcode of their own", "accept\nsend ping data=x | bits fin=no opcode=close", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [send] <080178>ping!fault close:1000 done"},
    {"pipes on the second silence frame of the service", "accept\nserve for=130ms on=silence:2 | append hex=21 | slice every=1", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence @90 silence(!)/slice=1,0,0,0!fault @130 silence @140 close:1000 done"},
    {"pipes on every frame", "accept\nserve for=90ms on=frame | fault", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence!fault @90 silence!fault @100 close:1000 done"},
    {"the service is cut off within a frame of its own", "accept\nserve until=close on=speech:2 | append hex=2121 | reset at=1\nmark over", 500, {REQUEST(10), AUDIO(20, "900")},
     "@0 [accept] @10 +101 [serve] ready @50 speech @90 speech(!!)/reset=1!fault [mark] mark:over done"},
    {"a pipe that cannot do its work says so once", "accept\nserve for=90ms on=silence | corrupt at=9", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence !serve(corrupt at=9: the message has 0 bytes) @90 silence @100 close:1000 done"},
    {"a quirk holds from its step on", "accept\nserve until=silence\nquirk loud\nserve for=50ms", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence [quirk(loud)] [serve] @90 noise @100 close:1000 done"},
    {"a quirk before the connection", "quirk loud level=3\naccept\nserve for=50ms", 500, {REQUEST(10)},
     "@0 [quirk(loud level=3)] [accept] @10 +101 [serve] ready @50 noise @60 close:1000 done"},
    {"a quirk of one serve", "accept\nserve for=50ms quirk=\"loud\"\nserve for=50ms", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [serve(loud)] ready @50 noise @60 [serve] @90 silence @110 close:1000 done"},
    {"a quirk off for one serve", "quirk loud\naccept\nserve for=50ms quirk=\"loud=off\"\nserve for=50ms", 500, {REQUEST(10)},
     "@0 [quirk(loud)] [accept] @10 +101 [serve(loud=off)] ready @50 silence @60 [serve] @90 noise @110 close:1000 done"},
    {"until a ping", "accept\nserve until=ping:2\nmark met", 500, {REQUEST(10), PING(20), PING(30)},
     "@0 [accept] @10 +101 [serve] ready @30 [mark] mark:met close:1000 done"},
    {"until messages of any kind, and of none", "accept\nserve until=received:2\nserve until=other\nmark met", 500, {REQUEST(10), AUDIO(20, "1"), SAYS(30, "cancel"), SAYS(35, "x")},
     "@0 [accept] @10 +101 [serve] ready @30 [serve] @35 [mark] mark:met close:1000 done"},
    {"until messages are sent", "accept\nserve until=sent:2\nmark met", 500, {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence [mark] mark:met close:1000 done"},
};
/* clang-format on */

static void rig_play(struct rig *rig, const struct rig_event *events, unsigned until_ms)
{
    rig_feed(rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    for (size_t i = 0; i < RIG_EVENTS_MAX && events[i].at_ms != 0; i++) {
        rig_run_to(rig, events[i].at_ms, 0);
        rig_feed(rig, &events[i]);
    }
    rig_run_to(rig, until_ms, 0);
}

START_TEST(each_fault_is_done_as_asked_for)
{
    struct rig rig;
    rig_init(&rig, ROWS[_i].script, 7);
    rig_play(&rig, ROWS[_i].events, ROWS[_i].until_ms);
    ck_assert_msg(strcmp(rig.data, ROWS[_i].expected) == 0, "%s:\n got      %s\n expected %s", ROWS[_i].name,
                  rig.data, ROWS[_i].expected);
    rig_free(&rig);
}
END_TEST

static void transcript(const char *script, char out[RIG_TEXT_MAX])
{
    static const struct rig_event EVENTS[RIG_EVENTS_MAX] = {REQUEST(10)};
    struct rig rig;
    rig_init(&rig, script, 7);
    rig_play(&rig, EVENTS, 500);
    memcpy(out, rig.data, RIG_TEXT_MAX);
    rig_free(&rig);
}

START_TEST(what_is_seeded_is_the_same_again_and_differs_by_seed_and_message)
{
    static const char *const SCRIPTS[] = {
        "accept\nsend text count=2 text=abcdefghijklmnopqrstuvwxyz | mutate seed=%",
        "accept\nsend text count=2 text=a | jitter max=50ms seed=%"};
    char script[200], once[RIG_TEXT_MAX], again[RIG_TEXT_MAX], other[RIG_TEXT_MAX];
    struct text text = text_of(script, sizeof script);
    text_add(&text, SCRIPTS[_i]);
    script[text.len - 1] = '1';
    transcript(script, once);
    transcript(script, again);
    script[text.len - 1] = '2';
    transcript(script, other);
    ck_assert_str_eq(once, again);
    ck_assert_str_ne(once, other);
    const char *first = strstr(once, "text");
    const char *second = strstr(first + 1, " text") + 1;
    ck_assert(strncmp(first, second, (size_t)(second - first - 1)) != 0);
}
END_TEST

/* ---- from outside ---- */

static struct script *steps_of(const char *text)
{
    char error[SCRIPT_ERROR_MAX];
    struct exact_copy copy = exact_copy_of(bytes_of_text(text));
    struct script *steps = script_parse_steps("live", copy.bytes, true, &FAKE_SESSION_CLASS, error);
    exact_copy_free(copy);
    ck_assert_msg(steps != NULL, "%s", error);
    return steps;
}

/* clang-format off */
static const struct {
    const char *name;
    const char *script; /* NULL: none */
    const char *steps;  /* at 60 ms */
    struct rig_event later[2];
    const char *expected;
} INJECTED[] = {
    {"a message keeps the service's pace", NULL, "send text text=x", {{0}},
     "@10 +101 ready @50 silence @60 [send] text(x) @90 silence @130 silence"},
    {"a wait stops the service, which then goes on at once", NULL, "wait 55ms", {{0}},
     "@10 +101 ready @50 silence @60 [wait] @115 silence"},
    {"a quirk for good", NULL, "quirk loud", {{0}}, "@10 +101 ready @50 silence @60 [quirk(loud)] @90 noise @130 noise"},
    {"a fault", NULL, "raw hex=00\nstop-reading", {{0}},
     "@10 +101 ready @50 silence @60 [raw] <00>raw!fault [stop-reading] stop-reading @90 silence @130 silence"},
    {"the end", NULL, "reset", {{0}}, "@10 +101 ready @50 silence @60 [reset] reset"},
    {"a step that fails leaves the service alone", NULL, "send text text=abc | corrupt at=3\nmark no", {{0}},
     "@10 +101 ready @50 silence @60 [send] !send(corrupt at=3: the message has 3 bytes) @90 silence @130 silence"},
    {"a client that goes ends them", NULL, "wait 1s\nmark no", {GONE(80)},
     "@10 +101 ready @50 silence @60 [wait] @80 !wait(the client went during the wait)"},
    {"names of their own", NULL, "send speech as own\nsend speech interaction=$own.interaction", {{0}},
     "@10 +101 ready @50 silence @60 [send=own] speech=own $own=00 [send] "
     "speech(00000000-0000-0000-0000-000000000000) @90 silence @130 silence"},
    {"a recv of the script misses nothing meanwhile", "accept\nrecv other\nmark got\nwait 1s", "wait 40ms", {SAYS(80, "x")},
     "@0 [accept] @10 +101 [recv] @60 [wait] @100 [mark] mark:got [wait]"},
    {"a serve of the script ends in its time", "accept\nserve for=100ms\nmark over\nwait 1s", "send text text=x", {{0}},
     "@0 [accept] @10 +101 [serve] ready @50 silence @60 [send] text(x) @90 silence @110 [mark] mark:over [wait]"},
};
/* clang-format on */

START_TEST(steps_from_outside_run_in_front_of_the_step_in_progress)
{
    struct rig rig;
    rig_init(&rig, INJECTED[_i].script, 7);
    if (INJECTED[_i].script != NULL)
        rig_feed(&rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    rig_run_to(&rig, 10, 0);
    rig_feed(&rig, &(struct rig_event)REQUEST(10));
    rig_run_to(&rig, 60, 0);
    struct script *steps = steps_of(INJECTED[_i].steps);
    ck_assert(engine_inject(rig.engine, steps));
    ck_assert(!engine_inject(rig.engine, steps));
    rig_feed(&rig, &(struct rig_event){60, ENGINE_TICK, NULL, 0});
    for (size_t i = 0; i < 2 && INJECTED[_i].later[i].at_ms != 0; i++) {
        rig_run_to(&rig, INJECTED[_i].later[i].at_ms, 0);
        rig_feed(&rig, &INJECTED[_i].later[i]);
    }
    rig_run_to(&rig, 140, 0);
    ck_assert_msg(strcmp(rig.data, INJECTED[_i].expected) == 0, "%s:\n got      %s\n expected %s",
                  INJECTED[_i].name, rig.data, INJECTED[_i].expected);
    rig_free(&rig);
}
END_TEST

START_TEST(steps_from_outside_need_an_open_connection)
{
    struct rig rig;
    struct script *steps = steps_of("send text text=x");
    rig_init(&rig, NULL, 7);
    ck_assert(!engine_inject(rig.engine, steps));
    rig_run_to(&rig, 10, 0);
    rig_feed(&rig, &(struct rig_event)REQUEST(10));
    rig_feed(&rig, &(struct rig_event)GONE(10));
    ck_assert(!engine_inject(rig.engine, steps));
    script_free(steps);
    rig_free(&rig);
}
END_TEST

START_TEST(quirks_from_outside_hold_at_once_and_those_of_the_script_on_top)
{
    struct quirks on = {.value = {1}};
    struct rig rig;
    rig_init(&rig, "accept\nserve for=90ms\nquirk loud=off\nserve for=90ms", 7);
    rig_feed(&rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    rig_run_to(&rig, 10, 0);
    rig_feed(&rig, &(struct rig_event)REQUEST(10));
    rig_run_to(&rig, 60, 0);
    engine_set_quirks(rig.engine, &on);
    rig_run_to(&rig, 120, 0);
    engine_set_quirks(rig.engine, &on);
    rig_run_to(&rig, 300, 0);
    ck_assert_str_eq(rig.data,
                     "@0 [accept] @10 +101 [serve] ready @50 silence @90 noise @100 [quirk(loud=off)] "
                     "[serve] @130 silence @170 silence @190 close:1000 done");
    rig_free(&rig);
}
END_TEST

START_TEST(steps_alone_are_checked_like_a_block)
{
    static const struct {
        const char *text;
        bool injected;
        const char *error; /* NULL: right */
    } rows[] = {
        {"accept\nserve", false, NULL},
        {"serve", false, "live:1:1: expected accept, refuse or ignore before this step, found \"serve\""},
        {"send text text=x", true, NULL},
        {"wait 1s\naccept", true,
         "live:2:1: expected a step for a connection that is open, found \"accept\""},
        {"ignore", true, "live:1:1: expected a step for a connection that is open, found \"ignore\""},
        {"# nothing\n", true, "live:2:1: expected a step, found the end of the text"},
        {"send text text=$a.interaction", true,
         "live:1:16: expected $NAME of a repeat around it or $NAME.interaction of a step named before, found "
         "\"$a.interaction\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char error[SCRIPT_ERROR_MAX] = "";
        struct exact_copy copy = exact_copy_of(bytes_of_text(rows[i].text));
        struct script *steps =
            script_parse_steps("live", copy.bytes, rows[i].injected, &FAKE_SESSION_CLASS, error);
        exact_copy_free(copy);
        ck_assert_str_eq(error, rows[i].error == NULL ? "" : rows[i].error);
        ck_assert((steps != NULL) == (rows[i].error == NULL));
        script_free(steps);
    }
}
END_TEST

START_TEST(what_memory_cannot_do_needs_a_transport)
{
    static const struct {
        const char *text;
        bool transport;
    } rows[] = {
        {"accept\nserve", false},
        {"accept\nsend text | corrupt at=0 | slice every=1 | fragment every=1", false},
        {"accept\ndrop", false},
        {"accept\nquirk loud", false},
        {"ignore", true},
        {"accept\nraw hex=00", true},
        {"accept\nhalf-close", true},
        {"accept\nstop-reading", true},
        {"accept\nclose hex=00", true},
        {"accept header=\"A: b\"", true},
        {"accept\nsend text | delay 1ms", true},
        {"accept\nsend text | jitter max=1ms seed=1", true},
        {"accept\nsend text | bits rsv=1", true},
        {"accept\nsend text | reset at=1", true},
        {"accept\nsend text | fragment every=1 pings=yes", true},
        {"accept\nrepeat 2 {\nserve on=any | drop at=1\n}", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char error[SCRIPT_ERROR_MAX];
        struct script *script =
            script_parse_steps("s", bytes_of_text(rows[i].text), false, &FAKE_SESSION_CLASS, error);
        ck_assert_msg(script != NULL, "%s", error);
        ck_assert_msg(script->transport == rows[i].transport, "%s", rows[i].text);
        script_free(script);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine faults");
    TCase *tcase = tcase_create("all");
    tcase_add_loop_test(tcase, each_fault_is_done_as_asked_for, 0, (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_loop_test(tcase, what_is_seeded_is_the_same_again_and_differs_by_seed_and_message, 0, 2);
    tcase_add_loop_test(tcase, steps_from_outside_run_in_front_of_the_step_in_progress, 0,
                        (int)(sizeof INJECTED / sizeof INJECTED[0]));
    tcase_add_test(tcase, steps_from_outside_need_an_open_connection);
    tcase_add_test(tcase, quirks_from_outside_hold_at_once_and_those_of_the_script_on_top);
    tcase_add_test(tcase, steps_alone_are_checked_like_a_block);
    tcase_add_test(tcase, what_memory_cannot_do_needs_a_transport);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
