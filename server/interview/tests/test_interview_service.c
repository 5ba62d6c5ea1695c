/* What an interview session does for a candidate: a turn and its answer, cancels, the end, and each quirk. */
#include "codec/media/coded_signal.h"
#include "codec/tests/suite.h"
#include "server/interview/session.h"
#include "server/interview/tests/meeting.h"

#define COMMIT "{\"type\":\"commit_audio\"}"
#define CANCEL "{\"type\":\"cancel_response\"}"

/* ---- a turn ---- */

START_TEST(a_turn_is_answered)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    meeting_labels_are(&meeting, 0, "accept status status");
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    const uint64_t committed_us = meeting.now_us;
    meeting_run(&meeting, 5000);
    meeting_labels_are(&meeting, 3, "transcript ai_audio_chunk transcript function_result");
    const struct interview_question question = interview_question_of(INTERVIEW_QUESTION_FIRST);
    const struct said *candidate = meeting_nth(&meeting, "transcript", 0);
    const struct said *first = meeting_nth(&meeting, "ai_audio_chunk", 0);
    const struct said *last = meeting_last(&meeting, "ai_audio_chunk");
    ck_assert(!candidate->ai && candidate->has_speaker);
    ck_assert_str_eq(candidate->text, "An answer of 1 seconds.");
    ck_assert_int_eq(candidate->timestamp, (int64_t)(MEETING_EPOCH_MS / 1000));
    ck_assert_uint_eq(first->at_us - committed_us, 400000);
    ck_assert_uint_eq(last->at_us - first->at_us, 100000 * (meeting_count(&meeting, "ai_audio_chunk") - 1));
    ck_assert(last->is_final && !first->is_final);
    ck_assert_str_eq(last->text, question.text);
    ck_assert(meeting_last(&meeting, "transcript")->ai);
    ck_assert_str_eq(meeting_last(&meeting, "transcript")->text, question.text);
    ck_assert_uint_eq(meeting.heard.len, question.sample_count * 2);
    for (size_t i = 0; i < question.sample_count; i++)
        ck_assert_int_eq(interview_sample_at(buffer_bytes(&meeting.heard), i), question.samples[i]);
    ck_assert_ptr_nonnull(
        strstr(meeting_last(&meeting, "function_result")->text,
               "{\"answer_quality\":\"good\",\"next_action\":\"continue\",\"follow_up_needed\":"
               "false,\"score\":8}"));
    for (size_t n = 0; n < meeting.count; n++)
        ck_assert_uint_eq(meeting.said[n].faults, 0);
    meeting_free(&meeting);
}
END_TEST

START_TEST(a_pause_ends_a_turn_and_the_commit_behind_it_adds_none)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    meeting_speak(&meeting, 1000);
    meeting_silence(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 8000);
    ck_assert_uint_eq(meeting_count(&meeting, "function_result"), 1);
    ck_assert_uint_eq(meeting_count(&meeting, "error"), 0);
    meeting_text(&meeting, COMMIT);
    ck_assert_str_eq(meeting_last(&meeting, "error")->code_name, "AUDIO_PROCESSING_ERROR");
    meeting_free(&meeting);
    meeting_begin(&meeting, PLAIN, "commit-only");
    meeting_speak(&meeting, 1000);
    meeting_silence(&meeting, 1000);
    meeting_run(&meeting, 5000);
    ck_assert_uint_eq(meeting_count(&meeting, "transcript"), 0);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 5000);
    ck_assert_uint_eq(meeting_count(&meeting, "function_result"), 1);
    meeting_free(&meeting);
}
END_TEST

START_TEST(a_turn_waits_for_the_reply_before_it)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    for (int turn = 0; turn < 2; turn++) {
        meeting_speak(&meeting, 1000);
        meeting_text(&meeting, COMMIT);
        meeting_run(&meeting, 500);
    }
    meeting_run(&meeting, 8000);
    meeting_labels_are(
        &meeting, 3,
        "transcript ai_audio_chunk transcript function_result transcript ai_audio_chunk transcript "
        "function_result");
    meeting_free(&meeting);
}
END_TEST

