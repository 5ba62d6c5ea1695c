/* What a run comes to, and its three reports. The files written here are read again by check_reports.py. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/ojin/profile.h"
#include "conformance/report/annotations.h"
#include "conformance/report/case_picture.h"
#include "conformance/report/html_report.h"
#include "conformance/report/json_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/markdown_report.h"
#include "conformance/report/tap_report.h"
#include "conformance/report/terminal_report.h"
#include "conformance/report/wire_tail.h"
#include "conformance/tests/hand_made.h"

enum { CASE_COUNT = 7, REPORT_BYTES_MAX = 65536 };

/* What a client may say: markup, a colour, a byte that is no UTF-8. */
#define HOSTILE "<&\">\x1b[31m\xff\xef\xbf\xbf]]>"

struct sample {
    const char *name, *id;
    enum verdict verdict;
    enum client_end end;
    const char *actual;
    bool ran, transport;
    enum client_tier tier;
};

static const struct sample SAMPLES[CASE_COUNT] = {
    {"ojin/test/passing", "OJ-OUT-01", VERDICT_PASS, CLIENT_ENDED, "kept", true, false, TIER_WIRE},
    {"ojin/test/failing", "OJ-OUT-01", VERDICT_FAIL, CLIENT_ENDED, HOSTILE, true, false, TIER_WIRE},
    {"ojin/test/crashing", "OJ-OUT-09", VERDICT_FAIL, CLIENT_CRASHED, "CRASH: killed by SIGSEGV", true, false,
     TIER_WIRE},
    {"ojin/test/disputed", "OJ-OUT-02", VERDICT_DISPUTED, CLIENT_ENDED, "no such thing came", true, false,
     TIER_WIRE},
    {"ojin/test/our-fault", "OJ-OUT-03", VERDICT_ERROR, CLIENT_ENDED, "no port", true, false, TIER_WIRE},
    {"ojin/test/observing", "OJ-CAN-03", VERDICT_PASS, CLIENT_ENDED, "", false, false, TIER_OBSERVE},
    {"ojin/test/on-a-socket", "OJ-CLS-02", VERDICT_PASS, CLIENT_ENDED, "", false, true, TIER_WIRE},
};

struct run {
    struct case_script scripts[CASE_COUNT];
    struct run_case cases[CASE_COUNT];
    const struct profile *profiles[1];
    struct run_result result;
};

static void copy(char *to, size_t capacity, const char *from)
{
    struct text text = text_of(to, capacity);
    text_add(&text, from);
}

static void sample_make(const struct sample *sample, struct case_script *script, struct run_case *run_case)
{
    copy(script->name, sizeof script->name, sample->name);
    copy(script->title, sizeof script->title, "A title");
    script->tier = sample->tier;
    script->transport = sample->transport;
    script->clause_count = 1;
    script->clauses[0].requirement = requirement_by_id(sample->id);
    run_case->script = script;
    run_case->profile = &OJIN_PROFILES[0].base;
    run_case->ran = sample->ran;
    run_case->duration_ms = 1234;
    run_case->result.verdict = sample->verdict;
    run_case->result.end = sample->end;
    run_case->result.check_count = 1;
    struct check_result *check = &run_case->result.checks[0];
    *check = (struct check_result){.requirement = requirement_by_id(sample->id), .verdict = sample->verdict};
    copy(check->name, sizeof check->name, sample->end == CLIENT_CRASHED ? "crash" : "the-check");
    copy(check->expected, sizeof check->expected, "no such thing");
    copy(check->actual, sizeof check->actual, sample->actual);
    copy(run_case->repro, sizeof run_case->repro, "ojin-conform run --case X");
    copy(run_case->output_tail, sizeof run_case->output_tail, "Traceback " HOSTILE "</pre><script>");
    copy(run_case->picture, sizeof run_case->picture, "{\"rows\":[],\"of\":\"</script><b>\"}");
    copy(run_case->wire_tail, sizeof run_case->wire_tail,
         "0.001 s  client  upgrade\n0.002 s  server  ready\n");
}

