/* The interview family from the client's end: what a step asks for is what is sent, and what comes is told
 * for what it is. */
#include <stdlib.h>

#include "codec/interview/messages.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "conformance/script/interview/client_side.h"
#include "server/script/line.h"
#include "server/token/token.h"

enum { OPTIONS_MAX = 16, OUT_MAX = 1 << 20, LONG_TARGET_MAX = 32 * 1024 };

#define ID    "11111111-2222-4333-8444-555555555555"
#define TOKEN "aGVhZA.Ym9keQ.c2ln"
#define PATH  "/api/v1/interviews/" ID "/realtime/connect"

/* A step with up to two options: words, or texts in quotes. */
struct option {
    const char *name;
    const char *text;
    bool is_string;
    uint64_t number;
};

static struct client_step step_of(const struct line_rule *rule, const struct option *options,
                                  struct client_value values[OPTIONS_MAX])
{
    memset(values, 0, OPTIONS_MAX * sizeof values[0]);
    for (size_t i = 0; i < 2 && options[i].name != NULL; i++) {
        const int index = line_option_index(rule, options[i].name);
        ck_assert_msg(index >= 0 && index < OPTIONS_MAX, "no option %s", options[i].name);
        values[index] = (struct client_value){.set = true,
                                              .is_string = options[i].is_string,
                                              .number = options[i].number,
                                              .text = options[i].text};
    }
    return (struct client_step){.kind = CLIENT_STEP_SEND, .send = rule->id, .rule = rule, .options = values};
}

/* --- the request --- */

struct target_case {
    const char *path;
    const char *query;
    struct option options[2];
    const char *target;
};

static const struct target_case TARGETS[] = {
    {PATH, "", {{0}}, PATH "?token=" TOKEN},
    {PATH, "v=1", {{0}}, PATH "?token=" TOKEN "&v=1"},
    {"/api/v1/interviews/{config}/realtime/connect", "", {{0}}, PATH "?token=" TOKEN},
    {PATH, "v=1", {{"token", "none", false, 0}}, PATH "?v=1"},
    {PATH, "", {{"token", "none", false, 0}}, PATH},
    {PATH, "", {{"token", "", true, 0}}, PATH "?token="},
    {PATH, "", {{"token", "a b", true, 0}}, PATH "?token=a%20b"},
    {PATH, "", {{"token", "malformed", false, 0}}, PATH "?token=no-token"},
    {PATH, "", {{"token", "tampered", false, 0}}, PATH "?token=aGVhZA.Ym9keQ.A2ln"},
    {PATH, "", {{"token", "bad-first", false, 0}}, PATH "?token=no-token&token=" TOKEN},
    {PATH, "v=1", {{"token", "bad-second", false, 0}}, PATH "?token=" TOKEN "&token=no-token&v=1"},
    {PATH, "", {{"token", "unsigned", false, 0}}, PATH "?token=eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.Ym9keQ."},
    {PATH,
     "",
     {{"interview", "unknown", false, 0}},
     "/api/v1/interviews/00000000-0000-4000-8000-000000000000/realtime/connect?token=" TOKEN},
    {PATH, "", {{"interview", "a/b", true, 0}}, "/api/v1/interviews/a%2Fb/realtime/connect?token=" TOKEN},
    {"/ws", "", {{0}}, "/ws?token=" TOKEN},
};

START_TEST(the_request_is_what_the_step_asks_for)
{
    const struct target_case *row = &TARGETS[_i];
    const struct client_target target = {
        .authority = "a", .path = row->path, .query = row->query, .key = TOKEN, .config = ID};
    struct client_value values[OPTIONS_MAX];
    const struct client_step step = step_of(INTERVIEW_CLIENT_SIDE.connect, row->options, values);
    char space[400];
    struct text text = text_of(space, sizeof space);
    ck_assert(INTERVIEW_CLIENT_SIDE.target(&target, &INTERVIEW_PROFILES[0].base, &step, &text));
    ck_assert_str_eq(space, row->target);
}
END_TEST

START_TEST(a_request_that_does_not_fit_is_none)
{
    const struct client_target target = {
        .authority = "a", .path = PATH, .query = "", .key = TOKEN, .config = ID};
    const struct option none[2] = {{0}};
    struct client_value values[OPTIONS_MAX];
    const struct client_step step = step_of(INTERVIEW_CLIENT_SIDE.connect, none, values);
    char space[60];
    struct text text = text_of(space, sizeof space);
    ck_assert(!INTERVIEW_CLIENT_SIDE.target(&target, &INTERVIEW_PROFILES[0].base, &step, &text));
}
END_TEST