static void turn(struct meeting *meeting, uint64_t speech_ms)
{
    if (speech_ms > 0)
        meeting_speak(meeting, speech_ms);
    else
        meeting_silence(meeting, 400);
    meeting_text(meeting, COMMIT);
    meeting_run(meeting, 4000);
}

START_TEST(the_interview_has_questions_a_follow_up_and_an_end)
{
    static const struct {
        uint64_t speech_ms;
        enum interview_saying saying;
        const char *quality;
    } turns[] = {{1000, INTERVIEW_QUESTION_FIRST, "\"good\""},
                 {300, INTERVIEW_FOLLOW_UP, "\"needs_clarification\""},
                 {300, (enum interview_saying)1, "\"needs_clarification\""},
                 {10000, INTERVIEW_QUESTION_LAST, "\"excellent\""},
                 {0, INTERVIEW_FOLLOW_UP, "\"off_topic\""},
                 {2000, INTERVIEW_FAREWELL, "\"good\""}};
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        turn(&meeting, turns[i].speech_ms);
        ck_assert_str_eq(meeting_last(&meeting, "transcript")->text,
                         interview_question_of(turns[i].saying).text);
        const char *result = meeting_last(&meeting, "function_result")->text;
        ck_assert_msg(strstr(result, turns[i].quality) != NULL, "turn %zu: %s", i, result);
        ck_assert_int_eq(strstr(result, "\"follow_up_needed\":true") != NULL,
                         turns[i].saying == INTERVIEW_FOLLOW_UP);
    }
    meeting_run(&meeting, 5000);
    ck_assert_uint_eq(meeting_last(&meeting, "close")->code, 1000);
    ck_assert_ptr_nonnull(strstr(meeting_last(&meeting, "status")->text, "\"disconnected\""));
    meeting_free(&meeting);
}
END_TEST

/* ---- cancels ---- */

START_TEST(a_cancel_ends_the_reply_at_once)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 950);
    const size_t before = meeting.count, chunks = meeting_count(&meeting, "ai_audio_chunk");
    ck_assert_uint_eq(chunks, 6);
    meeting_text(&meeting, CANCEL);
    meeting_run(&meeting, 0);
    meeting_labels_are(&meeting, before, "ai_audio_chunk transcript function_result");
    ck_assert_uint_eq(meeting_count(&meeting, "ai_audio_chunk"), chunks + 1);
    ck_assert(meeting_last(&meeting, "ai_audio_chunk")->is_final);
    ck_assert_uint_eq(meeting_last(&meeting, "ai_audio_chunk")->samples, 0);
    meeting_text(&meeting, CANCEL);
    meeting_run(&meeting, 5000);
    meeting_labels_are(&meeting, before, "ai_audio_chunk transcript function_result");
    meeting_free(&meeting);
}
END_TEST

START_TEST(a_cancel_before_the_reply_ends_it_too)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_text(&meeting, CANCEL);
    meeting_run(&meeting, 5000);
    meeting_labels_are(&meeting, 3, "transcript ai_audio_chunk function_result");
    ck_assert_uint_eq(meeting.heard.len, 0);
    meeting_free(&meeting);
}
END_TEST

static const struct {
    const char *quirks;
    size_t chunks, finals; /* after the cancel */
} CANCELS[] = {{"cancel-chunks=3", 4, 1}, {"cancel-silent", 0, 0}, {"cancel-ignored", 11, 1}};

START_TEST(a_cancel_by_quirk)
{
    struct meeting meeting;
    size_t finals = 0;
    meeting_begin(&meeting, PLAIN, CANCELS[_i].quirks);
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 950);
    const size_t chunks = meeting_count(&meeting, "ai_audio_chunk");
    meeting_text(&meeting, CANCEL);
    meeting_run(&meeting, 5000);
    for (size_t n = 0; n < meeting.count; n++)
        finals += meeting.said[n].is_final ? 1 : 0;
    ck_assert_uint_eq(meeting_count(&meeting, "ai_audio_chunk") - chunks, CANCELS[_i].chunks);
    ck_assert_uint_eq(finals, CANCELS[_i].finals);
    meeting_free(&meeting);
}
END_TEST

