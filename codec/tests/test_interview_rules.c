/* The rules for clients of the interview family: a right and a wrong session for each. */
#include "codec/rules/interview/classes.h"
#include "codec/tests/interview_player.h"
#include "codec/tests/suite.h"

struct session_case {
    const char *name;
    const char *profile;
    const char *words;
    const char *broken; /* the requirements found broken, in their order, with a blank after each */
    const char *kept;   /* some of those kept */
    const char *told;   /* what a finding says; NULL: anything */
};

#define DOC      "interview-1.0"
#define DEPLOYED "interview-deployed"
#define START    "open +5 connected "
#define REPLY    " heard ai final said result "
#define PATH     "/api/v1/interviews/" INTERVIEW_TEST_ID "/realtime/connect"
#define CHUNK    "c:{\"type\":\"audio_chunk\","
#define UNKNOWN  "s:{\"type\":\"billing\"} "
#define TEN      "chunk chunk chunk chunk chunk chunk chunk chunk chunk chunk "

static const struct session_case CASES[] = {
    {"a session", DOC, START "chunk chunk chunk:100 commit" REPLY "chunk commit cclose", "",
     "IV-CON-01 IV-CON-06 IV-IN-01 IV-IN-03 IV-IN-04 IV-IN-05 IV-OUT-04 IV-OUT-05", NULL},
    {"a session of the deployed server", DEPLOYED, START "chunk chunk commit" REPLY "chunk commit cclose", "",
     "IV-CON-01 IV-IN-01 IV-IN-05 IV-OUT-04", NULL},
    {"left before it speaks", DOC, START "cclose", "", "IV-CON-01", NULL},

    {"another path", DOC, "open:/realtime?token=" INTERVIEW_TEST_TOKEN " cclose", "IV-CON-01 ", "",
     "the path is /realtime"},
    {"an id that is no UUID", DOC,
     "open:/api/v1/interviews/7/realtime/connect?token=" INTERVIEW_TEST_TOKEN " cclose", "IV-CON-01 ", "",
     "no UUID: /api/v1/interviews/7"},
    {"no token", DOC, "open:" PATH " cclose", "IV-CON-01 ", "", "there is no token"},
    {"an empty token", DOC, "open:" PATH "?token= cclose", "IV-CON-01 ", "", "token is empty"},
    {"token twice", DOC, "open:" PATH "?token=a.b.c&token=a.b.c cclose", "IV-CON-01 ", "", "more than once"},
    {"two segments", DOC, "open:" PATH "?token=a.b cclose", "IV-CON-01 ", "", "three segments"},
    {"four segments", DOC, "open:" PATH "?token=a.b.c.d cclose", "IV-CON-01 ", "", "three segments"},
    {"an empty segment", DOC, "open:" PATH "?token=a..c cclose", "IV-CON-01 ", "", "three segments"},
    {"an empty last segment", DOC, "open:" PATH "?token=a.b. cclose", "IV-CON-01 ", "", "three segments"},
    {"padding in it", DOC, "open:" PATH "?token=a.b.c%3D cclose", "IV-CON-01 ", "", "three segments"},
    {"a token in bare characters", DOC, "open:" PATH "?token=a.b.\"c cclose", "IV-CON-01 ", "",
     "must be percent-encoded"},
    {"a token and more", DOC, "open:" PATH "?v=1&token=" INTERVIEW_TEST_TOKEN "&x=2 cclose", "", "IV-CON-01",
     NULL},

    {"a pong", DOC, START "ping:a +2999 pong:a chunk commit cclose", "", "IV-CON-05", NULL},
    {"a pong before connected", DOC, "open ping:a +10 pong:a connected cclose", "", "IV-CON-05", NULL},
    {"a pong of a newer ping", DOC, START "ping:a ping:b +100 pong:b cclose", "", "IV-CON-05", NULL},
    {"a pong of the deployed server's ping", DEPLOYED, START "ping +10 pong cclose", "", "IV-CON-05", NULL},
    {"no pong", DOC, START "ping:a chunk +2900 commit cclose", "IV-CON-05 ", "", "no such pong for 3000 ms"},
    {"no pong, and the end too soon to tell", DOC, START "ping:a +2999 cclose", "", "", NULL},
    {"a pong of other data", DOC, START "ping:a +10 pong:b cclose", "IV-CON-05 ", "",
     "a pong with other data"},
    {"a message that is called pong", DEPLOYED, START "ping:a +10 c:{\"type\":\"pong\"} +3000 cclose",
     "IV-CON-05 ", "", NULL},
    {"no pong while nothing is read", DOC, START "ping:a stop-reading +3000 cclose", "", "", NULL},

    {"an unmasked frame", DOC, START "violation:1 chunk violation:1 commit cclose", "IV-CON-06 ", "IV-IN-01",
     "a client must mask every frame"},
    {"two kinds of frames out of form", DEPLOYED, START "violation:1 violation:3", "IV-CON-06 IV-CON-06 ", "",
     NULL},

    {"audio that is no base64", DOC, START CHUNK "\"audio\":\"-\",\"timestamp\":1} commit cclose",
     "IV-IN-01 ", "", "base64"},
    {"half a sample", DOC, START CHUNK "\"audio\":\"AAAA\",\"timestamp\":1} commit cclose", "IV-IN-01 ", "",
     "whole samples of 2 bytes, found 3 bytes"},
    {"no timestamp", DOC, START CHUNK "\"audio\":\"\"} commit cclose", "IV-IN-01 ", "", "timestamp"},
    {"milliseconds", DOC, START CHUNK "\"audio\":\"\",\"timestamp\":1699999999123} commit cclose",
     "IV-IN-01 ", "", "a Unix time in seconds"},
    {"seconds where milliseconds are due", DEPLOYED,
     START CHUNK "\"audio\":\"\",\"timestamp\":1699999999} commit cclose", "IV-IN-01 ", "",
     "a Unix time in milliseconds"},
    {"a timestamp with a fraction", DOC, START CHUNK "\"audio\":\"\",\"timestamp\":1.5} commit cclose",
     "IV-IN-01 ", "", NULL},
    {"a binary message", DOC, START "b:abc cclose", "IV-IN-01 ", "", "a binary message"},
    {"no JSON", DOC, START "c:hello cclose", "IV-IN-01 ", "", "found something else at byte 0"},
    {"a message of another protocol", DOC, START "c:{\"type\":\"ping\"} chunk commit cclose", "(IV-IN-01) ",
     "IV-IN-01", "\"ping\""},

    {"ten chunks a second", DOC, START TEN TEN "commit cclose", "", "IV-IN-03", NULL},
    {"eleven at the edge", DOC, START TEN "+51 now:2400 commit cclose", "", "IV-IN-03", NULL},
    {"eleven within it", DOC, START TEN "+50 now:2400 commit cclose", "IV-IN-03 ", "",
     "11 chunks within 950 ms"},
    {"a burst", DOC,
     START "now:2400 now:2400 now:2400 now:2400 now:2400 now:2400 now:2400 now:2400 now:2400 now:2400 "
           "now:2400 now:2400 commit cclose",
     "IV-IN-03 ", "", "11 chunks within 0 ms"},
    {"chunks of 240 ms", DOC, START "chunk:5760 chunk:5760 commit cclose", "", "IV-IN-03", NULL},
    {"longer ones", DOC, START "chunk:5761 commit cclose", "IV-IN-03 ", "", "5761 samples in a chunk"},
    {"chunks of 80 ms", DOC, START "chunk:1920 chunk:1920 commit cclose", "", "IV-IN-03", NULL},
    {"shorter ones", DOC, START "chunk:1919 chunk commit cclose", "IV-IN-03 ", "",
     "1919 samples in a chunk that is not the last"},
    {"a short one at the end of each turn", DOC, START "chunk chunk:10 commit chunk chunk:10 commit cclose",
     "", "IV-IN-03", NULL},

    {"a megabyte", DOC, START "big:1048576 cclose", "", "IV-IN-04", NULL},
    {"a byte more", DOC, START "big:1048577 cclose", "IV-IN-04 ", "", "a message of 1048577 bytes"},

    {"a commit without audio", DOC, START "commit cclose", "IV-IN-05 ", "",
     "commit_audio before any audio_chunk"},
    {"a second commit", DOC, START "chunk commit commit cclose", "IV-IN-05 ", "",
     "a second commit_audio with no audio_chunk since the first"},
    {"no commit", DOC, START "chunk chunk +3000 cclose", "IV-IN-05 ", "", "no commit_audio in 3000 ms"},
    {"a commit before the last chunk", DOC, START "chunk commit chunk +3000 cclose", "IV-IN-05 ", "",
     "after the last audio_chunk; the latest came 100 ms before that chunk"},
    {"not long enough to tell", DOC, START "chunk chunk +2999 cclose", "", "IV-IN-01", NULL},
    {"another name for it", DOC, START "chunk c:{\"type\":\"audio_commit\"} +3000 cclose",
     "(IV-IN-01) IV-IN-05 ", "", "commit_audio after the last audio_chunk"},
    {"a commit for the deployed server", DEPLOYED, START "chunk commit commit cclose", "IV-IN-05 ", "",
     "one audio_commit"},
    {"no commit while nothing is read", DOC, START "chunk stop-reading +3000 cclose", "", "", NULL},
    {"no commit behind bytes that are no message", DOC, START "chunk raw +3000 cclose", "", "", NULL},

    {"an unknown type", DOC, START UNKNOWN "chunk commit cclose", "", "IV-OUT-06", NULL},
    {"an unknown type, and the end", DOC, START "chunk commit " UNKNOWN "cend", "IV-OUT-06 ", "",
     "it ended the connection 0 ms after that, without a close"},
    {"an unknown type, a chunk that was on its way, and the end", DOC,
     START "chunk " UNKNOWN "chunk +28 cend", "IV-OUT-06 ", "", "128 ms after that"},
    {"an unknown type, two chunks, and the end", DOC, START "chunk " UNKNOWN "chunk chunk +28 cend", "",
     "IV-OUT-06", NULL},
    {"an unknown member, and the end", DOC,
     START "chunk commit s:{\"type\":\"ai_audio_chunk\",\"audio\":\"\",\"is_final\":true,\"x\":1} +2999 "
           "cclose:1011",
     "IV-OUT-06 ", "", "with code 1011"},
    {"damaged audio, and the end", DOC,
     START "chunk commit s:{\"type\":\"ai_audio_chunk\",\"audio\":\"A\",\"is_final\":true} cclose:1007",
     "IV-OUT-06 ", "", "damaged audio"},
    {"an unknown type, and a close as it is due", DOC, START "chunk commit " UNKNOWN "cclose", "", "", NULL},
    {"an unknown type, and an end much later", DOC, START "chunk commit " UNKNOWN "+3001 cend", "", "", NULL},
    {"an error", DOC, START "chunk error:NEW_CODE chunk commit cclose", "", "IV-ERR-01", NULL},
    {"an error, and the end", DOC, START "chunk commit error:OPENAI_API_ERROR cend", "IV-ERR-01 ", "",
     "an error message"},
    {"a result, and the end", DOC, START "chunk commit" REPLY "cend", "IV-OUT-04 ", "", "a function_result"},
    {"a status, and the end", DOC, START "cend", "IV-OUT-05 ", "", "a status"},
    {"told that it is over, and the end", DOC, START "chunk commit disconnected cend", "", "IV-OUT-05", NULL},
    {"bytes that are no message, and the end", DOC, START "raw cend", "", "", NULL},
    {"the server ends it", DOC, START "chunk commit " UNKNOWN "send", "", "", NULL},
};

