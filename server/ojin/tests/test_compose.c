/* The messages a script asks for: each kind and each override, checked and made. */
#include <string.h>

#include "codec/tests/suite.h"
#include "codec/wire/json.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/bench.h"

enum { OPTIONS_MAX = 4 };

#define UUID_1 "01234567-89ab-4def-8123-456789abcdef"

static size_t option_count(const struct compose_option options[OPTIONS_MAX])
{
    size_t count = 0;
    while (count < OPTIONS_MAX && options[count].name != NULL)
        count++;
    return count;
}

/* One message made; the bench's checks hold for it. */
static const struct sent *make(struct bench *bench, const char *kind,
                               const struct compose_option options[OPTIONS_MAX])
{
    char error[200];
    ck_assert_msg(OJIN_SESSION_CLASS.compose(NULL, 0, kind, options, option_count(options), NULL, error),
                  "send %s: %s", kind, error);
    bench_compose(bench, kind, options, option_count(options));
    return &bench->sent[bench->count - 1];
}

static const struct {
    const char *name;
    const char *kind;
    struct compose_option options[OPTIONS_MAX];
    const char *label;
    bool fault;
    bool decodes;
} FRAMES[] = {
    {"silence", "silence", {{0}}, "silence", false, true},
    {"speech", "speech", {{0}}, "speech", false, true},
    {"fade", "fade", {{0}}, "fade", false, true},
    {"final", "final", {{0}}, "final", false, true},
    {"any index", "speech", {{"index", "4294967295"}}, "speech", false, true},
    {"any usage", "speech", {{"usage", "4294967295"}}, "speech", false, true},
    {"any timestamp", "speech", {{"timestamp", "18446744073709551615"}}, "speech", false, true},
    {"final speech", "speech", {{"final", "1"}}, "final", false, true},
    {"a final of 2", "speech", {{"final", "2"}}, "final", false, true},
    {"image first", "speech", {{"payloads", "image,audio"}}, "speech", false, true},
    {"audio alone", "speech", {{"payloads", "audio"}}, "speech", false, true},
    {"image alone", "speech", {{"payloads", "image"}}, "speech", false, true},
    {"nothing", "speech", {{"payloads", "none"}}, "speech", false, true},
    {"twice", "speech", {{"payloads", "audio,image,audio"}}, "speech", false, true},
    {"another type", "speech", {{"payloads", "audio,7,image"}}, "speech", false, true},
    {"another type, empty", "speech", {{"payloads", "audio,255:0,image"}}, "speech", false, true},
    {"another type, large", "speech", {{"payloads", "3:1000,audio,image"}}, "speech", false, true},
    {"audio of no length", "speech", {{"payloads", "1:0,image"}}, "speech", true, true},
    {"eight payloads", "speech", {{"payloads", "0,0,0,0,0,0,audio,image"}}, "speech", false, true},
    {"trailing bytes", "speech", {{"trailing", "03fF"}}, "speech", false, true},
    {"padding", "speech", {{"pad", "1048576"}}, "speech", false, true},
    {"a size to the byte", "speech", {{"image_bytes", "74565"}}, "speech", false, true},
    {"a count too high", "speech", {{"payload_count", "3"}}, "speech", true, false},
    {"a count far too high", "speech", {{"payload_count", "4294967295"}}, "speech", true, false},
    {"a count too low", "speech", {{"payload_count", "1"}}, "speech", true, true},
    {"the right count", "speech", {{"payload_count", "2"}}, "speech", false, true},
    {"a count of nothing",
     "speech",
     {{"payloads", "none"}, {"payload_count", "4294967295"}},
     "speech",
     true,
     false},
    {"a size too large", "speech", {{"size_image", "+1"}}, "speech", true, false},
    {"a size too small", "speech", {{"size_image", "-1"}}, "speech", true, true},
    {"an absurd size", "speech", {{"size_audio", "4294967295"}}, "speech", true, false},
    {"more than any size", "speech", {{"size_audio", "+4294967295"}}, "speech", true, false},
    {"less than none", "speech", {{"size_image", "-4294967295"}}, "speech", true, true},
    {"the right size", "speech", {{"size_audio", "1280"}}, "speech", false, true},
    {"a damaged picture", "speech", {{"image", "damaged"}}, "speech", true, true},
    {"a PNG", "speech", {{"image", "png"}}, "speech", true, true},
    {"cut in the header", "speech", {{"truncate", "header"}}, "speech", true, false},
    {"cut in an entry", "speech", {{"truncate", "entry"}}, "speech", true, false},
    {"cut to nothing", "speech", {{"truncate", "0"}}, "speech", true, false},
    {"cut beyond its end", "speech", {{"truncate", "99999999"}}, "speech", false, true},
    {"its header alone", "speech", {{"truncate", "37"}}, "speech", true, false},
};