START_TEST(speech_ends_the_reply_with_barge_in)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "barge-in");
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 950);
    meeting_speak(&meeting, 200);
    meeting_run(&meeting, 0);
    ck_assert(meeting_last(&meeting, "ai_audio_chunk")->is_final);
    meeting_free(&meeting);
}
END_TEST

/* ---- messages that are wrong ---- */

static const struct {
    const char *name, *message, *code; /* NULL: no error */
} WRONG[] = {
    {"no JSON", "{", "INVALID_MESSAGE_FORMAT"},
    {"no object", "[]", "INVALID_MESSAGE_FORMAT"},
    {"no type", "{}", "INVALID_MESSAGE_FORMAT"},
    {"unknown type", "{\"type\":\"hello\"}", "INVALID_MESSAGE_FORMAT"},
    {"a server's type", "{\"type\":\"function_result\",\"function_name\":\"f\",\"result\":1}",
     "INVALID_MESSAGE_FORMAT"},
    {"no audio", "{\"type\":\"audio_chunk\",\"timestamp\":1750000000}", "INVALID_MESSAGE_FORMAT"},
    {"no timestamp", "{\"type\":\"audio_chunk\",\"audio\":\"AAA=\"}", "INVALID_MESSAGE_FORMAT"},
    {"no base64", "{\"type\":\"audio_chunk\",\"audio\":\"A-A=\",\"timestamp\":1750000000}",
     "AUDIO_PROCESSING_ERROR"},
    {"without padding", "{\"type\":\"audio_chunk\",\"audio\":\"AAA\",\"timestamp\":1750000000}",
     "AUDIO_PROCESSING_ERROR"},
    {"an odd length", "{\"type\":\"audio_chunk\",\"audio\":\"AAAA\",\"timestamp\":1750000000}",
     "AUDIO_PROCESSING_ERROR"},
    {"nothing to commit", COMMIT, "AUDIO_PROCESSING_ERROR"},
    {"nothing to cancel", CANCEL, NULL},
    {"one sample", "{\"type\":\"audio_chunk\",\"audio\":\"AAA=\",\"timestamp\":1750000000}", NULL},
    {"a ping", "{\"type\":\"ping\"}", "INVALID_MESSAGE_FORMAT"},
    {"a commit as deployed", "{\"type\":\"audio_commit\"}", "INVALID_MESSAGE_FORMAT"},
};

START_TEST(a_wrong_message_gets_an_error_and_the_session_goes_on)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    meeting_text(&meeting, WRONG[_i].message);
    ck_assert_msg(meeting_count(&meeting, "error") == (WRONG[_i].code != NULL ? 1 : 0), "%s", WRONG[_i].name);
    if (WRONG[_i].code != NULL)
        ck_assert_str_eq(meeting_last(&meeting, "error")->code_name, WRONG[_i].code);
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 5000);
    ck_assert_uint_eq(meeting_count(&meeting, "function_result"), 1);
    meeting_free(&meeting);
    meeting_begin(&meeting, PLAIN, "lenient");
    meeting_text(&meeting, WRONG[_i].message);
    ck_assert_uint_eq(meeting_count(&meeting, "error"), 0);
    meeting_free(&meeting);
}
END_TEST

