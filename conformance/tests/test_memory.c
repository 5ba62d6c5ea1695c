/* The mock's engine and the reference client joined in memory: whole sessions, judged. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/defects/defect.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/judge/verdict.h"
#include "conformance/memory/memory.h"
#include "server/persona/persona.h"

enum { SPEECH_SAMPLES = 16000, JOURNAL_BYTES_MAX = 64 * 1024 * 1024 };

static struct persona *persona; /* drawn once for all tests */
static int16_t speech[SPEECH_SAMPLES];

/* One session, from the script's text to the verdict. */
struct session {
    struct case_script *script;
    struct client_plan plan;
    struct memory_case given;
    struct memory_result *memory;
    struct judge_input input;
    struct case_result result;
};

static void plan_make(struct session *session, const char *profile)
{
    struct buffer json;
    char error[200] = "";
    buffer_init(&json, 65536);
    ck_assert(plan_write(session->script, profile, "/speech", &json));
    ck_assert_msg(client_plan_parse(buffer_bytes(&json), &session->plan, error), "%s", error);
    buffer_free(&json);
    for (size_t i = 0; i < session->plan.step_count; i++) {
        if (session->plan.steps[i].what != DO_SPEAK)
            continue;
        session->plan.steps[i].samples = speech;
        session->plan.steps[i].sample_count = SPEECH_SAMPLES;
    }
}

/* `strange`: the plan also asks for what no client knows. `track`: NULL, or where the session is kept. */
static struct session *run(const char *text, const char *profile, const struct client_shell *shell,
                           uint64_t seed, bool strange, struct memory_track *track)
{
    struct session *session = calloc(1, sizeof *session);
    static const uint8_t JPEG[] = {0xFF, 0xD8, 0xFF, 0xD9}; /* nobody decodes it */
    static const struct bytes PICTURE = {.data = JPEG, .len = sizeof JPEG};
    char error[SCRIPT_ERROR_MAX] = "";
    ck_assert_ptr_nonnull(session);
    session->script = case_script_parse("by-hand.session", bytes_of_text(text),
                                        case_family_of_script(bytes_of_text(text)), error);
    ck_assert_msg(session->script != NULL, "%s", error);
    plan_make(session, profile);
    session->plan.steps[session->plan.step_count].unknown = strange;
    session->plan.step_count += strange ? 1 : 0;
    session->given =
        (struct memory_case){.script = session->script,
                             .client = client_class_by_family(session->script->class->family->name),
                             .profile = family_profile(session->script->class->family, profile),
                             .persona = persona,
                             .seed = seed,
                             .key = "a-key",
                             .config_id = "persona/1 & more",
                             .plan = &session->plan,
                             .shell = shell,
                             .pictures = &PICTURE,
                             .picture_count = 1,
                             .speech_exact = true,
                             .track = track};
    session->memory = memory_run(&session->given);
    ck_assert_ptr_nonnull(session->memory);
    session->input = (struct judge_input){.script = session->script, .tier = TIER_OBSERVE, .inferred = true};
    memory_result_judge_input(session->memory, &session->input);
    judge_case(&session->input, &session->result);
    return session;
}

static struct session *session_run(const char *text, const char *profile, const struct client_shell *shell,
                                   uint64_t seed)
{
    return run(text, profile, shell, seed, false, NULL);
}

static void session_free(struct session *session)
{
    memory_result_free(session->memory);
    case_script_free(session->script);
    free(session);
}

/* What the case came to, for the message of a failed assertion. */
static const char *story(const struct session *session)
{
    static char data[8192];
    struct text text = text_of(data, sizeof data);
    text_add(&text, session->result.note);
    for (size_t i = 0; i < session->result.check_count; i++) {
        const struct check_result *check = &session->result.checks[i];
        const char *const parts[] = {
            "\n",         verdict_name(check->verdict), " ", check->requirement->id, " ", check->name, ": ",
            check->actual};
        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
            text_add(&text, parts[part]);
    }
    return data;
}