START_TEST(a_long_token_is_of_16_kb)
{
    const struct client_target target = {
        .authority = "a", .path = PATH, .query = "", .key = TOKEN, .config = ID};
    const struct option options[2] = {{"token", "long", false, 0}};
    struct client_value values[OPTIONS_MAX];
    const struct client_step step = step_of(INTERVIEW_CLIENT_SIDE.connect, options, values);
    char *space = malloc(LONG_TARGET_MAX);
    ck_assert_ptr_nonnull(space);
    struct text text = text_of(space, LONG_TARGET_MAX);
    ck_assert(INTERVIEW_CLIENT_SIDE.target(&target, &INTERVIEW_PROFILES[0].base, &step, &text));
    ck_assert_uint_eq(strlen(space), strlen(PATH "?token=") + 16384);
    free(space);
}
END_TEST

static const char SECRET[] = "a-secret-of-this-test";

/* The word of token=, and what a service makes of the token; with no secret there is none. */
static const struct {
    const char *word;
    enum token_verdict verdict;
} MADE[] = {
    {"expired", TOKEN_EXPIRED},
    {"wrong-key", TOKEN_SIGNATURE},
    {"alg-none", TOKEN_ALGORITHM},
    {"alg-hs512", TOKEN_ALGORITHM},
    {"wrong-role", TOKEN_WRONG_ROLE},
    {"wrong-owner", TOKEN_WRONG_OWNER},
    {"wrong-interview", TOKEN_WRONG_INTERVIEW},
};

START_TEST(a_token_is_made_with_the_secret_alone)
{
    struct client_target target = {.authority = "a",
                                   .path = PATH,
                                   .query = "",
                                   .key = TOKEN,
                                   .config = ID,
                                   .candidate = "somebody",
                                   .now_s = 1700000000};
    const struct token_terms terms = {
        .secret = SECRET, .candidate = "somebody", .interview = bytes_of_text(ID), .now_s = 1700000000};
    const struct option options[2] = {{"token", MADE[_i].word, false, 0}};
    struct client_value values[OPTIONS_MAX];
    const struct client_step step = step_of(INTERVIEW_CLIENT_SIDE.connect, options, values);
    char space[2000];
    struct text text = text_of(space, sizeof space);
    ck_assert_ptr_nonnull(INTERVIEW_CLIENT_SIDE.lacks(&target, &step));
    ck_assert(!INTERVIEW_CLIENT_SIDE.target(&target, &INTERVIEW_PROFILES[0].base, &step, &text));
    target.secret = SECRET;
    text = text_of(space, sizeof space);
    ck_assert_ptr_null(INTERVIEW_CLIENT_SIDE.lacks(&target, &step));
    ck_assert(INTERVIEW_CLIENT_SIDE.target(&target, &INTERVIEW_PROFILES[0].base, &step, &text));
    const size_t before = strlen(PATH "?token=");
    ck_assert_int_eq(token_verify(bytes_of_text(space + before), &terms), MADE[_i].verdict);
}
END_TEST

/* --- what is sent --- */

struct send_case {
    size_t profile;
    size_t send;
    struct option options[2];
    const char *text;
};

#define CHUNK "{\"type\":\"audio_chunk\","

static const struct send_case SENDS[] = {
    {0,
     INTERVIEW_SEND_CHUNK,
     {{"samples", "3", false, 3}},
     CHUNK "\"audio\":\"AQACAAMA\",\"timestamp\":1699999999}"},
    {0, INTERVIEW_SEND_CHUNK, {{"samples", "0", false, 0}}, CHUNK "\"audio\":\"\",\"timestamp\":1699999999}"},
    {0,
     INTERVIEW_SEND_CHUNK,
     {{"samples", "1", false, 1}, {"odd", "1", false, 1}},
     CHUNK "\"audio\":\"AQAA\",\"timestamp\":1699999999}"},
    {0,
     INTERVIEW_SEND_CHUNK,
     {{"audio", "null", true, 0}, {"timestamp", "1.5", true, 0}},
     CHUNK "\"audio\":null,\"timestamp\":1.5}"},
    {0, INTERVIEW_SEND_CHUNK, {{"without", "audio,timestamp", true, 0}}, "{\"type\":\"audio_chunk\"}"},
    {1,
     INTERVIEW_SEND_CHUNK,
     {{"audio", "\"\"", true, 0}},
     CHUNK "\"audio\":\"\",\"timestamp\":1699999999123}"},
    {0, INTERVIEW_SEND_COMMIT, {{0}}, "{\"type\":\"commit_audio\"}"},
    {1, INTERVIEW_SEND_COMMIT, {{0}}, "{\"type\":\"audio_commit\"}"},
    {0, INTERVIEW_SEND_COMMIT, {{"without", "type", false, 0}}, "{}"},
    {0, INTERVIEW_SEND_CANCEL, {{0}}, "{\"type\":\"cancel_response\"}"},
};

