/* Each kind of check: holding, broken and not reached; every filter; windows of one clock. */
#include <check.h>
#include <stdio.h>

#include "conformance/judge/check.h"
#include "conformance/tests/hand_made.h"

/* In the order in which a row reads. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct row {
    const char *name;
    enum check_expect expect;
    const char *pattern, *given, *after, *until;
    const char *journal, *observations;
    enum check_status status;
    const char *actual; /* what the sentence must hold; NULL: anything */
    uint64_t min, max;  /* COUNT; both 0: one or more */
};

#define OPEN "<upgrade >ready "

static const struct row ROWS[] = {
#include "conformance/tests/check_rows.def"
};

START_TEST(a_check_holds_breaks_or_is_not_reached)
{
    const struct row *row = &ROWS[_i];
    struct hand_made made;
    struct check_outcome outcome;
    hand_made_init(&made, "OJ-OUT-04", row->journal, row->observations);
    hand_made_check(&made, row->expect, "MUST", row->pattern, row->given, row->after, row->until);
    if (row->min != 0 || row->max != 0) {
        made.check.min = row->min;
        made.check.max = row->max;
    }
    check_evaluate(&made.input, &made.check, &outcome);
    ck_assert_msg(outcome.status == row->status, "%s: status %d, not %d: %s", row->name, (int)outcome.status,
                  (int)row->status, outcome.actual);
    if (row->actual != NULL)
        ck_assert_msg(strstr(outcome.actual, row->actual) != NULL, "%s: \"%s\" is not in \"%s\"", row->name,
                      row->actual, outcome.actual);
    hand_made_free(&made);
}
END_TEST

static const struct {
    enum check_expect expect;
    const char *pattern, *given, *after, *until;
    uint64_t min, max;
    const char *words;
} SENTENCES[] = {
    {CHECK_NONE, "seen:played[kind=speech,interaction=$orphan.interaction]", "sent:speech[step=orphan]",
     "seen:cancelled", NULL, 0, 0,
     "no speech frame of the interaction of the step called orphan played by the client, after the first "
     "cancelled report from the client, if any speech frame of the step called orphan came from the mock"},
    {CHECK_SOME, "received:close,end", NULL, "sent:error[code=TIMEOUT]", "mark:late", 0, 0,
     "at least one close frame or end of the connection from the client, after the first error message with "
     "code TIMEOUT from the mock, until the mark called late in line 14 of the case"},
    {CHECK_SOME, "seen:closed,error", "step:odd", NULL, NULL, 0, 0,
     "at least one closed or error report from the client, if the case reached the step called odd in line "
     "12 of the case"},
    {CHECK_SOME, "received:session.update,session.close,other", NULL, "sent:ready", NULL, 0, 0,
     "at least one session.update, session.close or other message from the client, after the first ready "
     "message from the mock"},
    {CHECK_COUNT, "received:upgrade", "received:upgrade:2", NULL, NULL, 0, 4,
     "at most 4 upgrade requests from the client, if a 2nd upgrade request came from the client"},
    {CHECK_COUNT, "received:upgrade", "sent:ready", NULL, NULL, 1, 1,
     "exactly 1 upgrade request from the client, if any ready message came from the mock"},
    {CHECK_COUNT, "seen:played[kind=silence]", NULL, NULL, NULL, 70, 90,
     "70 to 90 silence frames played by the client"},
    {CHECK_SOME, "seen:played,frame", NULL, NULL, NULL, 0, 0,
     "at least one played frame or frame report from the client"},
    {CHECK_SAMPLES, "received:audio[heard=yes]", NULL, "sent:ready", NULL, 17124, UINT64_MAX,
     "at least 17124 samples (1070 ms) of audio in the audio messages with sound that is not silence from "
     "the client, after the first ready message from the mock"},
    {CHECK_BYTES, "received:audio", NULL, NULL, NULL, 5, 10,
     "5 to 10 bytes in all of the audio messages from the client"},
    {CHECK_SHOWN, "sent:speech[step=a]", NULL, NULL, NULL, 0, 0,
     "every speech frame of the step called a from the mock played with its picture, in order"},
};

static struct server_step INNER[] = {{.kind = STEP_MARK, .line = 14, .word = "late"}};
static struct server_step STEPS[] = {
    {.kind = STEP_SEND, .line = 12, .word = "error", .as = "odd"},
    {.kind = STEP_REPEAT, .line = 13, .as = "late", .child_count = 1, .children = INNER}};

START_TEST(what_is_expected_is_told_in_words)
{
    struct hand_made made;
    char words[JUDGE_TEXT_MAX];
    struct text text = text_of(words, sizeof words);
    hand_made_init(&made, "OJ-OUT-04", OPEN, "");
    hand_made_check(&made, SENTENCES[_i].expect, "MUST", SENTENCES[_i].pattern, SENTENCES[_i].given,
                    SENTENCES[_i].after, SENTENCES[_i].until);
    made.check.min = SENTENCES[_i].min;
    made.check.max = SENTENCES[_i].max;
    const struct script played = made.script.played;
    made.script.played.steps = STEPS;
    made.script.played.step_count = sizeof STEPS / sizeof STEPS[0];
    check_describe(&text, &made.script, &made.check);
    made.script.played = played;
    ck_assert_str_eq(words, SENTENCES[_i].words);
    hand_made_free(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *checks = tcase_create("checks");
    tcase_add_loop_test(checks, a_check_holds_breaks_or_is_not_reached, 0,
                        (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_loop_test(checks, what_is_expected_is_told_in_words, 0,
                        (int)(sizeof SENTENCES / sizeof SENTENCES[0]));
    suite_add_tcase(suite, checks);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