static struct run *run_make(size_t count)
{
    struct run *run = calloc(1, sizeof *run);
    ck_assert_ptr_nonnull(run);
    for (size_t i = 0; i < CASE_COUNT; i++)
        sample_make(&SAMPLES[i], &run->scripts[i], &run->cases[i]);
    run->profiles[0] = &OJIN_PROFILES[0].base;
    run->result = (struct run_result){.command = "client " HOSTILE,
                                      .transport = "memory",
                                      .tier = TIER_PLAN,
                                      .duration_ms = 5678,
                                      .case_count = count,
                                      .cases = run->cases,
                                      .profile_count = 1,
                                      .profiles = run->profiles};
    return run;
}

/* What the terminal report says; to be freed. */
static char *terminal_text(const struct run_result *result, const struct terminal_options *options)
{
    char *text = calloc(1, REPORT_BYTES_MAX);
    FILE *file = fmemopen(text, REPORT_BYTES_MAX, "w");
    ck_assert_ptr_nonnull(file);
    terminal_report(file, result, options);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

static void assert_says(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

static void assert_ends(const char *text, const char *end)
{
    size_t len = strlen(text);
    ck_assert_msg(len >= strlen(end) && strcmp(text + len - strlen(end), end) == 0, "%s", text);
}

START_TEST(the_last_line_counts_cases)
{
    const struct terminal_options options = {.colour = false};
    struct run *run = run_make(CASE_COUNT);
    char *text = terminal_text(&run->result, &options);
    assert_ends(text, "\n2 passed, 3 failed; 1 of the passed disputed\n");
    assert_says(text, "7 cases in 5.6 s over memory, 1 unsupported, 1 not judged\n");
    free(text);
    run->result.case_count = 1;
    text = terminal_text(&run->result, &options);
    assert_ends(text, "\n1 passed, 0 failed\n");
    free(text);
    free(run);
}
END_TEST

START_TEST(a_cause_is_told_whole)
{
    const struct terminal_options options = {.colour = false};
    struct run *run = run_make(2);
    copy(run->cases[1].result.checks[0].actual, JUDGE_TEXT_MAX, "7, the first: " HOSTILE);
    struct evidence_item *item = &run->cases[1].evidence.items[0];
    item->requirement = run->cases[1].result.checks[0].requirement;
    copy(item->check, sizeof item->check, "the-check");
    copy(item->wire, sizeof item->wire, "0.004 s  server  speech  50 bytes\ntype 01  size 7");
    copy(item->seen, sizeof item->seen, "ready\nframe speech index 1");
    copy(run->cases[1].folder, RUN_PATH_MAX, "/kept/here");
    char *text = terminal_text(&run->result, &options);
    assert_says(text, "\nThe cause\n\n 1  FAIL  7, the first: <&");
    assert_says(text, "; expected: no such thing\n    OJ-OUT-01   MUST, basis doc  (Ojin Oris 1.0 Realtime "
                      "API: InteractionResponse)\n"
                      "                Reads the 37-byte header");
    assert_says(text, "    on the wire 0.004 s  server  speech  50 bytes\n                type 01  size 7\n"
                      "    it said     ready\n                frame speech index 1\n"
                      "    it wrote    Traceback ");
    assert_says(text, "    shows       in 1 of 2 sessions, ojin/test/failing\n"
                      "    fails case  ojin/test/failing\n"
                      "    kept in     /kept/here\n"
                      "    rerun: ojin-conform run --case X\n");
    ck_assert_ptr_null(strchr(text, '\x1b')); /* nothing a client said steers the terminal */
    free(text);
    free(run);
}
END_TEST

START_TEST(the_first_cause_stands_last)
{
    const struct terminal_options options = {.colour = false};
    struct run *run = run_make(CASE_COUNT);
    char *text = terminal_text(&run->result, &options);
    const char *parts[] = {
        "\nOJ-OUT-02  DISPUTED     all ",
        "\n1 case needs a client that says what it saw, which would judge 1 more requirement\n",
        ("\nWorth a look (fails no run: DISPUTED but with --inferred, WARN but with --strict)\n\n 4  "
         "DISPUTED  "
         "no such thing came; expected: no such "
         "thing\n"),
        "\n    OJ-OUT-02   MUST, basis inferred  (",
        "\n                Accepts payload entries in either order\n",
        "\n    situation   A title\n",
        "\n    wire, last  0.001 s  client  upgrade\n",
        "\n    it wrote    Traceback ",
        "\n    shows       in 1 of 1 session, ojin/test/disputed\n    rerun: ojin-conform",
        "\nThe causes, the first one last\n",
        "\n 3  ",
        "\n 2  ",
        "\n 1  ERROR  no port\n",
        "\n7 cases in 5.6 s",
        "\n3 causes: no port; ",
        "\nexit 3: an error that is not the client's"};
    const char *at = text;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *found = strstr(at, parts[i]);
        ck_assert_msg(found != NULL, "\"%s\" does not come there in:\n%s", parts[i], text);
        at = found;
    }
    ck_assert_ptr_null(strstr(text, "OJ-OUT-01  PASS"));
    free(text);
    free(run);
}
END_TEST

START_TEST(the_table_and_the_summary_show_what_was_not_judged)
{
    const struct terminal_options options = {.colour = false, .width = 60};
    struct run *run = run_make(CASE_COUNT);
    char *text = terminal_text(&run->result, &options);
    assert_says(text, "OJ-OUT-01  FAIL         all       Reads the 37-byte heade...\n");
    assert_says(text, "\n0 PASS; 1 UNSUPPORTED (--verbose lists them)\n");
    assert_says(text, "more requirements of this profile have no case\n");
    run->result.narrowed = true; /* for want of a case, or since it was not chosen: the run does not know */
    char *narrowed = terminal_text(&run->result, &options);
    assert_says(narrowed, "more requirements of this profile have no case among those chosen\n");
    free(narrowed);
    assert_says(text, "1 case needs a client that says what it saw, which would judge 1 more requirement\n"
                      "1 case needs a real transport, which would judge 1 more requirement\n");
    free(text);
    text = terminal_text(&run->result, &(struct terminal_options){.verbose = true, .width = 60});
    assert_says(text, "OJ-CAN-03  UNSUPPORTED  none      ");
    assert_says(text, "\n0 PASS; 1 UNSUPPORTED\n");
    assert_says(text, "would judge 1 more requirement:\n  ojin/test/observing  oris-1.0\n");
    assert_says(text, "would judge 1 more requirement:\n  ojin/test/on-a-socket  oris-1.0\n");
    free(text);
    free(run);
}
END_TEST

START_TEST(what_was_inconclusive_can_be_run_again)
{
    struct run *run = run_make(3);
    for (size_t i = 0; i < 2; i++)
        run->cases[i].result.verdict = run->cases[i].result.checks[0].verdict = VERDICT_INCONCLUSIVE;
    copy(run->scripts[1].name, sizeof run->scripts[1].name, "ojin/test/varied[7]");
    char *text = terminal_text(&run->result, &(struct terminal_options){.colour = false});
    assert_says(
        text, "\n2 cases were inconclusive, as the machine was late; run them again when it is calmer: --run "
              "ojin/test/passing --run 'ojin/test/varied[7]', which would judge 1 more requirement\n");
    free(text);
    free(run);
}
END_TEST

START_TEST(what_was_not_reached_is_told_by_its_cause_alone)
{
    struct run *run = run_make(3);
    struct case_result *result = &run->cases[2].result;
    result->end = CLIENT_ENDED;
    result->verdict = result->checks[0].verdict = VERDICT_NOT_REACHED;
    result->binding = result->checks[0].binding = true;
    copy(result->checks[0].name, sizeof result->checks[0].name, "the-check");
    char *text = terminal_text(&run->result, &(struct terminal_options){.width = 60});
    ck_assert_ptr_null(strstr(text, "OJ-OUT-09  NOTREACHED"));
    assert_says(text, "\n0 PASS; 1 NOTREACHED, see the causes (--verbose lists them)\n");
    assert_says(text, "    not judged  OJ-OUT-09\n");
    free(text);
    text = terminal_text(&run->result, &(struct terminal_options){.verbose = true, .width = 60});
    assert_says(text, "OJ-OUT-09  NOTREACHED   0 of 1    ");
    free(text);
    free(run);
}
END_TEST

START_TEST(what_nobody_heard_is_not_met)
{
    const struct terminal_options options = {.colour = false, .width = 60};
    struct run *run = run_make(2);
    struct case_result *result = &run->cases[1].result;
    result->verdict = result->checks[0].verdict = VERDICT_UNSUPPORTED;
    char *text = terminal_text(&run->result, &options);
    assert_says(text, "OJ-OUT-01  PARTIAL      1 of 2    ");
    assert_says(text, "1 case is about what this client never did\n");
    free(text);
    result->checks[0].unheard = true;
    text = terminal_text(&run->result, &options);
    assert_says(text, "OJ-OUT-01  PARTIAL      1 of 2    ");
    assert_says(text, "the client reports when it plays, but not what\n");
    assert_says(text, "1 case needs a client that leaves sound.wav, or reports audio in heard, ");
    free(text);
    run->cases[0].result.checks[0].verdict = VERDICT_FAIL; /* what fails, fails */
    text = terminal_text(&run->result, &options);
    assert_says(text, "OJ-OUT-01  FAIL         1 of 2    ");
    free(text);
    free(run);
}
END_TEST

START_TEST(progress_stays_on_one_line_and_goes)
{
    static const struct {
        struct run_progress progress;
        unsigned width;
        const char *expected;
    } ROWS[] = {{{1, 66, 0, "ojin/a/b"}, 80, "\r\033[K[1/66] 0 failed  ojin/a/b"},
                {{12, 66, 3, "ojin/a-long-area/with-a-long-name"},
                 40,
                 "\r\033[K[12/66] 3 failed  ojin/a-long-area/w..."},
                {{66, 66, 3, "ojin/a/b"}, 80, "\r\033[K"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        char text[200] = "";
        FILE *file = fmemopen(text, sizeof text, "w");
        ck_assert_ptr_nonnull(file);
        terminal_progress(file, &ROWS[i].progress, &(struct terminal_options){.width = ROWS[i].width});
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_str_eq(text, ROWS[i].expected);
    }
}
END_TEST

START_TEST(colours_come_only_when_asked_for)
{
    const struct terminal_options options = {.colour = true};
    struct run *run = run_make(2);
    char *text = terminal_text(&run->result, &options);
    assert_says(text, "\033[31mFAIL");
    assert_ends(text, "\n1 passed, 1 failed\n");
    free(text);
    free(run);
}
END_TEST

START_TEST(the_exit_tells_met_from_not_met_from_our_own_fault)
{
    struct run *run = run_make(0);
    ck_assert_int_eq(run_exit_code(&run->result), 3); /* nothing ran */
    run->result.empty_shard = true;
    ck_assert_int_eq(run_exit_code(&run->result), 0);
    run->result.case_count = 1;
    ck_assert_int_eq(run_exit_code(&run->result), 0);
    run->result.case_count = 2;
    ck_assert_int_eq(run_exit_code(&run->result), 1);
    run->result.case_count = 5;
    ck_assert_int_eq(run_exit_code(&run->result), 3);
    run->result.interrupted = true;
    ck_assert_int_eq(run_exit_code(&run->result), 130);
    run->result = (struct run_result){.tier = TIER_PLAN, .case_count = 2, .cases = &run->cases[5]};
    ck_assert_int_eq(run_exit_code(&run->result), 3); /* none that could be run */
    run->cases[0].result.verdict = VERDICT_NOT_REACHED;
    run->result = (struct run_result){.tier = TIER_PLAN, .case_count = 1, .cases = &run->cases[0]};
    ck_assert_int_eq(run_exit_code(&run->result), 3); /* of a SHOULD: nothing was judged */
    run->cases[0].result.binding = true;
    ck_assert_int_eq(run_exit_code(&run->result), 1);
    free(run);
}
END_TEST

static const struct {
    const char *path;
    bool (*write)(FILE *out, const struct run_result *run);
} WRITERS[] = {
    {REPORT_FOLDER "/report.xml", junit_report_write}, {REPORT_FOLDER "/report.json", json_report_write},
    {REPORT_FOLDER "/report.tap", tap_report_write},   {REPORT_FOLDER "/report.tap13", tap13_report_write},
    {REPORT_FOLDER "/report.html", html_report_write}, {REPORT_FOLDER "/report.md", markdown_report_write}};
enum { WRITER_COUNT = sizeof WRITERS / sizeof WRITERS[0] };

START_TEST(machine_reports_are_written)
{
    struct run *run = run_make(CASE_COUNT);
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        FILE *file = fopen(WRITERS[i].path, "wb");
        ck_assert_ptr_nonnull(file);
        ck_assert(WRITERS[i].write(file, &run->result));
        ck_assert_int_eq(fclose(file), 0);
    }
    free(run);
}
END_TEST

START_TEST(a_report_that_cannot_be_written_is_told)
{
    struct run *run = run_make(CASE_COUNT);
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        FILE *file = fopen("/dev/full", "wb");
        ck_assert_ptr_nonnull(file);
        ck_assert_msg(!WRITERS[i].write(file, &run->result), "%s", WRITERS[i].path);
        fclose(file);
    }
    free(run);
}
END_TEST