START_TEST(a_message_may_be_as_large_as_the_limit_and_no_larger)
{
    for (size_t more = 0; more < 2; more++) {
        const size_t len = INTERVIEW_MESSAGE_BYTES_MAX + more;
        char *json = malloc(len);
        struct meeting meeting;
        ck_assert_ptr_nonnull(json);
        memset(json, ' ', len);
        memcpy(json, CANCEL, sizeof CANCEL - 1);
        meeting_begin(&meeting, PLAIN, "");
        meeting_event(&meeting, SESSION_TEXT, bytes_of(json, len));
        ck_assert_uint_eq(meeting_count(&meeting, "error"), more);
        meeting_free(&meeting);
        meeting_begin(&meeting, PLAIN, "big-closes");
        meeting_event(&meeting, SESSION_TEXT, bytes_of(json, len));
        meeting_run(&meeting, 0);
        ck_assert_uint_eq(meeting_count(&meeting, "close"), more);
        ck_assert(more == 0 || meeting_last(&meeting, "close")->code == 1009);
        meeting_free(&meeting);
        free(json);
    }
}
END_TEST

/* ---- quirks ---- */

/* What a turn looks like with it. */
static const struct {
    const char *quirks, *label, *expected; /* in the first message of that label; NULL: there is none */
} TURNS[] = {
    {"no-transcript", "transcript", "Welcome"},
    {"no-result", "function_result", NULL},
    {"rich-results", "function_result", "\"key_points_covered\":[\"background\",\"motivation\"]"},
    {"odd-results=null", "function_result", "\"result\":null}"},
    {"odd-results=list", "function_result", "\"result\":[\"good\",8,false]}"},
    {"odd-results=text", "function_result", "\"result\":\"good\"}"},
    {"odd-results=number", "function_result", "\"result\":8}"},
    {"odd-results", "function_result", "\"result\":{\"evaluation\":{"},
    {"openai-error", "error", "\"OPENAI_API_ERROR\""},
    {"openai-error=2", "error", NULL},
    {"extra-members", "status", "\"request_id\":\"mock-1\""},
    {"unknown-messages", "text", "\"session_metrics\""},
    {"server-pings=1s", "text", "{\"type\":\"ping\"}"},
    {"transcript-roles", "transcript", "\"role\":\"user\""},
    {"milliseconds", "transcript", "\"timestamp\":17500000001"},
    {"connected-type", "status", "{\"type\":\"connected\""},
    {"error-member openai-error", "error", "\"error\":\"OPENAI_API_ERROR\""},
    {"no-status", "status", NULL},
};

START_TEST(a_turn_by_quirk)
{
    struct meeting meeting;
    meeting_new(&meeting, PLAIN, TURNS[_i].quirks, NULL);
    meeting.whole = true;
    meeting_request(&meeting, MEETING_PATH "?token=" MEETING_TOKEN);
    meeting_run(&meeting, 100);
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 5000);
    if (TURNS[_i].expected == NULL)
        ck_assert_uint_eq(meeting_count(&meeting, TURNS[_i].label), 0);
    else
        ck_assert_msg(strstr(meeting_nth(&meeting, TURNS[_i].label, 0)->text, TURNS[_i].expected) != NULL,
                      "%s: %s", TURNS[_i].quirks, meeting_nth(&meeting, TURNS[_i].label, 0)->text);
    meeting_free(&meeting);
}
END_TEST