struct listener {
    struct rule_set *rules;
    char found[400]; /* the requirements, in their order; those of remarks in brackets */
    struct text text;
    const char *told;
    bool said;
};

static void take_findings(struct listener *listener)
{
    struct finding finding;
    while (INTERVIEW_RULES.take_finding(listener->rules, &finding)) {
        text_add(&listener->text, finding.note ? "(" : "");
        text_add(&listener->text, finding.requirement);
        text_add(&listener->text, finding.note ? ") " : " ");
        ck_assert_ptr_null(strstr(finding.actual, INTERVIEW_TEST_TOKEN));
        /* How long a chunk is: no lateness excuses it. */
        ck_assert((strstr(finding.actual, "samples in a chunk") == NULL) ==
                  (finding.excuse_us < UINT64_MAX / 4));
        listener->said =
            listener->said || (listener->told != NULL && (strstr(finding.actual, listener->told) != NULL ||
                                                          strstr(finding.expected, listener->told) != NULL));
    }
}

static void take_event(void *context, const struct wire_event *event)
{
    struct listener *listener = context;
    INTERVIEW_RULES.event(listener->rules, event);
    take_findings(listener);
}

static void play(struct listener *listener, const struct rule_context *context, const char *words)
{
    listener->text = text_of(listener->found, sizeof listener->found);
    listener->rules = INTERVIEW_RULES.create(context);
    ck_assert_ptr_nonnull(listener->rules);
    const uint64_t end_us =
        interview_test_play(interview_profile_of(context->profile), words, take_event, listener);
    INTERVIEW_RULES.finish(listener->rules, end_us);
    take_findings(listener);
}