static enum verdict verdict_on(const struct session *session, const char *id)
{
    enum verdict verdict = VERDICT_UNSUPPORTED;
    bool judged = false;
    for (size_t i = 0; i < session->result.check_count; i++) {
        const struct check_result *check = &session->result.checks[i];
        if (strcmp(check->requirement->id, id) != 0 || (judged && verdict_is_open(check->verdict)))
            continue;
        verdict = judged ? verdict_worse(verdict, check->verdict) : check->verdict;
        judged = !verdict_is_open(verdict);
    }
    return verdict;
}

#define HEAD(clause)                                                                                         \
    "case ojin/test/memory\ntitle \"T\"\nexpect \"E\"\nclause " clause " MUST\nlimit 20s\n"                  \
    "plan {\n speak \"a.wav\"\n end\n}\n"

#define DUPLEX_HEAD(clause)                                                                                  \
    "case duplex/test/memory\ntitle \"T\"\nexpect \"E\"\nclause " clause " MUST\nlimit 60s\n"                \
    "plan {\n speak \"a.wav\"\n end\n}\n"

static const char DUPLEX_SCRIPT[] = DUPLEX_HEAD("DX-CON-01") "server {\n accept\n serve until=close\n}\n"
                                                             "check ready MUST some seen:ready\n";

static const char INTERVIEW_SCRIPT[] =
    "case interview/test/memory\ntitle \"T\"\nexpect \"E\"\nclause IV-CON-01 MUST\nlimit 60s\n"
    "plan {\n speak \"a.wav\"\n end\n}\n"
    "server {\n accept\n serve until=close\n}\n"
    "check ready MUST some seen:ready\n"
    "check closed MUST some received:close clean=true\n";

static const struct {
    const char *name, *profile, *script;
} GOOD[] = {
    {"a whole session", "oris-1.0",
     HEAD("OJ-OUT-01") "server {\n accept\n serve until=close\n}\n"
                       "check heard MUST some seen:played kind=speech\n"
                       "check all MUST delivered sent:frame\n"
                       "check closed MUST some received:close clean=true\n"
                       "check answered MUST given=received:close some seen:closed code=1000\n"},
    {"a whole session of the earlier revision", "oris-1.0-earlier",
     HEAD("OJ-OUT-01") "server {\n accept\n serve until=close\n}\n"
                       "check heard MUST some seen:played kind=speech\n"},
    {"a whole session of the lite model", "flashhead-lite-1.0",
     HEAD("OJ-OUT-01") "server {\n accept\n serve until=close\n}\n"
                       "check all MUST delivered sent:speech\n"},
    {"a refused upgrade is reported", "oris-1.0",
     HEAD("OJ-CON-04") "server {\n refuse status=401 error=AUTH_FAILED\n}\n"
                       "check reports MUST given=sent:refusal some seen:error code=401\n"
                       "check once MUST given=sent:refusal count received:upgrade exactly=1\n"},
    {"the mock closes", "oris-1.0",
     HEAD("OJ-CLS-01") "server {\n accept\n serve until=speech:3\n close code=1011 reason=\"lost\"\n}\n"
                       "check reports MUST given=sent:close some seen:closed code=1011\n"
                       "check answers MUST given=sent:close some received:close code=1011\n"},
    {"the mock resets the connection", "oris-1.0",
     HEAD("OJ-CLS-02") "server {\n accept\n serve until=speech:3\n mark pulled\n reset\n}\n"
                       "check reports MUST given=mark:pulled some seen:closed code=1006\n"},
    {"a ping is answered", "oris-1.0",
     HEAD("OJ-CON-07") "server {\n accept\n serve until=ready\n send ping data=\"abc\"\n serve "
                       "until=close\n}\n"
                       "check pong MUST given=sent:ping some received:pong\n"},
    {"a whole full-duplex session with pictures", "video",
     DUPLEX_HEAD("DX-CON-01") "server {\n accept\n serve until=close\n}\n"
                              "check ready MUST some seen:ready\n"
                              "check closed MUST some received:close clean=true\n"},
    {"the same without pictures", "audio", DUPLEX_SCRIPT},
    {"the same in the later version", "duplex-later", DUPLEX_SCRIPT},
    {"a whole interview", "interview-1.0", INTERVIEW_SCRIPT},
    {"an answer that the plan has after a wait", "interview-1.0",
     "case interview/test/memory\ntitle \"T\"\nexpect \"E\"\nclause IV-IN-05 MUST\nlimit 60s\n"
     "plan {\n wait after=ready\n wait 5s\n speak \"a.wav\"\n close after=sent\n}\n"
     "server {\n accept\n serve until=close\n}\n"
     "check commits MUST given=received:upgrade some received:commit_audio\n"},
    {"the script ends before the client", "oris-1.0",
     HEAD("OJ-CLS-01") "server {\n accept\n serve until=speech:3\n}\n"
                       "check closed MUST given=sent:close some seen:closed code=1000\n"},
};