START_TEST(a_frame_is_what_was_asked_for_and_a_fault_if_it_lies)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", true);
    const struct sent *sent = make(&bench, FRAMES[_i].kind, FRAMES[_i].options);
    ck_assert_int_eq(sent->kind, ACTION_SEND_BINARY);
    ck_assert_str_eq(sent->label, FRAMES[_i].label);
    ck_assert_msg(sent->fault == FRAMES[_i].fault, "%s: fault is %d", FRAMES[_i].name, sent->fault);
    ck_assert_msg(sent->decodes == FRAMES[_i].decodes, "%s: decodes is %d", FRAMES[_i].name, sent->decodes);
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    const char *kind;
    struct compose_option options[OPTIONS_MAX];
    const char *label;
    bool fault;
    const char *text; /* part of it */
} TEXTS[] = {
    {"ready", "ready", {{0}}, "ready", false, "\"parameters\":null"},
    {"ready with parameters", "ready", {{"parameters", "{\"a\":[1]}"}}, "ready", false, "{\"a\":[1]}"},
    {"ready with members", "ready", {{"extra", "\"n\":1,\"m\":[]"}}, "ready", false, "\"n\":1,\"m\":[]"},
    {"ready with a load", "ready", {{"load", "2.5e-1"}}, "ready", false, "\"load\":2.5e-1"},
    {"ready with an id", "ready", {{"trace_id", UUID_1}}, "ready", false, "\"" UUID_1 "\""},
    {"ready without", "ready", {{"timestamp", "absent"}, {"parameters", "absent"}}, "ready", false, "load"},
    {"ready overloaded", "ready", {{"load", "1.5"}}, "ready", true, "1.5"},
    {"ready, load a string", "ready", {{"load", "\"low\""}}, "ready", true, "\"low\""},
    {"ready, no success", "ready", {{"status", "failure"}}, "ready", true, "\"failure\""},
    {"error", "error", {{0}}, "error", false, "\"code\":\"INTERNAL_ERROR\""},
    {"error of a code", "error", {{"code", "TIMEOUT"}}, "error", false, "It took longer than it may"},
    {"error of another", "error", {{"code", "X\""}}, "error", false, "\"code\":\"X\\\"\""},
    {"error with a message", "error", {{"message", "no"}}, "error", false, "\"message\":\"no\""},
    {"error of an interaction", "error", {{"interaction", UUID_1}}, "error", false, UUID_1},
    {"error with details", "error", {{"details", "{\"a\":1}"}}, "error", false, "\"details\":{\"a\":1}"},
    {"error, details a list", "error", {{"details", "[]"}}, "error", true, "\"details\":[]"},
    {"text", "text", {{"text", "No backend"}}, "text", false, "No backend"},
    {"empty text", "text", {{0}}, "text", false, ""},
    {"text that is no UTF-8", "text", {{"text", "\xff"}}, "text", true, ""},
    {"json", "json", {{"text", "[1]"}}, "text", false, "[1]"},
    {"json that lies", "json", {{"text", "{\"type\":\"sessionReady\"}"}}, "text", true, "sessionReady"},
};

START_TEST(a_text_is_what_was_asked_for_and_a_fault_if_it_breaks_the_rules)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    const struct sent *sent = make(&bench, TEXTS[_i].kind, TEXTS[_i].options);
    ck_assert_int_eq(sent->kind, ACTION_SEND_TEXT);
    ck_assert_str_eq(sent->label, TEXTS[_i].label);
    ck_assert_msg(sent->fault == TEXTS[_i].fault, "%s: fault is %d", TEXTS[_i].name, sent->fault);
    ck_assert_msg(strstr(sent->text, TEXTS[_i].text) != NULL, "%s: %s", TEXTS[_i].name, sent->text);
    bench_free(&bench);
}
END_TEST