static void check_kept(const struct listener *listener, const struct session_case *row)
{
    for (const char *id = row->kept; *id != '\0';) {
        char name[16] = "";
        const size_t len = strcspn(id, " ");
        ck_assert_uint_lt(len, sizeof name);
        memcpy(name, id, len);
        const size_t rule = rule_of_requirement(&INTERVIEW_RULES, name);
        ck_assert_msg(rule < INTERVIEW_RULES.count, "no rule %s", name);
        ck_assert_msg(INTERVIEW_RULES.verdict(listener->rules, rule) == RULE_KEPT, "%s: %s is not kept",
                      row->name, name);
        id += len + (id[len] == ' ');
    }
}

static void check_case(const struct session_case *row, const struct rule_context *context)
{
    struct listener listener = {.told = row->told};
    play(&listener, context, row->words);
    ck_assert_msg(strcmp(listener.found, row->broken) == 0, "%s: %s", row->name, listener.found);
    ck_assert_msg(row->told == NULL || listener.said, "%s: not told so", row->name);
    check_kept(&listener, row);
    INTERVIEW_RULES.destroy(listener.rules);
}

static struct rule_context context_of(const char *profile)
{
    return (struct rule_context){.profile = &interview_profile_by_name(profile)->base};
}

START_TEST(a_session_breaks_what_it_breaks_and_nothing_else)
{
    const struct rule_context context = context_of(CASES[_i].profile);
    check_case(&CASES[_i], &context);
}
END_TEST