START_TEST(the_latency_is_that_of_its_class)
{
    static const struct {
        const char *quirks;
        uint64_t transcript_us, reply_us;
    } rows[] = {{"", 40000, 400000},
                {"latency=target", 40000, 400000},
                {"latency=acceptable", 90000, 800000},
                {"latency=degraded", 300000, 2000000},
                {"latency=degraded slow=1s", 300000, 3000000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct meeting meeting;
        meeting_begin(&meeting, PLAIN, rows[i].quirks);
        meeting_speak(&meeting, 1000);
        meeting_text(&meeting, COMMIT);
        const uint64_t at_us = meeting.now_us;
        meeting_run(&meeting, 5000);
        ck_assert_uint_eq(meeting_nth(&meeting, "transcript", 0)->at_us - at_us, rows[i].transcript_us);
        ck_assert_uint_eq(meeting_nth(&meeting, "ai_audio_chunk", 0)->at_us - at_us, rows[i].reply_us);
        meeting_free(&meeting);
    }
}
END_TEST

static const struct {
    const char *quirks;
    size_t chunks;
    uint64_t last_us; /* after the first */
} PACES[] = {{"", 17, 1600000},
             {"burst", 17, 0},
             {"stall=2s", 17, 3600000},
             {"chunk-length=1s", 4, 1500000},
             {"empty-final", 18, 1700000},
             {"question=4", 11, 1000000}};

START_TEST(the_chunks_come_at_their_pace)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, PACES[_i].quirks);
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, COMMIT);
    meeting_run(&meeting, 8000);
    ck_assert_msg(meeting_count(&meeting, "ai_audio_chunk") == PACES[_i].chunks, "%s: %zu", PACES[_i].quirks,
                  meeting_count(&meeting, "ai_audio_chunk"));
    ck_assert_uint_eq(meeting_last(&meeting, "ai_audio_chunk")->at_us -
                          meeting_nth(&meeting, "ai_audio_chunk", 0)->at_us,
                      PACES[_i].last_us);
    ck_assert(meeting_last(&meeting, "ai_audio_chunk")->is_final);
    meeting_free(&meeting);
}
END_TEST

START_TEST(coded_audio_tells_the_place_of_each_sample)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "coded-audio");
    turn(&meeting, 1000);
    turn(&meeting, 1000);
    const struct bytes heard = buffer_bytes(&meeting.heard);
    const size_t first = interview_question_of(INTERVIEW_QUESTION_FIRST).sample_count;
    const size_t second = interview_question_of((enum interview_saying)1).sample_count;
    ck_assert_uint_eq(interview_sample_count(heard), first + second);
    for (size_t i = 0; i < first; i++)
        ck_assert(coded_sample_is(1, (uint32_t)i, (float)interview_sample_at(heard, i) / 32768.0F));
    for (size_t i = 0; i < second; i++)
        ck_assert(coded_sample_is(2, (uint32_t)i, (float)interview_sample_at(heard, first + i) / 32768.0F));
    meeting_free(&meeting);
}
END_TEST

START_TEST(the_text_of_chunks_grows_or_goes_on)
{
    const char *text = interview_question_of(INTERVIEW_QUESTION_FIRST).text;
    char joined[MEETING_TEXT_MAX] = "";
    struct text out = text_of(joined, sizeof joined);
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "");
    turn(&meeting, 1000);
    for (size_t n = 0; n < meeting.count; n++)
        if (strcmp(meeting.said[n].label, "ai_audio_chunk") == 0 && *meeting.said[n].text != '{')
            ck_assert_int_eq(strncmp(meeting.said[n].text, text, strlen(meeting.said[n].text)), 0);
    meeting_free(&meeting);
    meeting_begin(&meeting, PLAIN, "transcript-deltas");
    turn(&meeting, 1000);
    for (size_t n = 0; n < meeting.count; n++)
        if (strcmp(meeting.said[n].label, "ai_audio_chunk") == 0 && *meeting.said[n].text != '{')
            text_add(&out, meeting.said[n].text);
    ck_assert_str_eq(joined, text);
    meeting_free(&meeting);
    meeting_begin(&meeting, PLAIN, "no-partials");
    turn(&meeting, 1000);
    for (size_t n = 0; n < meeting.count; n++)
        ck_assert(strcmp(meeting.said[n].label, "ai_audio_chunk") != 0 || *meeting.said[n].text == '{');
    meeting_free(&meeting);
}
END_TEST

static const struct {
    const char *quirks;
    bool shutdown; /* the host goes */
    uint16_t code;
    const char *labels;
} ENDS[] = {
    {"internal-error=1s", false, 1011, "close"},
    {"restart=1s", false, 1012, "status close"},
    {"", true, 1012, "status close"},
    {"closes-plainly internal-error=1s", false, 1000, "close"},
    {"closes-plainly", true, 1000, "status close"},
};