START_TEST(pings_and_raw_bytes_are_sent_as_they_are)
{
    static const struct compose_option data[OPTIONS_MAX] = {{"data", "are you there"}};
    static const struct compose_option hex[OPTIONS_MAX] = {{"hex", "00fF"}};
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    ck_assert_int_eq(make(&bench, "ping", data)->kind, ACTION_SEND_PING);
    const struct sent *binary = make(&bench, "binary", hex);
    ck_assert_int_eq(binary->kind, ACTION_SEND_BINARY);
    ck_assert_str_eq(binary->label, "binary");
    ck_assert(binary->fault);
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *kind;
    struct compose_option options[OPTIONS_MAX];
    const char *says;
} WRONG[] = {
    {"speach", {{0}}, "speach"},
    {"speech", {{"colour", "red"}}, "takes no colour"},
    {"speech", {{"text", "a"}}, "takes no text"},
    {"speech", {{"index", "4294967296"}}, "from 0 to 4294967295"},
    {"speech", {{"index", "-1"}}, "from 0 to 4294967295"},
    {"speech", {{"index", ""}}, "from 0 to 4294967295"},
    {"speech", {{"index", "1x"}}, "1x"},
    {"speech", {{"timestamp", "18446744073709551616"}}, "from 0 to 18446744073709551615"},
    {"speech", {{"final", "256"}}, "from 0 to 255"},
    {"speech", {{"interaction", "me"}}, "nil, fresh, current or a UUID"},
    {"speech", {{"payloads", ""}}, "none, or a list"},
    {"speech", {{"payloads", "audio,"}}, "none, or a list"},
    {"speech", {{"payloads", "256"}}, "none, or a list"},
    {"speech", {{"payloads", "7:1048577"}}, "none, or a list"},
    {"speech", {{"payloads", "0,0,0,0,0,0,0,0,0"}}, "at most 8"},
    {"speech", {{"size_audio", "+"}}, "a size"},
    {"speech", {{"image", "gif"}}, "jpeg, damaged or png"},
    {"speech", {{"truncate", "half"}}, "header or entry"},
    {"speech", {{"trailing", "0"}}, "hex"},
    {"speech", {{"trailing", "0g"}}, "hex"},
    {"speech", {{"pad", "16777217"}}, "from 0 to 16777216"},
    {"ready", {{"load", "high"}}, "JSON"},
    {"ready", {{"parameters", "{"}}, "JSON"},
    {"ready", {{"extra", "1"}}, "JSON"},
    {"error", {{"interaction", "fresh"}}, "UUID"},
    {"json", {{"text", "{"}}, "JSON"},
    {"json", {{0}}, "JSON"},
    {"binary", {{"hex", "xy"}}, "hex"},
};

START_TEST(a_wrong_value_is_told_before_anything_runs)
{
    char error[200] = "";
    ck_assert(!OJIN_SESSION_CLASS.compose(NULL, 0, WRONG[_i].kind, WRONG[_i].options,
                                          option_count(WRONG[_i].options), NULL, error));
    ck_assert_msg(strstr(error, WRONG[_i].says) != NULL, "%s", error);
}
END_TEST

START_TEST(a_ping_holds_at_most_125_bytes)
{
    char data[127];
    char error[200];
    struct compose_option option = {"data", data};
    memset(data, 'a', sizeof data);
    data[125] = '\0';
    ck_assert(OJIN_SESSION_CLASS.compose(NULL, 0, "ping", &option, 1, NULL, error));
    data[125] = 'a';
    data[126] = '\0';
    ck_assert(!OJIN_SESSION_CLASS.compose(NULL, 0, "ping", &option, 1, NULL, error));
}
END_TEST

START_TEST(composed_ready_counts_as_the_session_ready)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0-earlier", false);
    bench_compose(&bench, "ready", NULL, 0);
    ck_assert(OJIN_SESSION_CLASS.progress(bench.session)->ready_sent);
    bench_event(&bench, SESSION_RESUMED, (struct bytes){0});
    ck_assert_uint_eq(bench_count_label(&bench, "ready"), 1);
    ck_assert_uint_eq(bench_count_label(&bench, "silence"), 1);
    bench_free(&bench);
}
END_TEST

START_TEST(composed_speech_carries_queued_speech_and_then_a_tone)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", true);
    bench_speech(&bench, (size_t)2 * OJIN_FRAME_SAMPLES);
    for (int i = 0; i < 50; i++)
        bench_compose(&bench, "speech", NULL, 0);
    const size_t queued = (size_t)2 * OJIN_FRAME_SAMPLES;
    for (size_t i = 0; i < queued; i++)
        ck_assert_uint_eq((uint8_t)(uint16_t)bench_speech_sample(i), bench.speech.data[2 * i]);
    for (size_t i = 0; i < bench.count; i++) {
        ck_assert_mem_eq(bench.sent[i].interaction, bench.sent[0].interaction, UUID_BYTES);
        for (size_t k = 0; k < i; k++) {
            ck_assert_uint_ne(bench.sent[i].audio_crc, bench.sent[k].audio_crc);
            ck_assert_uint_ne(bench.sent[i].image_crc, bench.sent[k].image_crc);
        }
    }
    ck_assert(!uuid_is_nil(bench.sent[0].interaction));
    bench_free(&bench);
}
END_TEST

