/* The rules for servers of the interview family: a right and a wrong session for each. */
#include "codec/rules/interview/classes.h"
#include "codec/tests/interview_player.h"
#include "codec/tests/suite.h"

struct session_case {
    const char *name;
    const char *words;
    const char *broken; /* the requirements found broken, in their order, with a blank after each */
    const char *kept;   /* some of those kept */
    const char *told;   /* what a finding says; NULL: anything */
};

#define START  "open +5 connected "
#define TURN   START "chunk chunk commit "
#define REPLY  "heard +10 ai +10 final +10 said result "
#define TARGET "/api/v1/interviews/" INTERVIEW_TEST_ID "/realtime/connect"
#define WRONG  TARGET "?token=a.b.c"
#define BAD    "c:{\"type\":\"audio_chunk\",\"audio\":\"AAAA\",\"timestamp\":1} "

static const struct session_case CASES[] = {
    {"a session", TURN REPLY "cclose", "", "IV-SRV-03 IV-SRV-04 IV-SRV-09", NULL},
    {"the result first", TURN "heard result ai said final cclose", "", "IV-SRV-04", NULL},
    {"two turns", TURN REPLY "chunk commit " REPLY "cclose", "", "IV-SRV-04", NULL},

    {"a wrong token, closed", "open:" WRONG " +5 sclose:1008", "", "IV-SRV-01", NULL},
    {"a wrong token, refused", "refuse:" WRONG "=403", "", "IV-SRV-01", NULL},
    {"a wrong token, told and closed", "open:" WRONG " connecting error:SESSION_NOT_FOUND sclose:1008", "",
     "IV-SRV-01", NULL},
    {"no token, closed otherwise", "open:" TARGET " sclose:1000", "IV-SRV-01 ", "", "a close with 1000"},
    {"no token, refused otherwise", "refuse:" TARGET "?=404", "IV-SRV-01 ", "", "a response with 404"},
    {"a wrong token, let in", "open:" WRONG " connected +1000 cclose", "IV-SRV-01 ", "IV-SRV-03",
     "it was let in"},
    {"a wrong token, and the end", "open:" WRONG " send", "IV-SRV-01 IV-SRV-08 ", "", "without a close"},
    {"a wrong token, and nothing", "open:" WRONG " +5001 cclose", "IV-SRV-01 ", "", "neither in 5 s"},
    {"two tokens, the second wrong, let in",
     "open:" TARGET "?token=" INTERVIEW_TEST_TOKEN "&token=no-token connected cclose", "IV-SRV-01 ", "",
     "it was let in"},
    {"two right tokens",
     "open:" TARGET "?token=" INTERVIEW_TEST_TOKEN "&token=" INTERVIEW_TEST_TOKEN " cclose", "", "", NULL},
    {"a wrong token, and left at once", "open:" WRONG " +5000 cclose", "", "", NULL},
    {"another interview, closed",
     "open:/api/v1/interviews/7/realtime/connect?token=" INTERVIEW_TEST_TOKEN " sclose:1008", "", "IV-SRV-01",
     NULL},
    {"another interview, let in",
     "open:/api/v1/interviews/7/realtime/connect?token=" INTERVIEW_TEST_TOKEN " connected cclose",
     "IV-SRV-01 ", "", "an unknown interview"},

    {"connecting, then connected", "open connecting +900 connected cclose", "", "IV-SRV-03", NULL},
    {"a transcript before it", "open heard connected cclose", "IV-SRV-03 ", "", "transcript"},
    {"disconnected before it", "open disconnected cclose", "IV-SRV-03 ", "", NULL},
    {"nothing", "open +5001 cclose", "IV-SRV-03 ", "", "none in 5 s"},
    {"nothing yet", "open +5000 cclose", "", "", NULL},
    {"an error, and the end", "open error:SESSION_NOT_FOUND sclose:1008", "", "IV-SRV-09", NULL},

    {"audio before what was heard", TURN "ai heard final said result cclose", "IV-SRV-04 ", "",
     "before the transcript of the candidate"},
    {"audio after the last", TURN "heard final ai said result cclose", "IV-SRV-04 ", "", "after the one"},
    {"heard twice", TURN "heard heard final said result cclose", "IV-SRV-04 ", "", "a second transcript"},
    {"nothing heard", TURN "+10001 cclose", "IV-SRV-04 ", "", "no transcript of the candidate in 10 s"},
    {"no end", TURN "heard ai +10001 cclose", "IV-SRV-04 ", "", "no ai_audio_chunk with is_final"},
    {"nothing said", TURN "heard final result +10001 cclose", "IV-SRV-04 ", "", "no transcript of the ai"},
    {"no result", TURN "heard final said +10001 cclose", "IV-SRV-04 ", "", "no function_result"},
    {"slow all along", TURN "+9000 heard +9000 ai +9000 final +9000 said +9000 result cclose", "",
     "IV-SRV-04", NULL},
    {"left before the end", TURN "heard ai cclose", "", "", NULL},
    {"a commit of nothing", START "commit +10001 cclose", "", "", NULL},
    {"an error in its place", TURN "heard error:OPENAI_API_ERROR +10001 cclose", "", "", NULL},
    {"cancelled", TURN "heard ai cancel +10001 cclose", "", "IV-SRV-05", NULL},

    {"cancelled, and final", TURN "heard ai cancel +900 final +5000 cclose", "", "IV-SRV-05", NULL},
    {"cancelled, and what was on its way", TURN "heard ai cancel ai +999 ai +2000 cclose", "", "IV-SRV-05",
     NULL},
    {"cancelled, and going on", TURN "heard ai cancel +500 ai +501 ai +100 ai cclose", "IV-SRV-05 ", "",
     "1001 ms after cancel_response"},
    {"cancelled, and another reply", TURN "heard ai cancel +500 chunk commit +1500 heard ai final cclose", "",
     "", NULL},
    {"a cancel of nothing", TURN REPLY "cancel +3000 cclose", "", "IV-SRV-04", NULL},

    {"bad audio", START BAD "error:AUDIO_PROCESSING_ERROR +10 connected cclose", "", "IV-SRV-06", NULL},
    {"bad audio, and time after it", START BAD "error:INVALID_MESSAGE_FORMAT +3001 cclose", "", "IV-SRV-06",
     NULL},
    {"no JSON", START "c:hello error:INVALID_MESSAGE_FORMAT +10 connected cclose", "", "IV-SRV-06", NULL},
    {"an error of another kind, then it",
     START BAD "error:OPENAI_API_ERROR error:AUDIO_PROCESSING_ERROR +10 connected cclose", "", "IV-SRV-06",
     NULL},
    {"an unknown code", START BAD "error:WHAT cclose", "IV-SRV-06 ", "", "the error is WHAT"},
    {"no answer", START BAD "+3001 cclose", "IV-SRV-06 ", "", "no such answer in 3 s"},
    {"no answer yet", START BAD "+3000 cclose", "", "", NULL},
    {"an end for it", START BAD "sclose:1011", "IV-SRV-06 ", "IV-SRV-08", "the server ended the connection"},
    {"an end after it", START BAD "error:AUDIO_PROCESSING_ERROR sclose:1000", "IV-SRV-06 ", "", NULL},
    {"a time of another unit",
     START "c:{\"type\":\"audio_chunk\",\"audio\":\"\",\"timestamp\":1699999999123} "
           "+3001 cclose",
     "", "", NULL},
    {"too long for any answer", START "big:1048577 +3001 cclose", "", "", NULL},
    {"bad before it stands", "open c:hello +3001 connected cclose", "", "", NULL},

    {"a server error", START "sclose:1011", "", "IV-SRV-08", NULL},
    {"a restart", START "sclose:1012", "", "IV-SRV-08", NULL},
    {"an end without a close", START "send", "IV-SRV-08 ", "", "without a close"},
    {"a close without a code", START "sclose:1005", "IV-SRV-08 ", "", "without a code"},
    {"the client goes", START "cend send", "", "", NULL},

    {"a chunk without is_final", START "s:{\"type\":\"ai_audio_chunk\",\"audio\":\"\"} cclose", "IV-SRV-09 ",
     "", "is_final: expected true or false"},
    {"a third speaker",
     START "s:{\"type\":\"transcript\",\"speaker\":\"x\",\"text\":\"\",\"timestamp\":1} cclose", "IV-SRV-09 ",
     "", "one of the two speakers"},
    {"an error without a code", START "s:{\"type\":\"error\",\"message\":\"\"} cclose", "IV-SRV-09 ", "",
     "code: expected a string"},
    {"a status without a message", "open s:{\"type\":\"status\",\"status\":\"connected\"} cclose",
     "IV-SRV-09 ", "IV-SRV-03", "message: expected a string"},
    {"a message of another kind", START "s:{\"type\":\"billing\"} cclose", "", "IV-SRV-03", NULL},
};

