/* Phases, cache, queue and turns of the full-duplex protocol. */
#include "codec/duplex/cache.h"
#include "codec/duplex/phase.h"
#include "codec/duplex/turn.h"
#include "codec/duplex/waiting.h"
#include "codec/tests/duplex_text.h"
#include "codec/tests/suite.h"

/* --- phases --- */

#define UPDATE  "{\"type\":\"session.update\",\"session\":{\"instructions\":\"x\"}}"
#define APPEND  "{\"type\":\"input_audio_buffer.append\",\"audio\":\"@4000\"}"
#define CLOSE   "{\"type\":\"session.close\"}"
#define UNKNOWN "{\"type\":\"session.pause\"}"
#define LISTEN  "{\"type\":\"response.listen\",\"kv_cache_length\":1}"

struct phase_case {
    const char *text;
    const char *answers[4]; /* queued, connected, active, closed: "take", "ignore", "1003" or an error code */
    const char *told;       /* when active */
};

static const struct phase_case PHASE_CASES[] = {
    {UPDATE, {"not_ready", "take", "not_ready", "ignore"}, "session.update is sent once"},
    {APPEND, {"not_ready", "not_ready", "take", "ignore"}, NULL},
    {CLOSE, {"not_ready", "not_ready", "take", "ignore"}, NULL},
    {UNKNOWN,
     {"not_ready", "unknown_event", "unknown_event", "ignore"},
     "type: expected an event of the protocol, found \"session.pause\""},
    {LISTEN, {"not_ready", "unknown_event", "unknown_event", "ignore"}, "this event is the server's to send"},
    {"{}",
     {"not_ready", "missing_field", "missing_field", "ignore"},
     "type: expected a string, found nothing"},
    {"[]",
     {"not_ready", "invalid_payload", "invalid_payload", "ignore"},
     "message: expected an object, found another value"},
    {"hello", {"1003", "1003", "1003", "ignore"}, NULL},
    {"{\"type\":\"session.update\",\"session\":{}}",
     {"not_ready", "missing_field", "not_ready", "ignore"},
     "session.update is sent once"},
    {"{\"type\":\"session.update\",\"session\":{\"instructions\":1}}",
     {"not_ready", "invalid_payload", "not_ready", "ignore"},
     NULL},
    {"{\"type\":\"input_audio_buffer.append\"}",
     {"not_ready", "not_ready", "missing_field", "ignore"},
     "audio: expected a string of base64, found nothing"},
    {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"@3999\"}",
     {"not_ready", "not_ready", "invalid_payload", "ignore"},
     "audio: expected 4000 samples (250 ms) or more, found 3999 samples"},
};

static const char *answer_word(const struct duplex_answer *answer)
{
    switch (answer->take) {
    case DUPLEX_TAKE:
        return "take";
    case DUPLEX_REFUSE:
        return duplex_error_name(answer->error);
    case DUPLEX_DISCONNECT:
        return "1003";
    case DUPLEX_IGNORE:
        return "ignore";
    }
    return "?";
}

START_TEST(a_message_is_answered_by_its_phase)
{
    const struct phase_case *row = &PHASE_CASES[_i];
    const struct duplex_read_options options = {.profile = duplex_profile_by_name("video")};
    struct exact_copy copy = duplex_test_text(row->text);
    struct duplex_message message;
    duplex_message_read(copy.bytes, &options, &message);
    for (int phase = DUPLEX_PHASE_QUEUED; phase <= DUPLEX_PHASE_CLOSED; phase++) {
        const struct duplex_answer answer = duplex_phase_answer((enum duplex_phase)phase, &message);
        ck_assert_msg(strcmp(answer_word(&answer), row->answers[phase]) == 0, "%s, %s: %s", row->text,
                      duplex_phase_name((enum duplex_phase)phase), answer_word(&answer));
    }
    if (row->told != NULL) {
        char told[200];
        struct text text = text_of(told, sizeof told);
        const struct duplex_answer answer = duplex_phase_answer(DUPLEX_PHASE_ACTIVE, &message);
        duplex_answer_write(&text, DUPLEX_PROFILES[0].dialect, DUPLEX_PHASE_ACTIVE, &answer);
        ck_assert_str_eq(told, row->told);
    }
    duplex_message_free(&message);
    exact_copy_free(copy);
}
END_TEST