START_TEST(a_message_is_what_the_step_asks_for)
{
    static const uint8_t pcm[] = {1, 0, 2, 0, 3, 0, 4, 0};
    const struct send_case *row = &SENDS[_i];
    const struct client_writing with = {.profile = &INTERVIEW_PROFILES[row->profile].base,
                                        .now_ms = 1699999999123,
                                        .pcm = bytes_of(pcm, sizeof pcm)};
    struct client_value values[OPTIONS_MAX];
    const struct client_step step = step_of(&INTERVIEW_CLIENT_SIDE.sends[row->send], row->options, values);
    struct buffer out;
    buffer_init(&out, OUT_MAX);
    ck_assert(INTERVIEW_CLIENT_SIDE.write(&step, &with, &out));
    ck_assert_msg(bytes_equal_text(buffer_bytes(&out), row->text), "%.*s", (int)out.len,
                  (const char *)out.data);
    buffer_free(&out);
}
END_TEST

/* With every= one part after another; behind the end of the file there is silence. */
START_TEST(a_file_is_sent_in_parts)
{
    static const uint8_t pcm[] = {1, 0, 2, 0, 3, 0};
    static const char *const parts[] = {"AQACAA==", "AwAAAA==", "AAAAAA=="};
    const struct option options[2] = {{"samples", "2", false, 2}, {"without", "type,timestamp", true, 0}};
    struct client_value values[OPTIONS_MAX];
    const struct client_step step =
        step_of(&INTERVIEW_CLIENT_SIDE.sends[INTERVIEW_SEND_CHUNK], options, values);
    for (uint64_t n = 0; n < 3; n++) {
        const struct client_writing with = {
            .profile = &INTERVIEW_PROFILES[0].base, .number = n, .pcm = bytes_of(pcm, sizeof pcm)};
        char expected[40];
        struct text text = text_of(expected, sizeof expected);
        struct buffer out;
        text_add(&text, "{\"audio\":\"");
        text_add(&text, parts[n]);
        text_add(&text, "\"}");
        buffer_init(&out, OUT_MAX);
        ck_assert(INTERVIEW_CLIENT_SIDE.write(&step, &with, &out));
        ck_assert(bytes_equal_text(buffer_bytes(&out), expected));
        buffer_free(&out);
    }
}
END_TEST

/* --- what comes --- */

struct see_case {
    size_t profile;
    const char *text;
    enum seen_kind kind;
    const char *word;
    const char *receives; /* what looks for it, with a blank after each */
    bool is_final;
};

static const struct see_case SEEN[] = {
    {0, "{\"type\":\"status\",\"status\":\"connected\",\"message\":\"\"}", SEEN_MESSAGE, "connected",
     "connected status ", false},
    {0, "{\"type\":\"status\",\"status\":\"connecting\",\"message\":\"\"}", SEEN_MESSAGE, "connecting",
     "status ", false},
    {1, "{\"type\":\"connected\"}", SEEN_MESSAGE, "connected", "connected status ", false},
    {0, "{\"type\":\"transcript\",\"speaker\":\"ai\",\"text\":\"\",\"timestamp\":1}", SEEN_MESSAGE, "ai",
     "transcript ", false},
    {1, "{\"type\":\"transcript\",\"role\":\"user\",\"text\":\"\",\"timestamp\":1699999999123}", SEEN_MESSAGE,
     "candidate", "transcript ", false},
    {0, "{\"type\":\"ai_audio_chunk\",\"audio\":\"\",\"is_final\":false}", SEEN_MESSAGE, "", "chunk ", false},
    {0, "{\"type\":\"ai_audio_chunk\",\"audio\":\"\",\"is_final\":true}", SEEN_MESSAGE, "", "chunk final ",
     true},
    {0, "{\"type\":\"function_result\",\"function_name\":\"f\",\"result\":1}", SEEN_MESSAGE, "f", "result ",
     false},
    {0, "{\"type\":\"error\",\"code\":\"SESSION_NOT_FOUND\",\"message\":\"\"}", SEEN_ERROR,
     "SESSION_NOT_FOUND", "", false},
    {0, "busy", SEEN_PLAIN_TEXT, "busy", "", false},
    {0, "{\"type\":\"billing\"}", SEEN_MESSAGE, "{\"type\":\"billing\"}", "", false},
};

