/* What stands in the messages of the family, as the journal, the control interface and the judge ask for it.
 */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/crc32.h"
#include "server/duplex/messages.h"

/* 0.0, 1.0, 2.0, -1.0 as float32, little-endian. */
#define SOUND     "AAAAAAAAgD8AAABAAACAvw=="
#define APPEND(x) "{\"type\":\"input_audio_buffer.append\",\"audio\":\"" SOUND "\"" x "}"
#define ERROR(code, type)                                                                                    \
    "{\"type\":\"error\",\"error\":{\"code\":\"" code "\",\"message\":\"It is so.\",\"type\":\"" type "\"}}"

enum { LISTENS = 1, DELTA = 2 };

/* ---- speech of the server ---- */

static const struct {
    const char *name, *text;
    int is;
    bool decodes, ends_turn, has_audio;
    uint32_t samples;
    const char *said;
} SPEECH[] = {
    {"a delta",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"Hi\",\"audio\":\"" SOUND
     "\",\"end_of_turn\":false,\"kv_cache_length\":1}",
     DELTA, true, false, true, 4, "Hi"},
    {"the last of a turn",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"\",\"audio\":\"" SOUND
     "\",\"end_of_turn\":true,\"kv_cache_length\":1}",
     DELTA, true, true, true, 4, ""},
    {"no sound",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"a\",\"audio\":null,\"end_of_turn\":false}", DELTA,
     true, false, false, 0, "a"},
    {"sound of no base64",
     "{\"type\":\"response.output_audio.delta\",\"text\":\"a\",\"audio\":\"*\",\"end_of_turn\":false}", DELTA,
     false, false, false, 0, "a"},
    {"listening", "{\"type\":\"response.listen\"}", LISTENS, true, true, false, 0, ""},
    {"something else", "{\"type\":\"session.closed\"}", 0, false, false, false, 0, ""},
    {"of no version", "{\"type\":\"no.such.type\"}", 0, false, false, false, 0, ""},
    {"no JSON", "hello", 0, false, false, false, 0, ""},
};

START_TEST(speech_is_told_with_its_sound_and_its_end)
{
    struct speech_summary summary = {0};
    struct buffer pcm;
    buffer_init(&pcm, 1000);
    const bool is = DUPLEX_MESSAGES.speech(bytes_of_text(SPEECH[_i].text), &pcm, &summary);
    ck_assert_msg(is == (SPEECH[_i].is != 0), "%s", SPEECH[_i].name);
    if (is) {
        ck_assert(summary.stops == (SPEECH[_i].is == LISTENS));
        ck_assert_msg(summary.decodes == SPEECH[_i].decodes, "%s", SPEECH[_i].name);
        ck_assert(summary.ends_turn == SPEECH[_i].ends_turn);
        ck_assert(summary.has_audio == SPEECH[_i].has_audio);
        ck_assert_uint_eq(summary.samples, SPEECH[_i].samples);
        ck_assert_uint_eq(pcm.len, 4 * (size_t)SPEECH[_i].samples);
        ck_assert_uint_eq(summary.audio_crc, crc32_of(buffer_bytes(&pcm)));
        ck_assert_str_eq(summary.text, SPEECH[_i].said);
        ck_assert_uint_eq(summary.text_len, strlen(SPEECH[_i].said));
    }
    buffer_free(&pcm);
}
END_TEST

START_TEST(sound_for_which_there_is_no_room_is_no_speech)
{
    struct speech_summary summary;
    struct buffer pcm;
    buffer_init(&pcm, 15);
    ck_assert(!DUPLEX_MESSAGES.speech(bytes_of_text(SPEECH[0].text), &pcm, &summary));
    buffer_free(&pcm);
}
END_TEST

/* ---- mistakes of our own ---- */

START_TEST(what_is_wrong_with_our_own_messages)
{
    ck_assert_str_eq(DUPLEX_MESSAGES.mistake(true, bytes_of_text("x"), NULL), "a binary message was sent");
    ck_assert_ptr_null(DUPLEX_MESSAGES.mistake(false, bytes_of_text(SPEECH[1].text), NULL));
    ck_assert_ptr_null(DUPLEX_MESSAGES.mistake(false, bytes_of_text("{\"type\":\"no.such.type\"}"), NULL));
    ck_assert_ptr_nonnull(DUPLEX_MESSAGES.mistake(false, bytes_of_text(SPEECH[3].text), NULL));
}
END_TEST