struct end_case {
    const char *profile;
    uint64_t session_us;
    uint32_t tokens;
    const char *reason; /* NULL: it goes on */
};

static const struct end_case END_CASES[] = {
    {"video", 0, 0, NULL},
    {"video", 299999999, 8191, NULL},
    {"video", 300000000, 8191, "timeout"},
    {"video", 5, 8192, "context_full"},
    {"video", 300000000, 8192, "context_full"},
    {"audio", 300000000, 0, NULL},
    {"audio", 599999999, 0, NULL},
    {"audio", 600000000, 0, "timeout"},
};

START_TEST(a_session_ends_by_its_time_or_its_cache)
{
    const struct end_case *row = &END_CASES[_i];
    enum duplex_reason reason = DUPLEX_REASON_COUNT;
    const bool ends =
        duplex_session_ends(duplex_profile_by_name(row->profile), row->session_us, row->tokens, &reason);
    ck_assert_int_eq(ends, row->reason != NULL);
    if (ends)
        ck_assert_str_eq(duplex_reason_name(reason), row->reason);
}
END_TEST

/* --- cache --- */

static const uint32_t PICTURES[][2] = {{1, 64},  {2, 130}, {3, 192}, {4, 192}, {5, 258},
                                       {6, 324}, {7, 390}, {8, 456}, {9, 522}};

START_TEST(pictures_cost_what_document_and_practice_say)
{
    ck_assert_int_eq(TABLE_COUNT(PICTURES), DUPLEX_SLICES_MAX);
    for (size_t i = 0; i < DUPLEX_SLICES_MAX; i++) {
        ck_assert_uint_eq(duplex_picture_tokens(PICTURES[i][0]), PICTURES[i][1]);
        ck_assert_uint_eq(DUPLEX_SLICE_COSTS[i].slices, PICTURES[i][0]);
    }
    ck_assert_uint_eq(duplex_picture_tokens(0), 64);
    ck_assert_uint_eq(duplex_picture_tokens(INT64_MIN), 64);
    ck_assert_uint_eq(duplex_picture_tokens(10), 522);
    ck_assert_uint_eq(duplex_picture_tokens(INT64_MAX), 522);
}
END_TEST

START_TEST(a_prompt_costs_what_the_example_has)
{
    ck_assert_uint_eq(duplex_prompt_tokens(bytes_of_text("You are a helpful English assistant.")), 256);
    ck_assert_uint_eq(duplex_prompt_tokens(bytes_of_text("")), 247);
    ck_assert_uint_eq(duplex_prompt_tokens(bytes_of("", 4 * (8192 - 247) - 1)), 8191);
    ck_assert_uint_eq(duplex_prompt_tokens(bytes_of("", 4 * (8192 - 247))), 8192);
    ck_assert_uint_eq(duplex_prompt_tokens(bytes_of("", SIZE_MAX)), 8192);
}
END_TEST

static const size_t DELTAS[][2] = {{0, 1},      {1, 1},      {1199, 1},  {2400, 2},
                                   {23999, 19}, {24000, 20}, {99999, 20}};

START_TEST(a_delta_costs_by_its_sound)
{
    ck_assert_uint_eq(duplex_delta_tokens(DELTAS[_i][0]), DELTAS[_i][1]);
}
END_TEST

START_TEST(listening_adds_up_however_it_is_cut)
{
    static const size_t pieces[] = {16000, 4000, 4001, 1};
    for (size_t i = 0; i < 4; i++) {
        struct duplex_cache cache;
        duplex_cache_init(&cache, 256);
        size_t left = 160000;
        while (left > 0) {
            const size_t piece = pieces[i] < left ? pieces[i] : left;
            duplex_cache_listen(&cache, piece);
            left -= piece;
        }
        ck_assert_uint_eq(cache.tokens, 256 + 130);
    }
}
END_TEST