START_TEST(a_cause_is_one_annotation_at_no_file)
{
    struct run *run = run_make(CASE_COUNT);
    for (size_t i = 0; i < CASE_COUNT; i++)
        copy(run->scripts[i].path, sizeof run->scripts[i].path, "cases/of-ours.session");
    copy(run->cases[1].result.checks[0].actual, JUDGE_TEXT_MAX, "50%\n::error::forged");
    char *text = calloc(1, REPORT_BYTES_MAX);
    FILE *file = fmemopen(text, REPORT_BYTES_MAX, "w");
    ck_assert_ptr_nonnull(file);
    annotations_write(file, &run->result);
    ck_assert_int_eq(fclose(file), 0);
    assert_says(text,
                "::error title=FAIL OJ-OUT-01::50%25%0A::error::forged; expected: no such thing%0AReads ");
    assert_says(text, "%0Ain 1 of 2 sessions, ojin/test/failing%0Arerun: ojin-conform run --case X\n");
    assert_says(text, "\n::warning title=DISPUTED OJ-OUT-02::");
    ck_assert_ptr_null(strstr(text, "of-ours"));
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    ck_assert_uint_eq(lines, 4); /* three failures, one dispute */
    free(text);
    free(run);
}
END_TEST

START_TEST(the_wire_tail_gathers_alike_messages)
{
    struct hand_made made;
    char data[1000];
    struct text text = text_of(data, sizeof data);
    hand_made_init(
        &made, "OJ-OUT-01",
        "<upgrade >ready >silence#0/0 >silence#0/0 +mark >silence#0/0 >speech#1/A <close=1000 <end", "");
    wire_tail_write(&text, made.journal, NULL, 4);
    ck_assert_str_eq(data, "0.002 s  server  silence  5000 bytes  x3\n"
                           "0.006 s  server  speech  5000 bytes\n"
                           "0.007 s  client  close  1000\n"
                           "0.008 s  client  end  the connection ended\n");
    hand_made_free(&made);
}
END_TEST