/* With the source known: 250 ms of speech. */
static const struct session_case SOURCE_CASES[] = {
    {"the speech", DOC, START "speak speak speak:1200 commit cclose", "", "IV-IN-02 IV-IN-05", NULL},
    {"the speech, each sample off by one", DOC, START "near near near:1200 commit cclose", "", "IV-IN-02",
     NULL},
    {"off by two", DOC, START "off commit cclose", "IV-IN-02 ", "", "at sample 0 of speech 1"},
    {"another sound", DOC, START "chunk commit cclose", "IV-IN-02 ", "", "at sample 0 of speech 1"},
    {"another sound in between", DOC, START "speak chunk speak commit cclose", "IV-IN-02 ", "",
     "at sample 2400"},
    {"more than there is", DOC, START "speak speak speak commit cclose", "IV-IN-02 ", "",
     "more than the source"},
    {"behind a chunk that nobody can read", DOC,
     START CHUNK "\"audio\":\"-\",\"timestamp\":1} chunk commit cclose", "IV-IN-01 ", "", NULL},
    {"all of it, and no commit", DOC, START "speak speak speak:1200 cclose", "IV-IN-05 ", "IV-IN-02",
     "after the last of the speech"},
    {"not all of it, and no commit", DOC, START "speak speak cclose", "", "IV-IN-02", NULL},
    {"all of it, and the server leaves", DOC, START "speak speak speak:1200 sclose", "", "IV-IN-02", NULL},
    {"all of it, no commit, and the server leaves after long", DOC,
     START "speak speak speak:1200 +3000 sclose", "IV-IN-05 ", "IV-IN-02", "after the last audio_chunk"},
};

START_TEST(the_audio_is_compared_with_its_source)
{
    struct rule_context context = context_of(DOC);
    context.speech_known = true;
    context.speech_exact = true;
    context.speech_count = 1;
    context.speech[0] = (struct rule_speech){interview_test_speech(), INTERVIEW_TEST_SPEECH};
    check_case(&SOURCE_CASES[_i], &context);
}
END_TEST

/* With the token and the interview known. */
static const struct session_case GIVEN_CASES[] = {
    {"as given", DOC, "open cclose", "", "IV-CON-01", NULL},
    {"escaped where it need not be", DOC,
     "open:/api/v1/interviews/11111111%2D2222-4333-8444-555555555555/realtime/"
     "connect?token=eyJhbGciOiJIUzI1NiJ9%2EeyJzdWIiOiJhIn0.c2ln-_x cclose",
     "", "IV-CON-01", NULL},
    {"another token", DOC, "open:" PATH "?token=a.b.c cclose", "IV-CON-01 ", "",
     "not the token that was given"},
    {"another interview", DOC,
     "open:/api/v1/interviews/00000000-2222-4333-8444-555555555555/realtime/"
     "connect?token=" INTERVIEW_TEST_TOKEN " cclose",
     "IV-CON-01 ", "", "not the one that was given"},
};

START_TEST(what_was_given_is_what_is_sent)
{
    struct rule_context context = context_of(DOC);
    context.key = bytes_of_text(INTERVIEW_TEST_TOKEN);
    context.config = bytes_of_text(INTERVIEW_TEST_ID);
    check_case(&GIVEN_CASES[_i], &context);
}
END_TEST