/* ---- what the client sends ---- */

START_TEST(the_sound_of_an_append_is_counted_and_taken)
{
    static const uint8_t samples[] = {0, 0, 0xFF, 0x7F, 0xFF, 0x7F, 0, 0x80}; /* cut to what 16 bits hold */
    struct buffer out;
    buffer_init(&out, 100);
    const struct exact_copy append = exact_copy_of(bytes_of_text(APPEND("")));
    ck_assert_uint_eq(DUPLEX_MESSAGES.input_audio(false, append.bytes, NULL, 0), 8);
    ck_assert_uint_eq(DUPLEX_MESSAGES.input_audio(false, append.bytes, &out, 100), 8);
    ck_assert(bytes_equal(buffer_bytes(&out), bytes_of(samples, sizeof samples)));
    buffer_clear(&out);
    ck_assert_uint_eq(DUPLEX_MESSAGES.input_audio(false, append.bytes, &out, 5), 8); /* two whole ones */
    ck_assert(bytes_equal(buffer_bytes(&out), bytes_of(samples, 4)));
    exact_copy_free(append);
    buffer_free(&out);
}
END_TEST

static const struct {
    const char *name;
    bool binary;
    const char *text;
} NO_INPUT[] = {
    {"binary", true, APPEND("")},
    {"another type", false, "{\"type\":\"session.close\",\"audio\":\"" SOUND "\"}"},
    {"no sound", false, "{\"type\":\"input_audio_buffer.append\"}"},
    {"no base64", false, "{\"type\":\"input_audio_buffer.append\",\"audio\":\"*\"}"},
};

START_TEST(what_is_no_input_has_no_sound)
{
    struct buffer out;
    buffer_init(&out, 100);
    ck_assert_msg(DUPLEX_MESSAGES.input_audio(NO_INPUT[_i].binary, bytes_of_text(NO_INPUT[_i].text), &out,
                                              100) == SESSION_NO_INPUT,
                  "%s", NO_INPUT[_i].name);
    ck_assert_uint_eq(out.len, 0);
    buffer_free(&out);
}
END_TEST

START_TEST(padding_alone_is_no_sound)
{
    static const char TEXT[] = "{\"type\":\"input_audio_buffer.append\",\"audio\":\"==\"}";
    ck_assert_uint_eq(DUPLEX_MESSAGES.input_audio(false, bytes_of_text(TEXT), NULL, 0), 0);
}
END_TEST

START_TEST(an_append_may_interrupt)
{
    ck_assert(DUPLEX_MESSAGES.interrupts(false, bytes_of_text(APPEND(",\"force_listen\":true"))));
    ck_assert(!DUPLEX_MESSAGES.interrupts(false, bytes_of_text(APPEND(",\"force_listen\":false"))));
    ck_assert(!DUPLEX_MESSAGES.interrupts(false, bytes_of_text(APPEND(""))));
    ck_assert(!DUPLEX_MESSAGES.interrupts(true, bytes_of_text(APPEND(",\"force_listen\":true"))));
    ck_assert(!DUPLEX_MESSAGES.interrupts(
        false, bytes_of_text("{\"type\":\"session.close\",\"force_listen\":true}")));
}
END_TEST

START_TEST(there_are_no_params)
{
    char data[32] = "";
    struct text text = text_of(data, sizeof data);
    ck_assert(!DUPLEX_MESSAGES.input_params(false, bytes_of_text(APPEND("")), &text));
    ck_assert_str_eq(data, "");
    ck_assert(!DUPLEX_MESSAGES.input_params(false, bytes_of_text(""), &text));
    ck_assert_str_eq(data, "{}");
}
END_TEST

/* ---- errors, waiting, ids ---- */

static const struct {
    const char *text, *code, *blamed;
} ERRORS[] = {
    {ERROR("invalid_payload", "client_error"), "invalid_payload", "invalid_payload: It is so."},
    {ERROR("service_unavailable", "server_error"), "service_unavailable", NULL},
    {ERROR("no_such_code", "client_error"), "no_such_code", NULL},
    {"{\"type\":\"session.closed\"}", NULL, NULL},
    {"hello", NULL, NULL},
};

