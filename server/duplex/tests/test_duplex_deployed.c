/* What the public server does beside the document: each quirk of the set deployed-server, and the set. */
#include "codec/tests/suite.h"
#include "server/duplex/quirk.h"
#include "server/duplex/session_class.h"
#include "server/duplex/tests/talk.h"
#include "server/script/script.h"

#define UPDATE(voice) "{\"type\":\"session.update\",\"session\":{\"instructions\":\"Be kind.\"" voice "}}"

/* ---- setting up ---- */

static const struct {
    const char *head;
    const char *quirks;
    const char *label;
} MODES[] = {{TALK_HEAD("?mode=chat"), "any-mode", "accept"},
             {TALK_HEAD("?mode="), "any-mode", "accept"},
             {TALK_HEAD("?mode=chat"), "deployed-server", "accept"},
             {TALK_HEAD("?mode=audio"), "deployed-server", "accept"},
             {TALK_HEAD("?mode=chat"), "", "refuse"}};

START_TEST(any_mode_is_served)
{
    struct talk talk;
    talk_new(&talk, "video", MODES[_i].quirks, NULL);
    talk_request(&talk, MODES[_i].head);
    ck_assert_str_eq(talk.said[0].label, MODES[_i].label);
    talk_free(&talk);
}
END_TEST

/* Eight bytes: two samples; an infinite one; three bytes; a WAV at 8 kHz in its first bytes. */
static const struct {
    const char *json;
    const char *quirks;
    bool taken;
} VOICES[] = {
    {UPDATE(",\"ref_audio\":\"AAAAAAAAAAA=\""), "float32-voices", true},
    {UPDATE(",\"tts_ref_audio\":\"AAAAAAAAAAA=\""), "float32-voices", true},
    {UPDATE(",\"ref_audio\":\"AAAAAAAAAAA=\""), "", false},
    {UPDATE(",\"ref_audio\":\"AACAfw==\""), "float32-voices", false},
    {UPDATE(",\"ref_audio\":\"AAAA\""), "float32-voices", false},
    {UPDATE(",\"ref_audio\":\"@\""), "float32-voices", false},
    {UPDATE(",\"ref_audio\":\"\""), "float32-voices", false},
};

START_TEST(a_voice_may_be_raw_float32)
{
    struct talk talk;
    talk_new(&talk, "video", VOICES[_i].quirks, NULL);
    talk_request(&talk, TALK_HEAD("?mode=video"));
    talk_run(&talk, 0);
    talk_text(&talk, VOICES[_i].json);
    talk_run(&talk, TALK_SECOND_US);
    ck_assert_msg(talk_count(&talk, "created") == (VOICES[_i].taken ? 1 : 0), "%s", VOICES[_i].json);
    ck_assert_uint_eq(talk_errors(&talk, "invalid_payload"), VOICES[_i].taken ? 0 : 1);
    talk_free(&talk);
}
END_TEST

START_TEST(a_second_update_begins_a_new_context_of_the_same_session)
{
    struct talk talk;
    talk_begin(&talk, "video", "created-again");
    talk_seconds(&talk, 5, TALK_SILENCE);
    const int64_t before = talk_last(&talk, "listen")->kv;
    talk_update(&talk);
    talk_seconds(&talk, 1, TALK_SILENCE);
    ck_assert_uint_eq(talk_count(&talk, "created"), 2);
    ck_assert_str_eq(talk_nth(&talk, "created", 1)->word, talk_nth(&talk, "created", 0)->word);
    ck_assert_int_lt(talk_last(&talk, "listen")->kv, before);
    ck_assert_uint_eq(talk_count(&talk, "error"), 0);
    talk_text(&talk, "{\"type\":\"session.update\",\"session\":{}}");
    ck_assert_uint_eq(talk_count(&talk, "error"), 1);
    talk_wait(&talk, TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "created"), 2);
    talk_free(&talk);
}
END_TEST