/* A case may give what is wrong: a client that sends it as it is has done nothing wrong. */
START_TEST(a_token_that_is_wrong_on_purpose_is_sent_as_it_is)
{
    static const struct session_case row = {
        "a wrong token", DOC, "open:/api/v1/interviews/mock.busy/realtime/connect?token=a%20b cclose", "",
        "IV-CON-01",     NULL};
    struct rule_context context = context_of(DOC);
    context.key = bytes_of_text("a b");
    context.config = bytes_of_text("mock.busy");
    check_case(&row, &context);
}
END_TEST

/* Every rule is in some right session and in some wrong one. */
START_TEST(every_rule_was_seen_kept_and_broken)
{
    const char *id = INTERVIEW_RULES.requirement((size_t)_i);
    bool kept = false, broken = false;
    for (int i = 0; i < TABLE_COUNT(CASES); i++) {
        kept = kept || strstr(CASES[i].kept, id) != NULL;
        broken = broken || strstr(CASES[i].broken, id) != NULL;
    }
    for (int i = 0; i < TABLE_COUNT(SOURCE_CASES); i++) {
        kept = kept || strstr(SOURCE_CASES[i].kept, id) != NULL;
        broken = broken || strstr(SOURCE_CASES[i].broken, id) != NULL;
    }
    ck_assert_msg(kept && broken, "%s", id);
}
END_TEST

/* What came after a message that was cut, and what is broken. */
static const struct session_case CUT_CASES[] = {
    {"judged by its size alone", DOC, "", "IV-IN-04 ", "", NULL},
    {"it may have been what is committed", DOC, "commit", "IV-IN-04 ", "", NULL},
    {"committed twice", DOC, "commit commit", "IV-IN-04 IV-IN-05 ", "", NULL},
};

START_TEST(a_message_that_was_cut_may_have_been_audio)
{
    const struct session_case *row = &CUT_CASES[_i];
    struct listener listener = {.told = NULL};
    const struct rule_context context = context_of(DOC);
    const struct interview_profile *profile = interview_profile_of(context.profile);
    listener.text = text_of(listener.found, sizeof listener.found);
    listener.rules = INTERVIEW_RULES.create(&context);
    (void)interview_test_play(profile, START, take_event, &listener);
    const struct wire_event cut = {.at_us = 50000,
                                   .direction = WIRE_FROM_CLIENT,
                                   .kind = WIRE_EVENT_TEXT,
                                   .message_bytes = 1048577,
                                   .data = bytes_of_text("{\"type\":\"audio_ch")};
    take_event(&listener, &cut);
    (void)interview_test_play(profile, row->words, take_event, &listener);
    INTERVIEW_RULES.finish(listener.rules, 60000);
    take_findings(&listener);
    ck_assert_msg(strcmp(listener.found, row->broken) == 0, "%s: %s", row->name, listener.found);
    INTERVIEW_RULES.destroy(listener.rules);
}
END_TEST

static const struct {
    const char *requirement;
    enum requirement_timing timing;
} TIMINGS[] = {
    {"IV-IN-03", REQUIREMENT_TIMED},            /* chunks a second */
    {"IV-IN-06", REQUIREMENT_TIMED_BY_SECONDS}, /* what is heard after the client said that it cancelled */
    {"IV-OUT-01", REQUIREMENT_UNTIMED},         /* samples */
};

START_TEST(says_what_is_held_against_the_clock)
{
    ck_assert_msg(rule_timing(&INTERVIEW_RULES, TIMINGS[_i].requirement) == TIMINGS[_i].timing, "%s",
                  TIMINGS[_i].requirement);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("interview rules");
    tcase_add_loop_test(tcase, a_session_breaks_what_it_breaks_and_nothing_else, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, the_audio_is_compared_with_its_source, 0, TABLE_COUNT(SOURCE_CASES));
    tcase_add_loop_test(tcase, what_was_given_is_what_is_sent, 0, TABLE_COUNT(GIVEN_CASES));
    tcase_add_test(tcase, a_token_that_is_wrong_on_purpose_is_sent_as_it_is);
    tcase_add_loop_test(tcase, every_rule_was_seen_kept_and_broken, 0, (int)INTERVIEW_RULES.count);
    tcase_add_loop_test(tcase, a_message_that_was_cut_may_have_been_audio, 0, TABLE_COUNT(CUT_CASES));
    tcase_add_loop_test(tcase, says_what_is_held_against_the_clock, 0, TABLE_COUNT(TIMINGS));
    return suite_run("interview rules", tcase);
}
