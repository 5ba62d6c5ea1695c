/* Who an interview session lets in, and what it says to those that it does not. */
#include "codec/tests/suite.h"
#include "server/interview/session_class.h"
#include "server/interview/tests/meeting.h"
#include "server/token/token.h"

enum { TARGET_MAX = 20000 };

static const struct {
    const char *name, *profile, *quirks, *target, *reason; /* NULL: let in */
    uint16_t code;                                         /* of the close, or the HTTP status */
} DOORS[] = {
    {"the token that is expected", PLAIN, "", MEETING_PATH "?token=" MEETING_TOKEN, NULL, 0},
    {"with escapes", PLAIN, "", MEETING_PATH "?token=%61-token-that-is-right-as-it-stands", NULL, 0},
    {"no token", PLAIN, "", MEETING_PATH, "POLICY_VIOLATION: there is no token", 1008},
    {"an empty token", PLAIN, "", MEETING_PATH "?token=", "POLICY_VIOLATION: there is no token", 1008},
    {"garbage", PLAIN, "", MEETING_PATH "?token=garbage", "POLICY_VIOLATION: the token is malformed", 1008},
    {"a broken escape", PLAIN, "", MEETING_PATH "?token=%6", "POLICY_VIOLATION: the token is malformed",
     1008},
    {"twice", PLAIN, "", MEETING_PATH "?token=" MEETING_TOKEN "&token=" MEETING_TOKEN,
     "POLICY_VIOLATION: there is more than one token", 1008},
    {"no UUID", PLAIN, "", "/api/v1/interviews/mine/realtime/connect?token=" MEETING_TOKEN,
     "POLICY_VIOLATION: the interview is unknown", 1008},
    {"a card", PLAIN, "", "/api/v1/interviews/mock.drop%3D3/realtime/connect?token=" MEETING_TOKEN, NULL, 0},
    {"a scenario's path", PLAIN, "", "/s/one/" MEETING_ID "/realtime/connect?token=" MEETING_TOKEN, NULL, 0},
    {"unknown by quirk", PLAIN, "no-interview", MEETING_PATH "?token=" MEETING_TOKEN,
     "POLICY_VIOLATION: the interview is unknown", 1008},
    {"not active", PLAIN, "no-interview=inactive", MEETING_PATH "?token=" MEETING_TOKEN,
     "POLICY_VIOLATION: the interview is not active", 1008},
    {"refused before the upgrade", PLAIN, "refuse-upgrade=401", MEETING_PATH "?token=x", "", 401},
    {"deployed", DEPLOYED, "", MEETING_PATH "?token=x", "", 403},
    {"deployed, let in", DEPLOYED, "", MEETING_PATH "?token=" MEETING_TOKEN, NULL, 0},
    {"any token", PLAIN, "any-token", MEETING_PATH, NULL, 0},
};

START_TEST(who_is_let_in)
{
    struct meeting meeting;
    meeting_new(&meeting, DOORS[_i].profile, DOORS[_i].quirks, NULL);
    meeting_request(&meeting, DOORS[_i].target);
    meeting_run(&meeting, 100);
    if (DOORS[_i].reason == NULL) {
        ck_assert_msg(meeting_count(&meeting, "status") > 0, "%s", DOORS[_i].name);
        ck_assert_uint_eq(meeting_count(&meeting, "close"), 0);
    } else {
        const bool early = DOORS[_i].code < 1000;
        const struct said *last = meeting_last(&meeting, early ? "refuse" : "close");
        ck_assert_uint_eq(last->code, DOORS[_i].code);
        ck_assert_msg(early || strcmp(last->text, DOORS[_i].reason) == 0, "%s: %s", DOORS[_i].name,
                      last->text);
        meeting_labels_are(&meeting, 0, early ? "refuse" : "accept close");
    }
    meeting_free(&meeting);
}
END_TEST

static void request_with(struct meeting *meeting, const char *kind, uint64_t seconds)
{
    char target[TARGET_MAX], token[TOKEN_BYTES_MAX + 1];
    struct text text = text_of(target, sizeof target);
    const struct token_wish wish = {.kind = token_kind_by_name(kind),
                                    .secret = TOKEN_SECRET_DEFAULT,
                                    .candidate = TOKEN_CANDIDATE_DEFAULT,
                                    .now_s = MEETING_EPOCH_MS / 1000,
                                    .seconds = seconds};
    ck_assert(token_make(&wish, token, sizeof token));
    text_add(&text, MEETING_PATH "?token=");
    text_add(&text, token);
    meeting_request(meeting, target);
    meeting_run(meeting, 100);
}