/* The result of a case with one failing check that is about the entry with that sequence. */
static struct case_result *result_about(uint64_t sequence)
{
    struct case_result *result = calloc(1, sizeof *result);
    ck_assert_ptr_nonnull(result);
    result->verdict = VERDICT_FAIL;
    result->check_count = 1;
    result->checks[0] = (struct check_result){.name = "the-check",
                                              .requirement = requirement_by_id("OJ-OUT-01"),
                                              .verdict = VERDICT_FAIL,
                                              .journal_sequence = sequence};
    return result;
}

START_TEST(the_wire_tail_marks_what_a_failing_check_is_about)
{
    static const struct {
        uint64_t sequence;
        const char *expected;
    } ROWS[] = {{4, "0.003 s  server  silence  5000 bytes\n0.004 s  server  silence  5000 bytes\n"
                    "^ OJ-OUT-01 the-check  "},
                {1, "0.001 s  server  ready  "},
                {1, "\n^ OJ-OUT-01 the-check\n...\n0.003 s  server  silence"},
                {UINT64_MAX, "0.003 s  server  silence  5000 bytes  x2\n"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct hand_made made;
        char data[2000];
        struct text text = text_of(data, sizeof data);
        hand_made_init(&made, "OJ-OUT-01", "<upgrade >ready +mark >silence#0/0 >silence#0/0 <close=1000 <end",
                       "");
        struct case_result *result = result_about(ROWS[i].sequence);
        wire_tail_write(&text, made.journal, result,
                        ROWS[i].sequence == UINT64_MAX ? 3 : 4 - (ROWS[i].sequence == 1));
        assert_says(data, ROWS[i].expected);
        free(result);
        hand_made_free(&made);
    }
}
END_TEST

/* ---- pictures ---- */

static char *picture_of(const char *journal, const char *observations, const struct case_result *result,
                        size_t capacity)
{
    struct hand_made made;
    char *data = malloc(capacity);
    ck_assert_ptr_nonnull(data);
    hand_made_init(&made, "OJ-OUT-01", journal, observations);
    struct text text = text_of(data, capacity);
    const struct picture_source source = {.journal = made.journal,
                                          .result = result,
                                          .messages = made.input.script->class->messages,
                                          .observations = made.observations,
                                          .observation_count = made.input.observation_count};
    case_picture_write(&text, &source);
    hand_made_free(&made);
    return data;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

START_TEST(a_picture_gathers_what_is_alike_on_each_side)
{
    struct case_result *result = result_about(UINT64_MAX);
    char *picture =
        picture_of("<upgrade >accept >ready <audio >silence#0/0 <audio >silence#0/0 >speech#1/A >silence#0/0 "
                   "<cancelInteraction >silence#0/0 <close=1000",
                   "ready frame#0/0 played#0/0 frame#0/0 played#0/0 cancelled", result, RUN_PICTURE_MAX);
    ck_assert_uint_eq(count_of(picture, "\"k\":\"audio\""), 1); /* two, with a frame between them */
    assert_says(picture, "\"n\":2");
    ck_assert_uint_eq(count_of(picture, "\"k\":\"silence\""),
                      3); /* until speech came, and until the cancel */
    assert_says(picture, "\"seen\":[[\"ready\",1],[\"frame silence index 0");
    assert_says(picture, "[\"cancelled\",1]],\"seen_count\":6");
    ck_assert_uint_eq(count_of(picture, "\"played silence index 0"), 1);
    assert_says(picture, "\"cut\":0}");
    free(picture);
    free(result);
}
END_TEST

START_TEST(what_a_check_is_about_stands_alone_in_a_picture)
{
    struct case_result *result = result_about(3);
    result->checks[0].observation_number = 2;
    char *picture = picture_of(">ready >silence#0/0 >silence#0/0 >silence#0/0 >silence#0/0 >silence#0/0",
                               "frame#0/0 frame#0/0 frame#0/0", result, RUN_PICTURE_MAX);
    ck_assert_uint_eq(count_of(picture, "\"k\":\"silence\""), 3);
    ck_assert_uint_eq(count_of(picture, "\"m\":[0]"), 1);
    ck_assert_uint_eq(count_of(picture, ",1,[0]]"), 1);
    assert_says(picture, "\"checks\":[[\"the-check\",\"OJ-OUT-01\",\"FAIL\",");
    free(picture);
    free(result);
}
END_TEST

/* A session of that many text messages, the sides taking turns. */
static void long_session_make(struct hand_made *made, size_t messages)
{
    hand_made_init(made, "OJ-OUT-01", ">error=A <cancelInteraction", "ready");
    for (size_t i = 2; i < messages; i++) {
        struct journal_entry entry = *journal_at(made->journal, i % 2);
        entry.at_us = 1000 * i;
        ck_assert(journal_append(made->journal, &entry));
    }
}

START_TEST(a_picture_is_bounded_and_says_what_it_leaves_out)
{
    struct hand_made made;
    struct case_result *result = result_about(150);
    long_session_make(&made, PICTURE_ROWS_MAX + 60);
    const struct picture_source source = {.journal = made.journal,
                                          .result = result,
                                          .messages = made.input.script->class->messages,
                                          .observations = made.observations,
                                          .observation_count = made.input.observation_count};
    char *picture = malloc(RUN_PICTURE_MAX);
    ck_assert_ptr_nonnull(picture);
    struct text text = text_of(picture, RUN_PICTURE_MAX);
    case_picture_write(&text, &source);
    ck_assert_uint_eq(count_of(picture, "{\"t\":"), PICTURE_ROWS_MAX + 1); /* and the one that is marked */
    ck_assert_uint_eq(count_of(picture, "{\"o\":"), 2);
    assert_says(picture, "\"m\":[0]");
    free(picture);
    for (size_t capacity = 3; capacity < 3000; capacity += 100) { /* whole, however little room there is */
        picture = malloc(capacity);
        ck_assert_ptr_nonnull(picture);
        text = text_of(picture, capacity);
        case_picture_write(&text, &source);
        ck_assert(!text.cut);
        ck_assert_int_eq(picture[text.len - 1], '}');
        free(picture);
    }
    free(result);
    hand_made_free(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *reports = tcase_create("reports");
    tcase_add_test(reports, the_last_line_counts_cases);
    tcase_add_test(reports, a_cause_is_told_whole);
    tcase_add_test(reports, the_first_cause_stands_last);
    tcase_add_test(reports, what_was_inconclusive_can_be_run_again);
    tcase_add_test(reports, the_table_and_the_summary_show_what_was_not_judged);
    tcase_add_test(reports, what_was_not_reached_is_told_by_its_cause_alone);
    tcase_add_test(reports, what_nobody_heard_is_not_met);
    tcase_add_test(reports, colours_come_only_when_asked_for);
    tcase_add_test(reports, progress_stays_on_one_line_and_goes);
    tcase_add_test(reports, the_exit_tells_met_from_not_met_from_our_own_fault);
    tcase_add_test(reports, machine_reports_are_written);
    tcase_add_test(reports, a_report_that_cannot_be_written_is_told);
    tcase_add_test(reports, a_cause_is_one_annotation_at_no_file);
    tcase_add_test(reports, the_wire_tail_gathers_alike_messages);
    tcase_add_test(reports, the_wire_tail_marks_what_a_failing_check_is_about);
    tcase_add_test(reports, a_picture_gathers_what_is_alike_on_each_side);
    tcase_add_test(reports, what_a_check_is_about_stands_alone_in_a_picture);
    tcase_add_test(reports, a_picture_is_bounded_and_says_what_it_leaves_out);
    suite_add_tcase(suite, reports);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
