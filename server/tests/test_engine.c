#include <check.h>
#include <stdlib.h>

#include "server/tests/engine_rig.h"

struct row {
    const char *name;
    const char *script; /* NULL: none */
    unsigned until_ms;
    struct rig_event events[RIG_EVENTS_MAX]; /* the ones after the last have at_ms 0 */
    const char *expected;
};

static const struct row STEPS[] = {
    {"accept then serve, closed at the end of the script",
     "accept\nserve for=100ms",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence @90 silence @110 close:1000 done"},
    {"alt takes the branch whose condition comes first",
     "accept\nalt {\non cancel {\nmark a\n}\non other {\nmark b\n}\n}\nmark after",
     500,
     {REQUEST(10), SAYS(60, "cancel")},
     "@0 [accept] @10 +101 [alt] ready @50 silence @60 [mark] mark:a [mark] mark:after close:1000 done"},
    {"alt within a time that runs out",
     "accept\nalt within=60ms {\non cancel {\nmark a\n}\n}",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [alt] ready @50 silence @70 !alt(in time none of its conditions came) close:1000 "
     "done"},
    {"a client that goes takes the branch on close",
     "accept\nalt {\non close {\nmark a\n}\n}\nmark after",
     100,
     {REQUEST(10), GONE(20)},
     "@0 [accept] @10 +101 [alt] ready @20 [mark] mark:a [mark] mark:after done"},
    {"admission refuses and the script ends",
     "accept\nserve",
     500,
     {{10, ENGINE_REQUEST, "refuse", 0}},
     "@0 [accept] @10 -403 !accept(refused by admission) done"},
    {"admission may answer later",
     "accept\nserve for=50ms",
     500,
     {{10, ENGINE_REQUEST, "later", 0}},
     "@0 [accept] @110 +101 [serve] ready @150 silence @160 close:1000 done"},
    {"admission may refuse later",
     "accept\nserve",
     500,
     {{10, ENGINE_REQUEST, "later-refuse", 0}},
     "@0 [accept] @110 -403 !accept(refused by admission) done"},
    {"a client that goes while admission waits",
     "accept\nserve",
     500,
     {{10, ENGINE_REQUEST, "later", 0}, GONE(50)},
     "@0 [accept] @50 !accept(the client went before the upgrade was done) done"},
    {"accept any lets in what admission would refuse",
     "accept any\nsend text text=hello",
     500,
     {{10, ENGINE_REQUEST, "refuse", 0}},
     "@0 [accept] @10 +101 [send] text(hello) close:1000 done"},
    {"refuse answers with a status and the script goes on",
     "refuse status=401\nmark after",
     500,
     {REQUEST(10)},
     "@0 [refuse] @10 -401 [mark] mark:after done"},
    {"a send with every mark on it",
     "accept\nsend speech count=2 index=7 as late | slice every=3 for=9 gap=2ms | fragment at=5 | fault",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [send=late] speech(7)/slice=3,9,0,2000/fragment=5!fault=late $late=00 "
     "speech(7)/slice=3,9,0,2000/fragment=5!fault=late close:1000 done"},
    {"the messages of a step have one new interaction",
     "accept\nsend speech interaction=fresh count=3\nsend speech interaction=fresh",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [send] speech(fresh) speech(current) speech(current) [send] speech(fresh) "
     "close:1000 done"},
    {"a ready that the script sends is not sent again",
     "accept\nsend ready load=1\nserve for=50ms",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [send] ready(1) [serve] silence @50 silence @60 close:1000 done"},
    {"a mark before serve does not take its ready away",
     "accept\nmark here\nserve for=30ms",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [mark] mark:here [serve] ready @40 close:1000 done"},
    {"wait sends nothing and the service goes on after it without catching up",
     "accept\nserve for=50ms\nwait 300ms\nserve for=50ms",
     900,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence @60 [wait] @360 [serve] silence @400 silence "
     "@410 close:1000 done"},
    {"serve after serve keeps its pace",
     "accept\nserve for=50ms\nserve for=50ms",
     900,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence @60 [serve] @90 silence @110 close:1000 done"},
    {"recv waits for its type",
     "accept\nrecv cancel within=1s\nmark got",
     900,
     {REQUEST(10), AUDIO(20, "100"), SAYS(30, "x"), SAYS(40, "cancel")},
     "@0 [accept] @10 +101 [recv] @40 [mark] mark:got close:1000 done"},
    {"recv any takes any message but no ping",
     "accept\nrecv any\nmark got",
     900,
     {REQUEST(10), PING(20), SAYS(30, "x")},
     "@0 [accept] @10 +101 [recv] @30 [mark] mark:got close:1000 done"},
    {"recv ping and recv pong",
     "accept\nrecv ping\nrecv pong\nmark got",
     900,
     {REQUEST(10), PING(20), PONG(30)},
     "@0 [accept] @10 +101 [recv] @20 [recv] @30 [mark] mark:got close:1000 done"},
    {"what came before recv began does not count, and it fails in time",
     "accept\nwait 50ms\nrecv cancel within=100ms\nmark never",
     900,
     {REQUEST(10), SAYS(20, "cancel")},
     "@0 [accept] @10 +101 [wait] @60 [recv] @160 !recv(in time there came no cancel) close:1000 done"},
    {"recv without within= gives up after five seconds",
     "accept\nrecv cancel",
     9000,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [recv] @5010 !recv(in time there came no cancel) close:1000 done"},
    {"recv close is content with the client's leaving",
     "accept\nrecv close\nmark got",
     900,
     {REQUEST(10), CLOSES(20), GONE(30)},
     "@0 [accept] @10 +101 [recv] @20 [mark] mark:got done"},
    {"close goes on when the connection is over",
     "accept\nclose code=4001 reason=\"off you go\"\nmark over",
     900,
     {REQUEST(10), CLOSES(20), GONE(30)},
     "@0 [accept] @10 +101 [close] close:4001(off you go) @30 [mark] mark:over done"},
    {"reset ends the connection at once",
     "accept\nreset\nmark over",
     900,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [reset] reset [mark] mark:over done"},
    {"repeat counts and fills in its counter",
     "accept\nrepeat from=3 to=5 as=k {\nsend text text=\"n$k\" | slice at=$k\n}",
     900,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [repeat] [send] text(n3)/slice=0,0,3,0 [send] text(n4)/slice=0,0,4,0 "
     "[send] text(n5)/slice=0,0,5,0 close:1000 done"},
    {"a repeat in a repeat sees both counters",
     "accept\nrepeat 2 as a {\nrepeat 2 as b {\nsend text text=\"$a$b$$\" | fragment at=$b\n}\n}",
     900,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [repeat] [repeat] [send] text(11$)/fragment=1 [send] text(12$)/fragment=2 "
     "[repeat] "
     "[send] text(21$)/fragment=1 [send] text(22$)/fragment=2 close:1000 done"},
    {"serve captures the interaction in progress, send uses it",
     "accept\nserve until=cancel as turn\nsend speech interaction=$turn.interaction as late",
     900,
     {REQUEST(10), AUDIO(20, "300"), SAYS(60, "cancel")},
     "@0 [accept] @10 +101 [serve=turn] ready @50 speech @60 $turn=07 [send=late] "
     "speech(07070707-0707-0707-0707-070707070707)=late $late=07 close:1000 done"},
    {"a serve without an interaction captures nothing, and its use fails",
     "accept\nserve for=20ms as turn\nsend speech interaction=$turn.interaction\nmark never",
     900,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [serve=turn] ready @30 [send] !send(the script captured nothing for "
     "$turn.interaction) "
     "close:1000 done"},
    {"a serve in which nothing is spoken captures nothing, whatever was spoken before",
     "accept\nserve until=cancel as turn\nserve for=20ms as next\nsend speech interaction=$next.interaction",
     900,
     {REQUEST(10), AUDIO(20, "300"), SAYS(60, "cancel")},
     "@0 [accept] @10 +101 [serve=turn] ready @50 speech @60 $turn=07 [serve=next] @80 [send] "
     "!send(the script captured nothing for $next.interaction) close:1000 done"},
    {"a message that cannot be made ends the script",
     "accept\nsend broken\nmark never",
     900,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [send] !send(broken on purpose) close:1000 done"},
    {"the service may close by itself",
     "accept\nserve\nmark over",
     900,
     {REQUEST(10), SAYS(20, "bye"), CLOSES(60), GONE(70)},
     "@0 [accept] @10 +101 [serve] ready @50 close:1008 @60 [mark] mark:over done"},
    {"what the client says outside serve reaches the service",
     "accept\nwait 50ms\nserve for=100ms",
     900,
     {REQUEST(10), AUDIO(20, "200")},
     "@0 [accept] @10 +101 [wait] @60 [serve] ready @100 speech @140 speech @160 close:1000 done"},
    {"without a script it serves until the client has gone",
     NULL,
     900,
     {REQUEST(10), CLOSES(100), GONE(110)},
     "@10 +101 ready @50 silence @90 silence"},
    {"without a script admission may refuse", NULL, 900, {{10, ENGINE_REQUEST, "refuse", 0}}, "@10 -403"},
    {"a script begins when its host first comes",
     "mark first\naccept\nwait 1ms",
     900,
     {REQUEST(10)},
     "@0 [mark] mark:first [accept] @10 +101 [wait] @11 close:1000 done"},
};

static const struct row UNTIL[] = {
    {"ready",
     "accept\nserve until=ready\nmark met",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready [mark] mark:met close:1000 done"},
    {"audio in bytes",
     "accept\nserve until=audio:150\nmark met",
     500,
     {REQUEST(10), AUDIO(20, "100"), AUDIO(30, "50")},
     "@0 [accept] @10 +101 [serve] ready @30 [mark] mark:met close:1000 done"},
    {"messages",
     "accept\nserve until=messages:2\nmark met",
     500,
     {REQUEST(10), AUDIO(20, "1"), AUDIO(30, "1")},
     "@0 [accept] @10 +101 [serve] ready @30 [mark] mark:met close:1000 done"},
    {"speech, counted from the step's beginning",
     "accept\nserve until=speech\nserve until=speech:2\nmark met",
     500,
     {REQUEST(10), AUDIO(20, "1000")},
     "@0 [accept] @10 +101 [serve] ready @50 speech [serve] @90 speech @130 speech [mark] mark:met "
     "close:1000 done"},
    {"silence",
     "accept\nserve until=silence:2\nmark met",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @50 silence @90 silence [mark] mark:met close:1000 done"},
    {"idle",
     "accept\nserve until=idle\nmark met",
     500,
     {REQUEST(10), AUDIO(20, "100")},
     "@0 [accept] @10 +101 [serve] ready @50 speech @90 silence [mark] mark:met close:1000 done"},
    {"cancel",
     "accept\nserve until=cancel\nmark met",
     500,
     {REQUEST(10), SAYS(20, "cancel")},
     "@0 [accept] @10 +101 [serve] ready @20 [mark] mark:met close:1000 done"},
    {"end",
     "accept\nserve until=end\nmark met",
     500,
     {REQUEST(10), SAYS(20, "end")},
     "@0 [accept] @10 +101 [serve] ready @20 [mark] mark:met close:1000 done"},
    {"final",
     "accept\nserve until=final\nmark met",
     500,
     {REQUEST(10), SAYS(20, "end")},
     "@0 [accept] @10 +101 [serve] ready @50 final [mark] mark:met close:1000 done"},
    {"close",
     "accept\nserve until=close\nmark met",
     500,
     {REQUEST(10), CLOSES(20), GONE(30)},
     "@0 [accept] @10 +101 [serve] ready @20 [mark] mark:met done"},
    {"close, by a client that is simply gone",
     "accept\nserve until=close\nmark met",
     500,
     {REQUEST(10), GONE(30)},
     "@0 [accept] @10 +101 [serve] ready @30 [mark] mark:met done"},
    {"pong",
     "accept\nsend ping data=x\nserve until=pong\nmark met",
     500,
     {REQUEST(10), PONG(30)},
     "@0 [accept] @10 +101 [send] ping(x) [serve] ready @30 [mark] mark:met close:1000 done"},
    {"for= ends it when the condition never comes",
     "accept\nserve for=30ms until=cancel\nmark on",
     500,
     {REQUEST(10)},
     "@0 [accept] @10 +101 [serve] ready @40 [mark] mark:on close:1000 done"},
};

static const struct row LEAVING[] = {
    {"in serve until=cancel: failed, the rest left out",
     "accept\nserve until=cancel\nsend text text=x\nmark never",
     500,
     {REQUEST(10), GONE(30)},
     "@0 [accept] @10 +101 [serve] ready @30 !serve(the client went before cancel) done"},
    {"in a plain serve: the step's end",
     "accept\nserve\nmark on",
     500,
     {REQUEST(10), CLOSES(30), GONE(40)},
     "@0 [accept] @10 +101 [serve] ready @30 [mark] mark:on done"},
    {"in serve for=: the step's end, further serves are empty",
     "accept\nserve for=1s\nserve for=1s\nmark on",
     500,
     {REQUEST(10), CLOSES(30)},
     "@0 [accept] @10 +101 [serve] ready @30 [serve] [mark] mark:on done"},
    {"before a send: that send fails",
     "accept\nserve\nsend text text=x\nmark never",
     500,
     {REQUEST(10), CLOSES(30)},
     "@0 [accept] @10 +101 [serve] ready @30 [send] !send(the client is not there any more) done"},
    {"in a wait: failed",
     "accept\nwait 1s\nmark never",
     5000,
     {REQUEST(10), GONE(30)},
     "@0 [accept] @10 +101 [wait] @30 !wait(the client went during the wait) done"},
    {"in recv: failed",
     "accept\nrecv cancel\nmark never",
     500,
     {REQUEST(10), GONE(30)},
     "@0 [accept] @10 +101 [recv] @30 !recv(the client went before cancel) done"},
    {"the script goes on at the next accept",
     "accept\nserve until=cancel\nmark never\naccept\nserve for=10ms",
     500,
     {REQUEST(10), GONE(30), REQUEST(50)},
     "@0 [accept] @10 +101 [serve] ready @30 !serve(the client went before cancel) [accept] @50 +101 [serve] "
     "ready @60 close:1000 done"},
    {"the next accept may be in the next round of a repeat",
     "repeat 2 {\naccept\nserve until=cancel\nmark never\n}\nmark end",
     500,
     {REQUEST(10), GONE(30), REQUEST(50), GONE(60)},
     "@0 [repeat] [accept] @10 +101 [serve] ready @30 !serve(the client went before cancel) [accept] @50 "
     "+101 "
     "[serve] ready @60 !serve(the client went before cancel) done"},
    {"rounds that wait for nobody are left out",
     "accept\nrepeat 100000 {\nrecv cancel\n}\nrefuse status=503",
     500,
     {REQUEST(10), GONE(30), REQUEST(50)},
     "@0 [accept] @10 +101 [repeat] [recv] @30 !recv(the client went before cancel) [refuse] @50 -503 done"},
    {"a second connection after a close",
     "accept\nclose\naccept\nserve for=10ms",
     500,
     {REQUEST(10), CLOSES(20), GONE(30), REQUEST(50)},
     "@0 [accept] @10 +101 [close] close:1000 @30 [accept] @50 +101 [serve] ready @60 close:1000 done"},
    {"a second accept closes the first connection",
     "accept\nserve for=10ms\naccept\nserve for=10ms",
     500,
     {REQUEST(10), GONE(30), REQUEST(50)},
     "@0 [accept] @10 +101 [serve] ready @20 [accept] close:1000 @50 +101 [serve] ready @60 close:1000 done"},
    {"a refusal and then a connection with a seed of its own",
     "refuse status=503\naccept\nserve until=speech as first\naccept\nserve until=speech as second",
     500,
     {REQUEST(10), REQUEST(20), AUDIO(30, "900"), GONE(90), REQUEST(100), AUDIO(110, "900")},
     "@0 [refuse] @10 -503 [accept] @20 +101 [serve=first] ready @60 speech $first=07 [accept] close:1000 "
     "@100 +101 [serve=second] ready @140 speech $second=08 close:1000 done"},
};

static void run_row(const struct row *row, uint64_t every_us, struct rig *rig)
{
    rig_init(rig, row->script, 7);
    if (row->script != NULL)
        rig_feed(rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    for (size_t i = 0; i < RIG_EVENTS_MAX && row->events[i].at_ms != 0; i++) {
        rig_run_to(rig, row->events[i].at_ms, every_us);
        rig_feed(rig, &row->events[i]);
    }
    rig_run_to(rig, row->until_ms, every_us);
}

static void check_row(const struct row *row)
{
    struct rig rig;
    run_row(row, 0, &rig);
    ck_assert_msg(strcmp(rig.data, row->expected) == 0, "%s:\n got      %s\n expected %s", row->name,
                  rig.data, row->expected);
    ck_assert_msg(engine_is_done(rig.engine), "%s: not done", row->name);
    ck_assert_uint_eq(engine_line(rig.engine), 0);
    ck_assert_uint_eq(engine_deadline_us(rig.engine), UINT64_MAX);
    rig_free(&rig);
}

START_TEST(each_step_does_its_work)
{
    check_row(&STEPS[_i]);
}
END_TEST

START_TEST(serve_ends_with_each_condition)
{
    check_row(&UNTIL[_i]);
}
END_TEST

START_TEST(a_client_that_leaves_ends_what_waits_for_it)
{
    check_row(&LEAVING[_i]);
}
END_TEST

/* The times go, the order stays. */
static void drop_times(char *text)
{
    char *out = text;
    for (const char *at = text; *at != '\0';) {
        if (*at == '@') {
            at += strcspn(at, " ");
            at += *at == ' ' ? 1 : 0;
        } else {
            *out++ = *at++;
        }
    }
    *out = '\0';
}

START_TEST(a_host_that_ticks_late_gets_the_same_actions)
{
    struct rig exact;
    struct rig late;
    static const struct row row = {
        "late",
        "accept\nserve until=silence:5\nwait 70ms\nserve for=200ms\nsend text text=x\nserve until=speech:3",
        2000,
        {REQUEST(10), AUDIO(900, "500")},
        ""};
    run_row(&row, 0, &exact);
    run_row(&row, 90000, &late);
    drop_times(exact.data);
    drop_times(late.data);
    ck_assert_str_eq(late.data, exact.data);
    ck_assert_ptr_nonnull(strstr(exact.data, "speech speech speech close:1000 done"));
    rig_free(&exact);
    rig_free(&late);
}
END_TEST

static size_t count_words(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

START_TEST(more_actions_than_fit_come_in_further_steps)
{
    struct rig rig;
    static const struct row row = {"many",
                                   "accept\nserve until=ready\nsend text count=300\nrepeat 100 {\nmark m\n}",
                                   500,
                                   {REQUEST(10)},
                                   ""};
    run_row(&row, 0, &rig);
    ck_assert_uint_eq(count_words(rig.data, " text"), 300);
    ck_assert_uint_eq(count_words(rig.data, "mark:m"), 100);
    ck_assert(engine_is_done(rig.engine));
    ck_assert_ptr_null(strstr(rig.data, "@11"));
    rig_free(&rig);
}
END_TEST

START_TEST(a_session_with_more_than_fits_goes_on_in_further_steps)
{
    struct rig rig;
    static const struct row row = {
        "flood", "accept\nserve until=silence:200", 500, {REQUEST(10), SAYS(20, "flood")}, ""};
    run_row(&row, 0, &rig);
    ck_assert_uint_eq(count_words(rig.data, " silence"), 200);
    ck_assert_ptr_nonnull(strstr(rig.data, "done"));
    rig_free(&rig);
}
END_TEST

START_TEST(a_connection_is_wanted_only_at_accept_and_refuse)
{
    struct rig rig;
    rig_init(&rig, "accept\nserve for=10ms\nclose\nwait 100ms\nrefuse status=503", 1);
    ck_assert(engine_wants_connection(rig.engine));
    rig_run_to(&rig, 10, 0);
    ck_assert_uint_eq(engine_line(rig.engine), 3);
    rig_feed(&rig, &(struct rig_event)REQUEST(10));
    ck_assert(!engine_wants_connection(rig.engine));
    ck_assert_uint_eq(engine_line(rig.engine), 4);
    rig_run_to(&rig, 30, 0);
    rig_feed(&rig, &(struct rig_event)GONE(30));
    ck_assert_uint_eq(engine_line(rig.engine), 6);
    ck_assert(!engine_wants_connection(rig.engine));
    rig_run_to(&rig, 200, 0);
    ck_assert(engine_wants_connection(rig.engine));
    rig_feed(&rig, &(struct rig_event)REQUEST(200));
    ck_assert(engine_is_done(rig.engine));
    rig_free(&rig);
}
END_TEST

static const struct {
    const char *name;
    const char *script;
    const char *expected;
} REFUSALS[] = {
    {"a bare status", "refuse status=500", "Content-Length: 0\r\nConnection: close\r\n\r\n"},
    {"a text", "refuse status=503 body=\"No backend servers available.\"",
     "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 29\r\nConnection: close\r\n\r\n"
     "No backend servers available."},
    {"headers of its own",
     "refuse status=429 header=\"Retry-After: 3\" header=\"content-type: text/x\" body=no",
     "Retry-After: 3\r\ncontent-type: text/x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"},
    {"a body of its own", "refuse status=401 body=no",
     "WWW-Authenticate: Fake realm=\"fake\"\r\n"
     "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"},
    {"an empty body of its own", "refuse status=401 body=\"\"",
     "WWW-Authenticate: Fake realm=\"fake\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"},
    {"a length of its own", "refuse status=403 header=\"Content-Length: 0\"",
     "Content-Length: 0\r\nConnection: close\r\n\r\n"},
    {"a challenge of its own", "refuse status=401 header=\"www-authenticate: X\" body=\"\"",
     "www-authenticate: X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"},
};

static void refusal_of(const char *script, struct rig *rig)
{
    rig_init(rig, script, 1);
    rig_feed(rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    rig_feed(rig, &(struct rig_event)REQUEST(10));
    ck_assert_uint_ge(rig->actions.count, 1);
    ck_assert_int_eq(rig->actions.list[0].kind, ACTION_REFUSE);
}

START_TEST(a_refusal_has_headers_and_body)
{
    struct rig rig;
    refusal_of(REFUSALS[_i].script, &rig);
    struct bytes body = actions_bytes(&rig.actions, &rig.actions.list[0]);
    ck_assert_msg(bytes_equal_text(body, REFUSALS[_i].expected), "%s: got %.*s", REFUSALS[_i].name,
                  (int)body.len, (const char *)body.data);
    rig_free(&rig);
}
END_TEST

START_TEST(a_refusal_with_an_error_code_has_the_body_of_the_family)
{
    struct rig rig;
    char text_data[2000];
    refusal_of(_i == 0 ? "refuse status=401 error=NOT_YOU" : "refuse status=401", &rig);
    struct text text = text_of(text_data, sizeof text_data);
    text_add_bytes(&text, actions_bytes(&rig.actions, &rig.actions.list[0]));
    ck_assert_uint_eq(rig.actions.list[0].code, 401);
    ck_assert_ptr_nonnull(strstr(text_data, "Content-Type: application/json\r\n"));
    ck_assert_ptr_nonnull(strstr(text_data, "{\"fault\":"));
    ck_assert_ptr_nonnull(strstr(text_data, "\"NOT_YOU\""));
    rig_free(&rig);
}
END_TEST

START_TEST(a_head_that_is_no_request_is_refused_with_400)
{
    struct rig rig;
    rig_init(&rig, "accept\nserve", 1);
    rig_feed(&rig, &(struct rig_event){0, ENGINE_TICK, NULL, 0});
    rig_feed(&rig, &(struct rig_event){0, ENGINE_REQUEST, "a\r\nbad", 0});
    ck_assert_str_eq(rig.data, "@0 [accept] -400 !accept(refused by admission) done");
    rig_free(&rig);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine");
    TCase *rows = tcase_create("transcripts");
    tcase_add_loop_test(rows, each_step_does_its_work, 0, (int)(sizeof STEPS / sizeof STEPS[0]));
    tcase_add_loop_test(rows, serve_ends_with_each_condition, 0, (int)(sizeof UNTIL / sizeof UNTIL[0]));
    tcase_add_loop_test(rows, a_client_that_leaves_ends_what_waits_for_it, 0,
                        (int)(sizeof LEAVING / sizeof LEAVING[0]));
    suite_add_tcase(suite, rows);
    TCase *host = tcase_create("host");
    tcase_add_test(host, a_host_that_ticks_late_gets_the_same_actions);
    tcase_add_test(host, more_actions_than_fit_come_in_further_steps);
    tcase_add_test(host, a_session_with_more_than_fits_goes_on_in_further_steps);
    tcase_add_test(host, a_connection_is_wanted_only_at_accept_and_refuse);
    tcase_add_loop_test(host, a_refusal_has_headers_and_body, 0, (int)(sizeof REFUSALS / sizeof REFUSALS[0]));
    tcase_add_loop_test(host, a_refusal_with_an_error_code_has_the_body_of_the_family, 0, 2);
    tcase_add_test(host, a_head_that_is_no_request_is_refused_with_400);
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
