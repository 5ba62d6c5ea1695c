/*
 * What was played of speech that was sent, made by hand.
 *
 * Sent, words with spaces between: a:12000 a message of the step a with 12000 samples, ! behind it an end
 * of turn, ~ silence in place of the signal, 'text behind it its text; listen. The signal's source is the
 * number of the turn.
 *
 * Played: 1@0+12000 samples of source 1 from 0 on; _2400 silence; x50 something else; &1@0+100 samples laid
 * over those that were played last.
 */
#include <check.h>
#include <stdlib.h>

#include "codec/duplex/messages.h"
#include "codec/media/coded_signal.h"
#include "codec/wire/crc32.h"
#include "conformance/judge/check.h"
#include "conformance/tests/hand_made.h"
#include "server/duplex/session_class.h"

enum { PLAYED_MAX = 240000, WORDS_MAX = 32 };

/* In the order in which a row reads. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct row {
    const char *name;
    const char *sent, *played;
    enum check_expect expect;
    const char *pattern;
    enum check_status status;
    const char *actual; /* what the sentence must hold */
    uint64_t min, max;  /* SAMPLES */
    const char *after;  /* "seen:listen"; NULL: none */
    uint32_t listen_at; /* where it was told */
    const char *told;   /* texts: "first@0 second@12000" */
    bool only_told;     /* no samples were left, the pieces were told */
    const char *clause; /* the requirement that is judged; NULL: DX-OUT-01 */
    const char *seen;   /* deltas: "12000/1@0/text", its samples and where in the signal they stand */
};

static const struct row ROWS[] = {
#include "conformance/tests/sound_rows.def"
};

/* ---- sent ---- */

struct sending {
    struct hand_made *made;
    uint16_t turn;
    uint32_t said;
    bool over;
};

static void send(struct sending *sending, const struct duplex_message *message, const char *label,
                 const char *step)
{
    struct buffer json;
    buffer_init(&json, DUPLEX_MESSAGE_BYTES_MAX);
    ck_assert(duplex_message_write(&DUPLEX_PROFILES[0], message, &json));
    struct journal_entry entry = {.connection = 1,
                                  .kind = JOURNAL_WIRE,
                                  .wire = {.kind = WIRE_EVENT_TEXT,
                                           .direction = WIRE_FROM_SERVER,
                                           .data = buffer_bytes(&json),
                                           .message_bytes = json.len}};
    struct text text = text_of(entry.label, sizeof entry.label);
    text_add(&text, label);
    text = text_of(entry.step, sizeof entry.step);
    text_add(&text, step);
    ck_assert(journal_append(sending->made->journal, &entry));
    buffer_free(&json);
}

static void send_delta(struct sending *sending, const char *step, size_t count, const char *rest)
{
    uint8_t *pcm = malloc(count * FLOAT32_BYTES + 1);
    float *samples = calloc(count + 1, sizeof *samples);
    const char *quote = strchr(rest, '\'');
    ck_assert(pcm != NULL && samples != NULL);
    if (sending->over) {
        sending->turn++;
        sending->said = 0;
    }
    if (strchr(rest, '~') == NULL)
        coded_signal_make(sending->turn, sending->said, samples, count);
    float32_write(samples, count, pcm);
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_DELTA,
                                           .has_text = true,
                                           .text = bytes_of_text(quote == NULL ? "" : quote + 1),
                                           .has_audio = true,
                                           .audio = bytes_of(pcm, count * FLOAT32_BYTES),
                                           .has_end_of_turn = true,
                                           .end_of_turn = rest[0] == '!',
                                           .has_kv_cache_length = true};
    send(sending, &message, "delta", step);
    sending->over = message.end_of_turn;
    sending->said += (uint32_t)count;
    free(pcm);
    free(samples);
}

static void send_word(struct sending *sending, char *word)
{
    const struct duplex_message listen = {.type = DUPLEX_MESSAGE_LISTEN, .has_kv_cache_length = true};
    char *colon = strchr(word, ':');
    if (colon == NULL) {
        ck_assert_str_eq(word, "listen");
        send(sending, &listen, "listen", "");
        sending->over = true;
        return;
    }
    *colon = '\0';
    char *rest = NULL;
    const size_t count = strtoul(colon + 1, &rest, 10);
    send_delta(sending, word, count, rest);
}

/* ---- played ---- */

struct playing {
    struct hand_made *made;
    int16_t *samples;
    size_t count;
    bool told;
};

static int16_t sample_of(float value)
{
    return (int16_t)(value * 32768);
}