START_TEST(composed_interactions_are_the_ones_asked_for)
{
    static const uint8_t given[UUID_BYTES] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0x4d, 0xef,
                                              0x81, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    static const struct compose_option nil[OPTIONS_MAX] = {{"interaction", "nil"}};
    static const struct compose_option fresh[OPTIONS_MAX] = {{"interaction", "fresh"}};
    static const struct compose_option current[OPTIONS_MAX] = {{"interaction", "current"}};
    static const struct compose_option uuid[OPTIONS_MAX] = {{"interaction", UUID_1}};
    static const struct compose_option usual[OPTIONS_MAX] = {{0}};
    uint8_t first[UUID_BYTES];
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    memcpy(first, make(&bench, "speech", usual)->interaction, UUID_BYTES);
    ck_assert(uuid_is_nil(make(&bench, "speech", nil)->interaction));
    ck_assert_mem_eq(make(&bench, "speech", uuid)->interaction, given, UUID_BYTES);
    ck_assert_mem_eq(make(&bench, "speech", current)->interaction, first, UUID_BYTES);
    ck_assert_mem_eq(make(&bench, "fade", usual)->interaction, first, UUID_BYTES);
    ck_assert(uuid_is_nil(make(&bench, "silence", usual)->interaction));
    /* Silence ended the interaction. */
    ck_assert_mem_ne(make(&bench, "speech", usual)->interaction, first, UUID_BYTES);
    memcpy(first, bench.sent[bench.count - 1].interaction, UUID_BYTES);
    ck_assert_mem_ne(make(&bench, "speech", fresh)->interaction, first, UUID_BYTES);
    bench_free(&bench);
}
END_TEST

START_TEST(a_composed_final_frame_settles_an_end)
{
    struct bench bench;
    bench_open(&bench, "oris-1.0", false);
    bench_zeros(&bench, OJIN_FRAME_SAMPLES);
    bench_run(&bench, 100);
    bench_text(&bench, "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1}}");
    bench_compose(&bench, "final", NULL, 0);
    bench_run(&bench, 1000000);
    ck_assert_uint_eq(bench_count_label(&bench, "final"), 1);
    ck_assert_str_eq(bench.sent[bench.count - 1].label, "final");
    bench_free(&bench);
}
END_TEST

START_TEST(every_kind_is_listed_with_the_options_it_takes)
{
    for (const struct send_kind *kind = OJIN_SESSION_CLASS.send_kinds; kind->name != NULL; kind++) {
        const struct compose_option option = {"no-such-option", "1"};
        char error[200];
        ck_assert_ptr_nonnull(kind->options);
        ck_assert(!OJIN_SESSION_CLASS.compose(NULL, 0, kind->name, &option, 1, NULL, error));
        ck_assert_ptr_nonnull(strstr(error, "takes no no-such-option"));
    }
}
END_TEST

START_TEST(padded_pictures_still_decode)
{
    for (size_t pad = 0; pad < 12; pad++) {
        char value[8];
        struct text text = text_of(value, sizeof value);
        text_add_u64(&text, pad);
        const struct compose_option option = {"pad", value};
        struct bench bench;
        bench_open(&bench, "oris-1.0", true);
        char error[200];
        ck_assert(OJIN_SESSION_CLASS.compose(bench.session, 0, "speech", &option, 1, &bench.actions, error));
        struct ojin_frame frame;
        struct picture picture;
        const struct bytes bytes = actions_bytes(&bench.actions, &bench.actions.list[0]);
        ck_assert_int_eq(ojin_frame_decode(bytes, &frame).status, WIRE_OK);
        ck_assert_msg(jpeg_decode(frame.image, &picture), "pad of %zu", pad);
        ck_assert_uint_eq(picture.width, BENCH_WIDTH);
        ck_assert_uint_eq(picture.height, BENCH_HEIGHT);
        struct block_code code;
        ck_assert(block_code_read(&picture, &code));
        ck_assert_uint_eq(code.frame_number, 0);
        picture_free(&picture);
        bench_free(&bench);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("compose");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_frame_is_what_was_asked_for_and_a_fault_if_it_lies, 0, TABLE_COUNT(FRAMES));
    tcase_add_loop_test(tcase, a_text_is_what_was_asked_for_and_a_fault_if_it_breaks_the_rules, 0,
                        TABLE_COUNT(TEXTS));
    tcase_add_test(tcase, pings_and_raw_bytes_are_sent_as_they_are);
    tcase_add_loop_test(tcase, a_wrong_value_is_told_before_anything_runs, 0, TABLE_COUNT(WRONG));
    tcase_add_test(tcase, a_ping_holds_at_most_125_bytes);
    tcase_add_test(tcase, composed_ready_counts_as_the_session_ready);
    tcase_add_test(tcase, composed_speech_carries_queued_speech_and_then_a_tone);
    tcase_add_test(tcase, composed_interactions_are_the_ones_asked_for);
    tcase_add_test(tcase, a_composed_final_frame_settles_an_end);
    tcase_add_test(tcase, every_kind_is_listed_with_the_options_it_takes);
    tcase_add_test(tcase, padded_pictures_still_decode);
    return suite_run("compose", tcase);
}