START_TEST(the_reference_client_passes)
{
    struct session *session = session_run(GOOD[_i].script, GOOD[_i].profile, NULL, 1);
    ck_assert_msg(session->result.verdict == VERDICT_PASS, "%s: %s %s", GOOD[_i].name,
                  verdict_name(session->result.verdict), story(session));
    ck_assert_int_eq(session->input.end, CLIENT_ENDED);
    ck_assert_uint_eq(session->input.script_line, 0);
    session_free(session);
}
END_TEST

static void journal_text(const struct session *session, struct buffer *out)
{
    buffer_init(out, JOURNAL_BYTES_MAX);
    ck_assert(journal_write_header(session->input.journal, out));
    for (size_t i = 0; i < journal_count(session->input.journal); i++)
        ck_assert(journal_write_entry(journal_at(session->input.journal, i), out));
}

START_TEST(the_same_case_gives_the_same_journal)
{
    struct buffer first, second, other;
    struct session *a = session_run(GOOD[0].script, "oris-1.0", NULL, 1);
    struct session *b = session_run(GOOD[0].script, "oris-1.0", NULL, 1);
    struct session *c = session_run(GOOD[0].script, "oris-1.0", NULL, 2);
    journal_text(a, &first);
    journal_text(b, &second);
    journal_text(c, &other);
    ck_assert(bytes_equal(buffer_bytes(&first), buffer_bytes(&second)));
    ck_assert(!bytes_equal(buffer_bytes(&first), buffer_bytes(&other)));
    ck_assert_uint_eq(a->input.observation_count, b->input.observation_count);
    buffer_free(&first);
    buffer_free(&second);
    buffer_free(&other);
    session_free(a);
    session_free(b);
    session_free(c);
}
END_TEST

/* What the client fails for with that defect, and for nothing else. */
static void fails_alone(const char *script, const char *profile, const char *name)
{
    struct defect_run run;
    const struct defect *defect = defect_by_name(name);
    ck_assert_ptr_nonnull(defect);
    defect_begin(defect, "a-key", &run);
    struct session *session = session_run(script, profile, &run.shell, 1);
    const char *id = defect->requirement;
    ck_assert_msg(verdict_on(session, id) == VERDICT_FAIL, "%s: %s", id, story(session));
    for (size_t i = 0; i < session->result.check_count; i++) {
        const struct check_result *check = &session->result.checks[i];
        ck_assert_msg(check->verdict != VERDICT_FAIL || strcmp(check->requirement->id, id) == 0, "%s: %s", id,
                      story(session));
    }
    session_free(session);
    defect_end(&run);
}

START_TEST(a_broken_client_fails_for_that_alone)
{
    fails_alone(GOOD[0].script, "oris-1.0", "no-opening-silence");
    fails_alone(GOOD[0].script, "oris-1.0", "timestamp-little-endian");
    fails_alone(DUPLEX_SCRIPT, "video", "short-appends");
    fails_alone(DUPLEX_SCRIPT, "video", "no-created-wait");
    fails_alone(INTERVIEW_SCRIPT, "interview-1.0", "half-samples");
    fails_alone(INTERVIEW_SCRIPT, "interview-1.0", "never-commits");
}
END_TEST

