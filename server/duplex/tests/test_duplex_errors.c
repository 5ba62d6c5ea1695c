/* What is wrong with a client's message, and what it is answered with; and the quirks. 002 Error Codes. */
#include "codec/tests/suite.h"
#include "server/duplex/session_class.h"
#include "server/duplex/tables.h"
#include "server/duplex/tests/talk.h"

static const struct {
    const char *json;
    const char *code;
} FAULTS[] = {
    {"{\"type\":\"no.such.event\"}", "unknown_event"},
    {"{\"type\":\"response.listen\"}", "unknown_event"},
    {"{\"type\":\"input_audio_buffer.append\"}", "missing_field"},
    {"{\"type\":\"input_audio_buffer.append\",\"audio\":7}", "invalid_payload"},
    {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"@@@@\"}", "invalid_payload"},
    {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"AAAAAA==\"}", "invalid_payload"},
    {"{\"type\":\"session.update\",\"session\":{\"instructions\":\"again\"}}", "not_ready"},
};

/* Read in its turn, then ahead of it. */
START_TEST(a_fault_is_answered_and_the_session_goes_on)
{
    const size_t row = (size_t)_i % TABLE_COUNT(FAULTS);
    struct talk talk;
    talk_begin(&talk, "video", "");
    talk.reads_ahead = (size_t)_i >= TABLE_COUNT(FAULTS);
    talk_seconds(&talk, 1, TALK_SILENCE);
    talk_text(&talk, FAULTS[row].json);
    ck_assert_uint_eq(talk_errors(&talk, FAULTS[row].code), 1);
    talk_seconds(&talk, 3, TALK_SILENCE);
    ck_assert_uint_eq(talk_count(&talk, "listen"), 4);
    ck_assert_uint_eq(talk_count(&talk, "close"), 0);
    talk_finish(&talk);
    talk_check_sound(&talk);
    talk_free(&talk);
}
END_TEST

/* Every picture is decoded: one that only begins like a JPEG is none. */
START_TEST(a_picture_that_is_none_is_refused)
{
    struct talk talk;
    char head[] = "{\"type\":\"input_audio_buffer.append\",\"video_frames\":[\"/9j/2Q==\"],\"audio\":\"";
    enum { BASE64_CHARS = 21344 };
    struct buffer json;
    talk_begin(&talk, "video", "");
    talk.reads_ahead = _i > 0;
    buffer_init(&json, 100000);
    ck_assert(buffer_append(&json, bytes_of_text(head)));
    for (size_t i = 0; i < BASE64_CHARS; i++)
        ck_assert(buffer_append(&json, bytes_of_text("A")));
    ck_assert(buffer_append(&json, bytes_of_text("\"}")));
    talk_event(&talk, SESSION_TEXT, buffer_bytes(&json));
    ck_assert_uint_eq(talk_errors(&talk, "invalid_payload"), 1);
    ck_assert_ptr_nonnull(strstr(talk_last(&talk, "error")->text, "video_frames"));
    buffer_free(&json);
    talk_free(&talk);
}
END_TEST

START_TEST(before_created_only_an_update_passes)
{
    struct talk talk;
    talk_new(&talk, "video", "created-late=2s", NULL);
    talk_request(&talk, TALK_HEAD("?mode=video"));
    talk_run(&talk, 0);
    talk_append(&talk, (struct talk_append){.samples = 0});
    talk_text(&talk, "{\"type\":\"session.close\"}");
    talk_update(&talk);
    talk_update(&talk);
    talk_append(&talk, (struct talk_append){.samples = 0});
    ck_assert_uint_eq(talk_errors(&talk, "not_ready"), 4);
    talk_run(&talk, 3 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "created"), 1);
    ck_assert_uint_eq(talk_count(&talk, "listen"), 0);
    talk_free(&talk);
}
END_TEST

