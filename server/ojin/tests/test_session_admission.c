/* Who is let in, and what those are told who are not. */
#include <string.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "server/ojin/session_class.h"
#include "server/ojin/tests/bench.h"

static const uint64_t SECOND_US = 1000000;

/* Asks for an upgrade; returns what came of it. */
static const struct sent *ask(struct bench *bench, const char *request)
{
    struct exact_copy copy = exact_copy_of(bytes_of_text(request));
    struct http_head head;
    ck_assert(http_head_parse(copy.bytes, &head));
    struct session_event event = {.kind = SESSION_REQUEST, .now_us = bench->now_us, .head = &head};
    OJIN_SESSION_CLASS.step(bench->session, &event, &bench->actions);
    bench_event(bench, SESSION_TICK, (struct bytes){0});
    exact_copy_free(copy);
    ck_assert_uint_eq(bench->count, 1);
    return &bench->sent[0];
}

static void admission_bench(struct bench *bench, const char *key, const char *config)
{
    bench_new(bench, "oris-1.0", false);
    OJIN_SESSION_CLASS.destroy(bench->session);
    bench->config.key = key;
    bench->config.config_id = config;
    bench->session = OJIN_SESSION_CLASS.create(&bench->config);
}

#define REQUEST(query, headers) "GET /realtime" query " HTTP/1.1\r\nHost: a\r\n" headers "\r\n"

static const struct {
    const char *name;
    const char *key; /* NULL: any */
    const char *request;
    const char *code; /* of the refusal; NULL: let in */
} KEYS[] = {
    {"the right key", "sk-1", REQUEST("?config_id=c", "Authorization: sk-1\r\n"), NULL},
    {"any key", NULL, REQUEST("?config_id=c", "authorization: whatever\r\n"), NULL},
    {"another key", "sk-1", REQUEST("?config_id=c", "Authorization: sk-2\r\n"), "AUTH_FAILED"},
    {"a longer key", "sk-1", REQUEST("?config_id=c", "Authorization: sk-11\r\n"), "AUTH_FAILED"},
    {"a shorter key", "sk-1", REQUEST("?config_id=c", "Authorization: sk-\r\n"), "AUTH_FAILED"},
    {"a Bearer prefix", "sk-1", REQUEST("?config_id=c", "Authorization: Bearer sk-1\r\n"), "AUTH_FAILED"},
    {"a Bearer prefix, any key", NULL, REQUEST("?config_id=c", "Authorization: bearer x\r\n"), "AUTH_FAILED"},
    {"no header", "sk-1", REQUEST("?config_id=c", ""), "INVALID_HEADERS"},
    {"no header, any key", NULL, REQUEST("?config_id=c", ""), "INVALID_HEADERS"},
    {"an empty header", "sk-1", REQUEST("?config_id=c", "Authorization: \r\n"), "INVALID_HEADERS"},
    {"the key in the query", "sk-1", REQUEST("?config_id=c&api_key=sk-1", ""), "INVALID_HEADERS"},
};

START_TEST(a_wrong_key_is_refused_at_the_handshake)
{
    struct bench bench;
    admission_bench(&bench, KEYS[_i].key, NULL);
    const struct sent *answer = ask(&bench, KEYS[_i].request);
    if (KEYS[_i].code == NULL) {
        ck_assert_msg(answer->kind == ACTION_ACCEPT, "%s", KEYS[_i].name);
    } else {
        ck_assert_msg(answer->kind == ACTION_REFUSE, "%s", KEYS[_i].name);
        ck_assert_uint_eq(answer->code, 401);
        const char *body = strstr(answer->text, "\r\n\r\n");
        ck_assert_ptr_nonnull(body);
        struct ojin_message message;
        ojin_message_read(bytes_of_text(body + 4), &message);
        ck_assert_int_eq(message.type, OJIN_MESSAGE_ERROR_RESPONSE);
        ck_assert_int_eq(message.error.status, WIRE_OK);
        ck_assert_str_eq(message.code, KEYS[_i].code);
        ck_assert(message.has_timestamp);
        ck_assert_ptr_null(strstr(answer->text, "sk-1"));
        char length[40];
        struct text text = text_of(length, sizeof length);
        text_add(&text, "Content-Length: ");
        text_add_u64(&text, strlen(body + 4));
        text_add(&text, "\r\n");
        ck_assert_ptr_nonnull(strstr(answer->text, length));
        ck_assert_ptr_nonnull(strstr(answer->text, "Content-Type: application/json\r\n"));
    }
    bench_free(&bench);
}
END_TEST

static const struct {
    const char *name;
    const char *config; /* NULL: any */
    const char *request;
    const char *code; /* NULL: served */
} CONFIGS[] = {
    {"the right one", "my config", REQUEST("?config_id=my%20config", "Authorization: k\r\n"), NULL},
    {"the right one, encoded as a form", "e f+g%", REQUEST("?config_id=e+f%2Bg%25", "Authorization: k\r\n"),
     NULL},
    {"with a '+' of its own that stands bare", "e f+g", REQUEST("?config_id=e%20f+g", "Authorization: k\r\n"),
     NULL},
    {"with neither a '+' nor a space", "e+f", REQUEST("?config_id=e-f", "Authorization: k\r\n"),
     "MODEL_NOT_FOUND"},
    {"any", NULL, REQUEST("?config_id=abc", "Authorization: k\r\n"), NULL},
    {"missing", NULL, REQUEST("", "Authorization: k\r\n"), "MISSING_CONFIG_ID"},
    {"empty", NULL, REQUEST("?config_id=", "Authorization: k\r\n"), "MISSING_CONFIG_ID"},
    {"in capitals", "c", REQUEST("?CONFIG_ID=c", "Authorization: k\r\n"), "MISSING_CONFIG_ID"},
    {"unknown", "c", REQUEST("?config_id=d", "Authorization: k\r\n"), "MODEL_NOT_FOUND"},
    {"with a broken escape", "c", REQUEST("?config_id=c%2", "Authorization: k\r\n"), "MODEL_NOT_FOUND"},
};

START_TEST(a_wrong_config_is_told_after_the_handshake_and_closed_with_1008)
{
    struct bench bench;
    admission_bench(&bench, NULL, CONFIGS[_i].config);
    const struct sent *answer = ask(&bench, CONFIGS[_i].request);
    ck_assert_msg(answer->kind == ACTION_ACCEPT, "%s", CONFIGS[_i].name);
    bench_event(&bench, SESSION_OPENED, (struct bytes){0});
    ck_assert_uint_eq(bench.count, 1);
    bench_run(&bench, SECOND_US);
    if (CONFIGS[_i].code == NULL) {
        ck_assert_str_eq(bench.sent[1].label, "ready");
    } else {
        ck_assert_uint_eq(bench.count, 3);
        ck_assert_str_eq(bench.sent[1].message.code, CONFIGS[_i].code);
        ck_assert_int_eq(bench.sent[2].kind, ACTION_CLOSE);
        ck_assert_uint_eq(bench.sent[2].code, OJIN_CLOSE_POLICY);
        ck_assert_uint_eq(OJIN_SESSION_CLASS.deadline_us(bench.session), UINT64_MAX);
    }
    bench_free(&bench);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("admission");
    tcase_add_loop_test(tcase, a_wrong_key_is_refused_at_the_handshake, 0, TABLE_COUNT(KEYS));
    tcase_add_loop_test(tcase, a_wrong_config_is_told_after_the_handshake_and_closed_with_1008, 0,
                        TABLE_COUNT(CONFIGS));
    return suite_run("session admission", tcase);
}