static enum defect_taking hide_everything(struct defect_state *state, struct bytes message)
{
    (void)state;
    (void)message;
    return DEFECT_HIDE;
}

START_TEST(a_plan_that_the_client_cannot_follow_is_declined)
{
    struct session *session = run(DUPLEX_SCRIPT, "video", NULL, 1, true, NULL);
    ck_assert_int_eq(session->input.end, CLIENT_DECLINED);
    ck_assert_msg(session->result.verdict == VERDICT_UNSUPPORTED, "%s", story(session));
    session_free(session);
}
END_TEST

START_TEST(virtual_time_ends_at_the_limit_of_the_script)
{
    static const struct defect DEAF = {.hear = hide_everything};
    struct defect_run run;
    static const char SCRIPT[] =
        "case ojin/test/limit\ntitle \"T\"\nexpect \"E\"\nclause OJ-OUT-01 MUST\nlimit 2s\n"
        "plan {\n speak \"a.wav\"\n end\n}\nserver {\n accept\n serve until=close\n}\n"
        "check ready MUST some seen:ready\n";
    defect_begin(&DEAF, "a-key", &run);
    struct session *session = session_run(SCRIPT, "oris-1.0", &run.shell, 1);
    const struct journal *journal = session->input.journal;
    ck_assert_int_eq(session->input.end, CLIENT_TIMED_OUT);
    ck_assert_uint_ne(session->input.script_line, 0);
    ck_assert_uint_le(journal_at(journal, journal_count(journal) - 1)->at_us, 2000000);
    ck_assert_int_eq(session->result.verdict, VERDICT_FAIL);
    session_free(session);
    defect_end(&run);
}
END_TEST

/* ---- a client that has the session of another ---- */

/* Does the client with this defect have the correct one's session? NULL: the correct one itself. */
static bool has_session(const char *script, const char *profile, const struct defect *defect)
{
    struct defect_run run_of_it;
    struct memory_track *track = memory_track_new();
    ck_assert_ptr_nonnull(track);
    struct session *session = run(script, profile, NULL, 1, false, track);
    session->given.track = NULL;
    if (defect != NULL) {
        defect_begin(defect, "a-key", &run_of_it);
        session->given.shell = &run_of_it.shell;
    }
    const bool has = memory_has_session(&session->given, track);
    if (defect != NULL)
        defect_end(&run_of_it);
    session_free(session);
    memory_track_free(track);
    return has;
}

START_TEST(who_says_the_same_has_the_same_session)
{
    static const struct defect NOTHING = {.name = "nothing"};
    ck_assert(has_session(GOOD[_i].script, GOOD[_i].profile, NULL));
    ck_assert(has_session(GOOD[_i].script, GOOD[_i].profile, &NOTHING));
}
END_TEST

static bool drop_close(struct defect_state *state, struct client_action *action)
{
    (void)state;
    return action->kind != CLIENT_SEND_CLOSE;
}

static bool drop_last_word(struct defect_state *state, struct observation *observation)
{
    (void)state;
    return observation->kind != OBSERVED_CLOSED;
}

static bool spoil_a_byte(struct defect_state *state, struct buffer *message)
{
    if (message->len > 0 && state->count++ == 5)
        message->data[message->len - 1] ^= 1;
    return true;
}

/* One more word when all has been said. */
static void say_more(struct defect_state *state)
{
    for (size_t i = 0; i < state->actions->count && !state->seen; i++) {
        struct client_action *action = &state->actions->list[i];
        if (action->kind != CLIENT_OBSERVE || action->observation.kind != OBSERVED_CLOSED)
            continue;
        state->seen = true;
        state->actions->list[state->actions->count] = *action;
        state->actions->count++;
    }
}

/* It means to come back, after the case is over. */
static void wait_for_ever(struct defect_state *state)
{
    if (state->life->standing == CLIENT_STANDS_OVER) {
        state->life->standing = CLIENT_STANDS_WAITING;
        state->life->retry_at_us = DEFECT_FOR_EVER_US;
    }
}

