/* Scripts without a mistake, and what they become. */
#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "codec/wire/text.h"
#include "server/script/script.h"
#include "server/tests/fake_session.h"
#include "server/tests/script_texts.h"

enum { DESCRIPTION_MAX = 4096 };

static struct script *parse_right(const char *name, const char *source)
{
    char error[SCRIPT_ERROR_MAX];
    struct exact_copy copy = exact_copy_of(bytes_of_text(source));
    struct script *script = script_parse("dir/a.session", copy.bytes, &FAKE_SESSION_CLASS, error);
    exact_copy_free(copy);
    ck_assert_msg(script != NULL, "%s: %s", name, error);
    ck_assert_str_eq(error, "");
    return script;
}

/* ---- scripts as a line of text ---- */

static void add_counted(struct text *out, const char *before, const struct script_number *number)
{
    if (number->counter == NULL) {
        add_number(out, before, number->number);
        return;
    }
    text_add(out, before);
    text_add(out, "$");
    text_add(out, number->counter);
}

static void describe_frame(struct text *out, const struct script_frame *frame)
{
    if (!frame->set)
        return;
    text_add(out, " frame");
    text_add(out, frame->fin ? "" : " fin=no");
    add_counted(out, " opcode=", &frame->opcode);
    add_counted(out, " rsv=", &frame->rsv);
    add_number(out, " mask=", frame->mask);
    add_number(out, " form=", frame->form);
    add_counted(out, " length=", &frame->length);
}

static void describe_changes(struct text *out, const struct server_step *step)
{
    static const char *const NAMES[] = {[CHANGE_CORRUPT] = " corrupt",
                                        [CHANGE_MUTATE] = " mutate",
                                        [CHANGE_TRUNCATE] = " truncate",
                                        [CHANGE_PATCH] = " patch",
                                        [CHANGE_APPEND] = " append"};
    for (size_t i = 0; i < step->change_count; i++) {
        const struct script_change *change = &step->changes[i];
        text_add(out, NAMES[change->kind]);
        add_counted(out, " at=", &change->at);
        add_counted(out, " seed=", &change->seed);
        add_number(out, " mask=", change->mask);
        add_number(out, " n=", change->count);
        if (change->data.len > 0)
            text_add(out, " ");
        text_add_hex(out, change->data);
    }
}

static void describe_delivery(struct text *out, const struct server_step *step)
{
    add_number(out, " every=", step->delivery.slice_every);
    add_number(out, " for=", step->delivery.slice_for);
    add_counted(out, " at=", &step->slice_at);
    add_number(out, " gap=", step->delivery.gap_us);
    add_counted(out, " fragment=", &step->fragment_at);
    add_number(out, " fragments=", step->delivery.fragment_every);
    text_add(out, step->delivery.fragment_pings ? " pings" : "");
    add_number(out, " delay=", step->delivery.delay_us);
    add_number(out, " jitter=", step->jitter_max_us);
    add_counted(out, " seed=", &step->jitter_seed);
    add_counted(out, step->delivery.end_by_reset ? " reset=" : " drop=", &step->end_at);
    describe_frame(out, &step->frame);
    describe_changes(out, step);
    text_add(out, step->fault ? " fault" : "");
}

static void describe_bytes(struct text *out, const struct server_step *step)
{
    for (size_t i = 0; i < step->quirk_count; i++) {
        text_add(out, " row=");
        text_add_u64(out, step->quirks[i].row);
        text_add(out, "/");
        text_add_u64(out, step->quirks[i].value);
    }
    text_add(out, step->raw_close ? " raw" : "");
    if (step->payload.len > 0) {
        text_add(out, " ");
        text_add_hex(out, step->payload);
    }
    if (step->on.name[0] == '\0')
        return;
    text_add(out, " on=");
    text_add(out, step->on.name);
    add_number(out, ":", step->on.count);
}