START_TEST(the_cache_stops_at_its_limit)
{
    struct duplex_cache cache;
    duplex_cache_init(&cache, 8191);
    ck_assert(!duplex_cache_is_full(&cache));
    duplex_cache_speak(&cache, 100);
    ck_assert_uint_eq(cache.tokens, 8192);
    ck_assert(duplex_cache_is_full(&cache));
    duplex_cache_see(&cache, 4, 9);
    duplex_cache_listen(&cache, SIZE_MAX / 64);
    ck_assert_uint_eq(cache.tokens, 8192);
    duplex_cache_init(&cache, UINT32_MAX);
    ck_assert_uint_eq(cache.tokens, 8192);
    duplex_cache_init(&cache, 0);
    duplex_cache_see(&cache, 2, 4);
    ck_assert_uint_eq(cache.tokens, 384);
}
END_TEST

/* --- the queue --- */

START_TEST(a_place_counts_from_one_and_estimates_by_the_workers)
{
    const struct duplex_place first = duplex_place_of(0, 3, 2, 90000000);
    const struct duplex_place third = duplex_place_of(2, 3, 2, 90000000);
    ck_assert_uint_eq(first.position, 1);
    ck_assert_uint_eq(first.wait_us, 45000000);
    ck_assert_uint_eq(third.position, 3);
    ck_assert_uint_eq(third.wait_us, 135000000);
    ck_assert(!duplex_place_is_due(&first, &first, 1000, 3000999));
    ck_assert(duplex_place_is_due(&first, &first, 1000, 3001000));
    ck_assert(!duplex_place_is_due(&first, &first, 5000000, 1000));
    ck_assert(duplex_place_is_due(&third, &first, 0, 0));
}
END_TEST

START_TEST(a_place_is_told_with_its_ticket_first)
{
    const struct duplex_place place = duplex_place_of(1, 4, 1, 2500000);
    struct duplex_message message;
    struct buffer out;
    buffer_init(&out, 1000);
    duplex_place_message(&message, &place, bytes_of_text("t-1"));
    ck_assert(duplex_message_write(duplex_profile_by_name("video"), &message, &out));
    ck_assert(bytes_equal_text(buffer_bytes(&out),
                               "{\"type\":\"session.queued\",\"position\":2,\"estimated_wait_s\":5,"
                               "\"ticket_id\":\"t-1\",\"queue_length\":4}"));
    buffer_clear(&out);
    duplex_place_message(&message, &place, bytes_of(NULL, 0));
    ck_assert(duplex_message_write(duplex_profile_by_name("video"), &message, &out));
    ck_assert(bytes_equal_text(buffer_bytes(&out), "{\"type\":\"session.queue_update\",\"position\":2,"
                                                   "\"estimated_wait_s\":5,\"queue_length\":4}"));
    buffer_free(&out);
}
END_TEST

/* --- turns --- */

struct turn_case {
    const char *name;
    size_t samples;
    size_t first;
    const char *text;
    bool fits;
    const char *parts; /* "samples:text|…" */
};

static const struct turn_case TURN_CASES[] = {
    {"no sound", 0, 12000, "Hi", true, "0:Hi"},
    {"nothing at all", 0, 12000, "", true, "0:"},
    {"one short delta", 9000, 12000, "Hello", true, "9000:Hello"},
    {"exactly the first", 12000, 12000, "Hello", true, "12000:Hello"},
    {"two", 12001, 12000, "Hello you", true, "12000:Hello you|1:"},
    {"the text leads", 60000, 12000, "The weather is nice today", true,
     "12000:The weath|24000:er is nice|24000: today"},
    {"a last that is short", 50000, 12000, "abcdefghij", true, "12000:abcd|24000:efghi|14000:j"},
    {"27 characters at most", 30000, 24000, "123456789012345678901234567890", true,
     "24000:123456789012345678901234567|6000:890"},
    {"as many as fit", 12001, 12000, "123456789012345678901234567123456789012345678901234567", true,
     "12000:123456789012345678901234567|1:123456789012345678901234567"},
    {"one more", 12001, 12000, "123456789012345678901234567123456789012345678901234567X", false,
     "12000:1234567890123456789012345671|1:23456789012345678901234567X"},
    {"letters of two bytes", 48000, 24000, "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", true,
     "24000:\xc3\xa4\xc3\xb6|24000:\xc3\xbc\xc3\xa4"},
};