static void wake_late(struct defect_state *state)
{
    state->due_us = 499999;
}

static void wake_once(struct defect_state *state, struct client_event *event)
{
    if (event->now_us >= state->due_us)
        state->due_us = DEFECT_FOR_EVER_US;
}

#define CUT_SHORT                                                                                            \
    "case ojin/test/cut\ntitle \"T\"\nexpect \"E\"\nclause OJ-OUT-01 MUST\nlimit 500ms\n"                    \
    "plan {\n speak \"a.wav\"\n end\n}\nserver {\n accept\n serve until=close\n}\n"                          \
    "check ready MUST some seen:ready\n"

static const struct {
    const char *name, *profile, *script;
    struct defect defect;
} OTHERS[] = {
    {"hears nothing", "oris-1.0", CUT_SHORT, {.hear = hide_everything}},
    {"sends no close frame", "interview-1.0", INTERVIEW_SCRIPT, {.act = drop_close}},
    {"observes less", "interview-1.0", INTERVIEW_SCRIPT, {.tell = drop_last_word}},
    {"observes more", "interview-1.0", INTERVIEW_SCRIPT, {.after = say_more}},
    {"sends another byte", "video", DUPLEX_SCRIPT, {.say = spoil_a_byte}},
    {"is not over",
     "oris-1.0",
     HEAD("OJ-CON-04") "server {\n refuse status=401 error=AUTH_FAILED\n}\n"
                       "check once MUST given=sent:refusal count received:upgrade exactly=1\n",
     {.after = wait_for_ever}},
    {"is awake later", "oris-1.0", CUT_SHORT, {.begin = wake_late, .event = wake_once}},
};

START_TEST(who_says_anything_else_has_another)
{
    ck_assert(has_session(OTHERS[_i].script, OTHERS[_i].profile, NULL));
    ck_assert_msg(!has_session(OTHERS[_i].script, OTHERS[_i].profile, &OTHERS[_i].defect), "%s",
                  OTHERS[_i].name);
}
END_TEST

START_TEST(nobody_has_a_session_that_was_not_kept)
{
    struct memory_track *track = memory_track_new();
    struct session *session = run(INTERVIEW_SCRIPT, "interview-1.0", NULL, 1, true, track);
    ck_assert_int_eq(session->input.end, CLIENT_DECLINED);
    ck_assert(!memory_has_session(&session->given, track));
    session_free(session);
    memory_track_free(track);
}
END_TEST

int main(void)
{
    char error[PERSONA_ERROR_MAX] = "";
    persona = persona_new(320, 320, error);
    if (persona == NULL) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    for (size_t i = 0; i < SPEECH_SAMPLES; i++)
        speech[i] = (int16_t)((int)(i * 37 % 20001) - 10000);
    Suite *suite = suite_create("memory");
    TCase *sessions = tcase_create("sessions");
    tcase_set_timeout(sessions, 60);
    tcase_add_loop_test(sessions, the_reference_client_passes, 0, (int)(sizeof GOOD / sizeof GOOD[0]));
    tcase_add_test(sessions, the_same_case_gives_the_same_journal);
    tcase_add_test(sessions, a_broken_client_fails_for_that_alone);
    tcase_add_test(sessions, a_plan_that_the_client_cannot_follow_is_declined);
    tcase_add_test(sessions, virtual_time_ends_at_the_limit_of_the_script);
    tcase_add_loop_test(sessions, who_says_the_same_has_the_same_session, 0,
                        (int)(sizeof GOOD / sizeof GOOD[0]));
    tcase_add_loop_test(sessions, who_says_anything_else_has_another, 0,
                        (int)(sizeof OTHERS / sizeof OTHERS[0]));
    tcase_add_test(sessions, nobody_has_a_session_that_was_not_kept);
    suite_add_tcase(suite, sessions);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    persona_free(persona);
    return failed == 0 ? 0 : 1;
}