START_TEST(null_for_what_is_not_sent_is_no_fault)
{
    struct talk talk;
    char head[] = "{\"type\":\"input_audio_buffer.append\",\"video_frames\":null,\"force_listen\":null,"
                  "\"max_slice_nums\":null,\"audio\":\"";
    enum { BASE64_CHARS = 85344 };
    struct buffer json;
    talk_new(&talk, "audio", "", NULL);
    talk_request(&talk, TALK_HEAD("?mode=audio"));
    talk_run(&talk, 0);
    talk_text(&talk,
              "{\"type\":\"session.update\",\"session\":{\"instructions\":\"\",\"max_slice_nums\":null,"
              "\"ref_audio\":null,\"tts_ref_audio\":null}}");
    talk_run(&talk, TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "created"), 1);
    buffer_init(&json, 100000);
    ck_assert(buffer_append(&json, bytes_of_text(head)));
    for (size_t i = 0; i < BASE64_CHARS; i++)
        ck_assert(buffer_append(&json, bytes_of_text("A")));
    ck_assert(buffer_append(&json, bytes_of_text("\"}")));
    talk_event(&talk, SESSION_TEXT, buffer_bytes(&json));
    buffer_free(&json);
    talk_run(&talk, 3 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "listen"), 1);
    talk_text(&talk, "{\"type\":\"session.close\",\"reason\":null}");
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_count(&talk, "closed"), 1);
    ck_assert_uint_eq(talk_count(&talk, "error"), 0);
    talk_free(&talk);
}
END_TEST

static const char *const NOT_JSON[] = {"", "hello", "{", "{\"type\":}", "\xff"};

START_TEST(what_is_no_json_closes_with_1003)
{
    struct talk talk;
    talk_begin(&talk, "video", "");
    talk_text(&talk, NOT_JSON[_i]);
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_last(&talk, "close")->code, 1003);
    ck_assert_uint_eq(talk_count(&talk, "closed"), 0);
    talk_free(&talk);
}
END_TEST

START_TEST(a_binary_message_closes_with_1003)
{
    struct talk talk;
    talk_begin(&talk, "video", "");
    talk_event(&talk, SESSION_BINARY, bytes_of("\1\2", 2));
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_last(&talk, "close")->code, 1003);
    talk_free(&talk);
}
END_TEST

static const struct {
    const char *query;
    const char *label;
} MODES[] = {{TALK_HEAD("?mode=video"), "accept"},
             {TALK_HEAD("?mode=audio"), "accept"},
             {TALK_HEAD(""), "accept"},
             {TALK_HEAD("?mode=text"), "refuse"},
             {TALK_HEAD("?mode="), "refuse"},
             {TALK_HEAD("?a=b&mode=%61udio"), "accept"}};

START_TEST(there_are_two_modes)
{
    struct talk talk;
    talk_new(&talk, "video", "", NULL);
    talk_request(&talk, MODES[_i].query);
    ck_assert_str_eq(talk.said[0].label, MODES[_i].label);
    if (talk.said[0].kind == ACTION_REFUSE)
        ck_assert_uint_eq(talk.said[0].code, 400);
    talk_free(&talk);
}
END_TEST

/* ---- quirks ---- */

static bool has_error(const struct talk *talk, const char *code)
{
    return talk_errors(talk, code) > 0;
}

static bool every_delta(const struct talk *talk, bool (*holds)(const struct said *delta))
{
    bool all = talk_count(talk, "delta") > 1;
    for (size_t i = 0; i < talk_count(talk, "delta"); i++)
        all = all && holds(talk_nth(talk, "delta", i));
    return all;
}

static bool is_without_cache(const struct said *delta)
{
    return !delta->has_kv && delta->fault;
}

static bool check_inference_error(const struct talk *talk)
{
    return has_error(talk, "inference_error") && talk_count(talk, "closed") == 0;
}

static bool check_inference_failed(const struct talk *talk)
{
    return has_error(talk, "inference_failed") && !has_error(talk, "inference_error");
}