/* ---- answers ---- */

static const struct {
    const char *quirk;
    bool early; /* before session.update */
    const char *json;
    const char *code; /* of the error; NULL: none */
    uint16_t close;   /* 0: it goes on */
} ANSWERS[] = {
    {"appends-fail", true, "{\"type\":\"input_audio_buffer.append\"}", "inference_failed", 0},
    {"appends-fail", true, "{\"type\":\"session.close\"}", "not_ready", 0},
    {"appends-fail", false, "{\"type\":\"input_audio_buffer.append\"}", "inference_failed", 0},
    {"appends-fail", false, "{\"type\":\"input_audio_buffer.append\",\"audio\":\"\"}", "inference_failed", 0},
    {"appends-fail", false, "{\"type\":\"input_audio_buffer.append\",\"audio\":null}", "inference_failed", 0},
    {"appends-fail", false, "{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAAAAA==\"}",
     "invalid_payload", 0},
    {"ignores-unknown", false, "{\"type\":\"response.cancel\"}", NULL, 0},
    {"ignores-unknown", false, "{\"type\":\"response.listen\"}", NULL, 0},
    {"ignores-unknown", false, "{\"no\":\"type\"}", NULL, 0},
    {"ignores-unknown", true, "{\"type\":\"response.cancel\"}", NULL, 0},
    {"ignores-unknown", false, "[]", "invalid_payload", 0},
    {"undecodable-closes", false, "{\"type\":\"input_audio_buffer.append\",\"audio\":\"@@@@\"}", NULL, 1000},
    {"undecodable-closes", false, "{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAAA\"}", NULL, 1000},
    {"undecodable-closes", true, UPDATE(",\"ref_audio\":\"AAAA\""), NULL, 1000},
    {"undecodable-closes", false, "{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAAAAA==\"}",
     "invalid_payload", 0},
    {"undecodable-closes", false, "{\"type\":\"input_audio_buffer.append\"}", "missing_field", 0},
    {"undecodable-closes", false, "{\"type\":", NULL, 1003},
};

START_TEST(a_message_is_answered_as_the_deployed_server_does)
{
    struct talk talk;
    talk_new(&talk, "video", ANSWERS[_i].quirk, NULL);
    talk_request(&talk, TALK_HEAD("?mode=video"));
    talk_run(&talk, 0);
    if (!ANSWERS[_i].early)
        talk_update(&talk);
    talk_run(&talk, 0);
    talk_text(&talk, ANSWERS[_i].json);
    talk_wait(&talk, TALK_SECOND_US);
    ck_assert_msg(talk_count(&talk, "error") == (ANSWERS[_i].code == NULL ? 0 : 1), "%s", ANSWERS[_i].json);
    if (ANSWERS[_i].code != NULL)
        ck_assert_str_eq(talk_last(&talk, "error")->word, ANSWERS[_i].code);
    ck_assert_uint_eq(talk_count(&talk, "closed"), 0);
    ck_assert_uint_eq(talk_count(&talk, "close"), ANSWERS[_i].close == 0 ? 0 : 1);
    if (ANSWERS[_i].close != 0)
        ck_assert_uint_eq(talk_last(&talk, "close")->code, ANSWERS[_i].close);
    talk_free(&talk);
}
END_TEST

static const size_t APPENDS[] = {4000, 5600, 16000, 20000};

/* Whatever their length, through a turn and after it. */
START_TEST(each_append_gets_one_result)
{
    enum { COUNT = 60 };
    struct talk talk;
    const size_t samples = APPENDS[_i];
    talk_begin(&talk, "audio", "hasty-listen");
    for (size_t i = 0; i < COUNT; i++) {
        const enum talk_sound sound = i < 32000 / samples ? TALK_SPEECH : TALK_SILENCE;
        talk_append(&talk, (struct talk_append){.sound = sound, .samples = samples, .force = i == COUNT / 2});
        talk_wait(&talk, (uint64_t)samples * 1000000 / 16000);
    }
    talk_wait(&talk, TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "listen") + talk_count(&talk, "delta"), COUNT);
    ck_assert_uint_gt(talk_count(&talk, "delta"), 3);
    ck_assert_uint_gt(talk_count(&talk, "listen"), 3);
    talk_free(&talk);
}
END_TEST

