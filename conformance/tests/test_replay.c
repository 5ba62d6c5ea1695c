/* Journals of sessions in memory, written, read back and replayed; and the same with something changed. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/ojin/client.h"
#include "codec/ojin/profile.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/memory/memory.h"
#include "conformance/replay/replay.h"
#include "server/ojin/session_class.h"
#include "server/persona/persona.h"

enum { SPEECH_SAMPLES = 16000, JOURNAL_BYTES_MAX = 16 * 1024 * 1024, WIDTH = 320, HEIGHT = 320 };

#define KEY       "key-of-the-test"
#define OTHER_KEY "another-key-altogether" /* the journal is read with it, and has never seen KEY */

static struct persona *persona; /* drawn once for all tests */
static int16_t speech[SPEECH_SAMPLES];

/* A script and the journal of a session of it, as text. */
struct recorded {
    struct case_script *script;
    struct buffer text;
};

static void plan_make(const struct case_script *script, const char *profile, struct client_plan *plan)
{
    struct buffer json;
    char error[200] = "";
    buffer_init(&json, 65536);
    ck_assert(plan_write(script, profile, "/speech", &json));
    ck_assert_msg(client_plan_parse(buffer_bytes(&json), plan, error), "%s", error);
    buffer_free(&json);
    for (size_t i = 0; i < plan->step_count; i++) {
        plan->steps[i].samples = plan->steps[i].what == DO_SPEAK ? speech : NULL;
        plan->steps[i].sample_count = plan->steps[i].what == DO_SPEAK ? SPEECH_SAMPLES : 0;
    }
}

static void journal_text(const struct journal *journal, struct buffer *out)
{
    buffer_init(out, JOURNAL_BYTES_MAX);
    ck_assert(journal_write_header(journal, out) && buffer_append(out, bytes_of_text("\n")));
    for (size_t i = 0; i < journal_count(journal); i++)
        ck_assert(journal_write_entry(journal_at(journal, i), out) &&
                  buffer_append(out, bytes_of_text("\n")));
}

static void record(const char *text, const char *profile, struct recorded *out)
{
    char error[SCRIPT_ERROR_MAX] = "";
    struct client_plan *plan = calloc(1, sizeof *plan);
    ck_assert_ptr_nonnull(plan);
    out->script =
        case_script_parse("by-hand.session", bytes_of_text(text), case_family_by_name("ojin"), error);
    ck_assert_msg(out->script != NULL, "%s", error);
    plan_make(out->script, profile, plan);
    const struct memory_case given = {.script = out->script,
                                      .client = &OJIN_CLIENT_CLASS,
                                      .profile = ojin_profile_by_name(profile),
                                      .persona = persona,
                                      .picture_width = WIDTH,
                                      .picture_height = HEIGHT,
                                      .seed = 5,
                                      .key = KEY,
                                      .config_id = "c",
                                      .plan = plan};
    struct memory_result *memory = memory_run(&given);
    ck_assert_ptr_nonnull(memory);
    struct judge_input input = {.script = out->script};
    memory_result_judge_input(memory, &input);
    journal_text(input.journal, &out->text);
    memory_result_free(memory);
    free(plan);
}

static void recorded_free(struct recorded *recorded)
{
    buffer_free(&recorded->text);
    case_script_free(recorded->script);
}

static void replay_text(struct bytes text, const struct script *script, struct replay_result *out)
{
    char error[200] = "";
    struct exact_copy copy = exact_copy_of(text);
    struct journal *journal = journal_read(copy.bytes, SESSION_CLASSES, bytes_of_text(OTHER_KEY), error);
    exact_copy_free(copy);
    ck_assert_msg(journal != NULL, "%s", error);
    const struct replay_case given = {
        .journal = journal, .key = OTHER_KEY, .script = script, .persona = persona};
    replay_run(&given, out);
    journal_free(journal);
}

#define HEAD                                                                                                 \
    "case ojin/test/replay\ntitle \"T\"\nexpect \"E\"\nclause OJ-OUT-01 MUST\nlimit 20s\n"                   \
    "plan {\n speak \"a.wav\"\n end\n}\n"
#define TAIL "check heard INFO some seen:frame\n"