static bool check_null_audio(const struct talk *talk)
{
    const struct said *second = talk_nth(talk, "delta", 1);
    return second->fault && !second->has_audio && talk_nth(talk, "delta", 0)->has_audio;
}

static bool check_empty_text(const struct talk *talk)
{
    return talk_nth(talk, "delta", 1)->text[0] == '\0' && talk_nth(talk, "delta", 0)->text[0] != '\0';
}

static bool check_no_cache(const struct talk *talk)
{
    return every_delta(talk, is_without_cache);
}

static bool check_context(const struct talk *talk)
{
    const struct said *last = &talk->said[talk->count - 1];
    return strcmp(talk_last(talk, "closed")->word, "context_full") == 0 && last->kind == ACTION_CLOSE &&
           talk_last(talk, "delta")->at_us == talk_last(talk, "closed")->at_us;
}

static bool check_shutdown(const struct talk *talk)
{
    return strcmp(talk_last(talk, "closed")->word, "server_shutdown") == 0;
}

static bool check_fatal(const struct talk *talk)
{
    return strcmp(talk_last(talk, "closed")->word, "error") == 0;
}

static bool check_greets(const struct talk *talk)
{
    return talk_nth(talk, "delta", 0)->at_us < TALK_SECOND_US;
}

static bool check_burst(const struct talk *talk)
{
    return talk_nth(talk, "delta", 0)->at_us == talk_nth(talk, "delta", 3)->at_us;
}

static bool check_uneven(const struct talk *talk)
{
    return talk_nth(talk, "delta", 1)->samples == 23900;
}

static bool check_text_late(const struct talk *talk)
{
    return talk_nth(talk, "delta", 0)->text[0] == '\0' && talk_nth(talk, "delta", 3)->text[0] != '\0';
}

static bool check_unknown(const struct talk *talk)
{
    return talk_last(talk, "text")->type == DUPLEX_MESSAGE_OTHER;
}

static bool check_extra(const struct talk *talk)
{
    return talk_last(talk, "listen")->faults == 0 &&
           strstr(talk_last(talk, "listen")->text, "\"server_id\"") != NULL;
}

static bool check_id(const struct talk *talk)
{
    return strcmp(talk_last(talk, "created")->word, "session-1") == 0;
}

static bool check_done_twice(const struct talk *talk)
{
    return talk_count(talk, "queue_done") == 2;
}

static bool check_turn_length(const struct talk *talk)
{
    return talk_nth(talk, "delta", 1)->end_of_turn && talk->heard.len == 4 * 40000;
}

static bool check_impatient(const struct talk *talk)
{
    return strcmp(talk_last(talk, "closed")->word, "stopped") == 0;
}

static bool check_endless_context(const struct talk *talk)
{
    return talk_count(talk, "closed") == 0 && talk_last(talk, "listen")->kv == 8192;
}

static bool check_fall(const struct talk *talk)
{
    for (size_t i = 0; i + 1 < talk_count(talk, "listen"); i++)
        if (talk_nth(talk, "listen", i + 1)->kv < talk_nth(talk, "listen", i)->kv)
            return true;
    return false;
}

static bool check_fatal_inference(const struct talk *talk)
{
    return has_error(talk, "inference_error") && talk_count(talk, "closed") == 1;
}

/* A second of speech and nine of silence, then nine without anything. */
static const struct {
    const char *quirks;
    bool (*holds)(const struct talk *talk);
} QUIRKS[] = {
    {"inference-error=3", check_inference_error},
    {"inference-error=3 inference-failed", check_inference_failed},
    {"null-audio=2", check_null_audio},
    {"empty-text=2", check_empty_text},
    {"no-cache-length", check_no_cache},
    {"cache-used=8000 after-closed=2", check_context},
    {"shutdown=4s", check_shutdown},
    {"fatal-error=4s", check_fatal},
    {"greets", check_greets},
    {"burst", check_burst},
    {"uneven", check_uneven},
    {"text-late", check_text_late},
    {"unknown-events", check_unknown},
    {"extra-members", check_extra},
    {"bad-session-id", check_id},
    {"queue-done-twice", check_done_twice},
    {"turn-length=1666667us", check_turn_length},
    {"impatient=3s", check_impatient},
    {"cache-used=8100 endless-context", check_endless_context},
    {"cache-falls", check_fall},
    {"inference-fatal", check_fatal_inference},
};