START_TEST(what_comes_is_told_for_what_it_is)
{
    const struct see_case *row = &SEEN[_i];
    struct exact_copy copy = exact_copy_of(bytes_of_text(row->text));
    const struct wire_event event = {
        .direction = WIRE_FROM_SERVER, .kind = WIRE_EVENT_TEXT, .data = copy.bytes};
    struct seen seen = {.at_us = 0};
    char receives[100];
    struct text text = text_of(receives, sizeof receives);
    INTERVIEW_CLIENT_SIDE.see(&INTERVIEW_PROFILES[row->profile].base, &event, &seen, NULL);
    exact_copy_free(copy);
    ck_assert_int_eq(seen.kind, row->kind);
    ck_assert_str_eq(seen.word, row->word);
    ck_assert(seen.is_final == row->is_final);
    for (int i = 0; seen.kind == SEEN_MESSAGE && INTERVIEW_CLIENT_SIDE.receives[i].name != NULL; i++) {
        if (!INTERVIEW_CLIENT_SIDE.matches(&seen, i))
            continue;
        text_add(&text, INTERVIEW_CLIENT_SIDE.receives[i].name);
        text_add_char(&text, ' ');
    }
    ck_assert_str_eq(receives, row->receives);
}
END_TEST

START_TEST(a_binary_message_is_one)
{
    const struct wire_event event = {.direction = WIRE_FROM_SERVER, .kind = WIRE_EVENT_BINARY};
    struct seen seen = {.at_us = 0};
    INTERVIEW_CLIENT_SIDE.see(&INTERVIEW_PROFILES[0].base, &event, &seen, NULL);
    ck_assert_str_eq(INTERVIEW_CLIENT_SIDE.messages[seen.type].label, "binary");
}
END_TEST

START_TEST(the_body_of_a_refusal_has_a_code)
{
    struct seen seen = {.at_us = 0};
    interview_client_see_body(bytes_of_text("{\"type\":\"error\",\"code\":\"X\",\"message\":\"\"}"), &seen);
    ck_assert_str_eq(seen.word, "X");
    interview_client_see_body(bytes_of_text("Forbidden"), &seen);
    ck_assert_str_eq(seen.word, "plain-text");
}
END_TEST

START_TEST(the_first_message_says_the_profile)
{
    static const char *const first[][2] = {
        {"{\"type\":\"status\",\"status\":\"connecting\",\"message\":\"\"}", "interview-1.0"},
        {"{\"type\":\"status\",\"status\":\"connected\",\"message\":\"\"}", "interview-1.0"},
        {"{\"type\":\"connected\"}", "interview-deployed"},
        {"{\"type\":\"billing\"}", NULL},
        {"busy", NULL},
    };
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        const struct profile *profile = interview_client_profile_said(bytes_of_text(first[i][0]));
        ck_assert((profile == NULL) == (first[i][1] == NULL));
        ck_assert(profile == NULL || strcmp(profile->name, first[i][1]) == 0);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("interview client side");
    tcase_add_loop_test(tcase, the_request_is_what_the_step_asks_for, 0, TABLE_COUNT(TARGETS));
    tcase_add_test(tcase, a_request_that_does_not_fit_is_none);
    tcase_add_test(tcase, a_long_token_is_of_16_kb);
    tcase_add_loop_test(tcase, a_token_is_made_with_the_secret_alone, 0, TABLE_COUNT(MADE));
    tcase_add_loop_test(tcase, a_message_is_what_the_step_asks_for, 0, TABLE_COUNT(SENDS));
    tcase_add_test(tcase, a_file_is_sent_in_parts);
    tcase_add_loop_test(tcase, what_comes_is_told_for_what_it_is, 0, TABLE_COUNT(SEEN));
    tcase_add_test(tcase, a_binary_message_is_one);
    tcase_add_test(tcase, the_body_of_a_refusal_has_a_code);
    tcase_add_test(tcase, the_first_message_says_the_profile);
    return suite_run("interview client side", tcase);
}