/* The clock is that of the session: the 10 s of the token have not passed, or have. */
START_TEST(a_token_is_verified_by_the_time_of_the_session)
{
    for (const struct token_kind *kind = TOKEN_KINDS; kind->name != NULL; kind++) {
        struct meeting meeting;
        meeting_new(&meeting, PLAIN, "", NULL);
        request_with(&meeting, kind->name, 10);
        ck_assert_msg((meeting_count(&meeting, "close") == 0) == (kind->verdict == TOKEN_GOOD), "%s",
                      kind->name);
        meeting_free(&meeting);
    }
    for (uint64_t at_s = 9; at_s <= 10; at_s++) {
        struct meeting meeting;
        meeting_new(&meeting, PLAIN, "", NULL);
        meeting.now_us = at_s * 1000000;
        request_with(&meeting, "valid", 10);
        ck_assert_uint_eq(meeting_count(&meeting, "close"), at_s == 10 ? 1 : 0);
        meeting_free(&meeting);
    }
}
END_TEST

START_TEST(an_interview_has_one_connection)
{
    static const struct {
        const char *profile, *quirks;
        bool newest;
    } rows[] = {{PLAIN, "", false}, {PLAIN, "newest-wins", true}, {DEPLOYED, "", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rooms rooms = {0};
        struct meeting first, second, third;
        meeting_new(&first, rows[i].profile, rows[i].quirks, &rooms);
        meeting_new(&second, rows[i].profile, rows[i].quirks, &rooms);
        meeting_new(&third, rows[i].profile, rows[i].quirks, &rooms);
        meeting_request(&first, MEETING_PATH "?token=" MEETING_TOKEN);
        meeting_request(&second, MEETING_PATH "?token=" MEETING_TOKEN);
        meeting_request(&third, "/api/v1/interviews/00000000-0000-4000-8000-000000000001/realtime/connect"
                                "?token=" MEETING_TOKEN);
        meeting_run(&first, 500);
        meeting_run(&second, 500);
        meeting_run(&third, 500);
        const struct meeting *loser = rows[i].newest ? &first : &second;
        const struct meeting *winner = rows[i].newest ? &second : &first;
        ck_assert_uint_eq(meeting_last(loser, "close")->code, rows[i].newest ? 1000 : 1008);
        ck_assert_uint_eq(meeting_count(winner, "close"), 0);
        ck_assert_uint_eq(meeting_count(&third, "close"), 0);
        meeting_free(&first);
        meeting_free(&second);
        meeting_free(&third);
        ck_assert_ptr_null(rooms.first);
    }
}
END_TEST

/* In a replay nobody else is there: that it was put out is told. */
START_TEST(who_was_put_out_is_put_out_again_in_a_replay)
{
    static const char WHY[] = "There is a newer connection";
    struct meeting meeting;
    meeting_begin(&meeting, PLAIN, "newest-wins");
    ck_assert_ptr_null(INTERVIEW_SESSION_CLASS.put_out(meeting.session));
    const struct session_event event = {
        .kind = SESSION_TICK, .now_us = meeting.now_us + 1000000, .put_out = bytes_of_text(WHY)};
    actions_clear(&meeting.actions);
    INTERVIEW_SESSION_CLASS.step(meeting.session, &event, &meeting.actions);
    ck_assert_str_eq(INTERVIEW_SESSION_CLASS.put_out(meeting.session), WHY);
    ck_assert_uint_eq(meeting.actions.count, 1);
    ck_assert_int_eq(meeting.actions.list[0].kind, ACTION_CLOSE);
    ck_assert_uint_eq(meeting.actions.list[0].code, 1000);
    const struct session_event later = {.kind = SESSION_TICK, .now_us = meeting.now_us + 2000000};
    INTERVIEW_SESSION_CLASS.step(meeting.session, &later, &meeting.actions);
    ck_assert_ptr_null(INTERVIEW_SESSION_CLASS.put_out(meeting.session));
    meeting_free(&meeting);
}
END_TEST

START_TEST(a_refusal_may_say_why)
{
    struct meeting meeting;
    meeting_new(&meeting, PLAIN, "no-interview refusals-say-why", NULL);
    meeting_request(&meeting, MEETING_PATH "?token=" MEETING_TOKEN);
    meeting_run(&meeting, 10);
    meeting_labels_are(&meeting, 0, "accept error close");
    ck_assert_str_eq(meeting_last(&meeting, "error")->code_name, "SESSION_NOT_FOUND");
    meeting_free(&meeting);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("admission");
    tcase_add_loop_test(tcase, who_is_let_in, 0, TABLE_COUNT(DOORS));
    tcase_add_test(tcase, a_token_is_verified_by_the_time_of_the_session);
    tcase_add_test(tcase, an_interview_has_one_connection);
    tcase_add_test(tcase, who_was_put_out_is_put_out_again_in_a_replay);
    tcase_add_test(tcase, a_refusal_may_say_why);
    return suite_run("interview admission", tcase);
}