START_TEST(a_quirk_does_what_it_says)
{
    struct talk talk;
    talk_begin(&talk, "video", QUIRKS[_i].quirks);
    talk_seconds(&talk, 1, TALK_SPEECH);
    talk_seconds(&talk, 9, TALK_SILENCE);
    talk_wait(&talk, 9 * TALK_SECOND_US);
    ck_assert_msg(QUIRKS[_i].holds(&talk), "%s", QUIRKS[_i].quirks);
    talk_free(&talk);
}
END_TEST

/* ---- what scripts send ---- */

START_TEST(a_script_sends_deltas_whose_sound_goes_on)
{
    struct talk talk;
    const struct compose_option first[] = {{"audio", "coded"}, {"source", "7"}, {"samples", "12000"}};
    const struct compose_option last[] = {
        {"audio", "coded"}, {"samples", "500"}, {"text", "so"}, {"end_of_turn", "true"}};
    talk_begin(&talk, "video", "");
    talk_compose(&talk, "delta", first, 3);
    talk_compose(&talk, "delta", last, 4);
    ck_assert_uint_eq(talk_count(&talk, "delta"), 2);
    ck_assert_str_eq(talk_last(&talk, "delta")->text, "so");
    ck_assert(!talk_last(&talk, "delta")->fault);
    ck_assert_uint_eq(talk.heard.len, 4 * 12500);
    talk_free(&talk);
}
END_TEST

static const struct {
    const char *kind;
    struct compose_option option;
    bool fault;
} SENDS[] = {
    {"queued", {"position", "4"}, false},
    {"queue_update", {"wait", "12"}, false},
    {"queue_done", {"extra", "\"worker\":3"}, false},
    {"created", {"session_id", "absent"}, true},
    {"delta", {"audio", "bad"}, true},
    {"delta", {"audio", "odd"}, true},
    {"delta", {"audio", "nan"}, true},
    {"delta", {"audio", "null"}, true},
    {"delta", {"audio", "absent"}, true},
    {"delta", {"audio", "empty"}, false},
    {"delta", {"end_of_turn", "absent"}, true},
    {"listen", {"kv_cache_length", "absent"}, true},
    {"listen", {"kv_cache_length", "12"}, false},
    {"closed", {"reason", "timeout"}, false},
    {"error", {"code", "invalid_event"}, false},
    {"text", {"text", "oops"}, true},
    {"json", {"text", "{\"type\":\"later\"}"}, false},
    {"binary", {"hex", "00ff"}, true},
    {"ping", {"data", "x"}, false},
};

START_TEST(a_script_sends_any_message)
{
    struct talk talk;
    talk_begin(&talk, "video", "");
    talk_compose(&talk, SENDS[_i].kind, &SENDS[_i].option, 1);
    ck_assert_msg(talk.said[talk.count - 1].fault == SENDS[_i].fault, "%s", SENDS[_i].kind);
    talk_free(&talk);
}
END_TEST

static const struct {
    const char *kind;
    struct compose_option option;
    const char *expected;
} WRONG[] = {
    {"delta", {"audio", "loud"}, "audio: expected speech, coded"},
    {"delta", {"samples", "1000000"}, "samples: expected"},
    {"delta", {"end_of_turn", "yes"}, "end_of_turn: expected true, false or absent"},
    {"listen", {"kv_cache_length", "x"}, "kv_cache_length: expected"},
    {"listen", {"text", "x"}, "send listen takes no text"},
    {"json", {"text", "{"}, "text: expected JSON"},
    {"binary", {"hex", "0"}, "hex: expected"},
    {"speech", {"text", "x"}, "there is no message called speech"},
};