struct listener {
    struct server_rule_set *rules;
    char found[400];
    struct text text;
    const char *told;
    bool said;
};

static void take_findings(struct listener *listener)
{
    struct finding finding;
    while (INTERVIEW_SERVER_RULES.take_finding(listener->rules, &finding)) {
        text_add(&listener->text, finding.requirement);
        text_add(&listener->text, " ");
        listener->said =
            listener->said || (listener->told != NULL && (strstr(finding.actual, listener->told) != NULL ||
                                                          strstr(finding.expected, listener->told) != NULL));
    }
}

static void take_event(void *context, const struct wire_event *event)
{
    struct listener *listener = context;
    INTERVIEW_SERVER_RULES.event(listener->rules, event);
    take_findings(listener);
}

static void play(struct listener *listener, const char *words)
{
    const struct server_rule_context context = {.profile = &INTERVIEW_PROFILES[0].base,
                                                .key = bytes_of_text(INTERVIEW_TEST_TOKEN),
                                                .config = bytes_of_text(INTERVIEW_TEST_ID),
                                                .config_only = true};
    listener->text = text_of(listener->found, sizeof listener->found);
    listener->rules = INTERVIEW_SERVER_RULES.create(&context);
    ck_assert_ptr_nonnull(listener->rules);
    INTERVIEW_SERVER_RULES.finish(listener->rules,
                                  interview_test_play(&INTERVIEW_PROFILES[0], words, take_event, listener));
    take_findings(listener);
}