static void tell(struct playing *playing, size_t at, const float *samples, size_t count)
{
    uint8_t *pcm = malloc(count * FLOAT32_BYTES + 1);
    ck_assert(pcm != NULL);
    float32_write(samples, count, pcm);
    playing->made->observations[playing->made->input.observation_count++] =
        (struct observation){.kind = OBSERVED_HEARD,
                             .has_at = true,
                             .at = (uint32_t)at,
                             .has_samples = true,
                             .samples = (uint32_t)count,
                             .has_audio = true,
                             .audio_crc = crc32_of(bytes_of(pcm, count * FLOAT32_BYTES))};
    free(pcm);
}

static void play_signal(struct playing *playing, const char *word, bool over)
{
    char *end = NULL;
    const uint16_t source = (uint16_t)strtoul(word, &end, 10);
    const uint32_t first = (uint32_t)strtoul(end + 1, &end, 10);
    const size_t count = strtoul(end + 1, &end, 10);
    float *samples = calloc(count + 1, sizeof *samples);
    ck_assert(samples != NULL);
    coded_signal_make(source, first, samples, count);
    playing->count -= over ? count : 0;
    for (size_t i = 0; i < count; i++)
        playing->samples[playing->count + i] =
            (int16_t)(sample_of(samples[i]) + (over ? playing->samples[playing->count + i] : 0));
    if (playing->told)
        tell(playing, playing->count, samples, count);
    playing->count += count;
    free(samples);
}

static void play_word(struct playing *playing, const char *word)
{
    if (word[0] != '_' && word[0] != 'x') {
        play_signal(playing, word[0] == '&' ? word + 1 : word, word[0] == '&');
        return;
    }
    const size_t count = strtoul(word + 1, NULL, 10);
    for (size_t i = 0; i < count; i++)
        playing->samples[playing->count + i] = word[0] == '_' ? 0 : i % 2 == 0 ? 9000 : -9000;
    playing->count += count;
}

/* ---- told ---- */

static void tell_texts(struct hand_made *made, const char *told)
{
    char words[256];
    struct text text = text_of(words, sizeof words);
    text_add(&text, told);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        struct observation *seen = &made->observations[made->input.observation_count++];
        char *at = strchr(word, '@');
        *at = '\0';
        *seen = (struct observation){.kind = OBSERVED_HEARD,
                                     .has_at = true,
                                     .at = (uint32_t)strtoul(at + 1, NULL, 10),
                                     .has_samples = true};
        text = text_of(seen->text, sizeof seen->text);
        text_add(&text, word);
    }
}

/* ---- read ---- */

static void see_delta(struct hand_made *made, const char *word)
{
    char *end = NULL;
    const size_t count = strtoul(word, &end, 10);
    const uint16_t source = (uint16_t)strtoul(end + 1, &end, 10);
    const uint32_t first = (uint32_t)strtoul(end + 1, &end, 10);
    struct observation *seen = &made->observations[made->input.observation_count++];
    float *samples = calloc(count + 1, sizeof *samples);
    uint8_t *pcm = malloc(count * FLOAT32_BYTES + 1);
    ck_assert(samples != NULL && pcm != NULL);
    coded_signal_make(source, first, samples, count);
    float32_write(samples, count, pcm);
    *seen = (struct observation){.kind = OBSERVED_DELTA,
                                 .has_samples = true,
                                 .samples = (uint32_t)count,
                                 .has_audio = true,
                                 .audio_crc = crc32_of(bytes_of(pcm, count * FLOAT32_BYTES))};
    struct text text = text_of(seen->text, sizeof seen->text);
    text_add(&text, end + 1);
    free(samples);
    free(pcm);
}

static void see_deltas(struct hand_made *made, const char *deltas)
{
    char words[256];
    char *rest = NULL;
    struct text text = text_of(words, sizeof words);
    text_add(&text, deltas);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        see_delta(made, word);
}

static void make(struct hand_made *made, const struct row *row, int16_t *samples)
{
    char words[512];
    char *rest = NULL;
    struct sending sending = {.made = made, .turn = 1};
    struct playing playing = {.made = made, .samples = samples, .told = row->only_told};
    hand_made_init(made, row->clause == NULL ? "DX-OUT-01" : row->clause, "<upgrade", "");
    made->script.class = &DUPLEX_SESSION_CLASS;
    made->input.observation_count = 0;
    struct text text = text_of(words, sizeof words);
    text_add(&text, row->sent);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        send_word(&sending, word);
    text = text_of(words, sizeof words);
    text_add(&text, row->played);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        play_word(&playing, word);
    made->input.sound_known = !row->only_told;
    made->input.sound = samples;
    made->input.sound_count = playing.count;
    if (row->after != NULL)
        made->observations[made->input.observation_count++] =
            (struct observation){.kind = OBSERVED_LISTEN, .has_at = true, .at = row->listen_at};
    if (row->told != NULL)
        tell_texts(made, row->told);
    if (row->seen != NULL)
        see_deltas(made, row->seen);
}