START_TEST(the_session_closes_with_the_code_of_its_end)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, ENDS[_i].quirks);
    if (ENDS[_i].shutdown)
        meeting_event(&meeting, SESSION_SHUTDOWN, bytes_of(NULL, 0));
    meeting_run(&meeting, 2000);
    meeting_labels_are(&meeting, 3, ENDS[_i].labels);
    ck_assert_uint_eq(meeting_last(&meeting, "close")->code, ENDS[_i].code);
    meeting_free(&meeting);
}
END_TEST

START_TEST(the_interviewer_may_speak_first_and_without_end)
{
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "greets endless");
    meeting_run(&meeting, 4000);
    meeting_labels_are(&meeting, 3, "ai_audio_chunk transcript");
    for (int n = 0; n < 4; n++)
        turn(&meeting, 1000);
    ck_assert_str_eq(meeting_last(&meeting, "transcript")->text,
                     interview_question_of((enum interview_saying)1).text);
    ck_assert_uint_eq(meeting_count(&meeting, "close"), 0);
    meeting_free(&meeting);
}
END_TEST

START_TEST(the_deployed_server_spells_otherwise)
{
    struct meeting meeting;
    meeting_begin(&meeting, DEPLOYED, "");
    meeting_labels_are(&meeting, 0, "accept status");
    meeting_text(&meeting, "{\"type\":\"ping\"}");
    ck_assert_int_eq(meeting_last(&meeting, "text")->type, INTERVIEW_MESSAGE_PONG);
    meeting_speak(&meeting, 1000);
    meeting_text(&meeting, "{\"type\":\"audio_commit\"}");
    meeting_run(&meeting, 5000);
    meeting_labels_are(&meeting, 3, "transcript ai_audio_chunk transcript function_result");
    ck_assert_int_ge(meeting_last(&meeting, "transcript")->timestamp, INTERVIEW_MILLISECONDS_MIN);
    for (size_t n = 0; n < meeting.count; n++)
        ck_assert_uint_eq(meeting.said[n].faults, 0);
    meeting_text(&meeting, COMMIT);
    ck_assert_str_eq(meeting_last(&meeting, "error")->code_name, "INVALID_MESSAGE_FORMAT");
    meeting_free(&meeting);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("service");
    tcase_add_test(tcase, a_turn_is_answered);
    tcase_add_test(tcase, a_pause_ends_a_turn_and_the_commit_behind_it_adds_none);
    tcase_add_test(tcase, a_turn_waits_for_the_reply_before_it);
    tcase_add_test(tcase, the_interview_has_questions_a_follow_up_and_an_end);
    tcase_add_test(tcase, a_cancel_ends_the_reply_at_once);
    tcase_add_test(tcase, a_cancel_before_the_reply_ends_it_too);
    tcase_add_loop_test(tcase, a_cancel_by_quirk, 0, TABLE_COUNT(CANCELS));
    tcase_add_test(tcase, speech_ends_the_reply_with_barge_in);
    tcase_add_loop_test(tcase, a_wrong_message_gets_an_error_and_the_session_goes_on, 0, TABLE_COUNT(WRONG));
    tcase_add_test(tcase, a_message_may_be_as_large_as_the_limit_and_no_larger);
    tcase_add_loop_test(tcase, a_turn_by_quirk, 0, TABLE_COUNT(TURNS));
    tcase_add_test(tcase, the_latency_is_that_of_its_class);
    tcase_add_loop_test(tcase, the_chunks_come_at_their_pace, 0, TABLE_COUNT(PACES));
    tcase_add_test(tcase, coded_audio_tells_the_place_of_each_sample);
    tcase_add_test(tcase, the_text_of_chunks_grows_or_goes_on);
    tcase_add_loop_test(tcase, the_session_closes_with_the_code_of_its_end, 0, TABLE_COUNT(ENDS));
    tcase_add_test(tcase, the_interviewer_may_speak_first_and_without_end);
    tcase_add_test(tcase, the_deployed_server_spells_otherwise);
    return suite_run("interview service", tcase);
}