START_TEST(a_session_breaks_what_it_breaks_and_nothing_else)
{
    const struct session_case *row = &CASES[_i];
    struct listener listener = {.told = row->told};
    play(&listener, row->words);
    ck_assert_msg(strcmp(listener.found, row->broken) == 0, "%s: %s", row->name, listener.found);
    ck_assert_msg(row->told == NULL || listener.said, "%s: not told so", row->name);
    for (size_t n = 0; n < INTERVIEW_SERVER_RULES.count; n++) {
        const char *id = INTERVIEW_SERVER_RULES.requirement(n);
        ck_assert_msg(strstr(row->kept, id) == NULL ||
                          INTERVIEW_SERVER_RULES.verdict(listener.rules, n) == RULE_KEPT,
                      "%s: %s is not kept", row->name, id);
    }
    INTERVIEW_SERVER_RULES.destroy(listener.rules);
}
END_TEST

START_TEST(every_rule_was_seen_kept_and_broken)
{
    const char *id = INTERVIEW_SERVER_RULES.requirement((size_t)_i);
    bool kept = false, broken = false;
    for (int i = 0; i < TABLE_COUNT(CASES); i++) {
        kept = kept || strstr(CASES[i].kept, id) != NULL;
        broken = broken || strstr(CASES[i].broken, id) != NULL;
    }
    ck_assert_msg(kept && broken, "%s", id);
}
END_TEST

START_TEST(a_session_that_shows_nothing_reaches_nothing)
{
    struct listener listener = {.told = NULL};
    play(&listener, "open cclose");
    for (size_t n = 0; n < INTERVIEW_SERVER_RULES.count; n++)
        ck_assert_int_eq(INTERVIEW_SERVER_RULES.verdict(listener.rules, n), RULE_NOT_REACHED);
    INTERVIEW_SERVER_RULES.destroy(listener.rules);
}
END_TEST

START_TEST(a_message_in_a_broken_form_blurs_what_is_read_of_it)
{
    struct listener listener = {.told = NULL};
    play(&listener, START "s:{\"type\":\"error\"} cclose");
    const unsigned blur = INTERVIEW_SERVER_RULES.blur(listener.rules);
    ck_assert_uint_eq(blur, INTERVIEW_BLUR_FORM);
    ck_assert_str_eq(INTERVIEW_SERVER_RULES.blur_requirement(blur), "IV-SRV-09");
    ck_assert_uint_eq(server_traits_of_requirement(&INTERVIEW_SERVER_RULES, "IV-SRV-06").blur,
                      INTERVIEW_BLUR_FORM);
    ck_assert_uint_eq(server_traits_of_requirement(&INTERVIEW_SERVER_RULES, "IV-SRV-01").blur, 0);
    ck_assert_uint_eq(server_traits_of_requirement(&INTERVIEW_SERVER_RULES, "IV-SRV-02").blur, 0);
    INTERVIEW_SERVER_RULES.destroy(listener.rules);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("interview server rules");
    tcase_add_loop_test(tcase, a_session_breaks_what_it_breaks_and_nothing_else, 0, TABLE_COUNT(CASES));
    tcase_add_loop_test(tcase, every_rule_was_seen_kept_and_broken, 0, (int)INTERVIEW_SERVER_RULES.count);
    tcase_add_test(tcase, a_session_that_shows_nothing_reaches_nothing);
    tcase_add_test(tcase, a_message_in_a_broken_form_blurs_what_is_read_of_it);
    return suite_run("interview server rules", tcase);
}
