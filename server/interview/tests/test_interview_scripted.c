/* The messages that a script asks a session of the family to send, and what is wrong with an option. */
#include "codec/tests/suite.h"
#include "codec/wire/text.h"
#include "server/interview/session_class.h"
#include "server/interview/tests/meeting.h"

enum { OPTIONS_MAX = 3, TEXT_MAX = 400 };

static const struct {
    const char *kind;
    struct compose_option options[OPTIONS_MAX]; /* up to one without a name */
    bool fault;
    const char *holds; /* some of what is sent */
} SENDS[] = {
    {"status",
     {{"status", "disconnected"}},
     false,
     "{\"type\":\"status\",\"status\":\"disconnected\",\"message\":\"\"}"},
    {"status", {{"status", "absent"}}, true, "{\"type\":\"status\",\"message\":\"\"}"},
    {"status", {{"message", "absent"}}, true, "{\"type\":\"status\",\"status\":\"connected\"}"},
    {"transcript",
     {{"speaker", "ai"}, {"text", "x"}, {"timestamp", "7"}},
     false,
     "\"speaker\":\"ai\",\"text\":\"x\",\"timestamp\":7}"},
    {"transcript", {{"extra", "\"language\":\"en\""}}, false, "\"language\":\"en\""},
    {"transcript", {{"speaker", "absent"}}, true, "\"type\":\"transcript\",\"text\""},
    {"transcript", {{"timestamp", "absent"}}, true, "\"An answer.\"}"},
    {"function_result",
     {{"name", "grade"}, {"result", "[1,null]"}},
     false,
     "\"function_name\":\"grade\",\"result\":[1,null]}"},
    {"function_result", {{"result", "absent"}}, true, "\"evaluate_candidate_answer\"}"},
    {"error",
     {{"code", "RATE_LIMIT_EXCEEDED"}},
     false,
     "\"message\":\"There are too many connections to the interview\"}"},
    {"error",
     {{"code", "OTHER"}, {"details", "{\"n\":1}"}},
     false,
     "\"code\":\"OTHER\",\"message\":\"OTHER\",\"details\":{\"n\":1}}"},
    {"error", {{"code", "absent"}}, true, "{\"type\":\"error\",\"message\""},
    {"ai_audio_chunk", {{"samples", "1"}, {"is_final", "true"}}, false, "\"is_final\":true}"},
    {"ai_audio_chunk", {{"audio", "bad"}}, true, "\"audio\":\""},
    {"ai_audio_chunk", {{"audio", "odd"}}, true, "\"audio\":\""},
    {"ai_audio_chunk", {{"audio", "null"}}, true, "\"audio\":null"},
    {"ai_audio_chunk", {{"audio", "absent"}}, true, "{\"type\":\"ai_audio_chunk\",\"is_final\":false}"},
    {"ai_audio_chunk", {{"audio", "empty"}}, false, "\"audio\":\"\""},
    {"ai_audio_chunk", {{"is_final", "absent"}}, true, "\"ai_audio_chunk\""},
    {"text", {{"text", "oops"}}, true, "oops"},
    {"json", {{"text", "{\"type\":\"later\"}"}}, false, "{\"type\":\"later\"}"},
    {"json", {{"text", "{\"type\":\"status\"}"}}, true, "{\"type\":\"status\"}"},
    {"binary", {{"hex", "00ff"}}, true, NULL},
    {"ping", {{"data", "x"}}, false, NULL},
};

static size_t count_of(const struct compose_option *options)
{
    size_t count = 0;
    while (count < OPTIONS_MAX && options[count].name != NULL)
        count++;
    return count;
}

START_TEST(a_script_sends_any_message)
{
    struct meeting meeting;
    char error[200] = "";
    meeting_begin(&meeting, PLAIN, "");
    actions_clear(&meeting.actions);
    ck_assert_msg(INTERVIEW_SESSION_CLASS.compose(meeting.session, meeting.now_us, SENDS[_i].kind,
                                                  SENDS[_i].options, count_of(SENDS[_i].options),
                                                  &meeting.actions, error),
                  "%s", error);
    ck_assert_uint_eq(meeting.actions.count, 1);
    const struct action *action = &meeting.actions.list[0];
    ck_assert_msg(action->fault == SENDS[_i].fault, "%s %d", SENDS[_i].kind, _i);
    if (SENDS[_i].holds != NULL) {
        char text[TEXT_MAX];
        struct text shown = text_of(text, sizeof text);
        text_add_bytes(&shown, actions_bytes(&meeting.actions, action));
        ck_assert_msg(strstr(text, SENDS[_i].holds) != NULL, "%s", text);
    }
    meeting_free(&meeting);
}
END_TEST

static const struct {
    const char *kind;
    struct compose_option option;
    const char *expected;
} WRONG[] = {
    {"status", {"status", "ready"}, "status: expected connecting, connected, disconnected"},
    {"transcript", {"speaker", "me"}, "speaker: expected candidate, ai"},
    {"transcript", {"timestamp", "noon"}, "timestamp: expected"},
    {"transcript", {"is_final", "true"}, "send transcript takes no is_final"},
    {"ai_audio_chunk", {"audio", "loud"}, "audio: expected speech, coded"},
    {"ai_audio_chunk", {"samples", "1000000"}, "samples: expected"},
    {"ai_audio_chunk", {"is_final", "yes"}, "is_final: expected true, false or absent"},
    {"function_result", {"result", "{"}, "result: expected JSON"},
    {"error", {"details", "["}, "details: expected JSON"},
    {"json", {"text", "{"}, "text: expected JSON"},
    {"binary", {"hex", "0"}, "hex: expected"},
    {"delta", {"text", "x"}, "there is no message called delta"},
};

START_TEST(what_is_wrong_with_an_option_is_said)
{
    char error[200];
    ck_assert(!INTERVIEW_SESSION_CLASS.compose(NULL, 0, WRONG[_i].kind, &WRONG[_i].option, 1, NULL, error));
    ck_assert_msg(strstr(error, WRONG[_i].expected) == error, "%s", error);
}
END_TEST

START_TEST(chunks_of_a_script_go_on_in_the_reply)
{
    static const struct compose_option FIRST[] = {{"samples", "1000"}, {"audio", "coded"}};
    static const struct compose_option LAST[] = {
        {"samples", "500"}, {"audio", "coded"}, {"is_final", "true"}};
    const struct session_progress *progress;
    struct meeting meeting;
    char error[200];
    meeting_begin(&meeting, PLAIN, "");
    progress = INTERVIEW_SESSION_CLASS.progress(meeting.session);
    actions_clear(&meeting.actions);
    for (int round = 0; round < 2; round++) {
        ck_assert(INTERVIEW_SESSION_CLASS.compose(meeting.session, meeting.now_us, "ai_audio_chunk", FIRST, 2,
                                                  &meeting.actions, error));
        ck_assert(INTERVIEW_SESSION_CLASS.compose(meeting.session, meeting.now_us, "ai_audio_chunk", LAST, 3,
                                                  &meeting.actions, error));
    }
    ck_assert_uint_eq(progress->speech_frames, 4);
    ck_assert_uint_eq(progress->finals, 2);
    meeting_free(&meeting);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("scripted");
    tcase_add_loop_test(tcase, a_script_sends_any_message, 0, TABLE_COUNT(SENDS));
    tcase_add_loop_test(tcase, what_is_wrong_with_an_option_is_said, 0, TABLE_COUNT(WRONG));
    tcase_add_test(tcase, chunks_of_a_script_go_on_in_the_reply);
    return suite_run("interview scripted", tcase);
}