START_TEST(a_turn_is_divided_into_deltas)
{
    const struct turn_case *row = &TURN_CASES[_i];
    struct duplex_turn turn;
    char told[400];
    struct text text = text_of(told, sizeof told);
    size_t samples = 0;
    ck_assert_int_eq(duplex_turn_divide(row->samples, row->first, bytes_of_text(row->text), &turn),
                     row->fits);
    for (size_t n = 0; n < turn.delta_count; n++) {
        struct duplex_turn_part part;
        duplex_turn_part(&turn, n, &part);
        ck_assert_uint_eq(part.first, samples);
        ck_assert_int_eq(part.end_of_turn, n + 1 == turn.delta_count);
        samples += part.samples;
        text_add(&text, n == 0 ? "" : "|");
        text_add_u64(&text, part.samples);
        text_add_char(&text, ':');
        text_add_bytes(&text, part.text);
    }
    ck_assert_uint_eq(samples, row->samples);
    ck_assert_msg(strcmp(told, row->parts) == 0, "%s: %s", row->name, told);
}
END_TEST

START_TEST(what_was_sent_is_played_out_one_after_another)
{
    struct duplex_playout playout = {.started = false};
    ck_assert_uint_eq(duplex_playout_left(&playout, 0), 0);
    duplex_playout_add(&playout, 1000000, 12000);
    ck_assert_uint_eq(playout.end_us, 1500000);
    /* One that comes in time is played behind it. */
    duplex_playout_add(&playout, 1200000, 24000);
    ck_assert_uint_eq(playout.end_us, 2500000);
    ck_assert_uint_eq(duplex_playout_left(&playout, 1000000), 36000);
    ck_assert_uint_eq(duplex_playout_left(&playout, 2000000), 12000);
    ck_assert_uint_eq(duplex_playout_left(&playout, 2499999), 0);
    ck_assert_uint_eq(duplex_playout_left(&playout, 2500000), 0);
    /* One that comes too late, when it comes. */
    duplex_playout_add(&playout, 4000000, 24000);
    ck_assert_uint_eq(playout.end_us, 5000000);
    ck_assert_uint_eq(duplex_playout_drop(&playout, 4250000), 18000);
    ck_assert_uint_eq(duplex_playout_left(&playout, 4250000), 0);
    ck_assert_uint_eq(duplex_output_us(1), 42);
    ck_assert_uint_eq(duplex_output_us(24001), 1000042);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("duplex state");
    tcase_add_loop_test(tcase, a_message_is_answered_by_its_phase, 0, TABLE_COUNT(PHASE_CASES));
    tcase_add_loop_test(tcase, a_session_ends_by_its_time_or_its_cache, 0, TABLE_COUNT(END_CASES));
    tcase_add_test(tcase, pictures_cost_what_document_and_practice_say);
    tcase_add_test(tcase, a_prompt_costs_what_the_example_has);
    tcase_add_loop_test(tcase, a_delta_costs_by_its_sound, 0, TABLE_COUNT(DELTAS));
    tcase_add_test(tcase, listening_adds_up_however_it_is_cut);
    tcase_add_test(tcase, the_cache_stops_at_its_limit);
    tcase_add_test(tcase, a_place_counts_from_one_and_estimates_by_the_workers);
    tcase_add_test(tcase, a_place_is_told_with_its_ticket_first);
    tcase_add_loop_test(tcase, a_turn_is_divided_into_deltas, 0, TABLE_COUNT(TURN_CASES));
    tcase_add_test(tcase, what_was_sent_is_played_out_one_after_another);
    return suite_run("duplex state", tcase);
}