static const struct {
    const char *name, *profile, *script;
} SAME[] = {
    {"a whole session", "oris-1.0", HEAD "server {\n accept\n serve until=close\n}\n" TAIL},
    {"one of the earlier revision", "oris-1.0-earlier",
     HEAD "server {\n accept\n serve until=close\n}\n" TAIL},
    {"one of the lite model", "flashhead-lite-1.0", HEAD "server {\n accept\n serve until=close\n}\n" TAIL},
    {"more at once than a list of actions holds", "oris-1.0",
     HEAD "server {\n accept\n serve until=speech:3\n send silence count=200\n wait 300ms\n"
          " send text text=\"after\"\n serve for=1s\n}\n" TAIL},
    {"a refusal", "oris-1.0", HEAD "server {\n refuse status=401 error=AUTH_FAILED\n}\n" TAIL},
    {"a close of the script's", "oris-1.0",
     HEAD "server {\n accept\n serve until=speech:3\n close code=1011 reason=\"lost\"\n}\n" TAIL},
    {"a reset", "oris-1.0", HEAD "server {\n accept\n serve until=speech:3\n mark pulled\n reset\n}\n" TAIL},
    {"faults and pings", "oris-1.0",
     HEAD "server {\n accept\n serve until=ready\n send ping data=\"abc\"\n serve until=speech:2 as first\n"
          " send speech interaction=$first.interaction final=1 | fault\n serve until=close\n}\n" TAIL},
    {"a step that fails", "oris-1.0",
     HEAD "server {\n accept\n serve until=ready\n recv cancelInteraction within=100ms\n}\n" TAIL},
};

START_TEST(a_replay_is_identical)
{
    struct recorded recorded;
    struct replay_result result;
    record(SAME[_i].script, SAME[_i].profile, &recorded);
    replay_text(buffer_bytes(&recorded.text), &recorded.script->played, &result);
    ck_assert_msg(result.outcome == REPLAY_IDENTICAL, "%s: entry %zu: %s", SAME[_i].name, result.entry,
                  result.text);
    ck_assert_uint_ge(result.messages, 1);
    ck_assert_uint_eq(result.sessions, 1);
    ck_assert_str_eq(result.text, "");
    recorded_free(&recorded);
}
END_TEST

/* What is replaced once in the lines after the header, and what the replay says then. */
static const struct {
    const char *name, *find, *replace;
    enum replay_outcome outcome;
    const char *says;
} CHANGED[] = {
    {"the sound of a frame", "\"audio_crc\":", "\"audio_crc\":1,\"was\":", REPLAY_DIFFERENT,
     "CRC-32 of its sound"},
    {"the picture of a frame", "\"image_crc\":", "\"image_crc\":1,\"was\":", REPLAY_DIFFERENT,
     "CRC-32 of its picture"},
    {"a frame's index", "\"final\":0,\"index\":0", "\"final\":0,\"index\":9", REPLAY_DIFFERENT, "its index"},
    {"a frame's final flag", "\"final\":0,\"index\":0", "\"final\":1,\"index\":0", REPLAY_DIFFERENT,
     "its final flag"},
    {"the text of a message", "sessionReady", "sessionreadY", REPLAY_DIFFERENT, "its text"},
    {"what a message is", "\"label\":\"ready\"", "\"label\":\"error\"", REPLAY_DIFFERENT, "what it is"},
    {"a message of the server is gone", "\"from\":\"server\",\"event\":\"text\"",
     "\"from\":\"client\",\"event\":\"ping\"", REPLAY_DIFFERENT, ""},
    {"an order", "\"label\":\"opened\",\"order\":", "\"label\":\"opened\",\"order\":1", REPLAY_DIFFERENT,
     "does not send"},
    {"an order beyond all bounds", "\"label\":\"opened\",\"order\":",
     "\"label\":\"opened\",\"order\":900000000000", REPLAY_IMPOSSIBLE, "more by then"},
    {"a time beyond all bounds", "\"at_us\":", "\"at_us\":900000000000000", REPLAY_IMPOSSIBLE,
     "lasts that long"},
    {"an unknown event", "\"label\":\"opened\"", "\"label\":\"closed\"", REPLAY_IMPOSSIBLE, "be told that"},
    {"no beginning", ",\"begins\":true", "", REPLAY_IMPOSSIBLE, "when the session began"},
    {"a seed", "\"seed\":", "\"seed\":1", REPLAY_DIFFERENT, "its text"},
    {"a message that nobody sent", "\"label\":\"audio\",\"from\":\"client\",\"event\":\"binary\"",
     "\"label\":\"audio\",\"from\":\"client\",\"event\":\"ping\"", REPLAY_IMPOSSIBLE, "message"},
    {"the client's request is gone", "\"event\":\"request\"", "\"event\":\"ping\"", REPLAY_IMPOSSIBLE,
     "not in the journal"},
};