/* As deep as blocks can be. */
static void describe_steps(struct text *out, const struct server_step *steps, size_t count)
{
    static const char *const WORDS[] = {[STEP_ACCEPT] = "accept",
                                        [STEP_REFUSE] = "refuse",
                                        [STEP_SERVE] = "serve",
                                        [STEP_SEND] = "send",
                                        [STEP_RECV] = "recv",
                                        [STEP_WAIT] = "wait",
                                        [STEP_CLOSE] = "close",
                                        [STEP_RESET] = "reset",
                                        [STEP_MARK] = "mark",
                                        [STEP_REPEAT] = "repeat",
                                        [STEP_ALT] = "alt",
                                        [STEP_BRANCH] = "on",
                                        [STEP_IGNORE] = "ignore",
                                        [STEP_RAW] = "raw",
                                        [STEP_DROP] = "drop",
                                        [STEP_HALF_CLOSE] = "half-close",
                                        [STEP_STOP_READING] = "stop-reading",
                                        [STEP_QUIRK] = "quirk"};
    for (size_t i = 0; i < count; i++) {
        const struct server_step *step = &steps[i];
        text_add(out, i == 0 ? "" : "; ");
        text_add(out, WORDS[step->kind]);
        add_word(out, " ", step->word);
        add_number(out, " code=", step->code);
        add_number(out, " count=", step->count);
        add_number(out, " from=", step->from);
        add_number(out, " to=", step->to);
        add_number(out, " us=", step->duration_us);
        add_condition(out, " until=", &step->until);
        for (size_t j = 0; j < step->option_count; j++) {
            add_word(out, " ", step->options[j].name);
            add_word(out, "=", step->options[j].value);
        }
        add_word(out, " as ", step->as);
        describe_bytes(out, step);
        describe_delivery(out, step);
        if (step->child_count == 0)
            continue;
        text_add(out, " {");
        describe_steps(out, step->children, step->child_count);
        text_add(out, "}");
    }
}

/* ---- tables ---- */

static const struct {
    const char *name;
    const char *body; /* of the server block */
    const char *expected;
} SERVERS[] = {
    {"accept", "accept\naccept any", "accept; accept any"},
    {"refuse with all it takes", "refuse status=401 error=AUTH_FAILED header=\"A: b\" header=\"C: d\"",
     "refuse code=401 status=401 error=AUTH_FAILED header=A: b header=C: d"},
    {"serve", "accept\nserve\nserve for=2s\nserve until=cancel\nserve for=10us until=speech:3 as x",
     "accept; serve; serve us=2000000; serve until=cancel:1; serve us=10 until=speech:3 as x"},
    {"sizes", "accept\nserve until=audio:2KB\nsend text | slice at=1MB\nsend text | slice every=3B",
     "accept; serve until=audio:2048; send text count=1 at=1048576; send text count=1 every=3"},
    {"send", "accept\nsend ready\nsend speech count=3 index=7 as late",
     "accept; send ready count=1; send speech count=3 index=7 as late"},
    {"pipes", "accept\nsend speech | slice every=1 for=64 gap=40us | fragment at=9 | fault",
     "accept; send speech count=1 every=1 for=64 gap=40 fragment=9 fault"},
    {"pipes with counters", "accept\nrepeat 3 as k {\nsend text | slice at=$k | fragment at=$k\n}",
     "accept; repeat count=3 from=1 to=3 as k {send text count=1 at=$k fragment=$k}"},
    {"recv", "accept\nrecv audio\nrecv close within=300ms\nrecv any",
     "accept; recv audio; recv close us=300000; recv any"},
    {"wait, mark, reset", "wait 1ms\nmark a-b_1\naccept\nreset", "wait us=1000; mark a-b_1; accept; reset"},
    {"close", "accept\nclose\naccept\nclose code=4001 reason=\"go\"",
     "accept; close code=1000; accept; close code=4001 code=4001 reason=go"},
    {"a repeat from 0 with the counter as an option",
     "accept\nrepeat from=0 to=2 as=i {\nsend text text=$i\n}",
     "accept; repeat count=3 to=2 as i {send text count=1 text=$i}"},
    {"a block in one line", "accept\nrepeat 2 { mark m }", "accept; repeat count=2 from=1 to=2 {mark m}"},
    {"strings", "accept\nsend text text=\"a\\\"b\\\\c\\nd\\x41 # $$ {|}\"",
     "accept; send text count=1 text=a\"b\\c\ndA # $$ {|}"},
    {"captures", "accept\nserve until=cancel as x\nsend speech interaction=$x.interaction",
     "accept; serve until=cancel:1 as x; send speech count=1 interaction=$x.interaction"},
    {"frames with their bits said",
     "accept\nraw hex=00ff\nraw opcode=pong fin=no rsv=1 mask=bad length=5 length_form=16 text=a as x",
     "accept; raw 00ff fault; raw as x 61 frame fin=no opcode=10 rsv=1 mask=2 form=16 length=5 fault"},
    {"bytes changed on the way",
     "accept\nsend text | corrupt at=1KB xor=2 | mutate seed=3 count=4 | truncate at=9 | patch at=1 hex=0aFF "
     "| "
     "append hex=00",
     "accept; send text count=1 corrupt at=1024 mask=2 mutate seed=3 n=4 truncate at=9 patch at=1 0aff "
     "append 00 "
     "fault"},
    {"time, fragments and ends",
     "accept\nsend text | delay 2ms | jitter max=5ms seed=6 | fragment every=7 pings=yes\nsend text | drop "
     "at=3",
     "accept; send text count=1 fragments=7 pings delay=2000 jitter=5000 seed=6; send text count=1 drop=3 "
     "fault"},
    {"pipes on the service's messages", "accept\nserve on=frame | bits rsv=4\nserve on=ready:2 | fault",
     "accept; serve on=frame frame rsv=4 fault; serve on=ready:2 fault"},
    {"quirks", "quirk loud level=3\naccept\nserve quirk=\"level=off,loud\"\nquirk level",
     "quirk quirk=loud level=3 row=0/1 row=1/3; accept; serve quirk=level=off,loud row=1/0 row=0/1; quirk "
     "quirk=level row=1/5"},
    {"ends", "ignore for=1ms\naccept\nhalf-close\nstop-reading for=2ms\ndrop\naccept\nclose hex=03",
     "ignore us=1000; accept; half-close; stop-reading us=2000; drop; accept; close raw 03"},
    {"comments, blank lines, tabs and carriage returns", "\taccept # that is\r\n\r\n  # all\r\n\tserve\r",
     "accept; serve"},
};