START_TEST(what_was_played_is_judged_by_its_samples)
{
    const struct row *row = &ROWS[_i];
    struct hand_made made;
    struct check_outcome outcome;
    int16_t *samples = calloc(PLAYED_MAX, sizeof *samples);
    ck_assert(samples != NULL);
    make(&made, row, samples);
    hand_made_check(&made, row->expect, "MUST", row->pattern, NULL, row->after, NULL);
    made.check.min = row->min;
    made.check.max = row->max;
    check_evaluate(&made.input, &made.check, &outcome);
    ck_assert_msg(outcome.status == row->status, "%s: status %d, not %d: %s", row->name, (int)outcome.status,
                  (int)row->status, outcome.actual);
    ck_assert_msg(strstr(outcome.actual, row->actual) != NULL, "%s: \"%s\" is not in \"%s\"", row->name,
                  row->actual, outcome.actual);
    hand_made_free(&made);
    free(samples);
}
END_TEST

/* A machine that was late excuses no more than that. */
START_TEST(how_late_something_would_have_had_to_be_follows_from_the_samples)
{
    static const struct {
        const char *name, *played;
        enum check_expect expect;
        uint64_t min, max, excuse_us;
        bool timeless;
    } rows[] = {
        {"ten seconds too many", "1@0+240000", CHECK_SAMPLES, 0, 0, 10000000, false},
        {"half a second too many", "1@0+24000", CHECK_SAMPLES, 0, 12000, 500000, false},
        {"a second too few", "1@0+12000", CHECK_SAMPLES, 36000, 48000, 1000000, false},
        {"the longer of two gaps", "1@0+5000 _2400 1@5000+5000 _12000 1@10000+5000", CHECK_SEAMLESS, 0, 0,
         500000, false},
        {"a gap and a longer repeat", "1@0+5000 _2400 1@5000+7000 1@0+12000", CHECK_SEAMLESS, 0, 0, 500000,
         false},
        {"what comes behind what follows it", "1@0+5000 _2400 1@12000+12000 1@5000+7000", CHECK_SEAMLESS, 0,
         0, 0, true},
        {"what is missing in two places", "1@0+5000 1@6000+5000 1@17000+223000", CHECK_HEARD, 0, 0,
         7000ull * 1000000 / 24000, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row row = {.name = rows[i].name, .sent = "a:240000!", .played = rows[i].played};
        struct hand_made made;
        struct check_outcome outcome;
        int16_t *samples = calloc(PLAYED_MAX, sizeof *samples);
        ck_assert(samples != NULL);
        make(&made, &row, samples);
        hand_made_check(&made, rows[i].expect, "MUST", "sent:delta", NULL, NULL, NULL);
        made.check.min = rows[i].min;
        made.check.max = rows[i].max;
        check_evaluate(&made.input, &made.check, &outcome);
        ck_assert_int_eq(outcome.status, CHECK_BROKEN);
        ck_assert_msg(outcome.excuse_us == rows[i].excuse_us, "%s: %llu: %s", rows[i].name,
                      (unsigned long long)outcome.excuse_us, outcome.actual);
        ck_assert_msg(outcome.timeless == rows[i].timeless, "%s: %s", rows[i].name, outcome.actual);
        hand_made_free(&made);
        free(samples);
    }
}
END_TEST

/* Of a requirement that has nothing to do with time: a listen of a late mock may have come too soon. */
START_TEST(a_machine_that_stood_still_loses_as_much_sound_as_it_was_late)
{
    static const struct {
        const char *name, *played;
        uint64_t lateness_us;
        enum verdict verdict;
    } rows[] = {
        {"half a second, on time", "1@0+228000", JUDGE_FROZEN_US, VERDICT_FAIL},
        {"half a second, late", "1@0+228000", JUDGE_FROZEN_US + 1, VERDICT_INCONCLUSIVE},
        {"nine seconds, a second late", "1@0+24000", JUDGE_FROZEN_US + 1, VERDICT_FAIL},
        {"all of it, late", "1@0+240000", JUDGE_FROZEN_US + 1, VERDICT_PASS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row row = {.name = rows[i].name, .sent = "a:240000!", .played = rows[i].played};
        struct hand_made made;
        struct case_result *result = malloc(sizeof *result);
        int16_t *samples = calloc(PLAYED_MAX, sizeof *samples);
        ck_assert(samples != NULL && result != NULL);
        make(&made, &row, samples);
        hand_made_check(&made, CHECK_HEARD, "MUST", "sent:delta", NULL, NULL, NULL);
        made.input.lateness_us = rows[i].lateness_us;
        judge_case(&made.input, result);
        ck_assert_str_eq(result->checks[result->check_count - 1].name, "the-check");
        ck_assert_msg(result->checks[result->check_count - 1].verdict == rows[i].verdict, "%s: %s",
                      rows[i].name, verdict_name(result->checks[result->check_count - 1].verdict));
        hand_made_free(&made);
        free(samples);
        free(result);
    }
}
END_TEST

START_TEST(what_is_met_in_another_way_holds)
{
    static const struct {
        const char *unless;
        enum check_status status;
        const char *expected;
    } rows[] = {{"received:upgrade", CHECK_HOLDS, "unless any upgrade request came from the client"},
                {"received:close", CHECK_BROKEN, "unless any close frame came from the client"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hand_made made;
        struct check_outcome outcome;
        hand_made_init(&made, "DX-OUT-06", "<upgrade", "");
        made.script.class = &DUPLEX_SESSION_CLASS;
        hand_made_check(&made, CHECK_SOME, "SHOULD", "seen:listen", rows[i].unless, NULL, NULL);
        made.check.unless = made.check.given;
        made.check.given.set = false;
        check_evaluate(&made.input, &made.check, &outcome);
        ck_assert_int_eq(outcome.status, rows[i].status);
        ck_assert_ptr_nonnull(strstr(outcome.expected, rows[i].expected));
        hand_made_free(&made);
    }
}
END_TEST

START_TEST(appends_that_interrupt_are_told_from_others)
{
    static const struct {
        const char *message;
        const char *value;
        enum check_status status;
    } rows[] = {
        {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"\",\"force_listen\":true}", "yes", CHECK_HOLDS},
        {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"\",\"force_listen\":true}", "no", CHECK_BROKEN},
        {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"\",\"force_listen\":false}", "yes",
         CHECK_BROKEN},
        {"{\"type\":\"input_audio_buffer.append\",\"audio\":\"\"}", "yes", CHECK_BROKEN},
        {"{\"type\":\"session.close\",\"force_listen\":true}", "yes", CHECK_BROKEN},
        {"{\"type\":\"input_audio_buffer.append\",\"force_listen\":\"true\"", "yes", CHECK_BROKEN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hand_made made;
        struct check_outcome outcome;
        char pattern[64];
        hand_made_init(&made, "DX-OUT-07", "<upgrade", "");
        made.script.class = &DUPLEX_SESSION_CLASS;
        const struct journal_entry entry = {.connection = 1,
                                            .kind = JOURNAL_WIRE,
                                            .label = "append",
                                            .wire = {.kind = WIRE_EVENT_TEXT,
                                                     .direction = WIRE_FROM_CLIENT,
                                                     .data = bytes_of_text(rows[i].message)}};
        ck_assert(journal_append(made.journal, &entry));
        struct text text = text_of(pattern, sizeof pattern);
        text_add(&text, "received:append[interrupts=");
        text_add(&text, rows[i].value);
        text_add(&text, "]");
        hand_made_check(&made, CHECK_SOME, "MUST", pattern, NULL, NULL, NULL);
        check_evaluate(&made.input, &made.check, &outcome);
        ck_assert_msg(outcome.status == rows[i].status, "row %zu: %s", i, outcome.actual);
        hand_made_free(&made);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sound checks");
    TCase *checks = tcase_create("checks");
    tcase_add_loop_test(checks, what_was_played_is_judged_by_its_samples, 0,
                        (int)(sizeof ROWS / sizeof ROWS[0]));
    tcase_add_test(checks, how_late_something_would_have_had_to_be_follows_from_the_samples);
    tcase_add_test(checks, a_machine_that_stood_still_loses_as_much_sound_as_it_was_late);
    tcase_add_test(checks, what_is_met_in_another_way_holds);
    tcase_add_test(checks, appends_that_interrupt_are_told_from_others);
    suite_add_tcase(suite, checks);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