static void replace_once(const struct buffer *in, const char *find, const char *replace, struct buffer *out)
{
    buffer_init(out, JOURNAL_BYTES_MAX);
    const struct bytes text = buffer_bytes(in);
    size_t at = 0;
    while (text.data[at] != '\n')
        at++;
    while (at + strlen(find) <= text.len && memcmp(text.data + at, find, strlen(find)) != 0)
        at++;
    ck_assert_msg(at + strlen(find) <= text.len, "%s", find);
    const size_t rest = at + strlen(find);
    ck_assert(buffer_append(out, bytes_of(text.data, at)) && buffer_append(out, bytes_of_text(replace)) &&
              buffer_append(out, bytes_of(text.data + rest, text.len - rest)));
}

START_TEST(a_change_in_the_journal_is_found)
{
    struct recorded recorded;
    struct buffer changed;
    struct replay_result result;
    record(SAME[0].script, SAME[0].profile, &recorded);
    replace_once(&recorded.text, CHANGED[_i].find, CHANGED[_i].replace, &changed);
    replay_text(buffer_bytes(&changed), &recorded.script->played, &result);
    ck_assert_msg(result.outcome == CHANGED[_i].outcome, "%s: %d: %s", CHANGED[_i].name, (int)result.outcome,
                  result.text);
    ck_assert_msg(strstr(result.text, CHANGED[_i].says) != NULL, "%s: %s", CHANGED[_i].name, result.text);
    buffer_free(&changed);
    recorded_free(&recorded);
}
END_TEST

START_TEST(a_journal_cut_after_any_line_replays_as_far_as_it_goes)
{
    struct recorded recorded;
    struct replay_result result;
    uint64_t messages = 0;
    record(SAME[3].script, SAME[3].profile, &recorded);
    for (size_t i = 0; i < recorded.text.len; i++) {
        if (recorded.text.data[i] != '\n' || i % 7 != 0) /* some of the lines do */
            continue;
        replay_text(bytes_of(recorded.text.data, i + 1), &recorded.script->played, &result);
        ck_assert_msg(result.outcome == REPLAY_IDENTICAL, "%s", result.text);
        ck_assert_uint_ge(result.messages, messages);
        messages = result.messages;
    }
    ck_assert_uint_gt(messages, 100);
    recorded_free(&recorded);
}
END_TEST

START_TEST(without_its_script_the_session_is_another)
{
    struct recorded recorded;
    struct replay_result result;
    record(SAME[5].script, SAME[5].profile, &recorded);
    replay_text(buffer_bytes(&recorded.text), NULL, &result);
    ck_assert_int_ne(result.outcome, REPLAY_IDENTICAL);
    recorded_free(&recorded);
}
END_TEST

START_TEST(the_engine_knows_its_events_by_name)
{
    for (int kind = ENGINE_REQUEST; kind <= ENGINE_TICK; kind++) {
        enum engine_event_kind back = ENGINE_REQUEST;
        ck_assert(engine_event_by_name(engine_event_name((enum engine_event_kind)kind), &back));
        ck_assert_int_eq(back, kind);
    }
    enum engine_event_kind none = ENGINE_TICK;
    ck_assert(!engine_event_by_name("opene", &none));
    ck_assert_int_eq(none, ENGINE_TICK);
}
END_TEST

int main(void)
{
    char error[PERSONA_ERROR_MAX] = "";
    persona = persona_new(WIDTH, HEIGHT, error);
    if (persona == NULL) {
        fprintf(stderr, "%s\n", error);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < SPEECH_SAMPLES; i++)
        speech[i] = (int16_t)((int)(i * 37 % 20001) - 10000);
    TCase *tcase = tcase_create("replay");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_replay_is_identical, 0, TABLE_COUNT(SAME));
    tcase_add_loop_test(tcase, a_change_in_the_journal_is_found, 0, TABLE_COUNT(CHANGED));
    tcase_add_test(tcase, a_journal_cut_after_any_line_replays_as_far_as_it_goes);
    tcase_add_test(tcase, without_its_script_the_session_is_another);
    tcase_add_test(tcase, the_engine_knows_its_events_by_name);
    const int failed = suite_run("replay", tcase);
    persona_free(persona);
    return failed;
}