/* ---- the end ---- */

START_TEST(it_closes_right_after_closed)
{
    struct talk talk;
    talk_begin(&talk, "video", "closes-at-once");
    talk_close(&talk);
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_last(&talk, "close")->at_us, talk_last(&talk, "closed")->at_us);
    ck_assert_uint_eq(talk_last(&talk, "close")->code, 1000);
    talk_free(&talk);
}
END_TEST

/* Silence until the context is full. */
static void fill_context(struct talk *talk)
{
    talk_begin(talk, "video", "cache-used=8000 context-lingers");
    for (size_t i = 0; i < 20 && talk_count(talk, "closed") == 0; i++)
        talk_seconds(talk, 1, TALK_SILENCE);
    ck_assert_str_eq(talk_last(talk, "closed")->word, "context_full");
    ck_assert_str_eq(talk->said[talk->count - 2].label, "delta");
    ck_assert_int_eq(talk->said[talk->count - 2].kv, 8192);
    ck_assert_str_eq(talk->said[talk->count - 1].label, "closed");
}

START_TEST(a_full_context_listens_until_the_client_closes)
{
    struct talk talk;
    fill_context(&talk);
    const size_t listens = talk_count(&talk, "listen");
    talk_seconds(&talk, 3, TALK_SPEECH);
    talk_append(&talk, (struct talk_append){.samples = 4000});
    talk_append(&talk, (struct talk_append){.samples = 4000});
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_count(&talk, "listen"), listens + 5);
    ck_assert_uint_eq(talk_count(&talk, "delta"), 1);
    talk_append(&talk, (struct talk_append){.samples = 4000});
    talk_close(&talk);
    talk_close(&talk);
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_count(&talk, "listen"), listens + 6);
    ck_assert_uint_eq(talk_count(&talk, "closed"), 2);
    ck_assert_str_eq(talk_last(&talk, "closed")->word, "stopped");
    ck_assert_uint_eq(talk_count(&talk, "close"), 0);
    talk_wait(&talk, 2 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "close"), 1);
    talk_free(&talk);
}
END_TEST

START_TEST(a_full_context_lingers_no_longer_than_a_session_lasts)
{
    struct talk talk;
    fill_context(&talk);
    talk_run(&talk, 300 * TALK_SECOND_US - 1);
    ck_assert_uint_eq(talk_count(&talk, "close"), 0);
    talk_run(&talk, 300 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "closed"), 1);
    ck_assert_uint_eq(talk_last(&talk, "close")->code, 1000);
    talk_free(&talk);
}
END_TEST

/* ---- the set ---- */