START_TEST(a_server_block_becomes_its_steps)
{
    char source[4096];
    char description[DESCRIPTION_MAX];
    struct text text = text_of(source, sizeof source);
    struct text out = text_of(description, sizeof description);
    text_add(&text, "case c\nserver {\n");
    text_add(&text, SERVERS[_i].body);
    text_add(&text, "\n}\n");
    struct script *script = parse_right(SERVERS[_i].name, source);
    describe_steps(&out, script->steps, script->step_count);
    ck_assert_msg(strcmp(description, SERVERS[_i].expected) == 0, "%s:\n got      %s\n expected %s",
                  SERVERS[_i].name, description, SERVERS[_i].expected);
    script_free(script);
}
END_TEST

/* Lines and blocks of a suite, right or wrong, in a file that a mock plays. */
static const struct {
    const char *name, *lines;
} OTHERS[] = {
    {"nothing", ""},
    {"lines that are right", "title \"A title\"\nclause OJ-CAN-03\nlimit 2s\nneeds cancel\n"},
    {"lines that are wrong", "title x y\nclause NO-1\nclause NO-1\nlimit 0\nneeds pigs\nset\n"},
    {"a plan that is wrong", "plan {\nsing \"a\"\nspeak | {\n}\n}\n"},
    {"two plans", "plan {\n}\nplan {\n}\n"},
    {"checks that are wrong", "check a MUST\ncheck a OUGHT none seen:pigs where=$nobody\n"},
    {"a client block beside it", "client {\nfly\n}\n"},
    {"a name of a vary where there may be none", "vary x in 1 2\nclause $x\nplan {\nwait as x\n}\n"},
};

START_TEST(what_a_suite_reads_a_mock_leaves_out)
{
    char source[1024];
    char description[DESCRIPTION_MAX];
    for (int first = 0; first < 2; first++) {
        struct text text = text_of(source, sizeof source);
        struct text out = text_of(description, sizeof description);
        text_add(&text, first != 0 ? OTHERS[_i].lines : "");
        text_add(&text, "case c\nserver {\naccept\nserve\n}\n");
        text_add(&text, first != 0 ? "" : OTHERS[_i].lines);
        struct script *script = parse_right(OTHERS[_i].name, source);
        describe_steps(&out, script->steps, script->step_count);
        ck_assert_str_eq(description, "accept; serve");
        script_free(script);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("script");
    TCase *scripts = tcase_create("scripts");
    tcase_add_loop_test(scripts, a_server_block_becomes_its_steps, 0,
                        (int)(sizeof SERVERS / sizeof SERVERS[0]));
    tcase_add_loop_test(scripts, what_a_suite_reads_a_mock_leaves_out, 0,
                        (int)(sizeof OTHERS / sizeof OTHERS[0]));
    suite_add_tcase(suite, scripts);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