START_TEST(an_error_tells_its_code_and_whose_fault_it_is)
{
    char code[64] = "", blamed[200] = "";
    struct text code_text = text_of(code, sizeof code), blamed_text = text_of(blamed, sizeof blamed);
    const struct bytes message = bytes_of_text(ERRORS[_i].text);
    ck_assert(DUPLEX_MESSAGES.error_code(message, &code_text) == (ERRORS[_i].code != NULL));
    ck_assert_str_eq(code, ERRORS[_i].code == NULL ? "" : ERRORS[_i].code);
    ck_assert(DUPLEX_MESSAGES.blames_client(message, &blamed_text) == (ERRORS[_i].blamed != NULL));
    ck_assert_str_eq(blamed, ERRORS[_i].blamed == NULL ? "" : ERRORS[_i].blamed);
}
END_TEST

START_TEST(codes_and_refusals)
{
    char data[300];
    struct text text = text_of(data, sizeof data);
    ck_assert(DUPLEX_MESSAGES.is_error_code(bytes_of_text("worker_busy")));
    ck_assert(!DUPLEX_MESSAGES.is_error_code(bytes_of_text("WORKER_BUSY")));
    ck_assert_str_eq(DUPLEX_MESSAGES.error_of_status(503), "service_unavailable");
    ck_assert_ptr_null(DUPLEX_MESSAGES.error_of_status(401));
    DUPLEX_MESSAGES.error_body(&text, "queue_full", 0);
    ck_assert(DUPLEX_MESSAGES.error_code(bytes_of_text(data),
                                         &(struct text){.data = (char[32]){0}, .capacity = 32}));
    ck_assert_ptr_nonnull(strstr(data, "\"code\":\"queue_full\""));
    text = text_of(data, sizeof data);
    DUPLEX_MESSAGES.error_body(&text, "of my own", 0);
    ck_assert_ptr_nonnull(strstr(data, "\"message\":\"of my own\""));
}
END_TEST

START_TEST(who_waits_and_who_has_an_id)
{
    char id[64] = "";
    struct text text = text_of(id, sizeof id);
    static const char QUEUED[] = "{\"type\":\"session.queued\",\"position\":2,\"estimated_wait_s\":3,"
                                 "\"ticket_id\":\"t\",\"queue_length\":4}";
    static const char CREATED[] = "{\"type\":\"session.created\",\"session_id\":\"rt_7\"}";
    ck_assert(DUPLEX_MESSAGES.tells_to_wait(bytes_of_text(QUEUED)));
    ck_assert(!DUPLEX_MESSAGES.tells_to_wait(bytes_of_text("{\"type\":\"session.queue_done\"}")));
    ck_assert(!DUPLEX_MESSAGES.tells_to_wait(bytes_of_text("{")));
    ck_assert(!DUPLEX_MESSAGES.session_id(bytes_of_text(QUEUED), &text));
    ck_assert(!DUPLEX_MESSAGES.session_id(bytes_of_text("{"), &text));
    ck_assert(DUPLEX_MESSAGES.session_id(bytes_of_text(CREATED), &text));
    ck_assert_str_eq(id, "rt_7");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("duplex_seen");
    tcase_add_loop_test(tcase, speech_is_told_with_its_sound_and_its_end, 0, TABLE_COUNT(SPEECH));
    tcase_add_test(tcase, sound_for_which_there_is_no_room_is_no_speech);
    tcase_add_test(tcase, what_is_wrong_with_our_own_messages);
    tcase_add_test(tcase, the_sound_of_an_append_is_counted_and_taken);
    tcase_add_loop_test(tcase, what_is_no_input_has_no_sound, 0, TABLE_COUNT(NO_INPUT));
    tcase_add_test(tcase, padding_alone_is_no_sound);
    tcase_add_test(tcase, an_append_may_interrupt);
    tcase_add_test(tcase, there_are_no_params);
    tcase_add_loop_test(tcase, an_error_tells_its_code_and_whose_fault_it_is, 0, TABLE_COUNT(ERRORS));
    tcase_add_test(tcase, codes_and_refusals);
    tcase_add_test(tcase, who_waits_and_who_has_an_id);
    return suite_run("duplex_seen", tcase);
}