START_TEST(the_set_is_all_of_its_quirks)
{
    struct quirks set = {{0}}, each = {{0}};
    char error[QUIRK_ERROR_MAX], written[QUIRKS_TEXT_MAX];
    struct text text = text_of(written, sizeof written);
    const struct quirk_kind *kind = &DUPLEX_QUIRKS[DUPLEX_QUIRK_DEPLOYED_SERVER];
    ck_assert(quirk_set_all(&set, DUPLEX_QUIRKS, bytes_of_text("deployed-server"), error));
    ck_assert_msg(quirk_set_all(&each, DUPLEX_QUIRKS, bytes_of_text(kind->choices), error), "%s", error);
    ck_assert_mem_eq(&set, &each, sizeof set);
    ck_assert_uint_eq(set.value[DUPLEX_QUIRK_DEPLOYED_SERVER], 0);
    ck_assert_uint_eq(set.value[DUPLEX_QUIRK_NOT_READY_403], 0);
    ck_assert_uint_eq(set.value[DUPLEX_QUIRK_PERMESSAGE_DEFLATE], HOST_DEFLATE_TAKEN);
    quirk_write_all(&text, DUPLEX_QUIRKS, &set);
    ck_assert_msg(!text.cut && strstr(written, "context-lingers=on") != NULL, "%s", written);
    ck_assert(quirk_set_all(&set, DUPLEX_QUIRKS, bytes_of_text("any-mode=off wait=7s"), error));
    ck_assert_uint_eq(set.value[DUPLEX_QUIRK_ANY_MODE], 0);
    ck_assert(quirk_set_all(&set, DUPLEX_QUIRKS, bytes_of_text("deployed-server=off"), error));
    ck_assert_uint_eq(set.value[DUPLEX_QUIRK_CONTEXT_LINGERS], 0);
    ck_assert_uint_eq(set.value[DUPLEX_QUIRK_WAIT], 7000000);
    ck_assert(!quirk_set_all(&set, DUPLEX_QUIRKS, bytes_of_text("deployed-server=3"), error));
    ck_assert_str_eq(error, "quirk deployed-server: expected no value, on or off, found \"3\"");
}
END_TEST

START_TEST(a_script_sets_the_whole_set)
{
    char error[SCRIPT_ERROR_MAX];
    struct script *script =
        script_parse_steps("test", bytes_of_text("quirk deployed-server\naccept\nserve until=close\n"), false,
                           &DUPLEX_SESSION_CLASS, error);
    ck_assert_msg(script != NULL, "%s", error);
    struct quirks set = {{0}}, step = {{0}};
    ck_assert(quirk_set_all(&set, DUPLEX_QUIRKS, bytes_of_text("deployed-server"), error));
    for (size_t i = 0; i < script->steps[0].quirk_count; i++)
        step.value[script->steps[0].quirks[i].row] = script->steps[0].quirks[i].value;
    ck_assert_mem_eq(&set, &step, sizeof set);
    script_free(script);
}
END_TEST

START_TEST(a_session_of_the_set_speaks_and_ends)
{
    struct talk talk;
    talk_begin(&talk, "video", "deployed-server");
    talk_seconds(&talk, 1, TALK_SPEECH);
    talk_seconds(&talk, 9, TALK_SILENCE);
    ck_assert_uint_eq(talk_count(&talk, "listen") + talk_count(&talk, "delta"), 10);
    ck_assert(talk_last(&talk, "delta")->end_of_turn);
    talk_close(&talk);
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_last(&talk, "close")->code, 1000);
    ck_assert_str_eq(talk_last(&talk, "closed")->word, "stopped");
    ck_assert_uint_eq(talk_count(&talk, "error"), 0);
    talk_free(&talk);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("deployed");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, any_mode_is_served, 0, TABLE_COUNT(MODES));
    tcase_add_loop_test(tcase, a_voice_may_be_raw_float32, 0, TABLE_COUNT(VOICES));
    tcase_add_test(tcase, a_second_update_begins_a_new_context_of_the_same_session);
    tcase_add_loop_test(tcase, a_message_is_answered_as_the_deployed_server_does, 0, TABLE_COUNT(ANSWERS));
    tcase_add_loop_test(tcase, each_append_gets_one_result, 0, TABLE_COUNT(APPENDS));
    tcase_add_test(tcase, it_closes_right_after_closed);
    tcase_add_test(tcase, a_full_context_listens_until_the_client_closes);
    tcase_add_test(tcase, a_full_context_lingers_no_longer_than_a_session_lasts);
    tcase_add_test(tcase, the_set_is_all_of_its_quirks);
    tcase_add_test(tcase, a_script_sets_the_whole_set);
    tcase_add_test(tcase, a_session_of_the_set_speaks_and_ends);
    return suite_run("duplex deployed", tcase);
}