START_TEST(what_is_wrong_with_an_option_is_said)
{
    char error[200];
    ck_assert(!DUPLEX_SESSION_CLASS.compose(NULL, 0, WRONG[_i].kind, &WRONG[_i].option, 1, NULL, error));
    ck_assert_msg(strstr(error, WRONG[_i].expected) == error, "%s", error);
}
END_TEST

static const struct {
    const char *json;
    const char *type;
} TYPES[] = {
    {"{\"type\":\"session.update\",\"session\":{}}", "session.update"},
    {"{\"session\":{\"type\":\"session.close\"},\"type\" : \"session.update\"}", "session.update"},
    {"{\"a\":\"\\\"type\\\":\",\"type\":\"session.close\"}", "session.close"},
    {"{\"type\":\"input.append\"}", "input_audio_buffer.append"},
    {"{\"type\":\"session.init\"}", "session.update"},
    {"{\"type\":7}", "other"},
    {"[\"type\"]", "other"},
    {"{\"type\":\"session.clo", "other"},
    {"", "other"},
};

START_TEST(a_message_is_named_by_its_type)
{
    ck_assert_str_eq(DUPLEX_SESSION_CLASS.classify(false, bytes_of_text(TYPES[_i].json)), TYPES[_i].type);
}
END_TEST

/* Each name is understood: the steps of a fault, and what a card stands for. */
START_TEST(every_fault_and_card_can_be_had)
{
    char error[BEHAVIOUR_ERROR_MAX];
    char id[TALK_TEXT_MAX];
    size_t count = 0;
    for (const struct fault_kind *kind = DUPLEX_FAULTS; kind->name != NULL; kind++, count++) {
        struct behaviour behaviour;
        behaviour_init(&behaviour);
        ck_assert_msg(behaviour_add(&behaviour, &DUPLEX_SESSION_CLASS, bytes_of_text(kind->name), error),
                      "%s", error);
        ck_assert_ptr_nonnull(behaviour.script);
        behaviour_free(&behaviour);
    }
    for (const struct card_alias *card = DUPLEX_CARDS; card->name != NULL; card++, count++) {
        struct behaviour behaviour;
        struct text text = text_of(id, sizeof id);
        text_add(&text, "mock.");
        text_add(&text, card->name);
        behaviour_init(&behaviour);
        ck_assert_msg(card_add(&behaviour, &DUPLEX_SESSION_CLASS, bytes_of_text(id), error), "%s", error);
        behaviour_free(&behaviour);
    }
    ck_assert_uint_gt(count, 40);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("errors");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_fault_is_answered_and_the_session_goes_on, 0, 2 * TABLE_COUNT(FAULTS));
    tcase_add_loop_test(tcase, a_picture_that_is_none_is_refused, 0, 2);
    tcase_add_test(tcase, before_created_only_an_update_passes);
    tcase_add_test(tcase, null_for_what_is_not_sent_is_no_fault);
    tcase_add_loop_test(tcase, what_is_no_json_closes_with_1003, 0, TABLE_COUNT(NOT_JSON));
    tcase_add_test(tcase, a_binary_message_closes_with_1003);
    tcase_add_loop_test(tcase, there_are_two_modes, 0, TABLE_COUNT(MODES));
    tcase_add_loop_test(tcase, a_quirk_does_what_it_says, 0, TABLE_COUNT(QUIRKS));
    tcase_add_test(tcase, a_script_sends_deltas_whose_sound_goes_on);
    tcase_add_loop_test(tcase, a_script_sends_any_message, 0, TABLE_COUNT(SENDS));
    tcase_add_loop_test(tcase, what_is_wrong_with_an_option_is_said, 0, TABLE_COUNT(WRONG));
    tcase_add_test(tcase, every_fault_and_card_can_be_had);
    tcase_add_loop_test(tcase, a_message_is_named_by_its_type, 0, TABLE_COUNT(TYPES));
    return suite_run("duplex errors", tcase);
}
